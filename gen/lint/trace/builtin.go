package trace

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// builtins are the commands that change what follows. It is set in init, since
// they call each other.
var builtins map[string]func(*starter, []*Argument)

func init() {
	builtins = map[string]func(*starter, []*Argument){
		"exec":     (*starter).execute,
		"command":  (*starter).plain,
		"builtin":  (*starter).plain,
		"env":      (*starter).environment,
		"exit":     func(s *starter, _ []*Argument) { s.t.ended = true },
		"return":   func(s *starter, _ []*Argument) { s.t.leave("return") },
		"continue": func(s *starter, _ []*Argument) { s.t.leave("continue") },
		"break":    func(s *starter, _ []*Argument) { s.t.leave("break") },
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
	}
}

func (s *starter) execute(words []*Argument) {
	s.exec, s.program = true, true
	for len(words) > 0 {
		option, _ := words[0].Text.Literal()
		switch {
		case option == "-a" && len(words) > 1:
			words = words[2:]
		case len(option) > 1 && option[0] == '-':
			s.cleared = s.cleared || strings.Contains(option, "c") && option != "--"
			words = words[1:]
		default:
			s.start(words)
			s.t.ended = true
			return
		}
	}
}

func (s *starter) plain(words []*Argument) {
	s.program = true
	for i, w := range words {
		switch option, _ := w.Text.Literal(); {
		case option == "-v" || option == "-V":
			return
		case option == "-p" || option == "--":
		default:
			s.start(words[i:])
			return
		}
	}
}

func (s *starter) environment(words []*Argument) {
	s.program = true
	for i := 0; i < len(words); i++ {
		w := words[i]
		word := w.Text.String()
		switch {
		case isBwrapWord(w) || w.Caller:
			s.start(words[i:])
			return
		case word == "-i" || word == "-" || word == "--ignore-environment":
			s.cleared = true
		case word == "-u" || word == "-C" || word == "--unset" || word == "--chdir":
			i++
		case strings.HasPrefix(word, "PATH="):
			s.given = append(s.given, *w)
			s.path = literal(strings.TrimPrefix(w.Text[0].Literal, "PATH=")).plus(w.Text[1:])
		case strings.HasPrefix(word, "-"), w.Many:
		case strings.Contains(word, "="):
			s.given = append(s.given, *w)
		default:
			s.start(words[i:])
			return
		}
	}
}

func (s *starter) settings(words []*Argument) {
	t := s.t
	for i := 0; i < len(words); i++ {
		word, known := words[i].Text.Literal()
		switch {
		case known && word == "--":
			t.now.args = words[i+1:]
			return
		case known && word == "-o" && i+1 < len(words):
			i++
			option, _ := words[i].Text.Literal()
			t.r.option(option)
		case known && len(word) > 1 && word[0] == '-':
			t.r.letters(word)
			if strings.HasSuffix(word, "o") && i+1 < len(words) {
				i++
				option, _ := words[i].Text.Literal()
				t.r.option(option)
			}
		case known && len(word) > 1 && word[0] == '+':
		default:
			t.now.args = words[i:]
			return
		}
	}
}

func (r *Reading) letters(word string) {
	r.Errexit = r.Errexit || strings.Contains(word, "e")
	r.Nounset = r.Nounset || strings.Contains(word, "u")
}

func (r *Reading) option(name string) {
	r.Errexit = r.Errexit || name == "errexit"
	r.Nounset = r.Nounset || name == "nounset"
	r.Pipefail = r.Pipefail || name == "pipefail"
}

func (s *starter) shift(words []*Argument) {
	t, n := s.t, 1
	if len(words) > 0 {
		text, ok := words[0].Text.Literal()
		if !ok || len(text) != 1 || text[0] < '0' || text[0] > '9' {
			t.shiftAway()
			return
		}
		n = int(text[0] - '0')
	}
	t.now.shifted += n
	args := t.now.args
	for ; n > 0 && len(args) > 0 && !args[0].Many && args[0].When == 0; n-- {
		args = args[1:]
	}
	switch {
	case n == 0 || len(args) == 0 || args[0].Caller:
		t.now.args = args
	default:
		t.shiftAway()
	}
}

