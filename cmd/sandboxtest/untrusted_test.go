package sandboxtest

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestNoGitOutside: no launcher starts git outside a sandbox, neither at start-up nor on exit,
// whatever the command has left. Every git that starts outside writes a line to a log, which is not
// visible inside; git status outside is the control.
func TestNoGitOutside(t *testing.T) {
	t.Parallel()
	layouts := map[string]func(t *testing.T, l *launcher){
		"plain": func(*testing.T, *launcher) {}, "linked worktree": worktree, "submodule": submodule,
	}
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for layout, prepare := range layouts {
			w := newWorld(t, s)
			w.shell(t, `git config core.hooksPath tools/hooks && git config --global core.excludesFile '~/.ignored'
				git add .envrc && git commit -qm protected && git checkout -qb made-other && echo 2 >.envrc && git commit -qam other && git checkout -q main`)
			w.Give(t, w.Top)
			log, wrapper := filepath.Join(w.Outside, "log"), filepath.Join(w.Outside, "bin/git")
			w.Put(t, wrapper, []byte("#!/bin/sh\n[ ! -e '"+log+"' ] || echo \"git $*\" >>'"+log+"'\nexec /usr/lib/git-core/git \"$@\"\n"))
			for _, profile := range []string{"default", "claude-code", "pikuri"} {
				l := w.launch(t, "extends = [\""+profile+"\"]\ncommand = []")
				prepareOnce(t, &l, profile == "default", layout, prepare)
				w.Put(t, log, nil)
				plain := l.Start
				l.Set("PATH=" + filepath.Dir(wrapper) + ":" + s.Path())
				l.Start = l.InNamespace(`mount --bind "$1" /usr/bin/git`, wrapper)
				for _, do := range []string{
					`true`,
					`git checkout -q made-other; git commit -q --allow-empty -m made; true`,
					`g=$(git rev-parse --absolute-git-dir); mkdir evil; cp -r .git/refs evil; printf '[core]\n\tfsmonitor = touch %s/ran; false\n' "$PWD" >evil/config; echo ../evil >$g/commondir; touch $g/index $g/HEAD; true`,
					`true`,
				} {
					l.Run(t, "bash", "-c", do)
				}
				if got := harness.Read(t, log); got != "" {
					t.Errorf("%s, %s: git outside: %s", layout, profile, got)
				}
				if harness.Exists(filepath.Join(w.Project, "ran")) {
					t.Errorf("%s, %s: the command's program ran", layout, profile)
				}
				control := l.Start
				for i, word := range control.Words {
					if word == plain.Program {
						control.Words[i] = "git"
					}
				}
				control.Run(t, "status")
				if got := harness.Read(t, log); got != "git status\n" {
					t.Errorf("the control is not in the log: %q", got)
				}
			}
		}
	})
}

// prepareOnce lays out the project for the first launcher of a world, and leads the others there.
func prepareOnce(t *testing.T, l *launcher, first bool, layout string, prepare func(t *testing.T, l *launcher)) {
	t.Helper()
	if first {
		prepare(t, l)
	} else if layout == "linked worktree" {
		l.Dir = l.linked()
	}
}

// TestCannotRemove: if the launcher cannot remove a file that git would trust, it names the file and the
// command's status, and exits with 125. The control: the file is still there.
func TestCannotRemove(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		if s.UID == 0 {
			t.Skip("root may write to any directory")
		}
		for _, c := range []struct{ name, do, left string }{
			{"a directory without write access", `echo ../evil >.git/commondir; chmod 0555 .git; exit 3`, "/.git/commondir"},
			{"a link in a directory without write access", `mkdir .git/x && ln -s y .git/x/y && chmod 0555 .git/x; exit 3`, "/.git/x/y"},
			{"a directory that cannot be read", `mkdir .git/x && ln -s y .git/x/y && chmod 0311 .git/x; exit 3`, "/.git/x"},
			{"a directory that cannot be entered", `mkdir -p .git/x/z && ln -s y .git/x/z/y && chmod 0 .git/x; exit 3`, "/.git/x"},
			{"a repository that cannot be entered", `ln -s y .git/y && chmod 0 .git; exit 3`, "/.git"},
			{"alternates", `mkdir -p .git/objects/info && echo /x >.git/objects/info/alternates && chmod 0555 .git/objects/info; exit 3`, "/.git/objects/info/alternates"},
		} {
			w := newWorld(t, s)
			l := w.launch(t, `extends = ["default"]`)
			r := l.Run(t, "bash", "-c", c.do)
			r.Ends(t, 125).Says(t, "\nL:   "+w.Project+c.left+"\n").Says(t, "the command's own exit status was 3")
			if !harness.Exists(w.Project + "/.git") {
				t.Fatal("the repository is gone")
			}
			w.shell(t, `chmod -R u+rwX .git; test -e .git/commondir -o -e .git/objects/info/alternates -o -L .git/y -o -L .git/x/y -o -L .git/x/z/y`)
		}
	})
}

