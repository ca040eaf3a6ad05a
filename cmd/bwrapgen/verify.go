package main

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/verify"
)

// verifyCmd is the verb verify.
type verifyCmd struct {
	Subject string `arg:"" name:"launcher|profile" help:"A launcher that bwrapgen has made; or a profile: built-in, one of your own, or the path of a file."`
	Here    bool   `help:"Look around in your own home and project, where nothing is written, and not in some that are made for this."`
	All     bool   `help:"Name each place, also where there are many of which the same is to be said."`
	subject
}

// Run proves what explain says.
func (c verifyCmd) Run(a app) error {
	s, err := a.started(c.Subject, c.subject)
	if err != nil {
		return err
	}
	own, err := a.callersOwn(s, c.Here)
	if err != nil {
		return err
	}
	done := a.progress("looking around in %s", s.Name)
	all, err := verify.Explained(s, own)
	done()
	if err != nil {
		return err
	}
	return a.artefact(proofs(s.Name, all, c.All), falseOnes(all))
}

// callersOwn are the caller's own home and project, if a launcher is to be tried in them.
func (a app) callersOwn(s verify.Sandbox, isHere bool) (*expr.Env, error) {
	if !isHere {
		return nil, nil
	}
	project, err := a.project(s.Profile.Project.Root.Kind, "")
	return &expr.Env{Home: a.home, Project: project}, err
}

// falseOnes is the end of the program where a statement is false: it has been printed.
func falseOnes(all []verify.Statement) error {
	if slices.ContainsFunc(all, func(s verify.Statement) bool { return s.Result == verify.False }) {
		return errDiffers
	}
	return nil
}

// resultWords are the headings of what was found, the weightiest first.
var resultWords = []struct {
	result verify.Result
	words  string
}{
	{verify.False, "FALSE"}, {verify.Unprovable, "NOT PROVABLE HERE"}, {verify.Proved, "PROVED"},
}

// byResult says how many statements have each result.
func byResult(all []verify.Statement) map[verify.Result]int {
	count := map[verify.Result]int{}
	for _, s := range all {
		count[s.Result]++
	}
	return count
}

// proofs tells statements to people: what is false first, and what is proved as explain
// tells it.
func proofs(name string, statements []verify.Statement, all bool) []byte {
	var b bytes.Buffer
	count := byResult(statements)
	fmt.Fprintf(&b, "%s: %d statements: %d proved, %d false, %d not provable here\n", visible(name), len(statements), count[verify.Proved], count[verify.False], count[verify.Unprovable])
	for _, r := range resultWords {
		if count[r.result] > 0 {
			fmt.Fprintf(&b, "\n%s\n", r.words)
			tell(&b, statements, r.result, all)
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

// sentenceOf says what was found, and then what explain says.
func sentenceOf(s verify.Statement) string {
	if s.Why == "" {
		return s.Says
	}
	return s.Why + ". Said: " + s.Says
}
