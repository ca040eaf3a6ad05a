package main

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// observation is what a command in the sandbox did and saw. Text is bytes: not
// all of it has to be UTF-8.
type observation struct {
	Arguments   [][]byte
	Name        string // of the user, as getpwuid has it
	Directory   []byte // the working directory
	Environment [][]byte
	Init        []byte            // the environment of process 1
	Texts       map[string][]byte // of files that could be read
	Lists       map[string][]string
	Errors      map[string]string // of attempts that failed
	Heard       string            // from the listener outside
	Refused     []string          // of the calls
}

// observe does what the outside then looks for. The first words say where:
// HOME PROJECT ADDRESS, then come arguments that must arrive intact.
func observe(words []string) observation {
	o := observation{Texts: map[string][]byte{}, Lists: map[string][]string{}, Errors: map[string]string{}}
	home, project, address := words[0], words[1], words[2]
	for _, word := range words[3:] {
		o.Arguments = append(o.Arguments, []byte(word))
	}
	for _, e := range os.Environ() {
		o.Environment = append(o.Environment, []byte(e))
	}
	o.Init, _ = os.ReadFile("/proc/1/environ")
	o.Name = output("id", "-un")
	dir, _ := os.Getwd()
	o.Directory = []byte(dir)
	o.Heard = hear(address)
	o.Refused = refusals()
	o.list("TMPDIR", os.Getenv("TMPDIR"))
	o.list("XDG_RUNTIME_DIR", os.Getenv("XDG_RUNTIME_DIR"))
	for name := range world {
		o.read(name, place(home, project, name))
	}
	o.read("passwd", "/etc/passwd")
	o.read("resolv.conf", "/etc/resolv.conf")
	o.read("kept", filepath.Join(home, "go/pkg/mod/new"))
	o.attempts(home, project)
	return o
}

// attempts writes everywhere, and notes what failed.
func (o *observation) attempts(home, project string) {
	for _, name := range []string{
		"project/new", "project/sub/file", "project/.git/note", "project/.git/hooks/pre-commit", "project/.git/hooks/new",
		"project/.git/config", "project/.envrc", "other/file", "other/new", ".ssh/id_test", "go/pkg/mod/new", ".cache/go-build/README",
		".cache/go-build/new", ".profile",
	} {
		o.note(name, os.WriteFile(place(home, project, name), []byte(written), 0o600))
	}
	for _, name := range []string{"TMPDIR", "XDG_RUNTIME_DIR"} {
		o.note(name, os.WriteFile(filepath.Join(os.Getenv(name), "new"), []byte(written), 0o600))
	}
	for _, path := range []string{"/usr/new", "/etc/new", "/new", "/var/tmp/new", "/dev/shm/new"} {
		o.note(path, os.WriteFile(path, []byte(written), 0o600))
	}
	o.note("rename .git", os.Rename(project+"/.git", project+"/moved.git"))
	o.note("rename sub", os.Rename(project+"/sub", project+"/moved"))
	o.note("rename sub back", os.Rename(project+"/moved", project+"/sub"))
	o.read("cache, again", filepath.Join(home, "go/pkg/mod/new"))
}

func (o *observation) note(attempt string, err error) {
	if err != nil {
		o.Errors[attempt] = err.Error()
	}
}

func (o *observation) read(name, path string) {
	if text, err := os.ReadFile(path); err == nil {
		o.Texts[name] = text
	}
}

func (o *observation) list(name, path string) {
	entries, err := os.ReadDir(path)
	o.note("list "+name, err)
	for _, e := range entries {
		o.Lists[name] = append(o.Lists[name], e.Name())
	}
}

// hear is what a listener says to who connects.
func hear(address string) string {
	c, err := net.DialTimeout("tcp", address, 2*time.Second)
	if err != nil {
		return ""
	}
	defer c.Close()
	text, _ := io.ReadAll(c)
	return string(text)
}

// output is the first line that a program prints, or why it does not.
func output(words ...string) string {
	text, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil {
		return err.Error()
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}

// version is how a program calls itself.
func version(program string) string {
	text, _ := exec.Command(program, "--version").CombinedOutput()
	first, _, _ := strings.Cut(string(text), "\n")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "BusyBox") {
			first, _, _ = strings.Cut(line, " (")
		}
	}
	return first
}
