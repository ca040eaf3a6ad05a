package sockettest

import (
	"os"
	"strings"
	"testing"
)

// TestReport makes files inside that the host would run, and others: the first
// are named at the end, and nothing else is.
func TestReport(t *testing.T) {
	need(t, "git")
	everywhere(t, func(t *testing.T, p *place) {
		if got, err := p.run("git", "init", "-q", "old"); err != nil {
			t.Fatal(got, err)
		}
		p.write(p.project+"/sub/.envrc", "old")
		p.write(p.project+"/old/.envrc", "old")
		l := p.launcher("extends = [\"default\"]\n[project]\nroot = \"cwd\"\nreport = true\n")
		got, err := p.run(l, "sh", "-c", `
			git init -q fresh && printf 'x' >fresh/.git/hooks/pre-commit
			printf x >>old/.git/config
			touch -d 2001-01-01 old/.envrc
			mkdir -p a/b/.vscode && echo x >a/b/.vscode/tasks.json
			git init -q --bare a/bare
			ln -s /tmp 'a/b/.bashrc'
			mkdir "$(printf 'a/\033[2J')" && echo x >"$(printf 'a/\033[2J/.zshrc')"
			echo gitdir: ../fresh/.git >a/b/.git
			echo fine >main.go; echo fine >a/config; exit 7`)
		if exit := exitStatus(err); exit != 7 {
			t.Errorf("exit status %d, not the command's", exit)
		}
		for _, name := range []string{
			"fresh/.git/hooks/pre-commit", "fresh/.git/config", "old/.git/config", "old/.envrc", "a/b/.vscode/tasks.json",
			"a/bare/config", "a/b/.bashrc", "a/b/.git",
		} {
			if !strings.Contains(got, "look at "+p.project+"/"+name+": ") {
				t.Errorf("%s is not named", name)
			}
		}
		if !strings.Contains(got, `\E[2J/.zshrc`) || strings.Contains(got, "\x1b") {
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

// TestReportBound buries a project's end: the search stops in time and says so.
func TestReportBound(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		l := p.launcher("extends = [\"default\"]\n[project]\nroot = \"cwd\"\nreport = true\n")
		os.MkdirAll(p.dir+"/tools", 0o755)
		p.write(p.dir+"/tools/timeout", "#!/bin/sh\nexit 124\n")
		os.Chmod(p.dir+"/tools/timeout", 0o755)
		got, err := p.covered(p.dir+"/tools/timeout", "/usr/bin/timeout", l, "true")
		if err != nil || !strings.Contains(got, "launcher: the search for files that the host would run was cut short") {
			t.Errorf("got %q, %v", got, err)
		}
	})
}
