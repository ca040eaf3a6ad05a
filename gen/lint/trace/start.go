package trace

import (
	"slices"
	"strings"
)

// starter follows the words of one command to what it starts.
type starter struct {
	t       *tracer
	at      Position
	path    Text // of an assignment before the command
	cleared bool
	given   []Argument // NAME=VALUE, for env
	exec    bool
	program bool // another one starts it, so that it is no function
}

// wrappers are programs that run their operands.
var wrappers = []string{
	"sudo", "doas", "nice", "ionice", "timeout", "systemd-run", "strace", "ltrace", "unshare", "flock", "stdbuf", "nohup",
	"setsid", "setpriv", "taskset", "prlimit", "chrt", "time", "dbus-run-session", "catchsegv", "chronic", "numactl", "cgexec", "xvfb-run", "script", "fakeroot", "proot",
}

func (s *starter) start(words []*Argument) {
	t := s.t
	if len(words) == 0 {
		return
	}
	first := words[0]
	name, known := first.Text.Literal()
	if f, ok := t.functions[name]; ok && known && !s.program {
		t.function(f, words[1:])
		return
	}
	if isBwrapWord(first) {
		s.without(words)
		s.launch(words)
		return
	}
	if first.Caller {
		if s.program || !t.dispatches(s.at) {
			s.run(words, false)
		}
		return
	}
	if !known || first.Many {
		s.run(words, false)
		s.operands("", words)
		return
	}
	if strings.HasPrefix(name, "--") && len(name) > 2 {
		t.r.Broken = append(t.r.Broken, *first)
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if name == "[" || name == "test" {
		s.compare(words[1:])
		return
	}
	if follow, ok := builtins[name]; ok {
		follow(s, words[1:])
		return
	}
	s.run(words, false)
	s.operands(name, words[1:])
	if s.exec {
		t.ended = true
	}
}

// dispatches reports whether a command ends a script that has not called bwrap, and
// so chooses one of its functions.
func (t *tracer) dispatches(at Position) bool {
	return at == t.last && len(t.functions) > 0 && len(t.r.Launches) == 0
}

// operands starts what is among the words of a program that runs others: a call of
// bwrap, or the caller's command. A program that is not known to do so may, too.
func (s *starter) operands(program string, words []*Argument) {
	s.program = true
	known := slices.Contains(wrappers, program)
	for i, w := range words {
		switch {
		case i > 0 && words[i-1].Text.Is("-c") && evaluates(w.Text):
			s.t.r.Evaluated = append(s.t.r.Evaluated, s.at)
			s.follow(w.Text)
			return
		case isBwrapWord(w) && (known || program != "echo" && i+1 < len(words) && optional(words[i+1])), known && w.Caller:
			s.start(words[i:])
			return
		}
	}
}

// run notes a program that is started outside of bwrap.
func (s *starter) run(words []*Argument, without bool) {
	t := s.t
	if len(t.r.Runs) == maxRuns {
		return
	}
	r := Run{At: s.at, Exec: s.exec, Failed: t.now.failed, Without: without, Output: t.inside > 0}
	for _, w := range words {
		r.Words = append(r.Words, *w)
	}
	t.r.Runs = append(t.r.Runs, r)
}

// compare notes what [ compares.
func (s *starter) compare(words []*Argument) {
	var all []Text
	for _, w := range words {
		all = append(all, w.Text)
	}
	s.t.r.Tests = append(s.t.r.Tests, all)
}

// without notes what is run where the words that start bwrap are left out.
func (s *starter) without(words []*Argument) {
	if words[0].When == 0 {
		return
	}
	sure := slices.IndexFunc(words, func(w *Argument) bool { return w.When == 0 })
	var rest []*Argument
	if sure >= 0 {
		rest = words[sure:]
	} else {
		rest = slices.DeleteFunc(slices.Clone(words), func(w *Argument) bool { return w.When == words[0].When })
	}
	if len(rest) > 0 && !strings.HasPrefix(rest[0].Text.String(), "-") {
		s.run(rest, true)
	}
}

// optional reports whether a word behind bwrap's name is an option.
func optional(a *Argument) bool {
	text := a.Text.String()
	return strings.HasPrefix(text, "--") && text != "--" || a.Many
}

// evaluates reports whether a text is a call of bwrap that values are put into.
func evaluates(t Text) bool {
	if len(t) == 0 {
		return false
	}
	if _, known := t.Literal(); known {
		return false
	}
	first := strings.Fields(t[0].Literal)
	if len(first) == 0 {
		return isBwrapWord(&Argument{Text: t[:1]})
	}
	called := slices.IndexFunc(first, func(word string) bool { return isBwrapWord(&Argument{Text: literal(word)}) })
	return called == 0 || called > 0 && (slices.Contains(wrappers, first[0]) || first[0] == "exec" || first[0] == "env")
}
