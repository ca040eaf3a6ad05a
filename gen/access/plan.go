package access

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// Inside is what paths stand for in a sandbox, of a host and a project.
func Inside(p plan.Plan, host expr.Env) expr.Env {
	if at := p.Places.Home; !at.IsZero() {
		host.Home = at.Rest
	}
	if at := p.Places.Project; !at.IsZero() {
		host.Project = at.Rest
	}
	return host
}

// Passes reports whether a variable of the caller's comes in.
func Passes(p plan.Plan, name string) bool {
	return slices.ContainsFunc(p.Environ.Pass, func(listed string) bool {
		if prefix, isPrefix := strings.CutSuffix(listed, "*"); isPrefix {
			return strings.HasPrefix(name, prefix)
		}
		return listed == name
	})
}

// Of lists what a sandbox shows, in the order in which it is mounted: of two at
// the same place, the later covers the earlier.
func Of(p plan.Plan) []Entry {
	all := append(base(p), home(p))
	all = append(all, mounts(p.Mounts.From(plan.ScopeToolchain).Before(plan.ScopeProtect))...)
	all = append(all, project(p))
	isSetting := settings(p)
	for _, m := range p.Mounts.From(plan.ScopeProtect) {
		isOthers := m.Op == plan.Mask && m.Tool != ""
		if isOthers && isSetting[m.Target.String()] {
			continue
		}
		s := mounted(m)
		if m.Scope == plan.ScopeProtect {
			s = protected(p.Project, m)
		}
		all = append(all, s)
	}
	return all
}

// settings are the places of what is shown as long as it holds no login. There the masks of
// other tools in the catalogue say nothing.
func settings(p plan.Plan) map[string]bool {
	all := map[string]bool{}
	for _, m := range p.Mounts {
		for _, place := range catalogue.Places(m.Source) {
			all[place.String()] = all[place.String()] || m.IfNoLogin
		}
	}
	return all
}

// made is an entry that no profile asks for: every sandbox has it.
func made(at, what string, shows Shows) Entry {
	s := Entry{At: expr.MustParse(at), What: what, Shows: shows}
	if shows.Host() {
		s.Source = s.At
	}
	return s
}

func base(p plan.Plan) []Entry {
	if p.Base == profile.BaseHost {
		root := made("/", "the host's, read-only", Read)
		root.Why = "homes of others, as /etc/passwd has them, are empty wherever they are"
		all := append([]Entry{root}, always(p)...)
		for _, dir := range plan.OtherHomes() {
			all = append(all, made(dir, "empty but for what is listed", Own))
		}
		return slices.Concat(all, accounts(p), resolver(p))
	}
	all := append([]Entry{made("/", "nothing of the host", Nothing)}, always(p)...)
	all = append(all, mounts(p.Mounts.Before(plan.ScopeBase))...)
	if p.System.Time {
		all = append(all, made("/etc/localtime", "the host's time zone", Read))
	}
	return slices.Concat(all, accounts(p), resolver(p))
}

// Made is the note of what the launcher makes on the host.
const Made = "made where there is none"

// IfHostHas ends the words for what is made only where the host has something of the name.
const IfHostHas = "if the host has one"

// resolver is what a network of the sandbox's own has instead of the host's file.
func resolver(p plan.Plan) []Entry {
	what := "a file of the sandbox's own: names are asked in its own network"
	switch {
	case !p.OwnNetwork():
		return nil
	case p.Base == profile.BaseHost:
		what += ", " + IfHostHas
	}
	return []Entry{made("/etc/resolv.conf", what, Own)}
}

func accounts(p plan.Plan) []Entry {
	if !p.System.Accounts {
		return nil
	}
	const what = "a file of the sandbox's own, with the caller's entry"
	return []Entry{made("/etc/passwd", what, Own), made("/etc/group", what, Own)}
}

func always(p plan.Plan) []Entry {
	all := []Entry{
		made("/proc", "the sandbox's own processes", Own),
		made("/dev", "a few devices; the sandbox's own terminals and shared memory", Own),
		made("/tmp", gone, Own),
		made("/var/tmp", gone, Own),
		made("/run", "empty but for what is listed", Own),
	}
	if slices.Contains(p.Environ.Pass, "TERMINFO") {
		all = append(all, made("$TERMINFO", "the host's, read-only, where it describes the terminal", Read))
	}
	switch p.Tmp {
	case profile.TmpSession:
		all[2].What, all[2].Lasts = "the session's, writable", Session
	case profile.TmpKeep:
		all[2].What, all[2].Lasts = kept, Kept
	}
	return all
}

