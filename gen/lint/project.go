package lint

import (
	"fmt"
	"slices"

	"bwrapgen/gen/lint/trace"
)

// projectRules are about the directory in which the script is started.
var projectRules = []Rule{{
	Name:     "project-unguarded",
	Severity: Exposure,
	Bad:      `bwrap --ro-bind /usr /usr --bind "$PWD" "$PWD" -- make`,
	Good:     "[[ $PWD != / && $PWD != \"$HOME\" ]] || exit 1\nbwrap --ro-bind /usr /usr --bind \"$PWD\" \"$PWD\" -- make",
	Looks:    "a writable bind of the working directory, wherever the script is started",
	Why: "started in the home directory or in /, it makes all of that writable, the keys in ~/.ssh and the " +
		"start-up files of the shell among it",
	Source: "bwrap(1), --bind; bash(1), PWD",
	Hint:   `refuse first: [[ $PWD != / && $PWD != "$HOME" ]] || exit 1; or bind the work tree: git rev-parse --show-toplevel`,
	call:   unguarded,
}}

func unguarded(c *call) []remark {
	if c.script.guards() || c.Changed {
		return nil
	}
	var all []remark
	for i, m := range c.mounts {
		if m.bind && m.writable && mayBe(m.operands[0].Text, cwd) && !c.hidden(i) {
			all = append(all, remark{at: m.At, what: fmt.Sprintf("started in the home directory, the script makes all of %s writable: nothing refuses that", shown(home))})
		}
	}
	return all
}

// mayBe reports whether a text is a place, on some way through the script.
func mayBe(t trace.Text, at string) bool {
	if len(t) == 0 {
		return false
	}
	if place(t) == at {
		return true
	}
	return len(t) == 1 && slices.ContainsFunc(append(t[0].Either[:len(t[0].Either):len(t[0].Either)], t[0].Default), func(one trace.Text) bool { return mayBe(one, at) })
}

// guards reports whether the script compares the working directory with the home
// directory or the root.
func (s *script) guards() bool {
	return slices.ContainsFunc(s.Tests, func(texts []trace.Text) bool {
		here, there := false, false
		for _, t := range texts {
			here = here || len(t) > 0 && mayBe(t[:1], cwd)
			there = there || place(t) == home || t.Is("/")
		}
		return here && there
	})
}
