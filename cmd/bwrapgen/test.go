package main

import (
	"bytes"
	"fmt"

	"bwrapgen/gen/verify"
)

// testCmd is the verb test.
type testCmd struct {
	Profile []string `arg:"" help:"Profiles: built-in, your own, or paths of files; or launchers that bwrapgen has made."`
	Here    bool     `help:"Run commands in your own project, with your own home, and not in some that are made for this."`
	subject
}

// Run tries what profiles expect.
func (c testCmd) Run(a app) error {
	var all []verify.Statement
	var text bytes.Buffer
	for _, name := range c.Profile {
		s, err := a.started(name, c.subject)
		if err != nil {
			return err
		}
		more, err := c.test(a, s)
		if err != nil {
			return err
		}
		if len(more) > 0 {
			fmt.Fprintf(&text, "%s\n%s", visible(s.Name), testLines(more))
		}
		all = append(all, more...)
	}
	if len(all) > 0 {
		count := byResult(all)
		fmt.Fprintf(&text, "%d expectations: %d hold, %d are false, %d left out\n", len(all), count[verify.Proved], count[verify.False], count[verify.Unprovable])
	}
	return a.artefact(text.Bytes(), falseOnes(all))
}

// test starts a sandbox, and tries all that is expected of it.
func (c testCmd) test(a app, s verify.Sandbox) ([]verify.Statement, error) {
	if len(s.Profile.Expect) == 0 {
		a.line("", "", s.Name+" expects nothing: it has no [[expect]]")
		return nil, nil
	}
	own, err := a.callersOwn(s, c.Here)
	if err != nil {
		return nil, err
	}
	done := a.progress("testing %s", s.Name)
	defer done()
	return verify.Expectations(s, own)
}

// marks are the words of a line for each result.
var marks = map[verify.Result]string{verify.Proved: "ok", verify.False: "FALSE", verify.Unprovable: "skip"}

// testLines is a line for each expectation: what came of it, and where it stands.
func testLines(all []verify.Statement) []byte {
	var b bytes.Buffer
	for _, s := range all {
		sideBySide(&b, len("  FALSE  "), "  "+marks[s.Result], visible(joined("; ", s.Says, s.Why, s.Origin)))
	}
	return b.Bytes()
}
