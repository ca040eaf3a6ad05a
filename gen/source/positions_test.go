package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPositions(t *testing.T) {
	source := strings.Join([]string{
		"\ufeff# comment = 1",                 // 1
		`about = "x # [no] \" " # [[c]]`,      // 2
		`a."b c".d = 1`,                       // 3
		"[ project ] # c",                     // 4
		"hide = [ # first",                    // 5
		"  \"a\", # ]",                        // 6
		"",                                    // 7
		"  { path = 'b]', why = \"c\" }, 'd'", // 8
		"]",                                   // 9
		`long = """`,                          // 10
		`x = 1 \"""`,                          // 11
		`""""`,                                // 12
		"raw = '''",                           // 13
		`\''''`,                               // 14
		"[environment]",                       // 15
		"set = { A = \"1\", B = { path = \"~/x\" }", // 16
		", C.D = [ [1], 2020-01-01 07:00:00 ] }",    // 17
		"[[list]]",                                  // 18
		"x = 1",                                     // 19
		"[[list]]",                                  // 20
		"x = 1",                                     // 21
		"[list.sub]",                                // 22
		"y = 1\r",                                   // 23
		"z=2",                                       // 24
	}, "\n")
	want := strings.Fields(`about:2 a:3 a."b_c":3 a."b_c".d:3 project:4 project.hide:5
		project.hide[0]:6 project.hide[1]:8 project.hide[1].path:8 project.hide[1].why:8
		project.hide[2]:8 project.long:10 project.raw:13 environment:15 environment.set:16
		environment.set.A:16 environment.set.B:16 environment.set.B.path:16 environment.set.C:17
		environment.set.C.D:17 environment.set.C.D[0][0]:17
		environment.set.C.D[1]:17 list:18 list[0]:18 list[0].x:19 list[1]:20 list[1].x:21
		list[1].sub:22 list[1].sub.y:23 list[1].sub.z:24`)
	var got []string
	text, wrong := Read([]byte(source))
	if wrong != nil {
		t.Fatal(wrong)
	}
	for key := range text.found {
		got = append(got, fmt.Sprintf("%s:%d", strings.ReplaceAll(key, " ", "_"), text.Line(key)))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzRead: any text is read or refused, and every key of what is read has a line.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "[", "a = [", "a = {b", "'", `"\`, "[[a]]\n[a.b]\nc=1", "a.b = '''x''''", "a = {x=[{y=1}]}", "]", "=", "a=1]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		text, wrong := Read([]byte(source))
		if wrong == nil {
			covered(t, text, "", text.Values)
		}
	})
}

func covered(t *testing.T, text Text, path string, value any) {
	_, isList := value.([]any)
	_, known := text.found[path]
	if path != "" && !known && !isList {
		t.Errorf("no position for %s", path)
	}
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			covered(t, text, Join(path, name), inner)
		}
	case []any:
		for i, inner := range value {
			covered(t, text, path+Index(i), inner)
		}
	}
}
