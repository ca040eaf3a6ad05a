package bash

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

var testRules = Rules{
	Builtins:      []string{"printf", "exit", "trap", "local", "readonly", "type", "exec", "command", "read", "set", "eval", "echo", "declare"},
	Programs:      []string{"env", "true"},
	MaySubstitute: []string{"ask"},
	Globs:         []string{"/proc/self/fd/*"},
}

// TestCheck has, for each rule, something that it refuses and something close
// to it that it must let pass.
func TestCheck(t *testing.T) {
	const (
		forks    = " forks, and this function is not listed for that"
		quotes   = "an expansion must stand in double quotes"
		substs   = "a command substitution must stand in double quotes"
		globbing = "an unquoted glob depends on the files that happen to be there"
		tildes   = "an unquoted ~ is not always the home that the script means"
		joins    = `"$*" forgets where arguments end: write "$@"`
		literal  = "a command must be a literal word, or else nobody can read what runs"
		traps    = "a trap must name a function of this script, or be '', : or -"
	)
	tests := []struct{ name, bad, want, good string }{
		{"eval", "eval x", "1:1: eval runs text as code", "printf x"},
		{"eval after command", "command eval x", "1:9: eval runs text as code", "command -v eval"},
		{"source", "source x", "1:1: source runs a file that is not part of the script", "printf source"},
		{"dot", ". x", "1:1: . runs a file that is not part of the script", "printf ."},
		{"alias", "alias a=b", "1:1: an alias changes what the words after it mean", "a=b"},
		{"echo", "true\necho x", "2:1: echo takes some texts for options: write printf", "printf '%s' echo"},
		{"test", "test -e x", "1:1: test takes some texts for operators: write [[ ]]", "[[ -e x ]]"},
		{"bracket", "[ -e x ]", "1:1: [ takes some texts for operators: write [[ ]]", "[[ -e x ]]"},

		{"backquotes", "a=`true`", "1:3: backquotes are hard to read and to nest: write $( )", "a='`true`'"},
		{"backquotes anywhere", "ask() { a=`true`; }\nask", "1:11: backquotes are hard to read and to nest: write $( )", "ask() { a=$(true); }\nask"},
		{"coprocess", "coproc true", "1:1: a coprocess" + forks, "ask() { coproc true; }\nask"},
		{"select", "select a in b; do true; done", "1:1: select asks a person: a launcher does not", "for a in b; do true; done"},
		{"let", "let a=1", "1:1: let is a second way to write (( ))", "((a = 1))"},

		{"substitution", "a=$(true)", "1:3: a command substitution" + forks, "ask() { a=$(true); }\nask"},
		{"substitution in another", "f() { a=$(true); }\nf", "1:9: a command substitution" + forks, "ask() { f() { a=$(true); }; f; }\nask"},
		{"process", "true <(true)", "1:6: a process substitution" + forks, "ask() { true <(true); }\nask"},
		{"pipe", "true | true", "1:6: a pipe" + forks, "ask() { true | true; }\nask"},
		{"pipe of both", "true |& true", "1:6: a pipe" + forks, "true || true"},
		{"job", "true &", "1:6: a background job" + forks, "true && true"},
		{"here-document", "read -r a <<E\nx\nE", "1:11: a here-document may write a file, and this function is not listed for that", "ask() {\nread -r a <<E\nx $a\nE\n}\nask"},

		{"unquoted", "true $a", "1:6: " + quotes, `true "$a"`},
		{"unquoted in part", `true "$a"$b`, "1:10: " + quotes, `true "$a$b"`},
		{"unquoted element", "a=($b)", "1:4: " + quotes, `a=("$b")`},
		{"unquoted element of a map", "a=([x]=$b)", "1:8: " + quotes, `a=([$b]="$b")`},
		{"unquoted in list", "for a in $b; do true; done", "1:10: " + quotes, `for a in "$b"; do true; done`},
		{"unquoted in value", "a=$b/c", "1:3: " + quotes, "a=$b"},
		{"unquoted in local", "f() { local a=$b/c; }\nf", "1:15: " + quotes, "f() { local a=$b; }\nf"},
		{"unquoted name", "f() { local $a; }\nf", "1:13: " + quotes, `f() { local "$a"; }` + "\nf"},
		{"unquoted default", "true ${a:-$b}", "1:6: " + quotes + "\n1:11: " + quotes, `true "${a:-$b}"`},
		{"default in value", "a=x${a:-y}", "1:4: " + quotes, "a=${a:-$b/c}"},
		{"unquoted pattern of expansion", `a="${b#$c}"`, "1:8: " + quotes, `a="${b#"$c"}"`},
		{"unquoted replaced", `a="${b//$c/d}"`, "1:9: " + quotes, `a="${b//"$c"/d}"`},
		{"unquoted replacement", `a="${b//d/$c}"`, "1:11: " + quotes, `a="${b//d/"$c"}"`},
		{"right of test", "[[ a == $b ]]", "1:9: " + quotes, `[[ $b == "$a"* ]]`},
		{"right of regular expression", "[[ a =~ $b ]]", "1:9: " + quotes, `[[ $a =~ ^[0-9]+$ ]]`},
		{"right inside and", "[[ $a && a == $b ]]", "1:15: " + quotes, "[[ $a && ! -e $b ]]"},
		{"case pattern", "case $a in $b) true ;; esac", "1:12: " + quotes, `case $a in "$b"*) true ;; esac`},
		{"redirection", "true >$a", "1:7: " + quotes, `true >"$a"`},
		{"descriptor", "exec >&$a", "1:8: " + quotes, "exec {a}>&-"},
		{"subscript", `true ${a[$i]}`, "1:6: " + quotes, `true "${a[$i]}" "${a:$i:$i}"`},
		{"arithmetic", "true $((a)) $a", "1:13: " + quotes, "((a = $b + ${#c[@]})); for ((i = $a; i; i++)); do true; done"},
		{"unquoted substitution", "ask() { true $(true); }\nask", "1:14: " + substs, `ask() { true "$(true)"; a=$(true); }` + "\nask"},
		{"unquoted in substitution", "ask() { a=\"$(true $a)\"; }\nask", "1:19: " + quotes, "ask() { a=\"$(true \"$a\")\"; }\nask"},

		{"star", "true *", "1:6: " + globbing, `true "*" \*`},
		{"question mark", "a=(x?)", "1:4: " + globbing, "a=(x\\?)"},
		{"bracket glob", "true a[0]", "1:6: " + globbing, "true 'a[0]'"},
		{"extended glob", "true @(a|b)", "1:6: " + globbing, "[[ $a == @(a|b) ]]"},
		{"listed glob", `for a in "$b"/*; do true; done`, "1:10: " + globbing, "for a in /proc/self/fd/*; do true; done"},
		{"glob in case", "true x*", "1:6: " + globbing, "case $a in x*) a=* ;; esac"},
		{"tilde", "true ~/x", "1:6: " + tildes, "true x~ '~/x'"},
		{"tilde in value", "a=~", "1:3: " + tildes, `a="${b:-~/x}"`},

		{"joined", `a="$*"`, "1:4: " + joins, `printf '%s' "$*"`},
		{"joined array", `true "${a[*]}"`, "1:7: " + joins, `die() { true; }; die "${a[*]}" "${#a[*]}"`},

		{"expansion as command", `"$a" x`, "1:1: " + literal, `true "$a"`},
		{"quoted command", "'true'", "1:1: " + literal, "true"},
		{"expansion after exec", `exec -a x "$a"`, "1:11: " + literal, "exec -a x true"},
		{"unknown command", "curl x", `1:1: "curl" is neither a function of this script nor a listed command`, "curl() { true; }; curl x"},
		{"escaped command", `\true`, `1:1: "\\true" is neither a function of this script nor a listed command`, "true"},
		{"unknown after exec", "exec -- curl", `1:9: "curl" is neither a function of this script nor a listed command`, "exec -- true"},
		{"unlisted declaration", "typeset a=1", `1:1: "typeset" is neither a function of this script nor a listed command`, "readonly a=1"},
		{"code in trap", "trap 'rm x' EXIT", "1:6: " + traps, "trap '' INT; trap - INT; trap \"\" INT; trap -p INT"},
		{"expansion in trap", `trap -- "$a" EXIT`, "1:9: " + traps, "f() { true; }; trap -- f EXIT"},

		{"unused function", "f() { true; }", "1:1: function f is never called", "f() { true; }\nf"},
		{"function that calls itself", "true\nf() { f; }", "2:1: function f is never called", "f() { f; }\nf"},
		{"unused behind unused", "f() { true; }\ng() { f; }", "1:1: function f is never called\n2:1: function g is never called", "f() { true; }\ng() { f; }\ng"},
		{"unused, of which the value is printed", "f() { true; }\ndeclare -p f", "1:1: function f is never called", "f() { true; }\ndeclare -f f"},

		{"two at once", "true $a\ntrue $b $c", "1:6: " + quotes + "\n2:6: " + quotes + "\n2:9: " + quotes, "true"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			checks(t, test.bad, testRules, test.want)
			checks(t, test.good, testRules, "")
		})
	}
}

