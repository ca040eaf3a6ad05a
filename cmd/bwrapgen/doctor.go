package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"

	trouble "bwrapgen/gen/doctor"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/probe"
	"bwrapgen/gen/profile"
)

// doctorCmd is the verb doctor.
type doctorCmd struct {
	Format string `enum:"text,json" default:"text" placeholder:"FORMAT" help:"text; or json, for programs."`
}

// The severities of findings: with a warning, launchers run and lack something; with an error, none runs.
const (
	severityOK      = "ok"
	severityWarning = "warning"
	severityError   = "error"
)

// finding is what the doctor found out about one thing.
type finding struct {
	Subject  string `json:"subject"`
	Severity string `json:"severity"`
	What     string `json:"what"`
	Hint     string `json:"hint,omitzero"` // what to do, unless all is well
	More     string `json:"more,omitzero"` // what else to know, in lines of its own
}

// found is a finding: without a hint all is well.
func found(subject, what, hint string) finding {
	if hint != "" {
		return finding{Subject: subject, Severity: severityWarning, What: what, Hint: hint}
	}
	return finding{Subject: subject, Severity: severityOK, What: what}
}

// Run prints the findings, each with a remedy, and a verdict.
func (c doctorCmd) Run(a app) error {
	project := a.around()
	f, err := a.ask(host.Question{Programs: true, Project: project})
	if err != nil {
		return err
	}
	done := a.progress("making sandboxes")
	all := examine(f, project)
	done()
	count := map[string]int{}
	var rows [][]string
	var colors []string
	for _, x := range all {
		count[x.Severity]++
		rows, colors = append(rows, []string{x.Subject, visible(x.What)}), append(colors, colorOf[x.Severity])
		for line := range strings.SplitSeq(joined("\n", x.Hint, x.More), "\n") {
			if line != "" {
				rows, colors = append(rows, []string{"", "hint: " + visible(line)}), append(colors, "")
			}
		}
	}
	verdict, severity := "launchers run here, and nothing is missing", severityOK
	switch {
	case count[severityError] > 0:
		verdict, severity = "launchers cannot run here; the hint says what to do", severityError
	case count[severityWarning] > 0:
		verdict, severity = fmt.Sprintf("launchers run here, with %s; the hints say what to do", counted(count[severityWarning], "limitation")), severityWarning
	}
	if severity != severityOK {
		err = errDiffers
	}
	if c.Format == "json" {
		return a.artefact(asJSON(struct {
			Verdict  string    `json:"verdict"`
			Runs     bool      `json:"runs"`
			Findings []finding `json:"findings"`
		}{verdict, severity != severityError, all}), err)
	}
	return a.artefact(fmt.Appendf(a.list(rows, colors...), "\n%s\n", a.painted(cmp.Or(colorOf[severity], colorOf["passed"]), verdict)), err)
}

// around is the project that a launcher would take here; empty where it would take
// none, as in the home directory.
func (a app) around() string {
	dir, err := a.project(profile.RootGit, "")
	isNone := err != nil || dir == "/"
	if isNone || expr.Within(a.home, dir) {
		return ""
	}
	return dir
}

// examine looks at one thing after the other, as far as it makes sense.
func examine(f host.Facts, project string) []finding {
	all := programs(f)
	for i, x := range all {
		all[i] = refused(x, project)
	}
	if bwrap := all[len(all)-1]; bwrap.Severity == severityError {
		return all
	}
	d := doctor{facts: f}
	works := d.tried("sandbox", "works", "does not work", "--proc", "/proc", "--dev", "/dev")
	if works.Severity != severityOK {
		works.Severity = severityError
		return append(all, works)
	}
	all = append(all, works)
	// To set its loopback up is what some hosts forbid that allow the rest.
	network := d.tried("network", `can be left out (network.mode = "none")`, "cannot be left out", "--unshare-net")
	return slices.Concat(all, []finding{network}, ownNetworks(), []finding{d.nesting(), d.overlay()})
}

// refused is what there is to say of a program that comes first in PATH and that
// launchers refuse: it has not been run.
func refused(x finding, project string) finding {
	at, why := probe.Host{}.Doubt(project, x.Subject)
	if why == "" {
		return x
	}
	x = found(x.Subject, "refusing "+at+": "+why, "take that directory out of PATH")
	if x.Subject == "bwrap" {
		x.Severity = severityError
	}
	return x
}

// programs says of those that a launcher needs whether they are there, and good enough.
func programs(f host.Facts) []finding {
	const newBash = "install bash 4.4 or later"
	var all []finding
	for _, p := range []struct {
		subject string
		host.Program
		absent, install string
		major, minor    int // from which version on
		update          string
	}{
		{"bash", f.Bash, "not found", newBash, 4, 4, newBash},
		{"env", f.Env, "not found", "install coreutils", 0, 0, ""},
		{"bwrap", f.Bwrap, "not found in PATH", "install the package bubblewrap", 0, 4, "install bubblewrap 0.4 or later"},
	} {
		x := found(p.subject, strings.TrimSpace(p.Version+" at "+p.Path), "")
		switch {
		case !p.Found():
			x.What, x.Hint, x.Severity = p.absent, p.install, severityError
		case before(p.Version, p.major, p.minor):
			x.What, x.Hint, x.Severity = p.Version+" is too old for a launcher", p.update, severityError
		case p.subject == "env" && !slices.Contains(p.Options, "--default-signal"):
			x.What += ", without --default-signal: Ctrl-C may not reach the command"
			x.Hint = "install coreutils 8.31 or later"
		case p.subject == "bwrap" && probe.Host{}.Signs(p.Path).Setuid: // refused by launchers, even where it works
			x = explained(x, "setuid use", p.Program)
			x.Severity = severityError
		}
		all = append(all, x)
	}
	return all
}

