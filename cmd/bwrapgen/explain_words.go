package main

import (
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
)

// The columns of explain, which fit on a screen of 80: subjects and their words, places
// and what is there.
const (
	screen       = 80
	subjectWidth = 13
	placeWidth   = 26
)

// words tells a plan to people: the summary, then each place; or, unless all of them are
// wanted, one row for neighbours of which the same is to be said.
func words(p plan.Plan, all bool) []byte {
	var b bytes.Buffer
	for _, line := range wrapped(visible(p.Name+": "+p.About), screen) {
		fmt.Fprintln(&b, line)
	}
	b.WriteString("\n")
	for _, l := range p.Summary() {
		sideBySide(&b, subjectWidth, l.Subject, visible(l.Words))
	}
	b.WriteString("\n")
	title := "WHAT IS THERE (ASKED FOR BY: WHY)"
	if !all {
		title = "WHAT IS THERE, IF THE HOST HAS IT; --all: each"
	}
	sideBySide(&b, placeWidth, "PLACE", title)
	tellPlaces(&b, access.Of(p), all)
	return b.Bytes()
}

// tellPlaces writes a row for each place; or, unless all are wanted, one for neighbours.
func tellPlaces(b *bytes.Buffer, entries []access.Entry, all bool) {
	if !all {
		entries = slices.Clone(entries)
		for i := range entries {
			entries[i].What = strings.Replace(entries[i].What, ", if there is one", "", 1)
		}
	}
	for _, g := range neighbours(entries, all) {
		sideBySide(b, placeWidth, g.places(visible), visible(g.what(all)))
	}
}

// neighbourhood are places of which the same is to be said.
type neighbourhood []access.Entry

// neighbours puts entries that follow each other, in one directory or in the project, into
// one neighbourhood each.
func neighbours(entries []access.Entry, all bool) []neighbourhood {
	var groups []neighbourhood
	for i, s := range entries {
		if i == 0 || all || !alike(entries[i-1], s) {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], s)
	}
	return groups
}

// alike reports whether the same is to be said of two places: of what tools have, of what
// every sandbox has, and else of one directory, for one reason.
func alike(s, o access.Entry) bool {
	switch {
	case s.What != o.What:
		return false
	case s.Tool != "" && o.Tool != "":
		return true
	}
	together := s.From == "" || s.Why == o.Why && directory(s.At) == directory(o.At)
	return asker(s) == asker(o) && together
}

// asker is the tool or the profile that asks for something, without the line.
func asker(s access.Entry) string {
	if s.Tool != "" {
		return s.From
	}
	file, _, _ := strings.Cut(s.From, ":")
	return file
}

// directory is what a place lies in. What is held in the project is one, and so is what is
// listed of home and of /etc.
func directory(p expr.Path) string {
	switch {
	case p.Base == expr.Project && p.Rest != "":
		return "."
	case p.Base == expr.Home && p.Rest != "":
		return "~"
	}
	if strings.HasPrefix(p.String(), "/etc/") {
		return "/etc"
	}
	return path.Dir(p.String())
}

// few is how many places of a neighbourhood are named, where there are more than many and
// none of them is the host's and writable.
const few, many = 2, 8

// places names them.
func (g neighbourhood) places(format func(string) string) string {
	var all []string
	for _, s := range g {
		all = append(all, s.At.String())
	}
	return listed(all, g[0].Shows == access.Write, format)
}

// listed names paths in full, and by their last names where they are next to the one before. Of many it
// names a few, unless each matters.
func listed(paths []string, each bool, format func(string) string) string {
	var names []string
	for i, name := range paths {
		if len(paths) > many && i == few && !each {
			return fmt.Sprintf("%s, %d more", strings.Join(names, ", "), len(paths)-few)
		}
		if i > 0 && path.Dir(paths[i-1]) == path.Dir(name) {
			name = path.Base(name)
		}
		names = append(names, format(name))
	}
	return strings.Join(names, ", ")
}

// what says what is there, who asks for it and why.
func (g neighbourhood) what(all bool) string {
	from, why := g.reason(all)
	if reason := joined(": ", from, why); reason != "" {
		return g[0].What + " (" + reason + ")"
	}
	return g[0].What
}

// reason is who asks for the places and why; the reasons of tools are left to the long list.
func (g neighbourhood) reason(all bool) (from, why string) {
	from, why = g[0].From, g[0].Why
	if g[0].Tool != "" && !all {
		why = ""
	}
	var others []string // tools
	for _, s := range g[1:] {
		from = asker(g[0])
		if s.Tool != g[0].Tool && !slices.Contains(others, s.Tool) {
			others = append(others, s.Tool)
		}
		if s.Why != why {
			why = "" // each has its own
		}
	}
	switch {
	case len(others) > few:
		from += fmt.Sprintf(" and %d others", len(others))
	case len(others) > 0:
		from += ", " + strings.Join(others, ", ")
	}
	return from, why
}

// sideBySide writes two texts in columns, the left one so wide. Where a line of that is
// wider, the right one begins below.
func sideBySide(b *bytes.Buffer, width int, left, right string) {
	lefts, rights := wrapped(left, width-2), wrapped(right, screen-width)
	below := 0 // lines of the left text down to the last that is wider
	for i, line := range lefts {
		if len([]rune(line)) >= width {
			below = i + 1
		}
	}
	rights = append(make([]string, below), rights...)
	rows := max(len(lefts), len(rights))
	lefts = append(lefts, make([]string, rows-len(lefts))...)
	rights = append(rights, make([]string, rows-len(rights))...)
	for i := range rows {
		fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("%-*s%s", width, lefts[i], rights[i]), " "))
	}
}

// wrapped breaks a text into lines between words. A word that is longer than a line has
// one of its own.
func wrapped(text string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		last := len(lines) - 1
		if last >= 0 && len([]rune(lines[last]))+1+len([]rune(word)) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// explainPaths says what the command finds at each path.
func (a app) explainPaths(s sandbox, names []string) ([]byte, error) {
	var b bytes.Buffer
	index := access.NewIndex(access.Of(s.Plan), s.Env)
	for _, name := range names {
		at, err := filepath.Abs(a.expand(name))
		if err != nil {
			return nil, cannot("name it from the root on", "the working directory is gone: %v", reason(err))
		}
		found, where := index.Decisive(at)
		fmt.Fprintf(&b, "%s: %s", visible(name), visible(found.Full()))
		if where != at {
			fmt.Fprintf(&b, ", as all of %s", visible(found.At.String()))
		}
		if reason := joined(" ", found.From, found.Why); reason != "" {
			fmt.Fprintf(&b, " (%s)", visible(reason))
		}
		b.WriteString("\n")
	}
	return b.Bytes(), nil
}
