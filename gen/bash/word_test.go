package bash

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// hostile are the texts that every constructor must survive.
var hostile = []struct{ name, text string }{
	{"empty", ""},
	{"space", " "},
	{"two words", "a b"},
	{"newline", "a\nb"},
	{"carriage return", "a\rb"},
	{"tab", "a\tb"},
	{"NUL", "a\x00b"},
	{"double quote", `a"b`},
	{"single quote", "it's"},
	{"both quotes", `it's "so"`},
	{"backslash", `a\b`},
	{"last backslash", `a\`},
	{"substitution", "$(id)"},
	{"backquotes", "`id`"},
	{"expansion", "${HOME}"},
	{"exclamation", "!"},
	{"star", "*"},
	{"tilde", "~"},
	{"tilde path", "~root/x"},
	{"braces", "{a,b}"},
	{"closing brace", "a}b"},
	{"option", "-n"},
	{"equals", "=ls"},
	{"hash", "#x"},
	{"subscript", "[0]"},
	{"invalid UTF-8", "a\xffb"},
	{"right-to-left override", "a\u202eb"},
	{"no-break space", "a\u00a0b"},
	{"replacement character", "a\ufffdb"},
	{"control", "a\x01\x7fb"},
	{"hex digits after control", "\x01ff"},
	{"accent", "é"},
	{"wide before backquote", "あ`id`"},
	{"wide before dollar", "あ$(id)"},
	{"wide before brace", "あ}"},
	{"process substitution", "<(id)"},
	{"keyword", "if"},
	{"long", strings.Repeat("0123456789", 500)},
}

// locales are the locales of a caller under which words must mean the same.
var locales = []string{"C", "C.UTF-8"}

func TestQuote(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "''"},
		{"/usr/bin", "/usr/bin"},
		{"a b", "'a b'"},
		{"it's", `"it's"`},
		{"it's $5", `"it's \$5"`},
		{"~", "'~'"},
		{"=ls", "'=ls'"},
		{"a\nb", `$'a\nb'`},
		{"a\xffb", `$'a\xffb'`},
		{"a\u202eb", `$'a\xe2\x80\xaeb'`},
		{"é", "'é'"},
		{"é's`", "\"é's\\`\""},
		{"'é`", "\"'é\"\"\\`\""},
	}
	for _, test := range tests {
		got, err := Quote(test.text)
		if err != nil || got.String() != test.want {
			t.Errorf("Quote(%q) = %s, %v; want %s", test.text, got, err, test.want)
		}
	}
}

func TestQuoteHostile(t *testing.T) {
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) {
			word, err := Quote(test.text)
			if strings.Contains(test.text, "\x00") {
				refused(t, word, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			expandsTo(t, word, nil, test.text)
		})
	}
}

func FuzzQuote(f *testing.F) {
	for _, test := range hostile {
		f.Add(test.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		word, err := Quote(text)
		if strings.Contains(text, "\x00") {
			refused(t, word, err)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		expandsTo(t, word, nil, text)
	})
}

func refused(t *testing.T, word Word, err error) {
	t.Helper()
	if err == nil || word != (Word{}) {
		t.Errorf("got %s, %v; want an error and the zero word", word, err)
	}
}

// expandsTo fails unless bash, in each locale, and mvdan's interpreter take
// word for exactly one word that is want, with env set.
func expandsTo(t *testing.T, word Word, env []string, want string) {
	t.Helper()
	script := "printf '<%s>' x " + word.String() + "\n"
	want = "<x><" + want + ">"
	if got := interpret(t, script, env); got != want {
		t.Errorf("interpreter: %s gives %q, want %q", word, got, want)
	}
	for _, locale := range locales {
		if got := realBash(t, script, append(env, "LC_ALL="+locale)); got != want {
			t.Errorf("bash in %s: %s gives %q, want %q", locale, word, got, want)
		}
	}
}

func interpret(t *testing.T, script string, env []string) string {
	t.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(script), "")
	if err != nil {
		t.Fatalf("%.200s: %v", script, err)
	}
	var out bytes.Buffer
	runner, err := interp.New(interp.StdIO(nil, &out, &out), interp.Env(expand.ListEnviron(env...)))
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.Run(context.Background(), file); err != nil {
		t.Fatalf("%.200s: %v", script, err)
	}
	return out.String()
}

// realBash runs script from standard input, because an argument has a limit
// and cannot hold every text. Without bash there is nothing to compare.
func realBash(t *testing.T, script string, env []string) string {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	cmd := exec.Command(bash)
	cmd.Env = append(env, "PATH="+os.Getenv("PATH"))
	cmd.Stdin = strings.NewReader(script)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%.200s: %v: %s", script, err, out)
	}
	return string(out)
}
