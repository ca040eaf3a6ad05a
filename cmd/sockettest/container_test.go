package sockettest

import (
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestContainer starts a launcher in what podman marks as a container, with a
// bwrap that may not do what it must there.
func TestContainer(t *testing.T) {
	t.Parallel()
	for words, what := range map[string]string{
		"Creating new namespace failed: Operation not permitted":     "this container does not let bwrap create namespaces",
		"loopback: Failed RTM_NEWADDR: Operation not permitted":      "this container does not let bwrap create namespaces",
		"Can't mount proc on /newroot/proc: Operation not permitted": "this container hides parts of /proc",
	} {
		t.Run(what, func(t *testing.T) {
			harness.Newest(t, func(t *testing.T, s harness.Setting) {
				p := newPlace(t, s)
				p.write(p.Top+"/stub/bwrap", "#!/bin/bash\n[[ $1 == --help ]] && echo --ro-bind && exit\necho \"bwrap: "+words+"\" >&2\nexit 1\n")
				p.Set("PATH=" + p.Top + "/stub:" + p.Path())
				l := p.of(p.launcher("extends = [\"look\"]\n[toolchains]\nuse = []\n")).InNamespace(`mount -t tmpfs none /run && : >/run/.containerenv`)
				for _, args := range [][]string{{"touch", p.Top + "/ran"}, {"--sandbox-doctor"}} {
					l.Run(t, args...).Refused(t, words, "bwrap: "+words, what, "--security-opt")
				}
				if harness.Exists(p.Top + "/ran") {
					t.Error("the command has run")
				}
			})
		})
	}
}

// TestNoneThere asks a launcher where there is no bwrap at all.
func TestNoneThere(t *testing.T) {
	t.Parallel()
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		p := newPlace(t, s)
		l := p.of(p.launcher(`extends = ["look"]`))
		l.Set("PATH=" + p.Top + "/none")
		for _, args := range [][]string{{"touch", p.Top + "/ran"}, {"--sandbox-doctor"}} {
			l.Run(t, args...).Refused(t, strings.Join(args, " "), "bwrap is not installed", "install the package bubblewrap")
		}
	})
}
