package sandboxtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// lame is a bwrap that forgets what a file beside it names.
const lame = `#!/bin/bash
real=%s words=() lame=$(<"${0%%/*}/lame")
while (($#)); do
  case $1:$lame in
    --seccomp:filter) shift 2 && continue ;;
    --unshare-net:network) shift && continue ;;
    --tmpfs:home) [[ $2 != */home ]] || { words+=(--tmpfs "$2" --ro-bind "$2"/.netrc{,}) && shift 2 && continue; } ;;
    --ro-bind:hooks) [[ $2 != */hooks ]] || { shift 3 && continue; } ;;
    --bind:project) words+=(--ro-bind "$2" "$3") && shift 3 && continue ;;
  esac
  words+=("$1") && shift
done
exec "$real" "${words[@]}"
`

// TestDoctorPromises: --sandbox-doctor names a promise that the sandbox does not keep.
func TestDoctorPromises(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		w := newWorld(t, s)
		l := w.launch(t, `extends = ["offline"]`)
		w.Put(t, filepath.Join(w.Home, ".netrc"), []byte("machine a\n"))
		dir := filepath.Join(w.Top, "lame")
		w.Put(t, filepath.Join(dir, "bwrap"), fmt.Appendf(nil, lame, filepath.Join(s.Bwrap, "bwrap")))
		w.Give(t, dir)
		l.Set("PATH=" + dir + ":" + s.Path())
		for lame, want := range map[string]string{
			"nothing": "", "filter": "system calls are not filtered", "network": "the network is not as the profile says: none",
			"home": w.Home + "/.netrc is visible", "hooks": "git hooks are writable", "project": "the project is not writable",
		} {
			w.Write(t, map[string]string{"lame/lame": lame})
			status, said := 1, "L: failed: "+want+"\n"
			if want == "" {
				status, said = 0, "L: sandboxes work here, with "+dir+"/bwrap\n"
			}
			r := l.Run(t, "--sandbox-doctor")
			if r.Status != status || !strings.HasPrefix(r.Stdout, said) {
				t.Errorf("%s: status %d, %q, want %d, %q; it said %q", lame, r.Status, r.Stdout, status, said, r.Stderr)
			}
		}
	})
}
