package storetest

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// disks are file systems of which root mounts one from a file: how much room it
// needs, what makes it, and with which bwraps it is tried.
var disks = []struct {
	name, size, program string
	try                 func(*testing.T, func(*testing.T, harness.Setting))
}{
	{"xfs", "320M", "mkfs.xfs", harness.Everywhere},
	{"btrfs", "128M", "mkfs.btrfs", turn(1)},
}

// turn is harness.Turn with a number.
func turn(number int) func(*testing.T, func(*testing.T, harness.Setting)) {
	return func(t *testing.T, test func(*testing.T, harness.Setting)) { harness.Turn(t, number, test) }
}

// TestDisk has all of it on another file system: a cache, a store, the project, the
// home directory; and each of them beside the others, so that layers and what they
// are taken over to lie on two.
func TestDisk(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root mounts a file: its run of the tests does")
	}
	for _, d := range disks {
		t.Run(d.name, func(t *testing.T) {
			if exec.Command("sh", "-c", `modprobe -q "$1"; grep -qw "$1" /proc/filesystems`, "sh", d.name).Run() != nil {
				harness.Unable(t, "this kernel has no "+d.name)
			}
			d.try(t, func(t *testing.T, setting harness.Setting) {
				b := newBench(t, setting)
				b.tools()
				b.must(b.host(`mkdir m; truncate -s ` + d.size + ` image; PATH=$PATH:/usr/sbin:/sbin ` + d.program + ` -q image 2>/dev/null`))
				root := b.outside("/usr/bin/unshare")
				root.As = harness.Account{Name: "root"}
				root.Words = []string{"--mount", "sh", "-euc", `mount -o loop "$1" "$2"; chown "$3:$4" "$2"; uid=$3 gid=$4; shift 4
					exec setpriv --reuid "$uid" --regid "$gid" --clear-groups -- "$@"`, "sh",
					b.Home + "/image", b.Home + "/m", strconv.Itoa(b.As.UID), strconv.Itoa(b.As.GID)}
				root.Words = append(root.Words, "bash", "-c", onDisks, "bash")
				b.onDisks(root.Run(b.T, b.Home+"/m", b.Home+"/m/state", b.Home+"/state"))
			})
		})
	}
}

// TestDiskMounted is TestDisk for file systems that anybody can mount. What can hold
// all but a store is as sshfs and a container are.
func TestDiskMounted(t *testing.T) {
	t.Parallel()
	for _, p := range places {
		in, stores := turn(0), []string{"state"}
		switch p.name {
		case "overlay":
		case "FUSE":
			in = harness.Everywhere
		case "tmpfs":
			in = turn(1)
			stores = append(stores, "m/state")
		default:
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			in(t, func(t *testing.T, setting harness.Setting) {
				b := newBench(t, setting)
				b.tools()
				b.layers()
				words := []string{"-c", onDisks, "bash", b.Home + "/m"}
				for _, s := range stores {
					words = append(words, b.Home+"/"+s)
				}
				s := b.outside("/bin/bash").InNamespace("cd \"$2\"; "+p.mount+"; cd \"$OLDPWD\"", b.Home+"/m", b.Home+"/o")
				b.onDisks(s.Run(b.T, words...))
			})
		})
	}
}

// tools writes launchers into the directory bin: views that are kept, and of the
// project; plain is the one that throws all away.
func (b *bench) tools() {
	b.Helper()
	for name, text := range map[string]string{"plain": thrown, "cached": cached, "kept": kept, "reviewed": reviewed} {
		b.write(b.Home+"/bin/"+name, text)
	}
}

