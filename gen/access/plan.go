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

// Of lists what a sandbox shows, in the order in which it is mounted: of two at
// the same place, the later covers the earlier.
func Of(p plan.Plan) []Entry {
	isSetting := settings(p)
	all := ofSandbox(p)
	add := func(mounts plan.Mounts) {
		for _, m := range mounts {
			isOthers := m.Op == plan.Mask && m.Tool != ""
			switch {
			case m.Pin(): // what is mounted next covers it
			case isOthers && isSetting[m.Target.String()]:
			default:
				all = append(all, mounted(p, m))
			}
		}
	}
	add(p.Mounts.Before(plan.ScopeBase))
	all = append(all, ofSystem(p)...)
	all = append(all, home(p))
	add(p.Mounts.From(plan.ScopeToolchain).Before(plan.ScopeProtect))
	all = append(all, project(p))
	add(p.Mounts.From(plan.ScopeProtect))
	return append(all, inputs(p, all)...)
}

// inputs are what launchers are made from where it would be writable. Elsewhere nothing is added
// for it: it is read-only, or not there.
func inputs(p plan.Plan, all []Entry) []Entry {
	var protected []Entry
	for _, at := range p.Inputs.Paths {
		around := Entry{}
		for _, s := range all {
			if at.Within(s.At) && len(s.At.Rest) >= len(around.At.Rest) {
				around = s
			}
		}
		if around.Shows == Write {
			protected = append(protected, Entry{
				At: at, Source: at, Shows: Read, What: readOnly + ", " + optional, Why: "a launcher, or what one is made from",
				Facts: Facts{Optional: true},
			})
		}
	}
	return protected
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
func made(at string, shows Shows, lasts Lasts, what string) Entry {
	s := Entry{At: expr.MustParse(at), What: what, Shows: shows, Lasts: lasts}
	if shows.Host() {
		s.Source = s.At
	}
	return s
}

// ownDirectory is an entry for a writable directory that only the sandbox has.
func ownDirectory(at string, lasts Lasts, what string) Entry {
	s := made(at, Own, lasts, what)
	s.Writable = true
	return s
}

// ofSandbox is what is there before the profile lists anything.
func ofSandbox(p plan.Plan) []Entry {
	onHost := p.Base == profile.BaseHost
	root := made("/", Nothing, Gone, "nothing of the host")
	if onHost {
		root = made("/", Read, Gone, readOnly)
		root.Why = "homes of others, as /etc/passwd has them, are empty wherever they are"
	}
	tmp := ownDirectory("/tmp", Gone, gone)
	switch p.Tmp {
	case profile.TmpSession:
		tmp.What, tmp.Lasts = "the session's, writable", Session
	case profile.TmpKeep:
		tmp.What, tmp.Lasts = kept, InStore
	}
	all := []Entry{
		root,
		made("/proc", Own, Gone, "the sandbox's own processes"),
		made("/dev", Own, Gone, "a few devices; the sandbox's own terminals and shared memory"),
		tmp,
		ownDirectory("/var/tmp", Gone, gone),
		made("/run", Own, Gone, listed),
	}
	if slices.Contains(p.Environ.Pass, "TERMINFO") {
		all = append(all, made("$TERMINFO", Read, Gone, "the host's, read-only, where it describes the terminal"))
	}
	if onHost {
		for _, dir := range plan.OtherHomes() {
			all = append(all, made(dir, Own, Gone, listed))
		}
	}
	return all
}

// ofSystem are the files of the system that the launcher makes.
func ofSystem(p plan.Plan) []Entry {
	var all []Entry
	if p.System.Time {
		all = append(all, made("/etc/localtime", Read, Gone, "the host's time zone"))
	}
	if p.System.Accounts {
		const what = "the sandbox's own file, with the caller's entry"
		all = append(all, made("/etc/passwd", Own, Gone, what), made("/etc/group", Own, Gone, what))
	}
	if p.OwnNetwork() {
		resolver := made("/etc/resolv.conf", Own, Gone, "the sandbox's own file: names are asked in its own network")
		if resolver.Optional = p.Base == profile.BaseHost; resolver.Optional {
			resolver.What += ", if the host has one"
		}
		all = append(all, resolver)
	}
	return all
}

func home(p plan.Plan) Entry {
	switch p.Home {
	case profile.HomeHost:
		return made("~", Read, Gone, readOnly)
	case profile.HomeKeep:
		return ownDirectory("~", InStore, kept)
	}
	return ownDirectory("~", Gone, gone)
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

// What is said about several.
const (
	readOnly = "the host's, read-only"
	writable = "the host's, writable"
	gone     = "empty, writable, and gone afterwards"
	kept     = "the sandbox's own, writable, and kept from run to run"
	listed   = "empty, except for what is listed"
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

// mounted is what a mount shows.
func mounted(p plan.Plan, m plan.Mount) Entry {
	s := Entry{
		At: m.Target, Shows: ops[m.Op].shows, Lasts: layers[m.Layer].lasts, What: mountWords(m), Notes: notes(p, m),
		From: Asker(m.Tool, m.Origin), Why: m.Why, Tool: m.Tool,
		Facts: Facts{
			Pattern: m.Pattern, Optional: m.Optional, IfNoLogin: m.IfNoLogin, Reserved: m.Reserved,
			Made: m.Create, Writable: m.Op == plan.Tmpfs,
		},
	}
	if m.Op == plan.Symlink {
		s.LeadsTo = m.Text
	}
	if s.Shows.Host() {
		s.Source = m.Source
	}
	return s
}

func mountWords(m plan.Mount) string {
	switch {
	case m.Scope == plan.ScopeCache && m.Layer == plan.Keep:
		return "the host's, copy-on-write; changes are kept for this repository"
	case m.View():
		return layers[m.Layer].words
	case m.Op == plan.Symlink:
		return ops[m.Op].words + m.Text
	}
	return ops[m.Op].words + strings.Join(said([]note{
		{!m.InPlace(), ", from " + m.Source.String()},
		{m.Optional, ", " + optional},
		{m.IfNoLogin, ", unless it holds a login or sets variables"},
		{m.Reserved, "; it cannot be made, either"},
	}), "")
}

// note is something that is said if it holds.
type note struct {
	holds bool
	text  string
}

func said(notes []note) []string {
	var all []string
	for _, n := range notes {
		if n.holds {
			all = append(all, n.text)
		}
	}
	return all
}

func notes(p plan.Plan, m plan.Mount) []string {
	isView := m.View() && m.Scope != plan.ScopeCache
	isFile := m.Text != "" && m.Op != plan.Symlink
	return said([]note{
		{isView && m.Tool != "", "read-only where no view can be made"},
		{isView && m.Optional, optional},
		{m.Create, "created where there is none"},
		{m.Links, "with what links in it lead to"},
		{isFile, fmt.Sprintf("beginning with %q", m.Text)},
		{canBeMade(p, m), "where it is there; else it can be made, and is named at the end"},
	})
}

// canBeMade reports whether a protected name can be made where it is absent. A repository
// without hooks gets an empty directory for them, which is held.
func canBeMade(p plan.Plan, m plan.Mount) bool {
	isProtected := m.Scope == plan.ScopeProtect && m.Target.Base == expr.Project
	switch {
	case !isProtected, p.Project.Access != profile.AccessWrite, m.Reserved, m.Target.Rest == "/.git/hooks":
		return false
	}
	return true
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
