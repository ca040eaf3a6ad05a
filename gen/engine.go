package gen

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/checksum"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/templates"
)

// EngineVersion counts the changes of the engine that a launcher's user can
// notice. The changelog lists them.
const EngineVersion = 1

// part is a file of the engine, and when a launcher has it.
type part struct {
	name   string
	needed func(plan.Plan) bool
}

// looksAtLinks reports whether some of the profile's entries are judged by where they lead.
func looksAtLinks(p plan.Plan) bool {
	switch {
	case judged(p), lists(p), made(p).Any(stays), makesForRun(p):
		return true
	}
	return false
}

// parts are all of the engine's, in the order in which they stand.
func parts() []part {
	always := func(plan.Plan) bool { return true }
	host := func(p plan.Plan) bool { return p.Base == profile.BaseHost }
	writable := func(p plan.Plan) bool { return p.Project.Access != profile.AccessRead }
	return []part{
		{"start", always},
		{"places", always},
		{"links", func(p plan.Plan) bool { return looksAtLinks(p) || len(p.Mounts.In(plan.ScopeMask)) > 0 }},
		{"variables", moves},
		{"judge", judged},
		{"planted", lists},
		{"bwrap", always},
		{"make", func(p plan.Plan) bool { return made(p).Any(stays) }},
		{"for-run", makesForRun},
		{"system-select", func(p plan.Plan) bool { return !host(p) }},
		{"system-host", host},
		{"identity", always},
		{"store", stored},
		{"session", func(p plan.Plan) bool { return p.Stores(plan.Session) }},
		{"lock-store", stored},
		{"directories", keepsDirectories},
		{"home", func(p plan.Plan) bool { return p.Home != profile.HomeHost }},
		{"tmp", func(p plan.Plan) bool { return p.Tmp != profile.TmpEmpty }},
		{"toolchains", func(p plan.Plan) bool { return len(toolPaths(p, false)) > 0 }},
		{"entries", lists},
		{"link-targets", func(p plan.Plan) bool { return outside(p).Any(leadsOn) }},
		{"caches", func(p plan.Plan) bool { return p.Mounts.In(plan.ScopeCache).Any(plan.Mount.NotView) }},
		{"overlay", plan.Plan.Overlaid},
		{"views", func(p plan.Plan) bool { return p.Stores(plan.Session) || hasView(p) }},
		{"below-views", func(p plan.Plan) bool {
			return p.Mounts.Any(func(m plan.Mount) bool { return m.BelowView })
		}},
		{"terminfo", func(p plan.Plan) bool { return slices.Contains(p.Environ.Pass, "TERMINFO") }},
		{"git", always},
		{"project-read", func(p plan.Plan) bool { return !writable(p) }},
		{"project", writable},
		{"placeholder", func(p plan.Plan) bool {
			return p.Project.Access == profile.AccessWrite && p.Mounts.Any(func(m plan.Mount) bool { return m.Reserved })
		}},
		{"share", writable},
		{"project-link", func(p plan.Plan) bool { return !host(p) }},
		{"inside", lists},
		{"sockets", func(p plan.Plan) bool { return len(p.Sockets.Pass) > 0 }},
		{"bus", func(p plan.Plan) bool { return p.Sockets.Has("dbus") }},
		{"settings", func(p plan.Plan) bool { return len(toolPaths(p, true))+len(p.Environ.Addresses) > 0 }},
		{"hide", func(p plan.Plan) bool { return len(p.Mounts.In(plan.ScopeMask)) > 0 }},
		{"namesake", func(p plan.Plan) bool { return len(p.Command) > 0 }},
		{"command", func(p plan.Plan) bool { return slices.ContainsFunc(p.Command, namesProject) }},
		{"credentials", func(p plan.Plan) bool { return len(p.Mounts.In(plan.ScopeCredential)) > 0 }},
		{"scope", func(p plan.Plan) bool { return p.Limits.Memory > 0 || p.Limits.Processes > 0 }},
		{"environment", always},
		{"relocate", func(p plan.Plan) bool { return p.Places.Relocated() }},
		{"machines", func(p plan.Plan) bool {
			return filterKind(p) == "terminal" || filterKind(p) != "none" && p.Kernel.Require == profile.RequireBest
		}},
		{"filter", func(p plan.Plan) bool { return filterKind(p) != "none" }},
		{"limits", func(p plan.Plan) bool { return limited(p.Limits) }},
		{"confirm", func(p plan.Plan) bool { return p.Confirm.Mode == profile.ConfirmAlways }},
		{"timeout", func(p plan.Plan) bool { return p.Limits.Timeout > 0 }},
		{"capture", func(p plan.Plan) bool { return p.Limits.Output > 0 }},
		{"pasta", plan.Plan.OwnNetwork},
		{"allow", func(p plan.Plan) bool { return p.Network == profile.NetworkAllow }},
		{"network", plan.Plan.OwnNetwork},
		{"after", func(p plan.Plan) bool { return p.Project.Access == profile.AccessWrite }},
		{"report", func(p plan.Plan) bool { return len(p.Project.Watched) > 0 }},
		{"notes", reviews},
		{"run", always},
		{"doctor", always},
		{"inspect", always},
		{"where", plan.Plan.Displaced},
		{"kept", plan.Plan.KeepsCachesAlone},
		{"apply", reviews},
		{"review", reviews},
		{"no-overlays", plan.Plan.Overlaid},
		{"refusal", always},
	}
}

