package storetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// refused checks for one sentence about a path, said before bwrap runs.
func (b *bench) refused(what string, r trial.Result, words ...string) {
	b.Helper()
	r.Refused(b.T, what, words...)
	if strings.Contains(r.Stderr, "bwrap: ") {
		b.Errorf("%s: bwrap has run: %s", what, r.Stderr)
	}
}

func TestStoreInLower(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		r := b.host("cd code/p; XDG_STATE_HOME=$HOME/go/pkg/mod/state " + b.Program + " true")
		b.refused("a store in a cache", r, b.Home+"/go/pkg/mod", "store", "XDG_STATE_HOME")
	})
}

// TestCacheAnywhere has a variable lead a cache to the home directory, or to what is
// the kernel's: none of that is a cache, whatever may be done to it.
func TestCacheAnywhere(t *testing.T) {
	for _, mode := range []string{"ephemeral", "keep", "read", "write"} {
		everywhere(t, "[caches]\nmode = \""+mode+"\"\nfallback = \"read\"\n", func(b *bench) {
			b.must(b.host("mkdir mod; ln -s . home; ln -s /proc kernel"))
			b.Set("GOMODCACHE=" + b.Home + "/mod")
			b.same("the control", b.must(b.inside("ls -d $GOMODCACHE")), b.Home+"/mod")
			for _, place := range []string{b.Home, b.Home + "/..", b.Home + "/home", b.Home + "/kernel", "/proc/self", "/dev", "/sys"} {
				b.Set("GOMODCACHE=" + place)
				b.refused(mode+" "+place, b.inside("true"), "refusing to share "+place)
			}
		})
	}
}

// TestStoreOfEach has projects of nearly the same name, of all lengths: no two of
// them have one store.
func TestStoreOfEach(t *testing.T) {
	newest(t, onDisk, func(b *bench) {
		stores := strings.Fields(b.must(b.host(`for p in '' x xx xxx xxxx xxxxx xxxxxx xxxxxxx xxxxxxxx xxxxxxxxx; do names+=("$p"1 "$p"01); done
			for n in "${names[@]}" a-b a.b a_b a_hb a__b 'a b' ä; do mkdir "$n" && (cd "$n" && ` + b.Program + ` --sandbox-print true | grep -o 'bwrapgen/[^/ ]*-[0-9a-f]*' | sort -u); done`)))
		count := len(stores)
		slices.Sort(stores)
		if got := len(slices.Compact(stores)); got != 27 || count != 27 {
			b.Errorf("27 projects have %d stores, of which %d differ", count, got)
		}
	})
}

// TestOwner has a cache that is another user's. Only root can give it away.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can make what another owns: its run of the tests does")
	}
	trial.Ordinary().Everywhere(t, func(t *testing.T, s trial.Setting) {
		b := newBench(t, s)
		if err := os.Lchown(b.Home+"/go/pkg/mod", 0, 0); err != nil {
			b.Fatal(err)
		}
		b.launch(onDisk)
		b.refused("another's cache", b.inside("true"), b.Home+"/go/pkg/mod", "another user")
		b.launch(onDisk + `fallback = "read"` + "\n")
		r := b.inside("cat ~/go/pkg/mod/cache/f; touch ~/go/pkg/mod/x ~/.cache/go-build/y || echo no")
		b.same("read-only", r.Stdout, "host\nno")
		if strings.Count(r.Stderr, "another user") != 1 {
			b.Errorf("said: %s", r.Stderr)
		}
	})
}

// TestNested has one cache in another, and two that are one.
func TestNested(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		before := b.state("go", ".cache")
		r := b.host("cd code/p; export GOCACHE=$HOME/go/pkg/mod/cache; " + b.Program + " sh -c 'echo x >$GOCACHE/n; cat ~/go/pkg/mod/cache/n'")
		b.same("inside", b.must(r), "x")
		r = b.host("cd code/p; export GOCACHE=$HOME/go/pkg/mod; " + b.Program + " sh -c 'echo x >$GOCACHE/n; cat ~/go/pkg/mod/n'")
		b.same("inside", b.must(r), "x")
		before.Same(b.T, b.state("go", ".cache"))
		b.gone()
	})
}

