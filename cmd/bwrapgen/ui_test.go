package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/problem"
)

func TestVisible(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"plain 'text' with \"quotes\"", "plain 'text' with \"quotes\""},
		{"grün", "grün"},
		{"a\tb", `a\tb`},
		{"\x1b[2J", `\x1b[2J`},
		{"\u202e", `\u202e`},
		{"\x00", `\x00`},
		{"\xff", `\xff`},
		{"\ufffd", "\ufffd"},
	} {
		if got := visible(test.in); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}

func TestReport(t *testing.T) {
	for _, test := range []struct {
		name string
		err  error
		want string
	}{
		{"a sentence", errors.New("no"), "bwrapgen: no\n"},
		{"with a hint", cannot("do this", "no: %q", "x"), "bwrapgen: no: \"x\"\nbwrapgen: hint: do this\n"},
		{"several", problem.List{{File: "a", What: "no", Hint: "do this"}, {File: "b", What: "no"}}, "bwrapgen: a: no\nbwrapgen: hint: do this\nbwrapgen: b: no\n"},
	} {
		var out, err bytes.Buffer
		newUI(&out, &err).report(test.err)
		if err.String() != test.want || out.Len() > 0 {
			t.Errorf("%s: got %q and %q, want %q", test.name, &err, &out, test.want)
		}
	}
}

func TestDifference(t *testing.T) {
	const diff = "-\ta\x1b[2J\r\n+grün\n"
	for _, test := range []struct {
		terminal bool
		want     string
	}{{true, "-\ta\\x1b[2J\\r\n+grün\n"}, {false, diff}} {
		var out, err bytes.Buffer
		u := newUI(&out, &err)
		u.table = test.terminal
		if err := u.difference([]byte(diff), nil); err != nil || out.String() != test.want {
			t.Errorf("terminal %t: got %q, want %q, %v", test.terminal, &out, test.want, err)
		}
	}
}

func TestWrapped(t *testing.T) {
	if got, want := wrapped("aa bb cc dddddd e", 5), []string{"aa bb", "cc", "dddddd", "e"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestList: on a terminal no line is wider than a screen, and elsewhere each row is a line.
func TestList(t *testing.T) {
	rows := [][]string{{"a", "one"}, {"long name", strings.Repeat("word ", 30)}}
	for _, terminal := range []bool{false, true} {
		text := string(ui{table: terminal}.list(rows))
		wide := slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return len(line) > screen })
		if wide == terminal || !strings.HasPrefix(text, "a          one\nlong name  word word") {
			t.Errorf("terminal %t:\n%s", terminal, text)
		}
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"box", "go-box", "my box", "box.sh", ".box", "$(id)", "grün", "'"} {
		if err := checkName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	long := string(bytes.Repeat([]byte("a"), maxName+1))
	for _, name := range []string{"", ".", "..", "-", "-x", "a/b", "/", "a\nb", "a\tb", "\x1b", "a\x00", "\xff", "\u202e", "a\u00a0b", long} {
		if err := checkName(name); err == nil {
			t.Errorf("%q is no name", name)
		}
	}
}
