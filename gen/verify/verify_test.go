package verify

import (
	"strings"
	"testing"

	"bwrapgen/gen/access"
	"bwrapgen/gen/expr"
)

// TestJudge: what is found inside decides, beside what the host has.
func TestJudge(t *testing.T) {
	none, writable := access.Facts{}, access.Facts{Writable: true}
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
		facts         access.Facts
		first, second finding
		host          control
		problem, want string
		result        Result
	}{
		{"read", access.Read, 0, none, file("ro", false, "x"), finding{}, host, "", "", Passed},
		{"read, and it is not there", access.Read, 0, none, finding{}, finding{}, host, "", "it is not there", Less},
		{"read, and it is another's", access.Read, 0, none, file("ro", false, "y"), finding{}, host, "", "it is not the host's", Failed},
		{"read, and it can be written to", access.Read, 0, none, file("rw", true, "x"), finding{}, host, "", "it can be written to", Failed},
		{"read, and the mount is writable", access.Read, 0, none, file("rw", false, "x"), finding{}, host, "", "it can be written to", Failed},
		{"read what the host has not", access.Read, 0, none, finding{}, finding{}, control{}, "", "this host has none", Skipped},
		{"write", access.Write, 0, none, file("rw", true, "x"), finding{}, reached, "", "", Passed},
		{"write, and it stays inside", access.Write, 0, none, file("rw", true, "x"), finding{}, host, "", "what is written does not reach the host", Less},
		{"view", access.View, access.Gone, none, file("rw", true, "x"), finding{}, host, "", "", Passed},
		{"view, and it reaches the host", access.View, access.Gone, none, file("rw", true, "x"), finding{}, reached, "", "what is written reaches the host", Failed},
		{"view that is kept", access.View, access.InStore, none, file("rw", true, "x"), later, host, "", "", Passed},
		{"view that is not kept", access.View, access.InStore, none, file("rw", true, "x"), finding{}, host, "", "what is written is not kept", Less},
		{"view that is not thrown away", access.View, access.Gone, none, file("rw", true, "x"), later, host, "", "what is written is not thrown away", Failed},
		{"view that cannot be made", access.View, access.InStore, none, file("ro", false, "x"), finding{}, host, "no overlays", "no overlays", Skipped},
		{"hidden", access.Hidden, 0, none, file("ro", false, ""), finding{}, host, "", "", Passed},
		{"hidden, and it can be read", access.Hidden, 0, none, file("ro", false, "x"), finding{}, host, "", "it can be read", Failed},
		{"hidden, and it can be made anew", access.Hidden, 0, none, file("rw", true, ""), finding{}, host, "", "it can be written to", Failed},
		{"own", access.Own, 0, writable, file("rw", true, ""), finding{}, host, "", "", Passed},
		{"own, and it is the host's", access.Own, 0, writable, file("rw", true, "x"), finding{}, host, "", "it is the host's", Failed},
		{"own, and it is the host's directory", access.Own, 0, none, finding{kind: 'd', isMount: true, inode: "1:2"}, finding{}, control{isThere: true, inode: "1:2"}, "", "it is the host's", Failed},
		{"own, and another directory", access.Own, 0, none, finding{kind: 'd', isMount: true, inode: "3:2"}, finding{}, control{isThere: true, inode: "1:2"}, "", "", Passed},
		{"own, and it has no mount", access.Own, 0, writable, finding{kind: 'd', mode: "rw", worked: true}, finding{}, host, "", "nothing of the sandbox's own stands there", Failed},
		{"link", access.Link, 0, access.Facts{LeadsTo: "usr/bin"}, finding{link: "usr/bin"}, finding{}, host, "", "", Passed},
		{"link that leads elsewhere", access.Link, 0, access.Facts{LeadsTo: "usr/bin"}, finding{link: "bin"}, finding{}, host, "", "there is no such link", Failed},
		{"no link", access.Link, 0, access.Facts{LeadsTo: "usr/bin"}, finding{}, finding{}, host, "", "there is no such link", Less},
		{"own where the host has none", access.Own, 0, access.Facts{Optional: true}, finding{}, finding{}, control{}, "", "this host has none", Skipped},
		{"absent", access.Nothing, 0, none, finding{}, finding{}, host, "", "", Passed},
		{"absent, and it is there", access.Nothing, 0, none, file("ro", false, "x"), finding{}, host, "", "it is there", Failed},
	} {
		p := place{Entry: access.Entry{At: expr.MustParse("~/a"), Shows: test.shows, Lasts: test.lasts, Facts: test.facts}, inside: "/h/a", host: "/h/a"}
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
		return access.Entry{At: expr.MustParse(at), Shows: shows, Facts: access.Facts{Pattern: pattern}}
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
