package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"bwrapgen/gen"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/seccomp"
)

// explainCmd is the verb explain.
type explainCmd struct {
	Profile string   `arg:"" takes:"profile" help:"The name or path of a profile, or a launcher."`
	Path    []string `arg:"" optional:"" help:"Say what the command finds at these paths."`
	Format  string   `enum:"text,json,argv,markdown,html" default:"text" placeholder:"FORMAT" help:"text; json, the plan; argv, bwrap's command line here and now; markdown, for previews; html, a page."`
	All     bool     `help:"List each place instead of grouping those with the same access."`
	Seccomp bool     `help:"List the system calls that the filter refuses."`
	subject
}

// Run prints what the sandbox contains.
func (c explainCmd) Run(a app) error {
	if err := c.check(); err != nil {
		return err
	}
	s, err := a.named(c.Profile, c.subject, false)
	if err != nil {
		return err
	}
	if s.isStale() {
		a.line("", "", fmt.Sprintf("%q %s: this explains what bwrapgen would generate now; for the launcher as it is, use --sandbox-explain", c.Profile, s.drift.words()))
	}
	return a.artefact(c.text(a, s.sandbox))
}

func (c explainCmd) check() error {
	isText, ofPath := c.Format == "text", len(c.Path) > 0
	inWords := isText && !c.Seccomp || c.Format == "markdown"
	return firstClash([]clash{
		{c.All && (!inWords || ofPath), "leave it out", "--all is for all places, in words"},
		{c.Seccomp && !isText, "leave one of them out", fmt.Sprintf("--seccomp has no format %q", c.Format)},
		{c.Seccomp && ofPath, "leave one of them out", "--seccomp is not about a path"},
		{ofPath && !isText, "leave one of them out", fmt.Sprintf("a path is explained in words, not as %q", c.Format)},
		{c.Format == "argv" && len(c.Host) > 0, "leave one of them out", "--format argv tells what would run here, so --host has no use"},
	})
}

func (c explainCmd) text(a app, s sandbox) ([]byte, error) {
	switch {
	case c.Seccomp:
		return a.seccompTable(s.Plan)
	case len(c.Path) > 0:
		return a.explainPaths(s, c.Path)
	case c.Format == "json":
		return planJSON(s.Plan)
	case c.Format == "markdown":
		return markdown(s.Plan, c.All), nil
	case c.Format == "html":
		return html(s.Plan)
	case c.Format == "argv":
		return a.argv(s)
	}
	return words(s.Plan, c.All), nil
}

// asJSON writes what is known to have a form in JSON.
func asJSON(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(value)
	return b.Bytes()
}

// argv asks the launcher itself, which knows what the moment decides.
func (a app) argv(s sandbox) ([]byte, error) {
	script, err := finished(s)
	if err != nil {
		return nil, err
	}
	file, err := aside(s.Plan.Name, script)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(filepath.Dir(file))
	command := exec.Command("bash", "-p", file, "--sandbox-print")
	command.Stderr = a.err
	text, err := command.Output()
	if err != nil {
		return nil, failed(err, "the launcher could not print its command")
	}
	return text, nil
}

// seccompTable lists what the filter of a launcher refuses.
func (u ui) seccompTable(p plan.Plan) ([]byte, error) {
	rules := seccomp.Rules(seccomp.Level(p.Kernel.Seccomp), gen.FilterOptions(p))
	if len(rules) == 0 {
		return []byte("No system call is refused.\n"), nil
	}
	rows := [][]string{{"CALL AND ERROR", "WHEN: BECAUSE IT"}}
	for _, r := range rules {
		rows = append(rows, []string{r.Syscall + " " + r.Errno, cmp.Or(r.When, "always") + ": " + r.Why})
	}
	return u.list(rows), nil
}
