// Package trace follows a bash script to its calls of bwrap: through assignments,
// arrays, functions and branches, as far as the text tells. It runs nothing.
package trace

import (
	"bytes"
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Position is a place in a script. Both count from 1.
type Position struct{ Line, Column uint }

// Argument is one word that bwrap gets, or a place where any number of words
// may stand.
type Argument struct {
	Text   Text
	At     Position // where the word is written
	Many   bool     // any number of words, which the script does not tell
	Caller bool     // the script's own arguments, Many
	Split  Position // where bash may split what it stands for, for want of quotes
	When   int      // the branch in which it is added; 0: always
}

// isOne reports whether a word is one word for sure.
func (a *Argument) isOne() bool { return !a.Many && a.When == 0 }

// OfCaller reports whether a word is of the script's own arguments, or has a part of them.
func (a Argument) OfCaller() bool { return a.Caller || a.Text.Caller() }

// Shown are words as a sentence shows them.
func Shown(words []Argument) []string {
	var all []string
	for _, w := range words {
		all = append(all, w.Text.String())
	}
	return all
}

// Unquoted reports whether bash may split what the word stands for.
func (a Argument) Unquoted() bool { return a.Split.Line > 0 }

// Launch is a call of bwrap.
type Launch struct {
	At        Position
	Program   Text // the word that names bwrap
	Arguments []Argument
	Exec      bool       // bwrap takes the place of the script
	Cleared   bool       // bwrap gets an empty environment, or a list of names
	Given     []Argument // NAME=VALUE, of env -i
	Dropped   bool       // variables are dropped whose names the script does not tell
	ExitTrap  bool       // a handler waits for the script's end
	Path      Text       // the PATH in which bwrap is looked for; nil: the caller's
	Changed   bool       // a file was sourced or a text evaluated before: it may have done anything
	Status    Status
	Never     Position // a command that cleans up behind exec, which bash does not come to
}

// Status says what becomes of the exit status of a call.
type Status uint8

// What may become of it.
const (
	StatusUsed    Status = iota // the script looks at it, or ends with it
	StatusPiped                 // the pipe's last command has its own, and there is no pipefail
	StatusIgnored               // || true
	StatusCovered               // other commands follow, and nothing looks at it
)

// Run is another program that the script starts, outside of bwrap.
type Run struct {
	At      Position
	Words   []Argument
	Exec    bool // it takes the place of the script
	Failed  bool // where bwrap is missing, or has failed
	Beside  bool // in a branch beside which another one calls bwrap
	Without bool // words that would start bwrap are left out before it
	Output  bool // in $( ): for what it prints
}

// Reading is what there is to know about a script that calls bwrap.
type Reading struct {
	Launches  []Launch
	Evaluated []Position // calls of bwrap that are text, for eval or a shell's -c
	Runs      []Run      // the programs that are started outside
	Tests     [][]Text   // what the script compares with each other, a test at a time
	Broken    []Argument // a command that begins with --, as after a lost backslash
	First     Position   // the first command outside of functions; zero: there is none
	Comments  []Annotation

	Interpreter string // the first line, without #!
	Errexit     bool   // by set, or in the first line
	Nounset     bool
	Pipefail    bool
	Pipes       bool // commands are joined by |
	Expands     bool // variables are used
	Commands    int  // how many there are
	StatusRead  bool // the exit status of some command is looked at
	Closes      bool // descriptors are closed whose numbers are found at run time
	Lost        bool // the script does too much to be followed to its end
}

var errNotBash = errors.New("its first line names another interpreter than a shell")

// Read follows a script through assignments, arrays, functions and branches to
// its calls of bwrap, as far as the text tells: it runs nothing. Calls that only
// ask bwrap for its version or its options are left out.
//
// The error says why src is no script for bash.
func Read(src []byte) (Reading, error) {
	r := Reading{}
	if r.Interpreter = interpreter(src); !isShell.MatchString(r.Interpreter) {
		return r, errNotBash
	}
	for _, word := range shellLetters.FindAllString(r.Interpreter, -1) {
		r.letters(word)
	}
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	file, err := parser.Parse(bytes.NewReader(src), "")
	if err != nil {
		return r, err
	}
	r.Comments = annotations(file)
	t := newTracer(file, &r)
	t.look(file)
	t.run(file)
	slices.SortStableFunc(r.Launches, func(a, b Launch) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column))
	})
	return r, nil
}

// shellLetters are options of one letter each in a first line.
var shellLetters = regexp.MustCompile(`\s-[^-\s]+`)

// ofNixShell is the name of an interpreter in lines for nix-shell.
var ofNixShell = regexp.MustCompile(`^#!.*nix-shell.*\n(?:#!\s*nix-shell(?:\s.*)?\n)*?#!\s*nix-shell\s(?:.*\s)?-i\s+(\S+)`)

// interpreter is the first line, without #!. nix-shell looks for it in further lines that
// begin with #! nix-shell (nix-shell(1)).
func interpreter(src []byte) string {
	if named := ofNixShell.FindSubmatch(src); named != nil {
		return string(named[1])
	}
	line, _, _ := strings.Cut(string(src), "\n")
	line, is := strings.CutPrefix(line, "#!")
	if !is {
		return ""
	}
	return strings.TrimSpace(line)
}

// isShell is a first line that names a shell whose language bash reads, or nothing.
var isShell = regexp.MustCompile(`^$|(^|[\s/])(bash|sh|dash|ash|ksh|busybox)(\s|$)`)

func position(p syntax.Pos) Position { return Position{p.Line(), p.Col()} }
