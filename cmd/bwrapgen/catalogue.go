package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
	"bwrapgen/profiles"
)

// catalogueCmd is the verb catalogue.
type catalogueCmd struct {
	List  catalogueListCmd  `cmd:"" help:"List the tools."`
	Show  catalogueShowCmd  `cmd:"" help:"Print a tool's file."`
	Check catalogueCheckCmd `cmd:"" help:"Check a tool's file."`
}

type catalogueListCmd struct{}

// Run lists the tools, a line each.
func (c catalogueListCmd) Run(a app) error {
	rows, err := a.listedTools()
	return a.artefact(a.list(rows), err)
}

// listedTools are the names of tools and what they are, with the other tools that their files cover.
func (a app) listedTools() ([][]string, error) {
	all, _, err := a.catalogue()
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, t := range all.Tools {
		about := t.About
		if len(t.Covers) > 0 {
			about += " Also: " + strings.Join(t.Covers, ", ") + "."
		}
		rows = append(rows, []string{t.Name, about})
	}
	return rows, nil
}

type catalogueShowCmd struct {
	Name string `arg:"" takes:"tool" help:"A tool, or one that another speaks for."`
}

// Run prints the file that describes the tool.
func (c catalogueShowCmd) Run(a app) error {
	all, _, err := a.catalogue()
	if err != nil {
		return err
	}
	t, ok := all.Tool(c.Name)
	if !ok {
		hint := "see bwrapgen catalogue list"
		if near := source.Nearest(c.Name, all.Names()); near != "" {
			hint = fmt.Sprintf("did you mean %q? %s", near, hint)
		}
		return cannot(hint, "no such tool: %q", c.Name)
	}
	return a.artefact(a.toolFile(t))
}

func (a app) toolFile(t catalogue.Tool) ([]byte, error) {
	if strings.Contains(t.Origin, "/") { // a built-in one has no directory in its name
		return a.readFile(t.Origin)
	}
	builtin, err := profiles.Tools()
	if err != nil {
		return nil, err
	}
	return fs.ReadFile(builtin, t.Origin)
}

type catalogueCheckCmd struct {
	File string `arg:"" help:"A tool's file, NAME.toml."`
}

// Run reports what is wrong with the file.
func (c catalogueCheckCmd) Run(a app) error {
	data, err := a.readFile(c.File)
	if err != nil {
		return failed(err, "cannot read %q", c.File)
	}
	tool, err := catalogue.Check(c.File, data)
	if err == nil {
		_, err = a.withTools(tool)
	}
	var problems problem.List
	if errors.As(err, &problems) {
		a.report(err)
		return drifted("", "%s in %q", counted(len(problems), "problem"), c.File)
	}
	return err
}

// withTools is the built-in catalogue with these tools.
func (a app) withTools(tools ...catalogue.Tool) (catalogue.Catalogue, error) {
	if len(tools) == 0 {
		return catalogue.BuiltIn(), nil
	}
	all, err := catalogue.BuiltIn().Add(tools...)
	if err != nil {
		return all, err
	}
	return all, all.Proven(tools...)
}

// catalogue is all that is known about tools: what is built in, the user's own
// files, and last those that a profile names. A later one of the same name
// counts. It also gives the files that were read.
func (a app) catalogue(named ...profile.Item) (catalogue.Catalogue, []string, error) {
	files, err := a.ownFiles("tools")
	if err != nil {
		return catalogue.Catalogue{}, nil, err
	}
	own := len(files)
	for _, item := range named {
		files = append(files, item.Text)
	}
	var tools []catalogue.Tool
	var wrong problem.List
	for i, file := range files {
		tool, err := a.tool(file)
		var unread failure
		if i >= own && errors.As(err, &unread) {
			at := named[i-own].Origin
			err = unread.At(at.File, at.Line, at.Key)
		}
		if err != nil {
			wrong = append(wrong, problems(err)...)
		}
		tools = append(tools, tool)
	}
	if wrong != nil {
		return catalogue.Catalogue{}, nil, wrong
	}
	all, err := a.withTools(tools...)
	return all, files, err
}

func (a app) tool(file string) (catalogue.Tool, error) {
	data, err := a.readFile(file)
	if err != nil {
		return catalogue.Tool{}, failed(err, "cannot read the tool file %q", file)
	}
	if !strings.Contains(file, "/") {
		file = "./" + file
	}
	return catalogue.Check(file, data)
}

// ownFiles lists the user's TOML files in a folder of the configuration, sorted.
func (a app) ownFiles(folder string) ([]string, error) {
	if a.config() == "" {
		return nil, nil
	}
	dir := filepath.Join(a.config(), folder)
	entries, err := readDir(dir)
	if err != nil {
		return nil, failed(err, "cannot read %q", a.shorten(dir))
	}
	var files []string
	for _, name := range entries {
		if strings.HasSuffix(name, ".toml") {
			files = append(files, a.shorten(filepath.Join(dir, name)))
		}
	}
	return files, nil
}
