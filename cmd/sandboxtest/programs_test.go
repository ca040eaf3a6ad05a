package sandboxtest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// keys are typed, and then something comes on the screen.
type keys struct{ typed, shows string }

// programs are what people use on a terminal, and how: each is left in a way
// that the shell outside tells.
var programs = []struct {
	name, command string
	session       []keys
	status        string
}{
	{"bash", `/bin/bash --norc --noprofile --noediting -i`, []keys{
		{"PS1='in''side> '\n", `inside> `},
		// Not a bash that waits for a sleep: that goes on if Ctrl-C comes as the sleep ends.
		{`perl -e '$SIG{CONT} = sub { print "conti", "nued\n" }; $| = 1; print "star", "ted\n"; sleep 9 while 1'` + "\n", `started`},
		{"\x1a", `Stopped`},
		{"jobs\n", `\[1\]\+ +Stopped`},
		{"bg\n", `continued`},
		{"fg\n", `perl -e`},
		{"\x1a", `Stopped`},
		{"fg\n", `continued`},
		{"\x03", `inside> `},
		{"(exit 7)\n", `inside> `},
		{"exit\n", `exit`},
	}, "7"},
	{"python", `/usr/bin/python3 -q`, []keys{
		{"6*7\n", `42`},
		{"import os, time; print('wai' + 'ting', flush=True); time.sleep(50)\n", `waiting`},
		{"\x03", `KeyboardInterrupt`},
		{"print('columns', 'are', os.get_terminal_size().columns)\n", `columns are 80`},
		{"exit(5)\n", ``},
	}, "5"},
	{"vim", `vim -u NONE -i NONE -N -n text`, []keys{
		{"", `line 1\b`},
		{":echo 'narr'.'ow' &columns\n", `narrow 80`},
		{"resize", `line 27`},
		{":echo 'wi'.'de' &columns\n", `wide 100`},
		{"Gotyped\x1b:w\n", `written`},
		{"\x1a", `Stopped`},
		{"fg\n", `typed`},
		{":cq 6\n", ``},
	}, "6"},
	{"less", `less text`, []keys{
		{"", `line 1\b`},
		{"/line 77\n", `line 77`},
		{"resize", `line 10\d`},
		{"G", `line 200`},
		{"\x1a", `Stopped`},
		{"fg\n", `line 200`},
		{"q", ``},
	}, "0"},
	{"a program of curses", `/usr/bin/python3 made-screen`, []keys{
		{"", `wide 80`},
		{"x", `key x`},
		{"resize", `wide 100`},
		{"\x1a", `Stopped`},
		{"fg\n", `wide 100`},
		{"\x03", `interrupted`},
		{"q", ``},
	}, "8"},
}

// screen draws how wide it is, in another line when that changes, and what is typed.
const screen = `import curses, sys
def draw(s):
    said = ""
    while True:
        wide = s.getmaxyx()[1]; s.erase(); s.addstr(wide // 10, 2, "wide %d" % wide); s.addstr(2, 2, said); s.refresh()
        try:
            k = s.getkey()
            if k == "q": sys.exit(8)
            said = "key " + k
        except KeyboardInterrupt: said = "interrupted"
        except curses.error: pass
curses.wrapper(draw)
`

// TestPrograms: what people use on a terminal behaves in the sandbox as outside:
// each session is typed there first, and then inside, on a bare terminal and in
// tmux, each as one account under the oldest bwrap and as the other under the newest.
// The terminal is left as it was.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, p := range []string{"vim", "less", "tmux", "/usr/bin/python3"} {
		harness.Need(t, p)
	}
	for i, in := range []string{"bare", "tmux"} {
		t.Run(in, func(t *testing.T) {
			harness.Crossed(t, i, func(t *testing.T, s harness.Setting) {
				l := newWorld(t, s).launch(t, `extends = ["default"]`)
				l.Write(t, map[string]string{"home/code/p/made-screen": screen})
				x := l.terminal(t)
				if in == "tmux" {
					t.Cleanup(func() { l.shell(t, `tmux -S "$H/tmux" kill-server 2>/dev/null || true`) })
					x.Types(t, `tmux -S "$H/tmux" -f /dev/null new 'exec /bin/bash --norc --noprofile --noediting -i'`+"\n")
					x.Expect(t, `bash-[0-9.]+[#$] `)
					x.Types(t, "PS1='prom''pt> '\n")
					x.Expect(t, `prompt> `)
				}
				for _, prefix := range []string{"", `"$L" `} {
					l.uses(t, x, prefix)
				}
				x.Types(t, "exit\n")
			})
		})
	}
}

// uses types all sessions.
func (l launcher) uses(t *testing.T, x *harness.Terminal, prefix string) {
	t.Helper()
	for _, p := range programs {
		word := l.word("text")
		command := strings.Replace(p.command, "text", word, 1)
		l.shell(t, `for ((i = 1; i <= 200; i++)); do echo "line $i"; done >`+word)
		l.Give(t, l.Project)
		x.Resize(t, 80, 24)
		before := x.Settings(t)
		x.Types(t, "clear; "+prefix+command+"\n")
		for _, k := range p.session {
			x.Rests()
			switch {
			case k.typed == "resize":
				x.Resize(t, 100, 30)
				x.Expect(t, k.shows)
			case k.typed == "\x1a":
				x.Insists(t, k.typed, k.shows)
			default:
				x.Types(t, k.typed)
				x.Expect(t, k.shows)
			}
			if k.shows == "Stopped" && command != p.command { // the launcher may have stopped first
				harness.Eventually(t, p.name+" is stopped", func() bool { return harness.Stopped(t, strings.Fields(command)...) })
			}
		}
		x.Expect(t, `prompt> `)
		x.Types(t, "echo sta''tus=$?\n")
		x.Expect(t, `status=`+p.status+`\b`)
		x.Expect(t, `prompt> `)
		if after := x.Settings(t); after != before {
			t.Errorf("%s%s leaves the terminal's settings as %v, were %v", prefix, p.name, after, before)
		}
	}
}
