package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/compare"
)

// diffCmd is the verb diff.
type diffCmd struct {
	Old     string   `arg:"" takes:"profile" help:"What to compare with: a profile, built-in, one of your own, or the path of a file; or a launcher."`
	New     string   `arg:"" takes:"profile" help:"The profile or launcher that takes its place."`
	OldHost []string `sep:"none" placeholder:"FILE" help:"Take the facts for OLD alone from this file. Of several hosts, what any of them has."`
	NewHost []string `sep:"none" placeholder:"FILE" help:"Take the facts for NEW alone from this file."`
	Format  string   `enum:"text,json,markdown" default:"text" placeholder:"FORMAT" help:"text; json, for programs; markdown, for pull requests."`
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
		return a.artefact(asJSON(whole(r)), err)
	}
	return a.artefact(a.inWords(r, c.Format == "markdown"), err)
}

func (c diffCmd) report(a app) (compare.Report, error) {
	sides, err := c.requests()
	if err != nil {
		return compare.Report{}, err
	}
	var built [2]compare.Side
	var found [2]named
	for i, r := range sides {
		if found[i], err = a.named(r.Profile, r.subject, true); err != nil {
			return compare.Report{}, err
		}
	}
	if found[0].isStale() || found[1].isStale() {
		return ofPolicies(found)
	}
	for i, n := range found {
		if n.isLauncher { // without the files that it is made from
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

// requests are both sides. Facts of a file say what the project has; the side that
// has none looks for itself.
func (c diffCmd) requests() ([2]request, error) {
	var sides [2]request
	if len(c.Host) > 0 && len(c.OldHost)+len(c.NewHost) > 0 {
		return sides, misuse("leave it out", "--host is for both sides, so --old-host and --new-host have no use beside it")
	}
	for i, profile := range []string{c.Old, c.New} {
		s := c.subject
		if own := [][]string{c.OldHost, c.NewHost}[i]; len(own) > 0 {
			s.Host = own
			if len(c.OldHost) == 0 || len(c.NewHost) == 0 {
				s.Project = "" // it is for the other side
			}
		}
		sides[i] = request{wanted: wanted{Profile: profile, subject: s}, apart: true}
	}
	return sides, nil
}

// whole is a report in which no list is left out.
func whole(r compare.Report) compare.Report {
	for _, list := range []*[]compare.Change{&r.Exposes, &r.TakesAway, &r.Differs, &r.Said} {
		if *list == nil {
			*list = []compare.Change{}
		}
	}
	return r
}

// section is a part of a report, and how its changes are marked.
type section struct {
	head, sign, color string
	changes           []compare.Change
}

func sections(r compare.Report) []section {
	return []section{
		{"Exposed, and was not", "+ ", "\x1b[31m", r.Exposes},
		{"Taken away, or tightened", "- ", "\x1b[32m", r.TakesAway},
		{"Different, neither more nor less", "~ ", "", r.Differs},
		{"Different in words only", "", "", r.Said},
	}
}

// inWords tells a report to people, or to reviewers as a comment of a pull request.
func (a app) inWords(r compare.Report, isMarkdown bool) []byte {
	same, head, row := "%s\n", "%s:\n", "  %s\n"
	if isMarkdown {
		same, head, row = "**%s**\n", "**%s**\n\n", "* %s\n"
	}
	var b bytes.Buffer
	if r.Same() {
		fmt.Fprintf(&b, same, "The command can see, reach and use the same.")
	}
	for _, s := range sections(r) {
		for i, c := range gathered(s.changes) {
			if i == 0 && b.Len() > 0 {
				b.WriteString("\n")
			}
			if i == 0 {
				fmt.Fprintf(&b, head, s.head)
			}
			text := s.sign + sentence(c)
			switch {
			case isMarkdown:
				text = literally(sentence(c))
			case a.paint && s.color != "":
				text = s.color + text + "\x1b[0m"
			}
			fmt.Fprintf(&b, row, text)
		}
	}
	return b.Bytes()
}

// gathered puts variables of which the same is to be said into one change.
func gathered(all []compare.Change) []compare.Change {
	var left []compare.Change
	first := map[compare.Change]int{}
	for _, c := range all {
		key := c
		key.Subject = ""
		if i, ok := first[key]; ok && c.Kind == compare.Variable && c.Subject != left[i].Subject {
			left[i].Subject += ", " + c.Subject
			continue
		}
		first[key] = len(left)
		left = append(left, c)
	}
	return left
}

// sentence is a change in one line.
func sentence(c compare.Change) string {
	text := c.Subject
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
		text += "; but for one place below, which stays out of sight"
	case c.Except > 1:
		text += fmt.Sprintf("; but for %d places below, which stay out of sight", c.Except)
	}
	return visible(text)
}

func stated(s compare.State) string {
	if reason := joined(" ", s.From, s.Why); reason != "" {
		return s.What + " (" + reason + ")"
	}
	return s.What
}

// literally writes a text in which nothing is Markdown, nor HTML, nor calls anybody.
func literally(text string) string {
	return markup.ReplaceAllStringFunc(text, func(c string) string { return fmt.Sprintf("&#%d;", c[0]) })
}

var markup = regexp.MustCompile("[\\\\`*_{}\\[\\]()<>#+!|~&@]")
