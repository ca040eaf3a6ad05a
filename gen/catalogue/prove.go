package catalogue

import (
	"fmt"
	"path"
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

// Conflict is a path that a sandbox would show although it is, contains or
// lies below a sensitive one.
type Conflict struct {
	Tool   string
	List   string // toolchain, read or caches
	Path   expr.Path
	Secret Secret
	When   string // the variable that brings them together; empty: without any
	line   int    // of the path in the tool's file
}

// String says it in one sentence.
func (c Conflict) String() string {
	s := fmt.Sprintf("%s: %s: %q meets the %s %q of %s", c.Tool, c.List, c.Path, c.Secret.Kind, c.Secret.Path, c.Secret.Tool)
	if c.When != "" {
		s += " with " + c.When
	}
	return s
}

// Proven proves what further tools bring into a catalogue that has them already:
// that nothing which they show meets a secret, and that nothing else shows one of
// theirs: at the default places, with each relocating variable set to a folder in and
// outside the home directory, to nothing and to nonsense, and with all of them set at
// once. A secret that an entry covers by mask or empty is no conflict of that entry's. A
// variable that points at a secret, or at a folder full of them, is not part of the proof:
// Sensitive answers that for a host's own values. The error is problem.List of their files.
func (c Catalogue) Proven(tools ...Tool) error {
	further := Catalogue{Tools: tools}
	named := func(name string) bool {
		return slices.ContainsFunc(tools, func(t Tool) bool { return t.Name == name })
	}
	theirs, others := newProof(c), newProof(c)
	theirs.shown = slices.DeleteFunc(theirs.shown, func(s shown) bool { return !named(s.tool) })
	others.secrets = slices.DeleteFunc(others.secrets, func(s Secret) bool { return !named(s.Tool) })
	for _, w := range worlds(further.relocating()) {
		theirs.look(w)
		others.look(w)
	}
	grouped := map[string]problem.List{}
	var entries []string
	for _, found := range slices.Concat(theirs.found, others.found) {
		entry := fmt.Sprintf("%s %s %q", found.Tool, found.List, found.Path)
		if grouped[entry] == nil {
			entries = append(entries, entry)
		}
		if wrong := found.problem(tools); !slices.Contains(grouped[entry], wrong) {
			grouped[entry] = append(grouped[entry], wrong)
		}
	}
	var problems problem.List
	for _, entry := range entries {
		all := grouped[entry]
		if more := len(all) - enough; more > 0 {
			all = all[:enough]
			all[enough-1].What += fmt.Sprintf(", and %d more", more)
		}
		problems = append(problems, all...)
	}
	return problems.Err()
}

// enough is how many conflicts of one entry are named: in ~/.config there are
// hundreds.
const enough = 8

// problem is the conflict as a problem of the file of one of the tools: of the one
// that shows the path, or else of the one that names the secret.
func (c Conflict) problem(tools []Tool) problem.Problem {
	p := problem.Problem{Key: c.List, What: c.String(), Hint: "name a narrower path, or list in mask or empty what is hidden below it"}
	for _, t := range tools {
		switch t.Name {
		case c.Tool:
			p.File, p.Line = t.Origin, c.line
			return p
		case c.Secret.Tool:
			p.Key = [...]string{Credential: "secrets", Persistence: "persistence", State: "state", ControlSocket: "sockets", Config: "config"}[c.Secret.Kind]
			p.File, p.Line = t.Origin, c.Secret.line
		}
	}
	return p
}

// world is one state of the variables.
type world struct {
	when string
	only string // the variable that differs from the defaults; empty: look at all
	env  expr.Env
}

const proofHome = "/home/user"

func worlds(names []string) []world {
	all := []world{{env: expr.Env{Home: proofHome}}}
	together := map[string]string{}
	for _, name := range names {
		together[name] = proofHome + "/elsewhere/" + name
		for _, value := range []string{proofHome + "/x", "/data/x", "", "relative/x", "/dev/null"} {
			env := expr.Env{Home: proofHome, Lookup: map[string]string{name: value}}
			all = append(all, world{name + "=" + value, name, env})
		}
	}
	return append(all, world{"every variable set", "", expr.Env{Home: proofHome, Lookup: together}})
}

// proof collects conflicts, each once.
type proof struct {
	shown   []shown
	secrets []Secret
	seen    map[string]bool
	found   []Conflict
}

// shown is one entry that a sandbox may show.
type shown struct {
	tool, list string
	entry      Entry
	variables  []string
}

func newProof(c Catalogue) *proof {
	p := &proof{seen: map[string]bool{}, secrets: slices.Concat(c.Secrets(), c.Sockets(), c.Configs())}
	for _, t := range c.Tools {
		for _, l := range lists {
			if !l.shown {
				continue
			}
			for _, e := range *l.field(&t) {
				if e.As != AsSynthetic {
					p.shown = append(p.shown, shown{t.Name, l.key, e, e.Path.Variables()})
				}
			}
		}
	}
	return p
}

// look compares what may be shown with what is sensitive. Where one variable
// differs, only pairs that depend on it can differ.
func (p *proof) look(w world) {
	var moved, all Sensitive
	for _, s := range p.secrets {
		if at, ok := s.Eval(w.env); ok {
			all = append(all, placed{s, at})
			if w.only == "" || s.Path.Name == w.only {
				moved = append(moved, placed{s, at})
			}
		}
	}
	for _, s := range p.shown {
		meant := moved
		if slices.Contains(s.variables, w.only) {
			meant = all
		}
		for _, hit := range meant.open(s.entry, w.env) {
			p.note(Conflict{s.tool, s.list, s.entry.Path, hit, w.when, s.entry.line})
		}
	}
}

func (p *proof) note(c Conflict) {
	key := c.Tool + "\x00" + c.Path.String() + "\x00" + c.Secret.Path.String()
	if !p.seen[key] {
		p.seen[key] = true
		p.found = append(p.found, c)
	}
}

// relocating lists every variable of every path.
func (c Catalogue) relocating() []string {
	var names []string
	for _, t := range c.Tools {
		names = append(names, variables(t.entries())...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// open lists what an entry brings within reach and does not cover.
func (s Sensitive) open(e Entry, env expr.Env) []Secret {
	at, ok := e.Eval(env)
	if !ok {
		return nil
	}
	var open []Secret
	for _, p := range s {
		if Meets(at, p.at) && !covered(e, at, p.at) {
			open = append(open, p.Secret)
		}
	}
	return open
}

// covered reports whether the entry says how the secret below it is covered.
func covered(e Entry, at, secret string) bool {
	for _, name := range slices.Concat(e.Mask, e.Empty) {
		cover := path.Join(at, name)
		if expr.Within(secret, cover) {
			return true
		}
	}
	return false
}
