package gen

import (
	"io/fs"
	"regexp"
	"testing"

	"bwrapgen/gen/catalogue/builtin"
	"bwrapgen/gen/expr"
	"bwrapgen/templates"
)

// TestBeginnings names where many paths begin, once for each variable, and not
// where few do, or in two ways.
func TestBeginnings(t *testing.T) {
	var w viewer
	for text, times := range map[string]int{
		"${CARGO_HOME:-~/.cargo}/a": often, "${GOPATH:-~/go}/bin": often - 1, "$RUSTUP_HOME/a": often,
		"${npm_config_cache:-~/.npm}": often, "${NPM_CONFIG_CACHE:-~/.npm}": 1, "${DENO_DIR:-~/a}": often, "${DENO_DIR:-~/b}": 1,
	} {
		p, err := expr.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for range times {
			w.path(p)
		}
	}
	all := w.beginnings()
	if len(all) != 1 || all[0].Name.String() != "cargohome" || all[0].Value.String() != `"${CARGO_HOME:-$home/.cargo}"` {
		t.Fatalf("beginnings() = %v", all)
	}
	for text, want := range map[string]string{"${CARGO_HOME:-~/.cargo}/a": `"$cargohome/a"`, "${GOPATH:-~/go}/bin": `"${GOPATH:-$home/go}/bin"`} {
		p, err := expr.Parse(text)
		if got := w.path(p).String(); err != nil || w.err != nil || got != want {
			t.Errorf("%s: %s, want %s, %v, %v", text, got, want, err, w.err)
		}
	}
}

// TestBeginningsNames: no name of the launcher's own is that of a beginning.
func TestBeginningsNames(t *testing.T) {
	own := map[string]bool{}
	err := fs.WalkDir(templates.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates.FS, path)
		for _, word := range regexp.MustCompile(`[a-z_][a-z0-9_]*`).FindAllString(string(text), -1) {
			own[word] = true
		}
		return err
	})
	if err != nil || !own["mounts"] {
		t.Fatalf("%v, %v", own, err)
	}
	for _, tool := range builtin.Catalogue().Tools {
		for _, name := range tool.Variables() {
			if own[ofLauncher(name)] {
				t.Errorf("%s: the launcher has a name of its own like it", name)
			}
		}
	}
}
