package profile

import (
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// Expectation is what the author of a profile says of its sandbox, to be tried by
// bwrapgen test. It has one subject: a path, a variable, a host or a command.
type Expectation struct {
	Path     expr.Path
	Variable string
	Host     string // with a port; or Self
	Run      []string
	Is       string // of Expectable; of a command, nothing
	Status   int    // of the command
	Output   string // what the command's output holds, or what the variable is
	Why      string
	When     string // a program: without it inside, the expectation is left out
	Origin   Origin
}

// Self is the host as an Expectation names it: somebody who listens there.
const Self = "127.0.0.1"

// Expectable lists what can be expected of a subject: path, variable or host.
func Expectable(subject string) []string {
	return map[string][]string{
		"path":     {"readable", "unreadable", "read-only", "writable", "absent"},
		"variable": {"set", "unset"},
		"host":     {"reached", "unreached"},
	}[subject]
}

// expectNames are the keys of an expectation.
func expectNames() []string {
	return []string{"path", "variable", "host", "run", "is", "status", "output", "why", "when"}
}

// Subject names what is expected something of, in the words of the profile.
func (e Expectation) Subject() string {
	switch {
	case !e.Path.IsZero():
		return e.Path.String()
	case e.Variable != "":
		return "$" + e.Variable
	case e.Host != "":
		return e.Host
	}
	return strings.Join(e.Run, " ")
}

// String is the expectation as a sentence.
func (e Expectation) String() string {
	words := e.Subject() + " is " + e.Is
	switch {
	case len(e.Run) > 0:
		words = e.Subject() + " ends with " + strconv.Itoa(e.Status)
		if e.Output != "" {
			words += " and says " + source.Quote(e.Output)
		}
	case e.Output != "":
		words = e.Subject() + " is " + source.Quote(e.Output)
	}
	return words
}

// expectations reads [[expect]]. One about the same subject takes the place of an
// inherited one: a profile may promise something else than what it extends.
func (r *reader) expectations(f field, to *[]Expectation, value any) {
	var list []map[string]any
	switch value := value.(type) {
	case []map[string]any:
		list = value
	case []any:
		for _, v := range value {
			table, _ := v.(map[string]any)
			list = append(list, table)
		}
	}
	if list == nil || slices.ContainsFunc(list, func(table map[string]any) bool { return table == nil }) {
		r.fail(f.key, wrongType(value, "a list of tables", `[[expect]]`))
		return
	}
	all := slices.Clone(*to)
	for i, table := range list {
		e, ok := r.expectation(f.key+source.Index(i), table)
		if !ok {
			continue
		}
		all = slices.DeleteFunc(all, func(old Expectation) bool {
			return old.Subject() == e.Subject() && old.Origin.File != e.Origin.File
		})
		all = append(all, e)
	}
	*to = all
}

func (r *reader) expectation(key string, table map[string]any) (Expectation, bool) {
	e := Expectation{Origin: r.origin(key)}
	good := true
	for _, name := range r.source.Names(table, key) {
		at := source.Join(key, name)
		if bad := r.expect(&e, name, at, table[name]); bad.What != "" {
			r.fail(at, bad)
			good = false
		}
	}
	if bad := e.judge(table); good && bad.What != "" {
		r.fail(key, bad)
		good = false
	}
	return e, good
}

// expect reads one key of an expectation.
func (r *reader) expect(e *Expectation, name, key string, value any) problem.Problem {
	texts := map[string]*string{"variable": &e.Variable, "host": &e.Host, "is": &e.Is, "output": &e.Output, "why": &e.Why, "when": &e.When}
	switch to := texts[name]; {
	case to != nil:
		text, ok := value.(string)
		if !ok || text == "" {
			return wrongType(value, "a text", name+` = "..."`)
		}
		*to = text
		return checkExpected(name, text)
	case name == "path":
		text, ok := value.(string)
		if !ok {
			return wrongType(value, "a path", `path = "~/.ssh"`)
		}
		p, err := parse(text)
		if err != nil {
			return badPath(err, text)
		}
		e.Path = p
	case name == "status":
		number, ok := value.(int64)
		if !ok || number < 0 || number > 255 {
			return wrongType(value, "an exit status", "status = 0")
		}
		e.Status = int(number)
	case name == "run":
		for _, i := range r.texts(field{check: checkArgument}, key, value) {
			e.Run = append(e.Run, i.Text)
		}
	default:
		return problem.New("unknown key in an expectation: "+source.Quote(name), "an expectation knows "+strings.Join(expectNames(), ", "))
	}
	return problem.Problem{}
}

func checkExpected(name, text string) problem.Problem {
	switch {
	case name == "variable":
		return checkVariable(text)
	case name == "host" && text != Self:
		if d, ok := ParseDestination(text); !ok || d.Port == 0 {
			return problem.New("not a host with its port: "+source.Quote(text), `write host = "example.org:443"; or "`+Self+`", for what listens on this machine`)
		}
	case name == "output":
		return checkArgument(text)
	case name == "why" || name == "when":
		return checkLine(text)
	}
	return problem.Problem{}
}

// judge says what is wrong with an expectation as a whole.
func (e Expectation) judge(table map[string]any) problem.Problem {
	var subjects []string
	for _, name := range []string{"path", "variable", "host", "run"} {
		if _, ok := table[name]; ok {
			subjects = append(subjects, name)
		}
	}
	if len(subjects) != 1 {
		return problem.New("an expectation is about one thing", "write path, variable, host or run")
	}
	known := Expectable(subjects[0])
	_, hasStatus := table["status"]
	isRun := subjects[0] == "run"
	hasIs := e.Is != "" || subjects[0] == "variable" && e.Output != ""
	hasNoOutput := slices.Contains([]string{"path", "host"}, subjects[0])
	switch {
	case isRun && e.Is != "", !isRun && hasStatus, hasNoOutput && e.Output != "":
		return problem.New("what is expected does not fit "+subjects[0], `a command has status and output, a variable is or output, the others is`)
	case isRun && len(e.Run) == 0:
		return problem.New("no command", `write run = ["git", "status"]`)
	case !isRun && !hasIs, e.Is != "" && !slices.Contains(known, e.Is):
		return problem.New("not what a "+subjects[0]+" can be: "+source.Quote(e.Is), "write is = "+quotedOr(known))
	}
	return problem.Problem{}
}

// toml prints an expectation as a table in one line.
func (e Expectation) toml() string {
	var parts []string
	add := func(name, text string) {
		if text != "" {
			parts = append(parts, name+" = "+source.Quote(text))
		}
	}
	add("path", e.Path.String())
	add("variable", e.Variable)
	add("host", e.Host)
	if len(e.Run) > 0 {
		parts = append(parts, "run = "+quoteAll(e.Run))
	}
	add("is", e.Is)
	if e.Status != 0 {
		parts = append(parts, "status = "+strconv.Itoa(e.Status))
	}
	add("output", e.Output)
	add("why", e.Why)
	add("when", e.When)
	return "{ " + strings.Join(parts, ", ") + " }"
}

// shapeOfExpectation is its JSON Schema, but for what the reference says of its keys.
func shapeOfExpectation(name string) map[string]any {
	switch name {
	case "run":
		return listOf(typed("string"))
	case "status":
		return map[string]any{"type": "integer", "minimum": 0, "maximum": 255}
	case "is":
		return map[string]any{"enum": slices.Concat(Expectable("path"), Expectable("variable"), Expectable("host"))}
	}
	return typed("string")
}
