package probe_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"bwrapgen/gen/host"
	"bwrapgen/gen/probe"
)

// TestGit: the files and programs that git's settings name are found, those of a file that
// is included under a condition, too; and what is absent, relative or no path is not.
func TestGit(t *testing.T) {
	home := t.TempDir()
	for name, text := range map[string]string{
		".gitconfig": `
[core]
	excludesFile = ~/ignored
	attributesFile = ~/absent
	hooksPath = .githooks
	pager = delta --dark
	editor = nosuchprogram
[includeIf "gitdir:~/job/"]
	path = job/settings
[credential "https://example.org"]
	helper =
	helper = !` + home + `/bin/login get
	helper = chest --file x
	helper = "!f() { echo; }; f"
`,
		".config/git/config":        "[commit]\n\ttemplate = " + home + "/template\n",
		"job/settings":              "[core]\n\thooksPath = ~/hooks\n[include]\n\tpath = ../settings\n",
		"hooks/pre-commit":          "",
		"template":                  "",
		"ignored":                   "",
		"bin/delta":                 "",
		"bin/login":                 "",
		"bin/git-credential-chest":  "",
		"project/.githooks/present": "",
	} {
		file := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]bool{}
	f := ask(t, at(home), host.Question{Git: true, Project: home + "/project"})
	for _, s := range f.Git {
		if _, there := f.Has(s.Path); !there {
			t.Errorf("nobody knows what %s is", s.Path)
		}
		if s.Path.String()[0] == '~' { // the machine has settings of its own
			got[fmt.Sprintf("%s %s %s", s.Key, s.Path, s.Program)] = true
		}
	}
	want := []string{
		"core.excludesfile ~/ignored ", "core.hookspath ~/hooks ", "commit.template ~/template ",
		"includeif.path ~/job/settings ", "core.pager ~/bin/delta delta",
		"credential.helper ~/bin/login " + home + "/bin/login",
		"credential.helper ~/bin/git-credential-chest git-credential-chest",
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("not found: %s", w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("found %v", got)
	}
	if f := ask(t, at(home), host.Question{Project: home}); len(f.Git) > 0 {
		t.Errorf("nobody asked for %v", f.Git)
	}
}

// TestBorrowed: the objects of another repository that one uses are found, in its work
// trees, too; those of the project itself are not.
func TestBorrowed(t *testing.T) {
	home := t.TempDir()
	c := exec.Command("sh", "-ec", `
		git init -q lender && git -C lender -c user.name=n -c user.email=e commit -q --allow-empty -m first
		git clone -q --shared lender project && git -C project worktree add -q ../tree
		git clone -q lender whole && git clone -q --shared whole whole/sub`)
	c.Dir, c.Env = home, []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for project, want := range map[string]string{"project": "~/lender/.git/objects", "tree": "~/lender/.git/objects", "whole": "", "lender": "", "": ""} {
		q := host.Question{Git: true}
		if project != "" {
			q.Project = filepath.Join(home, project)
		}
		got := ""
		for _, s := range ask(t, at(home), q).Git {
			if s.Key == host.Alternates {
				got += s.Path.String()
			}
		}
		if got != want {
			t.Errorf("%s borrows from %q, not %q", project, got, want)
		}
	}
}

// at is this machine, for somebody with that home and its bin in PATH.
func at(home string) probe.Host {
	return probe.Host{Getenv: func(name string) string {
		return map[string]string{"HOME": home, "PATH": home + "/bin:" + os.Getenv("PATH")}[name]
	}}
}
