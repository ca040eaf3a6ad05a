package sessiontest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

const moved = `extends = ["base"]
[project]
at = "/workspace"
hide = ["hidden", "hidden-file"]
[home]
at = "/home/sandbox"
[filesystem]
read = ["$O", { path = "$O/file", at = "~/moved" }, "~/.link?"]
empty = ["./build"]
`

// furnish fills a world with what is looked for.
func (w world) furnish(t *testing.T) {
	t.Helper()
	for _, name := range []string{"home/code/p/sub/file", "home/code/p/hidden/file", "home/code/p/hidden-file", "home/code/p/build/file", "home/dotfiles/link", "home/other/file"} {
		w.write(t, name, name+"\n")
	}
	for link, target := range map[string]string{
		"to-file": "file", "to-outside": w.Outside + "/file", "to-home": w.Home + "/other", "to-sub": "sub", "dangling": "sub/absent",
		"../../.link": "dotfiles/link", "../../way": "code/p",
	} {
		if err := os.Symlink(target, filepath.Join(w.Project, link)); err != nil {
			t.Fatal(err)
		}
	}
	w.Give(t, w.Top)
}

// TestWhere compares each answer with what is there inside: the same file, or
// nothing of the host.
func TestWhere(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w.furnish(t)
		w = w.launch(t, moved)
		tests := map[string]string{
			"$P": "/workspace", ".": "/workspace", "$P/": "/workspace", "$P/file": "/workspace/file", "file": "/workspace/file",
			"sub/../file": "/workspace/file", "./sub//file": "/workspace/sub/file", "$P/../p/file": "/workspace/file",
			"to-file": "/workspace/file", "to-sub/file": "/workspace/sub/file", "to-sub/../file": "/workspace/file",
			"$H/way/file": "/workspace/file", "$H/way/sub/..": "/workspace", "dangling": "/workspace/sub/absent",
			"new/file": "/workspace/new/file", "new/../file": "/workspace/file",
			"$O/file": "/home/sandbox/moved", "to-outside": "/home/sandbox/moved", "$O": "$O", "$O/new": "$O/new",
			"$H/.link": "/home/sandbox/.link", "$H/dotfiles/link": "/home/sandbox/.link",
			"/usr": "/usr", "/usr/bin/env": "/usr/bin/env", "/usr/bin/../lib": "/usr/lib",
			"hidden": "", "hidden/file": "", "hidden/new": "", "hidden-file": "", "build/file": "", "to-home/file": "",
			"$H": "", "$H/other/file": "", "$H/.ssh/id_test": "", "..": "", "../..": "", "/": "", "/tmp": "", "/proc/self": "",
			"/dev/null": "", "/etc/passwd": "", "/etc/shadow": "", "/absent": "", "$W": "", "/workspace": "", "/home/sandbox": "",
		}
		expand := strings.NewReplacer("$P", w.Project, "$O", w.Outside, "$H", w.Home, "$W", w.Top)
		held := map[string]string{}   // what files have to hold, inside
		var there []string            // what has to be there, inside
		var seen, unseen, at []string // what is visible, what is not, and where the one has to be
		for path, want := range tests {
			path, want = expand.Replace(path), expand.Replace(want)
			if want == "" {
				unseen = append(unseen, path)
				continue
			}
			seen, at = append(seen, path), append(at, want)
			if !filepath.IsAbs(path) {
				path = w.Project + "/" + path // not joined: "sub/.." may be another directory
			}
			if _, err := os.Stat(path); err == nil {
				there = append(there, want)
			}
			if data, err := os.ReadFile(path); err == nil && strings.HasPrefix(path, w.Top) {
				held[want] = string(data)
			}
		}
		where := func(paths []string) harness.Result {
			return w.Run(t, append([]string{"--sandbox-where"}, paths...)...)
		}
		where(seen).Ends(t, 0).Prints(t, strings.Join(at, "\n")+"\n")
		where(unseen).Ends(t, 1).Prints(t, strings.Repeat("not visible\n", len(unseen)))
		where([]string{".", "/absent", "file"}).Ends(t, 1).Prints(t, "/workspace\nnot visible\n/workspace/file\n")
		if len(there) < 8 || len(held) < 3 {
			t.Errorf("only %q are looked for, and only %q read", there, held)
		}
		w.bash(t, `for place in `+strings.Join(there, " ")+`; do [[ -e $place ]] || echo $place; done`).Ends(t, 0).Prints(t, "")
		files := slices.Sorted(maps.Keys(held))
		var reads []string
		for _, file := range files {
			reads = append(reads, "cat "+file)
		}
		for i, r := range w.replies(t, reads...) {
			if want := strings.TrimSuffix(held[files[i]], "\n"); r != (reply{0, want}) {
				t.Errorf("%s: %d, %q, and outside it is %q", files[i], r.status, r.said, want)
			}
		}
		w.Run(t, "--sandbox-where").Ends(t, 125).Says(t, "--sandbox-where needs a path")
		w.Run(t, "--sandbox-where", "").Ends(t, 125).Says(t, "not a path: ''")
		w.launch(t, `extends = ["base"]`).Run(t, "--sandbox-where", ".").Ends(t, 125)
	})
}

