package proof

import (
	"slices"
	"strings"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/sight"
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
	Why     string // where it is false, or cannot be proved
	Place   *Place // that it is about; nil: the sandbox as a whole
}

// Control is what the host has at a place: what makes a denial inside a denial.
type Control struct {
	IsThere      bool
	Own          bool   // of the proof's own: it has been written to outside, and the start wrote there
	Holds        string // the first line
	MayHoldLogin bool   // it has words of one
	Arrived      bool   // what was written inside is there after the start
}

// Judge compares what was found inside, in a first and a second start, with the host. A
// problem is what the launcher said of views that cannot be made here.
func (p Place) Judge(first, second Found, host Control, problem string) Statement {
	s := Statement{Subject: p.At.String(), Says: p.Full(), Place: &p}
	isSetting := strings.Contains(p.What, "unless it holds a login")
	switch {
	case p.Shows.Host() && !host.IsThere:
		s.Result, s.Why = Unprovable, "this host has none"
	case isSetting && host.MayHoldLogin && !first.IsThere():
		s.Result, s.Why = Unprovable, "it may hold one"
	case slices.Contains(plan.OtherHomes(), p.Inside) && host.Holds == "":
		s.Result, s.Why = Unprovable, "it cannot be read outside, either"
	default:
		s.Why = p.doubt(first, second, host)
	}
	isView := p.Shows == sight.View || p.Lasts > sight.Gone
	switch {
	case s.Result == Unprovable || s.Why == "":
	case isView && problem != "":
		s.Result, s.Why = Unprovable, problem
	default:
		s.Result = False
	}
	return s
}

// doubt says what speaks against a statement; nothing, if it is true.
func (p Place) doubt(first, second Found, host Control) string {
	same := first.Holds == host.Holds
	switch p.Shows {
	case sight.Nothing:
		return p.nothing(first, host)
	case sight.Hidden:
		return p.hidden(first, host)
	case sight.Link:
		return unless(strings.HasSuffix(p.What, "a link to "+first.Link) && first.Link != "", "there is no such link")
	case sight.Own:
		return p.own(first, second, host)
	}
	switch {
	case !first.IsThere():
		return "it is not there"
	case host.Holds != "" && !same:
		return "it is not the host's"
	case p.Shows == sight.Read:
		return first.readOnly()
	}
	return p.changes(first, second, host)
}

// nothing judges the root of a sandbox, in which only what is listed stands, and what is
// not there.
func (p Place) nothing(f Found, host Control) string {
	if p.Inside == "/" {
		return unless(!f.Wrote && f.Mode == "ro", "it can be written to")
	}
	isHosts := f.IsThere() && (f.Kind != 'd' || f.Holds == host.Holds)
	return unless(!isHosts, "it is there")
}

// readOnly judges what must not be changed. A device that covers a file takes all, and
// keeps nothing.
func (f Found) readOnly() string {
	return unless(f.Kind == 'c' || !f.Wrote && f.Mode == "ro", "it can be written to")
}

func (p Place) hidden(f Found, host Control) string {
	isOwn := f.Kind == 'd' && f.Mount // an empty directory
	switch {
	case host.Holds != "" && f.Holds == host.Holds && (host.Own || !isOwn):
		return "it can be read"
	case f.Wrote:
		return "it can be written to"
	}
	return ""
}

func (p Place) own(first, second Found, host Control) string {
	switch {
	case !first.IsThere():
		return "it is not there"
	case !first.Mount:
		return "nothing of the sandbox's own stands there"
	case host.Own && host.Holds != "" && first.Holds == host.Holds:
		return "it is the host's"
	case !strings.Contains(p.What, "writable"), slices.Contains(plan.OtherHomes(), p.Inside):
		return "" // somebody's home, if the proof has one of its own
	}
	return p.changes(first, second, host)
}

// changes judges what can be written to, and what becomes of that.
func (p Place) changes(first, second Found, host Control) string {
	reaches := p.Shows == sight.Write
	switch {
	case !host.Own:
		return unless(first.Mode == "rw", "it cannot be written to")
	case !first.Wrote:
		return "it cannot be written to"
	case reaches && !host.Arrived:
		return "what is written does not reach the host"
	case !reaches && host.Arrived:
		return "what is written reaches the host"
	case !reaches && p.Lasts == sight.Gone && second.Wrote:
		return "what is written is not thrown away"
	case !reaches && p.Lasts > sight.Gone && !second.Wrote:
		return "what is written is not kept"
	}
	return ""
}

func unless(holds bool, why string) string {
	if holds {
		return ""
	}
	return why
}
