package checksum

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

const script = "#!/usr/bin/env bash\n#\n# demo: nothing.\n#\n" + Header + "\n\nexit 0\n"

func TestAdd(t *testing.T) {
	summed := Add([]byte(script), "")
	if !bytes.HasPrefix(summed, []byte(script)) {
		t.Fatalf("the text before the checksum changed:\n%s", summed)
	}
	if got := string(summed[len(script):]); !regexp.MustCompile(`^# Checksum of this file: [0-9a-f]{32}\n$`).MatchString(got) {
		t.Errorf("got the checksum %q", got)
	}
	if again := Add([]byte(script), ""); !bytes.Equal(summed, again) {
		t.Errorf("one text has two checksums: %q and %q", summed, again)
	}
}

func TestAddKeepsItsArgument(t *testing.T) {
	text := append(make([]byte, 0, 4096), script...)
	Add(text, "")
	if spare := text[len(text) : len(text)+1]; spare[0] != 0 {
		t.Error("Add wrote behind the caller's slice")
	}
}

func TestVerify(t *testing.T) {
	summed := string(Add([]byte(script), ""))
	tests := []struct {
		name, text string
		want       State
	}{
		{"as written", summed, Intact},
		{"without a newline at its end", string(Add([]byte(strings.TrimSuffix(script, "\n")), "")), Intact},
		{"a letter changed", strings.Replace(summed, "nothing", "Nothing", 1), Edited},
		{"a line added before the checksum", strings.Replace(summed, "exit 0\n", "exit 0\n\n", 1), Edited},
		{"a line added behind the checksum", summed + "exit 1\n", Edited},
		{"a space added at the end", strings.TrimSuffix(summed, "\n") + " \n", Edited},
		{"the checksum taken out", script, Edited},
		{"the checksum cut short", summed[:len(summed)-5], Edited},
		{"the checksum twice", summed + summed[len(script):], Edited},
		{"carriage returns", strings.ReplaceAll(summed, "\n", "\r\n"), Edited},
		{"the header taken out", strings.Replace(summed, Header+"\n", "", 1), Foreign},
		{"the header behind the first comment", "#!/bin/sh\n\n" + summed, Foreign},
		{"the header in a text", "cat <<'.'\n" + summed, Foreign},
		{"nothing", "", Foreign},
		{"only a newline", "\n", Foreign},
		{"another program", "\x7fELF\x00", Foreign},
		{"only the header", Header, Edited},
		{"nothing, with a checksum", string(Add(nil, "")), Foreign},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Verify([]byte(test.text)); got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestParts: what somebody adds below the checksum is told apart from the script.
func TestParts(t *testing.T) {
	for _, test := range []struct{ name, text, script, profile, after string }{
		{"as written", string(Add([]byte(script), "")), script, "", ""},
		{"with a profile", string(Add([]byte(script), "0123456789ab")), script, "0123456789ab", ""},
		{"a line added", string(Add([]byte(script), "ab")) + "# x\n", script, "ab", "# x\n"},
		{"no checksum", script, script, "", ""},
	} {
		text, profile, after := Parts([]byte(test.text))
		if string(text) != test.script || profile != test.profile || string(after) != test.after {
			t.Errorf("%s: got %q, %q, %q", test.name, text, profile, after)
		}
	}
}

// TestProfile: the checksum covers the fingerprint of the profile.
func TestProfile(t *testing.T) {
	summed := string(Add([]byte(script), "0123456789ab"))
	if got := Verify([]byte(summed)); got != Intact {
		t.Errorf("as written, it is %v", got)
	}
	for _, changed := range []string{strings.Replace(summed, "0123456789ab", "0123456789ac", 1), strings.Replace(summed, ", of its profile: 0123456789ab", "", 1)} {
		if got := Verify([]byte(changed)); got != Edited {
			t.Errorf("with another profile, it is %v: %s", got, changed)
		}
	}
}

func FuzzVerify(f *testing.F) {
	f.Add([]byte(script), 3, byte('x'))
	f.Fuzz(func(t *testing.T, text []byte, at int, with byte) {
		summed := Add(append([]byte("#!/bin/sh\n"+Header+"\n"), text...), "")
		if got := Verify(summed); got != Intact {
			t.Fatalf("%q, with its checksum, is %v", text, got)
		}
		at = ((at % len(summed)) + len(summed)) % len(summed)
		changed := summed[at] != with
		summed[at] = with
		if changed && Verify(summed) == Intact {
			t.Errorf("byte %d changed to %q, and the checksum still holds", at, with)
		}
	})
}