// TestSubmount mounts something below a cache, in a namespace of the test's own.
func TestSubmount(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		inMount := func(at string, command ...string) trial.Result {
			return b.InNamespace(`mkdir -p "$1" && mount -t tmpfs none "$1"`, b.Home+"/"+at).Run(b.T, command...)
		}
		const below = "go/pkg/mod/cache/m"
		b.refused("a mount below a cache", inMount(below, "true"), b.Home+"/go/pkg/mod", "/cache/m")
		b.must(inMount(".cache/go-build", "touch", b.Home+"/.cache/go-build/x"))
		for _, name := range []string{"a b", "a\tb", "a\nb", `a\b`, `a\040b`} {
			b.Set("GOMODCACHE=" + b.Home + "/" + name)
			b.refused(fmt.Sprintf("below %q", name), inMount(name+"/m", "true"), b.Home+"/a", "/m is mounted below it")
		}
		b.Set("GOMODCACHE=")
		b.launch(onDisk + `fallback = "read"` + "\n")
		r := inMount(below, "sh", "-c", "cat ~/go/pkg/mod/cache/f; touch ~/go/pkg/mod/x || echo no")
		b.same("read-only", r.Stdout, "host\nno")
		b.launch("")
		b.refused("in memory, too", inMount(below, "true"), "/cache/m")
	})
}

// places are file systems that are mounted at $1, in the directory $2: what they
// are for a store, and that they can be the lower of a cache, which has the file f.
var places = []struct{ name, mount, refusal string }{
	{"overlay", "mount -t overlay overlay -o userxattr,lowerdir=l,upperdir=u,workdir=w \"$1\"", "lies on overlay"},
	{"FUSE", "mount --bind fuse /dev/fuse; setpriv --pdeathsig KILL fuse-overlayfs -f -o lowerdir=l,upperdir=u,workdir=w \"$1\" 2>/dev/null & until mountpoint -q \"$1\"; do sleep 0.05; done", "lies on fuse"},
	{"ramfs", "mount -t ramfs none \"$1\"; cp l/f \"$1\"", "lies on ramfs"},
	{"overlay over tmpfs", "mount -t tmpfs none \"$1\"; mount -t overlay overlay -o userxattr,lowerdir=l,upperdir=u,workdir=w \"$1\"", "lies on overlay"},
	{"read-only", "mount --bind l \"$1\"; mount -o remount,ro,bind \"$1\"", "cannot make"},
	{"tmpfs", "mount -t tmpfs none \"$1\"; cp l/f \"$1\"", ""},
	{"tmpfs over overlay", "mount -t overlay overlay -o userxattr,lowerdir=l,upperdir=u,workdir=w \"$1\"; mount -t tmpfs none \"$1\"; cp l/f \"$1\"", ""},
}

// TestPlace has a store on another file system, also on one that holds no upper
// layer.
func TestPlace(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		b.layers()
		place := b.Home + "/m"
		b.Set("XDG_STATE_HOME=" + place)
		for _, p := range places {
			for _, mode := range []string{"ephemeral", "keep"} {
				b.launch("[caches]\nmode = \"" + mode + "\"\nstore = \"disk\"\n")
				r := b.InNamespace("cd \"$2\"; "+p.mount+"; cd \"$OLDPWD\"", place, b.Home+"/o").Run(b.T, "bash", "-c", "echo x >>~/go/pkg/mod/cache/f; cat ~/go/pkg/mod/cache/f")
				if p.refusal == "" {
					b.same(p.name, b.must(r), "host\nx")
				} else {
					b.refused(p.name, r, p.refusal, "XDG_STATE_HOME", place)
				}
			}
		}
	})
}

// TestPlaceOfGroup has a store where all belongs to another group, which is not
// there inside.
func TestPlaceOfGroup(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to any group")
	}
	everywhere(t, onDisk, func(b *bench) {
		place := b.Home + "/m"
		b.Set("XDG_STATE_HOME=" + place)
		b.must(b.host("mkdir m"))
		for _, group := range []int{b.As.GID, 54321} {
			if err := errors.Join(os.Chown(place, b.As.UID, group), os.Chmod(place, os.ModeSetgid|0o700)); err != nil {
				b.Fatal(err)
			}
			for _, mode := range []string{"ephemeral", "keep"} {
				b.launch("[caches]\nmode = \"" + mode + "\"\nstore = \"disk\"\n")
				r := b.inside("echo x >>~/go/pkg/mod/cache/f; cat ~/go/pkg/mod/cache/f")
				if group == b.As.GID {
					b.same(mode, b.must(r), "host\nx")
				} else {
					b.refused(mode, r, "hands on a group", "XDG_STATE_HOME", place)
				}
			}
		}
	})
}

