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
func Load(fsys fs.FS) (Catalogue, error) {
	names, err := fs.Glob(fsys, "*.toml")
	if err != nil {
		return Catalogue{}, err
	}
	var (
		tools           []Tool
		problems, wrong problem.List
	)
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return Catalogue{}, err
		}
		tool, err := Check(name, data)
		if errors.As(err, &wrong) {
			problems = append(problems, wrong...)
		}
		tools = append(tools, tool)
	}
	all, err := Catalogue{}.Add(tools...)
	if errors.As(err, &wrong) {
		problems = append(problems, wrong...)
	}
	return all, problems.Err()
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
