package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
)

// lands compares a file of the host with what a command has tried to write.
func (l *launcher) lands(check, name string, want bool) {
	if got := l.content(name) == written; got != want {
		l.wrong(check, fmt.Sprintf("what is written to %s lands on the host: %v", name, got))
	}
}

// changes: what may be changed in the project, and what not.
func (l *launcher) changes(o observation) {
	if string(o.Texts["project/file"]) != outside {
		l.wrong("project", "it cannot be read")
	}
	for _, name := range []string{"project/new", "project/sub/file", "project/.git/note"} {
		l.lands("project", name, l.writes)
	}
	for _, name := range []string{"project/.git/hooks/pre-commit", "project/.git/hooks/new", "project/.git/config"} {
		l.lands("hooks", name, false)
	}
	if o.Errors["rename .git"] == "" {
		l.wrong("hooks", ".git can be renamed")
	}
	if renamed := o.Errors["rename sub"] == "" && o.Errors["rename sub back"] == ""; renamed != l.writes {
		l.wrong("project", fmt.Sprintf("a directory in it can be renamed: %v: %s", renamed, o.Errors["rename sub"]))
	}
}

// hidden: what must not be seen, and not be changed.
func (l *launcher) hidden(o observation) {
	for _, name := range []string{".ssh/id_test", ".netrc"} {
		if len(o.Texts[name]) > 0 {
			l.wrong("secret", name+" can be read")
		}
	}
	if seen := string(o.Texts["project/.env"]) == secret; seen == l.hides {
		l.wrong("secret", fmt.Sprintf("project/.env can be read: %v", seen))
	}
	for _, name := range []string{".ssh/id_test", "other/file", "other/new", ".profile", "go/pkg/mod/new", ".cache/go-build/README", ".cache/go-build/new"} {
		l.lands("outside", name, false)
	}
	for _, path := range []string{"/usr/new", "/etc/new"} {
		if o.Errors[path] == "" {
			l.wrong("outside", path+" can be written")
		}
	}
	all := bytes.Join(append(slices.Clone(o.Environment), o.Init), nil)
	if bytes.Contains(all, []byte(secret)) || !bytes.Contains(all, []byte("HOME="+l.home)) {
		l.wrong("environment", fmt.Sprintf("%q", all))
	}
}

// places: directories for temporary files are empty, writable, and nobody
// else's.
func (l *launcher) places(o observation) {
	names := []string{"TMPDIR"}
	if os.Getenv("XDG_RUNTIME_DIR") != "" {
		names = append(names, "XDG_RUNTIME_DIR")
	}
	for _, name := range names {
		if len(o.Lists[name]) > 0 || o.Errors["list "+name] != "" || o.Errors[name] != "" {
			l.wrong("temporary files", fmt.Sprintf("%s: %q %s %s", name, o.Lists[name], o.Errors["list "+name], o.Errors[name]))
		}
	}
	for _, path := range []string{"/var/tmp/new", "/dev/shm/new"} {
		if why := o.Errors[path]; why != "" {
			l.wrong("temporary files", why)
		}
	}
}

// caches: a command can change its view of them, which some launchers have again. The host
// has none of it.
func (l *launcher) caches(o observation, words []string) {
	if !l.cache {
		return
	}
	if string(o.Texts["go/pkg/mod/example.org/m@v1/m.go"]) != outside || string(o.Texts["cache, again"]) != written {
		l.wrong("caches", fmt.Sprintf("they cannot be read or not be written: %s", o.Errors["go/pkg/mod/new"]))
	}
	again, ok := l.observe(words)
	if kept := string(again.Texts["kept"]) == written; ok && kept != l.kept {
		l.wrong("caches", fmt.Sprintf("what was written is there the next time: %v", kept))
	}
	if _, err := os.Lstat(l.home + "/go/pkg/mod/new"); err == nil {
		l.wrong("caches", "what was written is on the host")
	}
}
