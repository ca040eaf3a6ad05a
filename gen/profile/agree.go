package profile

import (
	"slices"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
)

// complete fills in the defaults that depend on other settings.
func (p *Profile) complete() {
	if _, set := p.Origins["home.mode"]; !set && p.Filesystem.Base == BaseHost {
		p.Home.Mode = HomeHost
	}
}

// agree reports settings of the merged profile that exclude each other.
func (p *Profile) agree(report func(Origin, problem.Problem)) {
	if p.Home.Mode == HomeHost && p.Filesystem.Base != BaseHost {
		report(p.Origins["home.mode"], problem.New(`home.mode "host" without filesystem.base "host"`,
			`write filesystem.base = "host", or list what home shows in filesystem.read`))
	}
	if p.Home.Mode == HomeHost && !p.Home.At.IsZero() {
		report(p.Origins["home.at"], problem.New("the host's home stands at its own path",
			`leave out home.at, or write home.mode = "empty"`))
	}
	if p.Network.Mode != NetworkAllow {
		for _, i := range first(p.Network.Allow) {
			report(i.Origin, wrong(`write network.mode = "allow"`, "has no effect with network.mode %q", p.Network.Mode))
		}
	}
	p.Network.agreeHosts(report)
	p.agreePorts(report)
	if !slices.Contains(Texts(p.Sockets.Pass), "dbus") {
		for _, i := range slices.Concat(p.Sockets.Talk, p.Sockets.Own) {
			report(i.Origin, wrong(`write sockets.pass = ["dbus"], or leave it out`,
				"%s has no effect without the session bus", i.Origin.Key))
		}
	}
	p.agreeConfirm(report)
	if l := p.Limits; l.Timeout > l.MaxTimeout {
		hint := "max-timeout is " + formatDuration(l.MaxTimeout) + "; raise it, or shorten the timeout"
		report(p.Origins["limits.timeout"], wrong(hint,

			"longer than limits.max-timeout: %q", formatDuration(l.Timeout)))
	}
	for _, e := range p.Rules.Of(KindCredential) {
		if !p.private(e.Place()) {
			report(e.Origin, wrong(`choose a place below ~/ or ./: at = "~/.netrc"`,
				"a credential outside home and project: %q", e.Place()))
		}
	}
}

// agreeConfirm reports an answer to what is never asked. A child may take back the
// question of its parent, and leave the rest.
func (p *Profile) agreeConfirm(report func(Origin, problem.Problem)) {
	yes := p.Origins["confirm.allow-yes"]
	mode, set := p.Origins["confirm.mode"]
	takenBack := set && mode.File != yes.File
	if p.Confirm.AllowYes && p.Confirm.Mode == ConfirmNever && !takenBack {
		report(yes, problem.New(`has no effect with confirm.mode "never"`, `write confirm.mode = "always"`))
	}
}

// private reports whether a place lies inside home or the project, as far as
// the profile alone can tell.
func (p *Profile) private(place expr.Path) bool {
	for place.Base == expr.Variable && place.Default != nil {
		place = *place.Default
	}
	switch place.Base {
	case expr.Home, expr.Project:
		return true
	case expr.Root:
		return slices.ContainsFunc([]expr.Path{p.Home.At, p.Project.At, p.Project.Root.Path}, place.Below)
	}
	return false
}
