package sessiontest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen"
	"bwrapgen/gen/profile"
)

// TestDigest says one view in several ways, and then changes it, a little each
// time.
func TestDigest(t *testing.T) {
	w := newWorld(t, harness.Here(t))
	digest := func(text string) string { return w.digest(t, text) }
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

// TestDigestKeys changes every key of a profile: each changes the digest, but
// for those that do not change what a command finds. Where nothing else is said here, a key
// gets the value of its example.
func TestDigestKeys(t *testing.T) {
	w := newWorld(t, harness.Here(t))
	docs, err := profile.Reference()
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]string{}
	for _, d := range docs {
		_, changes[d.Key], _ = strings.Cut(d.Example, " = ")
	}
	maps.Copy(changes, map[string]string{
		"filesystem.credential": `[{ path = "$O/c", at = "~/c", why = "w" }]`, "filesystem.link": `{ "/x" = "y" }`,
		"toolchains.use": `["go"]`, "toolchains.skip": `["cargo"]`, "sockets.pass": `["dbus"]`, "sockets.talk": `["org.a.B"]`,
	})
	same := []string{"about", "command", "expect", "confirm.mode", "confirm.allow-yes"}
	view := map[string]string{"extends": `["base"]`, "toolchains.use": `["go", "cargo"]`, "limits.timeout": `"60s"`, "limits.output": `"2KiB"`}
	beside := map[string]string{"sockets.talk": "sockets.pass", "sockets.own": "sockets.pass", "confirm.allow-yes": "confirm.mode"}
	digest := func(keys map[string]string) string {
		var text strings.Builder
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			fmt.Fprintf(&text, "%s = %s\n", key, keys[key])
		}
		return w.digest(t, text.String())
	}
	for _, key := range profile.Keys() {
		if key == "toolchains.files" || key == "network.allow" {
			continue // a file of its own; not to be had yet
		}
		keys := maps.Clone(view)
		if other := beside[key]; other != "" {
			keys[other] = changes[other]
		}
		if strings.HasPrefix(key, "network.") && key != "network.mode" {
			keys["network.mode"] = `"private"`
		}
		before := digest(keys)
		keys[key] = changes[key]
		if got := digest(keys); (got == before) != slices.Contains(same, key) {
			t.Errorf("%s = %s: the digest is another: %v", key, keys[key], got != before)
		}
	}
}

// TestDigestLooks has paths that look alike, and lists that read alike.
func TestDigestLooks(t *testing.T) {
	w := newWorld(t, harness.Here(t))
	seen := map[string]string{}
	for _, list := range []string{`["/a b"]`, `["/a", "/b"]`, `["/a\" \"/b"]`, `["/caf\u00e9"]`, `["/cafe\u0301"]`, `["/A"]`, `["/\u0391"]`, `["/a/"]`, `["/a?"]`, `["/a\nb"]`, `["/a\\nb"]`} {
		got := w.digest(t, "extends = [\"base\"]\n[filesystem]\nread = "+list)
		if other, ok := seen[got]; ok {
			t.Errorf("%s has the digest of %s", list, other)
		}
		seen[got] = list
	}
}

// digest is that of a profile in this world.
func (w world) digest(t *testing.T, text string) string {
	t.Helper()
	p, err := w.plan(t, text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	d, err := gen.Digest(p)
	if err != nil || len(d) != 64 {
		t.Fatal(d, err)
	}
	return d
}

// TestDigestPrinted: who agrees to commands by the digest of their sandbox is told it.
func TestDigestPrinted(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		const text = "extends = [\"agent-code\"]\nconfirm.mode = \"always\""
		p, err := w.plan(t, text)
		if err != nil {
			t.Fatal(err)
		}
		want, err := gen.Digest(p)
		if err != nil {
			t.Fatal(err)
		}
		w.launch(t, text).Run(t, "--sandbox-digest").Ends(t, 0).Prints(t, want+"\n")
	})
}
