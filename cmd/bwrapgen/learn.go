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

	"bwrapgen/gen/learn"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
	"bwrapgen/gen/verify"
)

// learnCmd is the verb learn.
type learnCmd struct {
	Subject string        `arg:"" name:"launcher|profile" help:"A launcher made by bwrapgen, or the name or path of a profile."`
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
	subject, err := a.started(c.Subject, c.subject)
	if err != nil {
		return err
	}
	s := subject.Sandbox
	if len(c.Command)+len(s.Plan.Command) == 0 {
		return misuse("write it behind --", "there is no command to run")
	}
	w, err := a.learnWorld(s)
	if err != nil {
		return err
	}
	listener := learn.Listener{World: w}
	events, refused, err := c.trace(a, s, &listener)
	if err != nil {
		return err
	}
	needs := a.acceptable(s, learn.Needs(events, listener.Named(), refused, w))
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

// channel is a pipe that others open for writing by its path. No other process inherits it, and nothing in a
// sandbox can open that path, since a sandbox has a /proc of its own.
type channel struct{ reader, writer *os.File }

func newChannel() (channel, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return channel{}, failed(err, "cannot make a pipe")
	}
	return channel{reader, writer}, nil
}

func (c channel) path() string { return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), c.writer.Fd()) }

func (c channel) close() {
	c.reader.Close()
	c.writer.Close()
}

// mostRefused is more than a launcher ever says of hosts.
const mostRefused = 1 << 16

// trace runs the launcher under strace. What the command does comes from strace, and what network.allow refused
// from the launcher, each through a channel of its own. What the command prints goes to the listener.
func (c learnCmd) trace(a app, s verify.Sandbox, listener io.Writer) (events []learn.Event, refused []string, err error) {
	file, err := aside(s.Name, s.Script)
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(filepath.Dir(file))
	traced, err := newChannel()
	if err != nil {
		return nil, nil, err
	}
	defer traced.close()
	hosts, err := newChannel()
	if err != nil {
		return nil, nil, err
	}
	defer hosts.close()
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	if !signal.Ignored(os.Interrupt) {
		signal.Notify(make(chan os.Signal, 1), os.Interrupt) // for the command; were it ignored here, the command would ignore it too
		defer signal.Reset(os.Interrupt)
	}
	words := slices.Concat(learn.Options(traced.path()), []string{"bash", "-p", cmp.Or(s.File, file), "--"}, c.Command)
	run := exec.CommandContext(ctx, "strace", words...)
	run.Env = append(os.Environ(), "BWRAPGEN_REFUSED="+hosts.path())
	run.Stdin, run.Stdout, run.Stderr = a.in, a.err, io.MultiWriter(a.err, listener)
	run.Cancel = func() error { return endLauncher(run.Process.Pid) }
	run.WaitDelay = 5 * time.Second
	var seen learn.Seen
	var unread error
	done := make(chan struct{})
	go func() {
		seen, unread = learn.Trace(traced.reader)
		close(done)
	}()
	err = run.Run()
	traced.writer.Close()
	hosts.writer.Close()
	<-done
	exit := &exec.ExitError{}
	switch {
	case ctx.Err() != nil:
		a.line("", "", fmt.Sprintf("the command did not end in %s: this is what it asked for until then", c.Timeout))
	case err != nil && !errors.As(err, &exit):
		return nil, nil, failed(err, "cannot run strace")
	case !seen.Began:
		return nil, nil, cannot("see what it says above", "the launcher could not start the command")
	}
	if unread != nil {
		return nil, nil, failed(unread, "cannot read what strace writes")
	}
	if seen.Cut {
		a.line("", "", "the command asked for very many things: what follows is about the first of them")
	}
	text, err := io.ReadAll(io.LimitReader(hosts.reader, mostRefused))
	if err != nil {
		return nil, nil, failed(err, "cannot read what the launcher refused")
	}
	return seen.Events, strings.Fields(string(text)), nil
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
		Plan: s.Plan, Catalogue: s.Catalogue, Host: s.Env, Variables: variables(), Find: findProgram,
		CanWrite: func(name string) bool { return unix.Access(name, unix.W_OK) == nil },
		Resolve: func(name string) (string, bool) {
			real, err := filepath.EvalSymlinks(name)
			return real, err == nil
		},
	}
	w.Host.Project = project
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

// acceptable marks what a profile would be refused with, so that one such line does not keep the others out.
func (a app) acceptable(s verify.Sandbox, needs []learn.Need) []learn.Need {
	for i, n := range needs {
		if n.Mark != "" {
			continue
		}
		text, err := learn.Append(a.extending(s), []learn.Need{n}, s.Profile, a.home)
		if err == nil {
			err = a.accepts(s, text, n)
		}
		if err != nil {
			needs[i].Mark = problems(err)[0].What
		}
	}
	return needs
}

// accepts tries a profile with one line more. Only paths need facts about the host.
func (a app) accepts(s verify.Sandbox, text string, n learn.Need) error {
	p, err := profile.Parse("learn", []byte(text), a.loader())
	if err != nil || n.Kind != learn.Read && n.Kind != learn.Write {
		return err
	}
	facts, err := a.facts(p, s.Catalogue, plan.Questions(p, s.Catalogue), subject{})
	if err == nil {
		_, err = plan.Build(p, s.Catalogue, facts, plan.Options{Name: s.Name})
	}
	return err
}

// extending is a new profile that extends the one that was used.
func (a app) extending(s verify.Sandbox) string {
	parent := s.Profile.Sources[len(s.Profile.Sources)-1]
	if profile.IsFile(parent) {
		parent = a.shorten(absolute(a.expand(parent)))
	}
	return "extends = [" + source.Quote(parent) + "]\n"
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
# %d of your variables are not passed through. Which of them the command reads cannot be seen: listed
# are those named on standard error, and those that the catalogue knows its programs to read.
`

// append adds the lines to a profile, if it is right afterwards.
func (a app) append(name string, s verify.Sandbox, needs []learn.Need) error {
	t, err := openTarget(a.expand(name))
	if err != nil {
		return err
	}
	text := string(t.old)
	if !t.exists {
		text = a.extending(s)
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
