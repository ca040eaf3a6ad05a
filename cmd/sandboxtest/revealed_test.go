package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestRevealed: A11, the most specific path wins: what is listed below something
// hidden is shown, and no more.
func TestRevealed(t *testing.T) {
	t.Parallel()
	rows := []claim{
		{"write above it", `echo x >data/made`},
		{"what is hidden", `! cat data/in/secret`},
		{"write to it", `! echo x >data/in/made`},
		{"its names", `test "$(ls data/in | tr '\n' ' ')" = "empty file key part view writable "`},
		{"a part", `grep content data/in/part/file`},
		{"write to the part", `! echo x >data/in/part/made`},
		{"a file", `grep content data/in/file`},
		{"hidden in the part", `! cat data/in/part/deep/secret`},
		{"shown in that", `grep content data/in/part/deep/open/file`},
		{"write where it is writable", `echo x >data/in/writable/made`},
		{"empty", `touch data/in/empty/made && test ! -e data/in/empty/file`},
		{"a view", `grep -e content -e changed data/in/view/file && echo changed >data/in/view/file && grep changed data/in/view/file`},
		{"rename it", `! mv data/in data/in2`},
		{"a credential", `grep key data/in/key && ! echo x >data/in/key`},
	}
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		for _, name := range []string{"file", "part/file", "part/deep/open/file", "writable/file", "empty/file", "view/file"} {
			w.Write(t, map[string]string{"home/data/in/" + name: "content\n"})
		}
		w.Write(t, map[string]string{"home/data/in/secret": secret, "home/data/in/part/deep/secret": secret, "outside/key": "key\n"})
		w.shell(t, `chmod 600 "$O/key"`)
		w.Give(t, w.Top)
		for _, base := range []string{"select", "host"} {
			l := w.launch(t, `extends = ["default"]
[filesystem]
base = "`+base+`"
write = ["~/data", "~/data/in/writable"]
hide = ["~/data/in", "~/data/in/part/deep"]
read = ["~/data/in/part", "~/data/in/file", "~/data/in/absent?", "~/data/in/part/deep/open"]
empty = ["~/data/in/empty"]
overlay = ["~/data/in/view"]
credential = [{ path = "`+w.Outside+`/key", at = "~/data/in/key", why = "a test" }]`)
			l.holds(t, base, rows)
			if out := w.shell(t, `cat "$H/data/in/view/file" "$H/data/made" "$H/data/in/writable/made"; ls -A "$H/data" "$H/data/in/empty"`); strings.Join(strings.Fields(out), " ") != "content x x "+w.Home+"/data: in made "+w.Home+"/data/in/empty: file" {
				t.Errorf("%s: on the host: %s", base, out)
			}
		}
	})
}

// TestRevealedProject: a project that lies below something hidden is shown, with
// its repository, and nothing beside it.
func TestRevealedProject(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `git worktree add -q ../tree && git worktree add -q ../another`)
		w.Give(t, w.Top)
		for _, base := range []string{"select", "host"} {
			l := w.launch(t, "extends = [\"default\"]\n[filesystem]\nbase = \""+base+"\"\nhide = [\"~/code\"]")
			const look = `cat "$H/code/other/file" 2>/dev/null; echo x >"$H/code/made" 2>/dev/null; echo made >made-x && git commit -qm c --allow-empty && git worktree prune -nv 2>&1 && git worktree prune && git worktree list | wc -l`
			for _, at := range []string{w.Project, w.Home + "/code/tree"} {
				l.Dir = at
				l.Run(t, "sh", "-c", "H="+w.Home+"; "+look).Expect(t, base+": "+at, 0, "3\n")
				l.Run(t, "sh", "-c", "! echo evil 2>/dev/null >>\"$(git rev-parse --git-common-dir)/config\"").Expect(t, base+": config at "+at, 0, "")
			}
			l.Dir = w.Home + "/code"
			l.Run(t, "echo", "ran").Refused(t, base+": what is hidden", "refusing "+w.Home+"/code", "hides "+w.Home+"/code")
		}
	})
}

// TestHiddenWorktrees: git inside does not take a worktree that the profile
// hides for gone, which would break it.
func TestHiddenWorktrees(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, profile string }{
		{"shown", `filesystem.read = ["~/code"]`},
		{"below what is shown", "[filesystem]\nread = [\"~/code\"]\nhide = [\"~/code/tree\"]"},
		{"not shown", "filesystem.hide = [\"~/code/tree\"]"},
		{"above what is shown", "[filesystem]\nbase = \"host\"\nhide = [\"~/code\"]\nread = [\"~/code/tree/file\"]"},
		{"in the project", `project.hide = ["inside/", "deep"]`},
	}
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `for at in ../tree inside deep/er; do git worktree add -q "$at" && echo content >"$at/file"; done`)
		w.Give(t, w.Top)
		for _, row := range rows {
			l := w.launch(t, "extends = [\"default\"]\n"+row.profile)
			l.Run(t, "sh", "-c", `git worktree prune -nv 2>&1 && git worktree prune && git worktree list | wc -l`).Expect(t, row.name, 0, "4\n")
		}
		w.shell(t, `for at in ../tree inside deep/er; do git -C "$at" status >/dev/null; done`)
	})
}

