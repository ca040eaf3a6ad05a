package readmetest

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// session is a reader's home directory with a project, and a shell in it.
type session struct {
	home, project string
	environment   []string
}

// newSession builds bwrapgen, and the project from testdata, with a commit.
func newSession(t *testing.T) session {
	t.Helper()
	trial.Here(t)
	trial.NeedsSystem(t) // of what a launcher is made, --check expects to find the same again
	dir := t.TempDir()
	s := session{home: filepath.Join(dir, "home"), project: filepath.Join(dir, "home", "hello")}
	bin := filepath.Join(dir, "bin")
	run(t, root, os.Environ(), "go", "build", "-buildvcs=false", "-o", bin+"/", "./cmd/bwrapgen")
	if err := os.CopyFS(s.home, os.DirFS("testdata/home")); err != nil {
		t.Fatal(err)
	}
	s.environment = []string{
		"HOME=" + s.home, "PATH=" + bin + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "TERM=dumb", "GOFLAGS=-buildvcs=false",
	}
	// Go's own places: the session tests no downloads.
	for _, name := range []string{"GOROOT", "GOCACHE", "GOMODCACHE"} {
		s.environment = append(s.environment, name+"="+strings.TrimSpace(run(t, root, os.Environ(), "go", "env", name)))
	}
	s.shell(t, `
mkdir ~/.ssh && echo 'the key' >~/.ssh/id_ed25519
printf '[user]\nname = Reader\nemail = reader@example.com\n' >~/.gitconfig
echo 'PASSWORD=secret' >.env
git init --quiet && git add . && git commit --quiet --message first`)
	return s
}

// run runs a program that must succeed, and gives what it prints.
func run(t *testing.T, dir string, environment []string, words ...string) string {
	t.Helper()
	c := exec.Command(words[0], words[1:]...)
	c.Dir, c.Env = dir, environment
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%q: %v: %s%s", words, err, out, problems.String())
	}
	return string(out)
}

func (s session) shell(t *testing.T, script string) {
	t.Helper()
	run(t, s.project, s.environment, "bash", "-euc", script)
}

// console runs commands in one shell, and gives for each what it printed and
// its exit status.
func (s session) console(t *testing.T, commands []string) []answer {
	t.Helper()
	script := "exec 2>&1\n"
	for _, command := range commands {
		script += command + "\nprintf '\\001%s\\001' \"$?\"\n"
	}
	c := exec.Command("bash", "-c", script)
	c.Dir, c.Env = s.project, s.environment
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(pipe)
	if err := errors.Join(err, c.Wait()); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	parts := strings.Split(string(out), "\x01")
	if len(parts) != 2*len(commands)+1 {
		t.Fatalf("the shell did not come to its end: %q", out)
	}
	answers := make([]answer, len(commands))
	for i := range answers {
		answers[i] = answer{text: strings.ReplaceAll(parts[2*i], s.home, "/home/reader"), status: parts[2*i+1]}
	}
	return answers
}

// answer is what a command came to.
type answer struct{ text, status string }

// lines are those that a reader sees.
func (a answer) lines() []string {
	text := strings.TrimRight(a.text, "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}
