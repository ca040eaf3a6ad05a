package storetest

import (
	"os"
	"strings"
	"testing"
)

// refused checks for one sentence about a path, said before bwrap runs.
func (b *bench) refused(what string, r result, words ...string) {
	b.Helper()
	if r.status != 125 || strings.Contains(r.err, "bwrap: ") || !strings.Contains(r.err, "hint: ") {
		b.Errorf("%s: %+v", what, r)
	}
	for _, word := range words {
		if !strings.Contains(r.err, word) {
			b.Errorf("%s: no word of %q: %s", what, word, r.err)
		}
	}
}

func TestStoreInLower(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		r := b.host("cd code/p; XDG_STATE_HOME=$HOME/go/pkg/mod/state " + b.launcher + " true")
		b.refused("a store in a cache", r, b.home+"/go/pkg/mod", "store")
	})
}

func TestOwner(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		if os.Getuid() != 0 || b.uid == 0 {
			b.Skip("needs an ordinary user, and root to make another's directory")
		}
		if err := os.Lchown(b.home+"/go/pkg/mod", 0, 0); err != nil {
			b.Fatal(err)
		}
		b.refused("another's cache", b.inside("true"), b.home+"/go/pkg/mod", "another user")
		b.launch(onDisk + `fallback = "read"` + "\n")
		r := b.inside("cat ~/go/pkg/mod/cache/f; touch ~/go/pkg/mod/x ~/.cache/go-build/y || echo no")
		b.same("read-only", r.out, "host\nno")
		if strings.Count(r.err, "another user") != 1 {
			b.Errorf("said: %s", r.err)
		}
	})
}

// TestNested has one cache in another, and two that are one.
func TestNested(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		before := b.state("go", ".cache")
		r := b.host("cd code/p; export GOCACHE=$HOME/go/pkg/mod/cache; " + b.launcher + " sh -c 'echo x >$GOCACHE/n; cat ~/go/pkg/mod/cache/n'")
		b.same("inside", b.must(r), "x")
		r = b.host("cd code/p; export GOCACHE=$HOME/go/pkg/mod; " + b.launcher + " sh -c 'echo x >$GOCACHE/n; cat ~/go/pkg/mod/n'")
		b.same("inside", b.must(r), "x")
		b.same("the host", b.state("go", ".cache"), before)
		b.gone()
	})
}

// TestSubmount mounts something below a cache, in a namespace of the test's own.
func TestSubmount(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		if os.Getuid() != 0 || b.uid != 0 {
			b.Skip("needs root to mount")
		}
		inMount := func(at, then string) result {
			return b.host("exec unshare -m sh -c 'mkdir -p " + at + " && mount -t tmpfs none " + at + " && cd code/p && " + then + "'")
		}
		b.refused("a mount below a cache", inMount("go/pkg/mod/cache/m", b.launcher+" true"), b.home+"/go/pkg/mod", "/cache/m")
		b.must(inMount(".cache/go-build", b.launcher+" touch "+b.home+"/.cache/go-build/x"))
		b.launch(onDisk + `fallback = "read"` + "\n")
		r := inMount("go/pkg/mod/cache/m", b.launcher+" sh -c \"cat ~/go/pkg/mod/cache/f; touch ~/go/pkg/mod/x || echo no\"")
		b.same("read-only", r.out, "host\nno")
		b.launch("")
		b.refused("in memory, too", inMount("go/pkg/mod/cache/m", b.launcher+" true"), "/cache/m")
	})
}

// TestPlace has a store on a file system that holds no upper layer.
func TestPlace(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		if os.Getuid() != 0 || b.uid != 0 {
			b.Skip("needs root to mount")
		}
		script := `cd $HOME; mkdir -p o/l o/u o/w o/m; mount -t overlay overlay -o lowerdir=o/l,upperdir=o/u,workdir=o/w o/m && cd code/p && XDG_STATE_HOME=$HOME/o/m ` + b.launcher + " true"
		b.refused("a store on an overlay", b.host("exec unshare -m sh -c '"+script+"'"), "overlay", "XDG_STATE_HOME", b.home+"/o/m")
	})
}

// TestAwkward has names that mount(8), bwrap and bash take for something else.
func TestAwkward(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		for _, name := range []string{"a b", "a:b", "a,b", `a\b`, "a=b", `a"b`, "a\nb", "-a", "$a", "*", "ä"} {
			q := "'" + name + "'"
			r := b.host("mkdir -p " + "./" + q + "; cd code/p; export GOMODCACHE=$HOME/" + q + `; echo h >"$GOMODCACHE/h"; ` + b.launcher + ` sh -c 'cat "$GOMODCACHE/h"; echo x >"$GOMODCACHE/h"'; cat "$GOMODCACHE/h"`)
			b.same(name, b.must(r), "h\nh")
		}
		r := b.host("ln -s go/pkg/mod link; ln -s $PWD/go golink; cd code/p; GOMODCACHE=$HOME/link " + b.launcher + " sh -c 'cat $GOMODCACHE/cache/f'; GOMODCACHE=$HOME/golink/pkg/mod " + b.launcher + " sh -c 'cat $GOMODCACHE/cache/f'")
		b.same("links", b.must(r), "host\nhost")
		b.gone()
	})
}
