package catalogue

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/profiles"
)

func TestLoadRefuses(t *testing.T) {
	_, err := Load(files(map[string]string{
		"b.toml": "about = \"B.\"\nneeds = [\"nobody\"]",
		"a.toml": "about = \"A.\"\ncaches = [\"etc\"]\nx = 1",
	}))
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{
		"a.toml:3: x: unknown key",
		`a.toml:2: caches[0]: "etc" is not an absolute path`,
		`b.toml: needs[0]: no tool of that name: "nobody"`,
	}
	if got := strings.Split(sentences(err), "\n"); !slices.Equal(got, want) {
		t.Errorf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
}

func TestAdd(t *testing.T) {
	base := load(t, map[string]string{
		"notes.txt": "no tool",
		"a.toml":    "about = \"A.\"\ncaches = [\"~/.a\"]\nsecrets = [\"~/.token\"]",
		"c.toml":    `about = "C."`,
	})
	mine, err := Check("a.toml", []byte("about = \"Mine.\"\nneeds = [\"b\"]"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := base.Add(mine); err == nil {
		t.Error("a tool was taken that needs one that is not there")
	}
	b, err := Check("b.toml", []byte(`about = "B."`))
	if err != nil {
		t.Fatal(err)
	}
	got, err := base.Add(mine, b)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range got.Tools {
		names = append(names, tool.Name)
	}
	if want := []string{"a", "b", "c"}; !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
	a, _ := got.Tool("a")
	if a.About != "Mine." || len(a.Caches) != 0 || len(got.Secrets()) != 0 {
		t.Errorf("the user's tool does not replace the whole: %+v", a)
	}
	if before, _ := base.Tool("a"); before.About != "A." || len(base.Tools) != 2 {
		t.Errorf("the catalogue it was made from has changed: %+v", base)
	}
}

func BenchmarkLoad(b *testing.B) {
	fsys, err := profiles.Tools()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Load(fsys); err != nil {
			b.Fatal(err)
		}
	}
}
