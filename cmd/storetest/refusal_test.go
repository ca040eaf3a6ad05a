package storetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// refused checks for one sentence about a path, said before bwrap runs.
func (b *bench) refused(what string, r harness.Result, words ...string) {
	b.Helper()
	r.Refused(b.T, what, words...)
	if strings.Contains(r.Stderr, "bwrap: ") {
		b.Errorf("%s: bwrap has run: %s", what, r.Stderr)
	}
}

func TestStoreInLower(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		r := b.host("cd code/p; XDG_STATE_HOME=$HOME/go/pkg/mod/state " + b.Program + " true")
		b.refused("a store in a cache", r, b.Home+"/go/pkg/mod", "store", "XDG_STATE_HOME")
	})
}

// TestCacheAnywhere has a variable lead a cache to the home directory, or to what is
// the kernel's: none of that is a cache, whatever may be done to it.
func TestCacheAnywhere(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"ephemeral", "keep", "read", "write"} {
		everywhere(t, "[caches]\nmode = \""+mode+"\"\n", func(b *bench) {
			b.must(b.host("mkdir mod; ln -s . home; ln -s /proc kernel"))
			b.Set("GOMODCACHE=" + b.Home + "/mod")
			b.same("the control", b.must(b.inside("ls -d $GOMODCACHE")), b.Home+"/mod")
			for _, place := range []string{b.Home, b.Home + "/..", b.Home + "/home", b.Home + "/kernel", "/proc/self", "/dev", "/sys"} {
				b.Set("GOMODCACHE=" + place)
				b.refused(mode+" "+place, b.inside("true"), "refusing ", place)
			}
		})
	}
}

// TestStoreOfEach has projects of nearly the same name, of all lengths: no two of
// them have one store.
func TestStoreOfEach(t *testing.T) {
	t.Parallel()
	newest(t, cached, func(b *bench) {
		stores := strings.Fields(b.must(b.host(`for p in '' x xx xxx xxxx xxxxx xxxxxx xxxxxxx xxxxxxxx xxxxxxxxx; do names+=("$p"1 "$p"01); done
			for n in "${names[@]}" a-b a.b a_b a_hb a__b 'a b' ä; do mkdir "$n" && (cd "$n" && ` + b.Program + ` --sandbox-print true | grep -o 'bwrapgen/[^/]*/cache.1' | tr ' ' , | sort -u); done`)))
		count := len(stores)
		slices.Sort(stores)
		if got := len(slices.Compact(stores)); got != 27 || count != 27 {
			b.Errorf("27 projects have %d stores, of which %d differ", count, got)
		}
	})
}

// TestOwner has a cache that is another user's. Only root can give it away. Where
// there can be no view of it nothing runs, and it stays as it is.
func TestOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can make what another owns: its run of the tests does")
	}
	harness.Ordinary().Everywhere(t, func(t *testing.T, s harness.Setting) {
		b := newBench(t, s)
		if err := os.Lchown(b.Home+"/go/pkg/mod", 0, 0); err != nil {
			b.Fatal(err)
		}
		for _, text := range []string{cached, thrown} {
			b.launch(text)
			if r := b.inside("echo ran"); r.Status != 0 {
				b.refused("another's cache", r, b.Home+"/go/pkg/mod", "another user")
			}
			if harness.Read(b.T, b.Home+"/go/pkg/mod/cache/f") != "host\n" {
				b.Error("it has changed")
			}
		}
	})
}

// TestNested has one cache in another, and two that are one.
func TestNested(t *testing.T) {
	t.Parallel()
	everywhere(t, thrown, func(b *bench) {
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
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		inMount := func(at string, command ...string) harness.Result {
			return b.InNamespace(`mkdir -p "$1" && mount -t tmpfs none "$1"`, b.Home+"/"+at).Run(b.T, command...)
		}
		const below = "go/pkg/mod/cache/m"
		b.refused("a mount below a cache", inMount(below, "true"), b.Home+"/go/pkg/mod", "/cache/m")
		b.must(inMount(".cache/go-build", "touch", b.Home+"/.cache/go-build/x"))
		for _, name := range []string{"a b", "a\tb", "a\nb", `a\b`, `a\040b`} {
			b.Set("GOMODCACHE=" + b.Home + "/" + name)
			b.refused(fmt.Sprintf("below %q", name), inMount(name+"/m", "true"), b.Home+"/a", "/m is a mount point")
		}
		b.Set("GOMODCACHE=")
		b.launch(thrown)
		b.refused("thrown away, too", inMount(below, "true"), "/cache/m")
	})
}

