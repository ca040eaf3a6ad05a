package lint

import (
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/lint/trace"
)

// allowance is what a comment of a script says of one rule:
//
//	# bwrapgen lint: allow RULE because REASON
//
// It holds where the comment does: at the end of a line, for what is in that line;
// above a command, for that command; above the first one, for the script.
type allowance struct {
	trace.Annotation
	rule string
	used bool
}

// directive is the name of the rule about the comments themselves.
const directive = "directive"

var (
	forLint  = regexp.MustCompile(`^\s*bwrapgen\s+lint:(.*)$`)
	allowing = regexp.MustCompile(`^\s*allow\s+([a-z0-9, -]+?)\s+because\s+\S`)
)

// allowances reads the comments for lint, and reports what cannot be read.
func (s *script) allowances() (all []allowance) {
	for _, c := range s.Comments {
		said := forLint.FindStringSubmatch(c.Text)
		if said == nil {
			continue
		}
		rules := allowing.FindStringSubmatch(said[1])
		if rules == nil {
			s.report(c.At, "the comment says neither which rule to allow nor why")
			continue
		}
		for name := range strings.FieldsFuncSeq(rules[1], func(r rune) bool { return strings.ContainsRune(", ", r) }) {
			if _, known := RuleOf(name); !known || name == directive {
				s.report(c.At, "the comment allows %q, and there is no such rule", name)
				continue
			}
			all = append(all, allowance{Annotation: c, rule: name})
		}
	}
	return all
}

// allow leaves out the findings that the script's comments allow, and adds one
// for each comment that allows none.
func (s *script) allow() {
	s.rule, _ = RuleOf(directive)
	s.about = 0
	all := s.allowances()
	s.found = slices.DeleteFunc(s.found, func(f Finding) bool {
		hit := false
		for i, a := range all {
			if a.rule == f.Rule && a.Covers(trace.Position{Line: f.Line, Column: f.Column}) {
				all[i].used, hit = true, true
			}
		}
		return hit
	})
	for _, a := range all {
		if !a.used {
			s.report(a.At, "the comment allows %s, and there is nothing to allow", a.rule)
		}
	}
}
