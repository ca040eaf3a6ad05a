package main

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// profilesCmd is the verb profiles.
type profilesCmd struct {
	List   profilesListCmd   `cmd:"" help:"List the profiles that are built in, and your own."`
	Show   profilesShowCmd   `cmd:"" help:"Print a profile."`
	Schema profilesSchemaCmd `cmd:"" help:"Print a JSON Schema of profiles, for editors."`
}

type profilesListCmd struct{}

// Run lists the profiles, a line each.
func (c profilesListCmd) Run(a app) error {
	rows, err := a.listedProfiles()
	return a.artefact(a.list(rows), err)
}

// listedProfiles are the names of profiles and what they are for: the user's own after those built in.
func (a app) listedProfiles() ([][]string, error) {
	own, err := a.ownFiles("profiles")
	if err != nil {
		return nil, err
	}
	var rows [][]string
	builtin := a.loader().Names()
	for _, name := range builtin {
		rows = append(rows, a.profileRow(name, name))
	}
	for _, file := range own {
		name := strings.TrimSuffix(path.Base(file), ".toml")
		if slices.Contains(builtin, name) {
			name = file // by its name one gets the other
		}
		rows = append(rows, a.profileRow(name, file))
	}
	return rows, nil
}

// profileRow is a profile's line: what is wrong with it is said when it is
// used.
func (a app) profileRow(name, source string) []string {
	p, err := a.loader().Load(source)
	if err != nil {
		p.About = "(cannot be used: see bwrapgen profiles show --resolved)"
	}
	return []string{name, p.About}
}

type profilesShowCmd struct {
	Name     string `arg:"" takes:"profile" help:"The name or path of a profile, or a launcher, for the profile it was made from."`
	Resolved bool   `help:"With all that it inherits, and where each value comes from."`
}

// Run prints the profile's file, or what it amounts to.
func (c profilesShowCmd) Run(a app) error {
	texts := map[string][]byte{} // a pipe can be read only once
	l := a.loader()
	l.ReadFile = func(name string) (text []byte, err error) {
		text, err = a.readFile(name)
		texts[name] = text
		return text, err
	}
	file, err := a.profileOf(c.Name)
	if err != nil {
		return err
	}
	p, err := l.Load(file)
	if err != nil {
		return err
	}
	own := p.Sources[len(p.Sources)-1]
	text := texts[own]
	switch {
	case c.Resolved:
		text, err = p.Resolved()
	case !profile.IsFile(own):
		text, err = fs.ReadFile(profiles.FS, own+".toml")
	}
	return a.artefact(text, err)
}

type profilesSchemaCmd struct{}

// Run prints the schema.
func (c profilesSchemaCmd) Run(a app) error {
	schema, err := profile.JSONSchema()
	if err != nil {
		return err
	}
	return a.artefact(asJSON(schema), nil)
}
