package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const firejail = "firejail"

// peers are the other sandboxes: how they are fetched into a directory, and what starts
// true in them, where DIR is that. firejail is set-uid root, and looks for its parts in
// /usr and /etc: so it is installed.
var peers = []struct{ name, fetch, start string }{
	{firejail, `
		[[ -z $(type -P firejail) ]] || exit 0
		((EUID == 0)) || { echo "firejail is not in PATH, and only root can install it"; exit 1; }
		export DEBIAN_FRONTEND=noninteractive
		apt-get -qq -o DPkg::Lock::Timeout=300 install --yes --no-install-recommends firejail`,
		"firejail --quiet true"},
	// Anthropic's; it needs socat and ripgrep, which are not installed.
	{"sandbox-runtime (npm)", `
		npm install --no-audit --no-fund --prefix . @anthropic-ai/sandbox-runtime
		apt-get -qq download socat ripgrep libwrap0
		for deb in *.deb; do dpkg-deb -x "$deb" debian; done`,
		"DIR/node_modules/.bin/srt true"},
	// OpenAI's; node starts its program.
	{"codex sandbox (npm)", "npm install --no-audit --no-fund --prefix . @openai/codex",
		"DIR/node_modules/.bin/codex sandbox -- true"},
}

// peers prepares the wrapper beside this file and, where that is asked for, other sandboxes.
// One that cannot be had says why.
func (s scene) peers(e engine, fetch bool) []*start {
	path := filepath.Join(s.dir, "by-hand")
	text, err := os.ReadFile(".ci/bench/by-hand")
	if err == nil {
		err = os.WriteFile(path, text, 0o755) // where all may read it
	}
	byHand := s.program(e, "a wrapper by hand", path, "true")
	byHand.err = err
	all := []*start{byHand}
	for i, p := range peers {
		one := &start{name: p.name, err: fmt.Errorf("not asked for (-peers)")}
		if fetch {
			dir := filepath.Join(filepath.Dir(s.dir), fmt.Sprint("peer", i))
			one = s.peer(e, dir, p.start)
			one.name, one.err = p.name, fetchPeer(dir, p.fetch)
		}
		all = append(all, one)
	}
	return all
}

// peer starts true in a sandbox that lies in a directory, with the programs and libraries
// that were unpacked there.
func (s scene) peer(e engine, dir, words string) *start {
	return &start{make: func() *exec.Cmd {
		libraries, _ := filepath.Glob(filepath.Join(dir, "debian/usr/lib/*-linux-gnu*"))
		c := s.command(e, "small", strings.Fields(strings.ReplaceAll(words, "DIR", dir))...)
		c.Env = append(c.Env, "PATH="+filepath.Join(dir, "debian/usr/bin")+":"+e.search())
		c.Env = append(c.Env, "LD_LIBRARY_PATH="+strings.Join(libraries, ":"))
		return c
	}}
}

// fetchPeer runs a script in a new directory.
func fetchPeer(dir, script string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	c := exec.Command("bash", "-ec", script)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %s", err, out)
	}
	return nil
}
