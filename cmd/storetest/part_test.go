package storetest

import (
	"strings"
	"testing"
)

// TestApplyDeep takes one file out of directories that are new: they are made for it,
// and for nothing else.
func TestApplyDeep(t *testing.T) {
	t.Parallel()
	newest(t, reviewed, func(b *bench) {
		b.must(b.inside("mkdir -p a/b/c; chmod 0750 a/b; echo new | tee a/f a/b/f a/b/c/f a/b/c/g"))
		r := b.sandbox("--sandbox-apply", "a/b/none")
		b.same("what is not there", r.Stdout+r.Stderr+b.must(b.host("cd code/p; ls a 2>/dev/null || :")), "try: there are no changes in "+b.Project+"/a/b/none")
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
