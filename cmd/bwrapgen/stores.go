package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"bwrapgen/gen/verify"
)

// storesCmd is the verb stores.
type storesCmd struct {
	List  storesListCmd  `cmd:"" help:"List what launchers have kept: of which project, how much, since when."`
	Prune storesPruneCmd `cmd:"" help:"Remove what was kept for projects and launchers that are gone."`
}

// store is a directory in which a launcher keeps changes for one project.
type store struct {
	dir               string
	launcher, project string // empty: it does not say
	size              int64
	used              time.Time // when a run began last
}

// stores finds them all, where this user's launchers have theirs.
func (a app) stores() ([]store, error) {
	top := a.own("XDG_STATE_HOME", ".local/state")
	if top == "" {
		return nil, cannot("set HOME to the home directory", "HOME is not an absolute path")
	}
	names, err := readDir(top)
	if err != nil {
		return nil, failed(err, "cannot look at %q", top)
	}
	var all []store
	for _, name := range names {
		s := store{dir: filepath.Join(top, name)}
		if info, err := os.Lstat(s.dir); err != nil || !info.IsDir() {
			continue
		}
		s.look()
		all = append(all, s)
	}
	return all, nil
}

// look reads what the store says of itself. What is closed, as overlays leave it, counts
// as empty.
func (s *store) look() {
	about, _ := os.ReadFile(filepath.Join(s.dir, "about"))
	launcher, rest, _ := strings.Cut(string(about), "\n")
	s.launcher = launcher
	s.project, _, _ = strings.Cut(rest, "\n")
	_ = filepath.WalkDir(s.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if info.Mode().IsRegular() {
			s.size += info.Size()
		}
		if strings.HasSuffix(name, ".lock") && info.ModTime().After(s.used) {
			s.used = info.ModTime()
		}
		return nil
	})
}

// gone says what of a store's launcher and project is not there any more; empty: nothing.
func (s store) gone() string {
	for _, one := range []struct{ what, at string }{{"the project", s.project}, {"the launcher", s.launcher}} {
		if one.at == "" {
			return "no note"
		}
		if _, err := os.Lstat(one.at); os.IsNotExist(err) {
			return one.what + " is gone"
		}
	}
	return ""
}

func (s store) row(a app) []string {
	age := "today"
	if days := int(time.Since(s.used).Hours() / 24); s.used.IsZero() {
		age = "never"
	} else if days > 0 {
		age = fmt.Sprintf("%d days ago", days)
	}
	name := func(at string) string {
		if at == "" {
			return "?"
		}
		return visible(a.shorten(at))
	}
	launcher := name(s.launcher)
	if below, ok := strings.CutPrefix(s.launcher, s.project+"/"); ok {
		launcher = visible("./" + below)
	}
	return []string{name(s.project), launcher, human("%.0f", s.size), age, s.gone()}
}

func (a app) storeTable(all []store) []byte {
	rows := [][]string{{"PROJECT", "LAUNCHER", "SIZE", "LAST RUN", ""}}
	for _, s := range all {
		rows = append(rows, s.row(a))
	}
	return columns(rows)
}

type storesListCmd struct{}

// Run lists the stores.
func (storesListCmd) Run(a app) error {
	all, err := a.stores()
	if err != nil || len(all) == 0 {
		return err
	}
	return a.artefact(a.storeTable(all), nil)
}

type storesPruneCmd struct {
	All bool `help:"Remove what is kept for all others, too."`
	Yes bool `short:"y" help:"Do not ask."`
}

// Run removes stores, after one question for all of them.
func (c storesPruneCmd) Run(a app) error {
	all, err := a.stores()
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(all, func(s store) bool { return !c.All && s.gone() == "" })
	if len(chosen) == 0 {
		return nil
	}
	if _, err := a.err.Write(a.storeTable(chosen)); err != nil {
		return unwritten(err)
	}
	if !c.Yes {
		fmt.Fprint(a.err, "Remove what they have kept? [y/N] ")
		answer, err := bufio.NewReader(a.in).ReadString('\n')
		if err != nil {
			fmt.Fprintln(a.err) // nobody has ended the line
		}
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			return cannot("answer y, or give --yes", "nothing was removed")
		}
	}
	var errs []error
	for _, s := range chosen {
		errs = append(errs, s.remove())
	}
	if wrong, _ := a.reportAll(errs); wrong > 0 {
		return cannot("", "not all could be removed")
	}
	return nil
}

// remove takes the locks of a store, as a run does, and removes it from aside, so that a
// run that begins meanwhile has one of its own.
func (s store) remove() error {
	locks, err := filepath.Glob(filepath.Join(s.dir, "*.lock"))
	if err != nil {
		return failed(err, "cannot look at %q", s.dir)
	}
	for _, name := range locks {
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return failed(err, "cannot open %q", name)
		}
		defer f.Close()
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
			return cannot("wait for the end of the run", "%q is in use", s.dir)
		}
	}
	aside := strings.TrimSuffix(s.dir, "~") + "~"
	if aside != s.dir {
		if err := removeTree(aside); err != nil {
			return err
		}
		if err := os.Rename(s.dir, aside); err != nil {
			return failed(err, "cannot move %q aside", s.dir)
		}
	}
	return removeTree(aside)
}

func removeTree(top string) error {
	if err := verify.RemoveTree(top); err != nil {
		return failed(err, "cannot remove %q", top)
	}
	return nil
}
