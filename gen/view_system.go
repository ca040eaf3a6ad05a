package gen

import (
	"cmp"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// namespaceView is what the templates see of namespaces.
type namespaceView struct {
	Unshared, NewSession, NestedUserns bool
	NetworkWords                       bash.Comment
}

func namespaces(p plan.Plan) namespaceView {
	v := namespaceView{
		Unshared:     p.Network == profile.NetworkNone,
		NewSession:   p.Terminal == profile.TerminalNewSession,
		NestedUserns: p.Kernel.NestedUserns,
	}
	words := "Private: users, processes, IPC, host name, cgroups. The network is shared."
	switch p.Network {
	case profile.NetworkNone:
		words = "Private: users, processes, IPC, host name, cgroups, network."
	case profile.NetworkPrivate, profile.NetworkAllow:
		words = "Private: users, processes, IPC, host name, cgroups. The network is that of a namespace around this one."
	}
	v.NetworkWords = bash.NewComment(words, 0)
	return v
}

// systemView is what the templates see of the operating system.
type systemView struct {
	Host, HomeEmpty, Links bool
	System, Kernel         [][]bash.Word
	Roots                  []bash.Word
	Resolvers              []bash.Word
	Homes                  []bash.Word
	Localtime              bool
	Zone                   bash.Word
	Passwd                 bool
}

func (w *viewer) system(p plan.Plan) systemView {
	s := p.System
	v := systemView{
		Host:      p.Base == profile.BaseHost,
		HomeEmpty: p.Home != profile.HomeHost,
		Links:     p.Base != profile.BaseHost,
		Resolvers: w.quoted(resolvers()), Kernel: filled(w.optional(kernel())), Homes: w.quoted(plan.OtherHomes()),
		Localtime: s.Time, Zone: w.quote(cmp.Or(s.Zone, "Etc/UTC")),
		Passwd: s.Accounts,
	}
	var paths []string
	for _, m := range s.Mounts {
		if plain(m) {
			paths = append(paths, m.Target.Rest)
		} else {
			v.System = append(v.System, w.line(m))
		}
	}
	for _, m := range s.Roots {
		v.Roots = append(v.Roots, w.path(m.Target))
	}
	for _, m := range s.Etc {
		paths = append(paths, m.Target.Rest)
	}
	v.System = filled(append(v.System, w.optional(paths)...))
	return v
}

// kernel are the parts of /proc by which root could change the host.
func kernel() []string {
	return []string{
		"/proc/acpi", "/proc/asound", "/proc/bus", "/proc/driver", "/proc/dynamic_debug", "/proc/fs", "/proc/irq", "/proc/scsi",
		"/proc/sys", "/proc/sysrq-trigger",
	}
}

// resolvers are the files that /etc/resolv.conf links to on usual hosts; the
// host base hides /run, and they have to stay.
func resolvers() []string {
	return []string{
		"/run/systemd/resolve/stub-resolv.conf", "/run/systemd/resolve/resolv.conf",
		"/run/NetworkManager/resolv.conf", "/run/NetworkManager/no-stub-resolv.conf",
		"/run/resolvconf/resolv.conf", "/run/connman/resolv.conf",
	}
}
