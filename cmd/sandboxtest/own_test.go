package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/plan"
)

// tamper tries to change files in all the ways that a directory's owner has, and writes control files.
const tamper = `
tamper() {
	local name
	for name; do
		echo evil >>"$name"
		mv -fT -- "$name" moved || rm -f -- "$name"
		cp /etc/passwd new && mv -fT new "$name"
		rm -f new
	done 2>/dev/null
	echo control >control
}
`

// TestOwnFiles: launchers, profiles and manifests cannot be changed from inside, wherever a writable
// directory shows them. A file next to them can.
func TestOwnFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, profile string
		dir           string // of the files
		setup         string
		inside        string // the directory inside, if it is another one
		above         string // directories that cannot be moved
	}{
		{name: "listed directory", profile: `filesystem.write = ["$O/w"]`, dir: "$O/w"},
		{name: "below a listed directory", profile: `filesystem.write = ["$O/w"]`, dir: "$O/w/a/b", above: "$O/w/a/b $O/w/a"},
		{name: "listed link", profile: `filesystem.write = ["$O/link"]`, dir: "$O/w/a", setup: `ln -s w "$O/link"`, inside: "$O/link/a", above: "$O/link/a"},
		{name: "by a link", profile: `filesystem.write = ["$O/w"]`, dir: "$O/link", setup: `mkdir -p "$O/w/a" && ln -s w/a "$O/link"`, inside: "$O/w/a", above: "$O/w/a"},
		{name: "at another path", profile: `filesystem.write = [{ path = "$O/w", at = "/mnt/w" }]`, dir: "$O/w/a", inside: "/mnt/w/a", above: "/mnt/w/a"},
		{name: "project", dir: "$P"},
		{name: "below the project", dir: "$P/tools", above: "$P/tools"},
		{name: "root of the project", profile: `project.root = "$O/w"`, dir: "$O/w/a", above: "$O/w/a"},
		{name: "cache", profile: `caches.mode = "write"`, dir: "$H/.cache/go-build/a", above: "$H/.cache/go-build/a"},
		{name: "host", profile: "filesystem.base = \"host\"\nfilesystem.write = [\"$O/w\"]", dir: "$O/w/a", above: "$O/w/a"},
		{name: "profile alone", profile: `filesystem.write = ["$O/w/one.toml", "$O/w/control"]`, dir: "$O/w"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			harness.Crossed(t, len(c.name), func(t *testing.T, s harness.Setting) {
				w := newWorld(t, s)
				dir, inside := w.expand(c.dir), w.expand(c.inside)
				if inside == "" {
					inside = dir
				}
				w.shell(t, c.setup+`
					mkdir -p "`+dir+`" "$O/w" && cd "`+dir+`"
					touch control && echo profile | tee one.toml two.toml launchers.toml >/dev/null && echo other >two`)
				l := w.launch(t, "") // it is written anew
				l.Program = filepath.Join(dir, "a launcher")
				w.Put(t, l.Program, w.Launcher(t, harness.Profile{
					Text: w.expand("extends = [\"default\"]\n" + c.profile), Visible: w.programs, Environment: w.environment(),
					Inputs: plan.Inputs{Beside: []string{"launchers.toml", "one.toml", "two", "two.toml"}},
				}))
				w.Give(t, w.Top)
				const sums = `{ cat "a launcher" one.toml two two.toml launchers.toml; ls; } | cksum`
				before := w.shell(t, `cd "`+dir+`" && `+sums)
				l.Run(t, "bash", "-c", tamper+`for d in `+w.expand(c.above)+`; do mv -T "$d" "$d.moved" 2>/dev/null && echo "$d"; done
					cd "`+inside+`" && tamper "a launcher" one.toml two two.toml launchers.toml`).Expect(t, "tampering", 0, "")
				if after := w.shell(t, `cd "`+dir+`" && `+sums); after != before {
					t.Errorf("something was changed: %s", w.shell(t, `cd "`+dir+`" && ls -la && head -n 3 *`))
				}
				w.shell(t, `grep -q control "`+dir+`/control"`)
			})
		})
	}
}

