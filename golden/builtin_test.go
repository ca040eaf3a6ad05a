package golden_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/profiles"
)

// TestBuiltin renders every built-in profile for machines of the corpus: a bare
// one, one with Go and its caches, one with an old bwrap, one of another kind.
func TestBuiltin(t *testing.T) {
	l := profile.Loader{Builtin: profiles.FS}
	for _, name := range l.Names() {
		for _, file := range []string{"host.json", "caches-go/host.json", "bwrap-old/host.json", "bwrap-oldest/host.json", "hosts-aarch64/host.json"} {
			t.Run(name+"/"+file, func(t *testing.T) {
				t.Parallel()
				builtin(t, l, name, readHost(t, file))
			})
		}
	}
}

func builtin(t *testing.T, l profile.Loader, name string, f host.Facts) {
	t.Helper()
	script, err := launcher(t, l, name, f, plan.Options{Name: name, Source: "bwrapgen generate " + name})
	if err != nil {
		t.Fatal(err)
	}
	sound(t, script)
	anonymous(t, script, []host.Facts{f})
	m := newMachine(f)
	r := interpret(t, script, m.home+"/bin/"+name, m, arguments...)
	if r.status != 0 || r.stderr != "" {
		t.Fatalf("exit %d: %s", r.status, r.stderr)
	}
	promised(t, r.call(), m.home)
}

// promised looks for what holds whatever the profile says.
func promised(t *testing.T, call []string, home string) {
	t.Helper()
	for _, flag := range []string{"--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup", "--die-with-parent", "--chdir"} {
		if !slices.Contains(call, flag) {
			t.Errorf("no %s", flag)
		}
	}
	if !slices.Contains(call, "--disable-userns") && !slices.Contains(call, "--seccomp") {
		t.Error("nothing keeps the command from making user namespaces")
	}
	for i, word := range call {
		if word == "--bind" && (call[i+1] == home || strings.HasPrefix(home, call[i+1]+"/") || call[i+1] == "/") {
			t.Errorf("%s is writable", call[i+1])
		}
	}
	if !slices.Equal(call[len(call)-len(arguments):], arguments) {
		t.Errorf("the arguments changed: %q", call)
	}
}

// TestLength holds the launchers that people read first to a length that they
// will read. It is a ratchet: lower the numbers when they can be lower.
func TestLength(t *testing.T) {
	for name, limit := range map[string]int{"look": 317, "default": 603} {
		script, err := launcher(t, profile.Loader{Builtin: profiles.FS}, name, readHost(t, "caches-go/host.json"), plan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(script, []byte("\n")); n > limit {
			t.Errorf("%s has %d lines, more than %d", name, n, limit)
		} else {
			t.Logf("%s has %d lines", name, n)
		}
	}
}
