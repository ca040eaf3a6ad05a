package proof

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
	Why     string // where it is false, or cannot be proved
	Place   *Place // that it is about; nil: the sandbox as a whole
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

// Control is what the host has at a place: what makes a denial inside a denial.
type Control struct {
	IsThere      bool
	Own          bool   // of the proof's own: it has been written to outside, and the start wrote there
	Holds        string // the first line
	MayHoldLogin bool   // it has words of one
	Arrived      bool   // what was written inside is there after the start
	Inode        string // DEVICE:NUMBER
}

// sees reports whether what was found inside can be read, and is what the host has.
func (c Control) sees(f Found) bool { return c.Holds != "" && f.Holds == c.Holds }

// Judge compares what was found inside, in a first and a second start, with the host. A
// problem is what the launcher said of views that cannot be made here.
func (p Place) Judge(first, second Found, host Control, problem string) Statement {
	missing := p.missing(first, host)
	doubt := ""
	if missing == "" {
		doubt = p.doubt(first, second, host)
	}
	if doubt != "" && p.isView() {
		missing = problem
	}
	return Statement{Subject: p.At.String(), Says: p.Full(), Place: &p}.concluded(missing, doubt)
}

// missing says what the host lacks for a statement to be proved; nothing, if it can be.
func (p Place) missing(first Found, host Control) string {
	isSetting := strings.Contains(p.What, "unless it holds a login")
	needsHost := p.Shows.Host() || strings.Contains(p.What, access.IfHostHas)
	switch {
	case needsHost && !host.IsThere:
		return "this host has none"
	case isSetting && host.MayHoldLogin:
		return unless(first.IsThere(), "it may hold one")
	case p.isOthersHome():
		return unless(host.Holds != "", "it cannot be read outside, either")
	}
	return ""
}

func (p Place) isOthersHome() bool { return slices.Contains(plan.OtherHomes(), p.Inside) }

func (p Place) isView() bool { return p.Shows == access.View || p.Lasts > access.Gone }

// doubt says what speaks against a statement; nothing, if it is true.
func (p Place) doubt(first, second Found, host Control) string {
	switch p.Shows {
	case access.Nothing:
		return p.nothing(first, host)
	case access.Hidden:
		return hidden(first, host)
	case access.Link:
		return p.link(first)
	case access.Own:
		return p.own(first, second, host)
	}
	switch {
	case !first.IsThere():
		return "it is not there"
	case first.Holds != host.Holds && host.Holds != "":
		return "it is not the host's"
	case p.Shows == access.Read:
		return first.readOnly()
	}
	return p.changes(first, second, host)
}

// nothing judges the root of a sandbox, in which only what is listed stands, and what is
// not there.
func (p Place) nothing(f Found, host Control) string {
	switch {
	case p.Inside == "/":
		return f.readOnly()
	case f.Kind == 'd': // it may be there for what is shown below
		return unless(f.Holds != host.Holds, "it is there")
	}
	return unless(!f.IsThere(), "it is there")
}

// readOnly judges what must not be changed. A device that covers a file takes all, and
// keeps nothing.
func (f Found) readOnly() string {
	switch {
	case f.Kind == 'c':
		return ""
	case f.Wrote:
		return "it can be written to"
	}
	return unless(f.Mode == "ro", "it can be written to")
}

func hidden(f Found, host Control) string {
	if host.isReadAt(f) {
		return "it can be read"
	}
	return unless(!f.Wrote, "it can be written to")
}

// isReadAt reports whether what the host has can be read at what was found, and not
// something of the sandbox's own: an empty directory is like another.
func (c Control) isReadAt(f Found) bool {
	isEmpty := f.Mount && f.Kind == 'd'
	if c.Own || !isEmpty {
		return c.sees(f)
	}
	return false
}

func (p Place) link(f Found) string {
	const lacking = "there is no such link"
	if f.Link == "" {
		return lacking
	}
	return unless(strings.HasSuffix(p.What, "a link to "+f.Link), lacking)
}

func (p Place) own(first, second Found, host Control) string {
	isLasting := strings.Contains(p.What, "writable")
	switch {
	case !first.IsThere():
		return "it is not there"
	case !first.Mount:
		return "nothing of the sandbox's own stands there"
	case host.Own && host.sees(first), host.Inode == first.Inode && host.Inode != "":
		return "it is the host's"
	case !isLasting, p.isOthersHome():
		return "" // somebody's home, if the proof has one of its own
	}
	return p.changes(first, second, host)
}

// changes judges what can be written to, and what becomes of that.
func (p Place) changes(first, second Found, host Control) string {
	const closed = "it cannot be written to"
	switch {
	case !host.Own:
		return unless(first.Mode == "rw", closed)
	case !first.Wrote:
		return closed
	case p.Shows == access.Write:
		return unless(host.Arrived, "what is written does not reach the host")
	case host.Arrived:
		return "what is written reaches the host"
	case p.Lasts == access.Gone:
		return unless(!second.Wrote, "what is written is not thrown away")
	}
	return unless(second.Wrote, "what is written is not kept")
}

func unless(holds bool, why string) string {
	if holds {
		return ""
	}
	return why
}
