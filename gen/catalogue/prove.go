package catalogue

import (
	"fmt"
	"path"
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

// shown is one entry that a sandbox may show.
type shown struct {
	Entry
	tool, list string
	variables  []string
	meets      []met
}

// met is a sensitive path that an entry is, contains or lies below.
type met struct {
	Secret
	when string // the variable that brings them together; empty: without any
}

// problem says it, as a problem of the file of one of the tools: of the one that shows
// the path, or else of the one that names the secret.
func (s shown) problem(m met, tools []Tool) problem.Problem {
	p := problem.New(
		fmt.Sprintf("%s: %s: %q meets the %s %q of %s", s.tool, s.list, s.Path, m.Kind, m.Secret.Path, m.Tool),
		"name a narrower path, or list in mask or empty what is hidden below it",
	)
	if m.when != "" {
		p.What += " with " + m.when
	}
	for _, t := range tools {
		switch t.Name {
		case s.tool:
			return p.At(t.Origin, s.line, s.list)
		case m.Tool:
			p = p.At(t.Origin, m.line, m.list)
		}
	}
	return p
}

// enough is how many conflicts of one entry are named: in ~/.config there are
// hundreds.
const enough = 8

// Proven proves what further tools bring into a catalogue that has them already:
// that nothing which they show meets a secret, and that nothing else shows one of
// theirs: at the default places, with each relocating variable set to a folder in and
// outside the home directory, to nothing and to nonsense, and with all of them set at
// once. A secret that an entry covers by mask or empty is no conflict of that entry's. A
// variable that points at a secret, or at a folder full of them, is not part of the proof:
// Sensitive answers that for a host's own values. The error is problem.List of their files.
func (c Catalogue) Proven(tools ...Tool) error {
	all := c.shown()
	for _, w := range worlds(tools) {
		c.prove(all, w, tools)
	}
	var problems problem.List
	for _, s := range all {
		for _, m := range s.meets[:min(len(s.meets), enough)] {
			problems = append(problems, s.problem(m, tools))
		}
		if more := len(s.meets) - enough; more > 0 {
			problems[len(problems)-1].What += fmt.Sprintf(", and %d more", more)
		}
	}
	return problems.Err()
}

// shown lists what sandboxes may show of the host's.
func (c Catalogue) shown() []shown {
	var all []shown
	for _, t := range c.Tools {
		for _, l := range lists {
			for _, e := range *l.field(&t) {
				if l.shown && e.As != "synthetic" {
					all = append(all, shown{Entry: e, tool: t.Name, list: l.key, variables: e.Path.Variables()})
				}
			}
		}
	}
	return all
}

// world is one state of the variables.
type world struct {
	when string
	only string // the variable that differs from the defaults; empty: look at all
	env  expr.Env
}

// worlds are those in which a variable of some tools may make a difference.
func worlds(tools []Tool) []world {
	const home = "/home/user"
	all := []world{{env: expr.Env{Home: home}}}
	together := map[string]string{}
	for _, t := range tools {
		for _, name := range variables(t.entries()) {
			if together[name] != "" {
				continue
			}
			together[name] = home + "/elsewhere/" + name
			for _, value := range []string{home + "/x", "/data/x", "", "relative/x", "/dev/null"} {
				env := expr.Env{Home: home, Lookup: map[string]string{name: value}}
				all = append(all, world{name + "=" + value, name, env})
			}
		}
	}
	return append(all, world{"every variable set", "", expr.Env{Home: home, Lookup: together}})
}

// prove compares what may be shown with what is sensitive, where one of them is of some
// tools. Where one variable differs, only pairs that depend on it can differ.
func (c Catalogue) prove(all []shown, w world, tools []Tool) {
	isNamed := func(name string) bool {
		return slices.ContainsFunc(tools, func(t Tool) bool { return t.Name == name })
	}
	secrets := c.Sensitive(w.env, func(Secret) (string, bool) { return "", false })
	moved := slices.DeleteFunc(slices.Clone(secrets), func(p placed) bool { return w.only != "" && p.Path.Name != w.only })
	for i := range all {
		s := &all[i]
		at, ok := s.Eval(w.env)
		if !ok {
			continue
		}
		meant := moved
		if slices.Contains(s.variables, w.only) {
			meant = secrets
		}
		for _, p := range meant {
			isKnown := func(m met) bool { return m.path == p.path }
			switch {
			case !Meets(at, p.at), s.covers(at, p.at), !isNamed(s.tool) && !isNamed(p.Tool):
			case !slices.ContainsFunc(s.meets, isKnown):
				s.meets = append(s.meets, met{p.Secret, w.when})
			}
		}
	}
}

// covers reports whether the entry at a path says how the secret below it is covered.
func (e Entry) covers(at, secret string) bool {
	return slices.ContainsFunc(slices.Concat(e.Mask, e.Empty), func(name string) bool {
		return expr.Within(secret, path.Join(at, name))
	})
}
