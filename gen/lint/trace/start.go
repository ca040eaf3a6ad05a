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
		s.launch(words)
		return
	}
	if first.Caller {
		if t.inside == 0 && (s.program || !t.dispatches(s.at)) {
			t.r.Outside = append(t.r.Outside, s.at)
		}
		return
	}
	if !known || first.Many {
		s.operands("", words)
		return
	}
	if strings.HasPrefix(name, "--") && len(name) > 2 {
		t.r.Broken = append(t.r.Broken, *first)
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if follow, ok := builtins[name]; ok {
		follow(s, words[1:])
		return
	}
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
			return
		case i == 1 && s.exec && words[0].Text.Is("-c") && isShell(program) && runsArguments(w, words[2:]):
			s.t.r.Outside = append(s.t.r.Outside, s.at)
			return
		case isBwrapWord(w) && (known || program != "echo" && i+1 < len(words) && optional(words[i+1])), known && w.Caller:
			s.start(words[i:])
			return
		}
	}
}

// runsArguments reports whether a shell's -c runs what the caller asks for.
func runsArguments(text *Argument, words []*Argument) bool {
	return strings.Contains(text.Text.String(), `$@`) && slices.ContainsFunc(words, func(a *Argument) bool { return a.Caller || a.Text.Caller() })
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
