package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
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

// patience is how long a sandbox may take to look around in; stay is how long the script
// stays in it, if it is to be seen whether it can.
const (
	patience = 60 * time.Second
	stay     = 5 * time.Second
)

// terminal is what the launcher is told that it runs in.
const terminal = "xterm"

// fixed are the variables that each launcher is started with.
func (g *stage) fixed() map[string]string {
	return map[string]string{
		"HOME": g.home, "PATH": os.Getenv("PATH"), "SHELL": "/bin/bash", "TERM": terminal, "BWRAPGEN_VERIFY": g.mark,
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
	maps.Copy(all, g.host.Lookup)
	if proof.Passes(g.plan, "TERMINFO_DIRS") {
		all["TERMINFO_DIRS"] = "/usr/share/terminfo"
	}
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

// visit is one start of the launcher: what is tried in it, and how it ends.
type visit struct {
	tries tries
	kills bool // the launcher, when all is told

	seen     proof.Seen
	said     string // by the launcher
	outlived bool   // the command ran on, although its launcher was killed
}

// isDone reports whether all was tried.
func (v visit) isDone() bool { return v.seen.Whole && len(v.seen.Places) >= len(v.tries) }

// start runs the launcher, and the script in it.
func (g *stage) start(variables map[string]string, v *visit) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	reader, writer, err := os.Pipe()
	if err != nil {
		return failed(err, "cannot make a pipe")
	}
	defer reader.Close()
	open, err := os.Open(filepath.Join(g.top, "open"))
	if err != nil {
		writer.Close()
		return failed(err, "cannot open what was made")
	}
	defer open.Close()
	c := exec.CommandContext(ctx, "bash", g.words(v.tries)...)
	c.Dir = g.project
	for name, value := range variables {
		c.Env = append(c.Env, name+"="+value)
	}
	c.ExtraFiles = []*os.File{writer, open}
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = &said
	err = c.Start()
	writer.Close()
	if err != nil {
		return failed(err, "cannot start the launcher")
	}
	v.read(reader, c.Process)
	_ = c.Wait()
	v.said = said.String()
	if ctx.Err() != nil {
		return cannot("look for what waits there, with --sandbox-shell", "what is tried in %s did not end in %s", g.name, patience)
	}
	return nil
}

// words start the script in the sandbox.
func (g *stage) words(asked tries) []string {
	all := []string{"-p", g.file}
	if g.plan.Confirm.AllowYes {
		all = append(all, "--sandbox-yes")
	}
	port := 1
	if g.listener != nil {
		port = g.listener.Addr().(*net.TCPAddr).Port
	}
	all = append(all, "--sandbox-shell", "--", "-c", proof.Script, "bash", g.mark, strconv.Itoa(port), "/dev/fd/3")
	return append(all, asked...)
}

// read reads what the script tells. When the launcher is killed then, its command should
// end, too, and nobody holds the pipe any more.
func (v *visit) read(pipe *os.File, launcher *os.Process) {
	var told strings.Builder
	words := bufio.NewReader(pipe)
	word := ""
	for err := error(nil); err == nil && word != proof.End; {
		word, err = words.ReadString(0)
		told.WriteString(word)
	}
	v.seen = proof.Read(told.String())
	if v.kills && v.seen.Whole {
		_ = launcher.Kill()
		_ = pipe.SetReadDeadline(time.Now().Add(stay / 2))
		_, err := words.ReadByte()
		v.outlived = !errors.Is(err, io.EOF)
	}
}
