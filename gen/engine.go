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
const EngineVersion = 1

// part is a file of the engine, and whether a launcher has it.
type part struct {
	name   string
	needed bool
}

// parts are all of the engine's, in the order in which they stand.
func parts(p plan.Plan) []part {
	host, writable := p.Base == profile.BaseHost, p.Project.Access != profile.AccessRead
	open := p.Project.Access == profile.AccessWrite
	l, hides, filter := p.Limits, len(p.Mounts.In(plan.ScopeMask)) > 0, filterKind(p)
	shared, rest := sharedIn(p)
	makes, shares := len(created(p, rest)) > 0, len(shared) > 0
	follows := judged(p) || lists(p) || shares
	return []part{
		{"start", true},
		{"places", true},
		{"own", true},
		{"writable", lists(p) || shares || p.Mounts.In(plan.ScopeCache).Any(plan.Mount.NotView)},
		{"links", follows || makes || hides},
		{"variables", moves(p)},
		{"judge", judged(p)},
		{"bwrap", true},
		{"make", makes || shares},
		{"system-select", !host},
		{"system-host", host},
		{"identity", true},
		{"store", stored(p)},
		{"session", p.Stores(plan.Session)},
		{"lock-store", stored(p)},
		{"directories", p.KeepsDirectories()},
		{"home", p.Home != profile.HomeHost},
		{"tmp", p.Tmp != profile.TmpEmpty},
		{"toolchains", len(toolPaths(p, false)) > 0},
		{"shared", shares},
		{"entries", lists(p)},
		{"link-targets", outside(p).Any(leadsOn)},
		{"caches", p.Mounts.In(plan.ScopeCache).Any(plan.Mount.NotView)},
		{"overlay", p.Overlaid()},
		{"views", p.Stores(plan.Session) || p.Mounts.Before(plan.ScopeCache).Any(plan.Mount.View)},
		{"below-views", p.Mounts.Any(func(m plan.Mount) bool { return m.BelowView })},
		{"terminfo", slices.Contains(p.Environ.Pass, "TERMINFO")},
		{"git", true},
		{"project-read", !writable},
		{"project", writable},
		{"placeholder", open && p.Mounts.Any(func(m plan.Mount) bool { return m.Reserved })},
		{"share", writable},
		{"project-link", !host},
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
		{"relocate", p.Places.Relocated()},
		{"machines", filter == "terminal" || filter != "none" && p.Kernel.Require == profile.RequireBest},
		{"filter", filter != "none"},
		{"limits", max(int(l.Memory), l.OpenFiles, int(l.CPUTime), l.Processes) > 0},
		{"confirm", p.Confirm.Mode == profile.ConfirmAlways},
		{"timeout", l.Timeout > 0},
		{"capture", l.Output > 0},
		{"pasta", p.OwnNetwork()},
		{"allow", p.Network == profile.NetworkAllow},
		{"network", p.OwnNetwork()},
		{"after", open},
		{"report", len(p.Project.Watched) > 0},
		{"notes", p.Reviews()},
		{"run", true},
		{"doctor", true},
		{"inspect", true},
		{"where", p.Displaced()},
		{"kept", stored(p)},
		{"apply", p.Reviews()},
		{"review", p.Reviews()},
		{"no-overlays", p.Overlaid()},
		{"refusal", true},
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
	for _, part := range parts(p) {
		if part.needed {
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
func Checksum(names []string) string { return sum(templates.Part("prelude"), engine(names)+"\n") }

func sum(prelude, engine string) string {
	sum := sha256.Sum256([]byte(prelude + "\n\n" + engine))
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
