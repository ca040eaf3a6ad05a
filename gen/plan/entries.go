package plan

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// What becomes of an entry of the operating system that is no mount.
const (
	scopeMade Scope = "made" // the launcher makes it: the accounts, the local time
	scopeNone Scope = "none" // the base shows it, or no host has it
)

// entries give each entry that the profile lists its scope. With them come the masks of
// what has to stay hidden in one.
func (b *builder) entries() Mounts {
	var all Mounts
	for _, e := range b.profile.Rules.Of(profile.KindRead, profile.KindWrite, profile.KindEmpty) {
		all = append(all, b.entry(mount(e))...)
	}
	for _, e := range b.namedByGit(all) {
		all = append(all, b.entry(mount(e))...)
	}
	b.refuseAccounts(all)
	for _, e := range b.profile.Rules.Of(profile.KindLink, profile.KindOverlay, profile.KindHide) {
		all = append(all, mount(e))
	}
	slices.SortStableFunc(all, byPlace)
	return b.marked(all)
}

// byPlace sorts entries by scope, and those outside of the system so that parents come
// before children.
func byPlace(a, b Mount) int {
	order := cmp.Compare(a.Scope.rank(), b.Scope.rank())
	if slices.Contains([]Scope{ScopeOutside, ScopeProject}, a.Scope) {
		return cmp.Or(order, byTarget(a, b))
	}
	return order
}

// entry is a mount with its scope, and with what has to come with it.
func (b *builder) entry(m Mount) Mounts {
	all := b.coverSystem(m)
	m.Scope = b.scope(m)
	if m.Scope != scopeNone {
		all = append(all, m)
	}
	if m.is(isNot(ScopeProject, ScopeOutside)) {
		all = append(all, b.symlinkedFile(m)...)
	}
	return append(all, b.symlinkedName(m)...)
}

// symlinkedName is what a link in a writable directory leads to, such as settings that a repository
// of dotfiles holds. The launcher refuses links that lead elsewhere at start-up: a command could
// have planted them.
func (b *builder) symlinkedName(m Mount) Mounts {
	fact, known := b.facts.Has(m.Source)
	p := expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(fact.Target, b.facts.Home)}
	writable := b.profile.Rules.Of(profile.KindWrite)
	above := func(e profile.Rule) bool { return leadsBelow(m.Source, e.Path) }
	around := func(e profile.Rule) bool {
		top, _ := b.facts.Has(e.Path)
		at, _ := e.Path.Eval(b.env)
		return expr.Within(fact.Target, at) || top.Target != "" && expr.Within(fact.Target, top.Target)
	}
	switch {
	case !known, !m.is(does(ROBind), Mount.InPlace), !expr.Below(fact.Target, b.facts.Home), b.secret(fact.Target):
		return nil
	case !slices.ContainsFunc(writable, above), slices.ContainsFunc(writable, around):
		return nil
	}
	m.Scope, m.Source, m.Target, m.Why = ScopeOutside, p, p, fmt.Sprintf("%s leads there", m.Source)
	m.Optional, m.Create, m.Links, m.Text = true, false, false, ""
	return Mounts{m}
}

// mount is an entry as the profile has it; what it is part of is decided later, but for
// what no host changes.
func mount(e profile.Rule) Mount {
	kinds := map[profile.Kind]struct {
		op    Op
		scope Scope
	}{
		profile.KindRead: {ROBind, ""}, profile.KindWrite: {Bind, ""}, profile.KindEmpty: {Tmpfs, ""},
		profile.KindOverlay: {View, ScopeOutside}, profile.KindHide: {Mask, ScopeMask},
		profile.KindProtect: {ROBind, ScopeProtect}, profile.KindCredential: {ROBind, ScopeCredential},
		profile.KindLink: {Symlink, ScopeOutside},
	}
	kind := kinds[e.Kind]
	m := Mount{
		Op: kind.op, Scope: kind.scope, Source: e.Path, Target: e.Place(),
		Text: e.Text, Optional: e.Optional, Create: e.Create, Links: e.Links, Pattern: e.Pattern,
		Why: e.Why, Origin: e.Origin,
	}
	if m.View() {
		m.Layer, m.Text = Keep, "" // of a directory
	}
	if m.Op == Symlink {
		m.Source = expr.Path{}
	}
	return m
}

// refuseAccounts refuses to cover what the launcher writes itself: no mount can stand
// on it.
func (b *builder) refuseAccounts(entries Mounts) {
	if !systemOf(entries, b.facts).Accounts {
		return
	}
	for _, m := range entries.In(ScopeOutside) {
		if moved := !m.InPlace(); moved && slices.Contains(accounts, m.Target.Rest) {
			b.refuse(m.Origin, `write drop.filesystem.read = ["/etc/passwd", "/etc/group"], and show both`,
				"the launcher makes a %s of its own", m.Target.Rest)
		}
	}
}

