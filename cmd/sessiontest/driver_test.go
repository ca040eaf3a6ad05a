package sessiontest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestDriver has what a program that drives commands relies on.
func TestDriver(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w.write(t, "home/code/p/sub/file", "")
		w = w.launch(t, strings.Replace(captured, "30KiB", "256KiB", 1))
		t.Run("R-C2 what may not be run says so", func(t *testing.T) {
			r, got := w.capture(t, "./file")
			if r.Ends(t, 126); !strings.Contains(r.Stdout, "Permission denied") || got.Status != 126 || got.Signal != nil {
				t.Errorf("%q, %+v", r.Stdout, got)
			}
			r, got = w.capture(t, "exit 255")
			if r.Ends(t, 255); got.Status != 255 || got.Signal != nil {
				t.Errorf("%+v", got)
			}
		})
		t.Run("R-C3 the working directory is kept", func(t *testing.T) {
			below := w
			below.Dir = w.Project + "/sub"
			r, _ := below.capture(t, "pwd")
			r.Ends(t, 0).Prints(t, w.Project+"/sub\n")
		})
		t.Run("R-C9 100 KiB come whole", func(t *testing.T) {
			r, got := w.capture(t, "head -c 102400 /dev/zero | tr '\\0' x")
			if r.Ends(t, 0); r.Stdout != strings.Repeat("x", 102400) || *got.OutputBytes != 102400 || *got.OmittedBytes != 0 {
				t.Errorf("%d bytes, %+v", len(r.Stdout), got)
			}
		})
		t.Run("R-C7 no working directory", func(t *testing.T) {
			gone := w
			gone.Program, gone.Words = "/bin/bash", []string{"-c", `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"`, w.Program}
			gone.Run(t, "--sandbox-capture", "echo", "ran").Refused(t, "a directory that is gone", "the working directory was removed")
		})
	})
}

// TestDriverAborts ends a launcher: what the command said until then comes.
func TestDriverAborts(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w = w.launch(t, captured)
		var said strings.Builder
		file := w.write(t, "home/r", "of an earlier run")
		c := w.Command(t.Context(), "--sandbox-capture", "--sandbox-report", file, "--", "bash", "-c", "echo out; echo err >&2; : >ready; exec sleep 300", filepath.Base(w.Top))
		c.Stdout, c.Stderr = &said, &said
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		harness.Eventually(t, "the command has spoken", func() bool { return harness.Exists(w.Project + "/ready") })
		harness.Complete(t, filepath.Base(w.Top))
		if err := c.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if _ = c.Wait(); said.String() != "out\nerr\n" {
			t.Errorf("R-C6: it said %q", said.String())
		}
		if got := harness.Read(t, file); got != "" {
			t.Errorf("the report of an earlier run is still there: %q", got)
		}
		harness.Eventually(t, "nothing runs on", func() bool { return len(harness.Running(t, filepath.Base(w.Top))) == 0 })
	})
}

// TestPikuriRefuses has what pikuri-code refuses to build a sandbox from.
func TestPikuriRefuses(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w.Set("XDG_RUNTIME_DIR=" + w.Top + "/runtime")
		for text, want := range map[string]string{
			"write = [\"/\"]":                         "filesystem.write",
			"write = [\"~\"]":                         "home directory",
			"write = [\"/var\"]":                      "system directory",
			"read = [\"/run\"]":                       "/run",
			"read = [\"/var/run/docker.sock\"]":       "docker.sock",
			"read = [\"/run/containerd\"]":            "containerd",
			"read = [\"$XDG_RUNTIME_DIR/podman?\"]":   "podman",
			"read = [\"/var/lib/lxd\"]":               "lxd",
			"read = [\"~/.m2\"]":                      "maven's",
			"read = [\"~/.gradle\"]":                  "gradle's",
			"write = [\"~/.cargo/credentials.toml\"]": "credentials.toml",
			"overlay = [\"~/.ssh\"]":                  ".ssh",
		} {
			_, err := w.plan(t, "extends = [\"pikuri\"]\n[filesystem]\n"+text)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "hint: ") {
				t.Errorf("%s: want a refusal that names %s, got %v", text, want, err)
			}
		}
		if _, err := w.plan(t, "extends = [\"pikuri\"]\n[filesystem]\nread = [\"$O\"]\nwrite = [\"~/.m2/repository\"]\n"); err != nil {
			t.Errorf("what holds no secret is refused: %v", err)
		}
		w = w.launch(t, "extends = [\"pikuri\"]\n[project]\nroot = \"$P\"\n")
		for _, home := range []string{w.Project, w.Project + "/sub", "/"} {
			w.Set("HOME=" + home)
			w.Run(t, "true").Ends(t, 125).Says(t, "hint: ")
		}
	})
}

