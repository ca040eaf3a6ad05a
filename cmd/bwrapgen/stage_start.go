package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/proof"
)

// patience is how long a sandbox may take to look around in.
const patience = 60 * time.Second

// fixed are the variables that each launcher is started with.
func (g *stage) fixed() map[string]string {
	return map[string]string{
		"HOME": g.home, "PATH": os.Getenv("PATH"), "SHELL": "/bin/bash", "TERM": "xterm", "BWRAPGEN_VERIFY": g.mark,
	}
}

// variables are those that the launcher is started with: of the names that the command
// may have, and of logins that it may not, each with a value of its own.
func (g *stage) variables() map[string]string {
	all := g.fixed()
	if g.isReal {
		return g.callers(all)
	}
	names := []string{"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "GIT_SSH_COMMAND", "PYTHONPATH", "NODE_OPTIONS"}
	for _, t := range g.catalogue.Tools {
		names = append(names, t.Keys...)
	}
	for _, name := range append(names, g.plan.Environ.Pass...) {
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			name = prefix + "BWRAPGEN_VERIFY"
		}
		if _, fixed := all[name]; fixed || g.moves(name) || strings.HasPrefix(name, "LD_") {
			continue
		}
		all[name] = "value of " + name
	}
	for _, name := range []string{"LANG", "LANGUAGE"} {
		if _, ok := all[name]; ok {
			all[name] = "C.UTF-8"
		}
	}
	delete(all, "LC_ALL") // bash would complain
	for _, name := range []string{"COLUMNS", "LINES"} {
		if _, ok := all[name]; ok {
			all[name] = "80"
		}
	}
	return all
}

// callers adds the caller's variables, but for those that lead into a home which is not
// that of the stage.
func (g *stage) callers(all map[string]string) map[string]string {
	if g.isReal {
		all["XDG_STATE_HOME"] = g.host.Lookup["XDG_STATE_HOME"]
	}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		_, fixed := all[name]
		if !fixed && (g.isReal || !expr.Within(value, g.env.Home)) {
			all[name] = value
		}
	}
	return all
}

// moves reports whether a variable names a place, by which mounts would move.
func (g *stage) moves(name string) bool {
	for _, s := range g.plan.Relocations {
		if s == name {
			return true
		}
	}
	return strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "TERMINFO")
}

// start runs the launcher, and the script in it. What the launcher says is given, too.
func (g *stage) start(variables map[string]string, words []string) (proof.Seen, string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	reader, writer, err := os.Pipe()
	if err != nil {
		return proof.Seen{}, "", failed(err, "cannot make a pipe")
	}
	defer reader.Close()
	open, err := os.Open(filepath.Join(g.top, "open"))
	if err != nil {
		return proof.Seen{}, "", failed(err, "cannot open what was made")
	}
	defer open.Close()
	var arguments []string
	if g.plan.Confirm.AllowYes {
		arguments = append(arguments, "--sandbox-yes")
	}
	port := 1
	if g.listener != nil {
		port = g.listener.Addr().(*net.TCPAddr).Port
	}
	arguments = append(arguments, "--sandbox-shell", "--", "-c", proof.Script, "bash", g.mark, strconv.Itoa(port), "/dev/fd/3")
	c := exec.CommandContext(ctx, "bash", append([]string{"-p", g.file}, append(arguments, words...)...)...)
	c.Dir = g.project
	for name, value := range variables {
		c.Env = append(c.Env, name+"="+value)
	}
	c.ExtraFiles = []*os.File{writer, open}
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		writer.Close()
		return proof.Seen{}, "", failed(err, "cannot start the launcher")
	}
	writer.Close()
	text, _ := io.ReadAll(reader)
	_ = c.Wait()
	return proof.Read(string(text)), said.String(), nil
}