// places are file systems that are mounted at $1, in the directory $2: whether they hold
// the layers of a store. They can be the lower of a cache, which has the file f.
var places = []struct {
	name, mount string
	holds       bool
}{
	{"overlay", "mount -t overlay overlay -o userxattr,lowerdir=l,upperdir=u,workdir=w \"$1\"", false},
	{"FUSE", "mount --bind fuse /dev/fuse; setpriv --pdeathsig KILL fuse-overlayfs -f -o lowerdir=l,upperdir=u,workdir=w \"$1\" 2>/dev/null & until mountpoint -q \"$1\"; do sleep 0.05; done", false},
	{"ramfs", "mount -t ramfs none \"$1\"; cp l/f \"$1\"", true},
	{"overlay over tmpfs", "mount -t tmpfs none \"$1\"; mount -t overlay overlay -o userxattr,lowerdir=l,upperdir=u,workdir=w \"$1\"", false},
	{"read-only", "mount --bind l \"$1\"; mount -o remount,ro,bind \"$1\"", false},
	{"tmpfs", "mount -t tmpfs none \"$1\"; cp l/f \"$1\"", true},
	{"tmpfs over overlay", "mount -t overlay overlay -o userxattr,lowerdir=l,upperdir=u,workdir=w \"$1\"; mount -t tmpfs none \"$1\"; cp l/f \"$1\"", true},
}

// TestPlace has a store on another file system, also on one that holds no upper layer, as
// in a container: then what is written is thrown away, which is said, and the command runs.
func TestPlace(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.layers()
		for i, p := range places {
			// What holds no layers is remembered until the machine starts anew.
			place := fmt.Sprint(b.Home, "/m", i)
			b.must(b.host("mkdir " + place))
			b.Set("XDG_STATE_HOME=" + place)
			// Two runs in one namespace, where a tmpfs is one for both.
			s := b.outside("/bin/bash").InNamespace("cd \"$2\"; "+p.mount+"; cd \"$OLDPWD\"", place, b.Home+"/o")
			s.Dir = b.Dir
			r := s.Run(b.T, "-c", `for n in 1 2; do "$0" bash -c "echo x >>~/go/pkg/mod/cache/f; echo \$(cat ~/go/pkg/mod/cache/f)" 2>said; echo "$? $(wc -l <said)"; cat said >&2; done; rm said`, b.Program)
			switch want := "host x\n0 0\nhost x x\n0 0\n"; {
			case p.holds:
				r.Expect(b.T, p.name, 0, want)
			case r.Stdout != "host x\n0 1\nhost x\n0 1\n" && r.Stdout != "host x\n0 1\nhost x\n0 0\n":
				b.Errorf("%s: it printed %q, and said %q", p.name, r.Stdout, r.Stderr)
			case !strings.Contains(r.Stderr, place):
				b.Errorf("%s: it does not name %s: %s", p.name, place, r.Stderr)
			}
			b.same("the host", b.must(b.host("cat go/pkg/mod/cache/f")), "host")
		}
	})
}

// TestPlaceOfGroup: where new directories of a store get another group, which is not there inside and
// may keep it from holding layers, changes are kept, or the launcher says that they are discarded.
func TestPlaceOfGroup(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give files to any group")
	}
	everywhere(t, cached, func(b *bench) {
		for _, group := range []int{b.As.GID, 54321} {
			place := fmt.Sprint(b.Home, "/m", group)
			b.must(b.host("mkdir " + place))
			b.Set("XDG_STATE_HOME=" + place)
			if err := errors.Join(os.Chown(place, b.As.UID, group), os.Chmod(place, os.ModeSetgid|0o700)); err != nil {
				b.Fatal(err)
			}
			r := b.inside("echo x >>~/go/pkg/mod/cache/f; cat ~/go/pkg/mod/cache/f")
			b.same("what it wrote", r.Stdout, "host\nx")
			if r.Stderr != "" { // what is written is discarded, which is said; or it is kept
				b.once(r, place)
			} else {
				b.same("the next run", b.must(b.inside("cat ~/go/pkg/mod/cache/f")), "host\nx")
			}
			b.must(b.sandbox("--sandbox-discard"))
		}
	})
}

