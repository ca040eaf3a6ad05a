package seccomp

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// hostile are programs that no assembler makes: every byte beside every kind
// of neighbour, and what printf or a shell could take for its own.
func hostile() map[string][]byte {
	var all, pairs []byte
	for b := range 256 {
		all = append(all, byte(b))
		for _, next := range []byte("\x00\x01\x07\xff058aAfnx%\\'\"$`- \n") {
			pairs = append(pairs, byte(b), next)
		}
	}
	return map[string][]byte{
		"every byte":   all,
		"pairs":        pairs,
		"zeros":        make([]byte, 800),
		"percent":      []byte("%s%d%%%b%(%T)T%n"),
		"option":       []byte("-v name -- x"),
		"newlines":     []byte("\n\n\r\n"),
		"odd length":   []byte("abcdefghi"),
		"escape words": []byte(`\0\x41\u0041\c`),
		"one":          {0},
	}
}

// inBash returns what bash prints for a script in a locale.
func inBash(t *testing.T, script, locale string) []byte {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	cmd := exec.Command(bash, "-c", script)
	cmd.Env = append(cmd.Environ(), "LC_ALL="+locale)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("bash: %v", err)
	}
	return out
}

func TestEscapeInBash(t *testing.T) {
	programs := hostile()
	for _, arch := range Arches() {
		for _, v := range variants() {
			program, err := Program(arch, v.level, v.o)
			if err != nil {
				t.Fatal(err)
			}
			programs[fmt.Sprintf("%s/%v%+v", arch, v.level, v.o)] = program
		}
	}
	for name, program := range programs {
		t.Run(name, func(t *testing.T) {
			lines := Escape(program)
			each := "printf '" + strings.Join(lines, "'\nprintf '") + "'"
			one := "printf '" + strings.Join(lines, "'\\\n'") + "'"
			for _, locale := range []string{"C", "C.UTF-8"} {
				for _, script := range []string{each, one} {
					if got := inBash(t, script, locale); !bytes.Equal(got, program) {
						t.Errorf("in %s, got  %q\nwant %q\nfrom %s", locale, got, program, script)
					}
				}
			}
		})
	}
}

func TestEscapeLines(t *testing.T) {
	for name, program := range hostile() {
		for _, line := range Escape(program) {
			if len(line) > width || line == "" {
				t.Errorf("%s: line of %d columns: %q", name, len(line), line)
			}
			if strings.ContainsAny(line, "'$`\"- \t\n\r\x00") {
				t.Errorf("%s: line is not safe to quote: %q", name, line)
			}
			for _, r := range line {
				if r < ' ' || r > '~' {
					t.Errorf("%s: line is not printable: %q", name, line)
				}
			}
		}
	}
	if lines := Escape(nil); lines != nil {
		t.Errorf("Escape(nil) = %q, want none", lines)
	}
}

func TestEscapeKeepsInstructionsWhole(t *testing.T) {
	program, err := Program("x86_64", Default, Options{Terminal: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range Escape(program) {
		if n := len(inBash(t, "printf '"+line+"'", "C")); n%8 != 0 {
			t.Errorf("line has %d bytes, want whole instructions: %q", n, line)
		}
	}
}
