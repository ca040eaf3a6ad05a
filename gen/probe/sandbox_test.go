package probe_test

import (
	"context"
	"testing"
	"time"
)

func TestSandboxWords(t *testing.T) {
	const command = "/usr/bin/true! = #!/bin/sh\n"
	for _, test := range []struct {
		name, bwrap string
		want        string
	}{
		{"works", "/usr/bin/bwrap! = #!/bin/sh\n", ""},
		{"not there", "/usr/bin/none", "bwrap is not in PATH"},
		{"refuses", "/usr/bin/bwrap! = #!/bin/sh\necho note >&2; echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n",
			"setting up uid map: Permission denied"},
		{"silent", "/usr/bin/bwrap! = #!/bin/sh\nexit 7\n", "bwrap said nothing: exit status 7"},
		{"hangs", "/usr/bin/bwrap! = #!/bin/sh\nexec sleep 9\n", "bwrap did not end in 1s"},
		{"flags", "/usr/bin/bwrap! = #!/bin/sh\ncase \" $* \" in *' --unshare-user '*' --unshare-net -- /usr/bin/true '*) exit 0; esac; exit 1\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := on(tree(t, command, test.bwrap), "PATH=/usr/bin")
			h.Patience = time.Second
			ok, words := h.Sandbox(context.Background(), "--unshare-net")
			if words != test.want || ok != (test.want == "") {
				t.Errorf("got %v, %q, want %q", ok, words, test.want)
			}
		})
	}
}
