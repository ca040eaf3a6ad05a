package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const firejail = "firejail"

// otherNames are the other sandboxes.
var otherNames = []string{
	"a wrapper by hand", firejail, "sandbox-runtime (npm)", "codex sandbox (npm)", "codex sandbox (npm), without node",
}

// others prepares the other sandboxes, in the order of otherNames. One that is
// not here says so.
func (b bench) others(s scene, e engine) []*start {
	all := []*start{s.byHand(e), b.firejail(s, e)}
	for i, prepare := range []preparePeer{runtimePeer, codexPeer, codexAlone} {
		all = append(all, b.peer(s, e, otherNames[i+2], prepare))
	}
	return all
}

// preparePeer installs a peer below a directory. It gives the words that start
// true in it, and more places to find programs and libraries in.
type preparePeer func(dir string) (words, search []string, err error)

// peer prepares a peer, where that is asked for.
func (b bench) peer(s scene, e engine, name string, prepare preparePeer) *start {
	if !b.peers {
		return &start{name: name, err: fmt.Errorf("not asked for (-peers)")}
	}
	words, search, err := prepare(filepath.Join(b.base, "peers"))
	if err != nil {
		return &start{name: name, err: err}
	}
	return &start{name: name, make: func() *exec.Cmd {
		c := s.command(e, "small", words...)
		c.Env = append(c.Env, "PATH="+strings.Join(append(search, e.search()), ":"), "LD_LIBRARY_PATH="+strings.Join(search, ":"))
		return c
	}}
}

// firejail is Debian's. It is set-uid root, and looks for its parts in /usr and
// /etc: so it is not unpacked below the temporary directory, but installed.
func (b bench) firejail(s scene, e engine) *start {
	if _, err := exec.LookPath("firejail"); err != nil && b.peers {
		if err := install("firejail"); err != nil {
			return &start{name: firejail, err: err}
		}
	}
	path, err := exec.LookPath("firejail")
	if err != nil {
		return &start{name: firejail, err: fmt.Errorf("firejail is not in PATH (-peers installs it)")}
	}
	return s.program(e, firejail, "small", path, "--quiet", "true")
}

// install installs a package of Debian's, which stays.
func install(name string) error {
	if os.Geteuid() != 0 {
		return fmt.Errorf("%s is not in PATH, and only root can install it", name)
	}
	fmt.Printf("Installing %s, to measure it; apt-get purge %[1]s takes it away again.\n", name)
	c := exec.Command("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "install", "--yes", "--no-install-recommends", name)
	c.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("apt-get install %s: %v: %s", name, err, out)
	}
	return nil
}

// byHand is the wrapper beside this file, copied to where all may read it.
func (s scene) byHand(e engine) *start {
	path := filepath.Join(s.dir, "by-hand")
	text, err := os.ReadFile(".ci/bench/by-hand")
	if err == nil {
		err = os.WriteFile(path, text, 0o755)
	}
	one := s.program(e, otherNames[0], "small", path, "true")
	one.err = err
	return one
}

// fetch installs a package of npm below a directory.
func fetch(dir, name string) error {
	c := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, name)
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("npm install %s: %v: %s", name, err, out)
	}
	return nil
}

// runtimePeer is Anthropic's sandbox-runtime; it needs socat and ripgrep.
func runtimePeer(dir string) ([]string, []string, error) {
	if err := fetch(dir, "@anthropic-ai/sandbox-runtime"); err != nil {
		return nil, nil, err
	}
	search, err := unpacked(dir, "socat", "ripgrep", "libwrap0")
	return []string{filepath.Join(dir, "node_modules/.bin/srt"), "true"}, search, err
}

// unpacked unpacks Debian's packages, and gives where their programs and
// libraries lie. Nothing is installed.
func unpacked(dir string, packages ...string) ([]string, error) {
	script := `cd "$0" && apt-get -qq download "$@" && for deb in *.deb; do dpkg-deb -x "$deb" debian; done`
	c := exec.Command("bash", append([]string{"-c", script, dir}, packages...)...)
	if out, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("apt-get download: %v: %s", err, out)
	}
	libraries, err := filepath.Glob(filepath.Join(dir, "debian/usr/lib/*-linux-gnu*"))
	return append([]string{filepath.Join(dir, "debian/usr/bin")}, libraries...), err
}

// codexPeer is OpenAI's codex as npm installs it: node starts its program.
func codexPeer(dir string) ([]string, []string, error) {
	dir = filepath.Join(dir, "codex")
	err := fetch(dir, "@openai/codex")
	return []string{filepath.Join(dir, "node_modules/.bin/codex"), "sandbox", "--", "true"}, nil, err
}

// codexAlone is the program that codexPeer has brought.
func codexAlone(dir string) ([]string, []string, error) {
	found, err := filepath.Glob(filepath.Join(dir, "codex/node_modules/@openai/codex-linux-*/vendor/*/bin/codex"))
	if err != nil || len(found) == 0 {
		return nil, nil, fmt.Errorf("npm brought no program of codex")
	}
	return []string{found[0], "sandbox", "--", "true"}, nil, nil
}
