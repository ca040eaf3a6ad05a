// Package lint knows what is missing or wrong in a script that calls bwrap.
//
// It judges the text alone, as package bash reads it, by rules that are data:
// each says what it looks for, why that is a hole, and who says so. It touches
// neither the host nor the script. Where the text does not tell, it says
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

// Rule is one thing that is looked for.
type Rule struct {
	Name     string
	Severity Severity
	Looks    string // for what, in one sentence
	Why      string
	Source   string // where the fact comes from
	Hint     string // what to do; a finding may have its own
	Bad      string // a script that has the finding; empty: only a launcher of bwrapgen's can
	Good     string // and what to write instead

	call   func(*call) []remark   // judges a call of bwrap; or
	script func(*script) []remark // all of a script; or neither, of comments for lint
}

// remark is a finding before it is told apart whose it is.
type remark struct {
	at   trace.Position
	what string
	hint string // empty: the rule's

	severity Severity // 0: the rule's
}

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
	Findings []Finding // call by call, the weightiest first
	Notes    []Finding // what could not be judged
	Engine   string    // of a launcher of bwrapgen's: whether its engine is known
	Cut      bool      // the script could not be followed to its end
}

// Rules lists the rules, subject by subject.
func Rules() []Rule {
	return slices.Concat(outsideRules, namespaceRules, lifetimeRules, terminalRules, environmentRules,
		mountRules, deviceRules, secretRules, socketRules, projectRules, coverRules, commandRules,
		optionRules, []Rule{engineRule, directiveRule})
}

// RuleOf returns the rule of a name.
func RuleOf(name string) (Rule, bool) {
	all := Rules()
	i := slices.IndexFunc(all, func(r Rule) bool { return r.Name == name })
	if i < 0 {
		return Rule{}, false
	}
	return all[i], true
}

// Script judges the text of a script. The error is a problem.Problem.
func Script(name string, src []byte, tools catalogue.Catalogue) (Result, error) {
	if e, ok := gen.ReadEngine(src); ok {
		return ofBwrapgen(name, src, e, tools), nil
	}
	r, err := trace.Read(src)
	if err != nil {
		return Result{}, problem.New(
			fmt.Sprintf("%q is no script for bash: %v", name, err), "lint reads launchers that are written in bash")

	}
	s := newScript(r, tools)
	s.text = string(src)
	if s.onlyTries {
		note := Finding{File: name, Line: r.Launches[0].At.Line, Column: r.Launches[0].At.Column, What: "bwrap is called to see whether it works, and for nothing else: nothing is judged"}
		return Result{Notes: []Finding{note}}, nil
	}
	if len(s.calls)+len(s.Evaluated) == 0 {
		return Result{}, problem.New(
			fmt.Sprintf("%q does not call bwrap, as far as its text tells", name), "name a script that starts bwrap itself")

	}
	cut := s.Lost || slices.ContainsFunc(s.calls, func(c call) bool { return c.Changed })
	return Result{Findings: judge(name, s), Notes: s.notes(name), Cut: cut}, nil
}

// judge asks every rule.
func judge(name string, s *script) []Finding {
	var all []Finding
	for _, rule := range Rules() {
		all = append(all, rule.judge(name, s)...)
	}
	return inOrder(allowed(name, all, s.Comments))
}

// judge asks one rule. Of a script with one call, all is about that.
func (r Rule) judge(name string, s *script) []Finding {
	var all []Finding
	if r.script != nil {
		only := uint(0)
		if len(s.calls) == 1 {
			only = s.calls[0].At.Line
		}
		all = r.findings(name, only, r.script(s))
	}
	for i := range s.calls {
		if r.call != nil {
			all = append(all, r.findings(name, s.calls[i].At.Line, r.call(&s.calls[i]))...)
		}
	}
	return all
}

// findings tells remarks about a call as those of the rule.
func (r Rule) findings(name string, call uint, remarks []remark) []Finding {
	var all []Finding
	for _, m := range remarks {
		all = append(all, Finding{
			File: name, Line: m.at.Line, Column: m.at.Column, Call: call,
			Severity: cmp.Or(m.severity, r.Severity), Rule: r.Name, What: m.what, Hint: cmp.Or(m.hint, r.Hint),
		})
	}
	return all
}

// inOrder sorts call by call, the weightiest first, then by place. What is said of
// one place for several calls, which share their options, is said once.
func inOrder(all []Finding) []Finding {
	type place struct {
		line, column uint
		rule, what   string
	}
	seen := map[place]bool{}
	all = slices.DeleteFunc(all, func(f Finding) bool {
		at := place{f.Line, f.Column, f.Rule, f.What}
		again := seen[at]
		seen[at] = true
		return again
	})
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Call, b.Call), cmp.Compare(b.Severity, a.Severity),
			cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}
