// Command bwrapgen reads a small profile, looks at the host and writes a
// launcher: one bash script that starts a command in a bubblewrap sandbox.
//
// This package knows the command line, the terminal, and how a file is
// replaced. What a sandbox contains is decided in package plan, and what a
// script looks like in package gen, which shows the way of the data.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/alecthomas/kong"

	"bwrapgen/gen"
)

func main() {
	os.Exit(Do(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Do runs the program with its arguments and returns its exit status. It ends
// no process.
func Do(args []string, in io.Reader, out, err io.Writer) int {
	a := newApp(in, out, err)
	failure := a.run(args)
	if failure == nil {
		return statusDone
	}
	a.report(failure)
	return statusOf(failure)
}

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
