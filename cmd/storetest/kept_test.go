package storetest

import (
	"fmt"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

const sessions = `
[caches]
mode = "session"
[tmp]
mode = "session"
`

const kept = `
[caches]
mode = "keep"
[tmp]
mode = "keep"
[home]
mode = "keep"
`

// TestSession has a second run see what the first one wrote, in its session.
func TestSession(t *testing.T) {
	t.Parallel()
	everywhere(t, sessions, func(b *bench) {
		before := b.state("go", ".cache")
		b.must(b.inside("echo one >~/go/pkg/mod/n; rm ~/go/pkg/mod/cache/f; echo two >/tmp/t"))
		b.same("the session", b.must(b.inside("cat ~/go/pkg/mod/n /tmp/t; ls ~/go/pkg/mod/cache")), "one\ntwo")
		b.same("another session", b.must(b.inside("ls ~/go/pkg/mod/cache /tmp", "--sandbox-session", "b")), "/tmp:\n\n"+b.Home+"/go/pkg/mod/cache:\nf")
		seen := b.must(b.inside("find ~/.local -name upper -o -name '*.lock' -o -name work; find ~/.local -name t"))
		if strings.Count(seen, "\n") != 0 || !strings.HasSuffix(seen, "/session-default/.tmp/t") {
			b.Errorf("of the store is visible: %q", seen)
		}
		b.must(b.sandbox("--sandbox-end"))
		b.same("a session anew", b.must(b.inside("ls ~/go/pkg/mod/cache /tmp")), "/tmp:\n\n"+b.Home+"/go/pkg/mod/cache:\nf")
		b.sandbox("--sandbox-end", "b", "c").Refused(b.T, "two sessions", "--sandbox-end takes no path: c")
		b.must(b.sandbox("--sandbox-end", "b"))
		b.must(b.sandbox("--sandbox-end"))
		before.Same(b.T, b.state("go", ".cache"))
		b.gone()
		for _, name := range []string{"../b", "b.lock"} { // the lock of b is called so
			if r := b.sandbox("--sandbox-session", name, "true"); r.Status != 125 || !strings.Contains(r.Stderr, "not the name of a session: "+name) {
				b.Errorf("a name that is none: %+v", r)
			}
		}
	})
}

func TestKeep(t *testing.T) {
	t.Parallel()
	everywhere(t, kept, func(b *bench) {
		before := b.state("go", ".cache", "code")
		b.must(b.inside("echo one >~/go/pkg/mod/n; echo two >/tmp/t; mkdir ~/own; echo three >~/own/o"))
		b.same("the second run", b.must(b.inside("cat ~/go/pkg/mod/n /tmp/t ~/own/o; ls -A ~/.local/state/bwrapgen/*/*")), "one\ntwo\nthree\n.tmp")
		before.Same(b.T, b.state("go", ".cache", "code"))
		// There is no discarding of a part, and none of all where one is meant.
		b.sandbox("--sandbox-discard", b.Home+"/go/pkg/mod/n").Refused(b.T, "a part", "--sandbox-discard takes no path: "+b.Home+"/go/pkg/mod/n")
		b.same("the third run", b.must(b.inside("cat ~/go/pkg/mod/n ~/own/o")), "one\nthree")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestKeepAlone has two runs want one store, of which more than caches is kept: the second
// is told who has it, or that it keeps nothing, and what it writes is not there later.
func TestKeepAlone(t *testing.T) {
	t.Parallel()
	everywhere(t, kept, func(b *bench) {
		first := b.start("echo one >~/n; : >" + b.Project + "/done; sleep 300")
		harness.Eventually(b.T, "it has written", func() bool { return harness.Exists(b.Project + "/done") })
		b.second(b.inside("echo two >~/n; echo two >/tmp/t; echo two >~/go/pkg/mod/n"), first.Process.Pid)
		_ = first.Process.Kill()
		b.same("after KILL", b.must(b.waited(func() harness.Result { return b.inside("cat ~/n; ls /tmp; ls ~/go/pkg/mod") })), "one\ncache\nro")
		_ = first.Wait()
	})
}

// second is how a run ends beside another one, which has the store: it ran, and says that
// it keeps nothing, or it was refused with who has it.
func (b *bench) second(r harness.Result, first int) {
	b.Helper()
	if r.Status == 0 {
		b.once(r, "")
		return
	}
	r.Refused(b.T, "beside another", fmt.Sprint(first))
}

// once wants a run to have said something in one line, with some words in it.
func (b *bench) once(r harness.Result, words ...string) {
	b.Helper()
	if !strings.HasPrefix(r.Stderr, "try: ") || strings.Count(r.Stderr, "\n") != 1 {
		b.Errorf("want one line, got %q", r.Stderr)
	}
	for _, w := range words {
		if !strings.Contains(r.Stderr, w) {
			b.Errorf("%q is not in %q", w, r.Stderr)
		}
	}
}

// TestKeepEmpty has caches that the host does not have yet.
func TestKeepEmpty(t *testing.T) {
	t.Parallel()
	everywhere(t, kept, func(b *bench) {
		b.must(b.host("chmod -R u+w go .cache; rm -r go .cache"))
		b.must(b.inside("echo one >~/go/pkg/mod/n"))
		b.same("the second run", b.must(b.inside("cat ~/go/pkg/mod/n")), "one")
		if r := b.host("ls -d go .cache"); r.Stdout != "" {
			b.Errorf("the host has %s", r.Stdout)
		}
		mod := b.Home + "/go/pkg/mod"
		if status := b.must(b.sandbox("--sandbox-status")); !strings.Contains(status, mod+": 1 files, ") {
			b.Errorf("the status is %s", status)
		}
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestKeepHomeLinks has a program replace a directory of the kept home by a
// link out of it, where the next launch makes a mount point.
func TestKeepHomeLinks(t *testing.T) {
	t.Parallel()
	everywhere(t, kept, func(b *bench) {
		b.must(b.host("mkdir outside"))
		b.inside("rm -rf ~/.config; ln -s /oldroot" + b.Home + "/outside ~/.config; ls -la ~")
		b.must(b.host("mkdir -p .config/git; echo a >.config/git/config"))
		r := b.inside("true")
		if out := b.must(b.host("find outside -mindepth 1")); out != "" || r.Status != 125 || !strings.Contains(r.Stderr, ".config") {
			b.Errorf("%+v: made %q", r, out)
		}
	})
}

// TestKeepHomePipe has a program leave a named pipe where the next launch mounts a
// file: bwrap before 0.8 would wait there for ever.
func TestKeepHomePipe(t *testing.T) {
	t.Parallel()
	everywhere(t, kept, func(b *bench) {
		b.must(b.host("mkdir -p .config/git; echo a >.config/git/config"))
		b.must(b.inside("cat ~/.config/git/config; mv ~/.config/git ~/.config/was && mkdir ~/.config/git && mkfifo ~/.config/git/config"))
		if r := b.inside("true"); r.Status != 125 || !strings.Contains(r.Stderr, "/.config/git/config: it is a link or a named pipe") {
			b.Errorf("%+v", r)
		}
		b.must(b.sandbox("--sandbox-discard"))
		b.same("without it", b.must(b.inside("cat ~/.config/git/config")), "a")
	})
}

// TestKeepViewLinks has a program leave links out of the kept view of the project,
// where the next launch makes a mount point of what the host has there by then.
func TestKeepViewLinks(t *testing.T) {
	t.Parallel()
	everywhere(t, strings.Replace(reviewed, "protect", "hide = [\"conf/.env\"]\nprotect", 1), func(b *bench) {
		b.must(b.host("mkdir outside"))
		for name, made := range map[string]string{".claude": ".claude/settings.json", "conf": "conf/.env"} {
			b.must(b.inside("ln -s ../../../../../../../../oldroot" + b.Home + "/outside " + name))
			b.must(b.host("mkdir code/p/" + name + " && echo x >code/p/" + made))
			r := b.inside("true")
			if out := b.must(b.host("find outside -mindepth 1")); out != "" || r.Status != 125 || !strings.Contains(r.Stderr, "/upper/"+name+": it is a link") {
				b.Errorf("%+v: made %q", r, out)
			}
			b.must(b.sandbox("--sandbox-discard"))
			b.must(b.inside("! echo x 2>/dev/null >>" + made))
		}
	})
}

// thief takes each descriptor of the first process, where that is allowed, and
// gives up all locks that it finds.
const thief = `/usr/bin/python3 -c '
import ctypes, fcntl, os
libc, init, took = ctypes.CDLL(None), os.pidfd_open(1), 0
for number in range(100):
    own = libc.syscall(438, init, number, 0)
    if own >= 0:
        took += 1
        fcntl.flock(own, fcntl.LOCK_UN)
print("took", took > 0, flush=True)
'`

// TestKeepStolen has a command try to take what it finds of the lock: the filter
// keeps it from that.
func TestKeepStolen(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		_ = b.start(thief + " >" + b.Project + "/took; : >" + b.Project + "/done; sleep 1").Wait()
		b.same("with the filter", harness.Read(b.T, b.Project+"/took"), "took False")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestPrivate has a store that nobody else may look into, whatever the umask.
func TestPrivate(t *testing.T) {
	t.Parallel()
	everywhere(t, kept, func(b *bench) {
		b.must(b.host("umask 0; cd code/p; " + b.Program + " sh -c 'echo x >/tmp/t'; mkdir ~/open"))
		b.same("modes", b.must(b.host("stat -c %a open .local/state/bwrapgen .local/state/bwrapgen/*")), "777\n700\n700\n700")
	})
}

// TestKeepUnwritable: a store that cannot be written to, as where the disk is full,
// is refused in a sentence; what is in it can be looked at and thrown away. The
// control has no limit.
func TestKeepUnwritable(t *testing.T) {
	t.Parallel()
	newest(t, kept, func(b *bench) {
		run := func(before string) string {
			return b.must(b.host(`cd code/p; (` + before + ` "$HOME/try" true; echo "status $?") 2>&1 | cat`))
		}
		b.same("the control", run(""), "status 0")
		if said := run("ulimit -f 0;"); !strings.Contains(said, "try: cannot write to "+b.stores()) || !strings.Contains(said, "try: hint:") || !strings.HasSuffix(said, "status 125") {
			b.Errorf("%s", said)
		}
		b.must(b.inside("echo x >~/go/pkg/mod/n"))
		b.same("what is in it", b.must(b.host("cd code/p; ulimit -f 0; ~/try --sandbox-status | grep -o 'mod: 1 files'")), "mod: 1 files")
		b.must(b.host("cd code/p; ulimit -f 0; ~/try --sandbox-discard"))
		b.gone()
	})
}

// spoil is what a command leaves in a cache for somebody who copies it to the host's.
const spoil = `cd ~/.cache/go-build; rm link; mkdir link; echo evil | tee link/file plain f >/dev/null; touch -d 2035-01-01 f link/file; mkfifo pipe; rm -r gone; ln -s ~/own new`

// TestCachesNotApplied: what a command leaves in kept caches reaches the next run, and never
// the host's caches, nor what a link in them leads to. Launchers that apply an overlay of the
// project leave caches alone, too.
func TestCachesNotApplied(t *testing.T) {
	t.Parallel()
	for name, profile := range map[string]string{"caches": cached, "a session": sessions, "a home": kept, "an overlay": reviewed} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, profile, func(b *bench) {
				b.must(b.host("mkdir own; echo mine >own/file; cd .cache/go-build; ln -s ~/own link; echo old >f; mkdir gone; echo old >gone/f"))
				before := b.state("own", "go", ".cache")
				b.must(b.inside("echo new >made; " + spoil))
				overlay := profile == reviewed
				for _, option := range []string{"diff", "apply"} {
					if !overlay {
						b.sandbox("--sandbox-"+option).Refused(b.T, option, "there is no option --sandbox-"+option)
					}
					if overlay {
						for _, path := range []string{"", "/plain", "/gone/f"} {
							path = b.Home + "/.cache/go-build" + path
							b.sandbox("--sandbox-"+option, path).Refused(b.T, option, path+" is in a cache: its changes cannot be applied")
						}
						b.must(b.sandbox("--sandbox-" + option))
					}
				}
				before.Same(b.T, b.state("own", "go", ".cache"))
				if overlay {
					b.same("the project", b.must(b.host("cat code/p/made")), "new")
				}
				look := "cd ~/.cache/go-build; cat link/file plain f; readlink new; ls; [[ -p pipe ]]"
				b.same("the next run", b.must(b.inside(look)), "evil\nevil\nevil\n"+b.Home+"/own\nf\nlink\nnew\npipe\nplain")
				b.must(b.sandbox("--sandbox-discard"))
				before.Same(b.T, b.state("own", "go", ".cache"))
				b.gone()
			})
		})
	}
}

// TestSessionEnded reviews what is kept when the session is over: its caches, also
// those that the host lacks, have no layers then.
func TestSessionEnded(t *testing.T) {
	t.Parallel()
	newest(t, "[project]\naccess = \"overlay\"\n[caches]\nmode = \"session\"\n", func(b *bench) {
		b.must(b.host("rm -r .cache/go-build"))
		b.must(b.inside("echo new >f; echo cached >~/.cache/go-build/c"))
		b.must(b.sandbox("--sandbox-end"))
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the host", b.must(b.host("cat code/p/f; ls .cache")), "new")
	})
}

// TestKeepGone has the host remove a cache of which the command has deleted something:
// where that was, it can write again, and nothing else is lost.
func TestKeepGone(t *testing.T) {
	t.Parallel()
	everywhere(t, kept, func(b *bench) {
		const attempt = "cd ~/go/pkg/mod; find . -type c; echo new >cache/f; cat cache/f kept; rm -r cache; mkdir cache"
		b.must(b.inside("cd ~/go/pkg/mod; rm cache/f; echo kept >kept"))
		b.same("the control", b.must(b.inside(attempt+"; rmdir cache")), "new\nkept")
		b.must(b.host("chmod -R u+w go/pkg/mod; rm -r go/pkg/mod"))
		b.same("without", b.must(b.inside("mkdir ~/go/pkg/mod/cache; "+attempt)), "new\nkept")
		b.must(b.sandbox("--sandbox-discard"))
	})
}

// TestDiscardKilled: after a kill while a cache or session is being discarded, the next run sees
// the host's files, and no mixture.
func TestDiscardKilled(t *testing.T) {
	t.Parallel()
	for option, profile := range map[string]string{"--sandbox-discard": cached, "--sandbox-end": sessions} {
		newest(t, profile, func(b *bench) {
			b.must(b.host("cd go/pkg/mod; mkdir d; echo old | tee d/a d/b"))
			b.must(b.inside("cd ~/go/pkg/mod; rm -r d; mkdir d; echo new | tee d/a d/b"))
			plain := b.Start
			b.instead("#!/bin/bash\n[[ ! -d ${*: -1} && ! -d ${*: -2:1} ]] || { find \"${@:3}\" -name b -delete 2>/dev/null; kill -KILL $PPID; exit; }\nexec "+b.steps()+"/real/rm \"$@\"\n", "rm")
			if r := b.sandbox(option); r.Status != -1 && r.Status != 137 {
				b.Errorf("was not killed: %+v", r)
			}
			b.Start = plain
			b.same(option, b.must(b.inside("cat ~/go/pkg/mod/d/*")), "old\nold")
			b.must(b.sandbox(option))
			b.gone()
		})
	}
}
