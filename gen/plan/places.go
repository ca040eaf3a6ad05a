package plan

import (
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/profile"
)

// Places are where project and home stand inside, if not at their own paths.
type Places struct{ Project, Home expr.Path }

// Relocated reports whether something stands elsewhere inside than on the host.
func (p Places) Relocated() bool { return p != Places{} }

// Displaced reports whether the command finds a path of the host elsewhere: what
// has moved, or a directory of the store.
func (p Plan) Displaced() bool {
	return p.Places.Relocated() || p.Home == profile.HomeKeep || p.Tmp != profile.TmpEmpty
}

// places refuses those that would hide each other, or that the host's read-only
// root has no room for.
func (b *builder) places() Places {
	project, home := b.profile.Project.At, b.profile.Home.At
	if expr.Within(home.Rest, project.Rest) {
		b.refuse(b.profile.Origins["home.at"], "name a place outside the project's",
			"home would hide the project, which is at %q", project)
	}
	if !b.onHost() {
		return Places{project, home}
	}
	if path.Dir(home.Rest) == "/" {
		b.refuse(b.profile.Origins["home.at"], `write for example "/home/sandbox"`,
			"the host's root has no room for %q", home)
	}
	if !project.IsZero() && !within(project, b.rooms()...) {
		b.refuse(b.profile.Origins["project.at"], "write a place below "+strings.Join(b.rooms(), " or "),
			"the host's root has no room for %q", project)
	}
	return Places{project, home}
}

// rooms are the directories of the host base that are the sandbox's own, and of
// which a profile may name a place.
func (b *builder) rooms() []string {
	rooms := []string{"/var/tmp"}
	if room := b.homeRoom(); room != "/" {
		rooms = append(rooms, room)
	}
	return rooms
}

// homeRoom is the directory in which a profile places home; the root's own, if it places
// none.
func (b *builder) homeRoom() string { return path.Dir("/" + b.profile.Home.At.Rest) }

// wholeHost reports whether the host's files are shown as they are, home with them.
func (b *builder) wholeHost() bool {
	return b.onHost() && !b.ownHome()
}

// replaced reports whether the host base hides a path for home's sake.
func (b *builder) replaced(p expr.Path) bool {
	hidden := []string{b.facts.Home}
	if !b.profile.Home.At.IsZero() {
		hidden = append(hidden, b.homeRoom())
	}
	return b.ownHome() && within(p, hidden...)
}

// OtherHomes are the directories of the host base in which other people's homes
// lie, so that nothing of them is shown.
func OtherHomes() []string { return []string{"/home", "/root"} }

// ofOthers reports whether a path leads there.
func ofOthers(p expr.Path) bool {
	return within(p, OtherHomes()...)
}

// within reports whether an absolute path is one of some directories or lies below one.
func within(p expr.Path, directories ...string) bool {
	return slices.Contains(directories, p.String()) || below(p, directories...)
}

// below reports whether an absolute path lies below one of some directories.
func below(p expr.Path, directories ...string) bool {
	isBelow := func(top string) bool { return expr.Below(p.Rest, top) }
	return p.Base == expr.Root && slices.ContainsFunc(directories, isBelow)
}

// credentials stand where the host's paths say, as all mounts do until project
// and home are moved.
func (b *builder) credentials() Mounts {
	project, home := b.profile.Project.At, b.profile.Home.At
	var all Mounts
	for _, e := range b.profile.Rules.Of(profile.KindCredential) {
		m := mount(e)
		switch at := m.Target; {
		case at.Base != expr.Root:
		case expr.Within(at.Rest, project.Rest):
			m.Target = expr.Path{Base: expr.Project, Rest: strings.TrimPrefix(at.Rest, project.Rest)}
		case expr.Within(at.Rest, home.Rest):
			m.Target = expr.Path{Base: expr.Home, Rest: strings.TrimPrefix(at.Rest, home.Rest)}
		}
		all = append(all, m)
	}
	return all
}
