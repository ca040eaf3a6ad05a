package sessiontest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// forbidding is the policy that agent-code's own tests have, here.
const forbidding = `extends = ["agent-code"]
[project]
hide = ["private", "private-file"]
[filesystem]
write = ["$O/agent-cache", "$O/build-output!"]
hide = ["$O/forbidden", "$O/forbidden-file", "$O/absent", "$O/link"]
[environment]
pass = ["KEPT"]
set = { SET = "1" }
`

// policed is a world with what that policy names.
func policed(t *testing.T, w world) world {
	t.Helper()
	for _, name := range []string{"agent-cache", "forbidden", "target"} {
		w.write(t, "outside/"+name+"/file", "secret\n")
	}
	w.write(t, "outside/forbidden-file", "secret\n")
	w.write(t, "home/code/p/private/file", "secret\n")
	w.write(t, "home/code/p/private-file", "secret\n")
	if err := os.Symlink("target", w.Outside+"/link"); err != nil {
		t.Fatal(err)
	}
	marker := "/dev/shm/" + filepath.Base(w.Top)
	w.Put(t, marker, nil)
	t.Cleanup(func() { _ = os.Remove(marker) })
	w.Set("KEPT=1", "GONE=1")
	return w.launch(t, forbidding)
}

// namespaces are those of the tests, in one line.
func namespaces(t *testing.T) string {
	t.Helper()
	var all []string
	for _, name := range []string{"user", "ipc", "uts", "pid", "cgroup", "net"} {
		own, err := os.Readlink("/proc/self/ns/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, own)
	}
	return strings.Join(all, " ")
}

// TestAgentCodeArguments asks of a real sandbox what agent-code's tests ask of
// an argument list.
func TestAgentCodeArguments(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newHostWorld(t, s)
		w = policed(t, w)
		own := `[[ " ` + namespaces(t) + ` " != *" $(readlink /proc/self/ns/$n) "* ]] || exit 1; done`
		all := []question{
			{"A-T1 five namespaces are private", `for n in user ipc uts pid cgroup; do ` + own, ""},
			{"A-T2 the network is, too", `for n in net; do ` + own, ""},
			{"A-T3 the host can be read, not written", `[[ $(cat $O/file) == outside ]] && ! echo x >>$O/file`, ""},
			{"A-T4 /dev and /proc are its own", `[[ -c /dev/null && -d /proc/self && ! -e /dev/shm/$(basename $W) ]] && (($(echo /proc/[0-9]* | wc -w) < 10))`, ""},
			{"A-T5 the project is written", `echo 5 >t5`, `[[ $(cat t5) == 5 ]]`},
			{"A-T6 both further paths are written", `echo 6 >$O/agent-cache/t6 && echo 6 >$O/build-output/t6`, `[[ $(cat $O/{agent-cache,build-output}/t6) == $'6\n6' ]]`},
			{"A-T14 variables are kept, set and dropped", `[[ $KEPT$SET == 11 && -z ${GONE-} ]]`, ""},
			{"A-T15 a forbidden directory is empty", `[[ -d $O/forbidden && -z $(ls -A $O/forbidden) ]] && ! echo x >$O/forbidden/x`, ""},
			{"A-T16 an absent one stays absent", `[[ ! -e $O/absent ]]`, `[[ ! -e $O/absent ]]`},
			{"A-T17 a forbidden file is empty", `[[ -f $O/forbidden-file && -z $(cat $O/forbidden-file) ]] && ! echo x >$O/forbidden-file`, ""},
			{"A-T18 a forbidden link is, and what it leads to", `[[ -z $(ls -A $O/link/) && -z $(ls -A $O/target) ]]`, ""},
			{"A-T19 what is forbidden in the project is", `[[ -z $(ls -A private) && -z $(cat private-file) ]] && ! echo x >private/x`, ""},
		}
		w.answers(t, all)
		w.controls(t, all)
		t.Run("A-T12 bwrap has started it", func(t *testing.T) {
			const first = `[[ $PPID == 1 && (! -e /proc/1/comm || $(cat /proc/1/comm) == bwrap) ]]`
			w.bash(t, first).Ends(t, 0)
			w.outside(t, first).Ends(t, 1)
		})
	})
}

// TestAgentCodeCalls has what such a call keeps of the one without a sandbox.
func TestAgentCodeCalls(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w = policed(t, w)
		w.write(t, "home/code/p/sub/file", "")
		t.Run("A-T8 the project is the working directory", func(t *testing.T) { w.Run(t, "pwd").Ends(t, 0).Prints(t, w.Project+"\n") })
		t.Run("A-T9 the words are those behind --", func(t *testing.T) {
			w.Run(t, "--", "bash", "-c", "echo hi").Ends(t, 0).Prints(t, "hi\n")
			w.Run(t, "--", "printf", "%s\n", "-c", "--", "a b", "$HOME").Ends(t, 0).Prints(t, "-c\n--\na b\n$HOME\n")
		})
		t.Run("A-T13 another working directory is kept", func(t *testing.T) {
			below := w
			below.Dir = w.Project + "/sub"
			below.Run(t, "pwd").Ends(t, 0).Prints(t, w.Project+"/sub\n")
		})
		t.Run("A-T10 without any list the project is writable", func(t *testing.T) {
			w = w.launch(t, "[filesystem]\nbase = \"host\"\n")
			w.bash(t, "echo 10 >t10 && ! echo x >$PWD/../../t10").Ends(t, 0)
			if harness.Read(t, w.Project+"/t10") != "10\n" || harness.Exists(w.Home+"/t10") {
				t.Error("the host is not as it should be")
			}
		})
		t.Run("A-T2 where the profile allows it, the network is the host's", func(t *testing.T) {
			w = w.launch(t, "extends = [\"agent-code\"]\n[network]\nmode = \"host\"\n")
			w.bash(t, `[[ "`+namespaces(t)+`" == *" $(readlink /proc/self/ns/net)" ]]`).Ends(t, 0)
		})
	})
}