// before reports whether a version is known and lower than major.minor.
func before(version string, major, minor int) bool {
	var a, b int
	if n, _ := fmt.Sscanf(version, "%d.%d", &a, &b); n < 2 {
		return false
	}
	return a < major || a == major && b < minor
}

// doctor tries sandboxes.
type doctor struct{ facts host.Facts }

const doctorPatience = 10 * time.Second

// try makes a sandbox that runs nothing.
func (d doctor) try(options ...string) error {
	args := append([]string{"--unshare-user", "--unshare-pid", "--ro-bind", "/", "/"}, options...)
	return d.bwrap(append(args, "--", "/bin/sh", "-c", ":")...)
}

// bwrap runs it, and gives its own words where that fails.
func (d doctor) bwrap(args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), doctorPatience)
	defer cancel()
	command := exec.CommandContext(ctx, d.facts.Bwrap.Path, args...)
	command.Dir = "/"
	command.WaitDelay = time.Second
	text, err := command.CombinedOutput()
	if err == nil {
		return nil
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return errors.New(cmp.Or(first, err.Error()))
}

// tried says whether a sandbox with some options works.
func (d doctor) tried(subject, works, fails string, options ...string) finding {
	err := d.try(options...)
	if err == nil {
		return found(subject, works, "")
	}
	return explained(found(subject, fails+": "+err.Error(), ""), err.Error(), d.facts.Bwrap)
}

// ownNetworks looks for what the sandbox's own networks need; few profiles ask for one.
func ownNetworks() []finding {
	var all []finding
	for _, asked := range []struct {
		words string
		mode  profile.NetworkMode
		ports bool
	}{
		{`private (network.mode = "private")`, profile.NetworkPrivate, false},
		{"private with single ports (network.publish, reach and proxy), and IPv6", profile.NetworkPrivate, true},
		{`limited to listed hosts (network.mode = "allow")`, profile.NetworkAllow, false},
	} {
		words := "can be " + asked.words + "; " + plan.NetworkCost(asked.mode)
		lack, remedy := (probe.Host{}).Lack(plan.NetworkNeeds(asked.mode, asked.ports))
		if lack != "" {
			words = "cannot be " + asked.words + ": that needs " + lack
		}
		all = append(all, found("network", words, remedy))
	}
	return all
}

// explained adds what bwrap's words mean on this host, and what to do.
func explained(x finding, words string, bwrap host.Program) finding {
	x.Severity, x.Hint = severityWarning, "search the issues of bubblewrap for this message"
	if t, ok := trouble.Find(words, probe.Host{}.Signs(bwrap.Path)); ok {
		x.What += ": " + t.What
		x.Hint, x.More = t.Fix, t.More
	}
	return x
}

func (d doctor) nesting() finding {
	if d.knows("--disable-userns") && d.try("--disable-userns") == nil {
		return found("nesting", "forbidden by bwrap (--disable-userns) and by the filter", "")
	}
	return found("nesting", "forbidden by the filter; this bwrap has no working --disable-userns", "")
}

// overlay finds the engine for writable views of caches. What it makes one of has
// nothing mounted below it, which an ordinary user's overlay could not have.
func (d doctor) overlay() finding {
	how, try := "made by mount(8) in a namespace of its own, as bwrap is older than 0.11", d.mount
	if d.knows("--tmp-overlay") {
		how = "made by bwrap"
		try = func() error { return d.try("--overlay-src", "/usr/bin", "--tmp-overlay", "/usr/bin") }
	}
	if err := try(); err != nil {
		return found("overlays", "do not work: "+err.Error(), overlayHint)
	}
	return found("overlays", how, "")
}

const overlayHint = `caches start empty then, and are kept in the launcher's store; users can mount overlays from Linux 5.11 on, under Ubuntu's AppArmor profile bwrap-userns-restrict from bwrap 0.11 on`

// mount makes an overlay as a launcher does for an old bwrap.
func (d doctor) mount() error {
	return d.bwrap(
		"--unshare-user", "--uid", "0", "--gid", "0", "--cap-add", "CAP_SYS_ADMIN", "--cap-add", "CAP_DAC_OVERRIDE",
		"--dev-bind", "/", "/", "--tmpfs", "/sys", "--",
		"/bin/sh", "-c", "cd /sys && mkdir u w v && exec mount -t overlay overlay -o userxattr,lowerdir=/usr/bin,upperdir=u,workdir=w v")
}

func (d doctor) knows(option string) bool {
	return slices.Contains(d.facts.Bwrap.Options, option)
}
