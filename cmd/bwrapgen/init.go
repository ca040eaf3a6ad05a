package main

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"text/template"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/profile"
)

// initCmd is the verb init.
type initCmd struct {
	Dir    string `arg:"" optional:"" help:"The project. Without it, the working directory."`
	Output string `short:"o" placeholder:"FILE" help:"Write the profile to this file, which must not exist."`
}

// Run prints a profile for the tools that the project's files show.
func (c initCmd) Run(a app) error {
	dir, err := a.project(profile.RootGit, c.Dir) // where generate will look
	if err != nil {
		return err
	}
	all, _, err := a.catalogue()
	if err != nil {
		return err
	}
	var q host.Question
	for _, t := range all.Tools {
		q.Markers = append(q.Markers, t.Markers...)
	}
	q.Project = dir
	facts, err := a.ask(q)
	if err != nil {
		return err
	}
	text, err := draft(marked(all, facts.Markers), c.Output)
	if err != nil {
		return err
	}
	if c.Output == "" || c.Output == "-" {
		return a.artefact(text)
	}
	t, err := openTarget(c.Output)
	if err != nil {
		return err
	}
	if t.exists {
		return cannot("choose another name, or remove it", "refusing to overwrite %q", c.Output)
	}
	return t.write(text)
}

// evidence is a tool and the files that show it.
type evidence struct{ Tool, Files string }

// marked lists the tools whose markers the project has.
func marked(c catalogue.Catalogue, names []string) []evidence {
	var all []evidence
	for _, t := range c.Tools {
		var files []string
		for _, name := range names {
			if slices.ContainsFunc(t.Markers, func(m string) bool { ok, _ := path.Match(m, name); return ok }) {
				files = append(files, visible(name))
			}
		}
		if files != nil {
			all = append(all, evidence{t.Name, strings.Join(files, ", ")})
		}
	}
	return all
}

// draft fills in the profile. Its own name is for the command at its top.
func draft(tools []evidence, output string) ([]byte, error) {
	name := "box.toml"
	if output != "" && output != "-" {
		name = path.Base(output)
	}
	t, err := template.New("").Parse(draftText)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, map[string]any{
		"Profile":  shell(name),
		"Launcher": shell(strings.TrimSuffix(name, ".toml")),
		"Tools":    tools,
	})
	return b.Bytes(), err
}

const draftText = `# What a command may see and change in its sandbox. Make the launcher with
#
#   bwrapgen generate {{ .Profile }} -o {{ .Launcher }}
#
# and see what it shares with: bwrapgen explain {{ .Profile }}

about   = "Work on this project with its own tools."
extends = ["base"]  # the system, read-only: bwrapgen profiles show base

# command = ["make"]  # what the launcher runs; its arguments are appended

[project]
access = "write"      # or "read"
# protect = [".envrc"]   # read-only, because the host runs it later
# hide    = [".env"]     # unreadable inside

[toolchains]
{{- if .Tools }}
# Found here:
{{- range .Tools }}
#   {{ .Tool }}: {{ .Files }}
{{- end }}
use = [{{ range $i, $t := .Tools }}{{ if $i }}, {{ end }}"{{ $t.Tool }}"{{ end }}]
{{- else }}
# No file here shows a tool that bwrapgen knows: bwrapgen catalogue list
use = "project"       # those whose files are found when the launcher is made
{{- end }}

[caches]
mode = "keep"         # the host's are read; changes last for this project and this launcher

[filesystem]
# read  = ["~/.config/tool?"]  # ? for what may be absent
# write = []

[environment]
# pass = ["GOFLAGS"]   # everything else is dropped

[network]
mode = "host"         # or "private", without what listens on this host; "allow"; or "none"
# allow = ["github.com", "*.npmjs.org:443"]  # for "allow"
`
