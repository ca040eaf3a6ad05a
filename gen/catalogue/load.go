package catalogue

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
	"bwrapgen/profiles"
)

// BuiltIn is the catalogue that bwrapgen brings along, read once. It is not for the
// caller to change. A file of it that is wrong is a fault of the program.
var BuiltIn = sync.OnceValue(func() Catalogue {
	files, err := profiles.Tools()
	if err != nil {
		panic(err)
	}
	all, err := Load(files)
	if err != nil {
		panic(err)
	}
	return all
})

// Load reads every *.toml directly in fsys as one tool each. All problems of
// all files are reported together, as problem.List.
func Load(fsys fs.FS) (Catalogue, error) { return Catalogue{}.With(fsys) }

// With adds the tools of further file systems, in their order: a tool of the
// same name is replaced as a whole.
func (c Catalogue) With(overrides ...fs.FS) (Catalogue, error) {
	var (
		tools    []Tool
		problems problem.List
	)
	for _, fsys := range overrides {
		found, wrong, err := readAll(fsys)
		if err != nil {
			return Catalogue{}, err
		}
		tools = append(tools, found...)
		problems = append(problems, wrong...)
	}
	all, err := c.Add(tools...)
	var wrong problem.List
	if errors.As(err, &wrong) {
		problems = append(problems, wrong...)
	}
	if problems != nil {
		return Catalogue{}, problems
	}
	return all, nil
}

// Add adds tools that were read with Check; one of the same name is replaced.
// It is an error if a tool then needs one that does not exist.
func (c Catalogue) Add(tools ...Tool) (Catalogue, error) {
	known := slices.Clone(c.Tools)
	for _, t := range tools {
		i, found := slices.BinarySearchFunc(known, t.Name, compareName)
		if found {
			known[i] = t
		} else {
			known = slices.Insert(known, i, t)
		}
	}
	all := New(known)
	return all, all.needs().Err()
}

func (c Catalogue) needs() problem.List {
	var problems problem.List
	for _, t := range c.Tools {
		for i, name := range t.Needs {
			if _, ok := c.Tool(name); ok {
				continue
			}
			hint := "bwrapgen catalogue list names them"
			if near := source.Nearest(name, c.Names()); near != "" {
				hint = fmt.Sprintf("did you mean %q? %s", near, hint)
			}
			problems = append(problems, problem.Problem{
				File: t.Origin, Key: fmt.Sprintf("needs[%d]", i),
				What: fmt.Sprintf("no tool of that name: %q", name), Hint: hint,
			})
		}
	}
	return problems
}

// readAll reads the files of one folder, in the order of their names.
func readAll(fsys fs.FS) ([]Tool, problem.List, error) {
	names, err := fs.Glob(fsys, "*.toml")
	if err != nil {
		return nil, nil, err
	}
	var (
		tools    []Tool
		problems problem.List
	)
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, nil, err
		}
		tool, err := Check(name, data)
		var wrong problem.List
		errors.As(err, &wrong)
		tools, problems = append(tools, tool), append(problems, wrong...)
	}
	return tools, problems, nil
}
