package bash

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestJoin(t *testing.T) {
	home := Part{Var: "home"}
	tests := []struct {
		name  string
		parts []Part
		want  string
	}{
		{"text", []Part{{Text: "/usr"}, {Text: "/bin"}}, "/usr/bin"},
		{"empty", []Part{{}}, "''"},
		{"variable", []Part{home}, `"$home"`},
		{"path", []Part{home, {Text: "/.config/demo rc"}}, `"$home/.config/demo rc"`},
		{"letter follows", []Part{home, {Text: "x"}}, `"${home}x"`},
		{"digit follows", []Part{home, {Text: "1"}}, `"${home}1"`},
		{"underscore follows", []Part{home, {Text: "_"}}, `"${home}_"`},
		{"bracket follows", []Part{home, {Text: "[0]"}}, `"${home}[0]"`},
		{"accent follows", []Part{home, {Text: "é"}}, `"${home}é"`},
		{"variable follows", []Part{home, home}, `"$home$home"`},
		{"empty between", []Part{home, {}, {Text: "x"}}, `"${home}x"`},
		{"tilde first", []Part{{Text: "~"}, home}, `"~$home"`},
		{"equals first", []Part{{Text: "="}, home}, `"=$home"`},
		{"newline", []Part{home, {Text: "/a\n"}}, `"$home/a"$'\n'`},
		{"newline between", []Part{home, {Text: "\nx"}, home}, `"$home"$'\n'"x$home"`},
		{"default", []Part{{Var: "TERM", Default: []Part{{Text: "dumb"}}}}, `"${TERM:-dumb}"`},
		{"empty default", []Part{{Var: "TERM", Default: []Part{}}}, `"${TERM:-}"`},
		{"nested default", []Part{{Var: "GOMODCACHE", Default: []Part{
			{Var: "GOPATH", Default: []Part{home, {Text: "/go"}}}, {Text: "/pkg/mod"}}}},
			`"${GOMODCACHE:-${GOPATH:-$home/go}/pkg/mod}"`},
		{"brace in default", []Part{{Var: "A", Default: []Part{{Text: "a}b"}}}}, `"${A:-"a}b"}"`},
		{"braces in default", []Part{{Var: "A", Default: []Part{{Text: "{a,b}"}}}}, `"${A:-{"a,b}"}"`},
		{"quote in default", []Part{{Var: "A", Default: []Part{{Text: "it's"}}}}, `"${A:-"it's"}"`},
		{"quotes", []Part{home, {Text: "/\"\\`$'!"}}, "\"$home/\\\"\\\\\\`\\$'!\""},
		{"wide before backslash", []Part{home, {Text: "/é`"}}, "\"$home/é\"\"\\`\""},
		{"wide ends default", []Part{{Var: "A", Default: []Part{{Text: "é"}}}}, `"${A:-"é"}"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Join(test.parts...)
			if err != nil || got.String() != test.want {
				t.Errorf("got %s, %v; want %s", got, err, test.want)
			}
		})
	}
}

func TestJoinRefuses(t *testing.T) {
	tests := []struct {
		name  string
		parts []Part
	}{
		{"nothing", nil},
		{"text and variable", []Part{{Text: "a", Var: "b"}}},
		{"default without variable", []Part{{Text: "a", Default: []Part{{Text: "b"}}}}},
		{"NUL", []Part{{Var: "a"}, {Text: "\x00"}}},
		{"newline in default", []Part{{Var: "a", Default: []Part{{Text: "\n"}}}}},
		{"invalid UTF-8 in default", []Part{{Var: "a", Default: []Part{{Text: "\xff"}}}}},
		{"wide before backslash in default", []Part{{Var: "a", Default: []Part{{Text: "é"}, {}, {Text: "`"}}}}},
		{"process in default", []Part{{Var: "a", Default: []Part{{Text: "<("}}}}},
		{"no name", []Part{{Var: "a b"}}},
		{"no name in default", []Part{{Var: "a", Default: []Part{{Var: "$(id)"}}}}},
		{"special variable", []Part{{Var: "@"}}},
		{"subscript", []Part{{Var: "a[0]"}}},
		{"name and newline", []Part{{Var: "a\n"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			word, err := Join(test.parts...)
			refused(t, word, err)
			word, err = Assign("A", test.parts...)
			if test.parts != nil {
				refused(t, word, err)
			}
		})
	}
}

func TestJoinHostile(t *testing.T) {
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) { joinIsRight(t, test.text, "/x", "value *") })
	}
}

// TestIfSet: a path below a variable is one word where that is set, and none elsewhere.
func TestIfSet(t *testing.T) {
	for _, test := range hostile {
		word, err := IfSet("set", test.text)
		if strings.Contains(test.text, "\x00") {
			refused(t, word, err)
			continue
		}
		if err != nil {
			if printable(test.text) && ascii(test.text) && !process.MatchString(test.text) {
				t.Errorf("%s: %v", test.name, err)
			}
			continue
		}
		script := "all=(x " + word.String() + " y)\nprintf '<%s>' \"${all[@]}\"\n"
		if got, want := realBash(t, script, []string{"set=it's *"}), "<x><it's *"+test.text+"><y>"; got != want {
			t.Errorf("%s: %s gives %q, want %q", test.name, word, got, want)
		}
		if got := realBash(t, script, nil); got != "<x><y>" {
			t.Errorf("%s: where it is unset: %q", test.name, got)
		}
	}
}