// TestPikuriLower compares the caches of the host, byte for byte, with what they
// were before a session.
func TestPikuriLower(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		for _, name := range []string{"home/.m2/repository/a/b", "home/.cargo/registry/index/c", "home/go/pkg/mod/d"} {
			w.write(t, name, name+"\n")
		}
		const state = `cd && find .m2 .cargo go -printf '%p %y %m %s %T@\n' -type f -exec sha256sum {} \;`
		before := w.outside(t, state).Ends(t, 0).Stdout
		w = w.launch(t, "extends = [\"pikuri\"]\n[toolchains]\nuse = [\"maven\", \"cargo\", \"go\"]\n")
		w.bash(t, `cd; echo x >>.m2/repository/a/b && rm -r .cargo/registry/index && chmod 600 go/pkg/mod/d && mv go/pkg/mod/d go/pkg/mod/e && touch -d 2000-01-01 .m2/repository/a`).Ends(t, 0)
		w.bash(t, `cd; cat .m2/repository/a/b go/pkg/mod/e; ls .cargo/registry`).Ends(t, 0).Prints(t, "home/.m2/repository/a/b\nx\nhome/go/pkg/mod/d\n")
		if after := w.outside(t, state).Ends(t, 0).Stdout; after != before {
			t.Errorf("the host has\n%s\nand had\n%s", after, before)
		}
		w.Run(t, "--sandbox-end").Ends(t, 0)
		w.vanishes(t)
	})
}

// TestNothingLeft compares all of the host's world with what it was before.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	each(t, ends, func(t *testing.T, w world, name string) {
		const state = `find $W ! -path '*/.local*' ! -path '*/.cache*' -printf '%p %y %m %s\n' | sort`
		before := w.outside(t, state).Ends(t, 0).Stdout
		w.bash(t, `mkdir -p ~/.new/sub /tmp/d /var/tmp/d; echo x >/tmp/x; echo x >~/x; :`).Ends(t, 0)
		if after := w.outside(t, state).Ends(t, 0).Stdout; after != before {
			t.Errorf("the host has\n%s\nand had\n%s", after, before)
		}
		if name == "pikuri" {
			w.Run(t, "--sandbox-end").Ends(t, 0)
			w.vanishes(t)
		}
	})
}

// TestOddNames has projects whose names shells stumble over. With each profile, one
// account has every other of them.
func TestOddNames(t *testing.T) {
	t.Parallel()
	each(t, once, func(t *testing.T, w world, name string) {
		if name == "agent-code" {
			return // it moves nothing; other tests have such names there
		}
		home := map[bool]string{true: "/workspace"}[name == "public-bot"]
		for i, odd := range []string{"a b", `q"uote`, "it's", "[a]*", `back\slash`, "new\nline", "\xff\xfe", "-dash", "$(touch made)", "co:lon,comma", "~", "trailing ", "%s%n", "a=b", "--tmpfs"} {
			if !w.Has(t, i+len(name)) {
				continue
			}
			dir := filepath.Join(w.Home, "work", odd)
			if err := os.MkdirAll(dir+"/.git", 0o755); err != nil {
				t.Fatal(err)
			}
			w.Put(t, dir+"/"+odd, []byte("odd\n"))
			w.Give(t, dir)
			w.Dir = dir
			at := home
			if at == "" {
				at = dir
			}
			w.Run(t, "--sandbox-where", "./"+odd).Ends(t, 0).Prints(t, at+"/"+odd+"\n")
			w.Run(t, "--sandbox-capture", "--sandbox-report", w.Home+"/r"+odd, "--", "bash", "-c", `cat "./$0" && printf %s "$PWD"`, odd).Ends(t, 0).Prints(t, "odd\n"+at)
			if got := harness.Read(t, w.Home+"/r"+odd); !strings.Contains(got, fmt.Sprintf(`"output_bytes":%d,`, len("odd\n"+at))) {
				t.Errorf("%q: the report is %q", odd, got)
			}
		}
	})
}
