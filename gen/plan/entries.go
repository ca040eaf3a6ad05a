package plan

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// listed is what a group of the profile's own is called.
const listed = "What the profile lists besides."

// entries sorts what the profile itself lists into its place.
func (b *builder) entries() {
	fs := b.profile.Filesystem
	var own, inside []Mount
	sort := func(e profile.Entry) {
		m := mount(e)
		b.coverSystem(m)
		switch {
		case m.Target.Base == expr.Project:
			inside = append(inside, m)
		case e.Kind == profile.KindRead && b.system(m):
			own = append(own, b.stowedFile(m)...)
		default:
			own = append(own, m)
		}
	}
	for _, e := range slices.Concat(fs.Read, fs.Write, fs.Empty) {
		sort(e)
	}
	for _, e := range b.namedByGit() {
		sort(e)
	}
	hold(own)
	b.guard(own)
	b.accounts(own)
	for _, l := range fs.Link {
		own = append(own, Mount{Op: Symlink, Target: l.Path, Text: l.Target, Origin: l.Origin})
	}
	for _, e := range fs.Hide {
		b.plan.Masks = append(b.plan.Masks, mount(e))
	}
	b.plan.Groups = append(b.plan.Groups, group(listed, own)...)
	b.plan.Inside = append(b.plan.Inside, group("Inside the project, what the profile lists.", inside)...)
}

// accounts refuses to cover what the launcher writes itself: no mount can stand
// on it.
func (b *builder) accounts(own []Mount) {
	if !b.plan.System.Accounts {
		return
	}
	for _, m := range own {
		if !m.Source.Equal(m.Target) && slices.Contains(accounts, m.Target.Rest) {
			b.refuse(m.Origin, `write drop.filesystem.read = ["/etc/passwd", "/etc/group"], and show both`, "the launcher makes a %s of its own", m.Target.Rest)
		}
	}
}

func group(about string, mounts []Mount) []Group {
	if len(mounts) == 0 {
		return nil
	}
	slices.SortStableFunc(mounts, func(a, b Mount) int {
		return cmp.Compare(a.Target.String(), b.Target.String())
	})
	return []Group{{about, mounts}}
}

func mount(e profile.Entry) Mount {
	kinds := map[profile.Kind]Op{
		profile.KindRead: ROBind, profile.KindProtect: ROBind, profile.KindWrite: Bind,
		profile.KindEmpty: Tmpfs, profile.KindHide: Mask,
	}
	return Mount{
		Op: kinds[e.Kind], Source: e.Path, Target: e.Place(),
		Text: e.Content, Optional: e.Optional, Create: e.Create, Links: e.Links, Pattern: e.Pattern, Why: e.Why, Origin: e.Origin,
	}
}

// system takes the entries of the operating system, which the launcher shows
// in a shorter way than one by one. In the host base all of it is there.
func (b *builder) system(m Mount) bool {
	if b.plan.Base == profile.BaseHost {
		anyway := b.visibleAnyway(m)
		b.plan.System.Accounts = b.plan.System.Accounts || anyway && account(m)
		if anyway && !ofSystem(m.Source) {
			b.plan.Plain = append(b.plan.Plain, m)
		}
		return anyway
	}
	if !ofSystem(m.Source) || !m.Source.Equal(m.Target) || b.veiled(m.Target) {
		return false
	}
	s := &b.plan.System
	directory, name := path.Split(m.Source.Rest)
	programs := name == "bin" || name == "sbin" || strings.HasPrefix(name, "lib")
	switch {
	case account(m):
		s.Accounts = true
	case m.Source.Rest == "/etc/localtime":
		s.Time = true
		s.Zone = strings.TrimPrefix(b.facts.Timezone, "/usr/share/zoneinfo/")
	case directory == "/" && programs:
		s.Roots = append(s.Roots, m)
	case m.Optional && !b.here(m):
	case directory == "/etc/" && m.Optional:
		s.Etc = append(s.Etc, m)
	default:
		s.Mounts = append(s.Mounts, m)
	}
	return true
}

// stowedFile is what a link leads to that the host base shows, where that lies among
// the dotfiles, which are hidden: it is listed by the link.
func (b *builder) stowedFile(m Mount) []Mount {
	fact, _ := b.facts.Has(m.Source)
	inHome := expr.Below(fact.Target, b.facts.Home)
	if b.plan.Base != profile.BaseHost || !inHome || b.secret(fact.Target) {
		return nil
	}
	p := expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(fact.Target, b.facts.Home)}
	hidden := func(s catalogue.Secret) bool { return s.Kind == catalogue.Persistence && p.Below(s.Path) }
	if !slices.ContainsFunc(b.known, hidden) {
		return nil
	}
	m.Source, m.Target, m.Why = p, p, fmt.Sprintf("%s leads there", m.Source)
	return []Mount{m}
}

// accounts are the files that the launcher makes.
var accounts = []string{"/etc/passwd", "/etc/group"}

// account reports whether an entry is one of them.
func account(m Mount) bool {
	return m.Source.Base == expr.Root && slices.Contains(accounts, m.Source.Rest)
}

// visibleAnyway reports whether the host base shows a path by itself. To bind
// it once more would fail where it is a symbolic link.
func (b *builder) visibleAnyway(m Mount) bool {
	if !m.Source.Equal(m.Target) || b.veiled(m.Target) || b.changed(m.Target) {
		return false
	}
	for _, own := range []string{"/tmp/", "/var/tmp/", "/run/", "/var/run/", "/dev/", "/proc/"} {
		if strings.HasPrefix(m.Source.Rest, own) {
			return false
		}
	}
	switch m.Source.Base {
	case expr.Root:
		return !b.replaced(m.Source) && !ofOthers(m.Source)
	case expr.Home:
		return b.plan.Home == profile.HomeHost
	}
	return false
}

// changed reports whether a place lies below another that the profile has writable,
// or the sandbox's own.
func (b *builder) changed(p expr.Path) bool {
	fs := b.profile.Filesystem
	return slices.ContainsFunc(slices.Concat(fs.Write, fs.Empty, fs.Overlay), func(e profile.Entry) bool { return p.Below(e.Place()) })
}

// guard marks the entries of which only the launch can say where they lead: what
// is writable, what a variable moves, and directories, which may be links.
func (b *builder) guard(mounts []Mount) {
	for i, m := range mounts {
		mounts[i].Guarded = b.guarded(m)
	}
}

func (b *builder) guarded(m Mount) bool {
	fact, known := b.facts.Has(m.Source)
	switch {
	case m.Op == Bind:
		return !m.Device()
	case m.Op != ROBind, m.Source.Base == expr.Root, m.Held:
		return false
	case len(m.Source.Variables()) > 0:
		return true
	case known:
		return fact.Kind == host.Dir
	}
	return !m.Optional
}

// isDirectory reports whether some host has a directory there.
func (b *builder) isDirectory(p expr.Path) bool {
	fact, ok := b.facts.Has(p)
	return ok && fact.Kind == host.Dir
}

// ofSystem reports whether a path is a directory of the operating system.
func ofSystem(p expr.Path) bool { return p.Base == expr.Root && profile.SystemDirectory(p.Rest) }

// here reports whether some host has the source of a mount.
func (b *builder) here(m Mount) bool {
	_, ok := b.facts.Has(m.Source)
	return ok
}
