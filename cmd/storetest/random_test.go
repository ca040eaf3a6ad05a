package storetest

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestApplyRandom has the command and the host do this and that, and applies what
// comes of it, twice. Whatever they did: each path is the host's or the command's,
// what the host has changed since stays, and so does what the command has left
// alone. Where the host did nothing, it has what the command saw in the end, once what could not be
// replaced is removed.
func TestApplyRandom(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		for seed := range seeds(b.T) {
			r := rand.New(rand.NewPCG(seed, 0))
			first := "find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +; rm -rf ~/old\n"
			for _, name := range names {
				first += fmt.Sprintf("mkdir -p ~/old/%[1]s/b; echo old | tee ~/old/%[1]s/a ~/old/%[1]s/b/-c >/dev/null\n", name)
			}
			before := b.tree(b.host, first+random(r, 15))
			view := b.tree(func(script string) harness.Result { return b.inside(script) }, random(r, 1+r.IntN(6)))
			late := ""
			for range r.IntN(3) {
				p := place(r)
				late += fmt.Sprintf("rm -rf %s; mv ~/old/%s %s\n", p, names[r.IntN(len(names))], p) + random(r, 1)
			}
			host := b.tree(b.host, late)
			const refusal = ": a directory would replace a file, or a file a directory; remove the old one first"
			removed := "" // by the user, as it can only be replaced by hand
			for range 2 {
				applied := b.sandbox("--sandbox-apply")
				after := b.tree(b.host, "")
				for _, all := range []map[string]string{host, after} {
					for name := range all {
						is, had := after[name], host[name]
						if removed == "" && is != had && (is != view[name] || had != before[name] || is == before[name]) {
							b.Errorf("seed %d: %s was %q; the command made it %q, the host %q; it is %q\n%s", seed, name, before[name], view[name], had, is, applied.Stderr)
						}
					}
				}
				if late != "" {
					continue
				}
				refused := ""
				for line := range strings.Lines(applied.Stderr) {
					if path, ok := strings.CutSuffix(strings.TrimSpace(line), refusal); ok {
						refused += "rm -rf " + strings.TrimPrefix(path, "try: not applied: ") + "\n"
					}
				}
				if removed = refused; removed != "" {
					b.must(b.host(removed))
				} else if applied.Status != 0 || !maps.Equal(after, view) {
					b.Errorf("seed %d: not all is applied: %+v\n%q\n%q", seed, applied, view, after)
				}
			}
			b.must(b.sandbox("--sandbox-discard"))
		}
	})
}

// seeds are a few, or as many as BWRAPGEN_SEEDS says.
func seeds(t *testing.T) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(cmp.Or(os.Getenv("BWRAPGEN_SEEDS"), "8"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// names are few, so that what is done meets.
var names = []string{"a", "b", "-c", "'d e'"}

// place is somewhere in the project.
func place(r *rand.Rand) string {
	p := "./" + names[r.IntN(len(names))]
	for r.IntN(2) == 0 {
		p += "/" + names[r.IntN(len(names))]
	}
	return p
}

// random makes, changes, moves and removes something, n times. Much of it fails.
func random(r *rand.Rand, n int) string {
	var script strings.Builder
	for range n {
		p, number := place(r), r.IntN(1e6)
		fmt.Fprintln(&script, []string{
			fmt.Sprintf("mkdir -p %[1]s; echo %[2]d >%[1]s/a; echo %[2]d >%[1]s/-c", p, number),
			fmt.Sprintf("[ -e %[1]s ] || echo %[2]d >%[1]s", p, number),
			fmt.Sprintf("[ ! -f %[1]s ] || echo %[2]d >>%[1]s", p, number),
			fmt.Sprintf("rm -rf %s", p),
			fmt.Sprintf("rm -rf %[1]s; mkdir %[1]s; echo %[2]d >%[1]s/b", p, number),
			fmt.Sprintf("rm -rf %[1]s; echo %[2]d >%[1]s", p, number),
			fmt.Sprintf("rm -rf %[1]s; ln -s a %[1]s", p),
			fmt.Sprintf("mv -T %s %s", p, place(r)),
			fmt.Sprintf("[ -L %[1]s ] || chmod 7%[2]d0 %[1]s", p, number%2*5),
		}[r.IntN(9)])
	}
	return script.String()
}

// tree runs a script in the project, and says what is there then, but for .git.
func (b *bench) tree(run func(string) harness.Result, script string) map[string]string {
	b.Helper()
	found := b.must(run("cd ~/code/p; { :\n" + script + `} 2>/dev/null; find . -name .git -prune -o -printf '%P\t%y %m %l\n'
		find . -name .git -prune -o -type f -exec cksum {} +`))
	all := map[string]string{}
	for line := range strings.Lines(found) {
		if name, what, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			all[name] = what
		} else if i := strings.Index(line, " ./"); i >= 0 {
			all[strings.TrimSpace(line[i+3:])] += line[:i]
		}
	}
	return all
}