// leadsOn reports whether what links in a folder lead to is shown.
func leadsOn(m plan.Mount) bool { return m.Links }

// namesProject reports whether a word of the command stands for one with the
// project's path in it.
func namesProject(word string) bool { return strings.Contains(word, "{project}") }

// partsOf names the parts that a plan needs.
func partsOf(p plan.Plan) []string {
	var names []string
	for _, part := range parts() {
		if part.needed(p) {
			names = append(names, part.name)
		}
	}
	return names
}

// engine is the text of some parts.
func engine(names []string) string {
	var texts []string
	for _, name := range names {
		texts = append(texts, templates.Part(name))
	}
	return strings.Join(texts, "\n\n")
}

// Checksum is the fingerprint of an engine, for its marker: the text of the
// prelude and the parts decides, whatever the policy is.
func Checksum(names []string) string {
	sum := sha256.Sum256([]byte(templates.Part("prelude") + "\n\n" + engine(names) + "\n"))
	return hex.EncodeToString(sum[:8])
}

// markerBegins is how the marker above the engine begins.
const markerBegins = "# --- Engine"

// marker is the comment above the engine: its version, parts and checksum.
func marker(names []string) string {
	title := fmt.Sprintf("%s %d, the same text in every launcher with these parts ", markerBegins, EngineVersion)
	lines := []string{title + strings.Repeat("-", 98-len(title))}
	line := "# parts:"
	for _, name := range names {
		if len(line)+1+len(name) > 98 {
			lines = append(lines, line)
			line = "#  "
		}
		line += " " + name
	}
	return strings.Join(append(lines, line, "# checksum: "+Checksum(names)), "\n")
}

var markerPattern = regexp.MustCompile(`(?m)^# --- Engine (\d+),.*\n# parts:((?:.*\n#   )*.*)\n# checksum: ([0-9a-f]{16})\n`)

// Engine is what a launcher says of its engine, and whether that is true.
type Engine struct {
	Version  int
	Parts    []string
	Checksum string
	Intact   bool // the text is the one that the checksum was made of
	Known    bool // and it is this program's own engine of today
}

