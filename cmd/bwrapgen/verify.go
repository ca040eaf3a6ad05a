package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/proof"
)

// verifyCmd is the verb verify.
type verifyCmd struct {
	Subject string `arg:"" name:"launcher|profile" help:"A launcher that bwrapgen has made; or a profile: built-in, one of your own, or the path of a file."`
	Here    bool   `help:"Look around in your own home and project, where nothing is written, and not in some that are made for this."`
	All     bool   `help:"Name each place, also where there are many of which the same is to be said."`
	subject
}

// Help is the longer help.
func (verifyCmd) Help() string {
	return `The launcher is started, and what explain says of the sandbox is tried in it: what can be read and written, what becomes of that, what is hidden or not there, which variables come in, what can be reached. What must not work inside has to work outside: else it proves nothing.

    bwrapgen verify default
    bwrapgen verify ./box

What a launcher should do is taken from the profile that its header names, and from this host as it is now. Nothing changes on the host: a home and a project are made for this, and removed.

The exit status is 0 where nothing is false, and 3 otherwise.`
}

// Run proves what explain says.
func (c verifyCmd) Run(a app) error {
	s, err := a.started(c.Subject, c.subject)
	if err != nil {
		return err
	}
	if err := askable(s); err != nil {
		return err
	}
	g, err := a.stage(s, c.Here)
	if err != nil {
		return err
	}
	defer g.end()
	done := a.progress("looking around in %s", s.name)
	all, err := g.prove()
	done()
	if err != nil {
		return err
	}
	if err := a.artefact(proofs(s.name, all, c.All)); err != nil {
		return err
	}
	for _, one := range all {
		if one.Result == proof.False {
			return errDiffers
		}
	}
	return nil
}

// askable refuses a launcher that asks on a terminal.
func askable(s started) error {
	if s.plan.Confirm.Mode == profile.ConfirmAlways && !s.plan.Confirm.AllowYes {
		return cannot("write confirm.allow-yes = true", "%s asks before each run, and here is nobody to answer", s.name)
	}
	return nil
}

// prove starts the sandbox, twice where something may last, and judges what was found.
func (g *stage) prove() ([]proof.Statement, error) {
	places := g.places()
	if err := g.plant(places); err != nil {
		return nil, failed(err, "cannot make what is to be looked for")
	}
	q := g.ask(places)
	w := g.world()
	first := visit{tries: q.once}
	if err := g.start(w.Variables, &first); err != nil {
		return nil, err
	}
	if !first.isDone() {
		return g.unstarted(first.said)
	}
	for i, p := range places {
		q.controls[i].Arrived = g.arrived(p)
	}
	later, err := g.again(q, &w)
	if err != nil {
		return nil, err
	}
	if len(later.tries) > 0 && !later.isDone() {
		return g.unstarted(later.said)
	}
	return slices.Concat(
		q.judge(first.seen, later.seen, viewProblem(first.said)),
		proof.Whole(g.plan, first.seen, w),
		proof.Addresses(g.plan, later.seen),
	), nil
}

// again starts the launcher once more, for what an earlier start has left. In a project of
// the proof's own, it is killed at the end.
func (g *stage) again(q questions, w *proof.World) (visit, error) {
	later := visit{tries: q.again, kills: g.isOwn(g.project)}
	if later.kills {
		later.tries.add(proof.Stay, "")
	}
	if len(later.tries) == 0 {
		return later, nil
	}
	for _, i := range q.made {
		if err := os.RemoveAll(q.places[i].Host); err != nil {
			return later, failed(err, "cannot remove what was made")
		}
	}
	variables := maps.Clone(w.Variables)
	for _, name := range g.plan.Environ.Addresses {
		variables[name] = proof.Login
	}
	err := g.start(variables, &later)
	w.Killed, w.Outlived = later.kills, later.outlived
	return later, err
}

