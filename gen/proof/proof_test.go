package proof_test

import (
	"strings"
	"testing"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/proof"
)

// TestJudge: what is found inside decides, beside what the host has.
func TestJudge(t *testing.T) {
	const gone = "empty, writable, and gone afterwards"
	host := proof.Control{IsThere: true, Own: true, Holds: "x"}
	reached := host
	reached.Arrived = true
	file := func(mode string, wrote bool, holds string) proof.Found {
		return proof.Found{Kind: 'f', Mode: mode, Mount: true, Wrote: wrote, Holds: holds}
	}
	later := proof.Found{Wrote: true}
	for _, test := range []struct {
		name          string
		shows         access.Shows
		lasts         access.Lasts
		what          string
		first, second proof.Found
		host          proof.Control
		problem, want string
		result        proof.Result
	}{
		{"read", access.Read, 0, "", file("ro", false, "x"), proof.Found{}, host, "", "", proof.Proved},
		{"read, and it is not there", access.Read, 0, "", proof.Found{}, proof.Found{}, host, "", "it is not there", proof.False},
		{"read, and it is another's", access.Read, 0, "", file("ro", false, "y"), proof.Found{}, host, "", "it is not the host's", proof.False},
		{"read, and it can be written to", access.Read, 0, "", file("rw", true, "x"), proof.Found{}, host, "", "it can be written to", proof.False},
		{"read, and the mount is writable", access.Read, 0, "", file("rw", false, "x"), proof.Found{}, host, "", "it can be written to", proof.False},
		{"read what the host has not", access.Read, 0, "", proof.Found{}, proof.Found{}, proof.Control{}, "", "this host has none", proof.Unprovable},
		{"write", access.Write, 0, "", file("rw", true, "x"), proof.Found{}, reached, "", "", proof.Proved},
		{"write, and it stays inside", access.Write, 0, "", file("rw", true, "x"), proof.Found{}, host, "", "what is written does not reach the host", proof.False},
		{"view", access.View, access.Gone, "", file("rw", true, "x"), proof.Found{}, host, "", "", proof.Proved},
		{"view, and it reaches the host", access.View, access.Gone, "", file("rw", true, "x"), proof.Found{}, reached, "", "what is written reaches the host", proof.False},
		{"view that is kept", access.View, access.Kept, "", file("rw", true, "x"), later, host, "", "", proof.Proved},
		{"view that is not kept", access.View, access.Kept, "", file("rw", true, "x"), proof.Found{}, host, "", "what is written is not kept", proof.False},
		{"view that is not thrown away", access.View, access.Gone, "", file("rw", true, "x"), later, host, "", "what is written is not thrown away", proof.False},
		{"view that cannot be made", access.View, access.Kept, "", file("ro", false, "x"), proof.Found{}, host, "no overlays", "no overlays", proof.Unprovable},
		{"hidden", access.Hidden, 0, "", file("ro", false, ""), proof.Found{}, host, "", "", proof.Proved},
		{"hidden, and it can be read", access.Hidden, 0, "", file("ro", false, "x"), proof.Found{}, host, "", "it can be read", proof.False},
		{"hidden, and it can be made anew", access.Hidden, 0, "", file("rw", true, ""), proof.Found{}, host, "", "it can be written to", proof.False},
		{"own", access.Own, 0, gone, file("rw", true, ""), proof.Found{}, host, "", "", proof.Proved},
		{"own, and it is the host's", access.Own, 0, gone, file("rw", true, "x"), proof.Found{}, host, "", "it is the host's", proof.False},
		{"own, and it is the host's directory", access.Own, 0, "", proof.Found{Kind: 'd', Mount: true, Inode: "1:2"}, proof.Found{}, proof.Control{IsThere: true, Inode: "1:2"}, "", "it is the host's", proof.False},
		{"own, and another directory", access.Own, 0, "", proof.Found{Kind: 'd', Mount: true, Inode: "3:2"}, proof.Found{}, proof.Control{IsThere: true, Inode: "1:2"}, "", "", proof.Proved},
		{"own, and it has no mount", access.Own, 0, gone, proof.Found{Kind: 'd', Mode: "rw", Wrote: true}, proof.Found{}, host, "", "nothing of the sandbox's own stands there", proof.False},
		{"link", access.Link, 0, "a link to usr/bin", proof.Found{Link: "usr/bin"}, proof.Found{}, host, "", "", proof.Proved},
		{"absent", access.Nothing, 0, "", proof.Found{}, proof.Found{}, host, "", "", proof.Proved},
		{"absent, and it is there", access.Nothing, 0, "", file("ro", false, "x"), proof.Found{}, host, "", "it is there", proof.False},
	} {
		p := proof.Place{Entry: access.Entry{At: expr.MustParse("~/a"), Shows: test.shows, Lasts: test.lasts, What: test.what}, Inside: "/h/a", Host: "/h/a"}
		got := p.Judge(test.first, test.second, test.host, test.problem)
		if got.Result != test.result || got.Why != test.want {
			t.Errorf("%s: %d, %q, want %d, %q", test.name, got.Result, got.Why, test.result, test.want)
		}
	}
}

// TestPlaces: of two at a place the last decides, and a pattern stands for a name.
func TestPlaces(t *testing.T) {
	one := func(at string, shows access.Shows, pattern bool) access.Entry {
		return access.Entry{At: expr.MustParse(at), Shows: shows, Pattern: pattern}
	}
	all := []access.Entry{
		one("~", access.Own, false), one("~/a", access.Read, false), one("~/a", access.Hidden, false),
		one("./[ab]*.env", access.Hidden, true), one("./d/e/f", access.Read, false), one("$UNSET/x", access.Read, false),
	}
	env := expr.Env{Home: "/h", Project: "/h/p"}
	places := proof.Places(all, env, env)
	var names []string
	for _, p := range places {
		names = append(names, p.Inside)
	}
	if got, want := strings.Join(names, " "), "/h /h/a /h/p/ax.env /h/p/d/e/f"; got != want {
		t.Errorf("places %q, want %q", got, want)
	}
	if places[1].Shows != access.Hidden {
		t.Errorf("%s shows %d", places[1].Inside, places[1].Shows)
	}
	names = nil
	for _, p := range proof.Pinned(places, "/h/p") {
		names = append(names, p.Inside)
	}
	if got, want := strings.Join(names, " "), "/h/p/d /h/p/d/e"; got != want {
		t.Errorf("pinned %q, want %q", got, want)
	}
	for at, want := range map[string]bool{"/h/x": true, "/h/p/d": false, "/h/p/d/e/f/g": false, "/srv": true, "/h/a": false} {
		if proof.Absent(at, places) != want {
			t.Errorf("%s is absent: %v, want %v", at, !want, want)
		}
	}
}

// TestRead: what the script writes is read as it was meant, whatever names hold.
func TestRead(t *testing.T) {
	s := proof.Read("at:0=f ro yes no 3 a bc d\x00at:1=- rw no no 0 \x00network:=yes\x00NAME=a=b\x00end:=yes\x00")
	if len(s.Places) != 2 || s.Places[0] != (proof.Found{Kind: 'f', Mode: "ro", Mount: true, Link: "a b", Holds: "c d"}) || s.Places[1].IsThere() {
		t.Errorf("places %+v", s.Places)
	}
	if !s.Whole || s.Said["network"] != "yes" || s.Variables["NAME"] != "a=b" {
		t.Errorf("%+v", s)
	}
}
