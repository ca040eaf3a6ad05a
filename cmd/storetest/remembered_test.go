package storetest

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestRemembered exchanges the bwrap at one path for those of other releases: whatever is
// remembered of the last one, each makes views in the way that it can.
func TestRemembered(t *testing.T) {
	t.Parallel()
	newest(t, thrown, func(b *bench) {
		script, want := "mount -t tmpfs none /dev/shm; PATH=~/bin:$PATH; cd code/p\n", ""
		for range 2 {
			for _, s := range b.Settings(b.T) {
				script += "rm -f ~/bin/bwrap; cp " + filepath.Join(s.Bwrap, "bwrap") + " ~/bin/bwrap\n"
				script += "for n in 1 2; do " + b.Program + " sh -c 'ls ~/go/pkg/mod; touch ~/go/pkg/mod/x'; done\n"
				want += "cache\nro\ncache\nro\n"
			}
		}
		b.must(b.host("mkdir bin"))
		b.same("all bwraps", b.must(b.outside("/bin/true").InNamespace(script).Run(b.T)), strings.TrimSpace(want))
	})
}
