package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"bwrapgen/gen/catalogue/builtin"
	"bwrapgen/gen/lint"
)

// lintCmd is the verb lint.
type lintCmd struct {
	Script []string `arg:"" optional:"" help:"Scripts that call bwrap; - is standard input."`
	Format string   `enum:"text,json" default:"text" placeholder:"FORMAT" help:"text; json, the findings as data."`
	Rules  bool     `help:"List what is looked for, and why."`
}

// Help is the longer help.
func (lintCmd) Help() string {
	return `It reads any script that calls bwrap, bwrapgen's own or one written by hand, and runs nothing. Each finding stands in a line, with the rule's name, and below it what to do. Where a script does not tell, as with words that another program prints, nothing is claimed. Of a launcher of bwrapgen's it says whether the engine is one that it knows, by its checksum, and judges the policy.

A hole that is meant to be there is allowed by a comment in the script, with the reason:

    # bwrapgen lint: allow network-shared because it is a browser

At the end of a line it holds for that line; on a line of its own, for the command below; above the first command, for the whole script. Several rules are separated by commas. A comment that allows nothing is a finding.

The exit status is 0 where nothing is found, 3 where there are findings, and 1 where a script could not be judged.`
}

// Run prints the findings.
func (c lintCmd) Run(a app) error {
	switch {
	case c.Rules && len(c.Script) > 0:
		return misuse("leave one of them out", "--rules is not about a script")
	case c.Rules && c.Format == "json":
		return misuse("leave one of them out", "--rules has no format %q", c.Format)
	case c.Rules:
		return a.artefact(ruleList())
	case len(c.Script) == 0:
		return misuse("name one, or - for standard input", "lint needs a script")
	}
	all, failed := c.findings(a)
	text, err := c.text(all)
	if err != nil {
		return err
	}
	if err := a.artefact(text); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	return counted(len(all))
}

// findings judges the scripts in their order. The error is the last of those
// for scripts that cannot be judged; the others are reported.
func (c lintCmd) findings(a app) (all []lint.Finding, failed error) {
	all = []lint.Finding{}
	for _, name := range c.Script {
		result, err := a.lint(name)
		if err != nil {
			if failed != nil {
				a.report(failed)
			}
			failed = err
			continue
		}
		all = append(all, result.Findings...)
		if result.Engine != "" {
			a.line("", "", fmt.Sprintf("%s: %s", name, result.Engine))
		}
		for _, n := range result.Notes {
			a.line("", "", fmt.Sprintf("%s:%d:%d: %s", n.File, n.Line, n.Column, n.What))
		}
	}
	return all, failed
}

// lint judges one script.
func (a app) lint(name string) (lint.Result, error) {
	src, err := a.lintText(name)
	if err != nil {
		return lint.Result{}, cannot(missing(err, "name a script that can be read"), "cannot read %q: %v", name, reason(err))
	}
	result, err := lint.Script(name, src, builtin.Catalogue())
	var p lint.Problem
	if errors.As(err, &p) {
		return result, cannot(p.Hint, "%s", p.What)
	}
	return result, err
}

func (a app) lintText(name string) ([]byte, error) {
	if name == "-" {
		return a.readInput()
	}
	return a.readFile(name)
}

func (c lintCmd) text(all []lint.Finding) ([]byte, error) {
	var b bytes.Buffer
	if c.Format == "json" {
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		err := e.Encode(all)
		return b.Bytes(), err
	}
	for _, f := range all {
		fmt.Fprintf(&b, "%s\nhint: %s\n", visible(f.String()), visible(f.Hint))
	}
	return b.Bytes(), nil
}

// counted is the error that says how many findings there are.
func counted(n int) error {
	switch n {
	case 0:
		return nil
	case 1:
		return drifted("", "1 finding")
	}
	return drifted("", "%d findings", n)
}

// ruleList is a paragraph for each rule.
func ruleList() []byte {
	var b bytes.Buffer
	for i, r := range lint.Rules() {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s\n  why:    %s\n  source: %s\n  hint:   %s\n", r.Name, r.Looks, r.Why, r.Source, r.Hint)
	}
	return b.Bytes()
}
