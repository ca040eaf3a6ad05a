package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// expectation is how the launchers differ.
type expectation struct {
	writes  bool // the project can be changed
	network bool // the host's can be reached
	cache   bool // Go's caches have a writable view
	kept    bool // and what is written there is there the next time
	hides   bool // .env cannot be read
	session bool // it is a session of its own: Ctrl-C does not reach it
	limits  bool // there is --sandbox-timeout
	host    bool // the host's root is seen, with its list of users
}

var expectations = map[string]expectation{
	"look":       {},
	"default":    {writes: true, network: true, cache: true, kept: true},
	"agent-code": {writes: true, session: true, limits: true, host: true},
	"keep":       {writes: true, network: true, cache: true, kept: true, hides: true},
}

// hostile are arguments that must arrive as they are.
var hostile = []string{"a b", "", "$(id)", "`id`", "'\"\\", "*", "~", "--", "--sandbox-help", "\n", "\xff\xfe", "é", "-n", "\x1b[31m"}

// works looks at a launcher that runs.
func (l *launcher) works() {
	l.statuses()
	l.signals()
	l.answers()
	words := append([]string{l.program, "inside", l.home, l.project, l.address}, hostile...)
	first, ok := l.observe(words)
	if !ok {
		return
	}
	l.belongs(first)
	l.changes(first)
	l.hidden(first)
	l.filtered(first)
	l.places(first)
	l.caches(first, words)
}

// expect notes a launch that ended in another way.
func (l *launcher) expect(check string, status int, e ending) {
	if e.status != status {
		l.wrong(check, fmt.Sprintf("exit status %d, not %d: %s", e.status, status, e.stderr))
	}
}

// statuses: the exit status is the command's, and what the launcher itself says
// is nothing, or that it can keep nothing here.
func (l *launcher) statuses() {
	e := l.run("true")
	if strings.Contains(e.stderr, ": warning: changes to caches will be discarded: ") {
		l.kept, e.stderr = false, ""
	}
	if e != (ending{}) {
		l.wrong("true", fmt.Sprintf("exit status %d: %s%s", e.status, e.stdout, e.stderr))
	}
	l.expect("exit status", 7, l.run("sh", "-c", "exit 7"))
	l.expect("unknown command", 127, l.run("no-such-command"))
	l.expect("not executable", 126, l.run("./file"))
	l.expect("unknown option", 125, l.run("--sandbox-nonsense", "true"))
	if l.limits {
		l.expect("timeout", 124, l.run("--sandbox-timeout", "1", "sleep", "30"))
	}
}

// signals: Ctrl-C is for the command, and the sandbox ends with the launcher.
func (l *launcher) signals() {
	sleep := []string{"sh", "-c", "echo ready; exec sleep 600"}
	if !l.session {
		l.expect("Ctrl-C", 130, l.start(func(pid int) { complete(pid); _ = syscall.Kill(-pid, syscall.SIGINT) }, sleep...))
	}
	l.expect("TERM", 143, l.start(func(pid int) { complete(pid); _ = syscall.Kill(pid, syscall.SIGTERM) }, sleep...))
}

var digest = regexp.MustCompile(`\A[0-9a-f]{64}\n\z`)

// answers: the launcher's own options.
func (l *launcher) answers() {
	for option, want := range map[string]string{
		"--sandbox-help": "usage: " + l.name, "--sandbox-print": "--unshare-user", "--sandbox-explain": "", "--sandbox-doctor": "sandboxes work here",
	} {
		if e := l.run(option); e.status != 0 || e.stdout == "" || !strings.Contains(e.stdout, want) {
			l.wrong(option, fmt.Sprintf("exit status %d: %s%s", e.status, e.stdout, e.stderr))
		}
	}
	if e := l.run("--sandbox-digest"); e.status != 0 || !digest.MatchString(e.stdout) {
		l.wrong("--sandbox-digest", fmt.Sprintf("exit status %d: %s%s", e.status, e.stdout, e.stderr))
	}
	path := l.home + "/.ssh/id_test"
	if e := l.run("--sandbox-explain", path); e.status != 0 || !strings.HasPrefix(e.stdout, filepath.Clean(path)+": ") {
		l.wrong("--sandbox-explain", fmt.Sprintf("exit status %d: %s%s", e.status, e.stdout, e.stderr))
	}
	c := exec.Command("bash", "-n")
	c.Stdin = strings.NewReader(l.run("--sandbox-print", "true").stdout)
	if out, err := c.CombinedOutput(); err != nil {
		l.wrong("--sandbox-print", fmt.Sprintf("bash cannot read it: %s", out))
	}
}

// observe starts this program in the sandbox.
func (l *launcher) observe(words []string) (observation, bool) {
	var o observation
	e := l.run(words...)
	if err := json.Unmarshal([]byte(e.stdout), &o); err != nil || e.status != 0 {
		l.wrong("a look from inside", fmt.Sprintf("exit status %d: %s", e.status, e.stderr))
		return o, false
	}
	return o, true
}

// belongs: it is the caller's, in the caller's place, with the caller's words.
func (l *launcher) belongs(o observation) {
	if !slices.EqualFunc(o.Arguments, hostile, func(a []byte, b string) bool { return string(a) == b }) {
		l.wrong("arguments", fmt.Sprintf("%q", o.Arguments))
	}
	if dir := string(o.Directory); dir != filepath.Clean(l.project) && dir != l.real() {
		l.wrong("working directory", dir)
	}
	l.named(o)
	host, _ := os.ReadFile("/etc/resolv.conf")
	if !bytes.Equal(host, o.Texts["resolv.conf"]) {
		l.wrong("resolv.conf", fmt.Sprintf("%q, not %q", o.Texts["resolv.conf"], host))
	}
	if reached := o.Heard == greeting; reached != l.network {
		l.wrong("network", fmt.Sprintf("the host's can be reached: %v", reached))
	}
}

// named: the user has the same name and the same home directory. Where the host
// has no list of users there is nothing that could be the same.
func (l *launcher) named(o observation) {
	name := output("id", "-un")
	users, err := os.ReadFile("/etc/passwd")
	if err != nil || l.host && bytes.Equal(o.Texts["passwd"], users) {
		return
	}
	if o.Name != name {
		l.wrong("name of the user", fmt.Sprintf("%q, not %q", o.Name, name))
	}
	entry := regexp.MustCompile(fmt.Sprintf(`(?m)^%s:[^:]*:%d:.*:%s:`, name, os.Getuid(), regexp.QuoteMeta(l.home)))
	if !entry.Match(o.Texts["passwd"]) {
		l.wrong("name of the user", string(o.Texts["passwd"]))
	}
}
