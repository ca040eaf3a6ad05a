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
	isSetting := settings(p)
	var system, tools, after []Entry
	for _, m := range p.Mounts.Before(plan.ScopeBase) {
		system = append(system, mounted(m))
	}
	for _, m := range p.Mounts.From(plan.ScopeToolchain).Before(plan.ScopeProtect) {
		if !m.Pin() { // what is mounted next covers it
			tools = append(tools, mounted(m))
		}
	}
	for _, m := range p.Mounts.From(plan.ScopeProtect) {
		isOthers := m.Op == plan.Mask && m.Tool != ""
		switch {
		case m.Scope == plan.ScopeProtect:
			after = append(after, protected(p.Project, m))
		case isOthers && isSetting[m.Target.String()]:
		default:
			after = append(after, mounted(m))
		}
	}
	tools = append([]Entry{home(p)}, tools...)
	after = append([]Entry{project(p)}, after...)
	return slices.Concat(root(p), always(p), otherHomes(p), system, files(p), tools, after)
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

func root(p plan.Plan) []Entry {
	if p.Base != profile.BaseHost {
		return []Entry{made("/", "nothing of the host", Nothing)}
	}
	root := made("/", readOnly, Read)
	root.Why = "homes of others, as /etc/passwd has them, are empty wherever they are"
	return []Entry{root}
}

func always(p plan.Plan) []Entry {
	tmp := made("/tmp", gone, Own)
	switch p.Tmp {
	case profile.TmpSession:
		tmp.What, tmp.Lasts = "the session's, writable", Session
	case profile.TmpKeep:
		tmp.What, tmp.Lasts = kept, InStore
	}
	all := []Entry{
		made("/proc", "the sandbox's own processes", Own),
		made("/dev", "a few devices; the sandbox's own terminals and shared memory", Own),
		tmp,
		made("/var/tmp", gone, Own),
		made("/run", listed, Own),
	}
	if slices.Contains(p.Environ.Pass, "TERMINFO") {
		all = append(all, made("$TERMINFO", "the host's, read-only, where it describes the terminal", Read))
	}
	return all
}

func otherHomes(p plan.Plan) []Entry {
	var all []Entry
	if p.Base == profile.BaseHost {
		for _, dir := range plan.OtherHomes() {
			all = append(all, made(dir, listed, Own))
		}
	}
	return all
}

// IfHostHas ends the words for what is made only where the host has something of the name.
const IfHostHas = "if the host has one"

// files are those of the system that the launcher makes.
func files(p plan.Plan) []Entry {
	var all []Entry
	if p.System.Time {
		all = append(all, made("/etc/localtime", "the host's time zone", Read))
	}
	if p.System.Accounts {
		const what = "a file of the sandbox's own, with the caller's entry"
		all = append(all, made("/etc/passwd", what, Own), made("/etc/group", what, Own))
	}
	if p.OwnNetwork() {
		what := "a file of the sandbox's own: names are asked in its own network"
		if p.Base == profile.BaseHost {
			what += ", " + IfHostHas
		}
		all = append(all, made("/etc/resolv.conf", what, Own))
	}
	return all
}

func home(p plan.Plan) Entry {
	switch p.Home {
	case profile.HomeHost:
		return made("~", readOnly, Read)
	case profile.HomeKeep:
		s := made("~", kept, Own)
		s.Lasts = InStore
		return s
	}
	return made("~", gone, Own)
}

func project(p plan.Plan) Entry {
	at := p.Project.Root.Path
	if at.IsZero() {
		at = expr.Path{Base: expr.Project}
	}
	s := Entry{At: at, Source: at, What: writable, Shows: Write, Why: "the project"}
	switch p.Project.Access {
	case profile.AccessRead:
		s.What, s.Shows = readOnly, Read
	case profile.AccessOverlay:
		s.What, s.Shows, s.Lasts = layers[plan.Keep].words, View, InStore
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

// Made is the note of what the launcher makes on the host.
const Made = "made where there is none"

// What is said about several.
const (
	readOnly = "the host's, read-only"
	writable = "the host's, writable"
	gone     = "empty, writable, and gone afterwards"
	kept     = "the sandbox's own, writable, and kept from run to run"
	listed   = "empty but for what is listed"
	optional = "if there is one"
)

// ops are what mounts show, and how that is said.
var ops = map[plan.Op]struct {
	shows Shows
	words string
}{
	plan.ROBind: {Read, readOnly}, plan.Bind: {Write, writable}, plan.Tmpfs: {Own, gone},
	plan.Symlink: {Link, "a link to "}, plan.Mask: {Hidden, "hidden"}, plan.View: {View, ""},
}

// layers are how long what is written to a view stays, and how that is said.
var layers = map[plan.Layer]struct {
	lasts Lasts
	words string
}{
	plan.Memory:  {Gone, "the host's is read; changes stay in memory and are thrown away"},
	plan.Session: {Session, "the host's is read; changes stay in the session"},
	plan.Keep:    {InStore, "the host's is read; changes stay in the store"},
}

func mounted(m plan.Mount) Entry {
	s := Entry{
		At: m.Target, Shows: ops[m.Op].shows, Lasts: layers[m.Layer].lasts, What: mountWords(m), Notes: notes(m),
		Pattern: m.Pattern, Guarded: m.Guarded, From: Asker(m.Tool, m.Origin), Why: m.Why, Tool: m.Tool,
	}
	if s.Shows.Host() {
		s.Source = m.Source
	}
	return s
}

func mountWords(m plan.Mount) string {
	switch {
	case m.Scope == plan.ScopeCache && m.Layer == plan.Keep:
		return "the host's is read; changes last for this project and this launcher"
	case m.View():
		return layers[m.Layer].words
	case m.Op == plan.Symlink:
		return ops[m.Op].words + m.Text
	}
	words := ops[m.Op].words
	if !m.InPlace() {
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

func notes(m plan.Mount) []string {
	isView := m.View() && m.Scope != plan.ScopeCache
	isFile := m.Text != "" && m.Op != plan.Symlink
	var said []string
	for _, note := range []struct {
		holds bool
		text  string
	}{
		{isView && m.Tool != "", "read-only where no view can be made"},
		{isView && m.Optional, optional},
		{m.Create, Made},
		{m.Links, "with what links in it lead to"},
		{isFile, fmt.Sprintf("beginning with %q", m.Text)},
	} {
		if note.holds {
			said = append(said, note.text)
		}
	}
	return said
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

// Full is what is there, with the notes.
func (s Entry) Full() string { return strings.Join(append([]string{s.What}, s.Notes...), ", ") }
