package verify

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Expectations tries what a profile's author expects. Own are the caller's home and project,
// if they are to be used; else the sandbox gets an empty project, and a home with what the profile
// lists. The error is the launcher's own where it does not start.
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
	if err := h.plant(append(places, h.required()...)); err != nil {
		return nil, failed("cannot make what is to be looked for", err)
	}
	var all []question
	for _, e := range h.Profile.Expect {
		all = append(all, h.expectation(e))
	}
	first, _ := tries(all)
	found, err := h.start(start{tries: first, variables: variables})
	if err == nil && !found.isWhole {
		err = h.refusal(found)
	}
	if err != nil {
		return nil, err
	}
	return judged(all, found, seen{}), nil
}

// required are the places without which the launcher refuses to start: what the profile lists and does
// not mark as optional.
func (h *harness) required() []place {
	var all []place
	for _, p := range placesOf(access.Of(h.Plan), h.inside, h.host) {
		if p.Tool == "" && p.From != "" && p.Shows.Host() && !p.Optional {
			p.isBlank = true
			all = append(all, p)
		}
	}
	return all
}

// place is where a path is, inside and on the host.
func (h *harness) place(at expr.Path) []place {
	if at.IsZero() {
		return nil
	}
	return placesOf([]access.Entry{{At: at}}, h.inside, h.host)
}

// expectation is how an expectation is tried: its own try, and one of the program that it
// needs inside.
func (h *harness) expectation(e profile.Expectation) question {
	own, judge := h.attempt(e)
	return question{first: []try{own, {tryProgram, e.When}}, judge: func(first, _ seen) []Statement {
		st := Statement{Subject: e.Subject(), Says: e.String()}
		if e.Why != "" {
			st.Origin = e.Why + "; "
		}
		st.Origin += fmt.Sprintf("%s:%d", filepath.Base(e.Origin.File), e.Origin.Line)
		found, needed := first.found[0], first.found[1]
		if e.When != "" && !needed.worked {
			return []Statement{st.concluded("there is no "+e.When+" inside", doubt{})}
		}
		missing, why := judge(found, first.variables)
		return []Statement{st.concluded(missing, doubt{why: why})}
	}}
}

// judgement says what the host lacks for an expectation to be tried, and what speaks against it.
type judgement func(f finding, variables map[string]string) (missing, doubt string)

// attempt is what is tried for an expectation, and how what was found is judged.
func (h *harness) attempt(e profile.Expectation) (try, judgement) {
	switch {
	case len(e.Run) > 0:
		return try{tryRun, commandLine(e.Run)}, func(f finding, _ map[string]string) (string, string) {
			why := ran(e, f.ran)
			if why != "" && !h.isReal && h.needsProject(e, f.ran) {
				return why + " in an empty project; with --here, it is tried in yours", ""
			}
			return "", why
		}
	case e.Variable != "":
		nothing := try{tryProgram, e.Variable}
		return nothing, func(_ finding, variables map[string]string) (string, string) {
			return "", variable(e, variables)
		}
	case e.Host != "":
		at := e.Host
		if h.address != "" && !strings.Contains(at, ":") {
			at = h.address
		}
		answers := answers(at, patience/4)
		return try{tryReach, at}, func(f finding, _ map[string]string) (string, string) {
			missing := unless(answers, "it cannot be reached outside, either")
			if e.Is == "reached" {
				return missing, unless(f.worked, "it is not reached")
			}
			return missing, unless(!f.worked, "it is reached")
		}
	}
	look, outside := try{way: tryLook}, control{}
	for _, p := range h.place(e.Path) {
		look.at, outside = p.inside, h.control(p)
	}
	if outside.isOwn {
		look.way = tryWrite
	}
	return look, func(f finding, _ map[string]string) (string, string) { return ofPath(e.Is, outside, f) }
}

// needsProject reports whether a command line that failed may need a real project: it is not one of
// a built-in profile, and its program was there.
func (h *harness) needsProject(e profile.Expectation, said string) bool {
	status, _, _ := strings.Cut(said, " ")
	const notExecutable, notFound = "126", "127"
	return profile.IsFile(e.Origin.File) && status != notExecutable && status != notFound
}

// ran says what is wrong with what a command line has said: its status, and its output.
func ran(e profile.Expectation, said string) string {
	status, output, _ := strings.Cut(said, " ")
	trimmed := strings.TrimSpace(output)
	last := trimmed[strings.LastIndexByte(trimmed, '\n')+1:]
	switch {
	case status != strconv.Itoa(e.Status):
		return strings.TrimSuffix(fmt.Sprintf("it ends with %s: %s", status, last), ": ")
	case !strings.Contains(output, e.Output):
		return "it says: " + last
	}
	return ""
}

func variable(e profile.Expectation, variables map[string]string) string {
	value, isSet := variables[e.Variable]
	switch {
	case e.Is == "unset":
		return unless(!isSet, "it is set")
	case !isSet:
		return "it is not set"
	}
	return unless(value == cmp.Or(e.Output, value), "it has another value")
}

// ofPath judges what was found at a path. That something is not there, or cannot be read, is
// true where there is nothing.
func ofPath(is string, outside control, f finding) (missing, doubt string) {
	found := "it is not there"
	if f.isThere() {
		found = "it is there"
	}
	canRead := f.holds != ""
	if outside.isOwn {
		canRead = outside.sees(f)
	}
	missing = unless(outside.isThere || f.isThere(), "this host has none")
	switch is {
	case "absent":
		return "", unless(!f.isThere(), found)
	case "unreadable":
		return "", unless(!canRead, "it can be read")
	case "readable":
		return missing, unless(canRead, found+", and cannot be read")
	case "writable":
		return missing, unless(f.canWrite(), found+", and cannot be written to")
	case "read-only":
		if f.canWrite() {
			return missing, "it can be written to"
		}
	}
	return missing, unless(f.isThere(), found)
}