// scope is what an entry is part of. Those of the operating system the launcher shows in
// a shorter way than one by one. In the host base all of it is there.
func (b *builder) scope(m Mount) Scope {
	switch {
	case m.Target.Base == expr.Project:
		return ScopeProject
	case m.Op != ROBind:
		return ScopeOutside
	case b.onHost():
		return b.scopeOnHost(m)
	case !ofSystem(m.Source), !m.InPlace(), b.belowHidden(m.Target):
		return ScopeOutside
	}
	return b.scopeOfSystem(m)
}

func (b *builder) scopeOnHost(m Mount) Scope {
	switch {
	case !b.visibleAnyway(m):
		return ScopeOutside
	case account(m):
		return scopeMade
	case ofSystem(m.Source):
		return scopeNone
	}
	return ScopeBase
}

func (b *builder) scopeOfSystem(m Mount) Scope {
	_, here := b.facts.Has(m.Source)
	switch {
	case account(m), m.Source.Rest == localtime:
		return scopeMade
	case ofPrograms.MatchString(m.Source.Rest):
		return ScopeRoots
	case !m.Optional:
		return ScopeSystem
	case !here:
		return scopeNone
	case path.Dir(m.Source.Rest) == "/etc":
		return ScopeEtc
	}
	return ScopeSystem
}

// ofPrograms are the directories that are links on some hosts.
var ofPrograms = regexp.MustCompile(`^/(s?bin|lib[^/]*)$`)

// systemOf says what of the operating system the launcher makes for these entries.
func systemOf(entries Mounts, f host.Facts) System {
	made := entries.In(scopeMade)
	s := System{Accounts: made.Any(account)}
	s.Time = made.Any(func(m Mount) bool { return m.Source.Rest == localtime })
	if s.Time {
		s.Zone = strings.TrimPrefix(f.Timezone, "/usr/share/zoneinfo/")
	}
	return s
}

// symlinkedFile is what a link leads to that the host base shows, where that lies among
// the dotfiles, which are hidden: it is listed by the link.
func (b *builder) symlinkedFile(m Mount) Mounts {
	fact, _ := b.facts.Has(m.Source)
	inHome := expr.Below(fact.Target, b.facts.Home)
	p := expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(fact.Target, b.facts.Home)}
	hidden := func(s catalogue.Secret) bool { return p.Below(s.Path) }
	switch {
	case !b.onHost(), !inHome, b.secret(fact.Target), !slices.ContainsFunc(b.secretsOf(catalogue.Persistence), hidden):
		return nil
	}
	m.Scope, m.Source, m.Target, m.Why = ScopeOutside, p, p, fmt.Sprintf("%s leads there", m.Source)
	return Mounts{m}
}

// accounts are the files that the launcher makes.
var accounts = []string{"/etc/passwd", "/etc/group"}

// localtime is the link that the launcher makes.
const localtime = "/etc/localtime"

// account reports whether an entry is one of them.
func account(m Mount) bool { return slices.Contains(accounts, m.Source.String()) }

// visibleAnyway reports whether the host base shows a path by itself. To bind
// it once more would fail where it is a symbolic link.
func (b *builder) visibleAnyway(m Mount) bool {
	own := []string{"/tmp/", "/var/tmp/", "/run/", "/var/run/", "/dev/", "/proc/"}
	inOwn := func(directory string) bool { return strings.HasPrefix(m.Source.Rest, directory) }
	switch {
	case !m.InPlace(), b.belowHidden(m.Target), b.changed(m.Target), slices.ContainsFunc(own, inOwn):
		return false
	case m.Source.Base == expr.Home:
		return b.plan.Home == profile.HomeHost
	case m.Source.Base != expr.Root, b.replaced(m.Source), ofOthers(m.Source):
		return false
	}
	return true
}

// changed reports whether a place lies below another that the profile has writable,
// or the sandbox's own.
func (b *builder) changed(p expr.Path) bool {
	above := func(e profile.Rule) bool { return p.Below(e.Place()) }
	return b.profile.Rules.Of(profile.KindWrite, profile.KindEmpty, profile.KindOverlay).Any(above)
}

// marked marks what the profile lists outside the project and is read-only below a writable directory.
func (b *builder) marked(all Mounts) Mounts {
	writable := all.In(ScopeOutside).Where(does(Bind))
	return all.each(func(m Mount) Mount {
		if m.Scope != ScopeOutside {
			return m
		}
		above := func(w Mount) bool { return leadsBelow(m.Target, w.Target) }
		m.Held = m.is(does(ROBind), Mount.InPlace) && writable.Any(above)
		return m
	})
}

// isDirectory reports whether some host has a directory there.
func (b *builder) isDirectory(p expr.Path) bool {
	fact, _ := b.facts.Has(p)
	return fact.Kind == host.Dir
}

// ofSystem reports whether a path is a directory of the operating system.
func ofSystem(p expr.Path) bool {
	return p.Base == expr.Root && profile.SystemDirectory(p.Rest)
}
