package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestElsewhere: if the caller's PATH finds a program of the project's tools, or the command, in a
// directory that the sandbox does not show, another version does not run unnoticed.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/code/p/package.json": "{}"})
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		of := filepath.Join(w.Home, ".nvm/versions/node/v22.1.0/bin")
		w.Put(t, filepath.Join(of, "node"), []byte(says("nvm")))
		said := "warning: the sandbox does not show " + of + "/node; to use it inside, add it to toolchains.use or filesystem.read\n"
		l.Set("PATH=" + of + ":" + w.path())
		got := l.Run(t, "sh", "-c", "echo ran")
		got.Expect(t, "elsewhere", 0, "ran\n")
		if !strings.HasSuffix(got.Stderr, said) || strings.Count(got.Stderr, "\n") != 1 {
			t.Errorf("a tool elsewhere: it says %q", got.Stderr)
		}
		w.Put(t, filepath.Join(w.Project, "bin/node"), []byte(says("first")))
		for name, path := range map[string]string{
			"not in PATH": w.path(), "another comes first": w.Project + "/bin:" + w.path() + ":" + of,
		} {
			l.Set("PATH=" + path)
			if got := l.Run(t, "sh", "-c", "echo ran"); got.Stderr != "" {
				t.Errorf("%s: it says %q", name, got.Stderr)
			}
		}
		shown := w.launch(t, `extends = ["default"]`)
		shown.Set("PATH=" + of + ":" + w.path())
		if got := shown.Run(t, "node"); got.Stdout != "nvm\n" || got.Stderr != "" {
			t.Errorf("shown: it says %q and %q", got.Stdout, got.Stderr)
		}

		// The command itself, whatever the project uses.
		w.Put(t, filepath.Join(w.Home, "tools/just"), []byte(says("just")))
		shown.Set("PATH=" + filepath.Join(w.Home, "tools") + ":" + w.path())
		got = shown.Run(t, "just")
		if got.Status != 127 || !strings.Contains(got.Stderr, "the sandbox does not show "+w.Home+"/tools/just; ") {
			t.Errorf("a command elsewhere: %d %q", got.Status, got.Stderr)
		}
		if got := shown.Run(t, "sh", "-c", "exit 127"); got.Status != 127 || got.Stderr != "" {
			t.Errorf("a command that is there: %d %q", got.Status, got.Stderr)
		}
	})
}

// TestProgramPaths: directories with a tool's programs are appended to PATH, as for cron, whose
// PATH is short. The newest of several versions comes first.
func TestProgramPaths(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/code/p/package.json": "{}"})
		var last string
		for _, version := range []string{"v18.1.0", "v22.1.0"} {
			last = filepath.Join(w.Home, ".nvm/versions/node", version, "bin")
			w.Put(t, filepath.Join(last, "trial-node"), []byte(says(version)))
		}
		w.Put(t, filepath.Join(w.Home, "go/bin/trial-go"), []byte(says("go")))
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		l.Set("PATH=" + s.Bwrap + ":/usr/bin:/bin")
		l.Run(t, "sh", "-c", "trial-node; trial-go").Expect(t, "under a short PATH", 0, "v22.1.0\ngo\n")
		l.Run(t, "sh", "-c", `case :$PATH: in *:/usr/bin:/bin:*/v22.1.0/bin:*/v18.1.0/bin:*) echo appended; esac`).Expect(t, "the order", 0, "appended\n")
		l.Set("PATH=" + filepath.Dir(filepath.Dir(last)) + "/v18.1.0/bin:" + w.path())
		l.Run(t, "trial-node").Expect(t, "the caller's choice", 0, "v18.1.0\n")
	})
}

// TestActiveEnvironment: the Python environment that is active at start-up is visible inside,
// wherever it is, and read-only outside the project.
func TestActiveEnvironment(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/code/p/pyproject.toml": ""})
		w.Give(t, w.Top)
		l := w.launch(t, `extends = ["default"]`)
		for _, at := range []string{"environments/a", ".venvs/a", "code/p/.venv"} {
			dir := filepath.Join(w.Home, at)
			w.Put(t, filepath.Join(dir, "bin/trial-python"), []byte(says(at)))
			w.Give(t, dir)
			l.Set("VIRTUAL_ENV="+dir, "PATH="+dir+"/bin:"+w.path())
			l.Run(t, "sh", "-c", `trial-python; echo "$VIRTUAL_ENV"`).Expect(t, at, 0, at+"\n"+dir+"\n")
			l.Run(t, "sh", "-c", `touch "$VIRTUAL_ENV/new" 2>/dev/null && echo changed || :`).
				Expect(t, at+", written to", 0, map[bool]string{true: "changed\n"}[at == "code/p/.venv"])
		}
		l.Set("VIRTUAL_ENV="+w.Home, "PATH="+w.path())
		l.Run(t, "sh", "-c", `ls -A ~/.ssh`).Refused(t, "home is not an environment", "refusing "+w.Home)
		l.Set("VIRTUAL_ENV")
		l.Run(t, "sh", "-c", `ls ~/environments 2>/dev/null || echo nothing`).Expect(t, "none is active", 0, "nothing\n")
	})
}

// TestAnywhere: a launcher that was made for any host, where there are no tools, shows
// those of a home with a layout of its own, and runs where there are none.
func TestAnywhere(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/code/p/package.json": "{}"})
		w.Give(t, w.Top)
		text := `extends = ["default"]`
		l := w.launch(t, text)
		w.Put(t, l.Program, w.Launcher(t, harness.Profile{Text: text, Visible: w.programs, Environment: w.environment(), Anywhere: true}))
		l.Run(t, "echo", "ran").Expect(t, "no tool is there", 0, "ran\n")
		for _, layout := range []struct{ bin, variable string }{
			{".nvm/versions/node/v22.1.0/bin", "NVM_DIR"}, {"data/nvm/versions/node/v20.1.0/bin", "NVM_DIR=" + w.Home + "/data/nvm"},
			{".volta/bin", "VOLTA_HOME"}, {".asdf/shims", "ASDF_DATA_DIR"},
		} {
			bin := filepath.Join(w.Home, layout.bin)
			w.Put(t, filepath.Join(bin, "trial-node"), []byte(says(layout.bin)))
			w.Give(t, w.Home)
			l.Set("PATH="+bin+":"+w.path(), layout.variable)
			l.Run(t, "trial-node").Expect(t, layout.bin, 0, layout.bin+"\n")
			l.Run(t, "sh", "-c", `{ echo changed >>"$(command -v trial-node)"; } 2>/dev/null || echo no`).
				Expect(t, layout.bin+", written to", 0, "no\n")
		}
	})
}
