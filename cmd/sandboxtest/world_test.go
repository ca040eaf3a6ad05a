package sandboxtest

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/sandboxtest/inside"
)

// world is a home directory with a project, and what lies outside, all fresh.
type world struct {
	setting
	dir       string // holds all of it
	home      string
	project   string   // home/code/p, a git repository with one commit
	outside   string   // a directory that no profile names
	programs  string   // visible inside
	port      string   // of a listener on 127.0.0.1
	abstract  string   // the name of one, without the @
	process   string   // the id of a process of the host
	variables []string // of the host, where launchers are generated
}

const secret = "the-secret-of-the-host"

// newWorld makes a world that belongs to the account.
func newWorld(t *testing.T, s setting) world {
	t.Helper()
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(places(), "bwrapgen-world-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { remove(t, dir) })
	w := world{
		setting: s, dir: dir, programs: bin, home: filepath.Join(dir, "home"),
		project: filepath.Join(dir, "home/code/p"), outside: filepath.Join(dir, "outside"),
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	w.build(t)
	w.listen(t)
	s.give(t, dir)
	w.start(t)
	return w
}

// remove removes a tree, also what nobody may write to.
func remove(t *testing.T, dir string) {
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}

// build makes the files.
func (w world) build(t *testing.T) {
	t.Helper()
	w.write(t, map[string]string{
		"outside/file":                            "outside\n",
		"outside/directory/file":                  "outside\n",
		"home/.ssh/id_test":                       secret,
		"home/.gnupg/secring.gpg":                 secret,
		"home/.aws/credentials":                   secret,
		"home/.netrc":                             secret,
		"home/.config/gh/hosts.yml":               secret,
		"home/.bashrc":                            "# " + secret + "\n",
		"home/.gitconfig":                         "[user]\n\tname = Somebody\n\temail = somebody@example.org\n[init]\n\tdefaultBranch = main\n",
		"home/go/pkg/mod/example.org/m@v1/m.go":   "package m\n",
		"home/go/pkg/mod/example.org/m@v1/n/n.go": "package n\n",
		"home/.cache/go-build/README":             "cache\n",
		"home/code/other/file":                    "another project\n",
		"home/code/p/go.mod":                      "module example.org/p\n\ngo 1.22\n",
		"home/code/p/file":                        "project\n",
		"home/code/p/a/file":                      "a\n",
		"home/code/p/b/file":                      "b\n",
		"home/code/p/.envrc":                      "envrc\n",
		"home/code/p/.vscode/tasks.json":          "{}\n",
		"home/code/p/sub/file":                    "sub\n",
	})
	w.shell(t, `
		git init -q "$P" && git init -q "$P/sub" && cd "$P"
		git add file a b go.mod && git commit -q -m first
		cd sub && git add file && git commit -q -m first && cd ..
		for d in .git/hooks sub/.git/hooks; do rm -rf $d; mkdir $d; printf '#!/bin/sh\n' >$d/pre-commit; chmod +x $d/pre-commit; done
		ln -s "$O/file" link-out
		ln -s "$O/absent" dangling
		ln "$O/file" hard
		chmod 600 "$H"/.ssh/* && chmod 700 "$H/.ssh"`)
}

func (w world) write(t *testing.T, files map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(w.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// shell runs bash on the host, in the project, as whoever runs the tests.
func (w world) shell(t *testing.T, script string) string {
	t.Helper()
	c := exec.Command("bash", "-euc", script)
	c.Dir = w.project
	c.Env = append(w.names(), "HOME="+w.home, "PATH="+w.path(), "LC_ALL=C", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
	output, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, script, output)
	}
	return string(output)
}

// names are the variables that rows know.
func (w world) names() []string {
	return []string{
		"P=" + w.project, "O=" + w.outside, "H=" + w.home, "PORT=" + w.port, "ABSTRACT=" + w.abstract, "PID=" + w.process,
		"inside=" + filepath.Join(w.programs, inside.Name),
	}
}

// listen starts what inside must not reach: sockets in O and P, an abstract
// one, and one on the loopback.
func (w *world) listen(t *testing.T) {
	t.Helper()
	w.abstract = "bwrapgen-" + filepath.Base(w.dir)
	w.greet(t, "unix", filepath.Join(w.outside, "sock"))
	w.greet(t, "unix", filepath.Join(w.project, "sock"))
	w.greet(t, "unix", "@"+w.abstract)
	w.port = strconv.Itoa(w.greet(t, "tcp", "127.0.0.1:0").(*net.TCPAddr).Port)
}

// greet greets whoever connects.
func (w *world) greet(t *testing.T, network, address string) net.Addr {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = fmt.Fprint(c, inside.Hello)
			_ = c.Close()
		}
	}()
	return l.Addr()
}

// start starts the process of the host.
func (w *world) start(t *testing.T) {
	t.Helper()
	c := exec.Command("sleep", "600")
	c.Dir, c.Env = "/", []string{"HOST_SECRET=" + secret}
	w.become(c)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	w.process = strconv.Itoa(c.Process.Pid)
}

// environment is what the launcher is started with: what a login gives, and
// what must not get in.
func (w world) environment() []string {
	return []string{
		"HOME=" + w.home, "PATH=" + w.path(), "TERM=xterm", "LANG=C.UTF-8", "LC_ALL=C", "USER=somebody",
		"SECRET_TOKEN=" + secret, "AWS_SECRET_ACCESS_KEY=" + secret, "SSH_AUTH_SOCK=" + filepath.Join(w.outside, "sock"),
		"LD_LIBRARY_PATH=" + w.outside, "PYTHONPATH=" + w.outside,
		"TMPDIR=" + filepath.Join(w.dir, "home"),
	}
}

// with replaces or adds variables, in the form NAME=value; NAME alone removes.
func with(environment []string, changes ...string) []string {
	all := slices.Clone(environment)
	for _, change := range changes {
		name, _, set := strings.Cut(change, "=")
		all = slices.DeleteFunc(all, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		if set {
			all = append(all, change)
		}
	}
	return all
}
