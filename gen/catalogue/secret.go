package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
)

// Kind says why a path is sensitive.
type Kind uint8

// The kinds of sensitive paths.
const (
	Credential    Kind = iota + 1 // holds a secret
	Persistence                   // the host would run it, or believe it, later
	State                         // an agent's login and history, for that agent alone
	ControlSocket                 // leads to a daemon that acts outside the sandbox
	Config                        // may be read on request, never written
)

// String names the kind as a sentence does.
func (k Kind) String() string {
	return [...]string{"", "credential", "persistence file", "agent's state",
		"control socket", "settings file"}[k]
}

// Unreadable reports whether nobody inside may read what is of the kind. Start-up files and
// settings may be read, not written.
func (k Kind) Unreadable() bool { return k != Persistence && k != Config }

// Secret is one sensitive path. It stands for one place: an entry whose path
// has defaults becomes one secret for each, since the default place may still
// hold an old secret when a variable points elsewhere.
type Secret struct {
	Tool   string
	Kind   Kind
	Path   expr.Path // without a default
	Why    string
	Pass   string // a socket's name in a profile's sockets.pass
	ByLink bool   // found where a link of the host leads: see Sensitive
	list   string // its key in the tool's file
	line   int    // of it there
	path   string // Path as a text
}

// Eval gives the absolute path, or false where the variable is unset or names
// no place of its own: see Entry.Eval. What lies among the system's programs is
// no secret either, as with ZSH=/usr/share/oh-my-zsh: all may read it, and only
// root writes it.
func (s Secret) Eval(env expr.Env) (string, bool) {
	at, ok := evalOwn(s.Path, env)
	if ok && s.Path.Base == expr.Variable && within(at, systemPrograms) {
		return "", false
	}
	return at, ok
}

// Secrets lists the credentials, persistence files and agents' states of all
// tools, sorted by path and without repetition.
func (c Catalogue) Secrets() []Secret { return c.of(Credential, Persistence, State) }

// Sockets lists the control sockets of all tools, sorted by path. One below
// $XDG_RUNTIME_DIR is listed below /run/user/* too.
func (c Catalogue) Sockets() []Secret { return c.of(ControlSocket) }

// Configs lists what may be read on request but never written, sorted by path.
func (c Catalogue) Configs() []Secret { return c.of(Config) }

// Hidden lists what Secrets and Sockets do, sorted by path.
func (c Catalogue) Hidden() []Secret {
	return c.of(Credential, Persistence, State, ControlSocket)
}

// of lists what is of some kinds.
func (c Catalogue) of(kinds ...Kind) []Secret {
	return slices.DeleteFunc(slices.Clone(c.allSensitive()), func(s Secret) bool { return !slices.Contains(kinds, s.Kind) })
}

func (c Catalogue) allSensitive() []Secret {
	if c.sensitive == nil {
		return sensitive(c.Tools)
	}
	return c.sensitive
}

// sensitive lists what is of any kind, sorted by path and without repetition.
func sensitive(tools []Tool) []Secret {
	var all []Secret
	for _, t := range tools {
		for _, l := range lists {
			if l.kind == 0 {
				continue
			}
			for _, e := range *l.field(&t) {
				for _, p := range Places(e.Path) {
					all = append(all, Secret{
						Tool: t.Name, Kind: l.kind, Path: p, Why: e.Why, Pass: e.Pass.Name, list: l.key, line: e.line, path: p.String(),
					})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Secret) int {
		return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Tool, b.Tool))
	})
	return slices.CompactFunc(all, func(a, b Secret) bool { return a.path == b.path && a.Kind == b.Kind })
}

// Places lists every place that an expression can stand for, outermost first:
// ${A:-${B:-~/c}/d}/e is $A/e, $B/d/e and ~/c/d/e.
func Places(p expr.Path) []expr.Path {
	if p.Base != expr.Variable {
		return []expr.Path{p}
	}
	first := p
	first.Default = nil
	all := []expr.Path{first}
	if p.Name == "XDG_RUNTIME_DIR" {
		all = append(all, expr.Path{Base: expr.Root, Rest: "/run/user/*" + p.Rest})
	}
	if p.Default == nil {
		return all
	}
	for _, d := range Places(*p.Default) {
		d.Rest = strings.TrimSuffix(d.Rest, "/") + p.Rest
		all = append(all, d)
	}
	return all
}
