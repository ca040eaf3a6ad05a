package main

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/lint"
	"bwrapgen/gen/profile"
)

// lintCmd is the verb lint.
type lintCmd struct {
	Script   []string `arg:"" optional:"" help:"Scripts that call bwrap, launchers among them, or profiles; - is standard input."`
	Severity string   `enum:"escape,exposure,weak,style," default:"" placeholder:"LEVEL" help:"Show only findings this severe or worse, and exit with 3 if there are any: escape, exposure, weak or style."`
	Format   string   `enum:"text,json,sarif" default:"text" placeholder:"FORMAT" help:"text; json, the findings as data; sarif, for code hosts and editors."`
	Rules    bool     `help:"List what is looked for, and why."`
	Explain  string   `placeholder:"RULE" help:"Say what a rule looks for and why, with an example of each kind."`
}

// Run prints the findings.
func (c lintCmd) Run(a app) error {
	if err := c.check(); err != nil {
		return err
	}
	switch {
	case c.Rules:
		rules := lint.Rules()
		slices.SortStableFunc(rules, func(a, b lint.Rule) int { return cmp.Compare(b.Severity, a.Severity) })
		return a.artefact(ruleTexts(rules, false), nil)
	case c.Explain != "":
		rule, _ := lint.RuleOf(c.Explain)
		return a.artefact(ruleTexts([]lint.Rule{rule}, true), nil)
	}
	all, isWhole := c.findings(a)
	shown, counts := all, lint.Weak
	if least, given := lint.SeverityOf(c.Severity); given {
		shown, counts = lint.From(all, least), least
	}
	if err := a.artefact(c.text(a, shown)); err != nil {
		return err
	}
	switch {
	case !isWhole:
		return errFailed
	case len(lint.From(shown, counts)) > 0:
		return drifted("", "%s", lint.Summary(shown))
	case len(shown) > 0, a.terminal:
		a.line("", "", lint.Summary(shown))
	}
	return nil
}

// check refuses what contradicts itself.
func (c lintCmd) check() error {
	explains, ofScript := c.Explain != "", len(c.Script) > 0
	asks := c.Rules || explains
	_, isKnown := lint.RuleOf(c.Explain)
	return firstClash([]clash{
		{c.Rules && explains, "leave one of them out", "--rules lists them all, and --explain one"},
		{c.Rules && ofScript, "leave one of them out", "--rules is not about a script"},
		{explains && ofScript, "leave one of them out", "--explain is not about a script"},
		{c.Rules && c.Format != "text", "leave one of them out", fmt.Sprintf("--rules has no format %q", c.Format)},
		{asks && c.Severity != "", "leave it out", "--severity is about a script's findings"},
		{!asks && !ofScript, "name one, or - for standard input", "lint needs a script"},
		{explains && !isKnown, "see bwrapgen lint --rules", fmt.Sprintf("lint has no rule %q", c.Explain)},
	})
}

// findings judges the scripts in their order. Of one that cannot be judged, or not to its
// end, that is reported.
func (c lintCmd) findings(a app) (all []lint.Finding, isWhole bool) {
	all, isWhole = []lint.Finding{}, true
	for _, name := range c.Script {
		result, err := a.lint(name)
		if err != nil {
			a.report(err)
			isWhole = false
			continue
		}
		all = append(all, result.Findings...)
		if result.Engine != "" {
			a.line("", "", fmt.Sprintf("%s: %s", name, result.Engine))
		}
		for _, n := range result.Notes {
			a.line("", "", fmt.Sprintf("%s:%d:%d: %s", n.File, n.Line, n.Column, n.What))
		}
		if result.Cut {
			a.report(cannot("look at the rest yourself", "%q cannot be followed to its end: it is judged as far as that goes", name))
			isWhole = false
		}
	}
	return all, isWhole
}

// lint judges one script.
func (a app) lint(name string) (lint.Result, error) {
	src, err := a.readNamed(name)
	isBare := err != nil && !profile.IsFile(name) && a.isProfile(name)
	if isBare || err == nil && strings.HasSuffix(name, ".toml") {
		return a.lintProfile(name)
	}
	if err != nil {
		return lint.Result{}, cannot(missing(err, "name a script that can be read"), "cannot read %q: %v", name, reason(err))
	}
	return lint.Launcher(name, src, a.unedited(name, src), catalogue.BuiltIn())
}

// lintProfile judges the launcher that comes of a profile.
func (a app) lintProfile(name string) (lint.Result, error) {
	n, err := a.started(name, subject{})
	if err != nil {
		return lint.Result{}, err
	}
	return lint.Script(name, n.Script, catalogue.BuiltIn())
}

// unedited is a launcher that was edited by hand as bwrapgen would write it now; nothing where its
// profile is not at hand, or it was not edited.
func (a app) unedited(name string, src []byte) []byte {
	if name == "-" || checksum.Verify(src) != checksum.Edited {
		return nil
	}
	r, err := a.madeBy(a.expand(name), src)
	if err != nil {
		return nil
	}
	_, now, err := a.remade(r, a.expand(name), src)
	if err != nil {
		return nil
	}
	return now
}

// text gives the findings in the format that is asked for.
func (c lintCmd) text(a app, all []lint.Finding) ([]byte, error) {
	switch c.Format {
	case "json":
		return asJSON(all), nil
	case "sarif":
		return lint.SARIF(all, version())
	}
	return a.readable(all), nil
}

// readable is what people read: a line for each finding, what to do below it, and a
// line above the findings of each call where a script has several.
func (u ui) readable(all []lint.Finding) []byte {
	calls := map[string]map[uint]bool{}
	for _, f := range all {
		if calls[f.File] == nil {
			calls[f.File] = map[uint]bool{}
		}
		calls[f.File][f.Call] = true
	}
	var b bytes.Buffer
	for i, f := range all {
		begins := i == 0 || f.File != all[i-1].File || f.Call != all[i-1].Call
		if begins && len(calls[f.File]) > 1 {
			title := fmt.Sprintf("the call of bwrap in line %d", f.Call)
			if f.Call == 0 {
				title = "the script as a whole"
			}
			fmt.Fprintf(&b, "%s: %s:\n", visible(f.File), title)
		}
		severity := u.painted(colorOf[f.Severity.String()], f.Severity.String())
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s (%s)\n  hint: %s\n", visible(f.File), f.Line, f.Column, severity, visible(f.What), f.Rule, visible(f.Hint))
	}
	return b.Bytes()
}

// ruleTexts are a paragraph for each rule, with its examples where these are asked for.
func ruleTexts(rules []lint.Rule, withExamples bool) []byte {
	var b bytes.Buffer
	for i, r := range rules {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s (%s)\n", r.Name, r.Severity)
		for _, row := range [][2]string{{"finds:", r.Looks}, {"why:", r.Why}, {"source:", r.Source}, {"hint:", r.Hint}} {
			sideBySide(&b, 9, row[0], row[1])
		}
		for _, example := range []struct{ title, script string }{{"bad", r.Bad}, {"good", r.Good}} {
			if withExamples && example.script != "" {
				fmt.Fprintf(&b, "\n%s:\n  %s\n", example.title, strings.ReplaceAll(example.script, "\n", "\n  "))
			}
		}
	}
	return b.Bytes()
}
