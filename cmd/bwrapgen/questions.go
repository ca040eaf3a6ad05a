package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"bwrapgen/gen/access"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/proof"
)

// tries are words for the script that looks around inside.
type tries []string

func (t *tries) add(way proof.Way, at string) { *t = append(*t, string(rune(way))+at) }

// questions are what is asked of a sandbox, in the order of the tries, and what the host
// says outside.
type questions struct {
	places   []proof.Place
	controls []proof.Control // by the place
	pinned   []proof.Place   // directories that must not be renamed
	absent   []string        // paths of the host that must not be there
	goals    []proof.Goal

	once, again tries       // in the first start and in the second one
	second      map[int]int // by the place: its try in the second start
	made        []int       // the places that the host has not in the second start: their tries come last
}

// ask lists what is to be tried.
func (g *stage) ask(places []proof.Place) questions {
	q := questions{places: places, pinned: g.pinned(places), absent: g.absent(places), goals: g.goals(), second: map[int]int{}}
	for i, p := range places {
		q.askOf(g, i, p)
	}
	for _, p := range q.pinned {
		q.once.add(proof.Rename, p.Inside)
	}
	for _, at := range q.absent {
		q.once.add(proof.Look, at)
	}
	for _, goal := range q.goals {
		q.once.add(proof.Reach, goal.At)
	}
	q.once.add(proof.Sandbox, "")
	for i, p := range places {
		if p.IsMade() && q.controls[i].Own {
			q.made = append(q.made, i)
			q.again.add(proof.Look, p.Inside)
		}
	}
	return q
}

// askOf adds the tries of a place. What is written is looked for in a second start, where it
// may last.
func (q *questions) askOf(g *stage, number int, p proof.Place) {
	control := g.control(p)
	isRunning := p.Host == g.file // nothing is added to a script that bash reads
	if isRunning {
		control.Holds = "" // a launcher with its command's name is covered
	}
	q.controls = append(q.controls, control)
	if p.Shows == access.Own && !control.Own {
		q.once.add(proof.Know, p.Inside)
		return
	}
	if p.Shows == access.Nothing || isRunning || !control.Own {
		q.once.add(proof.Look, p.Inside)
		return
	}
	q.once.add(proof.Write, p.Inside)
	if p.Shows == access.Own || p.Shows == access.View {
		q.second[number] = len(q.again)
		q.again.add(proof.Again, p.Inside)
	}
}

// judge says of each question whether what was found is what is said. A problem is what the
// launcher said of views.
func (q questions) judge(seen, again proof.Seen, problem string) []proof.Statement {
	first, later, inodes := seen.Places, again.Places, seen.Inodes()
	next := func(count int) []proof.Found {
		part := first[:count]
		first = first[count:]
		return part
	}
	var all []proof.Statement
	for i, found := range next(len(q.places)) {
		p, control := q.places[i], q.controls[i]
		found.Inode = inodes[p.Inside]
		isMasked := p.Shows == access.Hidden || p.Shows == access.Nothing
		if isMasked && !control.IsThere {
			continue
		}
		var after proof.Found
		if at, ok := q.second[i]; ok {
			after = later[at]
		}
		all = append(all, p.Judge(found, after, control, problem))
	}
	for i, found := range next(len(q.pinned)) {
		all = append(all, q.pinned[i].JudgeName(found))
	}
	rest := later[len(q.second):]
	for i, number := range q.made {
		all = append(all, q.places[number].JudgeMade(rest[i]))
	}
	all = append(all, nothing(q.absent, next(len(q.absent)))...)
	for i, found := range next(len(q.goals)) {
		all = append(all, q.goals[i].Judge(found))
	}
	return all
}

// nothing says of paths of the host that they are not there; of all at once, if it is true.
func nothing(paths []string, found []proof.Found) []proof.Statement {
	var all []proof.Statement
	for i, at := range paths {
		if found[i].IsThere() {
			all = append(all, proof.Statement{Subject: at, Says: "not there", Result: proof.False, Why: "it is there"})
		}
	}
	if n := len(paths) - len(all); n > 0 {
		all = append(all, proof.Statement{Subject: "the rest", Says: fmt.Sprintf("nothing else of the host is there; %d names were tried", n)})
	}
	return all
}

// pinned are directories that must not be renamed, where that can be tried.
func (g *stage) pinned(places []proof.Place) []proof.Place {
	if !g.isOwn(g.project) || g.plan.Project.Access != profile.AccessWrite {
		return nil
	}
	return proof.Pinned(places, g.inside.Project)
}

// answers is how long somebody on the network may take to answer.
const answers = 500 * time.Millisecond

// goals are who on the network can be tried, and whether they answer outside: all at once.
func (g *stage) goals() []proof.Goal {
	all := proof.Goals(g.plan, nameServers())
	var tried sync.WaitGroup
	for i, goal := range all {
		if goal.Listens {
			g.listen(goal.At)
		}
		tried.Go(func() {
			c, err := net.DialTimeout("tcp", goal.At, answers)
			if err == nil {
				_ = c.Close()
			}
			all[i].Answers = err == nil
		})
	}
	tried.Wait()
	return all
}

// listen answers on a port of this host, where nobody does.
func (g *stage) listen(at string) {
	if l, err := net.Listen("tcp4", at); err == nil {
		g.listeners = append(g.listeners, l)
	}
}

// nameServers are those of the host, and those that a resolver of the host's own asks.
func nameServers() []netip.Addr {
	var all []netip.Addr
	for _, file := range []string{"/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"} {
		data, _ := readFile(file)
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			rest, isServer := strings.CutPrefix(lines.Text(), "nameserver ")
			at, err := netip.ParseAddr(strings.TrimSpace(rest))
			if isServer && err == nil {
				all = append(all, at)
			}
		}
	}
	return all
}