// TestAgentCodeWhole has what agent-code's tests do with a real bwrap.
func TestAgentCodeWhole(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		config := harness.Read(t, w.Project+"/.git/config")
		w = policed(t, w)
		all := []question{
			{"A-E1 a write elsewhere fails: read-only, status 1", `said=$( (echo x >$O/marker) 2>&1); (($? == 1)) && [[ $said == *Read-only* ]]`, `[[ ! -e $O/marker ]]`},
			{"A-E2 the project is written and read", `echo x >e2 && [[ $(cat e2) == x ]]`, `[[ $(cat e2) == x ]]`},
			{"A-E3 an allowed directory is written, on the host", `echo x >$O/agent-cache/e3`, `[[ $(cat $O/agent-cache/e3) == x ]]`},
			{"A-E4 pwd is the project", `[[ $(pwd) == $P && $(pwd -P) == $P ]]`, `[[ $(pwd) == $P ]]`},
			{"A-E9 /etc is not written", `! echo x >/etc/${0##*/}-marker`, `[[ ! -e /etc/bash-marker ]]`},
			{"A-E9 /tmp is written, but not the host's", `echo x >/tmp/${PWD//\//-}`, `[[ ! -e /tmp/${PWD//\//-} ]]`},
			{"A-E10 /etc/hosts is read", `cat /etc/hosts >/dev/null`, `cat /etc/hosts >/dev/null`},
			{"A-E11 sed -i changes no settings of git", `! sed -i s/core/evil/ .git/config && ! sed -Ei s/core/evil/ .git/config`, `! grep evil .git/config`},
		}
		w.answers(t, all)
		if got := harness.Read(t, w.Project+"/.git/config"); got != config {
			t.Errorf("git's settings have changed: %q", got)
		}
		w.controls(t, all)
	})
}

// TestAgentCodePaths has the ways to write a path, and what has no meaning.
func TestAgentCodePaths(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newHostWorld(t, s)
		t.Run("A-P1 home, absolute paths and those of the project", func(t *testing.T) {
			w = w.launch(t, "extends = [\"agent-code\"]\n[filesystem]\nwrite = [\"$O\", \"./target!\"]\nhide = [\"~/notes\"]\n")
			w.write(t, "home/notes", "secret\n")
			w.bash(t, "echo 1 >~/.cache/agent-code/p && echo 2 >"+w.Outside+"/p && echo 3 >target/p && [[ -z $(cat ~/notes) ]]").Ends(t, 0)
			for i, path := range []string{w.Home + "/.cache/agent-code/p", w.Outside + "/p", w.Project + "/target/p"} {
				if got := harness.Read(t, path); got != string(rune('1'+i))+"\n" {
					t.Errorf("%s is %q", path, got)
				}
			}
		})
		t.Run("A-P2 without HOME nothing is guessed", func(t *testing.T) {
			homeless := w
			homeless.Set("HOME")
			homeless.Run(t, "true").Ends(t, 125).Says(t, "HOME is not a home directory")
		})
		t.Run("A-P3 a path that is a link, by both names", func(t *testing.T) {
			if err := errors.Join(os.Symlink(w.Outside, w.Top+"/linked"), os.Mkdir(w.Top+"/else", 0o755), os.Symlink(w.Top+"/else", w.Top+"/way")); err != nil {
				t.Fatal(err)
			}
			w.Give(t, w.Top)
			w = w.launch(t, "extends = [\"agent-code\"]\n[filesystem]\nwrite = [\"$W/linked\", \"$W/way/sub!\"]\n")
			w.bash(t, "echo 1 >"+w.Top+"/linked/one && echo 4 >"+w.Top+"/way/sub/four && echo 2 >"+w.Outside+"/two && ! echo 3 >"+w.Top+"/three").Ends(t, 0)
			if got := harness.Read(t, w.Outside+"/one") + harness.Read(t, w.Outside+"/two") + harness.Read(t, w.Top+"/else/sub/four"); got != "1\n2\n4\n" {
				t.Errorf("the host has %q", got)
			}
		})
		for text, want := range map[string]string{
			"write = [\"target\"]": "./ (the project)", "write = [\"~\"]": "home directory", "write = [\"\"]": "filesystem.write",
		} {
			_, err := w.plan(t, "extends = [\"agent-code\"]\n[filesystem]\n"+text)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", text, err)
			}
		}
	})
}
