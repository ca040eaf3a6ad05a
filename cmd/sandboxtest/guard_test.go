package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestMisled: a variable that names no place of the tool's own shows nothing
// of what is there, and one that an own entry follows is refused.
func TestMisled(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `ln -s / "$H/root" && ln -s "$H" "$O/home-link" && mkdir -p "$H/go/bin" "$H/.claude"`)
		w.Give(t, w.Top)
		tools := w.launch(t, `extends = ["default"]`)
		agent := tools
		agent.Program = filepath.Join(w.Top, "agent")
		w.Put(t, agent.Program, w.generate(t, "command = []\nextends = [\"claude-code\"]"))
		for _, value := range []string{"/", w.Home, w.Top, w.Home + "/root", w.Outside + "/home-link", "/proc", "/dev", "/sys", "/proc/self/root", "", "relative"} {
			l := tools
			l.Environment = harness.With(l.Environment, "GOBIN="+value, "GOROOT="+value)
			if r := l.Run(t, "cat", filepath.Join(w.Home, ".ssh/id_test"), filepath.Join(w.Outside, "file")); strings.Contains(r.Stdout, secret) || strings.Contains(r.Stdout, "outside") || r.Status == 0 {
				t.Errorf("GOBIN=%s shows %q, %d", value, r.Stdout, r.Status)
			}
			agent.Environment = harness.With(tools.Environment, "CLAUDE_CONFIG_DIR="+value)
			r := agent.Run(t, "true")
			misled := strings.HasPrefix(value, "/") && value != "/" // which counts as unset
			if refused := r.Status == 125 && strings.Contains(r.Stderr, "refusing"); refused != misled {
				t.Errorf("CLAUDE_CONFIG_DIR=%s: %d, %s", value, r.Status, r.Stderr)
			}
			if harness.Exists(filepath.Join(w.Home, "agents")) {
				t.Fatalf("CLAUDE_CONFIG_DIR=%s: something was made in the home directory", value)
			}
		}
	})
}

// TestMisledToSecrets: a variable that moves a tool's directory to a directory of home that may hold
// credentials, to one above or below it, or to a link to it, is refused. This includes all names
// with a dot that the policy does not list. Other directories are shown.
func TestMisledToSecrets(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir -p "$H/.ssh/keys" "$H/.ssh-not" "$H/.config/tool" "$H/.local/share" "$H/mod/m"
			touch "$H/mod/m/file"; ln -s "$H/.ssh" "$H/innocent"; ln -s "$H/.ssh/keys" "$O/keys"; ln -s "$H/.config" "$H/configuration"`)
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		for _, name := range []string{"GOMODCACHE", "GOROOT", "GOCACHE"} {
			for _, at := range []string{".ssh", ".ssh/", ".ssh/keys", ".ssh/../.gnupg", ".aws", ".config", ".local/share", ".local", ".ssh-not", "innocent", "innocent/keys", "../outside/keys", "configuration"} {
				m := l
				m.Environment = harness.With(l.Environment, name+"="+w.Home+"/"+at)
				m.Run(t, "echo", "ran").Refused(t, name+"=~/"+at, "refusing "+w.Home+"/"+at+": ")
			}
			for _, at := range []string{"mod", ".cache/tool", "absent"} {
				m := l
				m.Environment = harness.With(l.Environment, name+"="+w.Home+"/"+at)
				m.Run(t, "echo", "ran").Expect(t, name+"=~/"+at, 0, "ran\n")
			}
		}
		gopath := func(at string) launcher {
			m := l
			m.Environment = harness.With(l.Environment, "GOPATH="+w.Home+"/"+at)
			return m
		}
		refused := func() {
			for _, at := range []string{".ssh", ".config", ".local", "innocent"} {
				gopath(at).Run(t, "echo", "ran").Refused(t, "GOPATH=~/"+at, "refusing "+w.Home+"/"+at+"/pkg/mod: ")
			}
		}
		refused() // although these do not exist
		gopath("mod").Run(t, "echo", "ran").Expect(t, "GOPATH=~/mod", 0, "ran\n")
		w.shell(t, `for d in code/go .local/share/go .ssh .config .local; do mkdir -p "$H/$d/pkg/mod"; echo mine >"$H/$d/pkg/mod/m"; done`)
		w.Give(t, w.Top)
		for _, at := range []string{"code/go", ".local/share/go"} {
			gopath(at).Run(t, "sh", "-c", `cat "$GOPATH"/pkg/mod/m`).Expect(t, "GOPATH=~/"+at, 0, "mine\n")
		}
		refused()
		l.Environment = harness.With(l.Environment, "GOMODCACHE="+w.Home+"/mod", "GOPATH", "XDG_CONFIG_HOME="+w.Home+"/.config", "XDG_DATA_HOME="+w.Home+"/.local/share")
		l.Run(t, "ls", w.Home+"/mod/m").Expect(t, "a cache that was moved", 0, "file\n")
	})
}

// TestProjectNames: a directory in home with a dot before its name is a project
// only as a git work tree, or where caches are.
func TestProjectNames(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["look"]`)
		w.shell(t, `mkdir -p "$H/.config/editor" "$H/.cache/x" && git init -q "$H/.config/tracked" && mkdir "$H/.config/tracked/below"`)
		w.Give(t, w.Top)
		for at, shown := range map[string]bool{".ssh": false, ".config": false, ".config/editor": false, ".config/tracked/below": true, ".cache/x": true} {
			l.Dir = w.Home + "/" + at
			if r := l.Run(t, "echo", "ran"); shown {
				r.Expect(t, at, 0, "ran\n")
			} else {
				r.Refused(t, at, "refusing to share "+l.Dir+": hidden directories in home often hold credentials", "git work tree")
			}
		}
		for _, at := range []string{".config", ".local", ".local/share"} {
			w.shell(t, `git init -q ~/`+at)
			w.Give(t, w.Home)
			l.Dir = w.Home + "/" + at
			l.Run(t, "true").Refused(t, at+", as a work tree", "refusing to share "+l.Dir)
		}
		for _, at := range []string{"/dev/shm", "/run/media", "/usr/src", "/usr/local/src", "/var/tmp"} {
			within := l.InNamespace(`[ -d "$1" ] || { mount -t tmpfs none "${1%/*}" && mkdir "$1"; }; mount -t tmpfs none "$1" && mkdir "$1/p" && cd "$1/p"`, at)
			within.Run(t, "echo", "ran").Expect(t, "below "+at, 0, "ran\n")
		}
	})
}
