package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// task is work that is done outside and inside.
type task struct {
	name, profile, project string
	outside, inside        []string // words
	environment            []string
	before                 func()
}

// work compares work inside with the same outside. This repository is built by
// who runs the bench: the warm cache is theirs.
func (s scene) work(e engine, writes int, own scene) section {
	part := section{title: "Work: inside against outside"}
	part.tasks(own, e, writes, own.building)
	for _, prepare := range []preparation{s.installing, s.status, s.writing} {
		part.tasks(s, e, writes, prepare)
	}
	return part
}

// preparation makes what tasks need. Where it fails it still names the first.
type preparation func(writes int) ([]task, error)

func (p *section) tasks(s scene, e engine, writes int, prepare preparation) {
	tasks, err := prepare(writes)
	if err != nil {
		failed := start{err: err}
		p.add(tasks[0].name, missing, "%s", failed.why())
		return
	}
	for _, t := range tasks {
		p.compare(s, e, t)
	}
}

// compare adds the row of one task.
func (p *section) compare(s scene, e engine, t task) {
	path, err := s.launcherWith(e, t.profile, t.project, t.environment)
	starter := func(words ...string) *start {
		return &start{name: t.name, err: err, before: t.before, make: func() *exec.Cmd {
			c := s.command(e, t.project, words...)
			c.Env = append(c.Env, t.environment...)
			return c
		}}
	}
	outside, inside := starter(t.outside...), starter(append([]string{path}, t.inside...)...)
	interleave([]*start{outside, inside}, rare)
	if failed := firstError(outside, inside); failed != nil {
		p.add(t.name, missing, "%s", failed.why())
		return
	}
	p.add(t.name, inside.value(), "%.2f times outside", inside.against(outside, quotient))
}

// building is this repository, whose cache is warm: the program has just been
// built.
func (s scene) building(int) ([]task, error) {
	t := task{name: "build this repository, with a warm cache", profile: "default"}
	var err error
	if t.project, err = os.Getwd(); err != nil {
		return []task{t}, err
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return []task{t}, fmt.Errorf("go env: %v", err)
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	for i, name := range []string{"GOCACHE", "GOMODCACHE", "GOROOT"} {
		t.environment = append(t.environment, name+"="+values[i])
	}
	t.environment = append(t.environment, "PATH="+os.Getenv("PATH"))
	words := []string{filepath.Join(values[2], "bin/go"), "build", "-buildvcs=false", "-o"}
	built := filepath.Join(s.dir, "built")
	t.before = func() { os.Remove(built) } // what is there need not be linked
	t.outside = append(words[:4:4], built, "./cmd/bwrapgen")
	t.inside = append(words[:4:4], "/tmp/built", "./cmd/bwrapgen")
	return []task{t}, nil
}

// installing is npm ci, of a package with 200 files that lies in the project.
func (s scene) installing(int) ([]task, error) {
	t := task{name: "npm ci, one package of 200 files", profile: "default", project: "npm", outside: []string{"npm", "ci", "--offline"}}
	t.inside = t.outside
	if _, err := exec.LookPath("npm"); err != nil {
		return []task{t}, fmt.Errorf("npm is not in PATH")
	}
	if err := s.folder("npm/.git/hooks"); err != nil {
		return []task{t}, err
	}
	if err := s.folder("dependency"); err != nil {
		return []task{t}, err
	}
	for i := range 200 {
		if err := s.file(fmt.Sprintf("dependency/f%d.js", i), "module.exports = 1\n"); err != nil {
			return []task{t}, err
		}
	}
	texts := map[string]any{
		"dependency/package.json": map[string]any{"name": "dependency", "version": "1.0.0"},
		"npm/package.json":        map[string]any{"name": "npm", "version": "1.0.0", "dependencies": map[string]string{"dependency": "file:dependency-1.0.0.tgz"}},
	}
	for name, value := range texts {
		text, _ := json.Marshal(value)
		if err := s.file(name, string(text)); err != nil {
			return []task{t}, err
		}
	}
	for _, words := range [][]string{{"npm", "pack", "../dependency"}, {"npm", "install", "--package-lock-only", "--offline"}} {
		if out, err := s.command(engine{path: "/usr/bin/bwrap"}, "npm", words...).CombinedOutput(); err != nil {
			return []task{t}, fmt.Errorf("%s: %s", strings.Join(words, " "), out)
		}
	}
	return []task{t}, nil
}

// status is git status in the big project.
func (s scene) status(int) ([]task, error) {
	words := []string{"git", "status", "--short"}
	t := task{name: fmt.Sprintf("git status, %d files", s.count), profile: "default", project: "big", outside: words, inside: words}
	for _, words := range [][]string{{"git", "add", "."}, {"git", "-c", "user.name=x", "-c", "user.email=x", "commit", "-q", "-m", "x"}} {
		if out, err := s.command(engine{path: "/usr/bin/bwrap"}, "big", words...).CombinedOutput(); err != nil {
			return []task{t}, fmt.Errorf("%s: %s", strings.Join(words, " "), out)
		}
	}
	return []task{t}, nil
}

// writing is many small files, in the project and in a cache.
func (s scene) writing(writes int) ([]task, error) {
	name := func(where string) string { return fmt.Sprintf("%d small files, in %s", writes, where) }
	all := []task{
		{name: name("the project"), profile: "default"},
		{name: name("a cache, overlaid in memory"), profile: s.cachesOf("ephemeral")},
		{name: name("a cache, kept"), profile: s.cachesOf("keep")},
	}
	self, err := os.Executable()
	if err != nil {
		return all, err
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return all, err
	}
	writer := filepath.Join(s.dir, "small", "writer")
	if err := os.WriteFile(writer, text, 0o755); err != nil {
		return all, err
	}
	for i := range all {
		dir := filepath.Join(s.dir, "home/.cache/go-build/written")
		if i == 0 {
			dir = filepath.Join(s.dir, "small", "written")
		}
		all[i].project = "small"
		all[i].before = func() { os.RemoveAll(dir) }
		all[i].outside = []string{writer, "-write-files", "-writes", strconv.Itoa(writes), dir}
		all[i].inside = all[i].outside
	}
	return all, nil
}

// writeFiles is what the writer does, each time under other names.
func writeFiles(dir string, count int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// In a cache that is kept, what was written last time is still there.
	dir, err := os.MkdirTemp(dir, "")
	if err != nil {
		return err
	}
	text := []byte(strings.Repeat("small ", 20))
	for i := range count {
		folder := filepath.Join(dir, strconv.Itoa(i/1000))
		if i%1000 == 0 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(folder, strconv.Itoa(i)), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
