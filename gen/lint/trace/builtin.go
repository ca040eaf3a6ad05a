package trace

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtins are the commands that change what follows. It is set in init, since
// they call each other.
var builtins map[string]func(*starter, []*Argument)

func init() {
	jump := func(word string) func(*starter, []*Argument) {
		return func(s *starter, _ []*Argument) { s.t.jump(word) }
	}
	builtins = map[string]func(*starter, []*Argument){
		"exec":     (*starter).execute,
		"command":  (*starter).plain,
		"builtin":  (*starter).plain,
		"env":      (*starter).environment,
		"exit":     func(s *starter, _ []*Argument) { s.t.ended = true },
		"return":   jump("return"),
		"continue": jump("continue"),
		"break":    jump("break"),
		"set":      (*starter).settings,
		"shift":    (*starter).shift,
		"unset":    (*starter).unset,
		"export":   func(*starter, []*Argument) {},
		"read":     (*starter).read,
		"mapfile":  (*starter).mapfile, "readarray": (*starter).mapfile,
		"printf": (*starter).printf,
		"cd":     (*starter).cd, "pushd": (*starter).cd, "popd": (*starter).cd,
		"trap": (*starter).trap,
		"eval": (*starter).evaluate, "source": (*starter).anything, ".": (*starter).anything,
		"getopts": (*starter).getopts,
		"[":       (*starter).compare, "test": (*starter).compare,
	}
}

// option is a word that is an option.
var option = regexp.MustCompile(`^-.`)

// options takes options from the beginning of words; some of them have an operand.
func options(words []*Argument, withOperand ...string) (given []string, rest []*Argument) {
	for len(words) > 0 {
		text, _ := words[0].Text.Literal()
		if !option.MatchString(text) {
			break
		}
		given = append(given, text)
		n := 1
		if slices.Contains(withOperand, text) {
			n = 2
		}
		words = words[min(n, len(words)):]
	}
	return given, words
}

func (s *starter) execute(words []*Argument) {
	s.call.Exec, s.program = true, true
	given, words := options(words, "-a")
	for _, one := range given {
		raise(&s.call.Cleared, strings.Contains(one, "c"))
	}
	s.start(words)
	raise(&s.t.ended, len(words) > 0)
}

func (s *starter) plain(words []*Argument) {
	s.program = true
	given, words := options(words)
	asks := func(one string) bool { return strings.EqualFold(one, "-v") }
	if !slices.ContainsFunc(given, asks) {
		s.start(words)
	}
}

func (s *starter) environment(words []*Argument) {
	s.program = true
	for i := 0; i < len(words); i++ {
		w, word := words[i], words[i].Text.String()
		name, _, assigns := strings.Cut(word, "=")
		switch {
		case w.Caller, w.IsBwrap():
			s.start(words[i:])
			return
		case slices.Contains([]string{"-i", "-", "--ignore-environment"}, word):
			s.call.Cleared = true
		case slices.Contains([]string{"-u", "-C", "--unset", "--chdir"}, word):
			i++
		case w.Many, option.MatchString(word):
		case !assigns:
			s.start(words[i:])
			return
		default:
			s.call.Given = append(s.call.Given, *w)
			if name == "PATH" {
				s.call.Path = literal(strings.TrimPrefix(w.Text[0].Literal, "PATH=")).plus(w.Text[1:])
			}
		}
	}
}

// settings follows set: options, and then the script's arguments.
func (s *starter) settings(words []*Argument) {
	t := s.t
	for i := 0; i < len(words); i++ {
		word, _ := words[i].Text.Literal()
		switch {
		case word == "--":
			t.now.args = words[i+1:]
			return
		case strings.HasPrefix(word, "+"):
		case option.MatchString(word):
			t.r.letters(word)
			if strings.HasSuffix(word, "o") && i+1 < len(words) {
				i++
				t.r.option(words[i].Text)
			}
		default:
			t.now.args = words[i:]
			return
		}
	}
}

// letters takes options of a shell, of one letter each: -eu.
func (r *Reading) letters(word string) {
	raise(&r.Errexit, strings.Contains(word, "e"))
	raise(&r.Nounset, strings.Contains(word, "u"))
}

