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
		report(p.Origins["home.mode"], hostHome())
	}
	if p.Home.Mode == HomeHost && !p.Home.At.IsZero() {
		report(p.Origins["home.at"], hostHomeAt())
	}
	if len(p.Network.Allow) > 0 && p.Network.Mode != NetworkAllow {
		report(p.Network.Allow[0].Origin, allowWithoutMode(p.Network.Mode))
	}
	if i, wide, uneven := p.Network.unevenPorts(); uneven {
		report(i.Origin, unevenPorts(i.Text, wide))
	}
	p.agreePorts(report)
	p.agreeSockets(report)
	p.agreeConfirm(report)
	if l := p.Limits; l.Timeout > l.MaxTimeout {
		report(p.Origins["limits.timeout"],
			timeoutAboveMax(formatDuration(l.Timeout), formatDuration(l.MaxTimeout)))
	}
	for _, e := range p.Rules.Of(KindCredential) {
		if !p.private(e.Place()) {
			report(e.Origin, credentialPlace(e.Place().String()))
		}
	}
}

// agreeSockets reports names on a bus that is not passed.
func (p *Profile) agreeSockets(report func(Origin, problem.Problem)) {
	if slices.ContainsFunc(p.Sockets.Pass, func(i Item) bool { return i.Text == "dbus" }) {
		return
	}
	for _, i := range slices.Concat(p.Sockets.Talk, p.Sockets.Own) {
		report(i.Origin, busWithoutPass(i.Origin.Key))
	}
}

// agreeConfirm reports an answer to what is never asked. A child may take back the
// question of its parent, and leave the rest.
func (p *Profile) agreeConfirm(report func(Origin, problem.Problem)) {
	yes := p.Origins["confirm.allow-yes"]
	mode, set := p.Origins["confirm.mode"]
	takenBack := set && mode.File != yes.File
	if p.Confirm.AllowYes && p.Confirm.Mode == ConfirmNever && !takenBack {
		report(yes, yesWithoutQuestion())
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
		return inside(place, p.Home.At) || inside(place, p.Project.At) || inside(place, p.Project.Root.Path)
	}
	return false
}

func inside(place, directory expr.Path) bool {
	return directory.Base == expr.Root && expr.Below(place.Rest, directory.Rest)
}
