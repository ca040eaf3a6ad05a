package sandboxtest

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// hoard is a world in which every place of a secret holds one, and every
// toolchain and cache of the catalogue is there.
type hoard struct {
	world
	mark  string   // stands in each secret
	files []string // they hold it
	env   expr.Env // home, and variables that lead elsewhere
	moved []string // these variables
}

// TestSecrets plants every secret and looks for them from inside: at its path,
// and wherever else something is visible.
func TestSecrets(t *testing.T) {
	t.Parallel()
	for _, home := range []string{"plain", "moved", "stowed"} {
		try := harness.Newest
		if home == "stowed" {
			try = harness.Ends // bwrap before 0.12 follows no link
		}
		try(t, func(t *testing.T, s harness.Setting) {
			t.Run(home, func(t *testing.T) {
				p := plant(t, s, home)
				p.find(t, "outside", "", nil)
				uncovered := strings.HasSuffix(s.Bwrap, "/0.4.1") // in the host base it refuses: it cannot cover a socket
				for i, name := range (profile.Loader{Builtin: profiles.FS}).Names() {
					if name == "agent-code" && uncovered || name != "agent-code" && !tried(t, s, home, i) {
						continue
					}
					p.find(t, name, "command = []\nextends = [\""+name+"\"]", p.own(t, name))
				}
				p.find(t, "host tools", "extends = [\"default\"]\n[toolchains]\nuse = \"host\"", nil)
				if uncovered {
					return
				}
				p.find(t, "host base", "extends = [\"default\"]\n[filesystem]\nbase = \"host\"\n[home]\nmode = \"host\"", nil)
			})
		})
	}
}

// tried says whether a profile's turn is here: each is tried twice in homes with links, as
// one account and the other, and once in each of the other homes.
func tried(t *testing.T, s harness.Setting, home string, number int) bool {
	switch home {
	case "stowed":
		return s.Has(t, number)
	case "moved":
		number++
	}
	return s.HasTurn(number)
}

// own are the places that a profile shows on purpose: its agent's own.
func (p hoard) own(t *testing.T, name string) []string {
	var all []string
	tool, _ := catalogue.BuiltIn().Tool(strings.Replace(name, "cursor-cli", "cursor-agent", 1))
	for _, e := range tool.State {
		if at, ok := e.Eval(p.env); ok {
			all = append(all, at)
		}
	}
	return all
}

func plant(t *testing.T, s harness.Setting, home string) hoard {
	t.Helper()
	p := hoard{world: newWorld(t, s)}
	p.mark = "password=mark-of-" + filepath.Base(p.Top) // settings are shown where no login stands in them
	p.env = expr.Env{Home: p.Home, Lookup: map[string]string{}}
	places := p.places(t, home == "moved")
	slices.Sort(places)
	slices.Reverse(places) // what lies deeper first
	for _, place := range slices.Compact(places) {
		p.hide(t, place)
	}
	if home == "stowed" {
		p.stow(t)
	}
	if err := os.WriteFile(filepath.Join(p.Project, "visible"), []byte(p.mark), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Give(t, p.Home)
	return p
}

// places are those of the list, and those of the catalogue, all of whose
// variables lead elsewhere if moved says so. Its tools get their directories.
func (p *hoard) places(t *testing.T, moved bool) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/secrets.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		all = append(all, p.Home+strings.TrimPrefix(strings.TrimSpace(line), "~"))
	}
	c := catalogue.BuiltIn()
	if moved {
		p.move(c)
	}
	for _, s := range c.Secrets() {
		if at, ok := s.Eval(p.env); ok && s.Kind != catalogue.Persistence {
			if strings.HasSuffix(at, "/ANTHROPIC_CONFIG_DIR/credentials") {
				at += "/account.json" // claude-code shares the directory
			}
			if filepath.Base(at) == "bwrapgen" {
				at += "/another/file" // launchers make theirs beside it
			}
			all = append(all, at)
		}
	}
	for _, tool := range c.Tools {
		for _, e := range slices.Concat(tool.Toolchain, tool.Caches, tool.State) {
			if at, ok := e.Eval(p.env); ok && strings.HasPrefix(at, p.Home+"/") && !e.File {
				p.Write(t, map[string]string{strings.TrimPrefix(at, p.Top+"/") + "/tool": "a tool's\n"})
			}
		}
	}
	return slices.DeleteFunc(all, func(at string) bool { return !strings.HasPrefix(at, p.Home+"/") })
}

