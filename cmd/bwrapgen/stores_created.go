package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// created is a directory or file that a launcher has created for an agent, and that nobody has used:
// it has a sticky bit, and is empty or as it was created.
type created struct{ profile, path string }

// created finds what launchers have created for the agents of the built-in profiles, parents first. A
// directory that holds nothing else counts as unused.
func (a app) created() []created {
	env := expr.Env{Home: a.home, Lookup: map[string]string{}}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		env.Lookup[name] = value
	}
	texts := map[string]string{}
	var all []created
	loader := profile.Loader{Builtin: profiles.FS}
	for _, name := range loader.Names() {
		p, err := loader.Load(name)
		if err != nil {
			continue // a test loads them all
		}
		for _, rule := range p.Rules.Of(profile.KindRead, profile.KindWrite, profile.KindEmpty) {
			at, ok := rule.Path.Eval(env)
			if _, known := texts[at]; ok && !known && (rule.Create || rule.Kind == profile.KindEmpty) {
				texts[at] = rule.Text
				all = append(all, created{name, at})
			}
		}
	}
	slices.SortFunc(all, func(x, y created) int { return strings.Compare(x.path, y.path) })
	unused := map[string]bool{}
	for _, c := range slices.Backward(all) {
		unused[c.path] = isUnused(c.path, texts[c.path], unused)
	}
	return slices.DeleteFunc(all, func(c created) bool { return !unused[c.path] })
}

// isUnused reports whether a path is still as a launcher has created it. Names in a directory count
// as nothing if they are unused.
func isUnused(path, text string, unused map[string]bool) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSticky == 0 || !(info.IsDir() || info.Mode().IsRegular()) {
		return false
	}
	if !info.IsDir() {
		content, err := os.ReadFile(path)
		return info.Size() == int64(len(text)) && err == nil && string(content) == text
	}
	names, err := readDir(path)
	used := func(name string) bool { return !unused[filepath.Join(path, name)] }
	return err == nil && !slices.ContainsFunc(names, used)
}

// createdTable lists them by directory.
func (a app) createdTable(all []created) []byte {
	if len(all) == 0 {
		return nil
	}
	rows := [][]string{{"CREATED IN", "FOR", "STILL UNUSED"}}
	for _, c := range all {
		dir, name := filepath.Split(c.path)
		dir = visible(a.shorten(filepath.Clean(dir)))
		if last := rows[len(rows)-1]; last[0] == dir && last[1] == c.profile {
			last[2] += " " + visible(name)
			continue
		}
		rows = append(rows, []string{dir, c.profile, visible(name)})
	}
	return columns(rows)
}

// removeCreated removes them, except where a sandbox still runs: its mounts would go with them.
func removeCreated(all []created) []error {
	mounts, _ := filepath.Glob("/proc/[0-9]*/mountinfo")
	var inUse []byte
	for _, file := range mounts {
		text, _ := os.ReadFile(file) // the process may have ended
		inUse = append(inUse, text...)
	}
	var errs []error
	for _, c := range slices.Backward(all) {
		if bytes.Contains(inUse, []byte(" "+strings.ReplaceAll(c.path, " ", `\040`)+" ")) {
			errs = append(errs, cannot("wait for the end of the run", "%q is in use", c.path))
			continue
		}
		err := unix.Rmdir(c.path)
		if errors.Is(err, unix.ENOTDIR) {
			err = unix.Unlink(c.path)
		}
		if err != nil && !errors.Is(err, unix.ENOTEMPTY) && !os.IsNotExist(err) {
			errs = append(errs, failed(err, "cannot remove %q", c.path))
		}
	}
	return errs
}
