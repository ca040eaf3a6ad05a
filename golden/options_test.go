package golden_test

import (
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOptions finds where the launcher's own options end: everything from the
// first other word on, and all after a --, is the command's.
func TestOptions(t *testing.T) {
	tests := map[string]struct{ args, command []string }{
		"after --":         {[]string{"--", "--help"}, []string{"--help"}},
		"own after --":     {[]string{"--", "--sandbox-help"}, []string{"--sandbox-help"}},
		"own after a word": {[]string{"cmd", "--sandbox-help", "--"}, []string{"cmd", "--sandbox-help", "--"}},
		"a command's":      {[]string{"cmd", "--version"}, []string{"cmd", "--version"}},
		"one -- alone":     {[]string{"--", "--", "x"}, []string{"--", "x"}},
		"a dash":           {[]string{"-", "-x"}, []string{"-", "-x"}},
		"an empty word":    {[]string{"", "x"}, []string{"", "x"}},
	}
	s := newStage(t, "0.12.0")
	s.launcher(t, "look", `extends = ["look"]`)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := s.run(t, nil, test.args...)
			if want := "\x00PWD=" + s.project + "\x00" + join(test.command) + "\x00descriptor "; !strings.Contains(join(got), want) {
				t.Errorf("got %q", got)
			}
		})
	}
}

// TestPrintLeavesNothing looks at the home directory, which holds the project
// and the runtime directory, before and after --sandbox-print.
func TestPrintLeavesNothing(t *testing.T) {
	for name, source := range sources() {
		s := newStage(t, "0.8.0")
		s.launcher(t, name, source)
		before := s.files(t)
		s.output(t, exec.Command(s.script, "--sandbox-print", "true"))
		if after := s.files(t); after != before {
			t.Errorf("%s: before:\n%safter:\n%s", name, before, after)
		}
	}
}

// files lists what is below home, with times.
func (s *stage) files(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(s.home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			b.WriteString(path + " " + info.ModTime().Format(time.RFC3339Nano) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHelp asks for help where there is no bwrap, and nothing else in PATH.
func TestHelp(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range sources() {
		s := newStage(t, "0.8.0")
		s.launcher(t, name, source)
		s.search = "/nonexistent"
		text := string(s.output(t, exec.Command(bash, "-p", s.script, "--sandbox-help")))
		for _, word := range []string{"usage: " + name, "project", "network", "--sandbox-print"} {
			if !strings.Contains(text, word) {
				t.Errorf("%s: no %q in\n%s", name, word, text)
			}
		}
	}
}
