package main

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/compare"
)

// diffCmd is the verb diff.
type diffCmd struct {
	Old    string `arg:"" takes:"profile" help:"What to compare with: the name or path of a profile, or a launcher."`
	New    string `arg:"" takes:"profile" help:"The profile or launcher that takes its place."`
	Format string `enum:"text,json,markdown" default:"text" placeholder:"FORMAT" help:"text; json, for programs; markdown, for pull requests."`
	All    bool   `help:"List every change, instead of grouping similar ones."`
	subject
}

// Run prints what differs.
func (c diffCmd) Run(a app) error {
	r, err := c.report(a)
	if err != nil {
		return err
	}
	if !r.Same() {
		err = errDiffers
	}
	if c.Format == "json" {
		return a.artefact(asJSON(r), err)
	}
	return a.artefact(a.inWords(r, c.Format == "markdown", c.All), err)
}

func (c diffCmd) report(a app) (compare.Report, error) {
	var built [2]compare.Side
	var found [2]named
	for i, name := range []string{c.Old, c.New} {
		var err error
		if found[i], err = a.named(name, c.subject, true); err != nil {
			return compare.Report{}, err
		}
	}
	if found[0].isStale() || found[1].isStale() {
		return ofPolicies(found)
	}
	for i, n := range found {
		if n.isLauncher { // not the files it was made from
			var err error
			if n.sandbox, err = a.sandbox(n.made); err != nil {
				return compare.Report{}, err
			}
		}
		built[i] = compare.Side{Plan: n.Plan, Profile: n.Profile}
	}
	return compare.Sides(built[0], built[1], united(found[0].Catalogue, found[1].Catalogue))
}

// ofPolicies is what tells two launchers apart by their policies, setting by setting: of one that is
// another than would be made now, nothing else is known.
func ofPolicies(found [2]named) (compare.Report, error) {
	for i, n := range found {
		if n.isLauncher {
			continue
		}
		script, err := finished(n.sandbox)
		if err != nil {
			return compare.Report{}, err
		}
		found[i].Script = script
	}
	changes := func(settings []gen.Setting) []compare.Change {
		var all []compare.Change
		for _, s := range settings {
			all = append(all, compare.Change{Kind: compare.Other, Subject: s.Name, Is: compare.State{What: s.Words}})
		}
		return all
	}
	d := gen.Compare(found[0].Script, found[1].Script)
	r := compare.Report{Exposes: changes(d.More), TakesAway: changes(d.Less)}
	if r.Same() && d.Allows {
		r.Differs = changes([]gen.Setting{{Name: "policy", Words: "other settings; see diff -u"}})
	}
	return r, nil
}

// united are the tools of both catalogues: either side may bring its own.
func united(c, others catalogue.Catalogue) catalogue.Catalogue {
	all := slices.Clone(c.Tools)
	for _, t := range others.Tools {
		if _, known := c.Tool(t.Name); !known {
			all = append(all, t)
		}
	}
	slices.SortFunc(all, func(a, b catalogue.Tool) int { return strings.Compare(a.Name, b.Name) })
	return catalogue.New(all)
}

// inWords tells a report to people, or to reviewers as a comment of a pull request.
func (a app) inWords(r compare.Report, isMarkdown, all bool) []byte {
	same, head, row, name, words := "%s\n", "%s:\n", "  %s\n", visible, visible
	if isMarkdown {
		same, head, row = "**%s**\n", "**%s**\n\n", "* %s\n"
		name = func(text string) string { return code(visible(text)) }
		words = func(text string) string { return literally(visible(text)) }
	}
	var b bytes.Buffer
	if r.Same() {
		fmt.Fprintf(&b, same, "The command can see, reach and use the same.")
	}
	for _, s := range []struct {
		head, sign, color string
		changes           []compare.Change
	}{
		{"Exposed, and was not", "+ ", "\x1b[31m", r.Exposes},
		{"Taken away, or tightened", "- ", "\x1b[32m", r.TakesAway},
		{"Different, neither more nor less", "~ ", "", r.Differs},
		{"Different in words only", "", "", r.Said},
	} {
		for i, g := range folded(s.changes, all) {
			if i == 0 && b.Len() > 0 {
				b.WriteString("\n")
			}
			if i == 0 {
				fmt.Fprintf(&b, head, s.head)
			}
			text := g.sentence(name, words)
			if !isMarkdown {
				text = a.painted(s.color, s.sign+text)
			}
			fmt.Fprintf(&b, row, text)
		}
	}
	return b.Bytes()
}

// fold is a group of similar changes.
type fold []compare.Change

// folded puts changes of variables, and of places in one directory, into one fold if the same is to be said
// of them; or, if all are wanted, each into one of its own.
func folded(changes []compare.Change, all bool) []fold {
	var left []fold
	first := map[compare.Change]int{}
	for _, c := range changes {
		like := c
		like.Is, like.Was = withoutLine(c.Is), withoutLine(c.Was)
		switch {
		case c.Kind == compare.Variable || strings.HasPrefix(c.Subject, "$") && !strings.Contains(c.Subject, "/"):
			like.Subject = "$"
		case strings.Contains(c.Subject, "/"):
			like.Subject = path.Dir(c.Subject)
		}
		i, known := first[like]
		if known && !all {
			left[i] = append(left[i], c)
			continue
		}
		first[like] = len(left)
		left = append(left, fold{c})
	}
	return left
}

// withoutLine is a state without the line that asks for it, which may differ within a fold.
func withoutLine(s compare.State) compare.State {
	s.From, _, _ = strings.Cut(s.From, ":")
	return s
}

// sentence is a fold in one line.
func (g fold) sentence(name, words func(string) string) string {
	c := g[0]
	var subjects []string
	for _, other := range g {
		subjects = append(subjects, other.Subject)
		if other.Is != g[0].Is || other.Was != g[0].Was {
			c.Is, c.Was = withoutLine(c.Is), withoutLine(c.Was)
		}
	}
	isNamed := c.Credential || c.Kind == compare.Writable
	text := ""
	if c.Secret != "" {
		text += " (" + c.Secret + ")"
	}
	if c.Moved {
		text += ", where a variable leads elsewhere"
	}
	text += ": " + stated(c.Is)
	if c.Was.What != "" {
		text += "; was " + stated(c.Was)
	}
	switch {
	case c.Except == 1:
		text += "; except one place below, which stays hidden"
	case c.Except > 1:
		text += fmt.Sprintf("; except %d places below, which stay hidden", c.Except)
	}
	return listed(subjects, isNamed, name) + words(text)
}

func stated(s compare.State) string {
	if reason := joined(": ", s.From, s.Why); reason != "" {
		return s.What + " (" + reason + ")"
	}
	return s.What
}
