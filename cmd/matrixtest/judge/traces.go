package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// traces is what could be left behind: files with their kind and size, mounts,
// and processes.
type traces map[string]string

// traces lists them.
func (l *launcher) traces() traces {
	all := traces{}
	for _, root := range []string{l.home, "/tmp", "/var/tmp", "/run", "/dev/shm", "/etc", "/mnt"} {
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || own(path) {
				return nil
			}
			if info, err := d.Info(); err == nil {
				all[path] = fmt.Sprint(info.Mode(), " ", size(info))
			}
			return nil
		})
	}
	mounts, _ := os.ReadFile("/proc/self/mountinfo")
	all["mounts"] = string(mounts)
	return all.processes()
}

// own reports whether a launcher may leave this: what it knows about bwrap, the
// stores of which the profile says that they are kept, and what is systemd's.
func own(path string) bool {
	return strings.Contains(path, "/bwrapgen-") || strings.HasPrefix(path, "/run/systemd/") || strings.Contains(path, "/systemd/transient") || strings.HasPrefix(path, "/run/udev/") || strings.HasSuffix(path, "/.local") || strings.Contains(path, "/.local/state") ||
		strings.HasSuffix(path, "/.cache/agent-code") || strings.HasSuffix(path, "/.cache")
}

func size(info fs.FileInfo) int64 {
	if info.IsDir() {
		return 0
	}
	return info.Size()
}

// processes adds those that are alive.
func (t traces) processes() traces {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		_, rest, _ := strings.Cut(string(text), ") ")
		state, parent, _ := strings.Cut(rest, " ")
		if err == nil && state != "Z" && state != "X" && !strings.HasPrefix(parent, "2 ") { // nor the kernel's
			dir := filepath.Dir(file)
			words, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
			t["process "+filepath.Base(dir)] = string(bytes.ReplaceAll(words, []byte{0}, []byte{' '}))
		}
	}
	return t
}

// waiting says for what the processes wait.
func waiting() string {
	var b strings.Builder
	files, _ := filepath.Glob("/proc/[0-9]*/wchan")
	for _, file := range files {
		where, _ := os.ReadFile(file)
		name, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "comm"))
		fmt.Fprintf(&b, "%s %s in %s; ", filepath.Base(filepath.Dir(file)), strings.TrimSpace(string(name)), where)
	}
	return b.String()
}

// compare notes what has changed. What is ending may take its time.
func (l *launcher) compare(before traces) {
	changed := before.against(l.traces())
	for end := time.Now().Add(patience); len(changed) > 0 && time.Now().Before(end); changed = before.against(l.traces()) {
		time.Sleep(100 * time.Millisecond)
	}
	if len(changed) > 0 {
		l.wrong("nothing left behind", strings.Join(changed, "; "))
	}
}

// against names what is not the same.
func (t traces) against(after traces) []string {
	var all []string
	names := maps.Clone(t)
	maps.Copy(names, after)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if t[name] != after[name] {
			all = append(all, fmt.Sprintf("%s: %q, was %q", name, after[name], t[name]))
		}
	}
	return all
}
