package sockettest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// TestEverySocket: each socket that the catalogue says can be passed answers inside, where
// programs look for it, if its profile asks, and not at all if the profile does not. Those
// that the engine finds have tests of their own.
func TestEverySocket(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		system := p.Top + "/run"
		if err := os.Mkdir(system, 0o755); err != nil {
			t.Fatal(err)
		}
		refused := p.launcher(`extends = ["default"]`)
		for _, name := range catalogue.SocketNames() {
			sockets := catalogue.Passed(name)
			if sockets[0].Engine {
				continue
			}
			l := p.Top + "/" + name
			p.Put(t, l, p.Launcher(t, harness.Profile{
				Text:    "extends = [\"default\"]\n[sockets]\npass = [\"" + name + "\"]\n",
				Visible: filepath.Dir(p.inside), Environment: p.Environment,
			}))
			for _, s := range sockets {
				answers(p, s, l, refused)
			}
		}
	})
}

// answers fails the test unless a socket answers outside and through one launcher, and not
// through the other.
func answers(p *place, s catalogue.Socket, launcher, refused string) {
	p.t.Helper()
	at, file, variable := p.outside(s)
	if !harness.Exists(file) {
		harness.Listen(p.t, "unix", file, s.Name)
		p.own()
	}
	hear := func(program string, words ...string) string {
		start := p.of(program)
		start.Environment = append(start.Environment, variable)
		said, _ := said(start.InNamespace(`mount --bind "$1" /run`, p.Top+"/run").Run(p.t, words...))
		return said
	}
	if got := hear(p.inside, "hear", "unix", at); got != s.Name {
		p.t.Fatalf("%s: outside, %s says %q", s.Name, at, got)
	}
	if got := hear(refused, p.inside, "hear", "unix", at); !unheard(got) {
		p.t.Errorf("%s: nobody asks for it, and %s says %q", s.Name, at, got)
	}
	if got := hear(launcher, "sh", "-c", `at=`+lookedFor(s)+`; exec "$0" hear unix "/${at#*/}"`, p.inside); got != s.Name {
		p.t.Errorf("%s: inside, at %s, it says %q", s.Name, lookedFor(s), got)
	}
}

// outside is where a socket lies, the file that stands there when the launcher starts, and
// the variable that tells it, if it lies where a test makes no file.
func (p *place) outside(s catalogue.Socket) (at, file, variable string) {
	env := expr.Env{Home: p.Home, Lookup: map[string]string{"XDG_RUNTIME_DIR": p.session}}
	at, found := s.Path.Eval(env)
	inRun := strings.TrimPrefix(at, "/var")
	switch {
	case strings.HasPrefix(inRun, "/run/"):
		return at, p.Top + inRun, "NONE="
	case found && strings.HasPrefix(at, p.Top+"/"):
		return at, at, "NONE="
	}
	at = p.Top + "/socket-of-" + s.Name
	return at, at, s.Variables[0] + "=" + at
}

// lookedFor is where a program inside looks for a socket, in words of sh.
func lookedFor(s catalogue.Socket) string {
	variable, value, _ := strings.Cut(s.Sets, "=")
	switch {
	case strings.Contains(value, "%s"):
		return `"$` + variable + `"`
	case strings.HasPrefix(s.Place(), "/"):
		return s.Place()
	}
	return `"$XDG_RUNTIME_DIR/` + s.Place() + `"`
}
