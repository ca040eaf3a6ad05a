package sandboxtest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// asShell starts a shell in the place of the agent.
const asShell = "\ncommand = []\n"

// TestAgentLeavesUnusedNames: where an agent has never been, what its profile creates stays, marked
// by a sticky bit, readable by its owner alone, and empty to the agent. Nothing else stays, however a
// sandbox ends, and "stores prune" removes all of it.
func TestAgentLeavesUnusedNames(t *testing.T) {
	t.Parallel()
	for i, a := range agents() {
		if a.profile == "aider" {
			continue // it creates one directory, as claude-code does
		}
		t.Run(a.profile, func(t *testing.T) {
			t.Parallel()
			harness.Turn(t, i, func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				w.Write(t, map[string]string{"home/.config/README": "", "home/.local/share/README": "", "home/.local/state/README": "", "home/.cache/README": ""})
				w.Give(t, w.Home)
				l := w.launch(t, "extends = [\""+a.profile+"\"]"+asShell)
				const list = `cd "$H" && find . -path ./code -prune -o -path ./go -prune -o -path ./.local/state/bwrapgen -prune -o -printf "%m %p %s\n" | sed "/^1700/s/ [0-9]*$//" | sort`
				before := strings.Split(l.shell(t, list), "\n")
				created := func(when string) string {
					t.Helper()
					var all []string
					for line := range strings.Lines(l.shell(t, list)) {
						if line = strings.TrimSuffix(line, "\n"); !slices.Contains(before, line) {
							all = append(all, line)
						}
					}
					for _, line := range all {
						if !strings.HasPrefix(line, "1700 ") && !strings.HasPrefix(line, "1600 ") {
							t.Errorf("%s, the host has %q, which is not marked as created", when, line)
						}
					}
					return strings.Join(all, "\n")
				}
				try := `test -d "$HOME/` + a.state[0] + `"`
				l.Run(t, "sh", "-c", try).Succeeds(t, "alone")
				after := created("after one")
				if !strings.Contains(after, a.state[0]) {
					t.Errorf("the host has no %s: a first login would be lost", a.state[0])
				}
				first, second := l.waits(t), l.waits(t)
				if got := first.end(t); got != 0 {
					t.Errorf("the first of two: status %d", got)
				}
				second.write(t, try+" && echo tried")
				if got := second.end(t); got != 0 {
					t.Errorf("the second of two: status %d", got)
				}
				killed := l.waits(t)
				harness.Complete(t, killed.word)
				if err := killed.command.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				_ = killed.command.Wait()
				harness.Eventually(t, "a killed sandbox leaves no processes", func() bool { return len(harness.Running(t, killed.word)) == 0 })
				if again := created("after two and a kill"); again != after {
					t.Errorf("after two and a kill, the host has\n%s, and had\n%s", again, after)
				}
			})
		})
	}
}

// TestAgentAbsent: nothing is created for an agent that is not installed, and its directory is there
// once it is.
func TestAgentAbsent(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/.local/bin/README": "programs\n"})
		w.Give(t, w.Home)
		l := w.launch(t, `extends = ["claude-code"]`)
		l.Environment = harness.With(l.Environment, "PATH="+w.Home+"/.local/bin:"+w.path())
		if got := l.Run(t); got.Status != 127 || harness.Exists(filepath.Join(w.Home, ".claude")) {
			t.Errorf("without the agent: status %d, the host has ~/.claude: %v", got.Status, harness.Exists(filepath.Join(w.Home, ".claude")))
		}
		w.Put(t, filepath.Join(w.Home, ".local/bin/claude"), []byte("#!/bin/sh\necho login >~/.claude/.credentials.json\n"))
		w.Give(t, w.Home)
		l.Run(t).Succeeds(t, "the first login")
		if text, _ := os.ReadFile(filepath.Join(w.Home, ".claude/.credentials.json")); string(text) != "login\n" {
			t.Errorf("the host has the login %q", text)
		}
	})
}

// TestAgentLinkedSettings: settings in a repository of dotfiles are read-only inside, if the profile or
// the generation knows where the link leads. A link that leads elsewhere is refused: a command could
// have planted it.
func TestAgentLinkedSettings(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/dotfiles/settings.json": "{}\n", "home/.claude/README": "", "home/private/note": secret,
		})
		l := w.launch(t, "extends = [\"claude-code\"]"+asShell)
		l.shell(t, `ln -s ../dotfiles/settings.json "$H/.claude/settings.json"`)
		w.Give(t, w.Home)
		const do = `cat ~/.claude/settings.json; echo x >>~/.claude/settings.json || echo held; cat ~/.claude/launch.json`
		refused := func(l launcher, name string) {
			t.Helper()
			got := l.Run(t, "sh", "-c", do)
			if got.Status != 125 || !strings.Contains(got.Stderr, "refusing "+w.Home+"/.claude/"+name+": it leads to ") || strings.Contains(got.Stdout, secret) {
				t.Errorf("a link that is not known: status %d\n%s%s", got.Status, got.Stdout, got.Stderr)
			}
		}
		refused(l, "settings.json")
		l = w.launch(t, "extends = [\"claude-code\"]"+asShell)
		if got := l.Run(t, "sh", "-c", do); got.Stdout != "{}\nheld\n" {
			t.Errorf("a link that is known: inside is\n%s%s", got.Stdout, got.Stderr)
		}
		l.shell(t, `ln -s ../private/note "$H/.claude/launch.json"`)
		refused(l, "launch.json")
	})
}

