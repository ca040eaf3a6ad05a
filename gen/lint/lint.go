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
)

// Rule is one thing that is looked for.
type Rule struct {
	Name   string
	Looks  string // for what, in one sentence
	Why    string
	Source string // where the fact comes from
	Hint   string // what to do; a finding may have its own

	call   func(*call) []remark   // judges a call of bwrap; or
	script func(*script) []remark // all of a script; or neither, of comments for lint
}

// remark is a finding before it is told apart whose it is.
type remark struct {
	at   trace.Position
	what string
	hint string // empty: the rule's
}

// Finding is one hole in a script.
type Finding struct {
	File   string `json:"file"`
	Line   uint   `json:"line"`
	Column uint   `json:"column"`
	Rule   string `json:"rule"`
	What   string `json:"what"` // one sentence
	Hint   string `json:"hint"` // what to do
}

// String returns the finding as FILE:LINE:COLUMN: sentence (rule).
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", f.File, f.Line, f.Column, f.What, f.Rule)
}

// Problem says why a script cannot be judged.
type Problem struct{ What, Hint string }

// Error returns the sentence without the hint.
func (p Problem) Error() string { return p.What }

// Result is what there is to say about a script.
type Result struct {
	Findings []Finding // in the script's order
	Notes    []Finding // what could not be judged
	Engine   string    // of a launcher of bwrapgen's: whether its engine is known
}

// Rules lists the rules, subject by subject.
func Rules() []Rule {
	return slices.Concat(namespaceRules, lifetimeRules, terminalRules, environmentRules,
		mountRules, secretRules, coverRules, commandRules, []Rule{engineRule, directiveRule})
}

// Script judges the text of a script. The error is a Problem.
func Script(name string, src []byte, tools catalogue.Catalogue) (Result, error) {
	if e, ok := gen.ReadEngine(src); ok {
		return ofBwrapgen(name, src, e, tools), nil
	}
	r, err := trace.Read(src)
	if err != nil {
		return Result{}, Problem{
			fmt.Sprintf("%q is no script for bash: %v", name, err), "lint reads launchers that are written in bash",
		}
	}
	s := newScript(r, tools)
	if len(s.calls)+len(s.Evaluated) == 0 {
		return Result{}, Problem{
			fmt.Sprintf("%q does not call bwrap, as far as its text tells", name), "name a script that starts bwrap itself",
		}
	}
	return Result{Findings: judge(name, s), Notes: s.notes(name)}, nil
}

// judge asks every rule.
func judge(name string, s *script) []Finding {
	var all []Finding
	for _, rule := range Rules() {
		all = append(all, rule.judge(name, s)...)
	}
	return inOrder(allowed(name, all, s.Comments))
}

func (r Rule) judge(name string, s *script) []Finding {
	var remarks []remark
	if r.script != nil {
		remarks = r.script(s)
	}
	for i := range s.calls {
		if r.call != nil {
			remarks = append(remarks, r.call(&s.calls[i])...)
		}
	}
	return r.findings(name, remarks)
}

// findings tells remarks as those of the rule.
func (r Rule) findings(name string, remarks []remark) []Finding {
	var all []Finding
	for _, m := range remarks {
		all = append(all, Finding{name, m.at.Line, m.at.Column, r.Name, m.what, cmp.Or(m.hint, r.Hint)})
	}
	return all
}

// inOrder sorts by place, and drops what is said twice of one place.
func inOrder(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	seen := map[Finding]bool{}
	return slices.DeleteFunc(all, func(f Finding) bool {
		again := seen[f]
		seen[f] = true
		return again
	})
}
