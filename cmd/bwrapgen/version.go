package main

import (
	"fmt"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"bwrapgen/gen"
)

// versionFlag prints the versions of the program and of its engine, and ends.
type versionFlag bool

// BeforeReset prints the version before kong looks for what is missing.
func (versionFlag) BeforeReset(ctx *kong.Context) error {
	if _, err := fmt.Fprintf(ctx.Stdout, "bwrapgen %s, engine %d\n", version(), gen.EngineVersion); err != nil {
		return unwritten(err)
	}
	return errShown
}

// version is what the go command has written into the program: a tag, or a
// pseudo-version of the commit, with +dirty where the tree had changes.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