// TestOwnAbsent: what the command creates under the name of a launcher or profile that does not exist
// is moved aside.
func TestOwnAbsent(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "")
		w.shell(t, `mkdir "$O/w"`)
		w.Put(t, l.Program, w.Launcher(t, harness.Profile{
			Text: w.expand("extends = [\"default\"]\nfilesystem.write = [\"$O/w\"]"), Visible: w.programs, Environment: w.environment(),
			Inputs: plan.Inputs{Beside: []string{"outside/w/two"}},
		}))
		w.Give(t, w.Top)
		r := l.Run(t, "bash", "-c", w.expand("cd $O/w && echo evil | tee two three >/dev/null"))
		r.Says(t, w.Outside+"/w/two").Ends(t, 0)
		if got := w.shell(t, `cd "$O/w" && ls | sed 's/[0-9]*$//'`); got != "three\ntwo.untrusted-\n" {
			t.Errorf("there is %q", got)
		}
	})
}

// TestOwnLinkReplaced: a link through which launchers are made or started could be replaced in a writable
// directory, so that directory is refused.
func TestOwnLinkReplaced(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, w.expand("extends = [\"default\"]\nfilesystem.write = [\"$O/w\"]"))
		w.shell(t, `mkdir "$O/w" && ln -s ../../L "$O/w/link" && ln -s ../L "$O/link"`)
		w.Give(t, w.Top)
		l.Program = w.Outside + "/w/link"
		l.Run(t, "echo", "ran").Refused(t, "a link in a writable directory", "refusing to make "+w.Outside+"/w writable", "/w/link could be replaced")
		l.Program = w.Outside + "/link"
		l.Run(t, "echo", "ran").Expect(t, "a link elsewhere", 0, "ran\n")
	})
}

// TestOwnNeighbours: other launchers at the top of the project, or next to the one that runs, and the
// profiles that they name are protected without a manifest. Odd files there neither block nor slow the
// start, and can be changed.
func TestOwnNeighbours(t *testing.T) {
	t.Parallel()
	harness.Everywhere(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, w.expand("extends = [\"default\"]\nfilesystem.write = [\"$O/w\"]"))
		header := `#!/bin/bash -p
# Code generated by bwrapgen; DO NOT EDIT. Instead: bwrapgen generate `
		other := strings.Replace(header, "generate ", "generate --all all.toml", 1) + "\n"
		nested := header + "tools/profile.toml -o tools/box\n"
		w.Write(t, map[string]string{
			"text/two words": header + "two.toml -o 'two words'\n", "text/.dot": other, "text/-dash": other, "text/line\nfeed": other,
			"text/not a launcher": "#!/bin/bash\n# Code generated by bwrapgen; DO NOT EDIT\n", "text/nested": nested,
		})
		w.shell(t, `
			chmod +x "$H/../text/"{*,.dot}
			mkdir tools "$O/w"
			cp -a "$H/../text/"{two*,.dot,-dash,line*,not*} .
			cp -a "$H/../text/nested" tools/box
			cp -a "$H/../text/two words" "$O/w"
			touch two.toml all.toml tools/profile.toml Cargo.toml "$O/w/two.toml"
			mkfifo -m 777 fifo; truncate -s 1T sparse; chmod +x sparse
			cp "$H/../L" tools/L; mv "$H/../L" "$O/w/L"`)
		w.Give(t, w.Top)
		const sums = `cd "$P" && { for f in "two words" .dot ./-dash line* two.toml all.toml; do cat "$f"; done; ls two* .dot ./-dash line* all.toml
			cat tools/box tools/profile.toml "$O"/w/{L,two*}; ls tools/box tools/profile.toml "$O"/w/{L,two*}; } | cksum`
		before := w.shell(t, sums)
		in := func(program, script string) {
			l.Program = program
			l.Run(t, "bash", "-c", tamper+script).Succeeds(t, program)
		}
		in(w.Project+"/tools/L", `tamper "two words" .dot ./-dash line* two.toml all.toml tools/box tools/profile.toml
			for f in "not a launcher" sparse Cargo.toml; do echo changed >"$f" || exit; done; rm fifo`)
		in(w.Outside+"/w/L", w.expand(`cd $O/w && tamper L "two words" two.toml`))
		if after := w.shell(t, sums); after != before {
			t.Errorf("something was changed: %s", w.shell(t, `ls -la . tools "$O/w"`))
		}
		w.shell(t, `grep -q changed Cargo.toml && grep -q changed sparse && grep -q changed not* && grep control control "$O/w/control"`)
	})
}

