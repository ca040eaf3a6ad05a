package proof

import (
	"fmt"
	"slices"
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
	st := Statement{Subject: e.Subject(), Says: e.String()}
	return st.concluded(e.missing(s.Places[number]), e.doubt(s, number))
}

// missing says what the host lacks for an expectation to be tried. That something is not
// there, or cannot be read, is true where there is nothing.
func (e Expected) missing(f Found) string {
	denies := slices.Contains([]string{"absent", "unreadable"}, e.Is)
	switch {
	case e.Host != "":
		return unless(e.Reaches, "it cannot be reached outside, either")
	case e.Path.IsZero(), denies, e.Control.IsThere, f.IsThere():
		return ""
	}
	return "this host has none"
}

// doubt says what speaks against an expectation; nothing, if it holds.
func (e Expected) doubt(s Seen, number int) string {
	found := s.Places[number]
	switch {
	case len(e.Run) > 0:
		return e.ran(s.Ran(number))
	case e.Variable != "":
		return e.variable(s)
	case e.Host == "":
		return e.path(found)
	case e.Is == "reached":
		return unless(found.Wrote, "it is not reached")
	}
	return unless(!found.Wrote, "it is reached")
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
	is := "it is not there"
	if f.IsThere() {
		is = "it is there"
	}
	switch e.Is {
	case "absent":
		return unless(!f.IsThere(), is)
	case "readable":
		return unless(e.canRead(f), is+", and cannot be read")
	case "unreadable":
		return unless(!e.canRead(f), "it can be read")
	case "writable":
		return unless(f.canWrite(), is+", and cannot be written to")
	case "read-only":
		if f.canWrite() {
			return "it can be written to"
		}
	}
	return unless(f.IsThere(), is)
}

// canRead reports whether something of the host can be read.
func (e Expected) canRead(f Found) bool {
	if e.Control.Own {
		return e.Control.sees(f)
	}
	return f.Holds != ""
}