// unstarted is what is to be said where nothing could be looked at. In the caller's own
// project a launcher may have a reason.
func (g *stage) unstarted(said string) ([]proof.Statement, error) {
	what, hint, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(said, g.top, "")), "\n")
	if what == "" {
		what = "bash did not come to its end in it"
	}
	if g.isReal {
		_, hint, _ = strings.Cut(hint, "hint: ")
		return nil, cannot(hint, "%s", what)
	}
	return []proof.Statement{{Subject: "start", Says: "a command runs inside", Result: proof.False, Why: what}}, nil
}

// viewProblem is what a launcher says where views of directories cannot be made.
func viewProblem(said string) string {
	for line := range strings.Lines(said) {
		if strings.Contains(line, "overlay") || strings.Contains(line, "holds no layers") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// world tries outside what is tried inside.
func (g *stage) world() proof.World {
	w := proof.World{UID: os.Getuid(), Inside: g.inside, Variables: g.variables(), LeftOpen: filepath.Join(g.top, "open")}
	for _, name := range []string{"user", "pid", "ipc", "uts", "cgroup", "mnt", "net"} {
		if at, err := os.Readlink("/proc/self/ns/" + name); err == nil {
			w.Namespaces = append(w.Namespaces, at)
		}
	}
	status, _ := os.ReadFile("/proc/self/status")
	w.Filters = proof.Status(string(status), "Seccomp_filters")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.Nests = exec.CommandContext(ctx, "unshare", "-U", "true").Run() == nil
	file := filepath.Join(g.top, "setuid")
	_ = os.WriteFile(file, nil, 0o700)
	w.Setuid = os.Chmod(file, 0o700|os.ModeSetuid) == nil
	if g.listener != nil {
		c, err := net.DialTimeout("tcp4", g.listener.Addr().String(), patience)
		w.Listens = err == nil
		if err == nil {
			_ = c.Close()
		}
	}
	return w
}

// resultWords are the headings of what was found, the weightiest first.
var resultWords = []struct {
	result proof.Result
	words  string
}{
	{proof.False, "FALSE"}, {proof.Unprovable, "NOT PROVABLE HERE"}, {proof.Proved, "PROVED"},
}

// proofs tells statements to people: what is false first, and what is proved as explain
// tells it.
func proofs(name string, statements []proof.Statement, all bool) []byte {
	var b bytes.Buffer
	count := map[proof.Result]int{}
	for _, s := range statements {
		count[s.Result]++
	}
	fmt.Fprintf(&b, "%s: %d statements: %d proved, %d false, %d not provable here\n", visible(name), len(statements), count[proof.Proved], count[proof.False], count[proof.Unprovable])
	for _, r := range resultWords {
		if count[r.result] > 0 {
			fmt.Fprintf(&b, "\n%s\n", r.words)
			tell(&b, statements, r.result, all)
		}
	}
	return b.Bytes()
}

// tell writes what has one result: places as explain does, and then the sandbox as a whole.
func tell(b *bytes.Buffer, statements []proof.Statement, result proof.Result, all bool) {
	var entries []access.Entry
	for _, s := range statements {
		if s.Result == result && s.Place != nil {
			found := s.Place.Entry
			if s.Why != "" {
				found.What, found.Notes = sentenceOf(s), nil
			}
			if !all {
				found.What = strings.Replace(found.What, ", if there is one", "", 1)
			}
			entries = append(entries, found)
		}
	}
	for _, g := range neighbours(entries, all) {
		sideBySide(b, placeWidth, visible(g.places()), visible(g.what(all)))
	}
	said := map[string][]string{}
	var subjects []string
	for _, s := range statements {
		if s.Result == result && s.Place == nil {
			if said[s.Subject] == nil {
				subjects = append(subjects, s.Subject)
			}
			said[s.Subject] = append(said[s.Subject], sentenceOf(s))
		}
	}
	for _, name := range subjects {
		sideBySide(b, placeWidth, visible(name), visible(strings.Join(said[name], "; ")))
	}
}

// sentenceOf says what was found, and then what explain says.
func sentenceOf(s proof.Statement) string {
	if s.Why == "" {
		return s.Says
	}
	return s.Why + ". Said: " + s.Says
}