// TestOwnProfiles: the user's profiles cannot be changed where a writable directory shows them.
func TestOwnProfiles(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"outside/settings/bwrapgen/profiles/mine.toml": "about = \"x\"\n", "outside/settings/tool/control": ""})
		l := w.launch(t, w.expand("extends = [\"default\"]\nfilesystem.write = [\"$O/settings\"]"))
		w.shell(t, `rm -rf "$H/.config" && ln -s "$O/settings" "$H/.config"`)
		w.Give(t, w.Top)
		l.Run(t, "bash", "-c", tamper+w.expand(`cd $O/settings/tool && tamper && cd ../bwrapgen/profiles && tamper mine.toml new.toml; mv $O/settings/bwrapgen $O/settings/old`))
		if got := w.shell(t, `cd "$O/settings" && ls . bwrapgen/profiles && cat bwrapgen/profiles/* tool/control`); got != ".:\nbwrapgen\ntool\n\nbwrapgen/profiles:\nmine.toml\nabout = \"x\"\ncontrol\n" {
			t.Errorf("there is %q", got)
		}
	})
}

// TestOwnStores: stores are not visible inside and never writable, also where a link leads to them, and
// whether or not the launcher has one.
func TestOwnStores(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, profile, links string
		refused              bool
	}{
		{name: "read", profile: `filesystem.read = ["$O/w"]`, links: `ln -s "$O/w" "$H/.local/state"`},
		{name: "read by another name", profile: `filesystem.read = ["$O/alias"]`, links: `ln -s "$O/w" "$H/.local/state"`},
		{name: "read at another path", profile: `filesystem.read = [{ path = "$O/w", at = "$O/alias" }]`, links: `rm "$O/alias"; ln -s "$O/w" "$H/.local/state"`},
		{name: "the directory itself", profile: `filesystem.read = ["$O/w"]`, links: `mkdir "$H/.local/state"; ln -s "$O/w/bwrapgen" "$H/.local/state"`},
		{name: "write", profile: `filesystem.write = ["$O/w"]`, links: `ln -s "$O/w" "$H/.local/state"`, refused: true},
		{name: "write by another name", profile: `filesystem.write = ["$O/alias"]`, links: `ln -s "$O/w" "$H/.local/state"`, refused: true},
		{name: "a writable link", profile: `filesystem.write = ["$O/l"]`, links: `ln -s "$O/w" "$O/l/state"; ln -s "$O/l/state" "$H/.local/state"; mv "$H/.local" "$O/l"; ln -s "$O/l/.local" "$H/.local"`, refused: true},
		{name: "in the project", links: `mv "$O/w" "$P/state"; ln -s "$P/state" "$H/.local/state"`, refused: true},
		{name: "host", profile: "filesystem.base = \"host\"\nhome.mode = \"host\"", links: `mv "$O/w" "$H/data"; ln -s ../data "$H/.local/state"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []string{"none", "keep"} {
				harness.Crossed(t, len(c.name+mode), func(t *testing.T, s harness.Setting) {
					w := newWorld(t, s)
					w.Write(t, map[string]string{"outside/w/bwrapgen/x/keep/file": secret, "outside/w/tool/file": "visible\n"})
					w.shell(t, `mkdir "$O/l"; ln -s w "$O/alias"; rm -rf "$H/.local/state"`)
					l := w.launch(t, w.expand("extends = [\"default\"]\ncaches.mode = \""+mode+"\"\n"+c.profile))
					w.shell(t, c.links)
					w.Give(t, w.Top)
					r := l.Run(t, "bash", "-c", w.expand(`cat {$O/{w,alias},$H/.local/state}/bwrapgen/x/keep/file; mkdir {$O/{w,alias},$H/.local/state}/bwrapgen/made; cat {$O/{w,alias},$H/.local/state}/tool/file | sort -u`))
					if c.refused {
						r.Refused(t, mode, "refusing to share", "XDG_STATE_HOME")
						return
					}
					r.Expect(t, mode, 0, "visible\n")
					w.shell(t, `! ls "$O"/w/bwrapgen/made 2>/dev/null`)
				})
			}
		})
	}
}
