package sockettest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestReport makes files inside that the host would run, and others: the first
// are named at the end, and nothing else is.
func TestReport(t *testing.T) {
	t.Parallel()
	harness.Need(t, "git")
	everywhere(t, func(t *testing.T, p *place) {
		if got, err := p.run("git", "init", "-q", "deep/old"); err != nil {
			t.Fatal(got, err)
		}
		p.write(p.Project+"/sub/.envrc", "old")
		p.write(p.Project+"/deep/old/.envrc", "old")
		l := p.launcher("extends = [\"default\"]\n[project]\nroot = \"cwd\"\nreport = true\n")
		r := p.of(l).Run(t, "sh", "-c", `
			git init -q fresh && printf 'x' >fresh/.git/hooks/pre-commit
			printf x >>deep/old/.git/config
			touch -d 2001-01-01 deep/old/.envrc
			mkdir -p a/b/.vscode && echo x >a/b/.vscode/tasks.json
			git init -q --bare a/bare
			ln -s /tmp 'a/b/.bashrc'
			mkdir "$(printf 'a/\033[2J')" && echo x >"$(printf 'a/\033[2J/.envrc')"
			echo gitdir: ../fresh/.git >a/b/.git
			echo fine >main.go; echo fine >a/config; exit 7`).Ends(t, 7)
		got := r.Stdout + r.Stderr
		for _, name := range []string{
			"fresh/.git/hooks/pre-commit", "fresh/.git/config", "deep/old/.git/config", "deep/old/.envrc", "a/b/.vscode/tasks.json",
			"a/bare/config", "a/b/.bashrc", "a/b/.git",
		} {
			if !strings.Contains(got, "warning: "+p.Project+"/"+name+" is new or changed") {
				t.Errorf("%s is not named", name)
			}
		}
		if !strings.Contains(got, `?[2J/.envrc`) || strings.Contains(got, "\x1b") {
			t.Errorf("a name with control bytes: %q", got)
		}
		for _, name := range []string{"sub/.envrc", "main.go", "a/config", ".sample"} {
			if strings.Contains(got, name+":") {
				t.Errorf("%s is named", name)
			}
		}
		p.says("", l, "true")
	})
}

// TestReportLater makes what the host would run in two runs: the first lays it
// where the host does not look, and the second gives it its name.
func TestReportLater(t *testing.T) {
	t.Parallel()
	harness.Need(t, "git")
	everywhere(t, func(t *testing.T, p *place) {
		if got, err := p.run("git", "init", "-q", "deep/old"); err != nil {
			t.Fatal(got, err)
		}
		l := p.launcher("extends = [\"default\"]\n[project]\nroot = \"cwd\"\nreport = true\n")
		p.says("", l, "sh", "-c", `
			mkdir sub editor hooks bare bare/refs empty && echo x >editor/tasks.json && echo x >hooks/pre-commit && echo x >bare/config && echo x >bare/HEAD`)
		r := p.of(l).Run(t, "sh", "-c", `mv editor sub/.vscode; rm -r deep/old/.git/hooks; mv hooks deep/old/.git/hooks; mkdir bare/objects; mv empty sub/.idea`).Ends(t, 0)
		for _, name := range []string{"sub/.vscode", "deep/old/.git/hooks", "bare/objects"} {
			if !strings.Contains(r.Stderr, p.Project+"/"+name+" is new") {
				t.Errorf("%s is not named: %q", name, r.Stderr)
			}
		}
		if strings.Contains(r.Stderr, ".idea") {
			t.Errorf("an empty folder is named: %q", r.Stderr)
		}
		p.says("", l, "true")
	})
}

// TestReportBound buries a project's end: the search stops in time and says so.
func TestReportBound(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		l := p.launcher("extends = [\"default\"]\n[project]\nroot = \"cwd\"\nreport = true\n")
		p.write(p.Top+"/tools/timeout", "#!/bin/sh\nexit 124\n")
		got, err := p.covered(p.Top+"/tools/timeout", "/usr/bin/timeout", l, "true")
		if err != nil || !strings.Contains(got, "L: warning: the search for files that your tools may run automatically was cut short") {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

// TestReportQuiet: what git writes day by day, and what lies in directories with
// the names of such files, is not named; what git would run is, beside it.
func TestReportQuiet(t *testing.T) {
	t.Parallel()
	harness.Need(t, "git")
	everywhere(t, func(t *testing.T, p *place) {
		p.write(p.Home+"/.gitconfig", "[user]\n\tname = Somebody\n\temail = somebody@example.org\n")
		if got, err := p.run("sh", "-c", "git init -q && git init -q sub"); err != nil {
			t.Fatal(got, err)
		}
		l := p.launcher("extends = [\"default\"]\n[project]\nreport = true\n")
		const work = `echo x >file && git add file && git commit -qm first && git stash list && git checkout -q -b other
			mkdir -p config/deep && echo x >config/app.toml && echo x >config/deep/config && cd sub && git commit -q --allow-empty -m first`
		p.says("", l, "sh", "-c", work)
		r := p.of(l).Run(t, "sh", "-c", `echo . >sub/.git/commondir; git -C sub commit -q --allow-empty -m second`).Ends(t, 0)
		if r.Stderr != "L: warning: "+p.Project+"/sub/.git/commondir is new or changed, and your tools may run it automatically; inspect it\n" {
			t.Errorf("got %q", r.Stderr)
		}
	})
}
