package sessiontest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// preset is a profile, and what is asked in it.
type preset struct {
	profile, dir string
	question
}

// TestReloadedViews asks of real sandboxes what the tests of
// reloaded-code-bubblewrap ask of its builder.
func TestReloadedViews(t *testing.T) {
	t.Parallel()
	for _, p := range []preset{
		{`extends = ["base"]`, "$P", question{"R-T1 by default places are the host's, home is empty, variables are dropped",
			`[[ $PWD == $P && $HOME == $H && ! -e ~/.ssh && -z ${SECRET_TOKEN-} ]]`, ""}},
		{"extends = [\"public-bot\"]\n[tmp]\nmode = \"keep\"\n[environment]\nset = { FOO = \"bar\" }\n[network]\nmode = \"host\"\n[filesystem]\nwrite = [\"$O\"]", "$P",
			question{"R-T2 a preset can be changed", `[[ $FOO == bar && $PWD == /workspace && $HOME == /home/sandbox ]] && echo x >$O/cache && echo x >/tmp/x`, `[[ -e $O/cache && ! -e $P/cache && -z ${FOO-} ]]`}},
		{`extends = ["public-bot"]`, "$P/sub", question{"R-T17 a directory below the project", `[[ $PWD == /workspace/sub && -e ../sub/file ]]`, ""}},
		{`extends = ["public-bot"]`, "$P", question{"R-T18 one place of the host is writable",
			`places=$(awk '{for (i = 7; $i != "-"; i++);} $5 !~ "^/(dev|proc)(/|$)" && $6 ~ "^rw" && $(i + 1) != "tmpfs" {print $5}' /proc/self/mountinfo | sort -u) && [[ $places == /workspace ]]`, ""}},
		{`extends = ["public-bot"]`, "$P", question{"R-T18 PATH, home and shell are those of the sandbox",
			`[[ :$PATH: == *:/usr/bin:* && $HOME == /home/sandbox && $BASH == /*/bash ]] && [[ ! -e $H ]]`, ""}},
		{"extends = [\"trusted-maintenance\"]\n[project]\nroot = \"$P\"", "/usr/bin", question{"R-T19 started in the system, it works in its project", `[[ $PWD == $P && -e /usr/bin/env && -e /etc/passwd && -d /var ]]`, ""}},
		{"extends = [\"public-bot\"]\n[filesystem]\nread = [\"$O\"]", "$P", question{"R-T20 what is shown besides keeps its path", `[[ $(cat $O/file) == outside ]] && ! echo x >$O/file`, ""}},
		{"extends = [\"public-bot\"]\n[filesystem]\nlink = { \"/programs\" = \"usr/bin\", \"~/tools\" = \"/usr/lib\" }\nempty = [\"/data\"]", "$P", question{"R10 R23 links and empty directories",
			`[[ $(readlink /programs) == usr/bin && -x /programs/env && $(readlink ~/tools) == /usr/lib && -z $(ls -A /data) ]] && echo x >/data/x`, ""}},
		{`extends = ["pikuri"]`, "$P/sub", question{"R-T22 without another place nothing is rewritten", `[[ $PWD == $P/sub ]]`, `[[ $PWD == $P/sub ]]`}},
	} {
		t.Run(p.name, func(t *testing.T) {
			ends(t, func(t *testing.T, w world) {
				w.write(t, "home/code/p/sub/file", "")
				w.Set("SECRET_TOKEN=secret")
				w = w.launch(t, p.profile)
				w.Dir = w.expand(p.dir)
				w.answers(t, []question{p.question})
				w.controls(t, []question{p.question})
			})
		})
	}
}

// TestReloadedPresets has the differences of both presets, and what they share.
func TestReloadedPresets(t *testing.T) {
	t.Parallel()
	ends(t, func(t *testing.T, w world) {
		w.Set("SECRET_TOKEN=secret")
		all := []struct {
			name, script    string
			public, trusted bool
		}{
			{"R-T8 the host's root", `[[ -d /var/lib && -e /etc/hostname ]]`, false, true},
			{"R-T8 a file over shadow", `[[ -e /etc/shadow ]]`, false, true},
			{"R-T8 the network", `[[ "` + namespaces(t) + `" == *" $(readlink /proc/self/ns/net)" ]]`, false, true},
			{"R-T8 a root for caches", `echo x >"${XDG_CACHE_HOME:?}/x"`, false, true},
			{"R-T8 the caller's variables", `[[ -n ${SECRET_TOKEN-} ]]`, false, false},
			{"R-T8 credentials", `cat $H/.ssh/id_test`, false, false},
			{"R-T8 the project", `echo x >made`, true, true},
			{"R-T8 a directory of the host in /home", `[[ -d $H/.ssh && -n $(ls -A $H/.ssh) ]]`, false, false},
		}
		var scripts []string
		for _, d := range all {
			scripts = append(scripts, w.expand(d.script))
		}
		public := w.launch(t, `extends = ["public-bot"]`).replies(t, scripts...)
		trusted := w.launch(t, `extends = ["trusted-maintenance"]`).replies(t, scripts...)
		for i, d := range all {
			t.Run(d.name, func(t *testing.T) {
				if p := public[i]; (p.status == 0) != d.public {
					t.Errorf("public-bot: %d, %s", p.status, p.said)
				}
				if m := trusted[i]; (m.status == 0) != d.trusted {
					t.Errorf("trusted-maintenance: %d, %s", m.status, m.said)
				}
			})
		}
	})
}

