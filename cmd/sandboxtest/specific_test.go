package sandboxtest

import (
	"fmt"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestSpecific: A11, the most specific path wins, whatever lies within what.
func TestSpecific(t *testing.T) {
	t.Parallel()
	rows := []claim{
		{"write", `echo x >d/made`},
		{"read in write", `! echo x >d/read/made && grep content d/read/file`},
		{"write in read in write", `echo x >d/read/write/made`},
		{"read in that", `! echo x >d/read/write/read/made && grep content d/read/write/read/file`},
		{"empty in read", `test -z "$(ls d/read/empty)" && touch d/read/empty/made`},
		{"empty in write", `test ! -e d/empty/file && touch d/empty/made`},
		{"read in empty", `! echo x >d/empty/read/made && grep content d/empty/read/file`},
		{"view in read", `grep content d/read/view/file && echo changed >d/read/view/file`},
		{"view", `grep content v/file && echo changed >v/other`},
		{"read in view", `! echo x >v/read/made && grep content v/read/file`},
		{"write in view", `echo x >v/write/made`},
		{"read in that", `! echo x >v/write/read/made && grep content v/write/read/file`},
		{"empty in view", `test -z "$(ls v/empty)" && touch v/empty/made`},
		{"read in a cache", `! echo x >go/pkg/mod/read/made && grep content go/pkg/mod/read/file && echo x >go/pkg/mod/made`},
		{"a launcher below", `! echo x >>d/bin/L && echo x >d/bin/made`},
		{"empty beside a launcher", `test -z "$(ls d/bin/empty)" && touch d/bin/empty/made`},
	}
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		for _, base := range []string{"select", "host", "host, behind links"} {
			base, linked := strings.CutSuffix(base, ", behind links")
			w := newWorld(t, s)
			for _, at := range []string{"d/read", "d/read/write", "d/read/write/read", "d/read/empty", "d/read/view", "d/empty", "d/empty/read", "d/bin/empty", "v", "v/read", "v/write", "v/write/read", "v/empty", "go/pkg/mod/read"} {
				w.Write(t, map[string]string{"home/" + at + "/file": "content\n"})
			}
			l := w.launch(t, `extends = ["default"]
[filesystem]
base = "`+base+`"
read = ["~/d/read", "~/d/read/write/read", "~/d/empty/read", "~/v/read", "~/v/write/read", "~/go/pkg/mod/read"]
write = ["~/d", "~/d/read/write", "~/v/write"]
empty = ["~/d/read/empty", "~/d/empty", "~/d/bin/empty", "~/v/empty"]
overlay = ["~/v", "~/d/read/view"]
[toolchains]
use = ["go"]`)
			w.shell(t, `mv "$H/../L" "$H/d/bin/L"`)
			l.Program = w.Home + "/d/bin/L"
			if linked {
				w.shell(t, `mv "$H/d" "$H/v" "$O" && ln -s "$O/d" "$O/v" "$H"`)
			}
			w.Give(t, w.Top)
			l.holds(t, fmt.Sprintf("%s, links: %v", base, linked), rows)
			made := w.shell(t, `cd "$H" && find -L d v go -name made | sort; cat d/read/view/file; ls v`)
			if got, want := strings.Join(strings.Fields(made), " "), "d/bin/made d/made d/read/write/made v/write/made content empty file read write"; got != want {
				t.Errorf("%s, links: %v: on the host: %s, want %s", base, linked, got, want)
			}
		}
	})
}

// TestSpecificProject: what the profile lists as read-only stays so where the
// project holds it, also where the host's root is shown.
func TestSpecificProject(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		for _, base := range []string{"select", "host"} {
			text := "extends = [\"default\"]\n[filesystem]\nbase = \"" + base + "\"\n"
			const write = `echo x >>docs/made && echo wrote`
			w.Write(t, map[string]string{"home/code/p/docs/file": "content\n"})
			w.Give(t, w.Top)
			w.launch(t, text).Run(t, "sh", "-c", write).Expect(t, base+": control", 0, "wrote\n")
			if r := w.launch(t, text+`read = ["~/code/p/docs"]`).Run(t, "sh", "-c", write); r.Status == 0 || !strings.Contains(r.Stderr, "Read-only") {
				t.Errorf("%s: status %d: %s%s", base, r.Status, r.Stdout, r.Stderr)
			}
		}
	})
}

// TestProjectListed: what the profile lists as read-only is no writable project.
func TestProjectListed(t *testing.T) {
	t.Parallel()
	const entries = "extends = [\"default\"]\n[filesystem]\n"
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.shell(t, `ln -s code "$H/link"`)
		w.Give(t, w.Top)
		for _, list := range []string{`read = ["~/code"]`, `read = ["~/code"]` + "\n" + `write = ["~/code/p"]`} {
			w.launch(t, entries+list).Run(t, "touch", "made").Succeeds(t, "the project is more specific than "+list)
		}
		for _, list := range []string{"~/code/p", "~/link/p"} {
			w.launch(t, entries+"read = [\""+list+"\"]").Run(t, "true").Ends(t, 125).Says(t, "the profile lists it as read-only")
		}
		w.launch(t, "extends = [\"default\"]\n[filesystem]\nread = [\"~/code/p\"]\n[project]\naccess = \"read\"").Run(t, "sh", "-c", "! touch other").Succeeds(t, "as the hint says")
	})
}

// TestSpecificWrite: what the profile lists as writable is so where a project that
// may not be changed holds it, and what lies there as read-only is not.
func TestSpecificWrite(t *testing.T) {
	t.Parallel()
	rows := []struct{ name, profile, seen string }{
		{"control", "", "p p/out p/out/kept"},
		{"write in a read-only project", "write = [\"~/code/p/out\"]\nread = [\"~/code/p/out/kept\"]\n[project]\naccess = \"read\"", "p/out"},
		{"write in an overlaid project", "write = [\"~/code/p/out\"]\nread = [\"~/code/p/out/kept\"]\n[project]\naccess = \"overlay\"", "p/out"},
	}
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		for _, row := range rows {
			w := newWorld(t, s)
			w.Write(t, map[string]string{"home/code/p/out/kept/file": "content\n"})
			w.shell(t, `rm -rf "$H/code/p/.git/hooks"`)
			w.Give(t, w.Top)
			r := w.launch(t, "extends = [\"default\"]\n[filesystem]\n"+row.profile).Run(t, "sh", "-c", `for d in . out out/kept; do echo x >$d/made; done 2>/dev/null; cat out/kept/file`)
			r.Expect(t, row.name, 0, "content\n")
			if seen := strings.Fields(w.shell(t, `cd "$H/code" && find . -name made -printf '%P\n' | xargs -r dirname | sort`)); strings.Join(seen, " ") != row.seen {
				t.Errorf("%s: written on the host: %q, want %q", row.name, seen, row.seen)
			}
		}
	})
}
