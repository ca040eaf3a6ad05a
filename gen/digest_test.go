package gen

import (
	"testing"

	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// TestDigest: two plans differ in their digests if a command can see, reach or use
// something else, and not for what people read.
func TestDigest(t *testing.T) {
	digest := func(change func(*plan.Plan)) string {
		p := plan.Plan{Name: "box", Reach: plan.Reach{Network: profile.NetworkHost}, Kernel: profile.Default().Kernel}
		change(&p)
		text, err := Digest(p)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	same := digest(func(*plan.Plan) {})
	for name, change := range map[string]func(*plan.Plan){
		"network":        func(p *plan.Plan) { p.Network = profile.NetworkNone },
		"memory":         func(p *plan.Plan) { p.Limits.Memory = 1 << 30 },
		"processes":      func(p *plan.Plan) { p.Limits.Processes = 9 },
		"timeout":        func(p *plan.Plan) { p.Limits.Timeout = 9 },
		"variable":       func(p *plan.Plan) { p.Environ.Pass = []string{"A"} },
		"nested userns":  func(p *plan.Plan) { p.Kernel.NestedUserns = true },
		"filter":         func(p *plan.Plan) { p.Kernel.Seccomp = profile.SeccompNone },
		"protected name": func(p *plan.Plan) { p.Mounts = plan.Mounts{{Scope: plan.ScopeProtect}} },
		"socket":         func(p *plan.Plan) { p.Sockets.Pass = []string{"x11"} },
	} {
		if digest(change) == same {
			t.Errorf("%s: the digest is the same", name)
		}
	}
	for name, change := range map[string]func(*plan.Plan){
		"name":     func(p *plan.Plan) { p.Name = "other" },
		"about":    func(p *plan.Plan) { p.About = "Something." },
		"source":   func(p *plan.Plan) { p.Source = "bwrapgen generate x" },
		"patience": func(p *plan.Plan) { p.Limits.KillAfter = 9 }, // without a timeout
		"question": func(p *plan.Plan) { p.Confirm.Mode = profile.ConfirmAlways },
	} {
		if digest(change) != same {
			t.Errorf("%s: the digest is another", name)
		}
	}
}

// TestDigestScopes: a mount counts whatever it is part of, but for what the host base shows
// anyway. A scope that nobody has thought of counts, too.
func TestDigestScopes(t *testing.T) {
	digest := func(all ...plan.Mount) string {
		text, err := Digest(plan.Plan{Mounts: all, Kernel: profile.Default().Kernel})
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, scope := range append(plan.Scopes(), "new") {
		for _, op := range []plan.Op{plan.ROBind, plan.Bind, plan.View} {
			counts := digest(plan.Mount{Scope: scope, Op: op}) != digest()
			if counts == (scope == plan.ScopeBase && op != plan.View) {
				t.Errorf("%s, %s: counts: %v", scope, op, counts)
			}
		}
	}
}
