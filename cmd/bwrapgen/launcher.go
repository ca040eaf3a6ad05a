package main

import (
	"bytes"
	"fmt"
	"strconv"
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
	d := drift{gen.Compare(l.old, l.Script)}
	if d.Same() {
		return nil, nil
	}
	switch {
	case d.State == checksum.Edited && d.Engine.Version == gen.EngineVersion:
		text = l.diff(l.old, l.Script)
	case d.State != checksum.Foreign && d.Asked:
		text = l.diff([]byte(gen.Asked(l.old)), []byte(gen.Asked(l.Script)))
	}
	return text, drifted(d.hint(l.Plan.Source), "%q %s%s", l.Output, d.words(), d.consequences())
}

func (l launcher) diff(was, is []byte) []byte {
	return diff.Diff(l.Output, was, l.Output+" (as it would be)", is)
}

// drift is how a launcher differs from the one that would be made now.
type drift struct{ gen.Drift }

// words say why a launcher differs.
func (d drift) words() string {
	const profileChanged, hostChanged = "its profile has changed", "this host has changed, or the facts about it"
	changed := hostChanged
	if d.Profile {
		changed = profileChanged
	}
	isSameVersion := d.Engine.Version == gen.EngineVersion
	isSameEngine := d.Engine.Known || d.State == checksum.Edited && isSameVersion
	another := "was made by another bwrapgen"
	if !isSameVersion && d.Engine.Version > 0 {
		another += fmt.Sprintf(", with engine %d", d.Engine.Version)
	}
	switch {
	case d.State == checksum.Foreign:
		return kept[d.State].What
	case d.State == checksum.Edited && !isSameVersion:
		return kept[d.State].What + ", and " + another
	case d.State == checksum.Edited && !d.Profile && !d.Allows:
		return kept[d.State].What + d.where()
	case d.State == checksum.Edited:
		return kept[d.State].What + d.where() + ", and is out of date: " + changed
	case !isSameVersion && d.Allows: // fingerprints of different versions differ in any case
		return another + ", and may not allow the same"
	case d.Command != "":
		return "was made by another command: " + d.Command
	case !isSameEngine && d.Allows:
		return another + ", and does not allow the same"
	case !isSameEngine:
		return another + "; it allows the same"
	}
	return "is out of date: " + changed
}

// hint is what to do about a launcher, which a command makes again.
func (d drift) hint(command string) string {
	switch p, isKept := kept[d.State]; {
	case isKept:
		return p.Hint
	case d.Engine.Version > gen.EngineVersion:
		return "update bwrapgen: that one is newer"
	}
	return "make it again: " + command
}

// where names the lines that were edited.
func (d drift) where() string {
	const most = 3
	var names []string
	for i, line := range d.Lines {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(d.Lines)-most))
			break
		}
		names = append(names, strconv.Itoa(line.Number))
	}
	switch last := len(names) - 1; last {
	case -1:
		return ""
	case 0:
		return ": line " + names[0]
	default:
		return ": lines " + strings.Join(names[:last], ", ") + " and " + names[last]
	}
}

// consequences say what the command would be allowed, in lines of their own.
func (d drift) consequences() string {
	text := ""
	if d.State == checksum.Foreign || d.Engine.Version != gen.EngineVersion { // its settings have other names
		return text
	}
	for _, part := range []struct {
		what    string
		changes []gen.Setting
	}{{"more", d.More}, {"less", d.Less}} {
		var texts []string
		for _, s := range part.changes {
			texts = append(texts, s.Name+": "+s.Words)
		}
		if len(texts) > 0 {
			text += "\nmade again, it would allow " + part.what + ": " + strings.Join(texts, "; ")
		}
	}
	if len(d.Other) > 0 {
		text += "\nmade again, it would differ in: " + strings.Join(d.Other, ", ")
	}
	return text
}
