package trace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// bwrapName is a variable that holds bwrap's path, by its name.
var bwrapName = regexp.MustCompile(`(?i)(^|_)(bwrap|bubblewrap)(_?(bin|binary|path|exe|cmd|command|program))?$`)

// IsBwrap reports whether a word names bwrap.
func (a Argument) IsBwrap() bool { return isBwrapWord(&a) }

func isBwrapWord(a *Argument) bool {
	if a.Caller || len(a.Text) == 0 {
		return false
	}
	last := a.Text[len(a.Text)-1]
	if len(a.Text) == 1 && last.Name != "" {
		return bwrapName.MatchString(last.Name) || last.Default != nil && isBwrapWord(&Argument{Text: last.Default})
	}
	if last.Name != "" {
		return false
	}
	base := last.Literal[strings.LastIndexByte(last.Literal, '/')+1:]
	if filledIn, ok := strings.CutPrefix(base, "@"); ok && bwrapName.MatchString(strings.TrimSuffix(filledIn, "@")) {
		return true // what a build puts in, as @bwrap@
	}
	return (base == "bwrap" || base == "bubblewrap") && (len(a.Text) == 1 || base != last.Literal)
}

// launch notes a call of bwrap.
func (s *starter) launch(words []*Argument) {
	t := s.t
	if s.exec {
		defer func() { t.ended = true }()
	}
	l := Launch{
		At: words[0].At, Program: words[0].Text, Exec: s.exec, Cleared: s.cleared, Given: s.given,
		Dropped: t.now.dropped, Changed: t.now.changed, ExitTrap: t.now.exitTrap, Path: s.path, Status: t.status,
	}
	if l.At.Line == 0 {
		l.At = s.at
	}
	if !t.final && !s.exec && l.Status == StatusUsed {
		l.Status = StatusCovered
	}
	if v, ok := t.now.get("PATH"); l.Path == nil && ok && len(v.list) > 0 {
		l.Path = v.list[0].Text
	}
	for _, w := range t.brought(words[1:]) {
		l.Arguments = append(l.Arguments, *w)
	}
	key := fmt.Sprint(t.textAt, l.key())
	switch {
	case asks(l) || t.seen[key]:
	case len(t.r.Launches) == maxCalls:
		t.r.Lost = true
	default:
		t.seen[key] = true
		t.r.Launches = append(t.r.Launches, l)
	}
}

// brings is what stands for the words of a descriptor among the variables.
func brings(descriptor string) string { return "--args " + descriptor }

// brought has what the script has written to a descriptor in the place of --args N.
func (t *tracer) brought(words []*Argument) []*Argument {
	for i := 0; i+1 < len(words); i++ {
		if v, ok := t.now.get(brings(words[i+1].Text.String())); ok && words[i].Text.Is("--args") && words[i].When == 0 {
			return slices.Concat(words[:i], v.list, words[i+2:])
		}
	}
	return words
}

// key is the same for two calls that are written in one place and read alike.
func (l Launch) key() string {
	var b strings.Builder
	fmt.Fprint(&b, l.At, l.Cleared, l.Dropped, l.Changed, l.ExitTrap)
	for _, a := range l.Arguments {
		fmt.Fprint(&b, a.At, a.Text, a.Many, a.When != 0)
	}
	return b.String()
}

// asks reports whether a call only asks bwrap what it is.
func asks(l Launch) bool {
	if len(l.Arguments) == 0 {
		return true
	}
	return l.Arguments[0].Text.Is("--help") || l.Arguments[0].Text.Is("--version")
}
