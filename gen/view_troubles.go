package gen

import (
	"bwrapgen/gen/bash"
	"bwrapgen/gen/doctor"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

// troubleView is the table of package doctor, as the launcher holds it.
type troubleView struct {
	Refusals []bash.Word
	Settings []bash.Word
	Troubles []trouble
}

// trouble is a sign in what bwrap says, maybe one of the host behind it, and what
// they mean.
type trouble struct{ Sign, Host, What, Fix bash.Word }

// troubles are those that a launcher can have: of stores and of a network of its
// own only one that has them.
func (w *viewer) troubles(p plan.Plan) troubleView {
	stores := p.Stores(plan.Run) || p.Stores(plan.Session) || p.Stores(plan.Keep)
	v := troubleView{Refusals: w.quoted(doctor.Refusals()), Settings: w.quoted(doctor.Settings())}
	for _, t := range doctor.Troubles() {
		if (stores || t.Sign != "overlay") && (p.Network != profile.NetworkHost || t.Sign != "RTM_NEWADDR") {
			one := trouble{Sign: w.quote(t.Sign), What: w.quote(t.What), Fix: w.quote(t.Fix)}
			if t.Host != "" {
				one.Host = w.quote(t.Host)
			}
			v.Troubles = append(v.Troubles, one)
		}
	}
	return v
}
