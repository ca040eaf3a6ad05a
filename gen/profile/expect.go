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

// fields are the keys of an expectation.
func (e *Expectation) fields() []field {
	is := text("is", &e.Is, every(notEmpty, checkLine))
	is.shape = map[string]any{"enum": slices.Concat(Expectable("path"), Expectable("variable"), Expectable("host"))}
	status := count("status", &e.Status)
	status.shape = map[string]any{"type": "integer", "minimum": 0, "maximum": 255}
	return []field{
		pathText("path", &e.Path, func(text string) (bad problem.Problem) {
			e.Path, bad = parse(text)
			return bad
		}),
		text("variable", &e.Variable, checkVariable),
		text("host", &e.Host, checkListener),
		words("run", &e.Run),
		is, status,
		text("output", &e.Output, every(notEmpty, checkArgument)),
		text("why", &e.Why, every(notEmpty, checkLine)),
		text("when", &e.When, every(notEmpty, checkLine)),
	}
}

func checkListener(text string) problem.Problem {
	d, ok := ParseDestination(text)
	isListener := ok && d.Port != 0
	if text == Self || isListener {
		return problem.Problem{}
	}
	return wrong(`write host = "example.org:443"; or "`+Self+`", for what listens on this machine`,
		"not a host with its port: %q", text)
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

// expectations is [[expect]]. One about the same subject takes the place of an
// inherited one: a profile may promise something else than what it extends.
func expectations(key string, to *[]Expectation) field {
	return field{
		key: key, kind: "a list of tables", shape: listOf(map[string]any{"$ref": "#/$defs/expectation"}),
		read: func(r *reader, key string, value any) bool {
			list, ok := value.([]any)
			all := slices.Clone(*to)
			for i, v := range list {
				table, isTable := v.(map[string]any)
				ok = ok && isTable
				e := Expectation{Origin: r.origin(key + source.Index(i))}
				if isTable && r.expectation(&e, table) {
					isOld := func(old Expectation) bool {
						return old.Subject() == e.Subject() && old.Origin.File != e.Origin.File
					}
					all = append(slices.DeleteFunc(all, isOld), e)
				}
			}
			if !ok {
				r.fail(key, wrongType(value, "a list of tables", `[[expect]]`))
			}
			*to = all
			return false
		},
		elements: func() []element {
			return elements(*to, Expectation.toml, func(e Expectation) Origin { return e.Origin })
		},
	}
}

func (e Expectation) toml() string { return inline(e.fields()) }

func (r *reader) expectation(e *Expectation, table map[string]any) bool {
	if !r.inline(e.Origin.Key, "an expectation", table, e.fields()) {
		return false
	}
	bad := e.judge(table)
	if bad.What != "" {
		r.fail(e.Origin.Key, bad)
	}
	return bad.What == ""
}

// judge says what is wrong with an expectation as a whole.
func (e Expectation) judge(table map[string]any) problem.Problem {
	fitting := map[string][]string{
		"path": {"is"}, "variable": {"is", "output"}, "host": {"is"}, "run": {"status", "output"},
	}
	var subjects []string
	for name := range table {
		if fitting[name] != nil {
			subjects = append(subjects, name)
		}
	}
	if len(subjects) != 1 {
		return problem.New("an expectation is about one thing", "write path, variable, host or run")
	}
	subject := subjects[0]
	for _, name := range []string{"is", "status", "output"} {
		if table[name] != nil && !slices.Contains(fitting[subject], name) {
			return problem.New("what is expected does not fit "+subject,
				`a command has status and output, a variable is or output, the others is`)
		}
	}
	known := Expectable(subject)
	isOutput := e.Is == "" && e.Output != ""
	switch {
	case subject == "run" && len(e.Run) == 0:
		return problem.New("no command", `write run = ["git", "status"]`)
	case e.Status > 255:
		return wrong("write 0 to 255", "not an exit status: %d", e.Status)
	case subject == "run", isOutput, slices.Contains(known, e.Is):
		return problem.Problem{}
	}
	return wrong("write is = "+quotedOr(known), "not what a %s can be: %q", subject, e.Is)
}
