package profile

import (
	"strings"
	"testing"
)

func TestPublished(t *testing.T) {
	for text, want := range map[string][2]string{ // as it is printed, and for pasta(1)
		"3000": {"3000", "127.0.0.1/3000:3000"}, "8080:80": {"8080:80", "127.0.0.1/8080:80"}, "127.0.0.1:80": {"80", "127.0.0.1/80:80"},
		"0.0.0.0:80:81": {"0.0.0.0:80:81", "0.0.0.0/80:81"}, "[::1]:80": {"[::1]:80", "::1/80:80"}, "[::]:1-3:11": {"[::]:1-3:11", "::/1:11 ::/2:12 ::/3:13"},
		"65535": {"65535", "127.0.0.1/65535:65535"},
		"":      {}, "0": {}, "-1": {}, "65536": {}, "080": {}, "+1": {}, "9-1": {}, "1-": {}, "1:0": {}, "1-3:65534": {}, "1:2-3": {}, "::1:80": {}, "[::1]": {},
		"[127.0.0.1]:80": {}, "[::ffff:127.0.0.1]:80": {}, "[fe80::1%eth0]:80": {}, "localhost:80": {}, "1:2:3": {}, "80/udp": {}, "1,2": {}, "80 ": {},
	} {
		p, ok := ParsePublished(text)
		if got := [2]string{p.String(), strings.Join(p.Options(), " ")}; ok != (want[0] != "") || ok && got != want {
			t.Errorf("%q: %v, %t", text, got, ok)
		}
		if again, ok := ParsePublished(p.String()); want[0] != "" && (!ok || again != p) {
			t.Errorf("%q: read again, it is %v", text, again)
		}
	}
}

func TestReached(t *testing.T) {
	for text, want := range map[string]int{
		"127.0.0.1:5432": 5432, "localhost:1": 1, "[::1]:65535": 65535,
		"": 0, "5432": 0, "127.0.0.1": 0, "127.0.0.2:1": 0, "localhost:0": 0, "::1:80": 0, "LOCALHOST:1": 0, "localhost:01": 0, "localhost:1-2": 0, "localhost:65536": 0,
	} {
		if port, ok := ParseReached(text); ok != (want != 0) || ok && port != want {
			t.Errorf("%q: %d, %t", text, port, ok)
		}
	}
}

func TestDestinationOfIPv6(t *testing.T) {
	for text, want := range map[string]string{
		"2001:DB8::7": "2001:db8::7", "[2001:db8::7]": "2001:db8::7", "[2001:db8::7]:443": "[2001:db8::7]:443",
		"[2001:db8::7]:0": "", "[10.0.0.1]:1": "", "::ffff:10.0.0.1": "", "fe80::1%eth0": "", "[2001:db8::7": "", "2001:db8::7]": "", "[2001:db8::7]x": "",
	} {
		if d, ok := ParseDestination(text); ok != (want != "") || ok && d.String() != want {
			t.Errorf("%q: %v, %t", text, d, ok)
		}
	}
	for _, own := range []string{"::1", "[::1]:80", "::", "localhost", "127.0.0.1", "0.0.0.0:1"} {
		if checkHost(own).What == "" {
			t.Errorf("%s is allowed", own)
		}
	}
}
