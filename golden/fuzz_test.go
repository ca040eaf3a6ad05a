package golden_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"bwrapgen/gen"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// seeds are the texts that went wrong elsewhere.
func seeds() []string {
	return []string{
		"", " ", "a b", "\n", "a\nb", "\r", "\t", "'", `"`, `\`, "$(id)", "`id`", "${HOME}", "$HOME", "!", "*", "?", "[a]", "~", "~root", "{a,b}",
		"-x", "--bind", "--", "=", "a=b", "#", "a #b", ";id", "&", "|", "<", ">", "\xff", "\xe9\\", "\u202e", "\u00a0", "é", "$'", `\'`, "$\"x\"", "%s", "%", "\x01", "\x7f",
		strings.Repeat("x", 5000), "[[", "]]", "))", "EOF\n", "a\\", "//", "..", "x/../y", "@(a|b)", "^", "$$", "$-", "${x@P}", `\u`,
	}
}

// FuzzLauncher puts any text into each place of a plan that takes one, and
// looks for it in what the interpreted launcher gives to bwrap. That it holds
// nothing but what a launcher may hold is checked on the way.
func FuzzLauncher(f *testing.F) {
	for _, seed := range seeds() {
		f.Add(seed, "x")
		f.Add("x", seed)
	}
	base := empty(f)
	facts := readHost(f, "host.json")
	f.Fuzz(func(t *testing.T, name, value string) {
		if strings.Contains(name+value, "\x00") {
			t.Skip("refused by the profile; TestLauncherNUL has the launcher")
		}
		hold(t, base, facts, path.Join("/srv", path.Clean("/"+name)), value)
	})
}

// empty is the plan that the others are made from.
func empty(f *testing.F) plan.Plan {
	f.Helper()
	p, err := profile.Parse("x.toml", nil, profile.Loader{})
	if err != nil {
		f.Fatal(err)
	}
	built, err := plan.Build(p, tools(f), readHost(f, "host.json"), plan.Options{Name: "fuzz"})
	if err != nil {
		f.Fatal(err)
	}
	return built
}

func hold(t *testing.T, p plan.Plan, f host.Facts, at, value string) {
	t.Helper()
	root, home, inside := expr.Path{Base: expr.Root, Rest: at}, expr.Path{Base: expr.Home, Rest: at}, expr.Path{Base: expr.Project, Rest: at}
	moved := expr.Path{Base: expr.Variable, Name: "MOVED", Default: fallback(home), Rest: "/x"}
	p.About, p.Command = value, []string{value}
	p.Groups = []plan.Group{{About: value, Mounts: []plan.Mount{
		{Op: plan.ROBind, Source: root, Target: home, Optional: true},
		{Op: plan.Tmpfs, Target: moved},
		{Op: plan.Symlink, Text: value + "/", Target: root},
	}}}
	p.Inside = []plan.Group{{Mounts: []plan.Mount{{Op: plan.Tmpfs, Source: inside, Target: inside, Optional: true}}}}
	p.Environ.Set = []profile.Variable{{Name: "VALUE", Text: value}, {Name: "PLACE", Path: moved}}
	p.Environ.Pass = []string{"PASSED"}
	script, err := gen.Launcher(p)
	if err != nil {
		t.Fatal(err)
	}
	m := newMachine(f)
	m.set("PASSED", value)
	m.files.mkdir(f.Home + "/code" + at) // what a project lacks is left out
	r := interpret(t, script, m.home+"/bin/fuzz", m, "--", value, "", at)
	below, _ := home.Eval(f.Environment(""))
	moving, _ := moved.Eval(f.Environment(""))
	for _, words := range [][]string{
		{"--ro-bind-try", at, below},
		{"--tmpfs", moving},
		{"--symlink", value + "/", at},
		{"--tmpfs", f.Home + "/code" + at},
		{"VALUE=" + value},
		{"PLACE=" + moving},
		{"PASSED=" + value},
		{"PWD=/home/alice/code"},
		{value, value, "", at},
	} {
		if !holds(r.call(), words) {
			t.Errorf("exit %d, %s\nno %q in %q", r.status, r.stderr, words, r.call())
		}
	}
}

// fallback is p, unless bash has no way to write it inside ${NAME:-...}; then
// a launcher is refused.
func fallback(p expr.Path) *expr.Path {
	if strings.ContainsFunc(p.Rest, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }) {
		p.Rest = "/x"
	}
	return &p
}

// holds reports whether some words follow each other in a call.
func holds(call, words []string) bool {
	for i := range call {
		if slices.Equal(call[i:min(i+len(words), len(call))], words) {
			return true
		}
	}
	return false
}
