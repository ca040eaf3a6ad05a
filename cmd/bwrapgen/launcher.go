package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"bwrapgen/gen"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/problem"
)

// launcher is a generated script and where it goes.
type launcher struct {
	request
	target
	sandbox // its script has its checksum
}

// kept says of a file that is not simply replaced why not, and what the ways out are.
var kept = map[checksum.State]problem.Problem{
	checksum.Foreign: problem.New("was not written by bwrapgen", "choose another name, or overwrite it with --force"),
	checksum.Edited:  problem.New("was edited by hand", "move the change to the profile, or throw it away with --force"),
}

// refuse says why the script must not take the place of the file that is
// there: nobody should lose what bwrapgen cannot make again.
func (l launcher) refuse(force bool) error {
	if !l.exists || force {
		return nil
	}
	if p, isKept := kept[checksum.Verify(l.old)]; isKept {
		return cannot(p.Hint, "refusing to overwrite %q: it %s", l.Output, p.What)
	}
	if e, ok := gen.ReadEngine(l.old); ok && e.Version > gen.EngineVersion {
		return cannot("update bwrapgen, or go back to the older engine with --force",
			"refusing to overwrite %q: a newer bwrapgen made it, with engine %d, and this one has %d", l.Output, e.Version, gen.EngineVersion)
	}
	return nil
}

// save writes the script, unless the file holds it already and can be run. On a terminal it says so, and
// what comes next.
func (a app) save(l launcher) error {
	isSame := bytes.Equal(l.old, l.Script) && l.mode == l.launcherMode()
	did := "is up to date"
	if !isSame || !l.exists {
		if err := l.writeLauncher(l.Script); err != nil {
			return err
		}
		did = fmt.Sprintf("has been written, with %d lines", bytes.Count(l.Script, []byte("\n")))
	}
	a.reportNotes(l.request, l.Plan)
	if !a.terminal {
		return nil
	}
	file := pathWord(l.Output)
	if !strings.Contains(file, "/") {
		file = "./" + file
	}
	runs := "COMMAND runs a command"
	if len(l.Plan.Command) > 0 {
		runs = "runs " + l.Plan.Command[0]
	}
	a.line("", "", fmt.Sprintf("%s %s; %s --sandbox-help says what it shares, %s %s in it", l.Output, did, file, file, runs))
	return nil
}

// compare prints how the file differs from the script.
func (a app) compare(l launcher) error {
	return a.difference(l.drift())
}

// drift compares the file with the script. The error says in which way they
// differ, and text is a unified diff, where one helps. Whichever bwrapgen wrote
// the file, the same text is no drift.
func (l launcher) drift() (text []byte, err error) {
	if !l.exists {
		return nil, drifted("make it: "+l.Plan.Source, "%q is missing", l.Output)
	}
	if bytes.Equal(l.old, l.Script) {
		return nil, nil
	}
	state := checksum.Verify(l.old)
	if state == checksum.Edited {
		text = l.diff(l.old, l.Script)
	}
	if p, isKept := kept[state]; isKept {
		return text, drifted(p.Hint, "%q %s", l.Output, p.What)
	}
	was, is := gen.Asked(l.old), gen.Asked(l.Script)
	if was != is {
		text = l.diff([]byte(was), []byte(is))
	}
	engine, ok := gen.ReadEngine(l.old)
	hint := "make it again: " + l.Plan.Source
	if ok && engine.Version > gen.EngineVersion {
		hint = "update bwrapgen: that one is newer"
	}
	switch {
	case was != is && engine.Known:
		return text, drifted(hint, "%q is out of date: its profile, or this host, asks for something else", l.Output)
	case was != is && gen.Fingerprint(l.old) != gen.Fingerprint(l.Script):
		return text, drifted(hint, "%q was made by another bwrapgen, and does not allow the same", l.Output)
	}
	return text, drifted(hint, "%q was made by another bwrapgen; it allows the same", l.Output)
}

func (l launcher) diff(was, is []byte) []byte {
	return diff.Diff(l.Output, was, l.Output+" (as it would be)", is)
}
