package verify

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// places are those of explain, and besides them the catalogue's logins and sockets in home
// of which nothing is shown: each with the directories that are there for it alone.
func (h *harness) places() []place {
	all := access.Of(h.Plan)
	if !h.isReal {
		all = append(all, h.unshown(placesOf(all, h.inside, h.host))...)
	}
	if h.isOwn(h.project) {
		itself := expr.Path{Base: expr.Project, Rest: "/" + h.Name}
		all = append(all, access.Entry{At: itself, Source: itself, Shows: access.Read, What: "the launcher itself cannot be changed"})
	}
	return placesOf(all, h.inside, h.host)
}

// unshown are the catalogue's logins and sockets of which nothing is shown.
func (h *harness) unshown(shown []place) []access.Entry {
	isUnshown := func(at expr.Path) bool {
		name, _ := at.Eval(h.inside)
		return isAbsent(name, shown)
	}
	var all []access.Entry
	for _, s := range h.Catalogue.Hidden() {
		if s.Path.Base != expr.Home || strings.ContainsAny(s.Path.Rest, "*?[") {
			continue
		}
		at := s.Path
		for _, up := range at.Above() {
			if up.Rest != "" && isUnshown(up) {
				at = up
			}
		}
		if isUnshown(at) {
			all = append(all, access.Entry{At: at, What: "logins, sockets: nothing of it is there", Tool: s.Tool, From: access.Asker(s.Tool, profile.Origin{})})
		}
	}
	return all
}

// plant makes what the places are to show or to hide, where there is nothing yet: a file, or
// one in a directory.
func (h *harness) plant(places []place) error {
	var errs []error
	for _, p := range places {
		if !h.isOwn(p.host) || p.Shows == access.Link {
			continue
		}
		at := p.host
		if !h.isFile(p, places) {
			at = filepath.Join(at, h.mark)
		}
		errs = append(errs, plantFile(at, p))
	}
	return errors.Join(errs...)
}

// plantFile makes a file that looks as if it held a login, if that is what must be hidden.
func plantFile(name string, p place) error {
	if _, err := os.Lstat(name); err == nil {
		return nil
	}
	text := random() + "\n"
	switch {
	case p.isBlank:
		text = ""
	case !p.Shows.Host():
		text = "password " + text
	}
	return writeFile(name, text)
}

// fileName are the usual names of files, where the real home does not tell.
var fileName = regexp.MustCompile(`(?i)(rc|ignore|attributes|credentials|(^|[._z]|git)(env|profile|config|history)|\.[a-z]{2,5}|\.properties)$`)

// isFile reports whether a place is a file and no directory, or guesses which is meant.
func (h *harness) isFile(p place, places []place) bool {
	if info, err := os.Lstat(p.host); err == nil {
		return !info.IsDir()
	}
	if slices.ContainsFunc(places, func(other place) bool { return expr.Below(other.host, p.host) }) {
		return false
	}
	switch {
	case p.IfNoLogin, p.Shows == access.Nothing, expr.Within(p.host, h.moved()):
		return true
	case p.Shows == access.Own || p.Shows == access.View:
		return false
	}
	if at, ok := p.Source.Eval(h.Env); ok {
		if info, err := os.Stat(at); err == nil {
			return !info.IsDir()
		}
	}
	isIt := func(m plan.Mount) bool { return m.Source.Equal(p.Source) }
	if slices.ContainsFunc(h.Plan.Mounts.In(plan.ScopeCredential), isIt) {
		return true
	}
	name := filepath.Base(p.host)
	return fileName.MatchString(name[1:])
}

// loginWords are some by which a launcher takes settings for what may hold a login. What has
// none of them is shown.
var loginWords = regexp.MustCompile(`(?i)pass|pwd|token|secret|auth|bearer|cookie|credential|key|-----begin|@|/t/|env|vars`)

// control is what the host has at a place.
func (h *harness) control(p place) control {
	info, err := os.Stat(p.host)
	c := control{isThere: err == nil, isOwn: h.isOwn(p.host)}
	if err != nil {
		return c
	}
	if system, ok := info.Sys().(*syscall.Stat_t); ok {
		c.inode = fmt.Sprintf("%d:%d", system.Dev, system.Ino)
	}
	file := p.host
	if info.IsDir() {
		c.mayHoldLogin = true // its files are judged one by one
		file = filepath.Join(p.host, h.mark)
		if _, err := os.ReadDir(p.host); err == nil {
			c.holds = "readable"
		}
	}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		if data, err := beginning(file); err == nil {
			c.holds = firstLine(string(data))
			c.mayHoldLogin = loginWords.Match(data)
		}
	}
	return c
}

// beginning is what a file begins with: enough to judge settings by.
func beginning(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, 1<<20))
}

// hasArrived reports whether what was written inside is on the host.
func (h *harness) hasArrived(p place) bool {
	if !p.control.isOwn {
		return false
	}
	if _, err := os.Lstat(filepath.Join(p.host, h.mark+"-wrote")); err == nil {
		return true
	}
	data, err := os.ReadFile(p.host)
	return err == nil && strings.HasSuffix(string(data), h.mark+"-wrote")
}

// absent are paths of the host that must not be there inside: of these directories, what
// nothing shows.
func (h *harness) absent(places []place) []string {
	var all []string
	resolver, _ := filepath.EvalSymlinks("/etc/resolv.conf")
	needed := []string{h.inside.Home, h.inside.Project, h.host.Project, resolver}
	dirs := []string{"/", "/etc", "/home", "/var", "/var/lib", "/run", "/tmp", "/var/tmp", "/mnt", "/media", "/srv", h.Env.Home}
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			at := filepath.Join(dir, e.Name())
			isWay := slices.ContainsFunc(needed, func(to string) bool { return expr.Within(to, at) })
			switch {
			case isWay, at == "/sys", expr.Within(at, "/run/user"), !isAbsent(at, places):
				continue
			}
			all = append(all, at)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
