package gen

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/checksum"
)

// Drift is how a launcher differs from the one that bwrapgen would write now.
type Drift struct {
	State   checksum.State
	Engine  Engine        // the launcher's own; the zero value where it has none
	Command string        // that it says it was made by, if the new one says another
	Profile bool          // the files of its profile say something else
	Asked   bool          // the header or the policy differs
	Allows  bool          // what the command can see, reach and use differs
	Lines   []ChangedLine // of the header, the policy and the engine
	More    []Setting     // of the new one, that give the command more
	Less    []Setting     // and less
	Other   []string      // settings that are neither more nor less
}

// Setting is a change of one setting of a policy, in words.
type Setting struct{ Name, Words string }

// ChangedLine is a line of a launcher that the new one does not have. One without text is where
// lines of the new one are missing.
type ChangedLine struct {
	Number int
	Text   string
}

// Same reports whether there is no difference, whichever bwrapgen wrote the launcher.
func (d Drift) Same() bool { return d.State == checksum.Intact && len(d.Lines) == 0 }

// Compare compares a launcher with the one that bwrapgen would write now.
func Compare(was, is []byte) Drift {
	d := Drift{State: checksum.Verify(was)}
	d.Engine, _ = ReadEngine(was)
	old, profile, after := checksum.Parts(was)
	renewed, newProfile, _ := checksum.Parts(is)
	d.Profile = profile != "" && newProfile != "" && profile != newProfile
	if command := madeBy(was); command != madeBy(is) {
		d.Command = command
	}
	d.Asked = Asked(was) != Asked(is)
	d.Allows = Fingerprint(was) != Fingerprint(is)
	d.Lines = changed(lines(old), lines(renewed))
	for i, line := range lines(after) {
		d.Lines = append(d.Lines, ChangedLine{bytes.Count(was[:len(was)-len(after)], []byte("\n")) + i + 1, strings.TrimSuffix(line, "\n")})
	}
	d.More, d.Less, d.Other = gains(settings(was), settings(is))
	return d
}

// regenerate is the command in a launcher's header.
var regenerate = regexp.MustCompile(`(?m)\A.*\n` + regexp.QuoteMeta(checksum.Header) + ` Instead: (.*)$`)

// madeBy is the command that a launcher says it was made by.
func madeBy(script []byte) string {
	if found := regenerate.FindSubmatch(script); found != nil {
		return string(found[1])
	}
	return ""
}

func lines(text []byte) []string { return slices.Collect(strings.Lines(string(text))) }

