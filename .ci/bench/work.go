package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// task is a script of bash that runs outside and inside.
type task struct {
	name, profile, project string
	prepare, script        string // what it needs is made once, in the scene's directory
}

const (
	installing = `
mkdir -p npm/.git/hooks dependency
for i in {1..200}; do echo 'module.exports = 1' >"dependency/f$i.js"; done
echo '{"name": "dependency", "version": "1.0.0"}' >dependency/package.json
echo '{"name": "npm", "version": "1.0.0", "dependencies": {"dependency": "file:dependency-1.0.0.tgz"}}' >npm/package.json
cd npm
npm pack ../dependency
npm install --package-lock-only --offline`

	committing = `cd big; git add .; git -c user.name=x -c user.email=x commit -q -m x`

	// Each time under other names: in a cache that is kept, what was written last time is there.
	writing = `dir=$(mktemp -d "$PWD/written-XXXXXX"); for i in {1..2000}; do echo small >"$dir/$i"; done`
)

// work compares work inside with the same outside. This repository is built by
// who runs the bench: the warm cache is theirs.
func (s scene) work(e engine, files int, building scene) section {
	part := section{title: "Work: inside against outside"}
	row, err := building.build(e)
	if err != nil {
		row.note = err.Error()
	}
	part.rows = append(part.rows, row)
	for _, t := range []task{
		{"npm ci, one package of 200 files", "keep", "npm", installing, "npm ci --offline"},
		{fmt.Sprintf("git status, %d files", files), "keep", "big", committing, "git status --short"},
		{"2000 small files, in the project", "keep", "small", "", writing},
		{"2000 small files, in a cache, overlaid in memory", "ephemeral", "small", "", "cd ~/.cache/go-build; " + writing},
		{"2000 small files, in a cache, kept", "keep", "small", "", "cd ~/.cache/go-build; " + writing},
	} {
		part.rows = append(part.rows, s.compare(e, t))
	}
	return part
}

// build is the row of this repository, whose cache is warm: the program has just been built.
func (s scene) build(e engine) (row, error) {
	t := task{name: "build this repository, with a warm cache", profile: "keep"}
	project, err := os.Getwd()
	if err != nil {
		return row{t.name, missing, ""}, err
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return row{t.name, missing, ""}, fmt.Errorf("go env: %v", err)
	}
	t.project = project
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	// What is there need not be linked.
	t.script = `out=$(mktemp); "$GOROOT/bin/go" build -buildvcs=false -o "$out" ./cmd/bwrapgen; rm "$out"`
	return s.compare(e, t, "GOCACHE="+values[0], "GOMODCACHE="+values[1], "GOROOT="+values[2], "PATH="+os.Getenv("PATH")), nil
}

// compare is the row of one task.
func (s scene) compare(e engine, t task, environment ...string) row {
	err := s.shell(".", t.prepare)
	path := ""
	if err == nil {
		path, err = s.launcher(e, t.profile, t.project, environment...)
	}
	starter := func(words ...string) *start {
		return &start{name: t.name, err: err, make: func() *exec.Cmd {
			c := s.command(e, t.project, append(words, "bash", "-ec", t.script)...)
			c.Env = append(c.Env, environment...)
			return c
		}}
	}
	outside, inside := starter(), starter(path)
	interleave([]*start{outside, inside}, rare)
	return inside.row(fmt.Sprintf("%.2f times outside", inside.against(outside, quotient)), outside)
}
