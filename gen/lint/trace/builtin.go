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
	nothing := func(*starter, []*Argument) {}
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
		"export":   nothing,
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

func (s *starter) execute(words []*Argument) {
	s.exec, s.program = true, true
	for i := 0; i < len(words); i++ {
		option, _ := words[i].Text.Literal()
		switch {
		case option == "-a":
			i++
		case option == "--":
		case len(option) > 1 && option[0] == '-':
			raise(&s.cleared, strings.Contains(option, "c"))
		default:
			s.start(words[i:])
			s.t.ended = true
			return
		}
	}
}

func (s *starter) plain(words []*Argument) {
	s.program = true
	for i, w := range words {
		switch option, _ := w.Text.Literal(); option {
		case "-v", "-V":
			return
		case "-p", "--":
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
		if w.Caller || w.IsBwrap() {
			s.start(words[i:])
			return
		}
		word := w.Text.String()
		switch word {
		case "-i", "-", "--ignore-environment":
			s.cleared = true
			continue
		case "-u", "-C", "--unset", "--chdir":
			i++
			continue
		}
		switch {
		case strings.HasPrefix(word, "-"), w.Many:
		case strings.Contains(word, "="):
			s.given = append(s.given, *w)
			if path, ok := strings.CutPrefix(w.Text[0].Literal, "PATH="); ok {
				s.path = literal(path).plus(w.Text[1:])
			}
		default:
			s.start(words[i:])
			return
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
		case len(word) > 1 && word[0] == '+':
		case len(word) > 1 && word[0] == '-':
			raise(&t.r.Errexit, strings.Contains(word, "e"))
			raise(&t.r.Nounset, strings.Contains(word, "u"))
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

func (r *Reading) option(name Text) {
	raise(&r.Errexit, name.Is("errexit"))
	raise(&r.Nounset, name.Is("nounset"))
	raise(&r.Pipefail, name.Is("pipefail"))
}

func (s *starter) shift(words []*Argument) {
	t, n := s.t, 1
	if len(words) > 0 {
		text, _ := words[0].Text.Literal()
		n = strings.Index("0123456789", text)
		if n < 0 || len(text) != 1 {
			t.shiftAway()
			return
		}
	}
	t.now.shifted += n
	args := t.now.args
	for ; n > 0 && len(args) > 0 && args[0].isOne(); n-- {
		args = args[1:]
	}
	if n > 0 && len(args) > 0 && !args[0].Caller {
		t.shiftAway()
		return
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
	for i, w := range words {
		s.fillsVariable(w, i > 0 && words[i-1].Text.Is("-a"))
	}
}

// fillsVariable gives the variable that a word names a value that the script does not tell.
func (s *starter) fillsVariable(w *Argument, array bool) {
	name, _ := w.Text.Literal()
	switch {
	case !syntax.ValidName(name):
	case array:
		s.t.assign(name, s.t.arrayOf([]*Argument{s.t.many(name)}))
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
	if len(words) < 2 {
		return
	}
	if words[0].Text.Is("-v") {
		s.fillsVariable(words[1], false)
	}
	if words[0].Text.Is(`%s\0`) && s.t.filled != "" {
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
	return len(t) > 0 && (t[0].Name != "" || strings.HasPrefix(t[0].Literal, "/"))
}

func (s *starter) trap(words []*Argument) {
	for _, w := range words[min(1, len(words)):] {
		if slices.ContainsFunc([]string{"EXIT", "0"}, w.Text.Is) {
			s.t.now.exitTrap = !slices.ContainsFunc([]string{"", "-", ":"}, words[0].Text.Is)
		}
	}
}

// compare notes what [ compares.
func (s *starter) compare(words []*Argument) {
	var all []Text
	for _, w := range words {
		all = append(all, w.Text)
	}
	s.t.r.Tests = append(s.t.r.Tests, all)
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