// move gives every relocating variable a place of its own.
func (p *hoard) move(c catalogue.Catalogue) {
	for _, tool := range c.Tools {
		for _, name := range tool.Variables() {
			p.env.Lookup[name] = filepath.Join(p.Home, "moved", name)
		}
	}
	for _, s := range c.Secrets() {
		if s.Path.Base == expr.Variable {
			p.env.Lookup[s.Path.Name] = filepath.Join(p.Home, "moved", s.Path.Name)
		}
	}
	for _, name := range []string{"XDG_RUNTIME_DIR", "TMPDIR", "GOROOT", "JAVA_HOME"} {
		delete(p.env.Lookup, name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.env.Lookup)) {
		p.moved = append(p.moved, name+"="+p.env.Lookup[name])
	}
}

// hide makes a secret at a place: a file there, or in the directory there.
func (p *hoard) hide(t *testing.T, place string) {
	t.Helper()
	place = strings.ReplaceAll(place, "*", "x")
	if info, err := os.Stat(place); err == nil && info.IsDir() {
		place = filepath.Join(place, "planted")
	}
	p.Write(t, map[string]string{strings.TrimPrefix(place, p.Top+"/"): p.mark + "\n"})
	p.files = append(p.files, place)
}

// stow puts what stands directly below home, and below ~/.config, into a folder
// of its own, with links to it.
func (p *hoard) stow(t *testing.T) {
	t.Helper()
	for from, to := range map[string]string{".": "dotfiles", ".config": "../dotfiles/config"} {
		dir := filepath.Join(p.Home, from)
		entries, err := os.ReadDir(dir)
		err = errors.Join(err, os.MkdirAll(filepath.Join(dir, to), 0o755))
		for _, e := range entries {
			name, hidden := strings.CutPrefix(e.Name(), ".")
			isStowed := hidden == (from == ".") && !slices.Contains([]string{"config", "cache", "local"}, name)
			if isStowed {
				link := filepath.Join(to, name)
				err = errors.Join(err, os.Rename(filepath.Join(dir, e.Name()), filepath.Join(dir, link)), os.Symlink(link, filepath.Join(dir, e.Name())))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// look reads each path of a list, and then all that is visible.
const look = `while read -r p; do
	text=
	IFS= read -r -d '' text <"$p"
	[[ $text != *"$MARK"* ]] || printf '%s\n' "$p"
done <list 2>/dev/null
[[ $WHERE != inside ]] || set -- /run /tmp /var/tmp
grep -RlsF -D skip -- "$MARK" "$PWD" "$HOME" "$ROOT" "$@"
true`

// find starts a sandbox with a profile, or none, and judges what it finds.
func (p hoard) find(t *testing.T, name, text string, shown []string) {
	t.Helper()
	l := launcher{p.world, harness.Start{As: p.Account, Program: "/usr/bin/env", Dir: p.Project, Environment: harness.With(p.environment(), p.moved...)}}
	list := filepath.Join(p.Project, "list")
	if err := os.WriteFile(list, []byte(strings.Join(p.files, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if text != "" {
		w := p.world
		w.variables = p.moved
		l = w.launch(t, text+"\n[environment]\nset = { WHERE = \"inside\" }\npass = [\"MARK\", \"ROOT\"]")
		l.Environment = harness.With(l.Environment, p.moved...)
	}
	l.Environment = harness.With(l.Environment, "MARK="+p.mark, "ROOT="+p.Top, "WHERE=outside", "LC_ALL=C")
	got := l.Run(t, "bash", "-c", look)
	found := map[string]bool{}
	visible := false
	for line := range strings.Lines(got.Stdout) {
		file := strings.TrimSpace(line)
		visible = visible || filepath.Base(file) == "visible"
		found[file] = filepath.Base(file) != "visible"
	}
	maps.DeleteFunc(found, func(_ string, secret bool) bool { return !secret })
	if got.Status != 0 || !visible {
		t.Errorf("%s: it ended with %d and did not find what is visible: %s", name, got.Status, got.Stderr)
		return
	}
	if text == "" {
		p.control(t, found)
		return
	}
	for _, file := range slices.Sorted(maps.Keys(found)) {
		in := func(dir string) bool { return strings.HasPrefix(file, dir) }
		if !slices.ContainsFunc(shown, in) {
			t.Errorf("%s: %s can be read inside", name, strings.TrimPrefix(file, p.Home))
		}
	}
}

// control: outside, all of them can be read.
func (p hoard) control(t *testing.T, found map[string]bool) {
	t.Helper()
	for _, file := range p.files {
		if !found[file] {
			t.Errorf("outside, %s cannot be read", file)
		}
	}
	if len(p.files) < 300 {
		t.Errorf("only %d secrets are planted", len(p.files))
	}
}

// TestSecretsSymlinked: a login that lies in a repository of dotfiles, to which a link in
// home leads, is hidden where these are the project, and stays in its place. What lies
// beside it is shown.
func TestSecretsSymlinked(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{
			"home/code/p/stow/kube/config": secret, "home/code/p/stow/kube/other": "other\n", "home/code/p/stow/netrc": secret, "home/code/p/stow/vimrc": "vim\n",
		})
		w.shell(t, `rm "$H/.netrc"; ln -s code/p/stow/netrc "$H/.netrc"; ln -s "$P/stow/kube" "$H/.kube"`)
		w.Give(t, w.Home)
		l := w.launch(t, `extends = ["default"]`)
		l.Run(t, "bash", "-c", `exec 2>/dev/null; cat stow/kube/config stow/netrc; mv stow made; mv stow/kube made; rm -f stow/netrc; echo x >>stow/netrc; echo x >>stow/vimrc; cat stow/kube/other stow/vimrc`).Prints(t, "other\nvim\nx\n")
		for _, name := range []string{"stow/kube/config", "stow/netrc"} {
			if got := harness.Read(t, filepath.Join(w.Project, name)); got != secret {
				t.Errorf("%s holds %q", name, got)
			}
		}
		l.shell(t, `git init -q stow/kube`)
		w.Give(t, w.Project)
		l.Dir = filepath.Join(w.Project, "stow/kube")
		l.Run(t, "bash", "-c", `cat config; cat other`).Prints(t, "other\n")
		l.shell(t, `mkdir "$H/.config/git"; git init -q "$H/.config"; git init -q "$H/.config/git"`)
		w.Give(t, w.Home)
		l.Dir = filepath.Join(w.Home, ".config")
		l.Run(t, "true").Refused(t, "all settings", "hidden directories in home often hold credentials")
		l.Dir = filepath.Join(w.Home, ".config/git")
		l.Run(t, "true").Ends(t, 0)
	})
}

// TestStartUpFilesBelow: a directory that is shown to be read has none of what the host would
// run in it, and is shown all the same where that is absent.
func TestStartUpFilesBelow(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		w.Write(t, map[string]string{"home/Documents/letter": "hello\n"})
		w.Give(t, w.Top)
		for _, base := range []string{"select", "host"} {
			l := w.launch(t, "extends = [\"base\"]\n[filesystem]\nbase = \""+base+"\"\nread = [\"~/Documents\"]")
			l.Run(t, "sh", "-c", `ls ~/Documents && cat ~/Documents/letter`).Expect(t, base+", absent", 0, "letter\nhello\n")
			w.Write(t, map[string]string{"home/Documents/Cline/MCP/run": secret})
			w.Give(t, w.Top)
			l.holds(t, base, []claim{
				{"what is beside it", `grep hello ~/Documents/letter`},
				{"what the host would run", `test -d ~/Documents/Cline && ! cat ~/Documents/Cline/MCP/run`},
				{"to write there", `! touch ~/Documents/Cline/made`},
			})
			w.shell(t, `rm -r "$H/Documents/Cline"`)
		}
	})
}
