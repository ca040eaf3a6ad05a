package verify

import (
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/plan"
)

// Result says what has become of a statement.
type Result uint8

// The results.
const (
	Proved Result = iota
	False
	Unprovable // here: Why says what is missing
)

// Statement is one sentence about a sandbox, and what has become of it.
type Statement struct {
	Subject string
	Says    string
	Result  Result
	Why     string        // where it is false, or cannot be proved
	Entry   *access.Entry // that it is about; nil: the sandbox as a whole
	Origin  string        // of an expectation: its author's reason, and FILE:LINE
}

// concluded is a statement with its result: missing says what is missing for a proof, and
// doubt what speaks against it.
func (s Statement) concluded(missing, doubt string) Statement {
	switch {
	case missing != "":
		s.Result, s.Why = Unprovable, missing
	case doubt != "":
		s.Result, s.Why = False, doubt
	}
	return s
}

func claim(subject, says string, holds bool, why string) Statement {
	return Statement{Subject: subject, Says: says}.concluded("", unless(holds, why))
}

func unprovable(subject, says, why string) Statement {
	return Statement{Subject: subject, Says: says}.concluded(why, "")
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
// problem is what the launcher said of views that cannot be made here.
func (p place) judge(first, second finding, problem string) Statement {
	missing := p.missing(first)
	doubt := ""
	if missing == "" {
		doubt = p.doubt(first, second)
	}
	isView := p.Shows == access.View || p.Lasts > access.Gone
	if doubt != "" && isView {
		missing = problem
	}
	return p.statement(p.Full()).concluded(missing, doubt)
}

// missing says what the host lacks for a statement to be proved; nothing, if it can be.
func (p place) missing(first finding) string {
	needsHost := p.Shows.Host() || strings.Contains(p.What, access.IfHostHas)
	switch {
	case needsHost && !p.control.isThere:
		return "this host has none"
	case p.isSetting() && p.control.mayHoldLogin:
		return unless(first.isThere(), "it may hold one")
	case p.isOthersHome():
		return unless(p.control.holds != "", "it cannot be read outside, either")
	}
	return ""
}

// isSetting reports whether a file is left out where it holds a login.
func (p place) isSetting() bool { return strings.Contains(p.What, "unless it holds a login") }

func (p place) isOthersHome() bool { return slices.Contains(plan.OtherHomes(), p.inside) }

// doubt says what speaks against a statement; nothing, if it is true.
func (p place) doubt(first, second finding) string {
	switch p.Shows {
	case access.Nothing:
		return p.nothing(first)
	case access.Hidden:
		return p.hidden(first)
	case access.Link:
		isIt := first.link != "" && strings.HasSuffix(p.What, "a link to "+first.link)
		return unless(isIt, "there is no such link")
	case access.Own:
		return p.own(first, second)
	}
	switch {
	case !first.isThere():
		return "it is not there"
	case first.holds != p.control.holds && p.control.holds != "":
		return "it is not the host's"
	case p.Shows == access.Read:
		return first.readOnly()
	}
	return p.changes(first, second)
}

// nothing judges the root of a sandbox, in which only what is listed stands, and what is
// not there.
func (p place) nothing(f finding) string {
	switch {
	case p.inside == "/":
		return f.readOnly()
	case f.kind == 'd': // it may be there for what is shown below
		return unless(f.holds != p.control.holds, "it is there")
	}
	return unless(!f.isThere(), "it is there")
}

// readOnly judges what must not be changed. A device that covers a file takes all, and
// keeps nothing.
func (f finding) readOnly() string {
	if f.kind == 'c' {
		return ""
	}
	return unless(!f.worked && f.mode == "ro", "it can be written to")
}

// hidden judges whether what the host has can be read or changed, and not something of the
// sandbox's own: an empty directory is like another.
func (p place) hidden(f finding) string {
	isEmpty := f.isMount && f.kind == 'd' && !p.control.isOwn
	if p.control.sees(f) && !isEmpty {
		return "it can be read"
	}
	return unless(!f.worked, "it can be written to")
}

func (p place) own(first, second finding) string {
	isSame := p.control.inode == first.inode && first.inode != ""
	switch {
	case !first.isThere():
		return "it is not there"
	case !first.isMount:
		return "nothing of the sandbox's own stands there"
	case p.control.isOwn && p.control.sees(first), isSame:
		return "it is the host's"
	case !strings.Contains(p.What, "writable"), p.isOthersHome():
		return "" // somebody's home, if the proof has one of its own
	}
	return p.changes(first, second)
}

// changes judges what can be written to, and what becomes of that.
func (p place) changes(first, second finding) string {
	const closed = "it cannot be written to"
	switch {
	case !p.control.isOwn:
		return unless(first.mode == "rw", closed)
	case !first.worked:
		return closed
	case p.Shows == access.Write:
		return unless(p.control.hasArrived, "what is written does not reach the host")
	case p.control.hasArrived:
		return "what is written reaches the host"
	case p.Lasts == access.Gone:
		return unless(!second.worked, "what is written is not thrown away")
	}
	return unless(second.worked, "what is written is not kept")
}
