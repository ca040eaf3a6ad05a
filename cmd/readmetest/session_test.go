package readmetest

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// session is a reader's home directory with a project, and a shell in it.
type session struct {
	home, project string
	environment   []string
}

// newSession builds bwrapgen, and the project from testdata, with a commit.
func newSession(t *testing.T) session {
	t.Helper()
	harness.Here(t)
	harness.NeedsSystem(t) // of what a launcher is made, --check expects to find the same again
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

// needs are the programs that a document names.
func (d *document) needs() []string {
	for _, line := range d.lines {
		if names, ok := strings.CutPrefix(comment(line), "needs: "); ok {
			return strings.Fields(names)
		}
	}
	return nil
}

// ofNPM is the directory of what .ci/npm has installed. Where the registry cannot be
// reached, there is none.
func ofNPM(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BWRAPGEN_NPM")
	if _, err := os.Stat(filepath.Join(dir, ".stamp")); dir == "" || err != nil {
		t.Skip("there are no programs of npm's registry: .ci/npm installs them, into BWRAPGEN_NPM")
	}
	return dir
}

// install puts programs of npm's registry where a reader has them, and the module
// that recipes fetch into a proxy. All programs that are needed have to be there then.
func (s *session) install(t *testing.T, needs []string) {
	t.Helper()
	if needs == nil {
		return
	}
	// Go keeps modules in directories that are read-only.
	t.Cleanup(func() { _ = exec.Command("chmod", "--recursive", "u+w", "--", s.home).Run() })
	dir := ofNPM(t)
	s.shell(t, `cp --archive --link '`+dir+`/.' ~/.local 2>/dev/null || cp --archive '`+dir+`/.' ~/.local`)
	for i, variable := range s.environment {
		if path, ok := strings.CutPrefix(variable, "PATH="); ok {
			s.environment[i] = "PATH=" + s.home + "/.local/bin:" + path
		}
	}
	s.environment = append(s.environment, "GOPROXY="+proxy(t), "GONOSUMDB=example.com")
	for _, program := range needs {
		if s.console(t, []string{"type -P " + program})[0].status != "0" {
			harness.Unable(t, program+" is not installed; .ci/setup and .ci/npm do that")
		}
	}
}

// proxy serves one module, example.com/greet, and gives its address.
func proxy(t *testing.T) string {
	t.Helper()
	const base = "/example.com/greet/@v/v1.0.0"
	files := map[string]string{"go.mod": "module example.com/greet\n", "greet.go": "package greet\n\nconst Text = \"hello from example.com/greet\"\n"}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, name := range []string{"go.mod", "greet.go"} {
		w, err := z.Create("example.com/greet@v1.0.0/" + name)
		if err == nil {
			_, err = io.WriteString(w, files[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	served := map[string]string{
		base + ".info": `{"Version":"v1.0.0"}`, base + ".mod": files["go.mod"], base + ".zip": archive.String(),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text, ok := served[r.URL.Path]; ok {
			_, _ = io.WriteString(w, text)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
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
