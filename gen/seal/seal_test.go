package seal

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

const script = "#!/usr/bin/env bash\n#\n# demo: nothing.\n#\n" + Header + "\n\nexit 0\n"

func TestAdd(t *testing.T) {
	sealed := Add([]byte(script))
	if !bytes.HasPrefix(sealed, []byte(script)) {
		t.Fatalf("the text before the seal changed:\n%s", sealed)
	}
	if got := string(sealed[len(script):]); !regexp.MustCompile(`^# Seal: [0-9a-f]{32}\n$`).MatchString(got) {
		t.Errorf("got the seal %q", got)
	}
	if again := Add([]byte(script)); !bytes.Equal(sealed, again) {
		t.Errorf("one text has two seals: %q and %q", sealed, again)
	}
}

func TestAddKeepsItsArgument(t *testing.T) {
	text := append(make([]byte, 0, 4096), script...)
	Add(text)
	if spare := text[len(text) : len(text)+1]; spare[0] != 0 {
		t.Error("Add wrote behind the caller's slice")
	}
}

func TestVerify(t *testing.T) {
	sealed := string(Add([]byte(script)))
	tests := []struct {
		name, text string
		want       State
	}{
		{"as written", sealed, Intact},
		{"without a newline at its end", string(Add([]byte(strings.TrimSuffix(script, "\n")))), Intact},
		{"a letter changed", strings.Replace(sealed, "nothing", "Nothing", 1), Edited},
		{"a line added before the seal", strings.Replace(sealed, "exit 0\n", "exit 0\n\n", 1), Edited},
		{"a line added behind the seal", sealed + "exit 1\n", Edited},
		{"a space added at the end", strings.TrimSuffix(sealed, "\n") + " \n", Edited},
		{"the seal taken out", script, Edited},
		{"the seal cut short", sealed[:len(sealed)-5], Edited},
		{"the seal twice", sealed + sealed[len(script):], Edited},
		{"carriage returns", strings.ReplaceAll(sealed, "\n", "\r\n"), Edited},
		{"the header taken out", strings.Replace(sealed, Header+"\n", "", 1), Foreign},
		{"the header behind the first comment", "#!/bin/sh\n\n" + sealed, Foreign},
		{"the header in a text", "cat <<'.'\n" + sealed, Foreign},
		{"nothing", "", Foreign},
		{"only a newline", "\n", Foreign},
		{"another program", "\x7fELF\x00", Foreign},
		{"only the header", Header, Edited},
		{"nothing, sealed", string(Add(nil)), Foreign},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Verify([]byte(test.text)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func FuzzVerify(f *testing.F) {
	f.Add([]byte(script), 3, byte('x'))
	f.Fuzz(func(t *testing.T, text []byte, at int, with byte) {
		sealed := Add(append([]byte("#!/bin/sh\n"+Header+"\n"), text...))
		if got := Verify(sealed); got != Intact {
			t.Fatalf("sealed %q is %v", text, got)
		}
		at = ((at % len(sealed)) + len(sealed)) % len(sealed)
		changed := sealed[at] != with
		sealed[at] = with
		if changed && Verify(sealed) == Intact {
			t.Errorf("byte %d changed to %q, and the seal still holds", at, with)
		}
	})
}
