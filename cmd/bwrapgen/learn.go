package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/learn"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
	"bwrapgen/gen/verify"
)

// learnCmd is the verb learn.
type learnCmd struct {
	Subject string        `arg:"" name:"launcher|profile" help:"A launcher that bwrapgen has made; or a profile: built-in, one of your own, or the path of a file."`
	Command []string      `arg:"" optional:"" passthrough:"" help:"The command, with its arguments; before it stands --."`
	Write   string        `placeholder:"PROFILE" help:"Append the lines to this profile; one that is not there is made, and extends the one that was used."`
	Timeout time.Duration `default:"10m" placeholder:"TIME" help:"End the command after this time, and tell what it has asked for until then."`
	subject
}

// Run runs a command, and says what it has missed.
func (c learnCmd) Run(a app) error {
	if len(c.Command) > 0 && c.Command[0] == "--" {
		c.Command = c.Command[1:]
	}
	if _, err := exec.LookPath("strace"); err != nil {
		return cannot("install the package strace; without it, a launcher's own words at the end name programs and hosts", "strace is not installed, by which is seen what a command looks for")
	}
	s, err := a.started(c.Subject, c.subject)
	if err != nil {
		return err
	}
	if len(c.Command)+len(s.Plan.Command) == 0 {
		return misuse("write it behind --", "there is no command to run")
	}
	events, said, err := c.trace(a, s)
	if err != nil {
		return err
	}
	w, err := a.learnWorld(s)
	if err != nil {
		return err
	}
	needs := a.acceptable(s, learn.Needs(events, said, w))
	if err := a.artefact(lessons(needs, s, a.home, w.Closed()), nil); err != nil {
		return err
	}
	if c.Write != "" {
		if err := a.append(c.Write, s, needs); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(needs, func(n learn.Need) bool { return n.Mark == "" }) {
		return errDiffers
	}
	return nil
}

// trace runs the launcher under strace.
func (c learnCmd) trace(a app, s verify.Sandbox) ([]learn.Event, string, error) {
	file, err := aside(s.Name, s.Script)
	if err != nil {
		return nil, "", err
	}
	dir := filepath.Dir(file)
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	signal.Ignore(os.Interrupt) // it is for the command
	defer signal.Reset(os.Interrupt)
	output := filepath.Join(dir, "trace")
	words := slices.Concat(learn.Options(output), []string{"bash", "-p", cmp.Or(s.File, file), "--"}, c.Command)
	var said bytes.Buffer
	run := exec.CommandContext(ctx, "strace", words...)
	run.Stdin, run.Stdout, run.Stderr = a.in, a.err, io.MultiWriter(a.err, &said)
	run.Cancel = func() error { return endLauncher(run.Process.Pid) }
	run.WaitDelay = 5 * time.Second
	err = run.Run()
	if ctx.Err() != nil {
		a.line("", "", fmt.Sprintf("the command did not end in %s: this is what it asked for until then", c.Timeout))
	} else if exit := (&exec.ExitError{}); err != nil && !errors.As(err, &exit) {
		return nil, "", failed(err, "cannot run strace")
	} else if exit.ProcessState != nil && exit.ExitCode() == 125 {
		return nil, "", cannot("see what it says above", "the launcher could not start the command")
	}
	trace, err := os.Open(output)
	if err != nil {
		return nil, "", failed(err, "strace has written nothing")
	}
	defer trace.Close()
	events, err := learn.Trace(trace)
	return events, said.String(), err
}

// endLauncher ends what strace has started; then strace ends, too.
func endLauncher(strace int) error {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", strace, strace))
	if err != nil {
		return err
	}
	for _, word := range strings.Fields(string(text)) {
		if child, err := strconv.Atoi(word); err == nil {
			_ = unix.Kill(child, unix.SIGKILL)
		}
	}
	return nil
}

// learnWorld is the sandbox, and what the host has.
func (a app) learnWorld(s verify.Sandbox) (learn.World, error) {
	project, err := a.project(s.Profile.Project.Root.Kind, "")
	w := learn.World{
		Plan: s.Plan, Catalogue: s.Catalogue, Host: s.Env, Variables: map[string]string{}, Find: findProgram,
		CanWrite: func(name string) bool { return unix.Access(name, unix.W_OK) == nil },
		Resolve: func(name string) (string, bool) {
			real, err := filepath.EvalSymlinks(name)
			return real, err == nil
		},
	}
	w.Host.Project = project
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		w.Variables[name] = value
	}
	return w, err
}

// findProgram looks in the caller's PATH, but for its relative directories.
func findProgram(name string) string {
	at, err := exec.LookPath(name)
	if err != nil || !filepath.IsAbs(at) {
		return ""
	}
	return at
}

// acceptable marks the paths that the profile would be refused with.
func (a app) acceptable(s verify.Sandbox, needs []learn.Need) []learn.Need {
	kinds := map[learn.Kind]profile.Kind{learn.Read: profile.KindRead, learn.Write: profile.KindWrite}
	for i, n := range needs {
		kind, isPath := kinds[n.Kind]
		at, err := expr.Parse(learn.Short(n.Name, s.Env.Home))
		if n.Mark != "" || !isPath || err != nil {
			continue
		}
		p := s.Profile.With(profile.Rule{Kind: kind, Path: at, Why: n.Why, Origin: profile.Origin{File: "learn"}})
		facts, err := a.facts(p, s.Catalogue, plan.Questions(p, s.Catalogue), subject{})
		if err == nil {
			_, err = plan.Build(p, s.Catalogue, facts, plan.Options{Name: s.Name})
		}
		if err != nil {
			needs[i].Mark = problems(err)[0].Error()
		}
	}
	return needs
}

// lessons are the lines for a profile, and as comments what is not proposed, and what cannot
// be known: of the caller's variables, some that are closed are counted.
func lessons(needs []learn.Need, s verify.Sandbox, home string, closed int) []byte {
	var b bytes.Buffer
	text, _ := learn.Append("", needs, s.Profile, home) // to an empty text, all can be added
	if text == "" {
		b.WriteString("# The command has missed nothing that a profile could give it.\n")
	}
	b.WriteString(text)
	title := "\n# Not proposed:\n"
	for _, n := range needs {
		if n.Mark != "" {
			fmt.Fprintf(&b, "%s# %s: %s; %s\n", title, visible(learn.Short(n.Name, home)), visible(n.Why), visible(n.Mark))
			title = ""
		}
	}
	if closed > 0 {
		fmt.Fprintf(&b, unseenVariables, closed)
	}
	return b.Bytes()
}

// unseenVariables says what strace does not see.
const unseenVariables = `
# %d of your variables do not come in. Which of them the command looked at cannot be seen: named
# are those that it spoke of in an error, and those that the catalogue knows its programs to read.
`

// append adds the lines to a profile, if it is right afterwards.
func (a app) append(name string, s verify.Sandbox, needs []learn.Need) error {
	t, err := openTarget(a.expand(name))
	if err != nil {
		return err
	}
	text := string(t.old)
	if !t.exists {
		parent := s.Profile.Sources[len(s.Profile.Sources)-1]
		if profile.IsFile(parent) {
			parent = a.shorten(absolute(a.expand(parent)))
		}
		text = "extends = [" + source.Quote(parent) + "]\n"
	}
	before := text
	if text, err = learn.Append(text, needs, s.Profile, a.home); err != nil {
		return cannot("add the lines by hand", "cannot append to %q: %v", name, err)
	}
	if text == before {
		return nil
	}
	if _, err := profile.Parse(a.profileFile(name), []byte(text), a.loader()); err != nil {
		return err
	}
	return t.write([]byte(text))
}
