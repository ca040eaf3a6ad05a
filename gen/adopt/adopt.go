// Package adopt turns what other sandboxes are told into a profile: the settings of
// Claude Code, sandbox-runtime, fence and Codex, and scripts that call bwrap.
//
// It is pure. What a profile cannot express becomes a comment with the reason (reasons.toml). What is not
// understood, such as a list of another type, is an error: no denial is lost in silence.
package adopt

import (
	_ "embed"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
)

// Result is a profile, and how much of its source it does not say.
type Result struct {
	Profile []byte
	Format  string // what the source is
	Left    int    // how many comments say what could not be said
}

//go:embed reasons.toml
var reasonsText []byte

// reasons are what reasons.toml holds: a table for each kind of source.
var reasons = sync.OnceValue(func() (all struct {
	Given                    []string
	Settings, Options, Whole map[string]string
}) {
	if err := toml.Unmarshal(reasonsText, &all); err != nil {
		panic(err)
	}
	return all
})

// isJSON is how settings begin: agents allow comments in them.
var isJSON = regexp.MustCompile(`^\s*(\{|//|/\*)`)

// Import reads a file. Its name tells Codex's config.toml from the others; for the
// rest, the text does. The loader has the built-in profiles. The error is a problem.Problem,
// or one of package lint.
func Import(name string, src []byte, tools catalogue.Catalogue, l profile.Loader) (Result, error) {
	base, err := l.Load("base")
	d := &draft{file: name, from: path.Base(name), tools: tools, base: base.Rules}
	switch {
	case err != nil:
	case isJSON.Match(src):
		err = d.fromJSON(name, src)
	case strings.HasSuffix(name, ".toml"):
		err = d.codex(name, src)
	default:
		err = d.script(name, src)
	}
	if err == nil {
		err = d.faults.Err()
	}
	if err != nil {
		return Result{}, err
	}
	profile, err := d.checked(l)
	return Result{Profile: profile, Format: d.format, Left: len(d.left)}, err
}

// checked writes the profile. What the schema refuses becomes a comment with the
// schema's reason.
func (d *draft) checked(l profile.Loader) ([]byte, error) {
	d.settle()
	for range 200 {
		text, before := d.render(), len(d.left)
		_, err := profile.Parse("imported.toml", text, l)
		var wrong problem.List
		if !errors.As(err, &wrong) {
			return text, err
		}
		if d.refuse(wrong); len(d.left) == before {
			return nil, problem.New(fmt.Sprintf("the profile that was made of %q is at fault, which is a bug: %v", d.from, wrong[0]), "tell its authors")
		}
	}
	return nil, problem.New(fmt.Sprintf("%q holds too much that no profile can say", d.from), "import a part of it")
}