// TestLowerPlace has a cache on another file system, also on one that holds no
// upper layer, as in a container: a lower it can be.
func TestLowerPlace(t *testing.T) {
	everywhere(t, "", func(b *bench) {
		b.layers()
		for _, p := range places {
			for _, mode := range []string{"ephemeral", "keep"} {
				b.launch("[caches]\nmode = \"" + mode + "\"\nstore = \"disk\"\n")
				r := b.InNamespace("cd \"$2\"; "+p.mount+"; cd \"$OLDPWD\"", b.Home+"/go/pkg/mod", b.Home+"/o").Run(b.T, "bash", "-c", "cd ~/go/pkg/mod; cat f; echo x >>f; cat f; mkdir d; mv f d")
				b.same(p.name+", "+mode, r.Stdout+r.Stderr, "deep\ndeep\nx")
				b.same("below it", b.must(b.host("cat o/l/f; find o/u")), "deep\no/u")
				if mode == "keep" {
					b.must(b.sandbox("--sandbox-discard"))
				}
			}
		}
		b.gone()
	})
}

// TestTwoOverlays has what lies on an overlay of an overlay, on which the kernel
// makes no third: one cache, or the whole home, as in a container in a container.
func TestTwoOverlays(t *testing.T) {
	const twice = `mount -t tmpfs none /dev/shm; cd "$2"; mkdir -p u u2 w w2; l=$1; for n in "" 2; do mount -t overlay overlay -o userxattr,lowerdir="$l",upperdir=u$n,workdir=w$n "$1"; l=$1; done; cd "$3"`
	for _, store := range []string{"disk", "memory"} {
		everywhere(t, "", func(b *bench) {
			cache, layers := b.Home+"/go/pkg/mod", b.Top+"/o"
			b.must(b.host("mkdir " + layers))
			text := "[caches]\nmode = \"ephemeral\"\nstore = \"" + store + "\"\n"
			see := []string{"bash", "-c", "cat ~/go/pkg/mod/cache/f; touch ~/go/pkg/mod/x 2>/dev/null || echo no"}
			for _, fallback := range []string{"", "fallback = \"read\"\n"} {
				b.launch(text + fallback)
				r := b.InNamespace(twice, cache, layers, b.Project).Run(b.T, see...)
				r.Refused(b.T, "a cache", "no view of "+cache+" can be made", "an overlay of an overlay")
			}
			b.Set("XDG_STATE_HOME=" + layers)
			r := b.InNamespace(twice, b.Home, layers, b.Project).Run(b.T, see...)
			b.same("a home, read-only", r.Stdout, "host\nno")
			b.same("said", r.Stderr, "L: caches are read-only: bwrap can make no overlay here")
		})
	}
}

// TestSameNumber has a run that takes the process number of one which a power cut
// has ended: it starts from what the host has, and sweeps.
func TestSameNumber(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		const alone = `set -- unshare --pid --fork --kill-child --mount-proc "$@"`
		for range 2 {
			r := b.InNamespace(alone).Run(b.T, "bash", "-c", "ls ~/go/pkg/mod; touch ~/go/pkg/mod/x")
			b.same("inside", b.must(r), "cache\nro")
		}
	})
}

// layers makes what places are made of: directories, and a device for FUSE that
// the person may open, as is usual; only root can make one.
func (b *bench) layers() {
	b.Helper()
	b.must(b.host("mkdir -p m o/l o/u o/w; echo deep >o/l/f"))
	if os.Getuid() != 0 {
		b.must(b.host("ln -sf /dev/fuse o/fuse"))
	} else if err := exec.Command("sh", "-c", `mknod -m 666 "$1" c 10 229`, "sh", b.Home+"/o/fuse").Run(); err != nil {
		b.Fatal(err)
	}
}

// TestAwkward has names that mount(8), bwrap and bash take for something else.
func TestAwkward(t *testing.T) {
	everywhere(t, onDisk, func(b *bench) {
		for _, name := range []string{"a b", "a:b", "a,b", `a\b`, "a=b", `a"b`, "a\nb", "-a", "$a", "*", "ä"} {
			q := "'" + name + "'"
			r := b.host("mkdir -p " + "./" + q + "; cd code/p; export GOMODCACHE=$HOME/" + q + `; echo h >"$GOMODCACHE/h"; ` + b.Program + ` sh -c 'cat "$GOMODCACHE/h"; echo x >"$GOMODCACHE/h"'; cat "$GOMODCACHE/h"`)
			b.same(name, b.must(r), "h\nh")
		}
		r := b.host("ln -s go/pkg/mod link; ln -s $PWD/go golink; cd code/p; GOMODCACHE=$HOME/link " + b.Program + " sh -c 'cat $GOMODCACHE/cache/f'; GOMODCACHE=$HOME/golink/pkg/mod " + b.Program + " sh -c 'cat $GOMODCACHE/cache/f'")
		b.same("links", b.must(r), "host\nhost")
		b.gone()
	})
}

