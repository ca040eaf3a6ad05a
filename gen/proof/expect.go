package proof

import (
	"fmt"
	"strconv"
	"strings"

	"bwrapgen/gen/profile"
)

// Expected is an expectation of a profile's author, with what the host has there.
type Expected struct {
	profile.Expectation
	Inside  string // of a path: where it is in the sandbox; of a host: with its port
	Control Control
	Reaches bool // the host can be reached outside
}

// Judge holds an expectation against what was found: by the try of a number.
func (e Expected) Judge(s Seen, number int) Statement {
	found := s.Places[number]
	st := Statement{Subject: e.Subject(), Says: e.String()}
	switch {
	case len(e.Run) > 0:
		st.Why = e.ran(s.Ran(number))
	case e.Variable != "":
		st.Why = e.variable(s)
	case e.Host != "" && !e.Reaches:
		st.Result, st.Why = Unprovable, "it cannot be reached outside, either"
	case e.Host != "":
		st.Why = unless(found.Wrote == (e.Is == "reached"), map[bool]string{true: "it is reached", false: "it is not reached"}[found.Wrote])
	case !e.Control.IsThere && e.Is != "absent" && e.Is != "unreadable" && !found.IsThere():
		st.Result, st.Why = Unprovable, "this host has none"
	default:
		st.Why = e.path(found)
	}
	if st.Why != "" && st.Result == Proved {
		st.Result = False
	}
	return st
}

func (e Expected) ran(status, output string) string {
	switch {
	case status != strconv.Itoa(e.Status):
		return strings.TrimSuffix(fmt.Sprintf("it ends with %s: %s", status, lastLine(output)), ": ")
	case !strings.Contains(output, e.Output):
		return "it says: " + lastLine(output)
	}
	return ""
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

func (e Expected) variable(s Seen) string {
	value, isSet := s.Variables[e.Variable]
	switch {
	case e.Is == "unset":
		return unless(!isSet, "it is set")
	case !isSet:
		return "it is not set"
	case e.Output != "":
		return unless(value == e.Output, "it has another value")
	}
	return ""
}

func (e Expected) path(f Found) string {
	canRead := f.IsThere() && f.Holds != "" && (!e.Control.Own || f.Holds == e.Control.Holds)
	canWrite := f.IsThere() && f.Mode == "rw" && f.Wrote
	is := "it is not there"
	if f.IsThere() {
		is = "it is there"
	}
	switch e.Is {
	case "absent":
		return unless(!f.IsThere(), is)
	case "readable":
		return unless(canRead, is+", and cannot be read")
	case "unreadable":
		return unless(!canRead, "it can be read")
	case "writable":
		return unless(canWrite, is+", and cannot be written to")
	}
	return unless(f.IsThere() && !canWrite, map[bool]string{true: "it can be written to", false: is}[canWrite])
}