// changed are the lines of a text that another does not have, found by what both have at their
// beginning and their end, and between these by the longest common sequence of lines.
func changed(was, is []string) []ChangedLine {
	head := 0
	for head < min(len(was), len(is)) && was[head] == is[head] {
		head++
	}
	tail := 0
	for tail < min(len(was), len(is))-head && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	was, is = was[head:len(was)-tail], is[head:len(is)-tail]
	common := make([][]int, len(was)+1) // of what follows a line of each
	for i := range common {
		common[i] = make([]int, len(is)+1)
	}
	for i := len(was) - 1; i >= 0; i-- {
		for j := len(is) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); was[i] == is[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var all []ChangedLine
	i, j, isMissing := 0, 0, false
	for i < len(was) || j < len(is) {
		switch {
		case i < len(was) && j < len(is) && was[i] == is[j]:
			if isMissing {
				all = append(all, ChangedLine{Number: head + i + 1})
			}
			i, j, isMissing = i+1, j+1, false
		case i < len(was) && (j == len(is) || common[i+1][j] >= common[i][j+1]):
			all = append(all, ChangedLine{head + i + 1, strings.TrimSuffix(was[i], "\n")})
			i, isMissing = i+1, false
		default:
			isMissing = len(all) == 0 || all[len(all)-1].Number < head+i
			j++
		}
	}
	if isMissing {
		all = append(all, ChangedLine{Number: head + i + 1})
	}
	return all
}

// settings are those of a launcher's policy by name, each with what it lists.
func settings(script []byte) map[string][]string {
	s, _ := read(script)
	all := map[string][]string{}
	for _, a := range bash.Assignments([]byte(s.policy)) {
		all[a.Name] = grouped(a.Words)
	}
	return all
}

// grouped puts an option of bwrap and its operands together.
func grouped(words []string) []string {
	var all []string
	for _, word := range words {
		begins := strings.HasPrefix(word, "--") || word == "pin"
		last := len(all) - 1
		if !begins && last >= 0 && (strings.HasPrefix(all[last], "--") || strings.HasPrefix(all[last], "pin")) {
			all[last] += " " + word
			continue
		}
		all = append(all, word)
	}
	return all
}

// effect is what it means for the command that a setting of the policy lists more.
type effect int

const (
	gives effect = iota + 1
	takes
)

// effects are those of the settings that say what a command can see, reach and use.
var effects = map[string]effect{
	"system": gives, "roots": gives, "etc": gives, "reads": gives, "toolchains": gives, "settings": gives,
	"caches_read": gives, "caches_write": gives, "brief_views": gives, "session_views": gives, "kept_views": gives,
	"listed_views": gives, "tool_views": gives, "entries": gives, "entries_below_views": gives, "link_folders": gives,
	"credentials": gives, "pass": gives, "sockets": gives, "named_sockets": gives, "bus_names": gives,
	"network_sets": gives, "network_rules": gives, "network_names": gives, "network_published": gives,
	"shared_directories": gives,
	"protected":          takes, "protected_below": takes, "reserved": takes,
	"hidden": takes, "hidden_names": takes, "hidden_at_home": takes, "hidden_by_variables": takes,
	"hidden_in_project": takes, "emptied": takes, "made_from": takes,
}

// ranks are the values of settings from the least that they give to the most.
var ranks = map[string][]string{
	"project_access": {"read", "overlay", "write"},
	"base":           {"select", "host"},
	"home_mode":      {"empty", "session", "keep", "host"},
	"tmp_mode":       {"empty", "session", "keep"},
	"network":        {"none", "allow", "private", "host"},
	"terminal":       {"new-session", "job-control"},
	"nested_userns":  {"no", "yes"},
}

// ofText are settings that follow from others, or are there for people.
var ofText = regexp.MustCompile(`^(digest|self|options|zone|at_.*|filter_.*|open_places|writable_places|markers|wanted|old_bwrap)$`)

// gains are the settings of a policy that give the command more and less than another did, and others
// that differ.
func gains(was, is map[string][]string) (more, less []Setting, other []string) {
	note := func(isMore bool, name, words string) {
		if isMore {
			more = append(more, Setting{name, words})
		} else {
			less = append(less, Setting{name, words})
		}
	}
	for name, ranked := range ranks {
		old, new := strings.Join(was[name], " "), strings.Join(is[name], " ")
		if old != new {
			note(slices.Index(ranked, new) > slices.Index(ranked, old), name, fmt.Sprintf("%s, was %s", new, cmp.Or(old, "unset")))
		}
	}
	for name, effect := range effects {
		if added := without(is[name], was[name]); len(added) > 0 {
			note(effect == gives, name, some(added))
		}
		if removed := without(was[name], is[name]); len(removed) > 0 {
			note(effect == takes, name, "no longer "+some(removed))
		}
	}
	for name := range is {
		isKnown := effects[name] != 0 || ranks[name] != nil || ofText.MatchString(name)
		if !isKnown && !slices.Equal(was[name], is[name]) {
			other = append(other, name)
		}
	}
	slices.Sort(other)
	byName := func(a, b Setting) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Words, b.Words)) }
	slices.SortFunc(more, byName)
	slices.SortFunc(less, byName)
	return more, less, other
}

// some names a few of many words.
func some(words []string) string {
	const most = 8
	if len(words) > most {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", len(words)-most))
	}
	return strings.Join(words, ", ")
}

// without are the words of a list that another does not have.
func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return slices.Contains(others, word) })
}
