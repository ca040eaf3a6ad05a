package host

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Union gives the facts for a launcher that serves several machines: it may
// show what any of them has, since each skips what it lacks, and may use only
// what all of them can.
//
//	OS, Home    the first that is known
//	Arch        all of them: see Architectures
//	programs    of the machines that have it: the first path, the lowest
//	            version, and only the options that all of them know
//	Userns      only where all may; UsernsWhy is the first reason
//	Timezone    the one on which all that know one agree, else none
//	Variables   united; the first value wins
//	Markers     united
//	Git         united
//	Paths       united; the first fact wins, but a dangling link gives way to
//	            whatever another machine has there
func Union(facts ...Facts) Facts {
	if len(facts) == 0 {
		return Facts{Version: Version}
	}
	all := facts[0]
	all.Version = Version
	all.Variables = maps.Clone(all.Variables)
	all.Markers = sorted(all.Markers)
	all.Paths = maps.Clone(all.Paths)
	zones := []string{"", all.Timezone}
	for _, f := range facts[1:] {
		all = all.with(f)
		zones = append(zones, f.Timezone)
	}
	all.Timezone = ""
	if zones = unite(zones); len(zones) == 2 {
		all.Timezone = zones[1]
	}
	return all
}

// with is the union of two, but for the time zone.
func (f Facts) with(g Facts) Facts {
	f.OS = cmp.Or(f.OS, g.OS)
	f.Home = cmp.Or(f.Home, g.Home)
	f.Arch = strings.Join(sorted(unite(f.Architectures(), g.Architectures())), ",")
	f.Bwrap = f.Bwrap.and(g.Bwrap)
	f.Bash = f.Bash.and(g.Bash)
	f.Env = f.Env.and(g.Env)
	f.Userns = f.Userns && g.Userns
	f.UsernsWhy = cmp.Or(f.UsernsWhy, g.UsernsWhy)
	f.Markers = sorted(unite(f.Markers, g.Markers))
	f.Variables = fill(f.Variables, g.Variables, func(string) bool { return false })
	f.Git = uniteBy(func(s Setting) string { return s.Key + "\n" + s.Program + "\n" + s.Path.String() }, f.Git, g.Git)
	f.Paths = fill(f.Paths, g.Paths, func(fact PathFact) bool { return fact.Kind == Dangling })
	return f
}

// and is what both can do. A machine without the program has no say.
func (p Program) and(q Program) Program {
	switch {
	case !p.Found():
		return q
	case !q.Found():
		return p
	}
	if q.Version != "" && (p.Version == "" || older(q.Version, p.Version)) {
		p.Version = q.Version
	}
	p.Options = slices.DeleteFunc(slices.Clone(p.Options), func(option string) bool {
		return !slices.Contains(q.Options, option)
	})
	return p
}

// fill adds to a what only b has, and what b has in place of a weak value.
func fill[V any](a, b map[string]V, weak func(V) bool) map[string]V {
	if len(a) == 0 {
		return maps.Clone(b)
	}
	for key, value := range b {
		if old, ok := a[key]; !ok || weak(old) {
			a[key] = value
		}
	}
	return a
}

var digits = regexp.MustCompile(`[0-9]+`)

// older compares versions number by number.
func older(a, b string) bool {
	numbers := func(version string) []int {
		return each(digits.FindAllString(version, -1), func(text string) int { n, _ := strconv.Atoi(text); return n })
	}
	return slices.Compare(numbers(a), numbers(b)) < 0
}

func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