func (r *Reading) option(name Text) {
	raise(&r.Errexit, name.Is("errexit"))
	raise(&r.Nounset, name.Is("nounset"))
	raise(&r.Pipefail, name.Is("pipefail"))
}

func (s *starter) shift(words []*Argument) {
	t, n := s.t, 1
	if len(words) > 0 {
		text, _ := words[0].Text.Literal()
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.shiftAway()
			return
		}
	}
	t.now.shifted += n
	args := t.now.args
	for range n {
		if len(args) == 0 || args[0].Caller {
			break
		}
		if !args[0].isOne() {
			t.shiftAway()
			return
		}
		args = args[1:]
	}
	t.now.args = args
}

// shiftAway forgets how many arguments there are.
func (t *tracer) shiftAway() {
	t.values++
	t.now.shifted = t.values
	if len(t.now.args) == 1 && t.now.args[0].Many {
		return
	}
	rest := t.many("@")
	rest.Caller = t.now.fromCaller()
	t.now.args = []*Argument{rest}
}

func (s *starter) unset(words []*Argument) {
	for _, w := range words {
		name, known := w.Text.Literal()
		switch {
		case !known, w.Many:
			s.t.now.dropped = true
		case name == "-f":
			return
		case !strings.HasPrefix(name, "-"):
			s.t.assign(name, holding{})
		}
	}
}

func (s *starter) read(words []*Argument) {
	for i := range words {
		array := i > 0 && words[i-1].Text.Is("-a")
		s.fill(words[i:i+1], array)
	}
}

// fill gives the variables that words name values that the script does not tell.
func (s *starter) fill(words []*Argument, array bool) {
	for _, w := range words {
		name, _ := w.Text.Literal()
		switch {
		case !syntax.ValidName(name):
		case array:
			s.t.assign(name, s.t.arrayOf([]*Argument{s.t.many(name)}))
		default:
			s.t.assign(name, s.t.unknown(name))
		}
	}
}

func (s *starter) mapfile(words []*Argument) { s.fill(words[max(0, len(words)-1):], true) }

func (s *starter) printf(words []*Argument) {
	if len(words) > 1 && words[0].Text.Is("-v") {
		s.fill(words[1:2], false)
	}
}

func (s *starter) getopts(words []*Argument) {
	s.fill(words[min(1, len(words)):min(2, len(words))], false)
	s.t.assign("OPTARG", s.t.unknown("OPTARG"))
}

// cd gives PWD another value, unless the directory stays the same.
func (s *starter) cd(words []*Argument) {
	_, words = options(words)
	to := Text{}
	if len(words) == 1 && !words[0].Many {
		to = words[0].Text
	}
	switch {
	case to.Is("."):
	case isAbsolute(to):
		s.t.assign("PWD", scalar(&Argument{Text: to}))
	default:
		s.t.assign("PWD", s.t.unknown("PWD"))
	}
}

// isAbsolute reports whether a text begins with a slash or a value.
func isAbsolute(t Text) bool {
	return beginsPath.MatchString(t.First().String())
}

var beginsPath = regexp.MustCompile(`^[/$]`)

func (s *starter) trap(words []*Argument) {
	for _, w := range words[min(1, len(words)):] {
		if slices.ContainsFunc([]string{"EXIT", "0"}, w.Text.Is) {
			s.t.now.exitTrap = !slices.ContainsFunc([]string{"", "-", ":"}, words[0].Text.Is)
		}
	}
}

// compare notes what [ compares.
func (s *starter) compare(words []*Argument) {
	compared(s.t.r, words, func(w *Argument) Text { return w.Text })
}

func (s *starter) evaluate(words []*Argument) {
	var text Text
	for _, w := range words {
		text = text.plus(w.Text).plus(literal(" "))
	}
	if evaluates(text) {
		s.t.r.Evaluated = append(s.t.r.Evaluated, s.call.At)
		if s.follow(text) {
			return
		}
	}
	if !s.add(text) {
		s.anything(words)
	}
}

// anything is a command after which all may be different.
func (s *starter) anything([]*Argument) { s.t.now.changed = true }
