// Package gen writes a plan as a launcher: a header for people, the policy
// (quoted data, and nothing else) and the parts of the engine that it needs.
//
// It is pure: it returns bytes, and touches neither the host nor any file.
package gen

import (
	"bytes"
	"cmp"
	"fmt"
	"text/template"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/templates"
)

// launcher is what the frame, launcher.sh.tmpl, sees.
type launcher struct {
	Regenerate string
	Help       bash.Comment
	Prelude    string
	Policy     string
	Marker     string
	Engine     string
}

// Launcher renders a plan as a bash script that has been checked. The same
// plan gives the same bytes. An error other than one about a text that bash
// cannot hold is a bug; it names the line.
func Launcher(p plan.Plan) ([]byte, error) {
	lines, err := help(p)
	if err != nil {
		return nil, err
	}
	text, err := bash.Prose(lines...)
	if err != nil {
		return nil, err
	}
	policy, err := writePolicy(p)
	if err != nil {
		return nil, err
	}
	parts := partsOf(p)
	script := launcher{
		Regenerate: plain(cmp.Or(p.Source, "bwrapgen generate")),
		Help:       text,
		Prelude:    templates.Part("prelude"),
		Policy:     policy,
		Marker:     marker(parts),
		Engine:     engine(parts),
	}
	frame := template.Must(template.ParseFS(templates.FS, "launcher.sh.tmpl"))
	var b bytes.Buffer
	if err := frame.Execute(&b, script); err != nil {
		return nil, fmt.Errorf("the frame failed: %v", err)
	}
	if err := bash.CheckPolicy([]byte(policy)); err != nil {
		return nil, fmt.Errorf("the policy holds what no policy may, which is a bug: %v", err)
	}
	return b.Bytes(), nil
}

// plain is a text without what would end a comment.
func plain(text string) string { return printable(text) }
