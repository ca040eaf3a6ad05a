package sessiontest

import (
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"bwrapgen/cmd/harness"
)

const confirmed = "extends = [\"base\"]\n[confirm]\nmode = \"always\"\n"

// ask starts the launcher on a terminal, answers, and gives what was seen.
func (w world) ask(t *testing.T, answer string, words ...string) (seen string, exit int) {
	t.Helper()
	x := harness.NewTerminal(t, w.Account)
	c := w.Command(t.Context(), words...)
	x.Start(t, c)
	x.Expect(t, `\(y/n\) `)
	x.Types(t, answer)
	return x.End(t, c)
}

func TestConfirmAnswers(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, confirmed)
		for _, yes := range []string{"y\n", "Y\n", "yes\n", "YES\n"} {
			if seen, exit := w.ask(t, yes, "touch", "made"); exit != 0 || !strings.Contains(seen, "L: run this?\r\n\r\n  $ touch made\r\n") {
				t.Errorf("%q: %d, %q", yes, exit, seen)
			}
			if err := os.Remove(w.Project + "/made"); err != nil {
				t.Error(err)
			}
		}
		for _, no := range []string{"n\n", "\n", "yy\n", "ye\n", "maybe y\n", "\x04"} {
			if seen, exit := w.ask(t, no, "touch", "made"); exit != 123 || !strings.Contains(seen, "L: declined: the command was not run") {
				t.Errorf("%q: %d, %q", no, exit, seen)
			}
		}
		if _, exit := w.ask(t, "\x03", "touch", "made"); exit != 130 {
			t.Errorf("Ctrl-C at the question: %d", exit)
		}
		if _, err := os.Stat(w.Project + "/made"); err == nil {
			t.Error("a command was run that nobody agreed to")
		}
	})
}

// TestConfirmSlow: the time after which an idle shell of the caller's ends is none for
// an answer.
func TestConfirmSlow(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, confirmed)
		w.Set("TMOUT=1")
		x := harness.NewTerminal(t, w.Account)
		c := w.Command(t.Context(), "echo", "run")
		x.Start(t, c)
		x.Expect(t, `\(y/n\) `)
		time.Sleep(1500 * time.Millisecond)
		x.Types(t, "y\n")
		if seen, exit := x.End(t, c); exit != 0 {
			t.Errorf("%d, %q", exit, seen)
		}
	})
}

// TestConfirmTyped: what was typed before the question is no answer to it.
func TestConfirmTyped(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, confirmed)
		for _, keys := range []string{"y\n", "yes\n\ny\n"} {
			x := harness.NewTerminal(t, w.Account)
			c := w.Command(t.Context(), "touch", "made")
			x.Types(t, keys)
			x.Start(t, c)
			x.Expect(t, `\(y/n\) `)
			x.Types(t, "\n")
			if seen, exit := x.End(t, c); exit != 123 {
				t.Errorf("%q: %d, %q", keys, exit, seen)
			}
		}
	})
}

func TestConfirmTerminal(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w.Alone = true
		w = w.launch(t, confirmed)
		w.Run(t, "true").Ends(t, 125).Says(t, "there is no terminal to ask on").Says(t, "hint: run it on a terminal\n")
		w.Run(t, "--sandbox-yes", "true").Ends(t, 125).Says(t, "there is no option --sandbox-yes")
		w.Run(t, "--sandbox-print", "true").Ends(t, 0)
		w = w.launch(t, confirmed+"allow-yes = true\n")
		w.Run(t, "true").Ends(t, 125).Says(t, "or confirm with --sandbox-yes")
		w.Run(t, "--sandbox-yes", "echo", "x").Ends(t, 0).Prints(t, "x\n")
	})
}

// TestConfirmVisible has commands that would look like others.
func TestConfirmVisible(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, confirmed)
		tests := map[string]string{
			"plain":                    "plain",
			"two words":                "'two words'",
			"it's":                     `'it'\''s'`,
			"":                         "''",
			`no\ncontrol`:              `'no\ncontrol'`,
			"it's \\n\n":               `$'it\'s \\n\n'`,
			"é€😀":                      "'é€😀'",
			"\r\x1b[2Krm -rf ~/":       `$'\r\E[2Krm -rf ~/'`,
			"a\nb\tc":                  `$'a\nb\tc'`,
			"del\x7f":                  `$'del\177'`,
			"c1\u009b2J":               `$'c1\302\2332J'`,
			"bidi\u202eabc\u202c":      `$'bidi\342\200\256abc\342\200\254'`,
			"isolate\u2066\u2069":      `$'isolate\342\201\246\342\201\251'`,
			"mark\u061c\u200e":         `$'mark\330\234\342\200\216'`,
			"zero\u200b\u200c\u200d":   `$'zero\342\200\213\342\200\214\342\200\215'`,
			"bom\ufeff":                `$'bom\357\273\277'`,
			"shy\u00ad\u2060\u180e":    `$'shy\302\255\342\201\240\341\240\216'`,
			"line\u2028\u2029":         `$'line\342\200\250\342\200\251'`,
			"tag\U000e0041":            `$'tag\363\240\201\201'`,
			"raw\x9b\xff\xc3":          `$'raw\233\377\303'`,
			"surrogate\xed\xa0\x80":    `$'surrogate\355\240\200'`,
			"long\xc0\xaf\xe0\x80\xaf": `$'long\300\257\340\200\257'`,
		}
		for word, want := range tests {
			if seen, exit := w.ask(t, "y\n", "printf", "%s", word); exit != 0 || !strings.Contains(seen, "$ printf %s "+want+"\r\n") {
				t.Errorf("%q: %d, seen %q", word, exit, seen)
			}
		}
		w = w.launch(t, confirmed+"allow-yes = true\n")
		for word := range tests {
			w.Run(t, "--sandbox-yes", "printf", "%s", word).Ends(t, 0).Prints(t, word)
		}
	})
}

// TestConfirmUnseen shows every character that has no shape of its own, and
// some beside them that have one.
func TestConfirmUnseen(t *testing.T) {
	t.Parallel()
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, confirmed)
		var unseen strings.Builder
		for r := rune(0xa0); r <= unicode.MaxRune; r++ {
			if unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Bidi_Control, unicode.Zl, unicode.Zp) && unicode.In(r, unicode.L, unicode.M, unicode.C, unicode.Z) {
				if r < 0xe0100 { // and then some thousand more of one kind
					unseen.WriteRune(r)
				}
			}
		}
		unseen.WriteString("\u00ad\u180e\ufeff\ufff9\U000e0001\U000e0100\U0001d173\U0001bca0")
		const seen = "ß\u0416\u0939\u4e2d\u1100\u17b3\u2027\u3042\uac00\U0001d172\U0001f600"
		screen, exit := w.ask(t, "y\n", "printf", "%s", unseen.String(), seen)
		if exit != 0 || !strings.Contains(screen, " '"+seen+"'\r\n") {
			t.Errorf("%d, %q is not in %q", exit, seen, screen)
		}
		_, screen, _ = strings.Cut(screen, "$ printf")
		screen, _, _ = strings.Cut(screen, "(y/n)")
		for _, r := range unseen.String() {
			if strings.ContainsRune(screen, r) {
				t.Errorf("%U is not shown", r)
			}
		}
	})
}
