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

// Secret is one sensitive path. It stands for one place: an entry whose path
// has defaults becomes one secret for each, since the default place may still
// hold an old secret when a variable points elsewhere.
type Secret struct {
	Tool string
	Kind Kind
	Path expr.Path // without a default
	Why  string
	Pass string // a socket's name in a profile's sockets.pass
	Led  bool   // found where a link of the host leads: see Sensitive
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
func (c Catalogue) Secrets() []Secret {
	var all []Secret
	for _, t := range c.Tools {
		all = append(all, t.sensitive(Credential, t.Secrets)...)
		all = append(all, t.sensitive(Persistence, t.Persistence)...)
		all = append(all, t.sensitive(State, t.State)...)
	}
	return sortSecrets(all)
}

// Sockets lists the control sockets of all tools, sorted by path. One below
// $XDG_RUNTIME_DIR is listed below /run/user/* too.
func (c Catalogue) Sockets() []Secret {
	var all []Secret
	for _, t := range c.Tools {
		all = append(all, t.sensitive(ControlSocket, t.Sockets)...)
	}
	return sortSecrets(all)
}

// Configs lists what may be read on request but never written, sorted by path.
func (c Catalogue) Configs() []Secret {
	var all []Secret
	for _, t := range c.Tools {
		all = append(all, t.sensitive(Config, t.Config)...)
	}
	return sortSecrets(all)
}

// Project lists the files of a project that the host would run later, of all
// tools, sorted by path and without repetition.
func (c Catalogue) Project() []Entry {
	var all []Entry
	for _, t := range c.Tools {
		all = append(all, t.Project...)
	}
	slices.SortStableFunc(all, func(a, b Entry) int { return cmp.Compare(a.Path.String(), b.Path.String()) })
	return slices.CompactFunc(all, func(a, b Entry) bool { return a.Path.Equal(b.Path) })
}

func (t Tool) allSensitive() []Secret {
	return slices.Concat(
		t.sensitive(Credential, t.Secrets), t.sensitive(Persistence, t.Persistence), t.sensitive(State, t.State),
		t.sensitive(ControlSocket, t.Sockets), t.sensitive(Config, t.Config),
	)
}

func (t Tool) sensitive(kind Kind, entries []Entry) []Secret {
	var all []Secret
	for _, e := range entries {
		for _, p := range Places(e.Path) {
			all = append(all, Secret{Tool: t.Name, Kind: kind, Path: p, Why: e.Why, Pass: e.Pass})
		}
	}
	return all
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

// sortSecrets sorts by path, kind and tool; of one path and kind the first stays.
func sortSecrets(all []Secret) []Secret {
	type keyed struct {
		*Secret
		path string
	}
	sorted := make([]keyed, len(all))
	for i := range all {
		sorted[i] = keyed{&all[i], all[i].Path.String()}
	}
	slices.SortStableFunc(sorted, func(a, b keyed) int {
		if a.path != b.path {
			return strings.Compare(a.path, b.path)
		}
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Tool, b.Tool))
	})
	sorted = slices.CompactFunc(sorted, func(a, b keyed) bool { return a.Kind == b.Kind && a.path == b.path })
	once := make([]Secret, len(sorted))
	for i, s := range sorted {
		once[i] = *s.Secret
	}
	return once
}
