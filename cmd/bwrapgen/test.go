package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/verify"
)

// testCmd is the verb test.
type testCmd struct {
	Profile []string `arg:"" takes:"profile" help:"Profiles: built-in, your own, or paths of files; or launchers that bwrapgen has made."`
	Here    bool     `help:"Run commands in your own project, with your own home, also where the profile does not lie in the project."`
	Format  string   `enum:"text,json" default:"text" placeholder:"FORMAT" help:"text; json, every expectation as data."`
	subject
}

// Run tries what profiles expect.
func (c testCmd) Run(a app) error {
	var all []verify.Sandbox
	for _, name := range c.Profile {
		n, err := a.started(name, c.subject)
		if err != nil {
			return err
		}
		all = append(all, n.Sandbox)
	}
	return a.test(all, c)
}

// tested are the expectations of one launcher, with what came of them.
type tested struct {
	Name string             `json:"name"`
	All  []verify.Statement `json:"expectations"`
}

// test tries what is expected of each sandbox, and tells it. One that does not start keeps the others
// from nothing.
func (a app) test(sandboxes []verify.Sandbox, c testCmd) error {
	all := []tested{}
	var every []verify.Statement
	var unstarted error
	for _, s := range sandboxes {
		statements, err := a.expectations(s, c.Here)
		if err != nil {
			a.report(err)
			a.line("", "", fmt.Sprintf("%s does not start: %s skipped", s.Name, counted(len(s.Profile.Expect), "expectation")))
			unstarted = errFailed
		}
		all = append(all, tested{s.Name, statements})
		every = append(every, statements...)
	}
	if slices.ContainsFunc(every, func(s verify.Statement) bool { return s.Result == verify.Failed }) && unstarted == nil {
		unstarted = errDiffers
	}
	text := testText(all)
	if c.Format == "json" {
		text = asJSON(all)
	}
	return a.artefact(text, unstarted)
}

// expectations starts a sandbox, and tries all that is expected of it: in the project that its profile
// lies in, or in an empty one.
func (a app) expectations(s verify.Sandbox, here bool) ([]verify.Statement, error) {
	if len(s.Profile.Expect) == 0 {
		a.line("", "", s.Name+" expects nothing: it has no [[expect]]")
		return nil, nil
	}
	own, err := a.callersOwn(s, here)
	if err != nil {
		return nil, err
	}
	if project := a.projectOf(s); own == nil && project != "" {
		own = &expr.Env{Home: a.home, Project: project, Lookup: variables()}
		a.line("", "", fmt.Sprintf("%s is tested in its project, %s", s.Name, a.shorten(project)))
	}
	done := a.progress("testing %s", s.Name)
	defer done()
	return verify.Expectations(s, own)
}

// projectOf is the work tree that contains a profile, if the launcher can start there.
func (a app) projectOf(s verify.Sandbox) string {
	own := s.Profile.Sources[len(s.Profile.Sources)-1]
	if !profile.IsFile(own) || !s.Profile.Project.Root.Path.IsZero() {
		return ""
	}
	tree, ok := workTree(filepath.Dir(resolved(absolute(a.expand(own)))))
	if !ok || expr.Within(resolved(a.home), tree) {
		return ""
	}
	return tree
}

// marks are the words of a line for each result.
var marks = map[verify.Result]string{verify.Passed: "ok", verify.Failed: "FAILED", verify.Skipped: "skipped"}

// testText has a line for each expectation: what came of it, and where it stands.
func testText(all []tested) []byte {
	var b bytes.Buffer
	var every []verify.Statement
	for _, t := range all {
		if len(t.All) > 0 {
			fmt.Fprintf(&b, "%s\n", visible(t.Name))
		}
		for _, s := range t.All {
			sideBySide(&b, len("  skipped  "), "  "+marks[s.Result], visible(whyNot(s)))
		}
		every = append(every, t.All...)
	}
	if len(every) > 0 {
		count := byResult(every)
		fmt.Fprintf(&b, "%s: %d passed, %d failed, %d skipped\n", counted(len(every), "expectation"), count[verify.Passed], count[verify.Failed], count[verify.Skipped])
	}
	return b.Bytes()
}

// whyNot is an expectation, why it did not pass, and where it stands.
func whyNot(s verify.Statement) string { return joined("; ", s.Says, s.Why, s.Origin) }
