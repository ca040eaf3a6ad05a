package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"bwrapgen/gen/verify"
)

// testTAP tells expectations to programs that read version 13 of the Test Anything
// Protocol: testanything.org.
func testTAP(all []tested) []byte {
	var lines []string
	for _, t := range all {
		for _, s := range t.all {
			n := len(lines) + 1
			text := strings.ReplaceAll(visible(t.name+": "+s.Says), "#", `\#`)
			switch s.Result {
			case verify.Failed:
				lines = append(lines, fmt.Sprintf("not ok %d - %s\n# %s", n, text, visible(whyNot(s))))
			case verify.Skipped:
				lines = append(lines, fmt.Sprintf("ok %d - %s # SKIP %s", n, text, visible(s.Why)))
			default:
				lines = append(lines, fmt.Sprintf("ok %d - %s", n, text))
			}
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "TAP version 13\n1..%d\n", len(lines))
	for _, line := range lines {
		fmt.Fprintln(&b, line)
	}
	return b.Bytes()
}

// junitSuite is what continuous integrations read of JUnit's reports.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

func testJUnit(all []tested) []byte {
	suite := junitSuite{Name: "bwrapgen"}
	for _, t := range all {
		for _, s := range t.all {
			one := junitCase{Class: visible(t.name), Name: visible(s.Says)}
			switch s.Result {
			case verify.Failed:
				suite.Failures++
				one.Failure = &junitMessage{visible(whyNot(s))}
			case verify.Skipped:
				suite.Skipped++
				one.Skipped = &junitMessage{visible(s.Why)}
			}
			suite.Cases = append(suite.Cases, one)
		}
	}
	suite.Tests = len(suite.Cases)
	text, _ := xml.MarshalIndent(suite, "", "  ") // nothing in it can fail
	return []byte(xml.Header + string(text) + "\n")
}
