package host_test

import (
	"fmt"
	"reflect"
	"testing"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

func exprs(texts ...string) []expr.Path {
	var all []expr.Path
	for _, text := range texts {
		all = append(all, expr.MustParse(text))
	}
	return all
}

func TestMerge(t *testing.T) {
	a := host.Question{Paths: exprs("/b", "/a"), Variables: []string{"X"}, Project: "/p"}
	b := host.Question{Programs: true, Paths: exprs("/a", "/c"), Sizes: exprs("/s"), Variables: []string{"X", "Y"}, Markers: []string{"go.mod"}, Project: "/q"}
	want := host.Question{
		Paths: exprs("/b", "/a", "/c"), Sizes: exprs("/s"),
		Variables: []string{"X", "Y"}, Markers: []string{"go.mod"}, Project: "/p", Programs: true,
	}
	if got := a.Merge(b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if got := (host.Question{}).Merge(want); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestNames(t *testing.T) {
	q := host.Question{
		Paths: exprs("${GOMODCACHE:-${GOPATH:-~/go}/pkg/mod}", "/a"), Sizes: exprs("$XDG_RUNTIME_DIR/bus"),
		Variables: []string{"GOPATH", "A"},
	}
	if got, want := fmt.Sprint(q.Names()), "[A GOMODCACHE GOPATH XDG_RUNTIME_DIR]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHas(t *testing.T) {
	f := sample()
	for text, want := range map[string]bool{"/usr": true, "/usr/": true, "~/.ssh": true, "/home/u/.ssh": false, "/opt": false} {
		if _, ok := f.Has(expr.MustParse(text)); ok != want {
			t.Errorf("%s: got %v", text, ok)
		}
	}
}

func TestEnvironment(t *testing.T) {
	env := sample().Environment("/p")
	for text, want := range map[string]string{"${CARGO_HOME:-~/.cargo}/bin": "/data/cargo/bin", "~/x": "/home/u/x", "./y": "/p/y"} {
		if got, _ := expr.MustParse(text).Eval(env); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
