package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// scene is a home directory with Go's caches, a small and a big project, and
// the profiles, all of one user.
type scene struct {
	dir, program string
	user         account
	files        int
}

func build(program string) error {
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/bwrapgen").CombinedOutput()
	if err != nil {
		return fmt.Errorf("cannot build bwrapgen: %v\n%s", err, out)
	}
	return nil
}

func newScene(dir, program string, user account, files int) (scene, error) {
	s := scene{dir, program, user, files}
	for _, name := range []string{"", "run", "home", "home/go/pkg/mod/cache", "home/go/pkg/sumdb", "home/.cache/go-build"} {
		if err := s.folder(name); err != nil {
			return s, err
		}
	}
	if err := s.project("small", 10); err != nil {
		return s, err
	}
	if err := s.project("big", files); err != nil {
		return s, err
	}
	return s, s.profile()
}

// folder makes a directory and those above it, below the scene's own.
func (s scene) folder(name string) error {
	at := s.dir
	for _, part := range append([]string{""}, strings.Split(name, "/")...) {
		at = filepath.Join(at, part)
		if err := os.Mkdir(at, 0o700); err != nil && !os.IsExist(err) {
			return err
		}
		if err := s.user.own(at); err != nil {
			return err
		}
	}
	return nil
}

func (s scene) file(name, text string) error {
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	return s.user.own(path)
}

// project makes a Go project in a git work tree; the work tree's insides do not
// matter to a launcher, but that it has hooks and settings does.
func (s scene) project(name string, files int) error {
	for _, folder := range []string{"/.git/hooks", "/.vscode"} {
		if err := s.folder(name + folder); err != nil {
			return err
		}
	}
	if err := s.file(name+"/.git/config", "[core]\n"); err != nil {
		return err
	}
	if err := s.file(name+"/go.mod", "module example\n\ngo 1.26\n"); err != nil {
		return err
	}
	for i := range files {
		folder := fmt.Sprintf("%s/p%d", name, i/100)
		if i%100 == 0 {
			if err := s.folder(folder); err != nil {
				return err
			}
		}
		if err := s.file(fmt.Sprintf("%s/f%d.go", folder, i), "package p\n"); err != nil {
			return err
		}
	}
	return nil
}

// profile writes one that uses all tools of the catalogue.
func (s scene) profile() error {
	out, err := s.command(engine{path: "/usr/bin/bwrap"}, "small", s.program, "catalogue", "list").Output()
	if err != nil {
		return fmt.Errorf("cannot list the tools: %v", err)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, strconv.Quote(name))
	}
	text := fmt.Sprintf("about = \"All tools.\"\nextends = [\"default\"]\n[toolchains]\nuse = [%s]\n", strings.Join(names, ", "))
	return s.file("all.toml", text)
}

// command prepares a program in a project, with an environment that is the same
// on any machine.
func (s scene) command(e engine, project string, words ...string) *exec.Cmd {
	c := exec.Command(words[0], words[1:]...)
	c.Dir = filepath.Join(s.dir, project)
	c.Env = s.environment(e)
	c.SysProcAttr = &syscall.SysProcAttr{Credential: s.user.who}
	return c
}

func (s scene) environment(e engine) []string {
	return []string{
		"HOME=" + filepath.Join(s.dir, "home"), "PATH=" + e.search(), "LANG=C.UTF-8", "TERM=dumb",
		// What the launcher remembers about bwrap is not mixed up with the user's.
		"XDG_RUNTIME_DIR=" + filepath.Join(s.dir, "run"),
	}
}

// launcher writes the launcher of a profile.
func (s scene) launcher(e engine, profile, project string) (string, error) {
	path := filepath.Join(s.dir, filepath.Base(profile)+"-"+project)
	out, err := s.command(e, project, s.program, "generate", profile, "--force", "-o", path).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("cannot write the launcher of %s: %s", profile, bytes.TrimSpace(out))
	}
	return path, nil
}