// TestLowerPlace has a cache on another file system, also on one that holds no
// upper layer, as in a container: a lower it can be.
func TestLowerPlace(t *testing.T) {
	t.Parallel()
	everywhere(t, "", func(b *bench) {
		b.layers()
		for _, p := range places {
			for _, mode := range []string{"ephemeral", "keep"} {
				b.launch("[caches]\nmode = \"" + mode + "\"\n")
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

// TestTwoOverlays has what lies on an overlay of an overlay, on which the kernel makes no
// third: one cache, or the whole home, as in a container in a container. The command runs,
// and one line says what its caches are.
func TestTwoOverlays(t *testing.T) {
	t.Parallel()
	const twice = `mount -t tmpfs none /dev/shm; cd "$2"; mkdir -p u u2 w w2; l=$1; for n in "" 2; do mount -t overlay overlay -o userxattr,lowerdir="$l",upperdir=u$n,workdir=w$n "$1"; l=$1; done; cd "$3"`
	for _, text := range []string{cached, thrown} {
		everywhere(t, text, func(b *bench) {
			layers := b.Top + "/o"
			b.must(b.host("mkdir " + layers))
			for _, place := range []string{b.Home + "/go/pkg/mod", b.Home} {
				r := b.InNamespace(twice, place, layers, b.Project).Run(b.T, "bash", "-c", "cd ~/go/pkg/mod && echo x >x && cat x")
				b.same("in "+place, r.Stdout, "x")
				b.once(r)
				b.must(b.host("chmod -R u+rwx " + layers + "; rm -r " + layers + "; mkdir " + layers))
			}
			b.same("the host", b.must(b.host("ls go/pkg/mod")), "cache\nro")
		})
	}
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
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		for _, name := range []string{"a b", "a:b", "a,b", `a\b`, "a=b", `a"b`, "a\nb", "-a", "$a", "*", "ä"} {
			q := "'" + name + "'"
			r := b.host("mkdir -p " + "./" + q + "; cd code/p; export GOMODCACHE=$HOME/" + q + `; echo h >"$GOMODCACHE/h"; ` + b.Program + ` sh -c 'cat "$GOMODCACHE/h"; echo x >"$GOMODCACHE/h"'; cat "$GOMODCACHE/h"`)
			b.same(name, b.must(r), "h\nh")
		}
		r := b.host("ln -s go/pkg/mod link; ln -s $PWD/go golink; cd code/p; GOMODCACHE=$HOME/link " + b.Program + " sh -c 'cat $GOMODCACHE/cache/f'; GOMODCACHE=$HOME/golink/pkg/mod " + b.Program + " sh -c 'cat $GOMODCACHE/cache/f'")
		b.same("links", b.must(r), "host\nhost")
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
	})
}

// TestOverlaysTogether: overlays that nobody has tried are tried in one sandbox, however
// many they are, and in no other start.
func TestOverlaysTogether(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.put("bin/bwrap", "#!/bin/bash\n[[ $* != *'test -w /sys/'* ]] || echo tried >>"+b.Home+"/tries\nexec "+b.Bwrap+"/bwrap \"$@\"\n")
		b.must(b.host("chmod 755 bin/bwrap"))
		b.Set("PATH=" + b.Home + "/bin:" + b.Path())
		for range 2 {
			b.must(b.inside("for d in ~/go/pkg/mod ~/go/pkg/sumdb ~/.cache/go-build; do echo x >>$d/made; done"))
		}
		b.same("tries", b.must(b.host("cat tries")), "tried")
	})
}

// TestNoOverlays has a bwrap that can make no overlay, or a mount(8) that cannot, as on an
// old kernel: a cache is an empty directory then, which is said in one line, and what is
// kept of it is there in the next run. Where overlays can be made again, views are.
func TestNoOverlays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{cached, thrown} {
		t.Run(map[bool]string{true: "kept", false: "thrown away"}[text == cached], func(t *testing.T) {
			everywhere(t, text, func(b *bench) {
				b.put("bin/bwrap", "#!/bin/bash\nfor word; do [[ $word != --overlay-src && $word != *'mount -n'* ]] || { echo \"bwrap: Can't make overlay mount on /newroot: Operation not permitted\" >&2; exit 1; }; done\nexec "+b.Bwrap+"/bwrap \"$@\"\n")
				b.must(b.host("chmod 755 bin/bwrap"))
				before := b.state("go", ".cache")
				b.Set("PATH=" + b.Home + "/bin:/usr/bin:/bin")
				for run, want := range []string{"x", map[bool]string{true: "x\nx", false: "x"}[text == cached]} {
					r := b.inside("ls ~/go/pkg/mod | grep -v own; echo x >>~/go/pkg/mod/own && cat ~/go/pkg/mod/own && : >~/.cache/go-build/y; exit 7")
					b.same("inside", r.Stdout, want)
					if r.Status != 7 || strings.Count(r.Stderr, "\n") > 1 || run == 0 && r.Stderr == "" {
						b.Errorf("status %d, it says %q", r.Status, r.Stderr)
					}
				}
				before.Same(b.T, b.state("go", ".cache"))
				b.Set("PATH=" + b.Path())
				b.same("with one again", b.must(b.inside("cat ~/go/pkg/mod/cache/f && touch ~/go/pkg/mod/x && echo yes")), "host\nyes")
				if text == cached {
					b.must(b.sandbox("--sandbox-discard"))
					b.gone()
				}
			})
		})
	}
}

