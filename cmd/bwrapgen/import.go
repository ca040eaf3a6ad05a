package main

import (
	"fmt"

	"bwrapgen/gen/adopt"
	"bwrapgen/gen/catalogue"
)

// importCmd is the verb import.
type importCmd struct {
	File   string `arg:"" help:"Settings of another sandbox, or a script that calls bwrap; - is standard input."`
	Output string `short:"o" placeholder:"FILE" help:"Write the profile to this file, which must not exist."`
}

// Run writes the profile.
func (c importCmd) Run(a app) error {
	src, err := a.readNamed(c.File)
	if err != nil {
		return cannot("name a file that can be read", "cannot read %q: %v", c.File, reason(err))
	}
	result, err := adopt.Import(c.File, src, catalogue.BuiltIn(), a.loader())
	if err != nil {
		return err
	}
	if err := a.newFile(c.Output, result.Profile); err != nil {
		return err
	}
	if result.Left > 0 {
		a.line("", "", fmt.Sprintf("%s: %s no profile can say: see the comments at its top", c.File, counted(result.Left, "thing")))
	}
	return nil
}

// newFile writes a text to standard output, or to a file that must not exist.
func (a app) newFile(name string, text []byte) error {
	if toFile(name) == "" {
		return a.artefact(text, nil)
	}
	t, err := openTarget(name)
	if err != nil {
		return err
	}
	if t.exists {
		return cannot("choose another name, or remove it", "refusing to overwrite %q", name)
	}
	return t.write(text)
}
