package storetest

import (
	"strings"
	"testing"
)

// leads are what a command can leave in ~/lib, where it may write, so that the
// cache ~/lib/a/mod leads to ~/private or into it.
var leads = []string{
	"mkdir ~/lib/a; ln -s ../../private ~/lib/a/mod",
	"mkdir ~/lib/a; ln -s ../../private/id ~/lib/a/mod",
	"ln -s ../private ~/lib/a",
	"ln -s b ~/lib/a; ln -s ../../private ~/lib/b/mod",
	"ln -s ../../../../../../../../oldroot$HOME/private ~/lib/a",
}

// TestCacheLinked has a command put links in the place of what a cache lies in: the
// next launch shows, makes and counts nothing where they lead.
func TestCacheLinked(t *testing.T) {
	t.Parallel()
	everywhere(t, "", func(b *bench) {
		b.Set("GOMODCACHE=" + b.Home + "/lib/a/mod")
		for _, mode := range []string{"write", "read", "keep", "ephemeral"} {
			b.must(b.host("mkdir -p lib/a/mod private; echo key >private/id"))
			b.launch("[home]\nmode = \"keep\"\n[filesystem]\nwrite = [\"~/lib\"]\n[caches]\nmode = \"" + mode + "\"")
			b.same("a cache below what is writable", b.must(b.inside("echo x >~/lib/fine; mkdir -p ~/private/mod; cat ~/lib/fine; ls -d $GOMODCACHE")), "x\n"+b.Home+"/lib/a/mod")
			before := b.state("private")
			for _, lead := range leads {
				b.must(b.host("rm -rf lib/a lib/b; mkdir lib/b; " + lead))
				for _, r := range []struct{ out, err string }{said(b, "run"), said(b, "--sandbox-status")} {
					if r.out != "" || !strings.Contains(r.err, "lib/a/mod: a variable or a symbolic link leads to ") {
						b.Errorf("%s, %s: %+v", mode, lead, r)
					}
				}
				before.Same(b.T, b.state("private"))
			}
			b.must(b.host("rm -rf lib"))
			b.must(b.host("mkdir -p lib/a"))
			b.must(b.inside("true"))
			b.must(b.sandbox("--sandbox-discard"))
		}
	})
}

// said is what a launcher prints that must not work.
func said(b *bench, option string) struct{ out, err string } {
	b.Helper()
	r := b.inside("cat $GOMODCACHE/id; echo x >$GOMODCACHE/made; ls $GOMODCACHE")
	if option != "run" {
		r = b.sandbox(option)
	}
	if r.Status != 125 {
		b.Errorf("%s: status %d", option, r.Status)
	}
	return struct{ out, err string }{r.Stdout, r.Stderr}
}

// TestViewBehindLinks lists views by links: what they lead to shows the same, and the
// changes are found by either name, and by another link's.
func TestViewBehindLinks(t *testing.T) {
	t.Parallel()
	everywhere(t, "", func(b *bench) {
		b.must(b.host("mkdir -p disk/data far/x; echo old | tee disk/data/f far/x/f; ln -s disk/data data; ln -s far near; ln -s . other"))
		b.launch("[filesystem]\noverlay = [\"~/data\", \"~/near/x\"]\n[caches]\nmode = \"none\"")
		for range 2 {
			b.same("both names", b.must(b.inside("cd; echo new >data/f; cat disk/data/f; echo new >far/x/f; cat near/x/f; readlink data near/x")),
				"new\nnew\n"+b.Home+"/disk/data\n"+b.Home+"/far/x")
		}
		b.same("the host", b.must(b.host("cat disk/data/f near/x/f")), "old\nold")
		b.must(b.sandbox("--sandbox-apply", b.Home+"/data/f"))
		b.must(b.host("cd other/code/p; ~/try --sandbox-apply ~/other/near/x"))
		b.same("what was applied", b.must(b.host("cat disk/data/f far/x/f; readlink data near")), "new\nnew\ndisk/data\nfar")
		b.must(b.sandbox("--sandbox-discard"))
		b.must(b.host("mkdir disk/data/w far/x/r; echo old >far/x/r/f"))
		b.launch("[filesystem]\noverlay = [\"~/data\", \"~/near/x\"]\nwrite = [\"~/disk/data/w\"]\nread = [\"~/near/x/r\"]\n[caches]\nmode = \"none\"")
		b.same("what is shown below", b.must(b.inside("cd; echo host >disk/data/w/f; (echo x >near/x/r/f) 2>/dev/null || cat near/x/r/f; echo x >data/f; echo x >near/x/f")), "old")
		b.same("the host", b.must(b.host("cat disk/data/w/f disk/data/f near/x/f")), "host\nnew\nnew")
	})
}
