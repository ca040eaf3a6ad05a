package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"bwrapgen/gen/seal"
)

// launcher is a generated script and where it goes.
type launcher struct {
	target
	script []byte   // sealed
	inputs []string // files that it was made from
	again  string   // the command that makes it
	lacks  string   // the program that it starts, where this host has none
}

// refuse says why the script must not take the place of the file that is
// there: nobody should lose what bwrapgen cannot make again.
func (l launcher) refuse(force bool) error {
	if !l.exists || force {
		return nil
	}
	switch seal.Verify(l.old) {
	case seal.Foreign:
		return cannot("choose another name, or overwrite it with --force",
			"refusing to overwrite %q: it was not written by bwrapgen", l.name)
	case seal.Edited:
		return cannot("move the change to the profile, or throw it away with --force",
			"refusing to overwrite %q: it was edited by hand", l.name)
	}
	return nil
}

// refuseInput says if the script would take the place of what it is made from.
func (t target) refuseInput(inputs []string) error {
	if i := slices.IndexFunc(inputs, t.is); i >= 0 {
		return cannot("choose another name for the output",
			"input and output are the same file: %q and %q", inputs[i], t.name)
	}
	return nil
}

// save writes the script, unless the file holds it already and can be run.
func (l launcher) save() error {
	if l.exists && bytes.Equal(l.old, l.script) && l.mode == l.launcherMode() {
		return nil
	}
	return l.writeLauncher(l.script)
}

// drift compares the file with the script. The error says in which way they
// differ, and text is a unified diff, where one helps. Whichever bwrapgen wrote
// the file, the same text is no drift.
func (l launcher) drift() (text []byte, err error) {
	if !l.exists {
		return nil, drifted("make it: "+l.again, "%q is missing", l.name)
	}
	if bytes.Equal(l.old, l.script) {
		return nil, nil
	}
	switch seal.Verify(l.old) {
	case seal.Foreign:
		return nil, drifted("choose another name, or overwrite it with --force", "%q was not written by bwrapgen", l.name)
	case seal.Edited:
		return l.diff(), drifted("move the change to the profile, or throw it away with --force", "%q was edited by hand", l.name)
	}
	return l.diff(), drifted("make it again: "+l.again, "%q is out of date: its profile, or this host, asks for something else", l.name)
}

func (l launcher) diff() []byte {
	return diff.Diff(l.name, l.old, l.name+" (as it would be)", l.script)
}

func drifted(hint, format string, args ...any) error {
	return failure{statusDrift, fmt.Sprintf(format, args...), hint}
}
