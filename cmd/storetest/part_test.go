package storetest

import (
	"strings"
	"testing"
)

// TestApplyPart asks for a part of what the command has removed as a whole: that
// part is shown and taken over, and the rest when it is asked for by force, as the
// directory is not what it was. What lies in a link of the host's stays.
func TestApplyPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, at string }{{"project", "code/p"}, {"listed", "data"}} {
		t.Run(c.name, func(t *testing.T) {
			newest(t, reviewed+listed, func(b *bench) {
				b.must(b.host("mkdir -p far data; echo far >far/f; cd " + c.at + "; mkdir -p d/e d/g; echo a | tee d/a d/b d/e/c d/g/h; ln -s ~/far l"))
				b.must(b.inside("cd ~/" + c.at + "; rm -r d; rm l"))
				at := "~/" + c.at
				status := b.must(b.host("cd code/p; ~/try --sandbox-status " + at + "/d/a " + at + "/d/e | grep deleted"))
				b.same("the status", status, "deleted   "+b.Home+"/"+c.at+"/d/a\ndeleted   "+b.Home+"/"+c.at+"/d/e")
				if diff := b.must(b.host("cd code/p; ~/try --sandbox-diff " + at + "/d/a")); !strings.Contains(diff, "\n-a") {
					b.Errorf("the diff is %s", diff)
				}
				b.must(b.host("cd code/p; ~/try --sandbox-apply " + at + "/d/a " + at + "/d/e/c"))
				b.same("a part", b.must(b.host("cd "+c.at+"; find d l | sort")), "d\nd/b\nd/e\nd/g\nd/g/h\nl")
				b.host("cd code/p; ~/try --sandbox-apply " + at + "/l/f")
				b.same("behind a link", b.must(b.host("cat far/f")), "far")
				if r := b.host("cd code/p; ~/try --sandbox-apply " + at); r.Status != 1 || !strings.Contains(r.Stderr, "/d: the host has changed it since; --sandbox-force") {
					b.Errorf("the rest: %+v", r)
				}
				b.must(b.host("cd code/p; ~/try --sandbox-force " + at))
				b.same("the rest", b.must(b.host("ls "+c.at+" | grep '^[dl]$' || :")), "")
			})
		})
	}
}

// TestApplyDeep takes one file out of directories that are new: they are made for it,
// and for nothing else.
func TestApplyDeep(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("mkdir -p a/b/c; chmod 0750 a/b; echo new | tee a/f a/b/f a/b/c/f a/b/c/g"))
		r := b.sandbox("--sandbox-apply", "a/b/none")
		b.same("what is not there", r.Stdout+r.Stderr+b.must(b.host("cd code/p; ls a 2>/dev/null || :")), "try: nothing has changed at "+b.Project+"/a/b/none")
		b.must(b.sandbox("--sandbox-apply", "a/b/c/f"))
		b.same("a part", b.must(b.host("cd code/p; find a | sort; stat -c %a a/b; cat a/b/c/f")), "a\na/b\na/b/c\na/b/c/f\n750\nnew")
		b.must(b.sandbox("--sandbox-apply"))
		b.same("the rest", b.must(b.host("cd code/p; find a -type f | sort")), "a/b/c/f\na/b/c/g\na/b/f\na/f")
	})
}

// TestApplyHomeLink names paths by a home that is a link, as ~ does.
func TestApplyHomeLink(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("echo new | tee f g"))
		b.must(b.host("ln -s . linked"))
		b.Set("HOME=" + b.Home + "/linked")
		status := b.must(b.sandbox("--sandbox-status", b.Home+"/linked/code/p/f"))
		if !strings.Contains(status, "added     "+b.Project+"/f\nchanges in "+b.Project+": 1,") {
			b.Errorf("the status is %s", status)
		}
		b.must(b.sandbox("--sandbox-apply", b.Home+"/linked/code/p/f"))
		b.same("the host", b.must(b.host("ls "+b.Project)), "f\ngo.mod")
	})
}
