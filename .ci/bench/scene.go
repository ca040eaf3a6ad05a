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

// scene is a home directory with Go's caches and other directories, and a small
// and a big project, all of one user.
type scene struct {
	dir, generator string
	user           account
	count          int // files in the big project
}

func build(program string) error {
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/bwrapgen").CombinedOutput()
	if err != nil {
		return fmt.Errorf("cannot build bwrapgen: %v\n%s", err, out)
	}
	return nil
}

func newScene(dir, generator string, user account, files int) (scene, error) {
	s := scene{dir, generator, user, files}
	for _, name := range []string{"", "run", "home", "home/go/pkg/mod/cache", "home/go/pkg/sumdb", "home/.cache/go-build"} {
		if err := s.folder(name); err != nil {
			return s, err
		}
	}
	for i := range 100 {
		if err := s.folder(fmt.Sprintf("home/many/%d", i)); err != nil {
			return s, err
		}
	}
	if err := s.project("small", 10); err != nil {
		return s, err
	}
	if err := s.project("big", files); err != nil {
		return s, err
	}
	return s, nil
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

// project makes a Go project in a git work tree, in which some of what is
// protected exists.
func (s scene) project(name string, files int) error {
	if err := s.folder(name + "/.vscode"); err != nil {
		return err
	}
	if out, err := s.command(engine{path: "/usr/bin/bwrap"}, name, "git", "init", "-q").CombinedOutput(); err != nil {
		return fmt.Errorf("git init: %v: %s", err, out)
	}
	texts := map[string]string{"/go.mod": "module example\n\ngo 1.26\n", "/.git/hooks/pre-commit.sample": "#!/bin/sh\n"}
	for file, text := range texts {
		if err := s.file(name+file, text); err != nil {
			return err
		}
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

// profile writes a profile and gives its file. A file that could not be written
// is missed by generate, which says so.
func (s scene) profile(name, text string) string {
	name += ".toml"
	_ = s.file(name, text)
	return filepath.Join(s.dir, name)
}

// allTools is a profile that uses all tools of the catalogue.
func (s scene) allTools() string {
	out, err := s.command(engine{path: "/usr/bin/bwrap"}, "small", s.generator, "catalogue", "list").Output()
	if err != nil {
		return filepath.Join(s.dir, "no-tools.toml")
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, " ")
		names = append(names, strconv.Quote(name))
	}
	return s.profile("all", fmt.Sprintf("extends = [\"default\"]\n[toolchains]\nuse = [%s]\n", strings.Join(names, ", ")))
}

// command prepares a program in a project, with an environment that is the same
// on any machine.
func (s scene) command(e engine, project string, words ...string) *exec.Cmd {
	c := exec.Command(words[0], words[1:]...)
	c.Dir = filepath.Join(s.dir, project)
	if filepath.IsAbs(project) {
		c.Dir = project
	}
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
	return s.launcherWith(e, profile, project, nil)
}

// launcherWith does so where the environment has more.
func (s scene) launcherWith(e engine, profile, project string, environment []string) (string, error) {
	name := strings.TrimSuffix(filepath.Base(profile), ".toml")
	path := filepath.Join(s.dir, "box-"+name+"-"+filepath.Base(project))
	c := s.command(e, project, s.generator, "generate", profile, "--force", "-o", path)
	c.Env = append(c.Env, environment...)
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot write the launcher of %s: %s", name, bytes.TrimSpace(out))
	}
	return path, nil
}
