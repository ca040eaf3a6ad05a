package trace

import (
	"slices"
	"strings"
	"testing"
)

// TestRead: what bwrap gets, however the script puts it together. ? stands before
// words of a branch, * before what may be any number of words.
func TestRead(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"literal", `bwrap --bind / / -- ls`, `--bind / / -- ls`},
		{"quotes", `bwrap "a b" 'c d' $'e\tf' g\ h "" x"y"'z'`, "a b|c d|e\tf|g h||xyz"},
		{"continued", "bwrap --a \\\n  --b", `--a --b`},
		{"variables", `a=x; b=$a/y; bwrap "$b" "$HOME/.ssh" ${c}d`, `x/y $HOME/.ssh *${c}d`},
		{"tilde", `bwrap ~/x "~/y"`, `$HOME/x ~/y`},
		{"braces", `bwrap /opt{,} {a,b}c "$HOME"{,}`, `/opt /opt ac bc $HOME $HOME`},
		{"array", `a=(x "y z"); a+=(w); bwrap "${a[@]}" "${a[1]}"`, `x|y z|w|y z`},
		{"joined array", `a=(x y); bwrap "1${a[@]}2"`, `1x y2`},
		{"empty array", `a=(); bwrap "${a[@]}" z`, `z`},
		{"index", `a[${#a[@]}]=x; a[${#a[@]}]=y; bwrap "${a[@]}"`, `x y`},
		{"unknown array", `bwrap "${a[@]}"`, `*$a`},
		{"string", `a="--x y"; a="$a --z"; bwrap $a`, `--x y --z`},
		{"arguments", `bwrap "$@"`, `*$@`},
		{"set", `set -- a "$@" b; bwrap "$@"`, `a *$@ b`},
		{"shift", `set -- a b c; shift 2; bwrap "$@" "$1"`, `c c`},
		{"function", `f() { bwrap "$1" "${@:2}" "$@"; }; f x y`, `x *$@ x y`},
		{"local", `a=1; f() { local a=2; }; f; bwrap $a`, `1`},
		{"global", `a=1; f() { a=2; }; f; bwrap $a`, `2`},
		{"if", `a=(x); if y; then a+=(z); fi; bwrap "${a[@]}"`, `x ?z`},
		{"else", `if y; then a=(1); else a=(2); fi; bwrap "${a[@]}"`, `?1 ?2`},
		{"case", `f() { case $1 in ro) b=--ro-bind ;; *) b=--bind ;; esac; a+=("$b" "$2"); }; f ro x; f rw y; bwrap "${a[@]}"`, `--ro-bind x --bind y`},
		{"case of patterns", `x=ab; case $x in a*) y=1 ;; *) y=2 ;; esac; bwrap "$y"`, `$y`},
		{"case of unknown", `case $x in a) y=1 ;; *) y=2 ;; esac; bwrap "$y"`, `$y`},
		{"exit", `a=1; if y; then a=2; exit; fi; bwrap $a`, `1`},
		{"die", `die() { exit 1; }; a=1; y || { a=2; die; }; bwrap $a`, `1`},
		{"return", `f() { y && return; a=2; }; a=1; f; bwrap "$a"`, `$a`},
		{"for", `for x in 1 2; do a+=("$x"); done; bwrap "${a[@]}"`, `1 2`},
		{"continue", `for x in 1 2; do y || continue; a+=($x); done; bwrap "${a[@]}"`, `?1 ?2`},
		{"while", `while read -r x; do a+=("$x"); done; bwrap "${a[@]}"`, `?$x`},
		{"default", `a=${b:-c}; bwrap "$a" "${d-e}"`, `$b $d`},
		{"known default", `b=x; bwrap "${b:-c}"; `, `x`},
		{"assigned default", `b=; : "${b:=c}"; bwrap "$b"`, `c`},
		{"alternate", `bwrap ${a:+--x "$a"}`, `?--x ?$a`},
		{"pwd", `cd /x; bwrap "$PWD" "$(pwd)"`, `/x /x`},
		{"realpath", `bwrap "$(realpath .)" "$(realpath a)" "$(realpath /a)"`, `$PWD $PWD/a /a`},
		{"directory that is printed", `bwrap "$(cd /a && pwd)" "$(cd b && pwd)"`, `/a $PWD/b`},
		{"own path", `bwrap "${BASH_SOURCE[0]}" "${BASH_SOURCE[1]}"`, `$BASH_SOURCE $BASH_SOURCE`},
		{"other directory", `cd "$(dirname "$0")"; bwrap "$PWD"`, `$(dirname)`},
		{"subshell", `a=1; (a=2); bwrap $a`, `1`},
		{"nameref", `f() { local -n b=$1; b+=(y); }; a=(x); f a; bwrap "${a[@]}"`, `x y`},
		{"mapfile", `mapfile -t a; bwrap "${a[@]}"`, `*$a`},
		{"words for a branch", `a='--x y'; if z; then a="$a --w v"; fi; bwrap $a`, `--x y ?--w ?v`},
		{"words for a loop", `a='--x y'; while z; do a+=" --w $b"; done; bwrap $a`, `--x y ?--w *?$b`},
		{"another path", `a=/x; if z; then a=/x/y; fi; bwrap $a`, `*$a`},
		{"glob", `bwrap /usr/*`, `/usr/*`},
		{"printed recursion", `f() { echo "$(g)"; echo "$(f)"; }; g() { echo "$(f)"; echo x; echo "$(g)"; }; bwrap "$(f)"`, `$(f)`},
		{"recursion", `f() { f x; a+=(1); }; f; bwrap y "${a[@]}"`, `y 1 1`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r, err := Read([]byte(test.script))
			if err != nil || len(r.Launches) != 1 {
				t.Fatalf("%d calls, %v", len(r.Launches), err)
			}
			var got []string
			for _, a := range r.Launches[0].Arguments {
				text := a.Text.String()
				if a.When != 0 {
					text = "?" + text
				}
				if a.Many {
					text = "*" + text
				}
				got = append(got, text)
			}
			want := strings.Split(test.want, " ")
			if strings.Contains(test.want, "|") {
				want = strings.Split(test.want, "|")
			}
			if !slices.Equal(got, want) && strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestReadCalls: which commands are calls of bwrap, and how they are made.
func TestReadCalls(t *testing.T) {
	for _, test := range []struct {
		script string
		calls  int
		want   Launch
	}{
		{`bwrap -- x`, 1, Launch{}},
		{`exec bwrap -- x`, 1, Launch{Exec: true}},
		{`exec -c bwrap -- x`, 1, Launch{Exec: true, Cleared: true}},
		{`env -i A=b bwrap -- x`, 1, Launch{Cleared: true}},
		{`trap x EXIT; bwrap -- x`, 1, Launch{ExitTrap: true}},
		{`trap x EXIT; trap - EXIT; bwrap -- x`, 1, Launch{}},
		{`eval x; bwrap -- x`, 1, Launch{Changed: true}},
		{`export -n "${x[@]}"; bwrap -- x`, 1, Launch{Dropped: true}},
		{`x=$(bwrap -- x)`, 1, Launch{}},
		{`"$BWRAP_BIN" -- x`, 1, Launch{}},
		{`command bwrap -- x`, 1, Launch{}},
		{`command -v bwrap; type -P bwrap; echo bwrap; bwrap --help; x=bwrap`, 0, Launch{}},
		{`bwrapper -- x; "$wrap" -- x`, 0, Launch{}},
		{`exec x; bwrap -- x`, 0, Launch{}},
		{`f() { bwrap -- x; }; f; f`, 1, Launch{}},
		{`f() { bwrap "$@"; }; f x; f y`, 2, Launch{}},
		{`f() { bwrap "$@"; }; g() { f x; }`, 1, Launch{}},
		{`bwrap() { command bwrap --a "$@"; }; bwrap x`, 1, Launch{}},
		{`pasta -- bwrap --x -- y`, 1, Launch{}},
		{`$SUDO bwrap --x -- y`, 1, Launch{}},
		{`if x; then a=(y z); fi; "${a[@]}" "$bwrap" --x -- y`, 1, Launch{}},
		{`apt install bwrap; echo bwrap --x; pkill bwrap; touch -r "$bwrap" -- x`, 0, Launch{}},
	} {
		r, err := Read([]byte(test.script))
		if err != nil || len(r.Launches) != test.calls {
			t.Errorf("%s: %d calls, %v", test.script, len(r.Launches), err)
			continue
		}
		if test.calls == 0 {
			continue
		}
		got := r.Launches[0]
		if got.Exec != test.want.Exec || got.Cleared != test.want.Cleared || got.ExitTrap != test.want.ExitTrap ||
			got.Changed != test.want.Changed || got.Dropped != test.want.Dropped {
			t.Errorf("%s: got %+v", test.script, got)
		}
	}
}

// TestReadBounds: a script that grows without end is read in bounds.
func TestReadBounds(t *testing.T) {
	for name, script := range map[string]string{
		"doubling": "a=(x)\n" + strings.Repeat("a+=(\"${a[@]}\")\n", 40) + "bwrap \"${a[@]}\"",
		"braces":   "bwrap " + strings.Repeat("{a,b}", 40) + " {1..999999999}",
		"text":     "a=x\n" + strings.Repeat("a=$a$a\n", 60) + "bwrap \"$a\"",
		"loops":    strings.Repeat("for x in 1 2 3 4 5 6 7 8 9; do ", 12) + "bwrap x" + strings.Repeat("; done", 12),
		"launches": "a=({x,y}{x,y}{x,y}{x,y}{x,y}{x,y})\nfor x in \"${a[@]}\"; do for y in \"${a[@]}\"; do bwrap $x $y \"${a[@]}\"; done; done",
		"calls":    "f() { f; f; }; f; bwrap x",
		"nested":   strings.Repeat("if x; then ", 60) + "a+=(y)" + strings.Repeat("; fi", 60) + "; bwrap \"${a[@]}\"",
	} {
		t.Run(name, func(t *testing.T) {
			if r, err := Read([]byte(script)); err != nil || len(r.Launches) > maxCalls {
				t.Errorf("%d calls, %v", len(r.Launches), err)
			}
		})
	}
}

// FuzzRead: no text makes it panic.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`bwrap "$@"`, `a[1]=2; a+=(x{1..3}y "${a[@]/x}" ${!a} $((x++)) <(b)); bwrap ${a:+"$@"} $'\n' ~ *`,
		`f() { f "$@"; return; }; f; for ((;;)); do break; done; local -n a=a; a+=1; shift 3; set -- x; bwrap "$1"`,
		`case $x in a) ;& *) b ;; esac; select x in a; do c; done; coproc d; time e; ! f; bwrap &`,
		`declare -n x=y y=x; x=1; bwrap "$x" "${x[@]}"; trap '' EXIT; unset x; cd; exec {fd}>&-; env -i PATH=$x bwrap`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { _, _ = Read([]byte(text)) })
}