// TestReadsEnd: whatever kind of file the command leaves where the launcher looks or reads, its run
// ends, and so does the next start, be it with an error.
func TestReadsEnd(t *testing.T) {
	t.Parallel()
	kinds := map[string]string{
		"a named pipe": `mkfifo "$n"`, "a sparse file": `truncate -s 1T "$n"`, "line feeds": `yes '' | head -c 5M >"$n"`,
		"a directory": `mkdir "$n"`, "a link to a device": `ln -s /dev/zero "$n"`, "a link to itself": `ln -s "${n##*/}" "$n"`,
		"an option": `printf -- '--output=%s/ran\n' "$O" >"$n"`, "a setting": `printf '[include]\npath = -\nhooksPath' >"$n"`,
	}
	number := 0
	for kind, make := range kinds {
		number++
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			harness.Turn(t, number, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				l := w.launch(t, `extends = ["default"]`)
				for _, name := range []string{
					"HEAD", "commondir", ".git/commondir", ".git/config.worktree", ".git/objects/info/alternates", ".git/logs/HEAD", ".git/index",
					".git/modules/x/config", ".git/modules/x/HEAD", ".git/worktrees/x/gitdir", ".git/worktrees/x/commondir", ".git/HEAD", "sub/.git",
				} {
					w.shell(t, `cp -a .git ../saved`)
					r := l.Run(t, "bash", "-c", `n=`+name+` O=`+w.Outside+`; mkdir -p "${n%/*}" objects 2>/dev/null; rm -rf "$n"; `+make+`; touch .git/index; true`)
					if r.Status != 0 {
						t.Errorf("%s: status %d: %s", name, r.Status, r.Stderr)
					}
					if r := l.Run(t, "true"); r.Status != 0 && (r.Status != 125 || r.Stderr == "") {
						t.Errorf("%s: the next start: status %d: %s", name, r.Status, r.Stderr)
					}
					w.shell(t, `rm -rf HEAD* commondir* objects .git && mv ../saved .git && git checkout -qf .`)
					w.Give(t, w.Top)
				}
				if harness.Exists(filepath.Join(w.Outside, "ran")) {
					t.Error("a file outside was written")
				}
			})
		})
	}
}

// TestBesideHostileRun: a hostile run at the same time keeps an honest one neither from ending nor from
// removing files that git would trust.
func TestBesideHostileRun(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		hostile := l.Command(t.Context(), "bash", "-c", `mkfifo .git/x; cp -r .git/refs evil; printf '[core]\n\tfsmonitor = touch %s/ran; false\n' "$PWD" >evil-config
			echo ready; while :; do echo ../evil >.git/commondir; ln -sfT /x .git/x2; touch .git/index .git/HEAD; sleep 0.01; done`)
		output := harness.Begin(t, hostile, "ready")
		for range 5 {
			r := l.Run(t, "bash", "-c", "sleep 0.05; exit 7")
			if r.Status != 7 && r.Status != 125 {
				t.Errorf("status %d: %s", r.Status, r.Stderr)
			}
			if harness.Exists(filepath.Join(w.Project, "ran")) {
				t.Fatal("the hostile command's program ran")
			}
		}
		_ = hostile.Process.Kill()
		_, _ = io.Copy(io.Discard, output) // until nothing of it is left
		_ = hostile.Wait()
	})
}

// TestDescriptors: the command inherits no descriptor from the caller, whatever its number. If too few can
// be open, the launcher runs the command or says why it does not. The control: without a sandbox, the
// descriptor is inherited.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for _, fd := range []int{3, 9, 10, 63, 254, 255, 256, 300} {
			open := fmt.Sprintf(`exec %d<../../../outside/file; `, fd)
			read := fmt.Sprintf(`cat /proc/self/fd/%d 2>/dev/null; true`, fd)
			l.from(t, open+`"$L" bash -c '`+read+`'`).Expect(t, fmt.Sprint("inside, descriptor ", fd), 0, "")
			l.from(t, open+`bash -c '`+read+`'`).Expect(t, fmt.Sprint("outside, descriptor ", fd), 0, "outside\n")
		}
		l.from(t, `exec 255<"$L" 254<"$L"; "$L" bash -c 'ls /proc/self/fd | tr "\n" " "'`).Expect(t, "the launcher itself", 0, "0 1 2 3 ")
		l.from(t, `"$L" cat <(echo pipe)`).Expect(t, "a pipe that an argument names", 0, "pipe\n")
		for limit := 4; limit < 40; limit++ {
			r := l.from(t, fmt.Sprintf(`ulimit -n %d; exec "$L" sh -c 'echo ran; exit 7'`, limit))
			ran := r.Status == 7 && r.Stdout == "ran\n"
			if !ran && (r.Status == 0 || r.Stdout != "" || r.Stderr == "") {
				t.Errorf("with %d descriptors: status %d, %q, %q", limit, r.Status, r.Stdout, r.Stderr)
			}
			if limit > 32 && !ran {
				t.Errorf("with %d descriptors it does not run: %s", limit, strings.TrimSpace(r.Stderr))
			}
		}
	})
}
