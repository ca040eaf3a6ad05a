package profile

import (
	"strings"
	"testing"

	"bwrapgen/gen/problem"
)

func TestCheckHost(t *testing.T) {
	right := []string{
		"github.com", "GitHub.com", "*.githubusercontent.com", "localhost.example", "a.b:8080", "a-b.c", "_x.y",
		"10.0.0.1", "10.0.0.1:80", "*.internal", "2001:db8::1", "[2001:db8::1]:443", "xn--bcher-kva.example", "a.b:65535",
		strings.Repeat("a", 63) + "." + strings.Repeat("b", 63),
	}
	wrong := []string{
		"", "*", "*.", ".", "a.", ".a", "a..b", "-a", "a-", "a.*.b", "**.a", "http://a", "a/b", "a b", "a:0", "a:",
		"a:65536", "a:080", "a:x", ":80", "[a]:80", "[::1", "[10.0.0.1]:80", "a\nb", "bücher.example", "a@b", "*:80",
		"npm", "npm:443", "NPM", "::1", "[::1]", "[::1]:443", "1.2.3", "10.0.0.256", "0x7f.1", "a.1:80", "localhost", "LocalHost:80", "127.0.0.1", "127.9.9.9:80", "0.0.0.0",
		strings.Repeat("a", 64), "b." + strings.Repeat("a", 64), strings.Repeat("a.", 127) + "aaaa",
	}
	for _, text := range right {
		if bad := checkHost(text); bad.What != "" {
			t.Errorf("%q: %s", text, bad.What)
		}
	}
	for _, text := range wrong {
		if checkHost(text).What == "" {
			t.Errorf("%q is accepted", text)
		}
	}
}

func TestCheckVariable(t *testing.T) {
	for _, text := range []string{"A", "_", "a1", "PATH"} {
		if bad := checkVariable(text); bad.What != "" {
			t.Errorf("%q: %s", text, bad.What)
		}
	}
	for _, text := range append(hostile(), "1A", "A-B", "A.B", "A\n", "A=B", "BASH_FUNC_x%%", "é", "A[0]") {
		if checkVariable(text).What == "" || text != "A*" && checkPattern(text).What == "" {
			t.Errorf("%q is accepted", text)
		}
	}
	for _, text := range []string{"LC_*", "A*", "A"} {
		if bad := checkPattern(text); bad.What != "" {
			t.Errorf("%q: %s", text, bad.What)
		}
	}
}

func TestBusName(t *testing.T) {
	tests := []struct {
		text string
		ok   bool
	}{
		{"org.freedesktop.Notifications", true},
		{"org.mpris.MediaPlayer2.*", true},
		{"org.freedesktop.systemd1", false},
		{"org.freedesktop.*", false},
		{"org.*", false},
		{"*", false},
		{"", false},
		{"org", false},
		{"org..x", false},
		{"org.x=method", false},
		{"org.freedesktop.Flatpak.*", false},
		{"org.freedesktop.systemd1x", true},
		{"org.x\n", false},
		{":1.5", false},
	}
	for _, test := range tests {
		if got := checkBusName(test.text) == (problem.Problem{}); got != test.ok {
			t.Errorf("%q: got %v", test.text, got)
		}
	}
}

// TestUnevenPorts: what an address is told for counts for all names that have it.
func TestUnevenPorts(t *testing.T) {
	for list, even := range map[string]bool{
		`"a.b", "a.b:80"`: true, `"a.b:1", "c.b:2", "x.a.b:3"`: true, `"*.b:1", "*.b:2", "a.b:2", "A.b:1"`: true,
		`"*.b", "a.b"`: true, `"*.b:1", "a.b:2"`: false, `"*.b.c", "b.c:2"`: false, `"*.b:1", "*.a.b"`: false, `"*.b.c:1", "xb.c:2", "10.0.0.1:3"`: true,
	} {
		_, err := Parse("a.toml", []byte("[network]\nmode = \"allow\"\nallow = ["+list+"]\n"), Loader{})
		if (err == nil) != even || err != nil && !strings.Contains(err.Error(), "a.toml:3: network.allow[") {
			t.Errorf("%s: %v", list, err)
		}
	}
}