// TestAgentKeeps: what the agent or the host puts where something was created stays.
func TestAgentKeeps(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/README": "a home\n"})
		w.Give(t, w.Home)
		l := w.launch(t, "extends = [\"claude-code\"]"+asShell)
		run := l.waits(t)
		l.shell(t, `echo x >"$H/.claude/hooks/own.sh"; echo '{"a":1}' >"$H/.claude/settings.json"; echo x >"$H/.claude/shell-snapshots/own"`)
		run.write(t, `echo y >~/.claude/history; echo tried`)
		if got := run.end(t); got != 0 {
			t.Errorf("status %d", got)
		}
		const want = ".claude/history\n.claude/hooks/own.sh\n.claude/settings.json\n.claude/shell-snapshots/own\n"
		const list = `cd "$H" && find .claude -type f ! -perm -1000 -o -name settings.json -o -name own | sort`
		for _, when := range []string{"after one", "after another"} {
			if got := l.shell(t, list); got != want {
				t.Errorf("%s, the host has\n%s", when, got)
			}
			l.Run(t, "true").Succeeds(t, when)
		}
		if got := l.shell(t, `cat "$H/.claude/settings.json"`); got != "{\"a\":1}\n" {
			t.Errorf("the host has the settings %s", got)
		}
	})
}

// TestAgentBackups: copies of an agent's login, and of what holds it, are as far away as
// the file that a profile keeps outside. The login itself is there.
func TestAgentBackups(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for profile, copies := range map[string][]string{
			"claude-code": {".claude/backups/.claude.json.backup.1"},
			"codex":       {".codex/auth.json.bak", ".codex/auth.json.20250101", ".codex/db-backups/state.sqlite"},
		} {
			w := newWorld(t, s)
			files := map[string]string{"home/.claude/.credentials.json": "login\n", "home/.codex/auth.json": "login\n"}
			for _, name := range copies {
				files["home/"+name] = secret
			}
			w.Write(t, files)
			w.Give(t, w.Home)
			l := w.launch(t, "extends = [\""+profile+"\"]"+asShell)
			for _, name := range copies {
				do := `cat ~/.c*/auth.json ~/.c*/.credentials.json; cat ~/` + name + `; echo planted >>~/` + name
				if got := l.Run(t, "sh", "-c", do); got.Stdout != "login\n" {
					t.Errorf("%s: inside is\n%s%s", name, got.Stdout, got.Stderr)
				}
				if text, _ := os.ReadFile(filepath.Join(w.Home, name)); string(text) != secret {
					t.Errorf("%s: the host has %q", name, text)
				}
			}
		}
	})
}

// TestAgentLinks: skills that a repository of dotfiles keeps are shown, and cannot be
// changed. A link to secrets, and one that a command can have led elsewhere, are not
// followed, and that is said.
func TestAgentLinks(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/.agents/skills/one/SKILL.md": "one\n", "home/dotfiles/skills/two/SKILL.md": "two\n", "home/.dotfiles/claude/three.md": "three\n",
			"home/private/four/SKILL.md": secret, "home/common/README": "", "home/.claude/skills/five/SKILL.md": "five\n", "home/.claude/commands/README": "",
		})
		l := w.launch(t, "extends = [\"claude-code\"]"+asShell)
		l.shell(t, `cd "$H/.claude/skills" && ln -s ../../.agents/skills/one one && ln -s ~/dotfiles/skills/two two && ln -s ../../.dotfiles/claude/three.md ../commands/three.md
			ln -s ../../.ssh ssh && ln -s "$H/private/four" "$H/common/four" && ln -s "$H/common/four" four && ln -s /nowhere nowhere`)
		w.Give(t, w.Home)
		got := l.Run(t, "sh", "-c", `cd ~/.claude && cat skills/*/SKILL.md commands/three.md; cat skills/ssh/* skills/four/*; echo x >>skills/one/SKILL.md || echo held`)
		if got.Stdout != "five\none\ntwo\nthree\nheld\n" {
			t.Errorf("inside is\n%s", got.Stdout)
		}
		for _, name := range []string{"ssh", "four"} {
			if !strings.Contains(got.Stderr, "/.claude/skills/"+name+" leads to ") {
				t.Errorf("nobody says that skills/%s is not shown:\n%s", name, got.Stderr)
			}
		}
		if strings.Count(got.Stderr, "leads to") != 2 {
			t.Errorf("it says\n%s", got.Stderr)
		}
		l.shell(t, `cat "$H/.claude/skills/four/SKILL.md" "$H/.claude/skills/ssh/"*`)
	})
}

// TestAgentWorktrees: an agent that works in a work tree beside its settings in the
// project can do so each time. The settings are held.
func TestAgentWorktrees(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for profile, dir := range map[string]string{"claude-code": ".claude", "gemini-cli": ".gemini", "qwen-code": ".qwen"} {
			w := newWorld(t, s)
			l := w.launch(t, "extends = [\""+profile+"\"]"+asShell)
			for _, name := range []string{"one", "two"} {
				l.Run(t, "git", "worktree", "add", "-q", dir+"/worktrees/"+name, "-b", name).Succeeds(t, profile+": the work tree "+name)
			}
			l.shell(t, `echo '{}' >`+dir+`/settings.json`)
			l.Give(t, l.Top)
			l.Run(t, "sh", "-c", `echo x >`+dir+`/worktrees/one/made-w && echo works; echo x >`+dir+`/settings.json || echo held`).Expect(t, profile, 0, "works\nheld\n")
		}
	})
}
