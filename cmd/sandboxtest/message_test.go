package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestMessages: what a project calls its files does nothing to the terminal
// that the launcher speaks on, in whatever locale it speaks. Besides the usual
// escape there is a shorter one, a single character above ASCII.
func TestMessages(t *testing.T) {
	t.Parallel()
	const evil = "\x1b]0;evil\a\x9b31m\u009b31m\r\n"
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["default"]`)
		named := filepath.Join(w.Project, "new", evil)
		w.Put(t, filepath.Join(named, ".git"), []byte("gitdir: /nowhere"+evil))
		l.shell(t, `rm -f .mcp.json; mkdir .git/modules`)
		w.Give(t, w.Top)
		for _, locale := range []string{"C", "C.UTF-8", "POSIX", "no_SUCH.locale"} {
			l.Set("LC_ALL="+locale, "LANG="+locale)
			l.Dir = named
			refused := l.Run(t, "true")
			refused.Refused(t, locale, "there is no repository /nowhere")
			l.Dir = w.Project
			l.Run(t, "bash", "-c", `mkdir ".git/modules/$1"`, "bash", evil).Succeeds(t, "a module")
			reported := l.Run(t, "bash", "-c", `mkdir ".git/modules/$1/hooks"`, "bash", evil)
			if !strings.Contains(reported.Stderr, "the command created") {
				t.Errorf("%s: it does not say what was made: %q", locale, reported.Stderr)
			}
			for _, said := range []string{refused.Stderr, reported.Stderr} {
				if strings.ContainsAny(said, "\x1b\a\r\u009b") || strings.Contains(said, "\x9b") {
					t.Errorf("%s: it says %q", locale, said)
				}
			}
			l.shell(t, `rm -rf .git/modules/*`)
		}
	})
}

// TestPlantedPipe: bwrap would wait for a writer where a name is a pipe.
func TestPlantedPipe(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, "extends = [\"default\"]\n[project]\nhide = [\"late\"]\n[filesystem]\nread = [\"./later?\"]")
		for _, name := range []string{".mcp.json", "late", "later", ".git/modules/m/hooks", ".git/commondir"} {
			l.Run(t, "sh", "-c", `mkdir -p .git/modules/m; mkfifo "$0"`, name).Succeeds(t, name)
			if strings.HasPrefix(name, ".git") { // the launcher has moved it aside: a kill leaves it
				l.shell(t, "[ -p "+name+" ] || mv "+name+"?* "+name)
			}
			l.Run(t, "true").Refused(t, name, name+": bwrap could wait forever at a named pipe")
			l.shell(t, `rm -r `+name)
			l.Run(t, "true").Succeeds(t, "without "+name)
		}
	})
}

// TestPlantedPipeElsewhere: so it is where else the command may write. A bwrap that
// does not wait hides the pipe, or shows it.
func TestPlantedPipeElsewhere(t *testing.T) {
	t.Parallel()
	harness.Ends(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, w.expand("extends = [\"default\"]\n[filesystem]\nwrite = [\"$O\"]\nread = [\"$O/later?\"]\nhide = [\"$O/late\"]"))
		for _, name := range []string{"late", "later"} {
			path := filepath.Join(w.Outside, name)
			l.Run(t, "mkfifo", path).Succeeds(t, name)
			if name == "later" { // the launcher has moved it aside: a kill leaves it
				w.shell(t, "[ -p "+path+" ] || { rm "+path+"?* && mkfifo "+path+"; }")
			}
			if r := l.Run(t, "true"); r.Status != 0 {
				r.Refused(t, name, path+": it is a named pipe")
			}
			w.shell(t, "rm "+path)
			l.Run(t, "true").Succeeds(t, "without "+name)
		}
	})
}
