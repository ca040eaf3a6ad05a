package sessiontest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// layered is a view whose mounts move and cover each other in many ways.
const layered = `[project]
at = "/workspace"
hide = ["hidden", "hidden-file", "sub/hidden"]
[filesystem]
read = ["$O", { path = "$O/file", at = "~/moved" }, { path = "$W/else", at = "./cover" }, "./readable", "~/.link?", "~/tool", { path = "$W/else/one", at = "~/tool/cover" }]
write = ["$O/deep/writable", "~/made!"]
empty = ["./build", "$O/deep/empty", "~/tool/empty"]
hide = ["$O/secret", "~/tool/secret-file"]
`

// TestWhereAgrees asks where each file of a world is, and looks: files say
// where they are on the host.
func TestWhereAgrees(t *testing.T) {
	t.Parallel()
	// Views are made in another way by an old bwrap, and links of the host's root are
	// followed in another way by a new one.
	for name, text := range map[string]string{
		"an empty root":        "extends = [\"base\"]\n" + layered + "[home]\nat = \"/home/sandbox\"\n",
		"home at its own path": "extends = [\"base\"]\n" + layered,
		"no hooks, a session":  "extends = [\"pikuri\"]\n" + layered,
		"the host's root":      "extends = [\"trusted-maintenance\"]\n" + strings.NewReplacer("at = \"/workspace\"\n", "", "\"./cover\"", "\"./sub/cover\"").Replace(layered),
	} {
		t.Run(name, func(t *testing.T) {
			in := once
			if number := slices.Index([]string{"no hooks, a session", "the host's root"}, name); number >= 0 {
				in = func(t *testing.T, test func(*testing.T, world)) { crossed(t, number, test) }
			}
			in(t, func(t *testing.T, w world) {
				w.layers(t)
				if name == "no hooks, a session" {
					harness.Remove(t, w.Project+"/.git/hooks")
				}
				w.launch(t, text)
				w.agrees(t)
			})
		})
	}
}

// layers fills a world; each file holds its own path.
func (w world) layers(t *testing.T) {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{
		"outside/file", "outside/deep/file", "outside/deep/writable/file", "outside/deep/empty/file", "outside/secret/file", "else/one/file", "else/file",
		"home/dotfiles/link", "home/tool/file", "home/tool/cover/file", "home/tool/empty/file", "home/tool/secret-file", "home/other/file", "home/.m2/repository/a",
		"home/code/p/file", "home/code/p/sub/file", "home/code/p/sub/hidden/file", "home/code/p/sub/cover/file", "home/code/p/hidden/file", "home/code/p/hidden-file",
		"home/code/p/build/file", "home/code/p/cover/file", "home/code/p/readable/file", "home/code/p/.git/HEAD", "home/code/p/.envrc", "home/code/q/file", "home/code/p2/file",
	} {
		files[name] = filepath.Join(w.Top, name)
	}
	w.Write(t, files)
	for link, target := range map[string]string{"to-outside": w.Outside, "to-home": "../../other", "sub/up": "..", "../../.link": "dotfiles/link", "../../way": "code/p"} {
		if err := os.Symlink(target, filepath.Join(w.Project, link)); err != nil {
			t.Fatal(err)
		}
	}
	w.Give(t, w.Top)
}

// agrees compares each answer with what stands there inside. What is said to be
// nowhere must be nowhere.
func (w world) agrees(t *testing.T) {
	t.Helper()
	inside := w.inside(t)
	var paths, texts []string
	for _, path := range w.files(t) {
		if text, err := os.ReadFile(path); err == nil && string(text) == resolved(t, path) { // it says where it is
			paths, texts = append(paths, path), append(texts, string(text))
		}
	}
	r := w.Run(t, append([]string{"--sandbox-where"}, paths...)...)
	places := strings.Split(strings.TrimSuffix(r.Stdout, "\n"), "\n")
	if len(places) != len(paths) || r.Status != 1 {
		t.Fatalf("%d answers for %d paths, and status %d: %s", len(places), len(paths), r.Status, r.Stderr)
	}
	seen := 0
	for i, path := range paths {
		switch at := places[i]; {
		case at != "not visible" && inside[at] == texts[i]:
			seen++
		case at != "not visible":
			t.Errorf("%s: said to be at %s, where there is %q", path, at, inside[at])
		default:
			for place, text := range inside {
				if text == texts[i] && !strings.Contains(place, "/session-default/") {
					t.Errorf("%s: said to be nowhere, and is at %s", path, place)
				}
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d files were found inside", seen)
	}
}

// inside reads all small files that are inside, by the name that they have there.
func (w world) inside(t *testing.T) map[string]string {
	t.Helper()
	roots := strings.Join([]string{w.Top, "/workspace", "/home/sandbox"}, " ")
	text := w.bash(t, `find `+roots+` ! -path '*/hooks/*' -type f -size -2 -exec sh -c 'for f; do printf "%s\0" "$f"; cat "$f"; printf "\0"; done' - {} + 2>/dev/null; :`).Ends(t, 0).Stdout
	all := map[string]string{}
	words := strings.Split(text, "\x00")
	for i := 0; i+1 < len(words); i += 2 {
		all[words[i]] = words[i+1]
	}
	return all
}

// files are those of the world, some by several names.
func (w world) files(t *testing.T) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(w.Top, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"to-outside/file", "to-outside/deep/empty/file", "to-home/file", "sub/up/hidden-file", "sub/up/file", "../../.link", "../../way/sub/file", "./sub/../sub//file", "../p/hidden/../file"} {
		all = append(all, w.Project+"/"+link)
	}
	return all
}

func resolved(t *testing.T, path string) string {
	t.Helper()
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		t.Fatal(err)
	}
	return real
}
