package host_test

import (
	"reflect"
	"testing"

	"bwrapgen/gen/host"
)

func TestUnion(t *testing.T) {
	type facts = host.Facts
	bwrap := func(version string, options ...string) facts {
		return facts{Bwrap: host.Program{Path: "/usr/bin/bwrap", Version: version, Options: options}}
	}
	paths := func(key string, fact host.PathFact) facts {
		return facts{Paths: map[string]host.PathFact{key: fact}}
	}
	dir := host.PathFact{Kind: host.Dir}
	link := host.PathFact{Kind: host.Dir, Target: "/data"}
	dangling := host.PathFact{Kind: host.Dangling, Target: "/gone"}
	for _, test := range []struct {
		name   string
		a, b   facts
		want   facts
		oneWay bool // the order of a and b matters
	}{
		{name: "home", a: facts{Home: "/home/a"}, b: facts{Home: "/home/b"}, want: facts{Home: "/home/a"}, oneWay: true},
		{name: "home unknown", a: facts{}, b: facts{Home: "/home/b"}, want: facts{Home: "/home/b"}},
		{name: "architectures", a: facts{Arch: "x86_64"}, b: facts{Arch: "aarch64"}, want: facts{Arch: "aarch64,x86_64"}},
		{name: "same architecture", a: facts{Arch: "x86_64"}, b: facts{Arch: "x86_64"}, want: facts{Arch: "x86_64"}},
		{name: "version by number", a: bwrap("0.9.0"), b: bwrap("0.12.0"), want: bwrap("0.9.0")},
		{name: "version by its digit", a: bwrap("0.9.0"), b: bwrap("0.8.0"), want: bwrap("0.8.0")},
		{name: "version by length", a: bwrap("0.9"), b: bwrap("0.9.1"), want: bwrap("0.9")},
		{name: "options", a: bwrap("", "--a", "--b"), b: bwrap("", "--b", "--c"), want: bwrap("", "--b")},
		{name: "no bwrap", a: facts{}, b: bwrap("1.0", "--a"), want: bwrap("1.0", "--a")},
		{name: "userns", a: facts{Userns: true}, b: facts{UsernsWhy: "no"}, want: facts{UsernsWhy: "no"}},
		{name: "userns everywhere", a: facts{Userns: true}, b: facts{Userns: true}, want: facts{Userns: true}},
		{name: "same zone", a: facts{Timezone: "/z/A"}, b: facts{Timezone: "/z/A"}, want: facts{Timezone: "/z/A"}},
		{name: "other zone", a: facts{Timezone: "/z/A"}, b: facts{Timezone: "/z/B"}, want: facts{}},
		{name: "unknown zone", a: facts{Timezone: "/z/A"}, b: facts{}, want: facts{Timezone: "/z/A"}},
		{name: "markers", a: facts{Markers: []string{"go.mod"}}, b: facts{Markers: []string{"Cargo.toml", "go.mod"}},
			want: facts{Markers: []string{"Cargo.toml", "go.mod"}}},
		{name: "variables", a: facts{Variables: map[string]string{"A": "/1", "B": "/1"}}, b: facts{Variables: map[string]string{"B": "/2", "C": "/2"}},
			want: facts{Variables: map[string]string{"A": "/1", "B": "/1", "C": "/2"}}, oneWay: true},
		{name: "git", a: facts{Git: []host.Setting{{Key: "a"}, {Key: "b"}}}, b: facts{Git: []host.Setting{{Key: "b"}, {Key: "b", Program: "p"}}},
			want: facts{Git: []host.Setting{{Key: "a"}, {Key: "b"}, {Key: "b", Program: "p"}}}, oneWay: true},
		{name: "path of one", a: facts{}, b: paths("/a", dir), want: paths("/a", dir)},
		{name: "path of both", a: paths("/a", link), b: paths("/a", dir), want: paths("/a", link), oneWay: true},
		{name: "dangling gives way", a: paths("/a", dangling), b: paths("/a", dir), want: paths("/a", dir)},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.want.Version = host.Version
			if got := host.Union(test.a, test.b); !same(got, test.want) {
				t.Errorf("got %+v\nwant %+v", got, test.want)
			}
			if got := host.Union(test.b, test.a); !test.oneWay && !same(got, test.want) {
				t.Errorf("the other way round: got %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func same(a, b host.Facts) bool { return string(a.JSON()) == string(b.JSON()) }

func TestUnionOfOneAndNone(t *testing.T) {
	if got := host.Union(sample()); !reflect.DeepEqual(got, sample()) {
		t.Errorf("got %+v", got)
	}
	if got := host.Union(); got.Version != host.Version {
		t.Errorf("got %+v", got)
	}
	if got := host.Union(sample(), sample(), sample()); !reflect.DeepEqual(got, sample()) {
		t.Errorf("got %+v", got)
	}
}

// The machines' own facts stay as they were.
func TestUnionLeavesItsArguments(t *testing.T) {
	a, b := sample(), sample()
	b.Paths["/new"] = host.PathFact{Kind: host.Dir}
	b.Bwrap.Options = nil
	host.Union(a, b)
	if !reflect.DeepEqual(a, sample()) {
		t.Errorf("got %+v", a)
	}
}

func TestArchitectures(t *testing.T) {
	all := host.Union(host.Facts{Arch: "x86_64"}, host.Facts{Arch: "aarch64"}, host.Facts{Arch: "x86_64"}, host.Facts{})
	if got, want := all.Architectures(), []string{"aarch64", "x86_64"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (host.Facts{}).Architectures(); got != nil {
		t.Errorf("got %q", got)
	}
}
