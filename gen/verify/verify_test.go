package verify

import (
	"strings"
	"testing"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
)

// TestJudge: what is found inside decides, beside what the host has.
func TestJudge(t *testing.T) {
	const gone = "empty, writable, and gone afterwards"
	host := control{isThere: true, isOwn: true, holds: "x"}
	reached := host
	reached.hasArrived = true
	file := func(mode string, wrote bool, holds string) finding {
		return finding{kind: 'f', mode: mode, isMount: true, worked: wrote, holds: holds}
	}
	later := finding{worked: true}
	for _, test := range []struct {
		name          string
		shows         access.Shows
		lasts         access.Lasts
		what          string
		first, second finding
		host          control
		problem, want string
		result        Result
	}{
		{"read", access.Read, 0, "", file("ro", false, "x"), finding{}, host, "", "", Proved},
		{"read, and it is not there", access.Read, 0, "", finding{}, finding{}, host, "", "it is not there", False},
		{"read, and it is another's", access.Read, 0, "", file("ro", false, "y"), finding{}, host, "", "it is not the host's", False},
		{"read, and it can be written to", access.Read, 0, "", file("rw", true, "x"), finding{}, host, "", "it can be written to", False},
		{"read, and the mount is writable", access.Read, 0, "", file("rw", false, "x"), finding{}, host, "", "it can be written to", False},
		{"read what the host has not", access.Read, 0, "", finding{}, finding{}, control{}, "", "this host has none", Unprovable},
		{"write", access.Write, 0, "", file("rw", true, "x"), finding{}, reached, "", "", Proved},
		{"write, and it stays inside", access.Write, 0, "", file("rw", true, "x"), finding{}, host, "", "what is written does not reach the host", False},
		{"view", access.View, access.Gone, "", file("rw", true, "x"), finding{}, host, "", "", Proved},
		{"view, and it reaches the host", access.View, access.Gone, "", file("rw", true, "x"), finding{}, reached, "", "what is written reaches the host", False},
		{"view that is kept", access.View, access.InStore, "", file("rw", true, "x"), later, host, "", "", Proved},
		{"view that is not kept", access.View, access.InStore, "", file("rw", true, "x"), finding{}, host, "", "what is written is not kept", False},
		{"view that is not thrown away", access.View, access.Gone, "", file("rw", true, "x"), later, host, "", "what is written is not thrown away", False},
		{"view that cannot be made", access.View, access.InStore, "", file("ro", false, "x"), finding{}, host, "no overlays", "no overlays", Unprovable},
		{"hidden", access.Hidden, 0, "", file("ro", false, ""), finding{}, host, "", "", Proved},
		{"hidden, and it can be read", access.Hidden, 0, "", file("ro", false, "x"), finding{}, host, "", "it can be read", False},
		{"hidden, and it can be made anew", access.Hidden, 0, "", file("rw", true, ""), finding{}, host, "", "it can be written to", False},
		{"own", access.Own, 0, gone, file("rw", true, ""), finding{}, host, "", "", Proved},
		{"own, and it is the host's", access.Own, 0, gone, file("rw", true, "x"), finding{}, host, "", "it is the host's", False},
		{"own, and it is the host's directory", access.Own, 0, "", finding{kind: 'd', isMount: true, inode: "1:2"}, finding{}, control{isThere: true, inode: "1:2"}, "", "it is the host's", False},
		{"own, and another directory", access.Own, 0, "", finding{kind: 'd', isMount: true, inode: "3:2"}, finding{}, control{isThere: true, inode: "1:2"}, "", "", Proved},
		{"own, and it has no mount", access.Own, 0, gone, finding{kind: 'd', mode: "rw", worked: true}, finding{}, host, "", "nothing of the sandbox's own stands there", False},
		{"link", access.Link, 0, "a link to usr/bin", finding{link: "usr/bin"}, finding{}, host, "", "", Proved},
		{"absent", access.Nothing, 0, "", finding{}, finding{}, host, "", "", Proved},
		{"absent, and it is there", access.Nothing, 0, "", file("ro", false, "x"), finding{}, host, "", "it is there", False},
	} {
		p := place{Entry: access.Entry{At: expr.MustParse("~/a"), Shows: test.shows, Lasts: test.lasts, What: test.what}, inside: "/h/a", host: "/h/a"}
		p.control = test.host
		got := p.judge(test.first, test.second, test.problem)
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
	places := placesOf(all, env, env)
	var names []string
	for _, p := range places {
		names = append(names, p.inside)
	}
	if got, want := strings.Join(names, " "), "/h /h/a /h/p/ax.env /h/p/d/e/f"; got != want {
		t.Errorf("places %q, want %q", got, want)
	}
	if places[1].Shows != access.Hidden {
		t.Errorf("%s shows %d", places[1].inside, places[1].Shows)
	}
	names = nil
	for _, p := range pinned(places, "/h/p") {
		names = append(names, p.inside)
	}
	if got, want := strings.Join(names, " "), "/h/p/d /h/p/d/e"; got != want {
		t.Errorf("pinned %q, want %q", got, want)
	}
	for at, want := range map[string]bool{"/h/x": true, "/h/p/d": false, "/h/p/d/e/f/g": false, "/srv": true, "/h/a": false} {
		if isAbsent(at, places) != want {
			t.Errorf("%s is absent: %v, want %v", at, !want, want)
		}
	}
}

// TestRead: what the script writes is read as it was meant, whatever names hold.
func TestRead(t *testing.T) {
	s := read("at:0=f ro yes no 3 a bc d\x00at:1=- rw no no 0 \x00nested:=yes\x00NAME=a=b\x00end:=yes\x00", nil)
	if len(s.found) != 2 || s.found[0] != (finding{kind: 'f', mode: "ro", isMount: true, link: "a b", holds: "c d"}) || s.found[1].isThere() {
		t.Errorf("places %+v", s.found)
	}
	if !s.isWhole || s.whole["nested"] != "yes" || s.variables["NAME"] != "a=b" {
		t.Errorf("%+v", s)
	}
}