// TestNoLayers has a file system that says nothing of it and holds no layers, as ext4 with
// casefold: what is written is thrown away, and the store is named.
func TestNoLayers(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) {
		b.put("bin/bwrap", "#!/bin/bash\n[[ $* != *"+b.stores()+"/*upper* ]] || { [[ $* != */sys/0/view* ]] || { echo 'mount: /sys/0/view: wrong fs type' >&2; exit 32; }; echo \"bwrap: Can't make overlay mount on (null): Invalid argument\" >&2; exit 1; }\nexec "+b.Bwrap+"/bwrap \"$@\"\n")
		b.must(b.host("chmod 755 bin/bwrap"))
		b.Set("PATH=" + b.Home + "/bin:/usr/bin:/bin")
		for run := range 2 {
			r := b.inside("echo x >>~/go/pkg/mod/cache/f; cat ~/go/pkg/mod/cache/f; exit 7")
			b.same("inside", r.Stdout, "host\nx")
			if r.Status != 7 || strings.Count(r.Stderr, "\n") > 1 || run == 0 && !strings.Contains(r.Stderr, b.stores()) {
				b.Errorf("status %d, it says %q", r.Status, r.Stderr)
			}
		}
		b.must(b.sandbox("--sandbox-discard"))
		b.gone()
		b.launch(thrown)
		b.must(b.inside("touch ~/go/pkg/mod/x"))
	})
}

// TestStoreWritten: where a command can write, it could move the store away, and
// have the next launch write where links in one of its own lead.
func TestStoreWritten(t *testing.T) {
	t.Parallel()
	newest(t, kept+"[filesystem]\nwrite = [\"~/lib\"]", func(b *bench) {
		b.must(b.host("mkdir -p lib/state state code/p/state; ln -s code/p to"))
		for _, place := range []string{b.Home + "/lib/state", b.Project + "/state", b.Project + "/absent", b.Home + "/lib", b.Home + "/to/absent/state"} {
			b.Set("XDG_STATE_HOME=" + place)
			if strings.HasPrefix(place, b.Home+"/lib") { // in what the profile lists, there is more than the store
				b.refused(place, b.inside("true"), "refusing to share "+b.Home+"/lib: launchers keep their stores in "+place+"/bwrapgen", "XDG_STATE_HOME")
				continue
			}
			b.refused(place, b.inside("true"), "refusing to share ", "XDG_STATE_HOME", strings.Replace(place, "/to/", "/code/p/", 1))
		}
		b.Set("XDG_STATE_HOME=" + b.Home + "/state")
		b.must(b.inside("echo x >~/lib/fine"))
		b.must(b.sandbox("--sandbox-discard"))
	})
}

// TestFileAsView: a view is one of a directory. What is a file, or has become one since the
// launcher was made, is refused; so is a link to one. The directory that it was is the control.
func TestFileAsView(t *testing.T) {
	t.Parallel()
	newest(t, "filesystem.overlay = [\"~/data\", \"~/more?\"]\n", func(b *bench) {
		b.must(b.host("mkdir data more; echo settings >file"))
		b.must(b.inside("touch ~/data/f ~/more/f"))
		for _, name := range []string{"data", "more"} {
			for _, become := range []string{"cp file ", "ln -s file "} {
				b.must(b.host("mv " + name + " was; " + become + name))
				b.refused(become+name, b.inside("true"), "there is no directory "+b.Home+"/"+name, "filesystem.overlay")
				b.must(b.host("rm " + name + "; mv was " + name))
			}
		}
		b.must(b.inside("test -e ~/data/f -a -e ~/more/f"))
	})
}
