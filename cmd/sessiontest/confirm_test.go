package sessiontest

import (
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const confirmed = "extends = [\"base\"]\n[confirm]\nmode = \"always\"\n"

// terminal opens a terminal: what a person sees and types, and what a program
// gets.
func terminal(t *testing.T, w world) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	fd, _, errno := syscall.Syscall(syscall.SYS_IOCTL, person.Fd(), unix.TIOCGPTPEER, uintptr(os.O_RDWR|syscall.O_NOCTTY))
	if errno != 0 {
		t.Fatal(errno)
	}
	program = os.NewFile(fd, "terminal")
	t.Cleanup(func() { _ = program.Close() })
	if err := program.Chown(w.uid, w.gid); err != nil {
		t.Fatal(err)
	}
	return person, program
}

// ask starts the launcher on a terminal, answers, and gives what was seen.
func (w world) ask(t *testing.T, answer string, words ...string) (seen string, exit int) {
	t.Helper()
	person, program := terminal(t, w)
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := w.command(ctx, words...)
	c.Stdin, c.Stdout, c.Stderr = program, program, program
	c.SysProcAttr.Setsid, c.SysProcAttr.Setctty = true, true
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = program.Close()
	buffer := make([]byte, 4096)
	answered := false
	for {
		n, err := person.Read(buffer)
		seen += string(buffer[:n])
		if !answered && strings.Contains(seen, "(y/n) ") {
			answered = true
			if _, err := person.WriteString(answer); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break
		}
	}
	return seen, status(t, c.Wait())
}

func TestConfirmAnswers(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, confirmed)
		for _, yes := range []string{"y\n", "Y\n", "yes\n", "YES\n"} {
			if seen, exit := w.ask(t, yes, "touch", "made"); exit != 0 || !strings.Contains(seen, "L: run this?\r\n\r\n  $ touch made\r\n") {
				t.Errorf("%q: %d, %q", yes, exit, seen)
			}
			if err := os.Remove(w.project + "/made"); err != nil {
				t.Error(err)
			}
		}
		for _, no := range []string{"n\n", "\n", "yy\n", "ye\n", "maybe y\n", "\x04"} {
			if seen, exit := w.ask(t, no, "touch", "made"); exit != 123 || !strings.Contains(seen, "L: declined, nothing was run") {
				t.Errorf("%q: %d, %q", no, exit, seen)
			}
		}
		if _, exit := w.ask(t, "\x03", "touch", "made"); exit != 130 {
			t.Errorf("Ctrl-C at the question: %d", exit)
		}
		if _, err := os.Stat(w.project + "/made"); err == nil {
			t.Error("a command was run that nobody agreed to")
		}
	})
}

func TestConfirmTerminal(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		w.alone = true
		w = w.launch(t, confirmed)
		w.run(t, "true").ends(t, 125).says(t, "there is no terminal to ask on").says(t, "hint: start it on a terminal\n")
		w.run(t, "--sandbox-yes", "true").ends(t, 125).says(t, "there is no option --sandbox-yes")
		w.run(t, "--sandbox-print", "true").ends(t, 0)
		w = w.launch(t, confirmed+"allow-yes = true\n")
		w.run(t, "true").ends(t, 125).says(t, "or agree with --sandbox-yes")
		w.run(t, "--sandbox-yes", "echo", "x").ends(t, 0).prints(t, "x\n")
	})
}

// TestConfirmVisible has commands that would look like others.
func TestConfirmVisible(t *testing.T) {
	once(t, func(t *testing.T, w world) {
		w = w.launch(t, confirmed)
		tests := map[string]string{
			"plain":                    "plain",
			"two words":                "'two words'",
			"it's":                     `'it'\''s'`,
			"":                         "''",
			"é€😀":                      "'é€😀'",
			"\r\x1b[2Krm -rf ~/":       `'\r\E[2Krm -rf ~/'`,
			"a\nb\tc":                  `'a\nb\tc'`,
			"del\x7f":                  `'del\177'`,
			"c1\u009b2J":               `'c1\302\2332J'`,
			"bidi\u202eabc\u202c":      `'bidi\342\200\256abc\342\200\254'`,
			"isolate\u2066\u2069":      `'isolate\342\201\246\342\201\251'`,
			"mark\u061c\u200e":         `'mark\330\234\342\200\216'`,
			"zero\u200b\u200c\u200d":   `'zero\342\200\213\342\200\214\342\200\215'`,
			"bom\ufeff":                `'bom\357\273\277'`,
			"shy\u00ad\u2060\u180e":    `'shy\302\255\342\201\240\341\240\216'`,
			"line\u2028\u2029":         `'line\342\200\250\342\200\251'`,
			"tag\U000e0041":            `'tag\363\240\201\201'`,
			"raw\x9b\xff\xc3":          `'raw\233\377\303'`,
			"surrogate\xed\xa0\x80":    `'surrogate\355\240\200'`,
			"long\xc0\xaf\xe0\x80\xaf": `'long\300\257\340\200\257'`,
		}
		for word, want := range tests {
			if seen, exit := w.ask(t, "y\n", "printf", "%s", word); exit != 0 || !strings.Contains(seen, "$ printf %s "+want+"\r\n") {
				t.Errorf("%q: %d, seen %q", word, exit, seen)
			}
		}
		w = w.launch(t, confirmed+"allow-yes = true\n")
		for word := range tests {
			w.run(t, "--sandbox-yes", "printf", "%s", word).ends(t, 0).prints(t, word)
		}
	})
}
