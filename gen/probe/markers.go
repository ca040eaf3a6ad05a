package probe

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// What is looked at for markers, at most: folders of a project, and names in
// one directory, beyond which only markers without a * are found.
const (
	maxFolders = 200
	maxNames   = 4096
)

// findMarkers gives the markers that a project has, sorted. They stand as they
// were asked for: the names of its files are not among the facts.
func findMarkers(project string, markers []string) []string {
	if project == "" || len(markers) == 0 {
		return nil
	}
	found := map[string]bool{}
	entries := list(project)
	mark(found, project, entries, markers)
	for _, folder := range folders(entries) {
		dir := filepath.Join(project, folder)
		mark(found, dir, list(dir), markers)
	}
	return slices.Sorted(maps.Keys(found))
}

// mark notes which of the markers a directory has.
func mark(found map[string]bool, dir string, entries []fs.DirEntry, markers []string) {
	names := make(map[string]bool, len(entries))
	for _, e := range entries {
		names[e.Name()] = true
	}
	for _, marker := range markers {
		switch {
		case found[marker]:
		case strings.Contains(marker, "*"):
			found[marker] = matches(marker, names)
		case len(entries) < maxNames:
			found[marker] = names[marker]
		default:
			_, err := os.Lstat(filepath.Join(dir, marker))
			found[marker] = err == nil
		}
		if !found[marker] {
			delete(found, marker)
		}
	}
}

func matches(marker string, names map[string]bool) bool {
	match := matcher(marker)
	for name := range names {
		if match(name) {
			return true
		}
	}
	return false
}

// matcher is path.Match with one pattern. A single * is by far the most frequent
// one, and needs no pattern.
func matcher(marker string) func(name string) bool {
	before, after, _ := strings.Cut(marker, "*")
	if strings.ContainsAny(before+after, `*?[\`) {
		return func(name string) bool {
			ok, _ := path.Match(marker, name)
			return ok
		}
	}
	return func(name string) bool {
		return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
	}
}

// folders names the directories that may be parts of the project: those that
// are neither hidden nor full of other people's projects.
func folders(entries []fs.DirEntry) []string {
	var names []string
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() && name[0] != '.' && name != "node_modules" && name != "vendor" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), maxFolders)]
}

// list gives what lies in a directory, up to maxNames, in no order. What cannot
// be read is empty.
func list(dir string) []fs.DirEntry {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	entries, _ := d.ReadDir(maxNames)
	return entries
}
