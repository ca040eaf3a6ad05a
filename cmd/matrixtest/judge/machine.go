package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
)

// machine is where launchers are started: the world in a home directory, and a
// listener that only the host's network reaches.
type machine struct {
	program, home, project, address string
	environment, starter            []string
}

// greeting is what the listener says.
const greeting = "the host's network"

func newMachine(program, project string, starter []string) (machine, error) {
	m := machine{program: program, home: os.Getenv("HOME"), project: project, starter: starter}
	if project == "" {
		m.project = m.home + "/code/p"
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return m, err
	}
	go greet(l)
	m.address = l.Addr().String()
	m.environment = []string{"HOME=" + m.home, "PATH=" + os.Getenv("PATH"), "PWD=" + m.project, "SECRET_TOKEN=" + secret}
	for _, name := range []string{"USER", "LANG", "TERM", "TMPDIR", "XDG_RUNTIME_DIR"} {
		if value, ok := os.LookupEnv(name); ok {
			m.environment = append(m.environment, name+"="+value)
		}
	}
	// Files of the host, where a command must find none; on some machines there
	// can be none.
	for _, dir := range []string{os.Getenv("XDG_RUNTIME_DIR"), "/tmp"} {
		if dir != "" {
			_ = os.WriteFile(filepath.Join(dir, "of-the-host"), []byte(outside), 0o600)
		}
	}
	return m, nil
}

func greet(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		_, _ = fmt.Fprint(c, greeting)
		_ = c.Close()
	}
}

// real is the project's directory without links, where a launcher that shows the
// host's root starts.
func (m machine) real() string {
	dir, _ := filepath.EvalSymlinks(m.project)
	return dir
}

// content is what a file of the world holds now, on the host.
func (m machine) content(name string) string {
	text, err := os.ReadFile(place(m.home, m.project, name))
	if err != nil {
		return ""
	}
	return string(text)
}

// reset makes the world as it was, as far as a launcher may have changed it.
func (m machine) reset() error {
	for _, name := range []string{"project/new", "project/.git/note", "project/.envrc"} {
		if err := os.RemoveAll(place(m.home, m.project, name)); err != nil {
			return err
		}
	}
	if m.content("project/sub/file") == outside {
		return nil
	}
	return os.WriteFile(place(m.home, m.project, "project/sub/file"), []byte(outside), 0o644)
}
