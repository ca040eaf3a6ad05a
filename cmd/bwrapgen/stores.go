package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"bwrapgen/gen/verify"
)

// storesCmd is the verb stores.
type storesCmd struct {
	List  storesListCmd  `cmd:"" help:"List what launchers keep, for which project, how much, and when it was last used; and unused names that they have created in agents' directories."`
	Prune storesPruneCmd `cmd:"" help:"Remove what is kept for projects and launchers that are gone, and unused names in agents' directories."`
}

// store is a directory in which changes are kept: those that all launchers make to caches, for one
// repository, or all others, for one launcher and project. Earlier launchers kept caches in the latter, too.
type store struct {
	dir               string
	launcher, project string // absolute paths; the project may be a repository, which has no launcher
	size              int64
	used              time.Time // start of the last run
}

// removing begins the name of a directory in which a store is removed. A store has a "-" in its name, and
// such a directory has none.
const removing = "%removed."

// isLeftover reports whether the directory was left by an earlier removal that did not end.
func (s store) isLeftover() bool {
	name := filepath.Base(s.dir)
	return strings.HasPrefix(name, removing) && !strings.Contains(name, "-")
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

// look reads the note in the store and measures the store. A directory that cannot be opened, as overlayfs
// leaves some, counts as empty.
func (s *store) look() {
	s.launcher, s.project = readNote(filepath.Join(s.dir, "about"))
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
		isLock := strings.HasSuffix(name, ".lock") && filepath.Dir(name) == s.dir
		if isLock && info.ModTime().After(s.used) {
			s.used = info.ModTime()
		}
		return nil
	})
}

// mostNote is more than two paths can have.
const mostNote = 3 * unix.PathMax

// readNote reads the paths of a launcher, which is empty for caches, and of its project or repository, each ended
// by a NUL; older launchers wrote lines. Both are empty if the note is incomplete, or ambiguous because a path has
// a line feed.
func readNote(name string) (launcher, project string) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return "", ""
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > mostNote {
		return "", ""
	}
	text, err := io.ReadAll(io.LimitReader(f, mostNote))
	if err != nil {
		return "", ""
	}
	end := "\n"
	if bytes.IndexByte(text, 0) >= 0 {
		end = "\x00"
	}
	paths := strings.Split(string(text), end)
	if len(paths) != 3 || paths[2] != "" || !filepath.IsAbs(paths[1]) || paths[0] != "" && !filepath.IsAbs(paths[0]) {
		return "", ""
	}
	return paths[0], paths[1]
}

// gone says whether the launcher or the project does not exist any more, or the store is left from an earlier
// removal; empty: all is there, or it cannot be known.
func (s store) gone() string {
	if s.isLeftover() {
		return "left from a removal"
	}
	for _, one := range []struct{ what, at string }{{"the project", s.project}, {"the launcher", s.launcher}} {
		if one.at == "" {
			return ""
		}
		if _, err := os.Lstat(one.at); os.IsNotExist(err) {
			return one.what + " is gone"
		}
	}
	return ""
}

// isUnknown reports whether nobody can say to which project the store belongs.
func (s store) isUnknown() bool { return s.project == "" && !s.isLeftover() }

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
	if s.launcher == "" && s.project != "" {
		launcher = "all, caches"
	}
	if below, ok := strings.CutPrefix(s.launcher, s.project+"/"); ok {
		launcher = visible("./" + below)
	}
	state := s.gone()
	if s.isUnknown() {
		state = "its note cannot be read: " + visible(a.shorten(s.dir))
	}
	return []string{name(strings.TrimSuffix(s.project, "/.git")), launcher, human("%.0f", s.size), age, state}
}

func (a app) storeTable(all []store) []byte {
	rows := [][]string{{"PROJECT", "LAUNCHER", "SIZE", "LAST RUN", ""}}
	for _, s := range all {
		rows = append(rows, s.row(a))
	}
	return columns(rows)
}

type storesListCmd struct {
	Format string `enum:"text,json" default:"text" placeholder:"FORMAT" help:"text; json, for programs."`
}

// storeJSON is a store, for programs.
type storeJSON struct {
	Directory  string     `json:"directory"`
	Project    string     `json:"project,omitempty"`
	Repository string     `json:"repository,omitempty"` // of caches, which all launchers share
	Launcher   string     `json:"launcher,omitempty"`
	Bytes      int64      `json:"bytes"`
	LastRun    *time.Time `json:"last_run,omitempty"`
	Gone       string     `json:"gone,omitempty"` // what does not exist any more
}

