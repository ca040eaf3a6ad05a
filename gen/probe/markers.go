package probe

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// What is looked at for markers, at most: folders below one another, folders of a
// project in all, and names in one directory, beyond which only markers without a *
// are found.
const (
	maxDepth   = 3
	maxFolders = 1000
	maxNames   = 4096
)

// findMarkers gives the markers that a project has, sorted. They stand as they were asked
// for: the names of its files are not among the facts. A marker FILE:WORD is there if a file of that
// name contains the word.
func findMarkers(project string, markers []string) []string {
	if len(markers) == 0 {
		return nil
	}
	names := map[string]bool{}
	eachFolder(project, func(dir string, entries []fs.DirEntry) {
		for _, e := range entries {
			names[e.Name()] = true
			for _, marker := range markers {
				file, word, ofText := strings.Cut(marker, ":")
				if fits, _ := path.Match(file, e.Name()); ofText && fits && e.Type().IsRegular() && holds(filepath.Join(dir, e.Name()), word) {
					names[marker] = true
				}
			}
		}
		if len(entries) < maxNames {
			return
		}
		for _, marker := range markers {
			if _, err := os.Lstat(filepath.Join(dir, marker)); err == nil {
				names[marker] = true
			}
		}
	})
	const environment = "pyvenv.cfg" // of Python, usually in a hidden directory
	if _, err := os.Lstat(filepath.Join(project, ".venv", environment)); err == nil {
		names[environment] = true
	}
	var found []string
	all := slices.Collect(maps.Keys(names))
	for _, marker := range markers {
		fits := func(name string) bool { ok, _ := path.Match(marker, name); return ok }
		if names[marker] || strings.Contains(marker, "*") && slices.ContainsFunc(all, fits) {
			found = append(found, marker)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// holds reports whether a manifest names something. Of a file that is larger than any manifest it
// says no.
func holds(file, word string) bool {
	const most = 1 << 20
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	return err == nil && len(text) <= most && bytes.Contains(text, []byte(word))
}

// Find names the files of a project that fit one of these names, as markers do, by their
// paths in it, sorted.
func (h Host) Find(project string, names []string) []string {
	var found []string
	eachFolder(project, func(dir string, entries []fs.DirEntry) {
		for _, e := range entries {
			fits := func(name string) bool { ok, _ := path.Match(name, e.Name()); return ok }
			if rest, err := filepath.Rel(project, dir); err == nil && slices.ContainsFunc(names, fits) {
				found = append(found, path.Join(rest, e.Name()))
			}
		}
	})
	slices.Sort(found)
	return found
}

// eachFolder looks at the folders of a project that may be parts of it, those at the top first.
func eachFolder(project string, look func(dir string, entries []fs.DirEntry)) {
	level, looked := []string{project}, 0
	for range maxDepth + 1 {
		var below []string
		for _, dir := range level[:min(len(level), maxFolders-looked)] {
			looked++
			entries := list(dir)
			look(dir, entries)
			for _, name := range folders(entries) {
				below = append(below, filepath.Join(dir, name))
			}
		}
		level = below
	}
}

// folders names the directories that may be parts of the project: those that
// are neither hidden nor full of other people's projects.
func folders(entries []fs.DirEntry) []string {
	var names []string
	for _, e := range entries {
		name := e.Name()
		foreign := name[0] == '.' || slices.Contains([]string{"node_modules", "vendor"}, name)
		if e.IsDir() && !foreign {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// list reads a directory up to maxNames, in no order. What cannot be read is empty.
func list(dir string) []fs.DirEntry {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	all, _ := d.ReadDir(maxNames)
	return all
}
