package sandboxtest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// lent are ways to make writable what the launcher, bwrap and the project lie
// in, and where that stands inside.
var lent = map[string]struct{ profile, inside string }{
	"a directory":         {`write = ["$O"]`, "$O"},
	"a link to it":        {`write = ["$H/linked-outside"]`, "$H/linked-outside"},
	"at another place":    {`write = [{ path = "$O", at = "/data" }]`, "/data"},
	"two, one in another": {`write = ["$O", "$O/tools/code", "$O/tools/bin"]`, "$O"},
}

// TestLent: the launcher and bwrap are not writable from inside, and do not
// change by what happens above them, where a profile makes writable what they
// lie in; nor can the project be replaced.
func TestLent(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		for name, c := range lent {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, s)
				l := w.lent(t, "extends = [\"default\"]\n[filesystem]\n"+c.profile)
				before := harness.StateOf(t, l.Program, filepath.Join(l.Bwrap, "bwrap"))
				w.unmoved(t, l, c.inside)
				before.Same(t, harness.StateOf(t, l.Program, filepath.Join(l.Bwrap, "bwrap")))
			})
		}
	})
}

// lent puts a launcher, its bwrap and the project below outside/tools.
func (w world) lent(t *testing.T, profile string) launcher {
	t.Helper()
	bwrap, err := os.ReadFile(filepath.Join(w.Bwrap, "bwrap"))
	if err != nil {
		t.Fatal(err)
	}
	l := w.launch(t, profile)
	script, err := os.ReadFile(l.Program)
	if err != nil {
		t.Fatal(err)
	}
	l.Program = filepath.Join(w.Outside, "tools/bin/launch")
	w.Put(t, l.Program, script)
	l.Bwrap = filepath.Join(w.Outside, "tools/deep/down")
	w.Put(t, filepath.Join(l.Bwrap, "bwrap"), bytes.Clone(bwrap))
	w.shell(t, `ln -s "$O" "$H/linked-outside"; mkdir -p "$O/tools/code" && cp -a "$P" "$O/tools/code/p"`)
	w.Give(t, w.Top)
	l.Dir = filepath.Join(w.Outside, "tools/code/p")
	l.Set("PATH=" + l.Path())
	return l
}

// unmoved tries to change what must stay, and to write what may be written.
func (w world) unmoved(t *testing.T, l launcher, place string) {
	t.Helper()
	denied := []string{
		`echo evil >>tools/bin/launch`, `rm -f tools/bin/launch`, `mv tools/bin/launch tools/x1`, `mv tools/bin tools/x2`,
		`cp tools/bin/launch tools/x4 && mv -f tools/x4 tools/bin/launch`, `rm -rf tools/bin`, `chmod 777 tools/bin/launch`, `touch -d 2001-01-01 tools/bin/launch`,
		`echo evil >>tools/deep/down/bwrap`, `mv tools/deep/down tools/x5`, `mv tools/deep tools/x6`, `rm -f tools/deep/down/bwrap`, `ln tools/bin/launch tools/x7`,
		`mv tools/code tools/x8`, `mv tools/code/p tools/x9`, `touch tools/code/p/.git/hooks/made`, `mv tools x`,
	}
	allowed := []string{`echo x >tools/bin/made`, `echo x >tools/deep/down/made`, `echo x >tools/code/made`, `mkdir tools/y && mv tools/y tools/z`, `echo x >"$OLDPWD/made"`}
	r := l.Run(t, slices.Concat([]string{"bash", "-c", `cd "$0"; for do in "$@"; do (eval "$do") 2>/dev/null && echo "$do"; done; true`, w.expand(place)}, denied, allowed)...)
	r.Expect(t, "what works", 0, strings.Join(allowed, "\n")+"\n")
}

// expand puts the world's directories into a text.
func (w world) expand(text string) string {
	return os.Expand(text, func(name string) string {
		return map[string]string{"O": w.Outside, "H": w.Home, "P": w.Project}[name]
	})
}

// TestBwrapProtected: a bwrap in a directory that the profile makes writable cannot be changed.
func TestBwrapProtected(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, w.expand("extends = [\"default\"]\n[filesystem]\nwrite = [\"$O\"]"))
		w.shell(t, `mkdir "$O/bin" && cp "`+s.Bwrap+`/bwrap" "$O/bin" && touch "$O/bin/other"`)
		w.Give(t, w.Top)
		l.Set("PATH=" + w.expand("$O/bin:") + l.Path())
		l.Run(t, "bash", "-c", w.expand(`cd $O/bin; echo x >other && ! { echo x >bwrap || rm -f bwrap || mv other bwrap || mv ../bin ../old; } 2>/dev/null`)).Succeeds(t, "bwrap is protected")
		w.shell(t, `cmp "$O/bin/bwrap" "`+s.Bwrap+`/bwrap" && test -s "$O/bin/other"`)
	})
}
