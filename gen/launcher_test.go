package gen

import (
	"bwrapgen/gen/bash"
	"bytes"
	"os"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

func TestTry(t *testing.T) {
	l := profile.Loader{Builtin: profiles.FS, ReadFile: os.ReadFile}
	p, err := l.Load("default")
	if err != nil {
		t.Fatal(err)
	}
	tools, _ := profiles.Tools()
	c, err := catalogue.Load(tools)
	if err != nil {
		t.Fatal(err)
	}
	pl, err := plan.Build(p, c, host.Facts{Arch: "x86_64", Home: "/root", Markers: []string{"go.mod"}}, plan.Options{})
	if err != nil {
		t.Fatal(err)
	}
	v, _ := newView(pl)
	var raw bytes.Buffer
	partials().ExecuteTemplate(&raw, "launcher.sh.tmpl", v)
	x, _ := bash.Format(raw.Bytes())
	os.WriteFile("/tmp/p/raw", x, 0o644)
	s, err := Launcher(pl)
	os.WriteFile("/tmp/p/L", s, 0o755)
	if err != nil {
		t.Fatal(err)
	}
}
