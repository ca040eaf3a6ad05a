package verify

import (
	"slices"

	"bwrapgen/gen/access"
	"bwrapgen/gen/plan"
)

// Result is the outcome of a check.
type Result uint8

// The results.
const (
	Passed  Result = iota
	Failed         // a denial does not hold, or something is shown that was not promised
	Less           // less is shown, or possible, than was promised
	Skipped        // it cannot be tried here: Why says what is missing
)

// String is the name of a result.
func (r Result) String() string { return [...]string{"passed", "failed", "less", "skipped"}[r] }

// MarshalText gives the name, for JSON.
func (r Result) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// Statement is one sentence about a sandbox, and the result of checking it.
type Statement struct {
	Subject string        `json:"subject"`
	Says    string        `json:"says"`
	Result  Result        `json:"result"`
	Why     string        `json:"why,omitzero"`    // it did not pass
	Entry   *access.Entry `json:"-"`               // that it is about; nil: the sandbox as a whole
	Origin  string        `json:"origin,omitzero"` // of an expectation: its author's reason, and FILE:LINE
}

// doubt is what contradicts a statement; none, if nothing does.
type doubt struct {
	why    string
	isLess bool // the command has less than was promised, and not more
}

// more is the doubt that the command has more than was promised, unless something holds.
func more(holds bool, why string) doubt { return doubt{why: unless(holds, why)} }

// less is the doubt that it has less.
func less(holds bool, why string) doubt { return doubt{why: unless(holds, why), isLess: true} }

// concluded is a statement with its result: missing is what a check would need, and d what
// contradicts it.
func (s Statement) concluded(missing string, d doubt) Statement {
	switch {
	case missing != "":
		s.Result, s.Why = Skipped, missing
	case d.why != "" && d.isLess:
		s.Result, s.Why = Less, d.why
	case d.why != "":
		s.Result, s.Why = Failed, d.why
	}
	return s
}

func claim(subject, says string, d doubt) Statement {
	return Statement{Subject: subject, Says: says}.concluded("", d)
}

func skipped(subject, says, why string) Statement {
	return Statement{Subject: subject, Says: says}.concluded(why, doubt{})
}

func unless(holds bool, why string) string {
	if holds {
		return ""
	}
	return why
}

// control is what the host has at a place: what makes a denial inside a denial.
type control struct {
	isThere      bool
	isOwn        bool   // made for this: it has been written to outside, and the start wrote there
	holds        string // the first line
	mayHoldLogin bool   // it has words of one
	hasArrived   bool   // what was written inside is there after the start
	inode        string // DEVICE:NUMBER
}

// sees reports whether what was found inside can be read, and is what the host has.
func (c control) sees(f finding) bool { return c.holds != "" && f.holds == c.holds }

// statement is what is said of a place as a whole.
func (p place) statement(says string) Statement {
	return Statement{Subject: p.At.String(), Says: says, Entry: &p.Entry}
}

// judge compares what was found inside, in a first and a second start, with the host. A
// problem is what the launcher said of overlays that it cannot make here.
func (p place) judge(first, second finding, problem string) Statement {
	missing := p.missing(first)
	var d doubt
	if missing == "" {
		d = p.doubt(first, second)
	}
	isView := p.Shows == access.View || p.Lasts > access.Gone
	if d.why != "" && isView {
		missing = problem
	}
	return p.statement(p.Full()).concluded(missing, d)
}

// missing is what the host lacks for a statement to be checked; nothing, if it can be.
func (p place) missing(first finding) string {
	needsHost := p.Shows.Host() || p.Optional && p.Shows == access.Own
	switch {
	case needsHost && !p.control.isThere:
		return "this host has none"
	case p.IfNoLogin && p.control.mayHoldLogin:
		return unless(first.isThere(), "it may hold credentials")
	case p.isOthersHome():
		return unless(p.control.holds != "", "it cannot be read outside, either")
	}
	return ""
}

func (p place) isOthersHome() bool { return slices.Contains(plan.OtherHomes(), p.inside) }

// doubt is what contradicts a statement about a place.
func (p place) doubt(first, second finding) doubt {
	switch p.Shows {
	case access.Nothing:
		return p.nothing(first)
	case access.Hidden:
		return p.hidden(first)
	case access.Link:
		return doubt{why: unless(first.link == p.LeadsTo, "there is no such link"), isLess: !first.isThere()}
	case access.Own:
		return p.own(first, second)
	}
	switch {
	case !first.isThere():
		return less(false, "it is not there")
	case first.holds != p.control.holds && p.control.holds != "":
		return more(false, "it is not the host's")
	case p.Shows == access.Read:
		return first.readOnly()
	}
	return p.changes(first, second)
}

// nothing judges the root of a sandbox, in which only what is listed stands, and what is
// not there.
func (p place) nothing(f finding) doubt {
	switch {
	case p.inside == "/":
		return f.readOnly()
	case f.kind == 'd': // it may be there for what is shown below
		return more(f.holds != p.control.holds, "it is there")
	}
	return more(!f.isThere(), "it is there")
}

// readOnly judges what must not be changed. A device that covers a file accepts all data, and
// keeps none.
func (f finding) readOnly() doubt {
	return more(f.kind == 'c' || !f.worked && f.mode == "ro", "it can be written to")
}

// hidden judges whether the host's data can be read or changed. An empty directory of the
// sandbox's own looks like one of the host's.
func (p place) hidden(f finding) doubt {
	isEmpty := f.isMount && f.kind == 'd' && !p.control.isOwn
	if p.control.sees(f) && !isEmpty {
		return more(false, "it can be read")
	}
	return more(!f.worked, "it can be written to")
}

func (p place) own(first, second finding) doubt {
	isSame := p.control.inode == first.inode && first.inode != ""
	switch {
	case !first.isThere():
		return less(false, "it is not there")
	case !first.isMount:
		return more(false, "nothing of the sandbox's own stands there")
	case p.control.isOwn && p.control.sees(first), isSame:
		return more(false, "it is the host's")
	case !p.Writable, p.isOthersHome():
		return doubt{} // somebody's home, if verify has one of its own
	}
	return p.changes(first, second)
}

// changes judges what can be written to, and what becomes of that.
func (p place) changes(first, second finding) doubt {
	const closed = "it cannot be written to"
	switch {
	case !p.control.isOwn:
		return less(first.mode == "rw", closed)
	case !first.worked:
		return less(false, closed)
	case p.Shows == access.Write:
		return less(p.control.hasArrived, "what is written does not reach the host")
	case p.control.hasArrived:
		return more(false, "what is written reaches the host")
	case p.Lasts == access.Gone:
		return more(!second.worked, "what is written is not thrown away")
	}
	return less(second.worked, "what is written is not kept")
}
