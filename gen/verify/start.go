package verify

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

// patience is how long a sandbox may take to look around in; staying is how long the script
// stays in it, if it is to be seen whether it can.
const (
	patience = 60 * time.Second
	staying  = 5 * time.Second
)

// terminal is what the launcher is told that it runs in.
const terminal = "xterm"

// fixed are the variables that each launcher is started with.
func (h *harness) fixed() map[string]string {
	path := os.Getenv("PATH")
	if h.makesProgram() {
		path = filepath.Join(h.top, programs) + ":" + path
	}
	return map[string]string{
		"HOME": h.home, "PATH": path, "SHELL": "/bin/bash", "TERM": terminal, "BWRAPGEN_VERIFY": h.mark,
	}
}

// usualValues are of variables that no value of any kind fits.
var usualValues = map[string]string{"LANG": "C.UTF-8", "LANGUAGE": "C.UTF-8", "COLUMNS": "80", "LINES": "80"}

// variables are those that the launcher is started with: of the names that the command
// may have, and of logins that it may not, each with a value of its own.
func (h *harness) variables() map[string]string {
	all := h.fixed()
	if h.isReal {
		return h.callers(all)
	}
	names := []string{"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "GIT_SSH_COMMAND", "PYTHONPATH", "NODE_OPTIONS"}
	for _, t := range h.Catalogue.Tools {
		names = append(names, t.Keys...)
	}
	for _, name := range append(names, h.Plan.Environ.Pass...) {
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			name = prefix + "BWRAPGEN_VERIFY"
		}
		if _, fixed := all[name]; fixed || h.moves(name) || strings.HasPrefix(name, "LD_") {
			continue
		}
		all[name] = "value of " + name
		if value, ok := usualValues[name]; ok {
			all[name] = value
		}
	}
	delete(all, "LC_ALL") // bash would complain
	maps.Copy(all, h.host.Lookup)
	if h.Plan.Environ.Passes("TERMINFO_DIRS") {
		all["TERMINFO_DIRS"] = "/usr/share/terminfo"
	}
	return all
}

// callers adds the caller's variables, but for those that lead into a home which is not
// that of the harness.
func (h *harness) callers(all map[string]string) map[string]string {
	if h.isReal {
		all["XDG_STATE_HOME"] = h.host.Lookup["XDG_STATE_HOME"]
	}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		_, fixed := all[name]
		if !fixed && (h.isReal || !expr.Within(value, h.Env.Home)) {
			all[name] = value
		}
	}
	return all
}

// moves reports whether a variable names a place, by which mounts would move.
func (h *harness) moves(name string) bool {
	isPlace := strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "TERMINFO")
	return isPlace || slices.Contains(h.Plan.Relocations, name)
}

// start is one start of the launcher.
type start struct {
	tries     []try
	variables map[string]string
	kills     bool // the launcher, when all is told
}

// start runs the launcher, and the script in it.
func (h *harness) start(s start) (seen, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	reader, writer, err := os.Pipe()
	if err != nil {
		return seen{}, failed("cannot make a pipe", err)
	}
	defer reader.Close()
	open, err := os.Open(filepath.Join(h.top, leftOpen))
	if err != nil {
		writer.Close()
		return seen{}, failed("cannot open what was made", err)
	}
	defer open.Close()
	c := exec.CommandContext(ctx, "bash", h.words(s.tries)...)
	c.Dir = h.project
	for name, value := range s.variables {
		c.Env = append(c.Env, name+"="+value)
	}
	c.ExtraFiles = []*os.File{writer, open}
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = &said
	err = c.Start()
	writer.Close()
	if err != nil {
		return seen{}, failed("cannot start the launcher", err)
	}
	told := s.read(reader, c.Process)
	_ = c.Wait()
	told.launcher = said.String()
	if ctx.Err() != nil {
		what := fmt.Sprintf("what is tried in %s did not end in %s", h.Name, patience)
		return seen{}, problem.New(what, "look for what waits there, with --sandbox-shell")
	}
	return told, nil
}

// words start the script in the sandbox.
func (h *harness) words(tries []try) []string {
	all := []string{"-p", h.file}
	if h.Plan.Confirm.AllowYes {
		all = append(all, "--sandbox-yes")
	}
	all = append(all, "--sandbox-shell", "--", "-c", script, "bash", h.mark, "/dev/fd/3")
	for _, t := range tries {
		all = append(all, t.word())
	}
	return all
}

// commandLine is how bash is told a command.
func commandLine(words []string) string {
	var all []string
	for _, word := range words {
		quoted, err := bash.Quote(word)
		if err == nil { // a profile's texts have no NUL
			all = append(all, quoted.String())
		}
	}
	return strings.Join(all, " ")
}

// read reads what the script tells. When the launcher is killed then, its command should
// end, too, and nobody holds the pipe any more.
func (s start) read(pipe *os.File, launcher *os.Process) seen {
	var told strings.Builder
	words := bufio.NewReader(pipe)
	word := ""
	for err := error(nil); err == nil && word != scriptEnd; {
		word, err = words.ReadString(0)
		told.WriteString(word)
	}
	all := read(told.String(), s.tries)
	if s.kills && all.isWhole {
		_ = launcher.Kill()
		_ = pipe.SetReadDeadline(time.Now().Add(staying / 2))
		_, err := words.ReadByte()
		all.outlived = !errors.Is(err, io.EOF)
	}
	return all
}
