package storetest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// tools are what builds run with, and where Debian puts them.
var tools = []string{"/usr/bin/npm", "/usr/bin/cargo", "/usr/bin/python3", "/usr/lib/python3/dist-packages/pip"}

// build fetches and builds what the project needs: %s are a Go, and packages.
const build = `set -e; all=(); rm -rf node_modules lib target Cargo.lock go.sum
%s mod tidy 2>/dev/null && %[1]s build ./... & all+=($!)
/usr/bin/npm ci --no-audit --no-fund --loglevel=error >/dev/null & all+=($!)
/usr/bin/python3 -m pip install -q --no-deps --target lib %[2]s 2>/dev/null & all+=($!)
/usr/bin/cargo build -q & all+=($!)
for one in "${all[@]}"; do wait "$one"; done
test -e node_modules/aaa/index.js -a -e lib/aaa.py -a -e target/debug/libp.rlib -a -e go.sum`

// TestBuilds builds with go, npm, pip and cargo. The host's caches have one of
// two packages; the other is fetched, and not again from what is kept.
func TestBuilds(t *testing.T) {
	t.Parallel()
	for _, path := range tools {
		if _, err := os.Stat(path); err != nil {
			t.Fatalf("%v; .ci/setup installs it", err)
		}
	}
	for number, a := range harness.Accounts() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			settings := a.Settings(t)
			r, b := newRegistry(t), newBench(t, settings[0])
			b.workshop(r)
			for i, s := range settings {
				for _, mode := range modes(number, i, len(settings)) {
					t.Run(s.Version+"-"+mode, func(t *testing.T) {
						s.Works(t)
						here := *b
						here.T, here.Setting = t, s
						here.Set("PATH=" + s.Path())
						here.builds(r, mode)
					})
				}
			}
		})
	}
}

// modes are those that an account tries under the bwrap of a number. What takes so long
// is not done in all ways that there are: as root or the user, under the oldest bwrap or
// the newest, each mode is tried, and one mode under each bwrap between these.
func modes(account, bwrap, bwraps int) []string {
	all := []string{"ephemeral", "session", "keep"}
	between := 0 < bwrap && bwrap < bwraps-1
	switch {
	case harness.Whole() || len(harness.Accounts()) == 1:
		return all
	case between && account != bwrap%2:
		return nil
	case between:
		return []string{all[bwrap%3]}
	}
	var some []string
	for i, mode := range all {
		if newest := bwrap == bwraps-1; ((account+i)%2 == 1) == newest || bwraps == 1 {
			some = append(some, mode)
		}
	}
	return some
}

// builds does so, and once more where the first run left something.
func (b *bench) builds(r *registry, mode string) {
	b.Set("GOROOT=" + goroot(b.T))
	text := "[caches]\nmode = \"" + mode + "\"\n[toolchains]\nuse = [\"go\", \"npm\", \"pip\", \"cargo\"]\n[environment.set]\n"
	if mode == "keep" { // as the default has it
		text = strings.TrimPrefix(text, "[caches]\nmode = \"keep\"\n")
	}
	for _, setting := range r.settings() {
		name, value, _ := strings.Cut(setting, "=")
		text += fmt.Sprintf("%s = %q\n", name, value)
	}
	b.launch(text)
	before := b.state("go", ".cache", ".cargo", ".npm")
	wanted := []string{"[1 1 1 1]", "[0 0 0 0]"}
	if mode == "ephemeral" {
		wanted = []string{"[1 1 1 1]"} // so does the next run, of another launcher
	}
	for _, want := range wanted {
		b.must(b.inside(fmt.Sprintf(build, goroot(b.T)+"/bin/go", "aaa bbb")))
		b.same("downloads of what the host has, for go, npm, pip, cargo", r.downloads("aaa"), "[0 0 0 0]")
		b.same("downloads of what it has not", r.downloads("bbb"), want)
	}
	before.Same(b.T, b.state("go", ".cache", ".cargo", ".npm"))
	if mode != "ephemeral" {
		b.must(b.sandbox("--sandbox-discard"))
	}
	b.gone()
}

// workshop makes a project that needs both packages, and caches that have the
// first of them: another project needed that.
func (b *bench) workshop(r *registry) {
	b.Helper()
	b.furnish("warm", r, "aaa")
	b.furnish("code/p", r, "aaa", "bbb")
	index := "code/p/index"
	b.put(index+"/config.json", `{"dl":"`+r.url+`/cargo/{crate}.crate","api":null}`)
	b.put(index+"/3/a/aaa", r.index("aaa"))
	b.put(index+"/3/b/bbb", r.index("bbb"))
	b.must(b.host("cd " + index + " && git init -q && git add . && git -c user.name=a -c user.email=a commit -qm a"))
	b.must(b.host("cd warm; export " + strings.Join(r.settings(), " ") + "; " + fmt.Sprintf(build, goroot(b.T)+"/bin/go", "aaa")))
	b.same("downloads for the host", r.downloads("aaa")+r.downloads("bbb"), "[1 1 1 1][0 0 0 0]")
}

// furnish makes a project for all four tools.
func (b *bench) furnish(dir string, r *registry, names ...string) {
	mod, source, crate := "module x\n\ngo 1.21\n", "package x\n", "[package]\nname = \"p\"\nversion = \"1.0.0\"\n[dependencies]\n"
	for _, name := range names {
		mod += "\nrequire p.test/" + name + " v1.0.0\n"
		source += "\nimport _ \"p.test/" + name + "\"\n"
		crate += name + " = \"1\"\n"
	}
	b.put(dir+"/go.mod", mod)
	b.put(dir+"/x.go", source)
	b.put(dir+"/Cargo.toml", crate)
	b.put(dir+"/src/lib.rs", "")
	b.put(dir+"/.cargo/config.toml", "[source.crates-io]\nreplace-with = \"here\"\n[source.here]\nregistry = \"file://"+b.Project+"/index\"\n")
	b.put(dir+"/package.json", r.manifest(names...))
	b.put(dir+"/package-lock.json", r.lock(names...))
}

// goroot is the Go that runs this.
func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
