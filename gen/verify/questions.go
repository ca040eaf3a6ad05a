package verify

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"

	"bwrapgen/gen/access"
	"bwrapgen/gen/profile"
)

// question is something that is tried inside, in a first start and in a second one, and what
// is to be said of what was found: judge gets of both starts what its own tries have found.
type question struct {
	first, second []try
	judge         func(first, second seen) []Statement
}

// about is a question of one try in the first start, about which one thing is said.
func about(t try, judge func(finding) Statement) question {
	return question{first: []try{t}, judge: func(first, _ seen) []Statement {
		return []Statement{judge(first.found[0])}
	}}
}

// tries are those of both starts.
func tries(all []question) (first, second []try) {
	for _, q := range all {
		first, second = append(first, q.first...), append(second, q.second...)
	}
	return first, second
}

// judged says of each question what was found.
func judged(all []question, first, second seen) []Statement {
	var statements []Statement
	for _, q := range all {
		statements = append(statements, q.judge(first.next(len(q.first)), second.next(len(q.second)))...)
	}
	return statements
}

// next takes what some tries have found away from the beginning.
func (s *seen) next(count int) seen {
	part := *s
	part.found, s.found = s.found[:count], s.found[count:]
	return part
}

// questions are what is asked of a sandbox of which explain says what the places are.
func (h *harness) questions(places []place, w *world) []question {
	var all []question
	for i := range places {
		all = append(all, h.ofPlace(&places[i]))
	}
	if h.isOwn(h.project) && h.Plan.Project.Access == profile.AccessWrite {
		for _, p := range pinned(places, h.inside.Project) {
			all = append(all, about(try{tryRename, p.inside}, func(f finding) Statement {
				return p.statement(p.What).concluded("", more(!f.worked, "it can be renamed"))
			}))
		}
	}
	for _, p := range places {
		if p.isRemade() {
			all = append(all, ofMade(p))
		}
	}
	all = append(all, ofAbsent(h.absent(places)))
	for _, g := range h.goals() {
		all = append(all, about(try{tryReach, g.at}, g.judge))
	}
	return append(all, question{first: []try{{trySandbox, ""}}, judge: func(first, second seen) []Statement {
		return append(ofWhole(h.Plan, first, *w), addresses(h.Plan, second)...)
	}})
}

// ofPlace asks for a place. What is written is looked for in a second start, where it may last.
func (h *harness) ofPlace(p *place) question {
	p.control = h.control(*p)
	isRunning := p.host == h.file // nothing is added to a script that bash reads
	if isRunning {
		p.control.holds = "" // a launcher with its command's name is covered
	}
	q := question{first: []try{{tryWrite, p.inside}}}
	switch {
	case p.Shows == access.Nothing, isRunning, !p.control.isOwn:
		q.first[0].way = tryLook
	case p.Shows == access.Own, p.Shows == access.View:
		q.second = []try{{trySecond, p.inside}}
	case p.isReserved():
		q.second = []try{{tryWrite, p.inside}}
	}
	q.judge = func(first, second seen) []Statement {
		isMasked := p.Shows == access.Hidden || p.Shows == access.Nothing
		if isMasked && !p.control.isThere {
			return nil
		}
		var later finding
		if len(second.found) > 0 {
			later = second.found[0]
		}
		found := p.judge(first.found[0], later, first.viewProblem())
		if found.Result == Passed && p.isReserved() {
			found = found.concluded("", more(!later.worked, "it can be created"))
		}
		return []Statement{found}
	}
	return q
}

// isRemade reports whether the launcher creates what is shown, where the host has none. What verify
// made is removed before the second start, in which that is tried.
func (p place) isRemade() bool { return p.Made && p.control.isOwn }

// isReserved reports whether a name cannot be created where it is absent. What verify made is removed
// before the second start, in which that is tried.
func (p place) isReserved() bool { return p.Reserved && !p.Pattern && p.control.isOwn }

func ofMade(p place) question {
	const says = "created where there is none"
	p.What, p.Notes = says, nil
	return question{second: []try{{tryLook, p.inside}}, judge: func(_, second seen) []Statement {
		return []Statement{p.statement(says).concluded("", less(second.found[0].isThere(), "it is not there"))}
	}}
}

// ofAbsent asks for paths of the host that must not be there; it speaks of all at once, if
// none is.
func ofAbsent(paths []string) question {
	q := question{}
	for _, at := range paths {
		q.first = append(q.first, try{tryLook, at})
	}
	q.judge = func(first, _ seen) []Statement {
		var all []Statement
		for i, at := range paths {
			if first.found[i].isThere() {
				all = append(all, claim(at, "not there", more(false, "it is there")))
			}
		}
		if n := len(paths) - len(all); n > 0 {
			says := fmt.Sprintf("nothing else of the host is there; %d names were tried", n)
			all = append(all, claim("the rest", says, doubt{}))
		}
		return all
	}
	return q
}

// goals are who on the network can be tried, and whether they answer outside: all at once.
func (h *harness) goals() []goal {
	const patience = 500 * time.Millisecond
	all := goalsOf(h.Plan, nameServers(), h.address)
	var tried sync.WaitGroup
	for i, g := range all {
		if g.isOurs {
			h.listen(g.at)
		}
		tried.Go(func() { all[i].answers = answers(g.at, patience) })
	}
	tried.Wait()
	return all
}

// answers reports whether somebody listens at HOST:PORT.
func answers(at string, patience time.Duration) bool {
	c, err := net.DialTimeout("tcp", at, patience)
	if err == nil {
		_ = c.Close()
	}
	return err == nil
}

// nameServers are those of the host, and those that a resolver of the host's own asks.
func nameServers() []netip.Addr {
	var all []netip.Addr
	for _, file := range []string{"/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"} {
		data, _ := os.ReadFile(file)
		for line := range strings.Lines(string(data)) {
			rest, isServer := strings.CutPrefix(line, "nameserver ")
			at, err := netip.ParseAddr(strings.TrimSpace(rest))
			if isServer && err == nil {
				all = append(all, at)
			}
		}
	}
	return all
}
