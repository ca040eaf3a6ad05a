package sockettest

import (
	"fmt"
	"testing"

	"bwrapgen/cmd/harness"
)

// TestControlSocketWithReason: a daemon answers inside where the profile names its socket and
// says what for, by either name of /run and on either base; beside it nothing is in sight.
func TestControlSocketWithReason(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		harness.Listen(t, "unix", p.Top+"/run/docker.sock", "docker")
		harness.Listen(t, "unix", p.Top+"/run/other.sock", "another")
		p.own()
		for _, base := range []string{"select", "host"} {
			for _, path := range []string{"/run/docker.sock", "/var/run/docker.sock"} {
				l := p.launcher(fmt.Sprintf("extends = [\"base\"]\n[filesystem]\nbase = %q\nread = [{ path = %q, why = \"builds images\" }]\n", base, path))
				hear := func(socket string) (string, error) {
					in := p.of(l).InNamespace(`mount --bind "$1" /run`, p.Top+"/run")
					return said(in.Run(t, p.inside, "hear", "unix", socket))
				}
				if got, err := hear(path); err != nil || got != "docker" {
					t.Errorf("%s on the base %s: %q, %v", path, base, got, err)
				}
				if got, err := hear("/run/other.sock"); err == nil || !unheard(got) {
					t.Errorf("another beside %s on the base %s: %q, %v", path, base, got, err)
				}
			}
		}
	})
}
