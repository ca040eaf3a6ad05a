package sandboxtest

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"testing/fstest"

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

// world is a home directory with a project, a git repository with one commit,
// and what lies outside, all fresh.
type world struct {
	harness.World
	programs  string   // visible inside
	port      string   // of a listener on 127.0.0.1
	abstract  string   // the name of one, without the @
	process   string   // the id of a process of the host
	variables []string // of the host, where launchers are generated
}

const secret = "the-secret-of-the-host"

// newWorld makes a world that belongs to the account.
func newWorld(t *testing.T, s harness.Setting) world {
	t.Helper()
	w := world{World: harness.NewWorld(t, s, harness.Homes()), programs: harness.Programs(t)}
	w.build(t)
	w.listen(t)
	w.Give(t, w.Top)
	w.start(t)
	return w
}

// path is what PATH says: projects are built with the host's Go.
func (w world) path() string { return w.Path("/usr/local/go/bin") }

// build makes the files.
func (w world) build(t *testing.T) {
	t.Helper()
	w.Write(t, map[string]string{
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
		"home/.local/state/README":                "states of programs\n",
		"home/code/other/file":                    "another project\n",
	})
	project, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(
		os.CopyFS(w.Project, project),
		os.Symlink(w.Outside+"/file", w.Project+"/link-out"),
		os.Symlink(w.Outside+"/absent", w.Project+"/dangling"),
		os.Link(w.Outside+"/file", w.Project+"/hard"),
		os.Chmod(w.Home+"/.ssh/id_test", 0o600),
		os.Chmod(w.Home+"/.ssh", 0o700),
	)
	if err != nil {
		t.Fatal(err)
	}
}

// repository is the project: with its files, one commit, a hook, and another
// repository in it. Git makes it once: that takes longer than to start a sandbox.
var repository = sync.OnceValues(func() (fs.FS, error) {
	dir, err := os.MkdirTemp("", "bwrapgen-repository-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	c := exec.Command("bash", "-euc", `
		mkdir a b sub .vscode
		echo project >file; echo a >a/file; echo b >b/file; echo sub >sub/file; echo envrc >.envrc; echo '{}' >.vscode/tasks.json
		printf 'module example.org/p\n\ngo 1.22\n' >go.mod
		git init -q && git add file a b go.mod && git commit -q -m first
		cd sub && git init -q && git add file && git commit -q -m first && cd ..
		for d in .git/hooks sub/.git/hooks; do rm -rf $d; mkdir $d; printf '#!/bin/sh\n' >$d/pre-commit; chmod +x $d/pre-commit; done`)
	c.Dir = dir
	c.Env = []string{
		"HOME=/nonexistent", "PATH=" + os.Getenv("PATH"), "LC_ALL=C", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
		"GIT_AUTHOR_NAME=Somebody", "GIT_AUTHOR_EMAIL=somebody@example.org", "GIT_COMMITTER_NAME=Somebody", "GIT_COMMITTER_EMAIL=somebody@example.org",
	}
	if said, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %s", err, said)
	}
	return kept(os.DirFS(dir))
})

// kept holds the directories and files of a tree in memory.
func kept(tree fs.FS) (fs.FS, error) {
	all := fstest.MapFS{}
	return all, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		file := &fstest.MapFile{Mode: info.Mode()}
		if !d.IsDir() {
			file.Data, err = fs.ReadFile(tree, name)
		}
		all[name] = file
		return err
	})
}

// shell runs bash on the host, in the project, as whoever runs the tests.
func (w world) shell(t *testing.T, script string) string {
	t.Helper()
	c := exec.Command("bash", "-euc", script)
	c.Dir = w.Project
	c.Env = append(w.names(), "HOME="+w.Home, "PATH="+w.path(), "LC_ALL=C", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
	output, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, script, output)
	}
	return string(output)
}

// names are the variables that rows know.
func (w world) names() []string {
	return []string{
		"P=" + w.Project, "O=" + w.Outside, "H=" + w.Home, "PORT=" + w.port, "ABSTRACT=" + w.abstract, "PID=" + w.process,
		"inside=" + filepath.Join(w.programs, inside.Name),
	}
}

// listen starts what inside must not reach: sockets in O and P, an abstract
// one, and one on the loopback.
func (w *world) listen(t *testing.T) {
	t.Helper()
	w.abstract = "bwrapgen-" + filepath.Base(w.Top)
	harness.Listen(t, "unix", filepath.Join(w.Outside, "sock"), inside.Hello)
	harness.Listen(t, "unix", filepath.Join(w.Project, "sock"), inside.Hello)
	harness.Listen(t, "unix", "@"+w.abstract, inside.Hello)
	w.port = strconv.Itoa(harness.Listen(t, "tcp", "127.0.0.1:0", inside.Hello).(*net.TCPAddr).Port)
}

// start starts the process of the host.
func (w *world) start(t *testing.T) {
	t.Helper()
	c := exec.Command("sleep", "600")
	c.Dir, c.Env = "/", []string{"HOST_SECRET=" + secret}
	w.Become(c)
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
		"HOME=" + w.Home, "PATH=" + w.path(), "TERM=xterm", "LANG=C.UTF-8", "LC_ALL=C", "USER=somebody",
		"SECRET_TOKEN=" + secret, "AWS_SECRET_ACCESS_KEY=" + secret, "SSH_AUTH_SOCK=" + filepath.Join(w.Top, "agent"),
		"LD_LIBRARY_PATH=" + w.Outside, "PYTHONPATH=" + w.Outside, "NODE_OPTIONS=--trace-warnings",
		"TMPDIR=" + filepath.Join(w.Top, "home"),
	}
}