// TestReloadedPath gives trusted-maintenance a PATH of all kinds.
func TestReloadedPath(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		if err := os.MkdirAll(w.Home+"/.nix-profile/bin", 0o755); err != nil {
			t.Fatal(err)
		}
		w.Give(t, w.Top)
		w.Set("PATH=/tmp:" + w.Home + "/.nix-profile/bin:/run/user/1000/bin:/opt/tool/bin:/opt/tool/absent:" + w.Outside + ":" + w.Path())
		w = w.launch(t, `extends = ["trusted-maintenance"]`)
		w.Start = w.InNamespace(`
			mount -t tmpfs none /opt
			mount -t tmpfs none /run
			mkdir -p /opt/tool/bin /run/user/1000/bin`)
		got := ":" + strings.TrimSpace(w.bash(t, "echo $PATH").Ends(t, 0).Stdout) + ":"
		for _, lost := range []string{"/tmp", w.Home + "/.nix-profile/bin", "/run/user/1000/bin", "/opt/tool/absent", w.Outside} {
			if strings.Contains(got, ":"+lost+":") {
				t.Errorf("R-T10: PATH has %s: %s", lost, got)
			}
		}
		for _, kept := range []string{"/opt/tool/bin", "/usr/bin"} {
			if !strings.Contains(got, ":"+kept+":") {
				t.Errorf("R-T10: PATH lacks %s: %s", kept, got)
			}
		}
	})
}

// TestReloadedErrors has what cannot be: each is said, with what to do.
func TestReloadedErrors(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		for name, p := range map[string][]string{
			"R-T5 the name of a variable": {"[environment]\nset = { \"BAD=NAME\" = \"x\" }", "test.toml", "environment.set", "BAD=NAME"},
			"R-T5 an empty one":           {"[environment]\nset = { \"\" = \"x\" }", "environment.set"},
			"R-T5 a value":                {"[environment]\nset = { A = \"x\\u0000\" }", "environment.set", "NUL"},
			"R-T7 a relative place":       {"[project]\nat = \"workspace\"", "project.at", "workspace"},
		} {
			t.Run(name, func(t *testing.T) {
				_, err := w.plan(t, "extends = [\"public-bot\"]\n"+p[0])
				for _, want := range p[1:] {
					if err == nil || !strings.Contains(err.Error(), want) {
						t.Errorf("%q is not in: %v", want, err)
					}
				}
			})
		}
		t.Run("R-T7 a project that is no directory", func(t *testing.T) {
			w.launch(t, "extends = [\"public-bot\"]\n[project]\nroot = \"$P\"\n").Run(t, "true").Ends(t, 0)
			for _, root := range []string{w.Outside + "/absent", w.Outside + "/file"} {
				w.launch(t, "extends = [\"public-bot\"]\n[project]\nroot = \""+root+"\"\n")
				w.Run(t, "true").Refused(t, root, root, "project.root")
			}
		})
	})
}

// TestReloadedBwrap has a bwrap that fails, and then is mended.
func TestReloadedBwrap(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, `extends = ["public-bot"]`)
		stub := w.Top + "/stub"
		w.Put(t, stub+"/bwrap", []byte("#!/bin/sh\necho 'bwrap: Cannot create new namespace: blocked by policy' >&2\nexit 1\n"))
		w.Give(t, stub)
		w.Set("PATH=" + stub + ":/usr/bin:/bin")
		t.Run("R-T6 R-T12 its words reach the caller, and nothing is run", func(t *testing.T) {
			r := w.Run(t, "touch", w.Project+"/ran").Says(t, "Cannot create new namespace: blocked by policy")
			r.Refused(t, "a bwrap that fails", "L: ")
			if harness.Exists(w.Project + "/ran") {
				t.Error("it has run all the same")
			}
		})
		t.Run("R-T14 no failure is remembered", func(t *testing.T) {
			if err := os.Remove(stub + "/bwrap"); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(w.Bwrap+"/bwrap", stub+"/bwrap"); err != nil {
				t.Fatal(err)
			}
			w.Run(t, "touch", "ran").Ends(t, 0)
		})
	})
}

// TestShell starts one where PATH has none, and where it has.
func TestShell(t *testing.T) {
	t.Parallel()
	each(t, once, func(t *testing.T, w world, name string) {
		bin := w.Top + "/bin"
		w.Put(t, w.Home+"/bin/bash", []byte("#!/bin/sh\necho the wrong one\n"))
		if err := os.Mkdir(bin, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(w.Bwrap+"/bwrap", bin+"/bwrap"); err != nil {
			t.Fatal(err)
		}
		paths := []string{w.Path()}
		if name == "public-bot" || name == "trusted-maintenance" { // they filter PATH
			paths = append(paths, bin, "/usr/local/sbin:"+bin, w.Home+"/bin:"+bin+":/usr/local/sbin")
		}
		for _, path := range paths {
			w.Set("PATH="+path, "SHELL=") // SHELL would decide
			for _, words := range [][]string{nil, {"--sandbox-shell"}} {
				r := w.RunWith(t, strings.NewReader("echo $BASH; exit 7\n"), words...)
				if r.Ends(t, 7); !slices.Contains([]string{"/bin/bash\n", "/usr/bin/bash\n"}, r.Stdout) {
					t.Errorf("R-T13 R-T21: with %s it is %q", path, r.Stdout)
				}
			}
		}
	})
}
