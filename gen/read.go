package gen

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/plan"
	"bwrapgen/templates"
)

// Engine is what a launcher says of its engine, and whether that is true.
type Engine struct {
	Version  int
	Parts    []string
	Checksum string
	Intact   bool // the text is the one that the checksum was made of
	Known    bool // and it is this program's own engine of today
}

// launcherText are what a launcher consists of.
type launcherText struct {
	header  string // up to the first empty line
	prelude string // of the engine
	policy  string // with the loop above it
	engine  string

	preludeAt, policyAt, engineAt int // the numbers of lines before them

	about Engine
}

// markerPattern finds the comment above an engine; the parts stand in it one on a line, or in older
// launchers behind "parts:".
var markerPattern = regexp.MustCompile(`(?m)^# --- Engine (\d{1,9})[:,].*\n((?:#.*\n)*)\n?`)

var (
	markedSum   = regexp.MustCompile(`checksum: ([0-9a-f]{16})\n`)
	markedParts = regexp.MustCompile(`(?m)^#   ([a-z][a-z-]*) +\S`)
)

// read finds the sections of a launcher; there are none where it has no marker, as in what
// another program wrote.
func read(script []byte) (s launcherText, ok bool) {
	script, _, _ = checksum.Parts(script)
	text := string(script)
	at := markerPattern.FindStringSubmatchIndex(text)
	if at == nil {
		return s, false
	}
	s.about.Version, _ = strconv.Atoi(text[at[2]:at[3]])
	comment := text[at[4]:at[5]]
	if found := markedSum.FindStringSubmatch(comment); found != nil {
		s.about.Checksum = found[1]
	}
	for _, found := range markedParts.FindAllStringSubmatch(comment, -1) {
		s.about.Parts = append(s.about.Parts, found[1])
	}

	head := text[:at[0]]
	header, rest, _ := strings.Cut(head, "\n\n")
	end := len(rest)
	for _, begin := range []string{"\n" + moversBegin, "\n" + policyBegins} {
		if at := strings.Index(rest, begin); at >= 0 {
			end = min(end, at)
		}
	}
	s.header, s.prelude, s.policy, s.engine = header, rest[:end], rest[end:], text[at[1]:]
	s.preludeAt = strings.Count(head[:len(head)-len(rest)], "\n")
	s.policyAt = strings.Count(head[:len(head)-len(s.policy)], "\n")
	s.engineAt = strings.Count(text[:at[1]], "\n")
	s.about.Intact = sum(strings.TrimRight(s.prelude, "\n"), s.engine) == s.about.Checksum
	s.about.Known = s.about.Intact && knownParts(s.about.Parts) && Checksum(s.about.Parts) == s.about.Checksum
	return s, true
}

func knownParts(names []string) bool {
	known := map[string]bool{}
	for _, section := range sectionsOf(plan.Plan{}) {
		for _, part := range section.parts {
			known[part.name] = true
		}
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !known[name] })
}

// ReadEngine finds the engine of a launcher; there is none where it has no marker.
func ReadEngine(script []byte) (Engine, bool) {
	s, ok := read(script)
	return s.about, ok
}

// EngineChange is the first line of a launcher's engine that differs from what this bwrapgen has of
// the same parts, preferably one with code; none where no line does, or the version or a part is not
// known. A
// change is harmless if only comments differ.
func EngineChange(script []byte) (line ChangedLine, isHarmless bool) {
	s, ok := read(script)
	if !ok || s.about.Version != EngineVersion || !knownParts(s.about.Parts) {
		return ChangedLine{}, false
	}
	isHarmless = Checksum(s.about.Parts) == s.about.Checksum
	for _, section := range []struct {
		was, is string
		at      int
	}{
		{strings.TrimRight(s.prelude, "\n") + "\n", templates.Part("prelude") + "\n", s.preludeAt},
		{s.engine, engine(s.about.Parts) + "\n", s.engineAt},
	} {
		isHarmless = isHarmless && bash.SameCode([]byte(section.was), []byte(section.is))
		for _, l := range changed(lines([]byte(section.was)), lines([]byte(section.is))) {
			if line.Number == 0 || IsComment(line.Text) && !IsComment(l.Text) {
				line = ChangedLine{section.at + l.Number, l.Text}
			}
		}
	}
	return line, isHarmless
}

// IsComment reports whether a line holds no code.
func IsComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "#")
}

// Asked is what a launcher is asked for: its header and its policy, but for
// what this profile leaves empty, which is what its engine knows besides. Two
// launchers in which only the engine differs have the same. A script that is no
// launcher has none.
func Asked(script []byte) string {
	s, ok := read(script)
	if !ok {
		return ""
	}
	policy, filter, _ := strings.Cut(s.policy, "\n"+filterBegins)
	policy, _, _ = strings.Cut(policy, "\n"+unsetBegin+"\n")
	return s.header + "\n" + strings.TrimRight(policy, "\n") + "\n" + filter
}

// Fingerprint is that of what a launcher allows, as its policy has it; empty where it has
// none. Two launchers with the same one allow the same, however they say it.
func Fingerprint(script []byte) string {
	if found := fingerprint.FindStringSubmatch(Asked(script)); found != nil {
		return found[1]
	}
	return ""
}

var fingerprint = regexp.MustCompile(`(?m)^digest='?([0-9a-f]{64})'?$`)

// Policy returns the policy of a launcher, with the loop above it and the number
// of lines before it. What stands above must be a header and the prelude.
func Policy(script []byte) (text string, before int, err error) {
	s, ok := read(script)
	if !ok {
		return "", 0, errors.New("it has no engine")
	}
	for line := range strings.Lines(s.header) {
		if !strings.HasPrefix(line, "#") {
			return "", 0, errors.New("its header holds more than comments")
		}
	}
	return s.policy, s.policyAt, bash.CheckPolicy([]byte(strings.Repeat("\n", s.policyAt) + s.policy))
}
