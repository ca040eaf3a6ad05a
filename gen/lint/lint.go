// Package lint knows what is missing or wrong in a script that calls bwrap.
//
// It judges the text alone, as package trace follows it, by rules that are data
// (rules.toml): each says what it looks for, why that is a hole, and who says so. It
// touches neither the host nor the script. Where the text does not tell, it says
// nothing: no finding is better than a false one.
package lint

import (
	"cmp"
	"fmt"
	"slices"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/lint/trace"
	"bwrapgen/gen/problem"
)

// Finding is one hole in a script.
type Finding struct {
	File     string   `json:"file"`
	Line     uint     `json:"line"`
	Column   uint     `json:"column"`
	Call     uint     `json:"call"` // the line of the call of bwrap that it is about; 0: the whole script
	Severity Severity `json:"severity"`
	Rule     string   `json:"rule"`
	What     string   `json:"what"` // one sentence
	Hint     string   `json:"hint"` // what to do
}

// String returns the finding as FILE:LINE:COLUMN: severity: sentence (rule).
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s: %s (%s)", f.File, f.Line, f.Column, f.Severity, f.What, f.Rule)
}

// Result is what there is to say about a script.
type Result struct {
	Findings []Finding // call by call, the most severe first
	Notes    []Finding // what could not be judged
	Engine   string    // of a launcher of bwrapgen's: whether its engine is known
	Cut      bool      // the script could not be followed to its end
}

// Script judges the text of a script. The error is a problem.Problem.
func Script(name string, src []byte, tools catalogue.Catalogue) (Result, error) {
	return Launcher(name, src, nil, tools)
}

// Launcher judges the text of a script as Script does. Want is the same launcher as bwrapgen would
// write it now: it tells which lines were edited by hand.
func Launcher(name string, src, want []byte, tools catalogue.Catalogue) (Result, error) {
	if e, ok := gen.ReadEngine(src); ok {
		return ofBwrapgen(name, src, want, e, tools), nil
	}
	s, err := readScript(name, src, tools)
	if err != nil {
		return Result{}, problem.New(err.Error(), "lint reads launchers that are written in bash")
	}
	if s.onlyTries {
		s.report(s.Launches[0].At, "bwrap is called to see whether it works, and for nothing else: nothing is judged")
		return Result{Notes: s.found}, nil
	}
	if len(s.calls)+len(s.Evaluated) == 0 {
		return Result{}, noCall(name)
	}
	return Result{Findings: s.judge(), Notes: s.notes(), Cut: s.Lost || s.changed}, nil
}

// Sandboxes reads the calls of bwrap in a script, in their order, with the options of which
// all operands are known. The error is a Problem.
func Sandboxes(name string, src []byte, tools catalogue.Catalogue) ([]Sandbox, error) {
	s, err := readScript(name, src, tools)
	if err != nil {
		return nil, problem.New(err.Error(), "name a script that is written in bash")
	}
	if len(s.calls) == 0 {
		return nil, noCall(name)
	}
	var all []Sandbox
	for _, c := range s.calls {
		one := c.Sandbox
		for _, w := range c.maybe {
			one.Unknown = cmp.Or(one.Unknown, "cannot tell what "+w.Text.String()+" holds")
		}
		incomplete := func(o Option) bool { return !o.complete() }
		one.Options = slices.DeleteFunc(slices.Clone(c.Options), incomplete)
		all = append(all, one)
	}
	return all, nil
}

// readScript follows a script. The error is one sentence.
func readScript(name string, src []byte, tools catalogue.Catalogue) (*script, error) {
	r, err := trace.Read(src)
	if err != nil {
		return nil, fmt.Errorf("%q is no script for bash: %v", name, err)
	}
	return newScript(name, r, string(src), tools), nil
}

func noCall(name string) error {
	what := fmt.Sprintf("%q does not call bwrap, as far as its text tells", name)
	return problem.New(what, "name a script that starts bwrap itself")
}

// judge asks every rule. Of a script with one call, all is about that.
func (s *script) judge() []Finding {
	s.found = nil
	only := uint(0)
	if len(s.calls) == 1 {
		only = s.calls[0].At.Line
	}
	for _, s.rule = range Rules() {
		s.about = only
		if check := ofScripts[s.rule.Name]; check != nil {
			check(s)
		}
		for _, c := range s.calls {
			s.about = c.At.Line
			s.rule.judge(c)
		}
	}
	s.allow()
	return inOrder(s.found)
}

// findings are those of one file, as a rule reports them.
type findings struct {
	file  string
	rule  Rule // that is asked
	about uint // the line of the call of bwrap that it is asked about; 0: the whole script
	found []Finding
}

// told is a finding about a place, of no rule yet.
func told(at trace.Position, format string, parts ...any) Finding {
	return Finding{Line: at.Line, Column: at.Column, What: fmt.Sprintf(format, parts...)}
}

func (all *findings) report(at trace.Position, format string, parts ...any) {
	all.add(told(at, format, parts...))
}

// add reports a finding that may have a severity and a hint of its own.
func (all *findings) add(f Finding) {
	f.File, f.Call, f.Rule = all.file, all.about, all.rule.Name
	f.Severity, f.Hint = cmp.Or(f.Severity, all.rule.Severity), cmp.Or(f.Hint, all.rule.Hint)
	all.found = append(all.found, f)
}

// inOrder sorts findings by the most severe one of their call, call by call, and then by severity and
// place. It drops repetitions: calls that share their options share findings.
func inOrder(all []Finding) []Finding {
	seen := map[Finding]bool{}
	all = slices.DeleteFunc(all, func(f Finding) bool {
		f.Call = 0
		again := seen[f]
		seen[f] = true
		return again
	})
	worst := map[uint]Severity{}
	for _, f := range all {
		worst[f.Call] = max(worst[f.Call], f.Severity)
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(worst[b.Call], worst[a.Call]), cmp.Compare(a.Call, b.Call), cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}

// Severity says how bad a finding is.
type Severity uint8

// The severities, the most severe last.
const (
	Style    Severity = iota + 1 // how the script is written
	Weak                         // hardening is missing
	Exposure                     // secrets can be read, sockets spoken to, or what the host runs later changed
	Escape                       // the command gets out, or runs unconfined
)

var severities = []string{Style: "style", Weak: "weak", Exposure: "exposure", Escape: "escape"}

// SeverityOf returns the severity of a name.
func SeverityOf(name string) (Severity, bool) {
	s := slices.Index(severities, name)
	return Severity(max(s, 0)), s > 0
}

// String returns the name.
func (s Severity) String() string { return severities[s] }

// MarshalText gives the name, for JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name, of rules.toml.
func (s *Severity) UnmarshalText(name []byte) error {
	known, ok := SeverityOf(string(name))
	if !ok {
		return fmt.Errorf("there is no severity %q", name)
	}
	*s = known
	return nil
}
