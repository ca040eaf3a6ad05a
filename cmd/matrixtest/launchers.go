package matrixtest

import (
	_ "embed" // the facts and a profile

	"bwrapgen/gen"
	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// Launchers are the names of those that are judged, in the order of the table:
// one for reading, one for daily work, one that shows the host's root, one with
// stores on the disk.
func Launchers() []string { return []string{"look", "default", "agent-code", "keep"} }

// The facts are those of two machines that are none of the machines: one like
// most, and one that runs NixOS, on another architecture.
//
//go:embed host.json
var usual []byte

//go:embed nixos.json
var nixos []byte

// keep is the profile that is not built in.
//
//go:embed keep.toml
var keep []byte

// Script writes a launcher, the same for all machines.
func Script(name string) ([]byte, error) {
	a, err := host.Read(usual)
	if err != nil {
		return nil, err
	}
	b, err := host.Read(nixos)
	if err != nil {
		return nil, err
	}
	p, err := load(name)
	if err != nil {
		return nil, err
	}
	facts := host.Union(a, b)
	facts.Bwrap = host.Program{} // any version
	built, err := plan.Build(p, catalogue.BuiltIn(), facts, plan.Options{Name: name, Source: "bwrapgen generate " + name})
	if err != nil {
		return nil, err
	}
	return gen.Launcher(built)
}

func load(name string) (profile.Profile, error) {
	l := profile.Loader{Builtin: profiles.FS}
	switch name {
	case "keep":
		return profile.Parse("keep.toml", keep, l)
	case "disk":
		return profile.Parse("disk.toml", []byte("extends = [\"default\"]\n[caches]\nstore = \"disk\"\n"), l)
	case "review":
		return profile.Parse("review.toml", []byte("extends = [\"default\"]\n[project]\naccess = \"overlay\"\n[caches]\nmode = \"none\"\n"), l)
	}
	return l.Load(name)
}