// TestParentReadOnly: a file or worktree that the command creates beside the project fails, instead
// of vanishing with the sandbox. In the project, in home and in /tmp it succeeds.
func TestParentReadOnly(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		for what, do := range map[string]string{
			"a file beside the project": `! echo x >../made`,
			"a directory beside it":     `! mkdir ../made`,
			"a worktree beside it":      `! git worktree add -q ../made`,
			"in the project":            `echo x >made && git worktree add -q inside && git -C inside log -1`,
			"in home":                   `echo x >~/made && git worktree add -q ~/tree && git -C ~/tree log -1`,
			"in /tmp":                   `echo x >/tmp/made && git worktree add -q /tmp/apart && git -C /tmp/apart log -1`,
		} {
			l.Run(t, "sh", "-c", do).Succeeds(t, what)
		}
		w.shell(t, `[ -e made ] && git -C inside log -1 && [ ! -e ../made ] && [ ! -e ~/made ] && [ ! -e ~/tree ]`)
	})
}

// TestRevealedRepository: a file .git in the project can lead below what is
// hidden there; that is not shown for it.
func TestRevealedRepository(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `mkdir secrets && git init -q secrets/r && mv .git ../git && echo "gitdir: secrets/r/.git" >.git && echo `+secret+` >secrets/r/.git/key && git -C secrets/r config user.name `+secret+`.in.config`)
		w.Give(t, w.Top)
		const read = `cat secrets/r/.git/key 2>/dev/null; grep -o "[^ ]*in.config" secrets/r/.git/config 2>/dev/null; echo ran`
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nhide = [\"~/data\"]").Run(t, "sh", "-c", read).Expect(t, "control", 0, secret+"\n"+secret+".in.config\nran\n")
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nhide = [\"~/data\"]\n[project]\nhide = [\"secrets/\"]").Run(t, "sh", "-c", read).Expect(t, "hidden", 0, "ran\n")
		w.Write(t, map[string]string{"home/code/p/secrets/pub/file": "content\n"})
		w.Give(t, w.Top)
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nread = [\"./secrets/pub\"]\n[project]\nhide = [\"secrets/\"]").Run(t, "sh", "-c", "cat secrets/pub/file; "+read).Expect(t, "beside what is shown", 0, "content\nran\n")
	})
}

// TestRevealedSecret: in the host base, what the profile names with a reason is
// shown, and no other secret.
func TestRevealedSecret(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		const read = `cat ~/.ssh/known_hosts ~/.netrc ~/.ssh/id_test ~/.aws/credentials 2>/dev/null; ls ~/.ssh; true`
		w.Write(t, map[string]string{"home/.ssh/known_hosts": "hosts\n"})
		w.Give(t, w.Top)
		profile := func(read string) string {
			return "extends = [\"default\"]\n[filesystem]\nbase = \"host\"\nread = [" + read + "]"
		}
		w.launch(t, profile("")).Run(t, "sh", "-c", read).Expect(t, "none", 0, "")
		w.launch(t, profile(`{ path = "~/.ssh/known_hosts", why = "fetches" }, { path = "~/.netrc", why = "logs in" }`)).
			Run(t, "sh", "-c", read).Expect(t, "two", 0, "hosts\n"+secret+"known_hosts\n")
	})
}

// TestRevealedLink: in the host base dotfiles are hidden, but not what a link that
// is listed leads to there. A secret that such a link leads to stays hidden.
func TestRevealedLink(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/dotfiles/git/.gitconfig": "[user]\nname = Reader\n", "home/dotfiles/sh/.profile": "start\n",
			"home/dotfiles/aws/.aws/credentials": secret, "home/dotfiles/.ssh/id": secret,
		})
		w.shell(t, `cd "$H" && rm -rf .aws .gitconfig && ln -s dotfiles/git/.gitconfig . && ln -s dotfiles/aws/.aws . && ln -s dotfiles/.ssh dotfiles/link`)
		w.Give(t, w.Top)
		const read = `git config user.name; cat ~/dotfiles/sh/.profile ~/.aws/credentials ~/dotfiles/aws/.aws/credentials ~/.config/git/ignore ~/dotfiles/.ssh/id 2>/dev/null; touch ~/dotfiles/git/x ~/.gitconfig 2>/dev/null || echo read-only`
		for _, home := range []string{"host", "empty"} {
			l := w.launch(t, "extends = [\"default\"]\n[filesystem]\nbase = \"host\"\n[home]\nmode = \""+home+"\"")
			l.Run(t, "sh", "-c", read).Expect(t, home, 0, "Reader\nread-only\n")
			l.Run(t, "--sandbox-explain", w.Home+"/.gitconfig").Expect(t, home, 0, w.Home+"/.gitconfig: read-only\n")
		}
		w.shell(t, `cd "$H" && mkdir -p .config/git && ln -s ../../dotfiles/aws/.aws/credentials .config/git/ignore`)
		w.Give(t, w.Top)
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nbase = \"host\"").Run(t, "sh", "-c", read).Expect(t, "a secret", 0, "Reader\nread-only\n")
	})
}
