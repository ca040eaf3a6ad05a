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

// allowances reads the comments for lint; what cannot be read is a remark.
func allowances(comments []trace.Annotation) (all []allowance, wrong []remark) {
	for _, c := range comments {
		said := forLint.FindStringSubmatch(c.Text)
		if said == nil {
			continue
		}
		rules := allowing.FindStringSubmatch(said[1])
		if rules == nil {
			wrong = append(wrong, told(c.At, "the comment says neither which rule to allow nor why"))
			continue
		}
		for name := range strings.FieldsFuncSeq(rules[1], func(r rune) bool { return strings.ContainsRune(", ", r) }) {
			if !known(name) {
				wrong = append(wrong, told(c.At, "the comment allows %q, and there is no such rule", name))
				continue
			}
			all = append(all, allowance{Annotation: c, rule: name})
		}
	}
	return all, wrong
}

func known(name string) bool {
	_, known := RuleOf(name)
	return known && name != directive
}

// allowed leaves out the findings that the script's comments allow, and adds one
// for each comment that allows none.
func allowed(file string, findings []Finding, comments []trace.Annotation) []Finding {
	all, remarks := allowances(comments)
	findings = slices.DeleteFunc(findings, func(f Finding) bool {
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
			remarks = append(remarks, told(a.At, "the comment allows %s, and there is nothing to allow", a.rule))
		}
	}
	rule, _ := RuleOf(directive)
	return append(findings, rule.findings(file, 0, remarks)...)
}
