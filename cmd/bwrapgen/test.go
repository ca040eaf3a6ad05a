package main

import (
	"bytes"
	"fmt"

	"bwrapgen/gen/verify"
)

// testCmd is the verb test.
type testCmd struct {
	Profile []string `arg:"" takes:"profile" help:"Profiles: built-in, your own, or paths of files; or launchers that bwrapgen has made."`
	Here    bool     `help:"Run commands in your own project, with your own home, and not in some that are made for this."`
	subject
}

// Run tries what profiles expect.
func (c testCmd) Run(a app) error {
	var all []verify.Sandbox
	for _, name := range c.Profile {
		s, err := a.started(name, c.subject)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	return a.test(all, c)
}

// tested are the expectations of one launcher, with what came of them.
type tested struct {
	name string
	all  []verify.Statement
}

// test tries what is expected of each sandbox, and tells it.
func (a app) test(sandboxes []verify.Sandbox, c testCmd) error {
	var all []tested
	var every []verify.Statement
	for _, s := range sandboxes {
		statements, err := a.expectations(s, c.Here)
		if err != nil {
			return err
		}
		all = append(all, tested{s.Name, statements})
		every = append(every, statements...)
	}
	return a.artefact(testText(all), falseOnes(every))
}

// expectations starts a sandbox, and tries all that is expected of it.
func (a app) expectations(s verify.Sandbox, here bool) ([]verify.Statement, error) {
	if len(s.Profile.Expect) == 0 {
		a.line("", "", s.Name+" expects nothing: it has no [[expect]]")
		return nil, nil
	}
	own, err := a.callersOwn(s, here)
	if err != nil {
		return nil, err
	}
	done := a.progress("testing %s", s.Name)
	defer done()
	return verify.Expectations(s, own)
}

// marks are the words of a line for each result.
var marks = map[verify.Result]string{verify.Proved: "ok", verify.False: "FALSE", verify.Unprovable: "skip"}

// testText has a line for each expectation: what came of it, and where it stands.
func testText(all []tested) []byte {
	var b bytes.Buffer
	var every []verify.Statement
	for _, t := range all {
		if len(t.all) > 0 {
			fmt.Fprintf(&b, "%s\n", visible(t.name))
		}
		for _, s := range t.all {
			sideBySide(&b, len("  FALSE  "), "  "+marks[s.Result], visible(whyNot(s)))
		}
		every = append(every, t.all...)
	}
	if len(every) > 0 {
		count := byResult(every)
		fmt.Fprintf(&b, "%d expectations: %d hold, %d are false, %d left out\n", len(every), count[verify.Proved], count[verify.False], count[verify.Unprovable])
	}
	return b.Bytes()
}

// whyNot is an expectation, why it does not hold, and where it stands.
func whyNot(s verify.Statement) string { return joined("; ", s.Says, s.Why, s.Origin) }
