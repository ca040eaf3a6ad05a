package host_test

import (
	"errors"
	"reflect"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
)

func sample() host.Facts {
	return host.Facts{
		Version: 1, OS: "linux", Arch: "x86_64", Home: "/home/u",
		Bwrap:     host.Program{Path: "/usr/bin/bwrap", Version: "0.12.0", Options: []string{"--bind", "--dev"}},
		Bash:      host.Program{Path: "/bin/bash"},
		Userns:    true,
		Timezone:  "/usr/share/zoneinfo/Europe/Berlin",
		Variables: map[string]string{"CARGO_HOME": "/data/cargo"},
		Markers:   []string{"Cargo.toml", "go.mod"},
		Git:       []host.Setting{{Key: "core.pager", Path: expr.MustParse("~/bin/delta"), Program: "delta"}, {Key: "include.path", Path: expr.MustParse("/srv/git")}},
		Paths: map[string]host.PathFact{
			"/bin":   {Kind: host.Dir, Target: "/usr/bin"},
			"/usr":   {Kind: host.Dir},
			"~/.ssh": {Kind: host.Dangling, Target: "/gone"},
			"~/big":  {Kind: host.Dir, Size: 7, Bound: true},
		},
	}
}

const printed = `{
  "version": 1,
  "os": "linux",
  "arch": "x86_64",
  "home": "/home/u",
  "bwrap": {
    "path": "/usr/bin/bwrap",
    "version": "0.12.0",
    "options": [
      "--bind",
      "--dev"
    ]
  },
  "bash": {
    "path": "/bin/bash"
  },
  "env": {},
  "userns": true,
  "timezone": "/usr/share/zoneinfo/Europe/Berlin",
  "variables": {
    "CARGO_HOME": "/data/cargo"
  },
  "markers": [
    "Cargo.toml",
    "go.mod"
  ],
  "git": [
    {
      "key": "core.pager",
      "path": "~/bin/delta",
      "program": "delta"
    },
    {
      "key": "include.path",
      "path": "/srv/git"
    }
  ],
  "paths": {
    "/bin": {"kind":"dir","target":"/usr/bin"},
    "/usr": {"kind":"dir"},
    "~/.ssh": {"kind":"dangling","target":"/gone"},
    "~/big": {"kind":"dir","size":7,"bound":true}
  }
}
`

func TestJSON(t *testing.T) {
	if got := string(sample().JSON()); got != printed {
		t.Errorf("got\n%s\nwant\n%s", got, printed)
	}
}

func TestReadPrinted(t *testing.T) {
	got, err := host.Read([]byte(printed))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, sample()) {
		t.Errorf("got %+v\nwant %+v", got, sample())
	}
}

func TestReadRefuses(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"empty", ``, "is not JSON: unexpected end of JSON input"},
		{"not JSON", `hello`, "is not JSON: invalid character 'h' looking for beginning of value"},
		{"list", `[]`, "is of the wrong type: array"},
		{"null", `null`, "has no version: not the facts about a host"},
		{"no version", `{}`, "has no version: not the facts about a host"},
		{"older", `{"version": 0}`, "version: is 0, not 1"},
		{"newer", `{"version": 2, "novelty": true}`, "version: is 2, and this bwrapgen reads 1"},
		{"unknown", `{"version": 1, "novelty": true}`, `unknown key: "novelty"`},
		{"unknown below", `{"version": 1, "bwrap": {"flags": []}}`, `unknown key: "flags"`},
		{"type", `{"version": 1, "userns": "yes"}`, "userns: is of the wrong type: string"},
		{"more", `{"version": 1} {}`, "is not JSON: invalid character '{' after top-level value"},
		{"home", `{"version": 1, "home": "u"}`, `home: is not an absolute path: "u"`},
		{"variable", `{"version": 1, "variables": {"A": "b"}}`, `variables."A": is not an absolute path: "b"`},
		{"path", `{"version": 1, "paths": {"etc": {"kind": "dir"}}}`, `paths."etc": is not an absolute path`},
		{"setting", `{"version": 1, "git": [{"key": "core.pager", "path": "less"}]}`, `"less" is not an absolute path`},
		{"not clean", `{"version": 1, "paths": {"/a//b": {"kind": "dir"}}}`, `paths."/a//b": is not in its shortest form`},
		{"kind", `{"version": 1, "paths": {"/a": {"kind": "absent"}}}`, `paths."/a": unknown kind: "absent"`},
		{"target", `{"version": 1, "paths": {"/a": {"kind": "dir", "target": "b"}}}`, `paths."/a".target: is not an absolute path: "b"`},
		{"size", `{"version": 1, "paths": {"/a": {"kind": "dir", "size": -1}}}`, `paths."/a".size: is negative: -1`},
		{"escape", `{"version": 1, "home": "/\\n"}`, `"/\\n" has a backslash that is neither \\ nor \x and two digits`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := host.Read([]byte(test.in))
			var p problem.Problem
			if !errors.As(err, &p) {
				t.Fatalf("got %v, not a problem", err)
			}
			if p.Error() != test.want {
				t.Errorf("got %s\nwant %s", p, test.want)
			}
			if p.Hint == "" {
				t.Error("no hint")
			}
		})
	}
}

func TestJSONHostileNames(t *testing.T) {
	for _, name := range []string{
		"a b", "a\nb", `a"b`, "a'b", `a\b`, `\xff`, "\xff", "a\xc3", "\u202e", "<&>", "\u2028", "\ufffd", "\x00", `\\xff`,
	} {
		f := host.Facts{
			Version: 1, Home: "/" + name,
			Variables: map[string]string{"V": "/" + name},
			Markers:   []string{name},
			Paths:     map[string]host.PathFact{"/a": {Kind: host.Dir, Target: "/" + name}},
		}
		got, err := host.Read(f.JSON())
		if err != nil {
			t.Errorf("%q: %v", name, err)
		} else if !reflect.DeepEqual(got, f) {
			t.Errorf("%q: got %+v", name, got)
		}
	}
}

// Whatever is read can be printed and read again, with the same result.
func FuzzRead(f *testing.F) {
	f.Add([]byte(printed))
	f.Add([]byte(`{"version": 1, "home": "/\\xff\\\\"}`))
	f.Add([]byte(`{"version": 1, "paths": {"${A:-~/b}/c": {"kind": "file"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := host.Read(data)
		if err != nil {
			return
		}
		again, err := host.Read(facts.JSON())
		if err != nil {
			t.Fatalf("%v in\n%s", err, facts.JSON())
		}
		if !reflect.DeepEqual(again, facts) {
			t.Errorf("got %+v\nwant %+v", again, facts)
		}
	})
}