// shiftAway forgets how many arguments there are.
func (t *tracer) shiftAway() {
	t.values++
	t.now.shifted = t.values
	if len(t.now.args) == 1 && t.now.args[0].Many {
		return
	}
	caller := slices.ContainsFunc(t.now.args, func(a *Argument) bool { return a.Caller })
	rest := t.many("@")
	rest.Caller = caller
	t.now.args = []*Argument{rest}
}

func (s *starter) unset(words []*Argument) {
	for _, w := range words {
		name, known := w.Text.Literal()
		switch {
		case !known || w.Many:
			s.t.now.dropped = true
		case name == "-f":
			return
		case !strings.HasPrefix(name, "-"):
			s.t.assign(name, holding{})
		}
	}
}

func (s *starter) read(words []*Argument) {
	for i, w := range words {
		s.fillsVariable(w, i > 0 && words[i-1].Text.Is("-a"))
	}
}

// fillsVariable gives the variable that a word names a value that the script does not tell.
func (s *starter) fillsVariable(w *Argument, array bool) {
	name, known := w.Text.Literal()
	switch {
	case !known || !syntax.ValidName(name):
	case array:
		s.t.assign(name, holding{list: []*Argument{s.t.many(name)}, array: true})
	default:
		s.t.assign(name, s.t.unknown(name))
	}
}

func (s *starter) mapfile(words []*Argument) {
	if len(words) > 0 {
		s.fillsVariable(words[len(words)-1], true)
	}
}

func (s *starter) printf(words []*Argument) {
	if len(words) > 1 && words[0].Text.Is("-v") {
		s.fillsVariable(words[1], false)
	}
	if s.t.filled != "" && len(words) > 0 && words[0].Text.Is(`%s\0`) {
		s.t.now.set(brings(s.t.filled), holding{list: words[1:], array: true})
	}
}

func (s *starter) getopts(words []*Argument) {
	if len(words) > 1 {
		s.fillsVariable(words[1], false)
	}
	s.t.assign("OPTARG", s.t.unknown("OPTARG"))
}

// cd gives PWD another value, unless the directory stays the same.
func (s *starter) cd(words []*Argument) {
	words = slices.DeleteFunc(slices.Clone(words), func(w *Argument) bool {
		return strings.HasPrefix(w.Text.String(), "-") && !w.Text.Is("-")
	})
	switch {
	case len(words) == 1 && words[0].Text.Is("."):
	case len(words) == 1 && !words[0].Many && absolute(words[0].Text):
		s.t.assign("PWD", holding{list: []*Argument{{Text: words[0].Text}}})
	default:
		s.t.assign("PWD", s.t.unknown("PWD"))
	}
}

// absolute reports whether a text begins with a slash or a value.
func absolute(t Text) bool {
	return len(t) > 0 && (t[0].Name != "" || strings.HasPrefix(t[0].Literal, "/"))
}

func (s *starter) trap(words []*Argument) {
	if len(words) < 2 {
		return
	}
	handler := words[0].Text
	for _, w := range words[1:] {
		if w.Text.Is("EXIT") || w.Text.Is("0") {
			s.t.now.exitTrap = !handler.Is("") && !handler.Is("-") && !handler.Is(":")
		}
	}
}

func (s *starter) evaluate(words []*Argument) {
	var text Text
	for _, w := range words {
		text = text.plus(w.Text).plus(literal(" "))
	}
	if evaluates(text) {
		s.t.r.Evaluated = append(s.t.r.Evaluated, s.at)
		if s.follow(text) {
			return
		}
	}
	if !s.fill(text) {
		s.anything(words)
	}
}

// anything is a command after which all may be different.
func (s *starter) anything([]*Argument) { s.t.now.changed = true }
