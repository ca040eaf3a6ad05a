package verify

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Expectations tries what a profile's author expects. Own are the caller's home and project,
// if they are to be used.
func Expectations(s Sandbox, own *expr.Env) ([]Statement, error) {
	h, err := newHarness(s, own)
	if err != nil {
		return nil, err
	}
	defer h.end()
	variables := h.callers(h.fixed())
	var places []place
	for _, e := range h.Profile.Expect {
		places = append(places, h.place(e.Path)...)
		if _, isSet := variables[e.Variable]; e.Is == "unset" && !isSet {
			variables[e.Variable] = "set outside"
		}
	}
	if err := h.plant(places); err != nil {
		return nil, failed("cannot make what is to be looked for", err)
	}
	var all []question
	for _, e := range h.Profile.Expect {
		all = append(all, h.expectation(e))
	}
	first, _ := tries(all)
	found, err := h.start(start{tries: first, variables: variables})
	if !found.isWhole {
		return h.unstarted(found, err)
	}
	return judged(all, found, seen{}), nil
}

// place is where a path is, inside and on the host.
func (h *harness) place(at expr.Path) []place {
	if at.IsZero() {
		return nil
	}
	return placesOf([]access.Entry{{At: at}}, h.inside, h.host)
}

// expected is an expectation, with what the host has there.
type expected struct {
	profile.Expectation
	control control
	reaches bool // the host can be reached outside
}

// expectation is how an expectation is tried: its own try, and one of the program that it
// needs inside.
func (h *harness) expectation(e profile.Expectation) question {
	x := expected{Expectation: e}
	t := try{tryProgram, e.Variable} // nothing is done
	switch {
	case len(e.Run) > 0:
		t = try{tryRun, commandLine(e.Run)}
	case e.Host != "":
		t = try{tryReach, e.Host}
		if h.address != "" && !strings.Contains(e.Host, ":") {
			t.at = h.address
		}
		x.reaches = answers(t.at, patience/4)
	case !e.Path.IsZero():
		t = try{way: tryLook}
		for _, p := range h.place(e.Path) {
			x.control, t.at = h.control(p), p.inside
		}
		if x.control.isOwn {
			t.way = tryWrite
		}
	}
	return question{first: []try{t, {tryProgram, e.When}}, judge: func(first, _ seen) []Statement {
		st := Statement{Subject: e.Subject(), Says: e.String()}
		if e.Why != "" {
			st.Origin = e.Why + "; "
		}
		st.Origin += fmt.Sprintf("%s:%d", filepath.Base(e.Origin.File), e.Origin.Line)
		own, needed := first.found[0], first.found[1]
		if e.When != "" && !needed.worked {
			return []Statement{st.concluded("there is no "+e.When+" inside", "")}
		}
		return []Statement{st.concluded(x.missing(own), x.doubt(own, first.variables))}
	}}
}

// missing says what the host lacks for an expectation to be tried. That something is not
// there, or cannot be read, is true where there is nothing.
func (e expected) missing(f finding) string {
	denies := slices.Contains([]string{"absent", "unreadable"}, e.Is)
	switch {
	case e.Host != "":
		return unless(e.reaches, "it cannot be reached outside, either")
	case e.Path.IsZero(), denies, e.control.isThere, f.isThere():
		return ""
	}
	return "this host has none"
}

// doubt says what speaks against an expectation; nothing, if it holds.
func (e expected) doubt(f finding, variables map[string]string) string {
	switch {
	case len(e.Run) > 0:
		return e.ran(f)
	case e.Variable != "":
		return e.variable(variables)
	case e.Host == "":
		return e.path(f)
	case e.Is == "reached":
		return unless(f.worked, "it is not reached")
	}
	return unless(!f.worked, "it is reached")
}

func (e expected) ran(f finding) string {
	status, output, _ := strings.Cut(f.ran, " ")
	said := strings.TrimSpace(output)
	last := said[strings.LastIndexByte(said, '\n')+1:]
	switch {
	case status != strconv.Itoa(e.Status):
		return strings.TrimSuffix(fmt.Sprintf("it ends with %s: %s", status, last), ": ")
	case !strings.Contains(output, e.Output):
		return "it says: " + last
	}
	return ""
}

func (e expected) variable(variables map[string]string) string {
	value, isSet := variables[e.Variable]
	switch {
	case e.Is == "unset":
		return unless(!isSet, "it is set")
	case !isSet:
		return "it is not set"
	}
	return unless(value == cmp.Or(e.Output, value), "it has another value")
}

func (e expected) path(f finding) string {
	is := "it is not there"
	if f.isThere() {
		is = "it is there"
	}
	switch e.Is {
	case "absent":
		return unless(!f.isThere(), is)
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
	return unless(f.isThere(), is)
}

// canRead reports whether something of the host can be read.
func (e expected) canRead(f finding) bool {
	if e.control.isOwn {
		return e.control.sees(f)
	}
	return f.holds != ""
}
