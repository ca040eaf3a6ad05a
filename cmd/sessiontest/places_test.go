package sessiontest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		"to-file": "file", "to-outside": w.outside + "/file", "to-home": w.home + "/other", "to-sub": "sub", "dangling": "sub/absent",
		"../../.link": "dotfiles/link", "../../way": "code/p",
	} {
		if err := os.Symlink(target, filepath.Join(w.project, link)); err != nil {
			t.Fatal(err)
		}
	}
	w.give(t, w.dir)
}

// TestWhere compares each answer with what is there inside: the same file, or
// nothing of the host.
func TestWhere(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
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
		for path, want := range tests {
			expand := strings.NewReplacer("$P", w.project, "$O", w.outside, "$H", w.home, "$W", w.dir)
			path, want = expand.Replace(path), expand.Replace(want)
			if want == "" {
				w.run(t, "--sandbox-where", path).ends(t, 1).prints(t, "not visible\n")
				continue
			}
			w.run(t, "--sandbox-where", path).ends(t, 0).prints(t, want+"\n")
			if data, err := os.ReadFile(filepath.Join(w.project, path)); err == nil && !filepath.IsAbs(path) {
				w.run(t, "cat", want).ends(t, 0).prints(t, string(data))
			}
			w.bash(t, "[[ -e $0 || ! -e $1 ]]").ends(t, 0)
		}
		w.run(t, "--sandbox-where").ends(t, 125).says(t, "--sandbox-where names no path")
		w.launch(t, `extends = ["base"]`).run(t, "--sandbox-where", ".").ends(t, 125)
	})
}

// TestPlaces looks at a project and a home that have moved.
func TestPlaces(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.furnish(t)
		w = w.launch(t, moved)
		w.run(t, "pwd").ends(t, 0).prints(t, "/workspace\n")
		w.bash(t, `cd; pwd; printf '%s\n' ~ "$HOME"; getent passwd $UID | cut -d: -f6`).ends(t, 0).
			prints(t, strings.Repeat("/home/sandbox\n", 4))
		w.bash(t, "echo new >made; echo x >~/gone").ends(t, 0)
		if got := w.read(t, w.project+"/made"); got != "new\n" {
			t.Errorf("the project has %q", got)
		}
		if w.read(t, w.home+"/gone") != "" {
			t.Error("something was written to the host's home")
		}
		for _, place := range []string{w.project, w.home} {
			if r := w.run(t, "ls", place); r.status == 0 {
				t.Errorf("%s is there: %s", place, r.stdout)
			}
		}
		w.bash(t, "ls hidden build; cat hidden-file").ends(t, 0).prints(t, "build:\n\nhidden:\n")
		w.bash(t, "cat ~/moved ~/.link").ends(t, 0).prints(t, "outside\nhome/dotfiles/link\n")
	})
}

// TestPlacesFollow has variables and PATH that name what has moved.
func TestPlacesFollow(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		w.write(t, "home/bin/tool", "#!/bin/sh\necho tool\n")
		if err := os.Chmod(w.home+"/bin/tool", 0o755); err != nil {
			t.Fatal(err)
		}
		w.environment = append(w.environment, "MINE="+w.home+"/x", "OTHER="+w.outside, "WORK="+w.project)
		for i, e := range w.environment {
			if strings.HasPrefix(e, "PATH=") {
				w.environment[i] = e + ":" + w.home + "/bin:" + w.home + "/.secret/bin"
			}
		}
		w = w.launch(t, "extends = [\"base\"]\n[filesystem]\nread = [\"~/bin\"]\n[project]\nat = \"/workspace\"\n[home]\nat = \"/home/sandbox\"\n"+
			"[environment]\npass = [\"MINE\", \"OTHER\", \"WORK\"]\nset = { SET = { path = \"~/set\" }, TO = { path = \"./to\" } }\n")
		w.run(t, "tool").ends(t, 0).prints(t, "tool\n")
		w.bash(t, `echo "$MINE $OTHER $WORK $SET $TO ${PATH##*:}"`).ends(t, 0).
			prints(t, "/home/sandbox/x "+w.outside+" /workspace /home/sandbox/set /workspace/to /home/sandbox/bin\n")
	})
}

// TestPlacesHost replaces home in a read-only view of the host.
func TestPlacesHost(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		for i, e := range w.environment {
			if strings.HasPrefix(e, "PATH=") {
				w.environment[i] = e + ":/home/alice/bin:/tmp/bin:/root/bin:" + w.home + "/bin"
			}
		}
		w = w.launch(t, "extends = [\"base\"]\n[filesystem]\nbase = \"host\"\n[home]\nmode = \"empty\"\nat = \"/home/sandbox\"\n")
		w.run(t, "pwd").ends(t, 0).prints(t, w.project+"\n")
		w.bash(t, "echo $PATH | tr : '\\n' | grep -cx -e '/home.*' -e '/root.*' -e '/tmp.*' -e /usr/bin").prints(t, "1\n")
		w.bash(t, "echo $HOME; echo x >~/x && echo y >file; ls -A "+w.home).ends(t, 0).prints(t, "/home/sandbox\ncode\n")
		w.run(t, "cat", w.home+"/.ssh/id_test").ends(t, 1)
		w.run(t, "--sandbox-where", w.home+"/.ssh/id_test").ends(t, 1)
		w.run(t, "--sandbox-where", w.project+"/file").ends(t, 0).prints(t, w.project+"/file\n")
		w.run(t, "--sandbox-where", "/etc/hostname").ends(t, 0).prints(t, "/etc/hostname\n")
		if got := w.read(t, w.project+"/file"); got != "y\n" {
			t.Errorf("the project has %q", got)
		}
	})
}

func TestPlacesRefused(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		for text, want := range map[string]string{
			"[project]\nat = \"/w\"\n[home]\nat = \"/w/home\"":                                                "home.at: home would hide the project, which is at \"/w\"",
			"[project]\nat = \"/w\"\n[home]\nat = \"/w\"":                                                     "home.at: home would hide",
			"[filesystem]\nbase = \"host\"\n[home]\nmode = \"empty\"\nat = \"/w\"":                            "home.at: the host's root has no room for \"/w\"",
			"[filesystem]\nbase = \"host\"\n[home]\nmode = \"empty\"\nat = \"/home/s\"\n[project]\nat=\"/w\"": "project.at: the host's root has no room for \"/w\"",
		} {
			if _, err := w.plan(t, "extends = [\"base\"]\n"+text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s\ngot %v", text, err)
			}
		}
	})
}
