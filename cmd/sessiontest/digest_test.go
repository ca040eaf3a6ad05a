package sessiontest

import (
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
	"bwrapgen/gen"
)

// TestDigest says one view in several ways, and then changes it, a little each
// time.
func TestDigest(t *testing.T) {
	w := newWorld(t, trial.Here(t))
	digest := func(text string) string {
		t.Helper()
		p, err := w.plan(t, text)
		if err != nil {
			t.Fatal(err)
		}
		d, err := gen.Digest(p)
		if err != nil || len(d) != 64 {
			t.Fatal(d, err)
		}
		return d
	}
	const view = `extends = ["base"]
[project]
protect = ["a", "b"]
[filesystem]
read = ["$O", "/srv?"]
hide = ["~/.x", "~/.y"]
[environment]
pass = ["A", "B"]
set = { C = "1", D = "2" }
[limits]
timeout = "60s"
`
	want := digest(view)
	same := strings.NewReplacer(
		`extends`, "# a comment\nabout = \"Other words.\"\ncommand = [\"true\"]\nextends",
		`["a", "b"]`, `["b", "a"]`, `"$O", "/srv?"`, `"/srv?", { path = "$O", why = "a reason" }`,
		`"~/.x", "~/.y"`, `"~/.y", "~/.x"`, `"A", "B"`, `"B", "A"`, `C = "1", D = "2"`, `D = "2", C = "1"`, `"60s"`, `"1m"`,
	).Replace(view)
	if got := digest(same); got != want {
		t.Errorf("the same view has another digest")
	}
	seen := map[string]string{want: "the view itself"}
	changes := []string{
		`"a", "b"`, `"a"`, `"$O", "/srv?"`, `"$O"`, `"$O", "/srv?"`, `"$O", "/srv?", "/mnt?"`, `"/srv?"`, `"/srv"`, `read = ["$O", "/srv?"]`, "write = [\"$O\"]\nread = [\"/srv?\"]",
		`"~/.x", "~/.y"`, `"~/.x"`, `"A", "B"`, `"A"`, `C = "1"`, `C = "2"`, `"60s"`, `"61s"`, "[limits]", "[limits]\nmemory = \"1GiB\"",
		"[limits]", "[network]\nmode = \"none\"\n[limits]", "[limits]", "[kernel]\nseccomp = \"strict\"\n[limits]", "[limits]", "[kernel]\nnested-userns = true\n[limits]",
		"[limits]", "[terminal]\nmode = \"new-session\"\n[limits]", "[project]", "[home]\nat = \"/home/sandbox\"\n[project]", "[project]", "[project]\nat = \"/w\"",
		"[project]", "[project]\naccess = \"read\"", "hide", "credential = [{ path = \"$O/c\", at = \"~/c\", why = \"w\" }]\nhide", "[filesystem]", "[caches]\nmode = \"none\"\n[toolchains]\nuse = [\"go\"]\n[filesystem]",
	}
	for pair := range slices.Chunk(changes, 2) {
		changed := strings.Replace(view, pair[0], pair[1], 1)
		got := digest(changed)
		if other, ok := seen[got]; ok {
			t.Errorf("%s\nhas the digest of\n%s", changed, other)
		}
		seen[got] = changed
	}
}

func TestDigestPrinted(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		p, err := w.plan(t, `extends = ["base"]`)
		if err != nil {
			t.Fatal(err)
		}
		want, err := gen.Digest(p)
		if err != nil {
			t.Fatal(err)
		}
		w.launch(t, `extends = ["base"]`).Run(t, "--sandbox-digest").Ends(t, 0).Prints(t, want+"\n")
	})
}
