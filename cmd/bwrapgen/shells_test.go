package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// shells are those that there are completions for, as people have them: with no
// settings except the one line that bwrapgen completion --help names.
func shells() map[string]struct {
	words []string
	line  string
} {
	return map[string]struct {
		words []string
		line  string
	}{
		"bash": {[]string{"bash", "--norc", "--noprofile", "-i"}, "source <(bwrapgen completion bash --launcher box)"},
		"zsh":  {[]string{"zsh", "-f", "-i"}, "bindkey -e; autoload -Uz compinit; compinit -u -D; source <(bwrapgen completion zsh --launcher box)"},
		"fish": {[]string{"fish", "--no-config", "--private", "--interactive"}, "bwrapgen completion fish --launcher box | source"},
	}
}

// TestShells completes in real shells on a terminal: commands, profiles beside files, and
// the options of launchers.
func TestShells(t *testing.T) {
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", bin+"/", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, shell := range shells() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(name); err != nil {
				harness.Unable(t, name+" is not in PATH")
			}
			x := completing(t, bin, shell.words, shell.line)
			for _, test := range []struct{ typed, want string }{
				{"bwrapgen gener", "bwrapgen generate"},
				{"bwrapgen generate offl", "bwrapgen generate offline"},
				{"bwrapgen generate own", "bwrapgen generate own.toml"},
				{"bwrapgen generate --chec", "bwrapgen generate --check"},
				{"bwrapgen explain offl", "bwrapgen explain offline"},
				{"bwrapgen explain own", "bwrapgen explain own.toml"},
				{"bwrapgen diff offline own", "bwrapgen diff offline own.toml"},
				{"bwrapgen explain --format arg", "bwrapgen explain --format argv"},
				{"bwrapgen explain --format=arg", "bwrapgen explain --format=argv"},
				{"bwrapgen generate --host an", "bwrapgen generate --host any"},
				{"bwrapgen profiles sch", "bwrapgen profiles schema"},
				{"./box --sandbox-pri", "./box --sandbox-print"},
				{"./box --sandbox-dig", "./box --sandbox-digest"},
				{"~/box --sandbox-pri", "~/box --sandbox-print"},
				{"./box --sandbox-explain own", "./box --sandbox-explain own.toml"},
				{"./box bwrapg", "./box bwrapgen"},
				{"./box ls own", "./box ls own.toml"},
				{"./other --sandbox-pri", "./other --sandbox-pri"},
				{"./other own", "./other own.toml"},
				{"ls own", "ls own.toml"},
			} {
				if got := x.completes(t, test.typed); got != test.want {
					t.Errorf("%q becomes %q, not %q", test.typed, got, test.want)
				}
			}
		})
	}
}

// line is a shell that waits for a line.
type line struct{ *harness.Terminal }

// completing starts a shell in a home with a launcher, a profile and a script.
func completing(t *testing.T, bin string, words []string, setting string) line {
	t.Helper()
	home := t.TempDir()
	for name, text := range map[string]string{"own.toml": "", "other": "#!/bin/sh\n# --sandbox-print\n"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	environment := []string{
		"HOME=" + home, "PATH=" + bin + ":" + os.Getenv("PATH"), "TERM=vt100", "LC_ALL=C.UTF-8", "PS1=ready> ",
		"INPUTRC=/dev/null", "HISTFILE=/dev/null",
	}
	generate := exec.Command(filepath.Join(bin, "bwrapgen"), "generate", "default", "-o", "box")
	shell := exec.Command(words[0], words[1:]...)
	for _, c := range []*exec.Cmd{generate, shell} {
		c.Dir, c.Env = home, environment
	}
	if out, err := generate.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	x := line{harness.NewTerminal(t, harness.Account{})}
	x.Resize(t, 200, 50)
	x.Start(t, shell)
	x.Rests()
	x.Types(t, setting+"; echo s''et\r")
	x.Expect(t, `set\r`)
	x.Rests()
	return x
}

var word = regexp.MustCompile(`got:(.*):end`)

// completes types a line and the key that completes, and gives what the line has become.
// A shell may say more than one thing; the line is the words in it, without what stands
// around them.
func (x line) completes(t *testing.T, typed string) string {
	t.Helper()
	x.Types(t, typed+"\t")
	x.Rests()
	x.Types(t, "\x05 :end'\x01echo 'got: \r")
	said := x.Expect(t, `got: [^']* :end\r`)
	found := word.FindAllStringSubmatch(said, -1)
	x.Rests()
	return strings.Join(strings.Fields(found[len(found)-1][1]), " ")
}
