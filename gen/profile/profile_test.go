package profile

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/source"
)

func TestDefault(t *testing.T) {
	p, err := Parse("web.toml", nil, Loader{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"project.root": "git", "project.access": "write", "filesystem.base": "select",
		"toolchains.use": "project", "toolchains.mode": "read",
		"caches.mode": "ephemeral", "home.mode": "empty", "tmp.mode": "empty", "network.mode": "host", "terminal.mode": "job-control",
		"kernel.seccomp": "default", "confirm.mode": "never",
		"limits.kill-after": "5s", "limits.max-timeout": "600s",
	}
	for _, s := range p.settings() {
		text := strings.Trim(s.text, `"[]{}`)
		if text == "0" || text == "false" {
			text = ""
		}
		if text != want[s.field.key] {
			t.Errorf("%s: got %s, want %q", s.field.key, s.text, want[s.field.key])
		}
	}
	if p.Limits.KillAfter != 5*time.Second || p.Name != "web" || !slices.Equal(p.Sources, []string{"web.toml"}) {
		t.Errorf("got %+v", p)
	}
}

func TestHostBase(t *testing.T) {
	p, problems := load("w.toml", "filesystem.base = \"host\"", Loader{})
	if len(problems) > 0 || p.Home.Mode != HomeHost {
		t.Errorf("got %v, %v", p.Home.Mode, problems)
	}
	p, problems = load("w.toml", "filesystem.base = \"host\"\nhome.mode = \"empty\"", Loader{})
	if len(problems) > 0 || p.Home.Mode != HomeEmpty {
		t.Errorf("got %v, %v", p.Home.Mode, problems)
	}
}

func TestEntry(t *testing.T) {
	path := expr.MustParse
	tests := []struct {
		key, value string
		want       Rule
	}{
		{"filesystem.read", `"/usr"`, Rule{Path: path("/usr")}},
		{"filesystem.read", `"~/a?"`, Rule{Path: path("~/a"), Optional: true}},
		{"filesystem.write", `"~/a!"`, Rule{Kind: KindWrite, Path: path("~/a"), Create: true}},
		{"filesystem.write", `{ path = "~/a!" }`, Rule{Kind: KindWrite, Path: path("~/a!")}},
		{"filesystem.read", `{ path = "~/$(id)*?" }`, Rule{Path: path("~/$(id)*?")}},
		{"filesystem.read", `{ path = "/a", at = "/a" }`, Rule{Path: path("/a")}},
		{"filesystem.read", `{ path = "/a", at = "~/b", why = "w" }`, Rule{Path: path("/a"), At: path("~/b"), Why: "w"}},
		{"filesystem.empty", `"~/a/"`, Rule{Kind: KindEmpty, Path: path("~/a")}},
		{"filesystem.hide", `"$XDG_RUNTIME_DIR/a?"`, Rule{Kind: KindHide, Path: path("$XDG_RUNTIME_DIR/a"), Optional: true}},
		{"project.protect", `".git/hooks"`, Rule{Kind: KindProtect, Path: path("./.git/hooks")}},
		{"project.protect", `"./a"`, Rule{Kind: KindProtect, Path: path("./a")}},
		{"project.hide", `"secrets/"`, Rule{Kind: KindHide, Path: path("./secrets")}},
		{"project.hide", `"~backup"`, Rule{Kind: KindHide, Path: path("./~backup")}},
		{"project.hide", `"..."`, Rule{Kind: KindHide, Path: path("./...")}},
	}
	for _, test := range tests {
		t.Run(test.key+" "+test.value, func(t *testing.T) {
			p, problems := load("w.toml", test.key+" = ["+test.value+"]", Loader{})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			if test.want.Kind == "" {
				test.want.Kind = KindRead
			}
			test.want.Key, test.want.Origin = test.key, Origin{"w.toml", 1, test.key + "[0]"}
			if !reflect.DeepEqual(p.Rules, Rules{test.want}) {
				t.Errorf("got %+v, want %+v", p.Rules, test.want)
			}
		})
	}
}

// TestSets: each name of a closed set is read back to its value, and no other.
func TestSets(t *testing.T) {
	for _, key := range Keys() {
		p := Default()
		f := fields(&p)[slices.Index(Keys(), key)]
		if f.words == nil {
			continue
		}
		for _, word := range append(slices.Clone(f.words), "", "wrong") {
			p, problems := load("w.toml", "filesystem.base = \"host\"\n"+key+" = "+source.Quote(word), Loader{})
			if key == "filesystem.base" {
				p, problems = load("w.toml", key+" = "+source.Quote(word), Loader{})
			}
			got := fields(&p)[slices.Index(Keys(), key)].text()
			if right := slices.Contains(f.words, word); right != (len(problems) == 0) || right && got != source.Quote(word) {
				t.Errorf("%s: %s: got %v, %v", f.key, word, got, problems)
			}
		}
	}
}

// TestNesting: a source that nests without end is refused in time.
func TestNesting(t *testing.T) {
	for _, text := range []string{
		"a = " + strings.Repeat("[", 200_000),
		"a = " + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000),
		"a = " + strings.Repeat("{b=", 100_000) + "1" + strings.Repeat("}", 100_000),
		"[" + strings.Repeat("a.", 100_000) + "a]",
	} {
		start := time.Now()
		if _, err := Parse("w.toml", []byte(text), Loader{}); err == nil {
			t.Errorf("%.20s...: accepted", text)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%.20s...: took %v", text, took)
		}
	}
}