// TestNoOverlays has a bwrap that can make no overlay, or a mount(8) that
// cannot, as on an old kernel.
func TestNoOverlays(t *testing.T) {
	for _, store := range []string{"disk", "memory"} {
		t.Run(store, func(t *testing.T) {
			text := "[caches]\nmode = \"ephemeral\"\nstore = \"" + store + "\"\n"
			everywhere(t, text, func(b *bench) {
				wrapper := "#!/bin/bash\nfor word; do [[ $word != --overlay-src && $word != *'mount -n'* ]] || { echo \"bwrap: Can't make overlay mount on /newroot: Operation not permitted\" >&2; exit 1; }; done\nexec " + b.Bwrap + "/bwrap \"$@\"\n"
				b.put("bin/bwrap", wrapper)
				b.must(b.host("chmod 755 bin/bwrap"))
				b.Set("PATH=" + b.Home + "/bin:/usr/bin:/bin")
				b.inside("true").Refused(b.T, "without an overlay", b.Home+"/.cache/go-build", "the kernel lets users make none")
				b.launch(text + `fallback = "read"` + "\n")
				for range 2 {
					r := b.inside("cat ~/go/pkg/mod/cache/f; touch ~/go/pkg/mod/x ~/.cache/go-build/y 2>/dev/null || echo no")
					b.same("read-only", r.Stdout, "host\nno")
					b.same("said", r.Stderr, "L: caches are read-only: bwrap can make no overlay here")
				}
				b.Set("PATH=" + b.Path())
				b.same("with one again", b.must(b.inside("touch ~/go/pkg/mod/x && echo yes")), "yes")
			})
		})
	}
}

// TestNoLayers has a file system that says nothing of it and holds no layers, as
// ext4 with casefold: the store is to blame, and not what is shown.
func TestNoLayers(t *testing.T) {
	for _, mode := range []string{"ephemeral", "keep"} {
		t.Run(mode, func(t *testing.T) {
			everywhere(t, "[caches]\nmode = \""+mode+"\"\nstore = \"disk\"\n", func(b *bench) {
				b.put("bin/bwrap", "#!/bin/bash\n[[ $* != *"+b.stores()+"/*upper* ]] || { [[ $* != */sys/0/view* ]] || { echo 'mount: /sys/0/view: wrong fs type' >&2; exit 32; }; echo \"bwrap: Can't make overlay mount on (null): Invalid argument\" >&2; exit 1; }\nexec "+b.Bwrap+"/bwrap \"$@\"\n")
				b.must(b.host("chmod 755 bin/bwrap"))
				b.Set("PATH=" + b.Home + "/bin:/usr/bin:/bin")
				r := b.inside("true")
				r.Refused(b.T, "no layers", "the store "+b.stores(), "cannot be used", "XDG_STATE_HOME")
				if mode == "keep" {
					b.must(b.sandbox("--sandbox-discard"))
				}
				b.gone()
				b.launch("")
				b.must(b.inside("touch ~/go/pkg/mod/x"))
			})
		})
	}
}

// TestStoreWritten: where a command can write, it could move the store away, and
// have the next launch write where links in one of its own lead.
func TestStoreWritten(t *testing.T) {
	newest(t, kept+"[filesystem]\nwrite = [\"~/lib\"]", func(b *bench) {
		b.must(b.host("mkdir -p lib/state state code/p/state; ln -s code/p to"))
		for _, place := range []string{b.Home + "/lib/state", b.Project + "/state", b.Project + "/absent", b.Home + "/lib", b.Home + "/to/absent/state"} {
			b.Set("XDG_STATE_HOME=" + place)
			if strings.HasPrefix(place, b.Home+"/lib") { // in what the profile lists, there is more than the store
				b.refused(place, b.inside("true"), "refusing "+b.Home+"/lib: by XDG_STATE_HOME")
				continue
			}
			b.refused(place, b.inside("true"), "refusing the store", "XDG_STATE_HOME", strings.Replace(place, "/to/", "/code/p/", 1))
		}
		b.Set("XDG_STATE_HOME=" + b.Home + "/state")
		b.must(b.inside("echo x >~/lib/fine"))
		b.must(b.sandbox("--sandbox-discard"))
	})
}
