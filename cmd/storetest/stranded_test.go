package storetest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"bwrapgen/cmd/trial"
)

// waiting is a bwrap whose first process waits where a kill leaves the second one
// alone, which then waits for it forever (containers/bubblewrap#633): it has the
// namespaces, and has not been told to go on.
const waiting = `#!/bin/bash
[[ $1 != --help ]] || exec %[1]s/bwrap --help
words=() # --disable-userns and --userns-block-fd do not go together
for word; do [[ $word == --disable-userns ]] || words+=("$word"); done
exec 30<>%[2]s/never 31>%[2]s/info
exec %[1]s/bwrap --unshare-user --info-fd 31 --userns-block-fd 30 "${words[@]}"
`

// TestStranded kills a launcher, and with it bwrap, in the first moment: the
// process that is left then keeps no store from the next run, and no layers.
func TestStranded(t *testing.T) {
	for _, c := range []struct{ name, profile, option string }{
		{"kept", kept, "true"},
		{"ephemeral", onDisk, "true"},
		{"mixed", mixed, "true"},
		{"reviewed", reviewed, "--sandbox-status"},
	} {
		t.Run(c.name, func(t *testing.T) {
			everywhere(t, c.profile, func(b *bench) {
				b.must(b.inside("echo x >~/go/pkg/mod/x")) // something to review
				b.put("bin/bwrap", fmt.Sprintf(waiting, b.Bwrap, b.Home))
				b.must(b.host("chmod 755 bin/bwrap; mkfifo never"))
				path := b.Path()
				b.Set("PATH=" + b.Home + "/bin:" + path)
				left := b.strand(c.option)
				b.Set("PATH=" + path)
				b.must(b.waited(func() trial.Result { return b.inside("true") }))
				trial.Eventually(b.T, "what was left is gone", func() bool { return !trial.Exists("/proc/" + left) })
				if c.profile != onDisk {
					b.must(b.waited(func() trial.Result { return b.sandbox("--sandbox-discard") }))
				}
				b.gone()
			})
		})
	}
}

// strand kills a launcher while its bwrap waits, and gives the number of the
// process that is left.
func (b *bench) strand(option string) (left string) {
	b.Helper()
	c := b.Command(b.Context(), option)
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	trial.Eventually(b.T, "bwrap waits", func() bool {
		info, _ := os.ReadFile(b.Home + "/info")
		_, number, _ := strings.Cut(string(info), `"child-pid": `)
		left = strings.TrimRight(number, "\n} ")
		left, _, _ = strings.Cut(left, ",")
		return strings.HasSuffix(string(info), "}\n")
	})
	_ = c.Process.Kill()
	_ = c.Wait()
	if _, err := strconv.Atoi(left); err != nil || !trial.Exists("/proc/"+left) {
		b.Fatalf("nothing is left: %q", left)
	}
	return left
}
