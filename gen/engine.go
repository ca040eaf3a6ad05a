package gen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/templates"
)

// EngineVersion counts the changes of the engine that a launcher's user can
// notice. The changelog lists them.
const EngineVersion = 2

// part is a file of the engine, and whether a launcher has it.
type part struct {
	name   string
	needed bool
}

// section is a run of parts, below a line with its title.
type section struct {
	title string // empty for the first one, which the marker precedes
	parts []part
}

// sections are all parts of the engine, in the order in which a launcher has them.
func sectionsOf(p plan.Plan) []section {
	host, writable := p.Base == profile.BaseHost, p.Project.Access != profile.AccessRead
	open := p.Project.Access == profile.AccessWrite
	l, hides, filter := p.Limits, len(p.Mounts.In(plan.ScopeMask)) > 0, filterKind(p)
	shared, rest := sharedIn(p)
	makes, shares := len(created(p, rest)) > 0, len(shared) > 0
	mayWrite := lists(p) || shares || p.Mounts.In(plan.ScopeCache).Any(plan.Mount.NotView)
	return []section{{"", []part{
		{"start", true},
		{"places", true},
		{"stores", true},
		{"own", writable || mayWrite},
		{"writable", mayWrite},
		{"paths", true},
		{"mount-points", host || hides || lists(p) || shares},
		{"bwrap", true},
		{"system-select", !host},
		{"system-host", host},
		{"identity", true},
		{"make", makes || shares},
		{"store", stored(p)},
		{"session", p.Stores(plan.Session)},
		{"lock-store", p.OwnsStore()},
		{"directories", p.KeepsDirectories()},
		{"home-kept", p.Home == profile.HomeKeep},
		{"home", p.Home != profile.HomeHost},
		{"tmp", p.Tmp != profile.TmpEmpty},
		{"toolchains", len(toolPaths(p, false)) > 0},
		{"shared", shares},
		{"entries", lists(p)},
		{"link-targets", outside(p).Any(leadsOn)},
		{"caches", p.Mounts.In(plan.ScopeCache).Any(plan.Mount.NotView)},
		{"git", true},
		{"slots", p.KeepsCaches()},
		{"old-bwrap", p.Overlaid() && p.OldBwrap},
		{"overlay", p.Overlaid()},
		{"views", p.Overlaid() && (p.Stores(plan.Session) || p.Mounts.Before(plan.ScopeCache).Any(plan.Mount.View))},
		{"below-views", p.Mounts.Any(func(m plan.Mount) bool { return m.BelowView })},
		{"terminfo", slices.Contains(p.Environ.Pass, "TERMINFO")},
		{"markers", len(p.Project.Unknown) > 0},
		{"project-read", !writable},
		{"project", writable},
		{"placeholder", open && p.Mounts.Any(func(m plan.Mount) bool { return m.Reserved })},
		{"share", open},
		{"share-overlay", writable && !open},
		{"inside", lists(p)},
		{"sockets", len(p.Sockets.Pass) > 0},
		{"bus", p.Sockets.Has("dbus")},
		{"settings", len(toolPaths(p, true))+len(p.Environ.Addresses) > 0},
		{"hide", hides},
		{"namesake", len(p.Command) > 0},
		{"command", slices.ContainsFunc(p.Command, namesProject)},
		{"credentials", len(p.Mounts.In(plan.ScopeCredential)) > 0},
		{"scope", max(int(l.Memory), l.Processes) > 0},
		{"environment", true},
		{"search-path", p.Places.Relocated()},
		{"relocate", p.Places.Relocated()},
		{"machines", filter == "terminal"},
		{"filter", filter != "none"},
		{"limits", max(int(l.Memory), l.OpenFiles, int(l.CPUTime), l.Processes) > 0},
		{"confirm", p.Confirm.Mode == profile.ConfirmAlways},
		{"timeout", l.Timeout > 0},
		{"capture", l.Output > 0},
		{"pasta", p.OwnNetwork()},
		{"allow", p.Network == profile.NetworkAllow},
		{"network", p.OwnNetwork()},
		{"notes", p.Reviews()},
		{"run", true},
	}}, {"After the run", []part{
		{"after", open},
		{"report", len(p.Project.Watched) > 0},
		{"launch", true},
	}}, {"Instead of a run, or if bwrap fails", []part{
		{"doctor", true},
		{"inspect", true},
		{"where", p.Displaced()},
		{"kept", stored(p)},
		{"apply", p.Reviews()},
		{"review", p.Reviews()},
		{"no-overlays", p.Overlaid()},
		{"refusal", true},
	}}}
}

// leadsOn reports whether what links in a folder lead to is shown.
func leadsOn(m plan.Mount) bool { return m.Links }

// namesProject reports whether a word of the command stands for one with the
// project's path in it.
func namesProject(word string) bool { return strings.Contains(word, "{project}") }

// partsOf names the parts that a plan needs.
func partsOf(p plan.Plan) []string {
	var names []string
	for _, section := range sectionsOf(p) {
		for _, part := range section.parts {
			if part.needed {
				names = append(names, part.name)
			}
		}
	}
	return names
}

// engine is the text of some parts, section by section.
func engine(names []string) string {
	var texts []string
	for _, section := range sectionsOf(plan.Plan{}) {
		if section.title != "" {
			texts = append(texts, rule("# --- "+section.title))
		}
		for _, part := range section.parts {
			if slices.Contains(names, part.name) {
				texts = append(texts, templates.Part(part.name))
			}
		}
	}
	return strings.Join(texts, "\n\n")
}

// Checksum is the fingerprint of an engine, for its marker: the text of the
// prelude and the parts decides, whatever the policy is.
func Checksum(names []string) string { return sum(templates.Part("prelude"), engine(names)+"\n") }

func sum(prelude, engine string) string {
	sum := sha256.Sum256([]byte(prelude + "\n\n" + engine))
	return hex.EncodeToString(sum[:8])
}

// rule is the title of a section, drawn to the width of a line.
func rule(title string) string { return title + " " + strings.Repeat("-", columns-1-len(title)) }

// markerBegins is how the marker above the engine begins.
const markerBegins = "# --- Engine"

// marker is the comment above the engine: its version, its checksum and its parts.
func marker(names []string) string {
	title := fmt.Sprintf("%s %d: the same text in every launcher that has these parts", markerBegins, EngineVersion)
	lines := []string{
		rule(title),
		"# bwrapgen lint recognises this text by its checksum: " + Checksum(names),
		"# bwrapgen's repository lists a checksum of each part. To compare them, in an empty directory:",
		`#     awk '/^# --- / { part = $3 } NF && part ~ /^[a-z-]+$/ { print > part }' LAUNCHER`,
		"#     sha256sum --ignore-missing -c REPOSITORY/templates/engine.sha256",
		"#",
	}
	for _, name := range names {
		lines = append(lines, fmt.Sprintf("#   %-13s %s", name, templates.Purpose(name)))
	}
	return strings.Join(lines, "\n")
}