func home(p plan.Plan) Entry {
	switch p.Home {
	case profile.HomeHost:
		return made("~", "the host's, read-only", Read)
	case profile.HomeKeep:
		s := made("~", kept, Own)
		s.Lasts = Kept
		return s
	}
	return made("~", gone, Own)
}

func project(p plan.Plan) Entry {
	at := p.Project.Root.Path
	if at.IsZero() {
		at = expr.Path{Base: expr.Project}
	}
	s := Entry{At: at, Source: at, What: "the host's, writable", Shows: Write, Why: "the project"}
	switch p.Project.Access {
	case profile.AccessRead:
		s.What, s.Shows = "the host's, read-only", Read
	case profile.AccessOverlay:
		s.What, s.Shows, s.Lasts = layerWords(plan.Keep), View, Kept
	}
	return s
}

// protected is a name that cannot be changed. Of one of the user's own it is said that it
// cannot be made, either; of others, what becomes of one that is made in a writable
// project. A repository without hooks gets an empty directory for them, which is held.
func protected(p plan.Project, m plan.Mount) Entry {
	s := mounted(m)
	always := s.At.Base != expr.Project || s.At.Rest == "/.git/hooks"
	switch {
	case m.Reserved:
		s.What += "; it cannot be made, either"
	case p.Access == profile.AccessWrite && !always:
		s.Notes = append(s.Notes, "where it is there; else it can be made, and is named at the end")
	}
	return s
}

func mounts(list plan.Mounts) []Entry {
	var all []Entry
	for _, m := range list {
		if !m.Pin() { // what is mounted next covers it
			all = append(all, mounted(m))
		}
	}
	return all
}

func mounted(m plan.Mount) Entry {
	s := Entry{At: m.Target, What: mountWords(m), Pattern: m.Pattern, From: Asker(m.Tool, m.Origin), Why: m.Why, Tool: m.Tool}
	s.Shows = [...]Shows{plan.ROBind: Read, plan.Bind: Write, plan.Tmpfs: Own, plan.Symlink: Link, plan.Mask: Hidden, plan.View: View}[m.Op]
	s.Lasts = lasts(m.Layer)
	isView := m.View() && m.Scope != plan.ScopeCache
	isFile := m.Text != "" && m.Op != plan.Symlink
	s.Notes = notes(
		note{isView && m.Tool != "", fallback},
		note{isView && m.Optional, optional},
		note{m.Create, Made},
		note{m.Links, "with what links in it lead to"},
		note{isFile, fmt.Sprintf("beginning with %q", m.Text)},
	)
	s.Guarded = m.Guarded
	if s.Shows.Host() {
		s.Source = m.Source
	}
	return s
}

// Asker is the tool, or else the line of a profile, that asks for something.
func Asker(tool string, o profile.Origin) string {
	switch {
	case tool != "":
		return "tool " + tool
	case o.Line > 0:
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	}
	return o.File
}

// What is said about several.
const (
	gone     = "empty, writable, and gone afterwards"
	kept     = "the sandbox's own, writable, and kept from run to run"
	optional = "if there is one"
	fallback = "read-only where no view can be made"
)

func mountWords(m plan.Mount) string {
	switch {
	case m.Scope == plan.ScopeCache && m.Layer == plan.Keep:
		return "the host's is read; changes last for this project and this launcher"
	case m.View():
		return layerWords(m.Layer)
	}
	words := [...]string{
		plan.ROBind:  "the host's, read-only",
		plan.Bind:    "the host's, writable",
		plan.Tmpfs:   gone,
		plan.Symlink: "a link to " + m.Text,
		plan.Mask:    "hidden",
	}[m.Op]
	if !m.Source.IsZero() && !m.Source.Equal(m.Target) {
		words += ", from " + m.Source.String()
	}
	if m.Optional {
		words += ", " + optional
	}
	if m.IfNoLogin {
		words += ", unless it holds a login or sets variables"
	}
	return words
}

func layerWords(l plan.Layer) string {
	switch l {
	case plan.Session:
		return "the host's is read; changes stay in the session"
	case plan.Keep:
		return "the host's is read; changes stay in the store"
	}
	return "the host's is read; changes stay in memory and are thrown away"
}

func lasts(l plan.Layer) Lasts {
	switch l {
	case plan.Session:
		return Session
	case plan.Keep:
		return Kept
	}
	return Gone
}

type note struct {
	holds bool
	text  string
}

func notes(all ...note) []string {
	var said []string
	for _, n := range all {
		if n.holds {
			said = append(said, n.text)
		}
	}
	return said
}

// Full is what is there, with the notes.
func (s Entry) Full() string { return strings.Join(append([]string{s.What}, s.Notes...), ", ") }