func TestAssign(t *testing.T) {
	tests := []struct {
		parts []Part
		want  string
	}{
		{[]Part{{Text: "1"}}, "A=1"},
		{nil, "A=''"},
		{[]Part{{}}, "A=''"},
		{[]Part{{Text: "b c"}}, "A='b c'"},
		{[]Part{{Text: "~"}}, "A='~'"},
		{[]Part{{Var: "B"}}, `"A=$B"`},
		{[]Part{{Var: "TERM", Default: []Part{{Text: "dumb"}}}}, `"A=${TERM:-dumb}"`},
	}
	for _, test := range tests {
		got, err := Assign("A", test.parts...)
		if err != nil || got.String() != test.want {
			t.Errorf("got %s, %v; want %s", got, err, test.want)
		}
	}
}

func TestAssignHostile(t *testing.T) {
	for _, test := range hostile {
		t.Run(test.name, func(t *testing.T) {
			word, err := Assign(test.text, Part{Text: "x"})
			if !isName(test.text) {
				refused(t, word, err)
			}
			word, err = Assign("A", Part{Text: test.text})
			if strings.Contains(test.text, "\x00") {
				refused(t, word, err)
				return
			}
			expandsTo(t, word, nil, "A="+test.text)
		})
	}
}

// TestForeignLocales runs every hostile text in the locales in which a byte
// of UTF-8 can swallow the backslash or brace after it, or be a letter.
func TestForeignLocales(t *testing.T) {
	for _, locale := range []struct{ language, charmap string }{
		{"zh_CN", "GBK"}, {"ja_JP", "SHIFT_JIS"}, {"de_DE", "ISO-8859-1"},
	} {
		t.Run(locale.charmap, func(t *testing.T) {
			dir := t.TempDir()
			// The exit status tells of warnings too; the file tells of success.
			out, _ := exec.Command("localedef", "-c", "-i", locale.language, "-f", locale.charmap, filepath.Join(dir, "test")).CombinedOutput()
			if found, _ := filepath.Glob(filepath.Join(dir, "test", "LC_CTYPE")); found == nil {
				t.Skipf("localedef cannot make the locale: %s", out)
			}
			for _, test := range hostile {
				foreign(t, test.text, []string{"LOCPATH=" + dir, "LC_ALL=test"})
			}
		})
	}
}

func foreign(t *testing.T, text string, env []string) {
	t.Helper()
	for _, parts := range [][]Part{
		{{Text: text}},
		{{Text: text}, {Var: "set"}, {Text: text}},
		{{Var: "unset", Default: []Part{{Text: text}}}, {Text: text}},
	} {
		word, err := Join(parts...)
		if err != nil {
			continue
		}
		want := "<x><" + value(parts, "é") + ">"
		if got := realBash(t, "printf '<%s>' x "+word.String()+"\n", append(env, "set=é")); got != want {
			t.Errorf("%s gives %q, want %q", word, got, want)
		}
	}
	word, err := IfSet("set", text)
	if err != nil {
		return
	}
	want := "<x><é" + text + ">"
	if got := realBash(t, "printf '<%s>' x "+word.String()+"\n", append(env, "set=é")); got != want {
		t.Errorf("%s gives %q, want %q", word, got, want)
	}
}

// value is what parts stand for where every variable but unset is set.
func value(parts []Part, set string) string {
	var b strings.Builder
	for _, p := range parts {
		switch p.Var {
		case "":
			b.WriteString(p.Text)
		case "unset":
			b.WriteString(value(p.Default, set))
		default:
			b.WriteString(set)
		}
	}
	return b.String()
}

func FuzzJoin(f *testing.F) {
	for _, test := range hostile {
		f.Add(test.text, "/x", "value")
		f.Add("/x", test.text, "it's *")
	}
	f.Fuzz(joinIsRight)
}

// joinIsRight puts two texts in every place that a Part has, and compares
// what bash makes of it with value.
func joinIsRight(t *testing.T, a, b, set string) {
	t.Helper()
	if strings.Contains(set, "\x00") || set == "" {
		return
	}
	variable := Part{Var: "set"}
	nested := Part{Var: "unset", Default: []Part{{Text: b}, variable, {Text: a}}}
	for _, parts := range [][]Part{
		{{Text: a}, variable, {Text: b}},
		{variable, {Text: a}, variable, {Text: b}},
		{{Var: "set", Default: []Part{{Text: a}}}, {Text: b}},
		{{Var: "unset", Default: []Part{{Text: a}, nested, {Text: b}}}, {Text: b}},
	} {
		word, err := Join(parts...)
		if strings.Contains(a+b, "\x00") {
			refused(t, word, err)
			continue
		}
		if err != nil {
			if printable(a+b) && ascii(a+b) && !process.MatchString(a+b) {
				t.Errorf("Join(%q): %v", parts, err)
			}
			continue
		}
		expandsTo(t, word, []string{"set=" + set}, value(parts, set))
	}
}
