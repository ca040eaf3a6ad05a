package probe

import (
	"context"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/sys/unix"

	"bwrapgen/gen/host"
)

var (
	versionNumber = regexp.MustCompile(`[0-9]+(\.[0-9]+)+`)
	longOption    = regexp.MustCompile(`(?m)^\s+(?:-\S, )?(--[a-z0-9][a-z0-9-]*)`)
)

// program looks for a program in PATH and asks it for its version and, if that
// is wanted, its options.
func (h Host) program(ctx context.Context, project, name string, options bool) host.Program {
	p := host.Program{Path: h.find(project, name)}
	if !p.Found() {
		return p
	}
	p.Version = versionNumber.FindString(h.tell(ctx, p.Path, "--version"))
	if options {
		p.Options = parseOptions(h.tell(ctx, p.Path, "--help"))
	}
	return p
}

// tell gives what a program prints, on either stream. A program that fails may
// still have said it: busybox ends with 1.
func (h Host) tell(ctx context.Context, program, option string) string {
	c, end := h.command(ctx, program, option)
	defer end()
	text, _ := c.CombinedOutput()
	return string(text)
}

// command prepares a program, which has as long as the host's patience lasts.
func (h Host) command(ctx context.Context, program string, words ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, h.patience())
	c := exec.CommandContext(ctx, h.real(program), words...)
	c.Env = []string{"LC_ALL=C", "PATH=" + h.getenv("PATH")}
	c.Dir = "/"
	c.WaitDelay = h.patience() / 2 // for a child that keeps the pipe open
	return c, cancel
}

func parseOptions(help string) []string {
	var options []string
	for _, match := range longOption.FindAllStringSubmatch(help, -1) {
		options = append(options, match[1])
	}
	slices.Sort(options)
	return slices.Compact(options)
}

// find gives the first such program in PATH, as bash's "type -P" would, except
// that it passes over relative folders, whatever lies in the project, and what
// others can replace: that must not decide what is run here.
func (h Host) find(project, name string) string {
	for _, at := range h.all(name) {
		if h.doubt(project, at) == "" {
			return at
		}
	}
	return ""
}

// Doubt gives the program that comes first in PATH where it is one that launchers
// refuse to run, and why they do.
func (h Host) Doubt(project, name string) (at, why string) {
	if all := h.all(name); len(all) > 0 {
		return all[0], h.doubt(project, all[0])
	}
	return "", ""
}

// all gives the programs of a name in PATH.
func (h Host) all(name string) []string {
	var all []string
	for _, dir := range filepath.SplitList(h.getenv("PATH")) {
		if at := path.Join(dir, name); path.IsAbs(dir) && h.executable(at) {
			all = append(all, at)
		}
	}
	return all
}

// doubt says why a program is not to be run, or nothing.
func (h Host) doubt(project, at string) string {
	if h.inside(project, at) {
		return "it lies in the project"
	}
	place := h.resolve(at)
	dir := path.Dir(place)
	file, _ := h.mode(place)
	directory, _ := h.mode(dir)
	if (file|directory)&0o002 != 0 || h.lent(dir) {
		return "others can replace it"
	}
	return ""
}

// lent reports whether the caller may write to somebody else's directory.
func (h Host) lent(dir string) bool {
	var s unix.Stat_t
	err := unix.Stat(h.real(dir), &s)
	return err == nil && int(s.Uid) != os.Geteuid() && unix.Access(h.real(dir), unix.W_OK) == nil
}

func (h Host) executable(name string) bool {
	fact := h.fact(name)
	mode, _ := h.mode(fact.Place(name))
	return fact.Kind == host.File && mode&0o111 != 0
}
