package gen

import (
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/Masterminds/sprig/v3"

	"bwrapgen/gen/plan"
	"bwrapgen/templates"
)

// prose is what --sandbox-help says, before it is a word of bash.
type prose struct {
	plan.Plan
	Name, About string
	Lines       []plan.Line
}

// help is the text of --sandbox-help: the sandbox in a few lines, then the
// options.
func help(p plan.Plan) ([]string, error) {
	text := prose{Plan: p, Name: printable(p.Name), About: printable(p.About)}
	for _, l := range p.Summary() {
		text.Lines = append(text.Lines, plan.Line{Subject: l.Subject, Words: printable(l.Words)})
	}
	// Of the other functions of sprig some quote for other languages than bash, and some read
	// clocks and random numbers.
	all := sprig.HermeticTxtFuncMap()
	functions := template.FuncMap{"wrap": all["wrap"], "wrapWith": all["wrapWith"]}
	var b strings.Builder
	t := template.New("help.txt.tmpl").Option("missingkey=error").Funcs(functions)
	err := template.Must(t.ParseFS(templates.FS, "help.txt.tmpl")).Execute(&b, text)
	return strings.Split(strings.TrimSpace(b.String()), "\n"), err
}

// printable shows what a terminal should not get to see as a question mark.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
}