// TestPlaces looks at a project and a home that have moved.
func TestPlaces(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.furnish(t)
		w = w.launch(t, moved)
		w.Run(t, "pwd").Ends(t, 0).Prints(t, "/workspace\n")
		w.bash(t, `cd; pwd; printf '%s\n' ~ "$HOME"; getent passwd $UID | cut -d: -f6`).Ends(t, 0).
			Prints(t, strings.Repeat("/home/sandbox\n", 4))
		w.bash(t, "echo new >made; echo x >~/gone").Ends(t, 0)
		if got := harness.Read(t, w.Project+"/made"); got != "new\n" {
			t.Errorf("the project has %q", got)
		}
		if harness.Read(t, w.Home+"/gone") != "" {
			t.Error("something was written to the host's home")
		}
		for _, place := range []string{w.Project, w.Home} {
			if r := w.Run(t, "ls", place); r.Status == 0 {
				t.Errorf("%s is there: %s", place, r.Stdout)
			}
		}
		w.bash(t, "ls hidden build; cat hidden-file").Ends(t, 0).Prints(t, "build:\n\nhidden:\n")
		w.bash(t, "cat ~/moved ~/.link").Ends(t, 0).Prints(t, "outside\nhome/dotfiles/link\n")
	})
}

// TestPlacesFollow has variables and PATH that name what has moved.
func TestPlacesFollow(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w.write(t, "home/bin/tool", "#!/bin/sh\necho tool\n")
		if err := os.Chmod(w.Home+"/bin/tool", 0o755); err != nil {
			t.Fatal(err)
		}
		w.Set("MINE="+w.Home+"/x", "OTHER="+w.Outside, "WORK="+w.Project)
		w.Set("PATH=" + w.Path() + ":" + w.Home + "/bin:" + w.Home + "/.secret/bin")
		w = w.launch(t, "extends = [\"base\"]\n[filesystem]\nread = [\"~/bin\"]\n[project]\nat = \"/workspace\"\n[home]\nat = \"/home/sandbox\"\n"+
			"[environment]\npass = [\"MINE\", \"OTHER\", \"WORK\"]\nset = { SET = { path = \"~/set\" }, TO = { path = \"./to\" } }\n")
		w.Run(t, "tool").Ends(t, 0).Prints(t, "tool\n")
		w.bash(t, `echo "$MINE $OTHER $WORK $SET $TO ${PATH##*:}"`).Ends(t, 0).
			Prints(t, "/home/sandbox/x "+w.Outside+" /workspace /home/sandbox/set /workspace/to /home/sandbox/bin\n")
	})
}

// TestPlacesHost replaces home in a read-only view of the host.
func TestPlacesHost(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, w world) {
		w.Set("PATH=" + w.Path() + ":/home/alice/bin:/tmp/bin:/root/bin:" + w.Home + "/bin")
		w = w.launch(t, "extends = [\"base\"]\n[filesystem]\nbase = \"host\"\n[home]\nmode = \"empty\"\nat = \"/home/sandbox\"\n")
		w.Run(t, "pwd").Ends(t, 0).Prints(t, w.Project+"\n")
		w.bash(t, "echo $PATH | tr : '\\n' | grep -cx -e '/home.*' -e '/root.*' -e '/tmp.*' -e /usr/bin").Prints(t, "1\n")
		w.bash(t, "echo $HOME; echo x >~/x && echo y >file; ls -A "+w.Home).Ends(t, 0).Prints(t, "/home/sandbox\ncode\n")
		w.bash(t, `getent passwd "$(id -u)" | cut -d: -f6; ls -A /proc/self/fd | wc -l`).Ends(t, 0).Prints(t, "/home/sandbox\n4\n")
		w.Run(t, "cat", w.Home+"/.ssh/id_test").Ends(t, 1)
		w.Run(t, "--sandbox-where", w.Home+"/.ssh/id_test").Ends(t, 1)
		w.Run(t, "--sandbox-where", w.Project+"/file").Ends(t, 0).Prints(t, w.Project+"/file\n")
		w.Run(t, "--sandbox-where", "/etc/hostname").Ends(t, 0).Prints(t, "/etc/hostname\n")
		if got := harness.Read(t, w.Project+"/file"); got != "y\n" {
			t.Errorf("the project has %q", got)
		}
	})
}

func TestPlacesRefused(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		for text, want := range map[string]string{
			"[project]\nat = \"/w\"\n[home]\nat = \"/w/home\"":                                                "home.at: home would hide the project, which is at \"/w\"",
			"[project]\nat = \"/w\"\n[home]\nat = \"/w\"":                                                     "home.at: home would hide",
			"[filesystem]\nbase = \"host\"\n[home]\nmode = \"empty\"\nat = \"/w\"":                            "home.at: the host's root has no room for \"/w\"",
			"[filesystem]\nbase = \"host\"\n[home]\nmode = \"empty\"\nat = \"/home/s\"\n[project]\nat=\"/w\"": "project.at: the host's root has no room for \"/w\"",
		} {
			// /run is the sandbox's own, but no place for a project.
			if _, err := w.plan(t, "extends = [\"base\"]\n"+text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "/run") {
				t.Errorf("%s\ngot %v", text, err)
			}
		}
	})
}