func (s store) json() storeJSON {
	out := storeJSON{Directory: s.dir, Project: s.project, Launcher: s.launcher, Bytes: s.size, Gone: s.gone()}
	if s.launcher == "" {
		out.Project, out.Repository = "", s.project
	}
	if !s.used.IsZero() {
		out.LastRun = &s.used
	}
	return out
}

// Run lists the stores.
func (c storesListCmd) Run(a app) error {
	all, err := a.stores()
	if err == nil && c.Format == "json" {
		list := []storeJSON{}
		for _, s := range all {
			list = append(list, s.json())
		}
		return a.artefact(asJSON(list), nil)
	}
	if err != nil {
		return err
	}
	var table []byte
	if len(all) > 0 {
		table = a.storeTable(all)
	}
	if table = append(table, a.createdTable(a.created())...); len(table) == 0 {
		return nil
	}
	return a.artefact(table, nil)
}

type storesPruneCmd struct {
	OlderThan string `placeholder:"DAYS" help:"Also remove what no run has used for this many days, as in 30d."`
	All       bool   `help:"Also remove all other stores, and those whose note cannot be read."`
	Yes       bool   `short:"y" help:"Do not ask."`
}

// Run removes stores, after one question for all of them.
func (c storesPruneCmd) Run(a app) error {
	days, err := strconv.ParseUint(strings.TrimSuffix(c.OlderThan, "d"), 10, 16)
	if err != nil && c.OlderThan != "" {
		return cannot("write a number of days, as in --older-than 30d", "--older-than: %q is no number of days", c.OlderThan)
	}
	all, err := a.stores()
	if err != nil {
		return err
	}
	oldest := time.Now().AddDate(0, 0, -int(days))
	var chosen []store
	for _, s := range all {
		switch {
		case c.All, s.gone() != "", c.OlderThan != "" && !s.used.IsZero() && s.used.Before(oldest):
			chosen = append(chosen, s)
		case s.isUnknown():
			a.line("", "", fmt.Sprintf("keeping %s: its note cannot be read; --all removes it", a.shorten(s.dir)))
		}
	}
	unused := a.created()
	if len(chosen)+len(unused) == 0 {
		return nil
	}
	var table []byte
	if len(chosen) > 0 {
		table = a.storeTable(chosen)
	}
	if _, err := a.err.Write(append(table, a.createdTable(unused)...)); err != nil {
		return unwritten(err)
	}
	if !c.Yes {
		fmt.Fprint(a.err, "Remove all of this? [y/N] ")
		answer, err := bufio.NewReader(a.in).ReadString('\n')
		if err != nil {
			fmt.Fprintln(a.err) // nobody has ended the line
		}
		if answer = strings.ToLower(strings.TrimSpace(answer)); answer != "y" && answer != "yes" {
			return cannot("answer y, or give --yes", "nothing was removed")
		}
	}
	errs := removeCreated(unused)
	for _, s := range chosen {
		err := s.remove()
		if err == nil {
			a.line("", "", fmt.Sprintf("removed %s (%s)", a.shorten(s.dir), human("%.0f", s.size)))
		}
		errs = append(errs, err)
	}
	if wrong, _ := a.reportAll(errs); wrong > 0 {
		return cannot("", "not all could be removed")
	}
	return nil
}

// remove takes the locks of a store, as a run does, and moves the store away first, so that a run that begins
// meanwhile makes a store of its own.
func (s store) remove() error {
	if s.isLeftover() {
		return removeTree(s.dir)
	}
	names, err := readDir(s.dir)
	if err != nil {
		return failed(err, "cannot look at %q", s.dir)
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".lock") {
			continue
		}
		f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_RDWR|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
		if err != nil {
			return failed(err, "cannot open %q", filepath.Join(s.dir, name))
		}
		defer f.Close()
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil {
			return cannot("wait for the end of the run", "%q is in use", s.dir)
		}
	}
	aside, err := os.MkdirTemp(filepath.Dir(s.dir), removing+"*")
	if err == nil {
		err = os.Rename(s.dir, filepath.Join(aside, "store"))
	}
	if err != nil {
		_ = os.Remove(aside)
		return failed(err, "cannot move %q aside", s.dir)
	}
	return removeTree(aside)
}

func removeTree(top string) error {
	if err := verify.RemoveTree(top); err != nil {
		return failed(err, "cannot remove %q", top)
	}
	return nil
}
