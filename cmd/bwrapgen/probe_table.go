package main

import (
	"cmp"
	"fmt"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

// factsTable says which tools there are, where, and what becomes of them.
func (a app) factsTable(c catalogue.Catalogue, f host.Facts) []byte {
	rows := [][]string{{"TOOL", "WHAT, WHERE AND HOW IN A SANDBOX"}}
	var absent []string
	for _, t := range c.Tools {
		found := a.toolRows(t, f)
		rows = append(rows, found...)
		if len(found) == 0 && len(placesOf(t)) > 0 {
			absent = append(absent, t.Name)
		}
	}
	text := string(a.list(append(rows, programRows(f)...)))
	if len(absent) > 0 {
		text += "\n" + strings.Join(wrapped("Not here: "+strings.Join(absent, ", "), screen), "\n") + "\n"
	}
	return []byte(text)
}

// toolRows are a row for each place of a tool that the host has, or one for many settings.
func (a app) toolRows(t catalogue.Tool, f host.Facts) [][]string {
	const overlaid, readOnly = "overlaid; the host's does not change", "read-only"
	var rows [][]string
	add := func(e catalogue.Entry, what, treated string) {
		if fact, ok := f.Has(e.Path); ok {
			rows = append(rows, []string{t.Name, what + " " + a.placeOf(e.Path, fact, f) + ": " + treated})
		}
	}
	for _, e := range t.Toolchain {
		treated := readOnly
		if e.NeedsWrite == catalogue.NeedYes {
			treated = overlaid
		}
		add(e, "toolchain", treated)
	}
	for _, e := range t.Caches {
		add(e, "cache", overlaid)
	}
	for _, e := range t.Settings() {
		add(e, "settings", "read-only; a file that holds a login or sets variables is left out")
	}
	found := len(rows)
	for _, e := range t.Read {
		add(e, "settings", readOnly)
	}
	if n := len(rows) - found; n > 3 {
		rows = append(rows[:found], []string{t.Name, fmt.Sprintf("settings in %d places: read-only", n)})
	}
	return rows
}

// placeOf is where a path is, which variable has moved it, and how large it is.
func (a app) placeOf(p expr.Path, fact host.PathFact, f host.Facts) string {
	at, _ := p.Eval(f.Environment(""))
	where := visible(a.shorten(at))
	for _, name := range p.Variables() {
		if f.Variables[name] != "" {
			where += ", by " + name
			break
		}
	}
	return joined(", ", where, size(fact))
}

func programRows(f host.Facts) [][]string {
	row := func(name string, p host.Program) []string {
		if !p.Found() {
			return []string{name, "program, not found"}
		}
		return []string{name, "program " + p.Path + ", " + cmp.Or(p.Version, "of unknown version")}
	}
	return [][]string{row("bwrap", f.Bwrap), row("bash", f.Bash), row("env", f.Env)}
}

// size prints a number of bytes as people like it; nothing where it was not counted.
func size(f host.PathFact) string {
	if f.Size == 0 {
		return ""
	}
	text := human("%.3g", f.Size)
	if f.Bound {
		return "over " + text
	}
	return text
}