// onDisks has the directory $1 to itself, and stores in the others.
const onDisks = `
	disk=$1 bin=$HOME/bin
	shift
	fill() { mkdir -p "$1/d"; echo host >"$1/f"; echo old >"$1/d/n"; }
	change='cat f; echo x >>f; rm -r d; mkdir d; echo made >d/n; mkdir a; mv a b; ln -s f l; echo $(ls) $(cat f d/n)'
	try() {
		fill mod; (cd p && fill . && git init -q . && echo module x >go.mod)
		export GOMODCACHE=$PWD/mod
		for name in plain cached kept; do # each begins with the host's: launchers share what is kept
			(cd p; "$bin/$name" sh -c "cd $GOMODCACHE; $change"; [[ $name != cached ]] || "$bin/cached" --sandbox-discard)
		done
		(cd p; "$bin/kept" sh -c 'cat $GOMODCACHE/d/n'; "$bin/kept" --sandbox-discard)
		echo $(cat mod/f mod/d/n)
		(cd p; "$bin/reviewed" sh -c "$change"; echo $(cat f d/n); "$bin/reviewed" --sandbox-diff | grep -c '^[+-]'
			"$bin/reviewed" --sandbox-apply; echo $(ls) $(cat f d/n); "$bin/reviewed" --sandbox-discard; rm -r * .git)
		(cd p; fill .; "$bin/plain" sh -c "$change")
	}
	for XDG_STATE_HOME; do
		export XDG_STATE_HOME
		for at in "$disk" "$HOME/beside"; do
			[[ $at == "$disk" || $XDG_STATE_HOME == "$disk"/* ]] || continue
			mkdir -p "$at/p" "$at/mod"; (cd "$at"; try)
			rm -rf "$at/p" "$at/mod"
		done
	done
	mkdir -p "$disk/home/p" "$disk/home/mod"; (cd "$disk/home"; HOME=$PWD; try)
	for i in {1..50}; do [[ -n $(ls -d "${@/%//bwrapgen}" 2>/dev/null) ]] || exit 0; sleep 0.1; done
	ls -d "${@/%//bwrapgen}"/*
`

// onDisks compares what was printed with what is printed on any disk.
func (b *bench) onDisks(r harness.Result) {
	b.Helper()
	const one = `host
b d f l host x made
host
b d f l host x made
host
b d f l host x made
made
host old
host
b d f go.mod l host x made
host old
7
b d f go.mod l host x made
host
b d f l host x made
`
	if strings.Count(r.Stdout, one)*len(one) != len(r.Stdout) || r.Stdout == "" || r.Stderr != "" || r.Status != 0 {
		b.Errorf("status %d\n%s\n%s", r.Status, r.Stdout, r.Stderr)
	}
}

// TestDiskFills has more and more room for the layers of a store, from none on. What is
// written has a place, or is thrown away, which is said, or nothing runs: an overlay
// without room for what it needs itself could only be read.
func TestDiskFills(t *testing.T) {
	t.Parallel()
	everywhere(t, cached, func(b *bench) { b.fills() })
	newest(t, kept, func(b *bench) { b.fills() })
}

func (b *bench) fills() {
	b.Helper()
	b.must(b.host("mkdir m"))
	for room := 1; ; room++ {
		s := b.InNamespace(`mount -t tmpfs -o nr_inodes="$2" none "$1"`, b.Home+"/m", strconv.Itoa(room))
		s.Set("XDG_STATE_HOME=" + b.Home + "/m")
		r := s.Run(b.T, "sh", "-c", "echo x >>~/go/pkg/mod/cache/f && cat ~/go/pkg/mod/cache/f")
		switch {
		case r.Status == 0 && r.Stderr != "":
			b.same("inside, room for "+strconv.Itoa(room), r.Stdout, "host\nx")
			b.once(r, b.Home+"/m")
		case r.Status == 0 && room > 4:
			b.same("inside", b.must(r), "host\nx")
			return
		case strings.HasPrefix(r.Stderr, "sh: ") && strings.Contains(r.Stderr, "No space left"): // the command has run
		default:
			r.Refused(b.T, "room for "+strconv.Itoa(room), b.Home+"/m")
		}
		if room == 60 || b.Failed() {
			b.FailNow()
		}
	}
}
