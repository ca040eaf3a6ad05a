package storetest

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemembered exchanges the bwrap at one path for those of other releases:
// each is asked once what it lacks, and the engine is chosen by that. What a launcher
// has left that was killed while it asked goes then.
func TestRemembered(t *testing.T) {
	newest(t, onDisk, func(b *bench) {
		script, want := "mount -t tmpfs none /dev/shm; PATH=~/bin:$PATH; cd code/p\n", ""
		for i, s := range b.Settings(b.T) {
			file := filepath.Join(s.Bwrap, "bwrap")
			b.put(fmt.Sprint("bin/", i), "#!/bin/bash\n[[ $1 != --help ]] || echo x >>"+b.Home+"/asked\nexec "+file+" \"$@\"\n")
			script += fmt.Sprintf("cp ~/bin/%d ~/bin/bwrap; chmod 755 ~/bin/bwrap\n", i)
			script += "for n in 1 2; do " + b.Program + " sh -c 'ls ~/go/pkg/mod; touch ~/go/pkg/mod/x'; done; wc -l <~/asked; " + b.Program + " --sandbox-print true | grep -q -e --overlay-src && echo native || echo mounted\n"
			script += "ls /dev/shm/bwrapgen-* | grep -e - || echo swept; echo >/dev/shm/bwrapgen-$(id -u)/12-34\n"
			engine := "mounted"
			if help, _ := exec.Command(file, "--help").CombinedOutput(); strings.Contains(string(help), "--overlay-src") {
				engine = "native"
			}
			want += fmt.Sprintf("cache\nro\ncache\nro\n%d\n%s\nswept\n", i+1, engine)
		}
		b.same("all bwraps", b.must(b.outside("/bin/true").InNamespace(script).Run(b.T)), strings.TrimSpace(want))
	})
}

// TestRememberedUnreadable has what a launch with an umask of 0777 remembers: the
// next one, which cannot read it, says and fails nothing.
func TestRememberedUnreadable(t *testing.T) {
	newest(t, onDisk+"fallback = \"read\"\n", func(b *bench) {
		b.must(b.inside("true"))
		b.must(b.host("cd /dev/shm/bwrapgen-$(id -u); chmod -f 0 lacks overlays || :"))
		b.must(b.inside("true"))
	})
}
