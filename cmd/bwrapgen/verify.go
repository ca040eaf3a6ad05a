package main

import (
	"bytes"
	"fmt"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/verify"
)

// verifyCmd is the verb verify.
type verifyCmd struct {
	Subject string `arg:"" name:"launcher|profile" takes:"profile" help:"A launcher made by bwrapgen, or the name or path of a profile."`
	Here    bool   `help:"Look around in your own home and project, where nothing is written, and not in some that are made for this."`
	All     bool   `help:"List every check, also those that passed or were skipped."`
	Format  string `enum:"text,json" default:"text" placeholder:"FORMAT" help:"text; json, every check as data."`
	subject
}

// Run proves what explain says.
func (c verifyCmd) Run(a app) error {
	n, err := a.started(c.Subject, c.subject)
	if err != nil {
		return err
	}
	own, err := a.callersOwn(n.Sandbox, c.Here)
	if err != nil {
		return err
	}
	done := a.progress("looking around in %s", n.Name)
	all, err := verify.Explained(n.Sandbox, own)
	done()
	if err != nil {
		return err
	}
	v := verdictOf(n, all)
	if c.Format == "json" {
		return a.artefact(asJSON(v), v.err())
	}
	if err := a.artefact(v.text(c.All), nil); err != nil {
		return err
	}
	if n.isStale() {
		a.report(cannot(n.drift.hint(n.Plan.Source), "%q %s", c.Subject, n.drift.words()))
	}
	return v.err()
}

// callersOwn are the caller's own home and project, if a launcher is to be tried in them.
func (a app) callersOwn(s verify.Sandbox, isHere bool) (*expr.Env, error) {
	if !isHere {
		return nil, nil
	}
	project, err := a.project(s.Profile.Project.Root.Kind, "")
	return &expr.Env{Home: a.home, Project: project, Lookup: variables()}, err
}

// outcome is the result of all checks together.
type outcome string

// The outcomes.
const (
	passed    outcome = "passed"
	broken    outcome = "failed"
	outOfDate outcome = "out of date"
)

// verdict is what verify has found.
type verdict struct {
	Name    string             `json:"name"`
	Outcome outcome            `json:"outcome"`
	Stale   string             `json:"stale,omitzero"` // why the launcher is another than would be made now
	Checks  []verify.Statement `json:"checks"`
	drift   bool               // that Less stands for: nobody edited the launcher, and it is another than would be made now
}

// verdictOf sums checks up. A launcher that shows less than would be promised now is out of date; where
// it is the very one that would be made now, or somebody edited it, it breaks its promise.
func verdictOf(n named, all []verify.Statement) verdict {
	v := verdict{Name: n.Name, Outcome: passed, Checks: all}
	if n.isStale() {
		v.Stale = n.drift.words()
		v.drift = n.drift.State == checksum.Intact
	}
	for i, s := range all {
		switch {
		case s.Result == verify.Less && v.drift:
			if v.Outcome == passed {
				v.Outcome = outOfDate
			}
		case s.Result == verify.Less, s.Result == verify.Failed:
			all[i].Result, v.Outcome = verify.Failed, broken
		}
	}
	return v
}

// err is the end of the program: what is wrong has been printed.
func (v verdict) err() error {
	if v.Outcome != passed {
		return errDiffers
	}
	return nil
}

// sectionsOf are the headings of checks by their results, the worst first.
var resultWords = []struct {
	result verify.Result
	words  string
}{
	{verify.Failed, "FAILED"}, {verify.Less, "OUT OF DATE"}, {verify.Skipped, "SKIPPED"}, {verify.Passed, "PASSED"},
}

// byResult says how many statements have each result.
func byResult(all []verify.Statement) map[verify.Result]int {
	count := map[verify.Result]int{}
	for _, s := range all {
		count[s.Result]++
	}
	return count
}

// text tells a verdict to people: one line, and below it what did not pass, or every check.
func (v verdict) text(all bool) []byte {
	var b bytes.Buffer
	count := byResult(v.Checks)
	parts := []string{counted(len(v.Checks), "check")}
	for _, r := range resultWords {
		if count[r.result] > 0 && r.result != verify.Passed {
			parts = append(parts, fmt.Sprintf("%d %s", count[r.result], strings.ToLower(r.words)))
		}
	}
	fmt.Fprintf(&b, "%s: %s: %s\n", visible(v.Name), v.Outcome, strings.Join(parts, ", "))
	for _, r := range resultWords {
		isWrong := r.result == verify.Failed || r.result == verify.Less
		if count[r.result] > 0 && (isWrong || all) {
			fmt.Fprintf(&b, "\n%s\n", r.words)
			tell(&b, v.Checks, r.result, all)
		}
	}
	return b.Bytes()
}

// tell writes what has one result: places as explain does, and then the sandbox as a whole.
func tell(b *bytes.Buffer, statements []verify.Statement, result verify.Result, all bool) {
	var entries []access.Entry
	for _, s := range statements {
		if s.Result == result && s.Entry != nil {
			found := *s.Entry
			if s.Why != "" {
				found.What, found.Notes = sentenceOf(s), nil
			}
			entries = append(entries, found)
		}
	}
	tellPlaces(b, entries, all)
	said := map[string][]string{}
	var subjects []string
	for _, s := range statements {
		if s.Result == result && s.Entry == nil {
			if said[s.Subject] == nil {
				subjects = append(subjects, s.Subject)
			}
			said[s.Subject] = append(said[s.Subject], sentenceOf(s))
		}
	}
	for _, name := range subjects {
		sideBySide(b, placeWidth, visible(name), visible(strings.Join(said[name], "; ")))
	}
}

// sentenceOf says what was found, and then what explain promises.
func sentenceOf(s verify.Statement) string {
	if s.Why == "" {
		return s.Says
	}
	return s.Why + "; promised: " + s.Says
}