func TestCheckBwrap(t *testing.T) {
	const dashes = "bwrap needs -- before the command, as a word of its own"
	tests := []struct{ name, script, want string }{
		{"plain", `{ "$bwrap" "${a[@]}" -- "$@"; exit; }`, ""},
		{"through env", `{ env -i "${e[@]}" "$bwrap" "${a[@]}" -- env -- "$@"; exit; }`, ""},
		{"through exec", `{ exec env -i "$bwrap" -- "$@"; exit; }`, ""},
		{"a function that asks", "ask() { v=$(\"$bwrap\" --version); }\nask\n{ \"$bwrap\" -- x; exit; }", ""},
		{"named in a message", `{ printf '%s' "$bwrap"; "$bwrap" -- x; exit; }`, ""},
		{"no dashes", `{ "$bwrap" x; exit; }`, "1:3: " + dashes},
		{"dashes last", `{ "$bwrap" x --; exit; }`, "1:3: " + dashes},
		{"dashes of env", `{ env -- "$bwrap" x; exit; }`, "1:10: " + dashes},
		{"quoted dashes", `{ "$bwrap" "--" x; exit; }`, "1:3: " + dashes},
		{"never", "{ true; }", "1:10: bwrap is never called"},
		{"only asked", "ask() { \"$bwrap\" --version; }\n{ ask; }", "2:9: bwrap is never called"},
		{"twice", "{ \"$bwrap\" -- x; \"$bwrap\" -- y; exit; }", "1:18: bwrap is called once too often"},
		{"a part of it", `{ "${bwrap%x}" -- x; "$bwrap" -- x; exit; }`, "1:3: a command must be a literal word, or else nobody can read what runs"},
		{"in an if", `if true; then "$bwrap" -- x; exit; fi`, ""},
		{"no block", `"$bwrap" -- x`, "1:1: bwrap must be called in a { } or if that exits"},
		{"no exit", `{ "$bwrap" -- x; }`, "1:19: the run must exit in the { } or if in which bwrap is called"},
		{"again, to ask", "{ \"$bwrap\" -- x; exit; }\nv=$(\"$bwrap\" x)", ""},
		{"asked before", "v=$(\"$bwrap\" --help)\n{ \"$bwrap\" -- x; exit; }", "1:3: a command substitution forks, and this function is not listed for that\n1:5: bwrap needs -- before the command, as a word of its own\n2:3: bwrap is called once too often"},
	}
	rules := testRules
	rules.Bwrap = "bwrap"
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { checks(t, test.script, rules, test.want) })
	}
	rules.MaxBwrapCalls = 2
	checks(t, "{ \"$bwrap\" -- x; \"$bwrap\" -- y; exit; }", rules, "")
}

func TestCheckSyntax(t *testing.T) {
	err := Check([]byte("if true"), testRules)
	if problems := (Problems{}); err == nil || errors.As(err, &problems) {
		t.Errorf("got %v, want the parser's error", err)
	}
}

func TestCheckTyped(t *testing.T) {
	var problems Problems
	err := Check([]byte("true\n true $a"), testRules)
	if !errors.As(err, &problems) || !slices.Equal(positions(problems), []uint{2, 7}) {
		t.Errorf("got %#v", err)
	}
}

func positions(problems Problems) []uint {
	var at []uint
	for _, p := range problems {
		at = append(at, p.Line, p.Col)
	}
	return at
}

func checks(t *testing.T, script string, rules Rules, want string) {
	t.Helper()
	got := ""
	if err := Check([]byte(script+"\n"), rules); err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s\n got %s\nwant %s", script, strings.TrimSpace(got), want)
	}
}
