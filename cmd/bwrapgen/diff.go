package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/compare"
	"bwrapgen/gen/profile"
)

// diffCmd is the verb diff.
type diffCmd struct {
	Old     string   `arg:"" help:"The profile to compare with: built-in, one of your own, or the path of a file."`
	New     string   `arg:"" help:"The profile that takes its place."`
	OldHost []string `sep:"none" placeholder:"FILE" help:"Take the facts for OLD alone from this file. Of several hosts, what any of them has."`
	NewHost []string `sep:"none" placeholder:"FILE" help:"Take the facts for NEW alone from this file."`
	Format  string   `enum:"text,json,markdown" default:"text" placeholder:"FORMAT" help:"text; json, for programs; markdown, for pull requests."`
	subject
}

// Help is the longer help.
func (diffCmd) Help() string {
	return `Compared is what the command can see, reach and use, not the text of the profiles: + is exposed by NEW alone, - by OLD alone, ~ differs without more or less. What differs in words only stands last.

    bwrapgen diff default my.toml
    git show HEAD:my.toml >old.toml; bwrapgen diff old.toml my.toml
    bwrapgen diff my.toml my.toml --old-host old.json --new-host new.json

The exit status is 0 where nothing but words differs, and 3 otherwise. So it is with what the launchers print for --sandbox-digest, but for the files that a launcher is made of: it protects them where they lie in the project, and they are not compared.`
}

// Run prints what differs.
func (c diffCmd) Run(a app) error {
	r, err := c.report(a)
	if err != nil {
		return err
	}
	text := a.differences(r)
	switch c.Format {
	case "json":
		if text, err = asJSON(whole(r)); err != nil {
			return err
		}
	case "markdown":
		text = markdown(r)
	}
	if err := a.artefact(text); err != nil || r.Same() {
		return err
	}
	return errDiffers
}

// errDiffers ends the program with findings, which have been printed.
var errDiffers = errors.New("there are differences")

func (c diffCmd) report(a app) (compare.Report, error) {
	sides, err := c.requests()
	if err != nil {
		return compare.Report{}, err
	}
	var facts []byte // of standard input, for either side
	if slices.Contains(slices.Concat(c.Host, c.OldHost, c.NewHost), "-") {
		if facts, err = a.readInput(); err != nil {
			return compare.Report{}, cannot("", "cannot read standard input: %v", reason(err))
		}
	}
	var built [2]sandbox
	for i, r := range sides {
		a.in = bytes.NewReader(facts)
		if built[i], err = a.sandbox(r); err != nil {
			return compare.Report{}, err
		}
	}
	return compare.Sides(side(built[0]), side(built[1]), united(built[0].catalogue, built[1].catalogue))
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

func side(s sandbox) compare.Side { return compare.Side{Plan: s.plan, Profile: s.profile} }

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
		sides[i] = request{profile: profile, subject: s, apart: true}
	}
	return sides, nil
}

// refuseLauncher says what to do where a script is named instead of its profile.
func (a app) refuseLauncher(name string) error {
	if !profile.IsFile(name) {
		return nil
	}
	name = a.expand(name)
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return nil // the loader says it better, and what is read from a pipe is gone
	}
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 2)
	if n, _ := io.ReadFull(f, head); string(head[:n]) != "#!" {
		return nil
	}
	return cannot("name the profile that its header names; bwrapgen generate --check compares scripts", "%q is a script, and no profile", name)
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

// differences tells a report to people.
func (a app) differences(r compare.Report) []byte {
	var b bytes.Buffer
	a.changes(&b, "Exposed, and was not:", "+", "\x1b[31m", r.Exposes)
	a.changes(&b, "Taken away, or tightened:", "-", "\x1b[32m", r.TakesAway)
	a.changes(&b, "Different, neither more nor less:", "~", "", r.Differs)
	if r.Same() {
		b.WriteString("The command can see, reach and use the same.\n")
	}
	a.changes(&b, "Different in words only:", "", "", r.Said)
	return b.Bytes()
}

func (a app) changes(b *bytes.Buffer, head, sign, color string, all []compare.Change) {
	if len(all) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintln(b, head)
	for _, c := range gathered(all) {
		line := strings.TrimLeft(sign+" ", " ") + sentence(c)
		if a.paint && color != "" {
			line = color + line + "\x1b[0m"
		}
		fmt.Fprintf(b, "  %s\n", line)
	}
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
	text += ": " + stated(c.Is) + "; was " + stated(c.Was)
	switch {
	case c.Except == 1:
		text += "; but for one place below, which stays out of sight"
	case c.Except > 1:
		text += fmt.Sprintf("; but for %d places below, which stay out of sight", c.Except)
	}
	return visible(text)
}

func stated(s compare.State) string {
	if reason := strings.TrimSpace(s.From + " " + s.Why); reason != "" {
		return s.What + " (" + reason + ")"
	}
	return s.What
}

// markdown tells a report to reviewers, as a comment of a pull request.
func markdown(r compare.Report) []byte {
	var b bytes.Buffer
	if r.Same() {
		b.WriteString("**The command can see, reach and use the same.**\n")
	}
	markdownList(&b, "Exposed, and was not", r.Exposes)
	markdownList(&b, "Taken away, or tightened", r.TakesAway)
	markdownList(&b, "Different, neither more nor less", r.Differs)
	markdownList(&b, "Different in words only", r.Said)
	return b.Bytes()
}

func markdownList(b *bytes.Buffer, head string, all []compare.Change) {
	if len(all) == 0 {
		return
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "**%s**\n\n", head)
	for _, c := range gathered(all) {
		fmt.Fprintf(b, "* %s\n", literally(sentence(c)))
	}
}

// literally writes a text in which nothing is Markdown, nor HTML, nor calls anybody.
func literally(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]()<>#+!|~&@", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