// ReadEngine finds the engine of a launcher; there is none where it has no
// marker, as in what another program wrote.
func ReadEngine(script []byte) (Engine, bool) {
	at := markerPattern.FindSubmatchIndex(script)
	if at == nil {
		return Engine{}, false
	}
	group := func(i int) string { return string(script[at[2*i]:at[2*i+1]]) }
	version, err := strconv.Atoi(group(1))
	if err != nil {
		return Engine{}, false
	}
	e := Engine{
		Version:  version,
		Parts:    strings.Fields(strings.ReplaceAll(group(2), "#", "")),
		Checksum: group(3),
	}
	_, prelude, _ := above(script[:at[0]])
	text := strings.TrimPrefix(string(checksum.Cut(script)[at[1]:]), "\n")
	sum := sha256.Sum256([]byte(prelude + "\n\n" + text))
	e.Intact = hex.EncodeToString(sum[:8]) == e.Checksum
	e.Known = e.Intact && knownParts(e.Parts) && Checksum(e.Parts) == e.Checksum
	return e, true
}

// FirstChange gives the number and the text of the first line of a launcher's engine
// that differs from what this bwrapgen has of the same parts; 0 where none does, or a
// part is not known.
func (e Engine) FirstChange(script []byte) (number int, text string) {
	at := markerPattern.FindIndex(script)
	if at == nil || !knownParts(e.Parts) {
		return 0, ""
	}
	rest := bytes.TrimLeft(script[at[1]:], "\n")
	number = 1 + bytes.Count(script[:len(script)-len(rest)], []byte("\n"))
	want := strings.Split(engine(e.Parts), "\n")
	for i, line := range strings.Split(string(checksum.Cut(rest)), "\n") {
		if i >= len(want) && line == "" {
			break
		}
		if i >= len(want) || line != want[i] {
			return number + i, line
		}
	}
	return 0, ""
}

// above cuts what stands above the engine: the header ends at the first empty
// line; then comes the prelude, which is the engine's; then the policy.
func above(head []byte) (header, prelude, policy string) {
	header, rest, _ := strings.Cut(string(head), "\n\n")
	end := len(rest)
	for _, begin := range []string{"\n" + moversBegin, "\n" + policyBegins} {
		if at := strings.Index(rest, begin); at >= 0 {
			end = min(end, at)
		}
	}
	return header, strings.TrimRight(rest[:end], "\n"), rest[end:]
}

// Asked is what a launcher is asked for: its header and its policy, but for
// what this profile leaves empty, which is what its engine knows besides. Two
// launchers in which only the engine differs have the same. A script that is no
// launcher has none.
func Asked(script []byte) string {
	at := markerPattern.FindIndex(script)
	if at == nil {
		return ""
	}
	header, _, policy := above(script[:at[0]])
	policy, _, _ = strings.Cut(policy, "\n"+unsetBegin+"\n")
	return header + "\n" + strings.TrimRight(policy, "\n") + "\n"
}

// Fingerprint is that of what a launcher allows, as its policy has it; empty where it has
// none. Two launchers with the same one allow the same, however they say it.
func Fingerprint(script []byte) string {
	found := fingerprint.FindStringSubmatch(Asked(script))
	if found == nil {
		return ""
	}
	return found[1]
}

var fingerprint = regexp.MustCompile(`(?m)^digest='?([0-9a-f]{64})'?$`)

// Policy returns the policy of a launcher, with the loop above it and the number
// of lines before it. What stands above must be a header and the prelude.
func Policy(script []byte) (text string, before int, err error) {
	at := markerPattern.FindIndex(script)
	if at == nil {
		return "", 0, errors.New("it has no engine")
	}
	header, _, policy := above(script[:at[0]])
	for line := range strings.Lines(header) {
		if !strings.HasPrefix(line, "#") {
			return "", 0, errors.New("its header holds more than comments")
		}
	}
	before = bytes.Count(script[:at[0]-len(policy)], []byte("\n"))
	return policy, before, bash.CheckPolicy([]byte(strings.Repeat("\n", before) + policy))
}

func knownParts(names []string) bool {
	known := map[string]bool{}
	for _, part := range parts() {
		known[part.name] = true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !known[name] })
}
