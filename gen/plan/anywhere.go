package plan

import (
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/seccomp"
)

// Anywhere are the facts of a host that has all that the profile lists and all that the
// catalogue knows of the tools, at the usual places: a launcher that is made for it fits
// any machine, since each start skips what is not there. Of the project it has the
// markers.
func Anywhere(p profile.Profile, c catalogue.Catalogue, markers []string) host.Facts {
	f := host.Facts{
		Version: host.Version, OS: "linux", Home: "/home/user", Userns: true,
		Arch:    strings.Join(slices.Sorted(slices.Values(seccomp.Arches())), ","),
		Markers: markers, Paths: map[string]host.PathFact{},
	}
	add := func(path interface{ String() string }, isFile bool) {
		kind := host.Dir
		if isFile {
			kind = host.File
		}
		f.Paths[path.String()] = host.PathFact{Kind: kind}
	}
	for _, e := range p.Rules.Of(profile.Shown()...) {
		add(e.Path, e.Origin.Builtin())
	}
	for _, t := range candidates(p, c) {
		for _, e := range slices.Concat(t.Toolchain, t.Path, t.Read, t.Caches, t.Settings()) {
			add(e.Path, e.File)
		}
	}
	return f
}
