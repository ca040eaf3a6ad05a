package compare_test

import (
	"slices"
	"testing"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/compare"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/golden"
	"bwrapgen/profiles"
)

const (
	folder   = "../../golden"
	managers = "toolchains-managers" // the case whose host has most
)

// TestSame: nothing differs from itself, for all built-in profiles and all cases.
func TestSame(t *testing.T) {
	for _, one := range slices.Concat(builtins(t), cases(t)) {
		r := compared(t, one.Side, one.Side)
		if !r.Same() || len(r.Said) > 0 {
			t.Errorf("%s: %+v", one.name(), r)
		}
	}
}

// TestPairs compares all built-in profiles with each other, on one host in all pairs,
// and each profile on several hosts: what one direction exposes the other takes away, and nothing differs if and only
// if the digest does not.
func TestPairs(t *testing.T) {
	t.Parallel()
	pairs(t, builtins(t), 7)
}

// TestCasePairs does the same with the cases: every nineteenth pair, since they are many.
func TestCasePairs(t *testing.T) {
	t.Parallel()
	pairs(t, cases(t), 19)
}

func pairs(t *testing.T, all []named, every int) {
	t.Helper()
	equal := 0
	for i, was := range all {
		for j, is := range all[:i] {
			if was.profile == is.profile || was.host == is.host && (was.host == managers || (i+j)%every == 0) {
				equal += both(t, was, is)
			}
		}
	}
	t.Logf("%d sandboxes, %d pairs with the same digest", len(all), equal)
}

// both compares in both directions, and counts the same digest.
func both(t *testing.T, was, is named) int {
	t.Helper()
	there, back := compared(t, was.Side, is.Side), compared(t, is.Side, was.Side)
	for _, mirror := range []struct{ list, other []compare.Change }{
		{there.Exposes, back.TakesAway}, {there.TakesAway, back.Exposes}, {there.Differs, back.Differs}, {there.Said, back.Said},
	} {
		if got, want := subjects(mirror.list), subjects(mirror.other); !slices.Equal(got, want) {
			t.Errorf("%s to %s: only there %q, only back %q", was.name(), is.name(), without(got, want), without(want, got))
		}
	}
	if same := was.digest == is.digest; same != there.Same() {
		t.Errorf("%s to %s: the same digest: %v, but nothing differs: %v: %+v", was.name(), is.name(), same, there.Same(), there)
	}
	for _, c := range there.Differs {
		if c.Subject == "digest" {
			t.Errorf("%s to %s: nobody can say what differs", was.name(), is.name())
		}
	}
	if was.digest == is.digest {
		return 1
	}
	return 0
}

func subjects(changes []compare.Change) []string {
	var all []string
	for _, c := range changes {
		all = append(all, c.Subject)
	}
	slices.Sort(all)
	return all
}

func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(text string) bool { return slices.Contains(others, text) })
}

// named is one sandbox of the corpus.
type named struct {
	profile, host, digest string
	compare.Side
}

func builtins(t *testing.T) []named {
	t.Helper()
	var all []named
	l := profile.Loader{Builtin: profiles.FS}
	for _, name := range l.Names() {
		for _, file := range []string{"minimal", "caches-go", managers} {
			p, err := l.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			side, err := planned(p, facts(t, read(t, file)))
			if err != nil {
				t.Fatal(name, file, err)
			}
			all = append(all, digested(t, name, file, side))
		}
	}
	return all
}

// cases are those of the golden files that come to a launcher.
func cases(t *testing.T) []named {
	t.Helper()
	names, err := golden.Names(folder)
	if err != nil || len(names) < 75 {
		t.Fatalf("%d cases: %v", len(names), err)
	}
	var all []named
	for _, name := range names {
		c := read(t, name)
		if c.Fails() {
			continue
		}
		p, err := profile.Loader{Builtin: profiles.FS, ReadFile: c.ReadFile}.Load("profile.toml")
		if err != nil {
			t.Fatal(err)
		}
		side, err := planned(p, facts(t, c))
		if err != nil {
			t.Fatal(name, err)
		}
		all = append(all, digested(t, name, "", side))
	}
	return all
}

func read(t *testing.T, name string) golden.Case {
	t.Helper()
	c, err := golden.Read(folder, name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func facts(t *testing.T, c golden.Case) host.Facts {
	t.Helper()
	hosts, err := c.Hosts()
	if err != nil {
		t.Fatal(err)
	}
	return host.Union(hosts...)
}

func planned(p profile.Profile, f host.Facts) (compare.Side, error) {
	built, err := plan.Build(p, catalogue.BuiltIn(), f, plan.Options{})
	return compare.Side{Plan: built, Profile: p}, err
}

func (n named) name() string { return n.profile + " on " + n.host }

func digested(t *testing.T, name, host string, s compare.Side) named {
	t.Helper()
	return named{name, host, digest(t, s), s}
}

func compared(t *testing.T, was, is compare.Side) compare.Report {
	t.Helper()
	r, err := compare.Sides(was, is, catalogue.BuiltIn())
	if err != nil {
		t.Fatal(err)
	}
	return r
}
