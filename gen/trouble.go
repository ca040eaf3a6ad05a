package gen

import (
	"bwrapgen/gen/bash"
	"bwrapgen/gen/doctor"
)

// troubleView is the table of package doctor, as the launcher holds it.
type troubleView struct {
	Troubles []trouble
	Settings []bash.Word
}

// trouble is a sign in what bwrap says and one of the host, and what they mean.
type trouble struct{ Sign, Host, What, Fix bash.Word }

func (w *viewer) troubles(overlays bool) troubleView {
	v := troubleView{Settings: w.quoted(doctor.Settings())}
	for _, t := range doctor.Troubles() {
		if overlays || t.Sign != "overlay" {
			v.Troubles = append(v.Troubles, trouble{w.quote(t.Sign), w.quote(t.Host), w.quote(t.What), w.quote(t.Fix)})
		}
	}
	return v
}
