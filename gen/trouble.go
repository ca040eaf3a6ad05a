package gen

import (
	"bwrapgen/gen/bash"
	"bwrapgen/gen/doctor"
)

// troubleView is the table of package doctor, as the launcher holds it.
type troubleView struct{ Troubles, Settings []bash.Word }

func (w *viewer) troubles(overlays bool) troubleView {
	v := troubleView{Settings: w.quoted(doctor.Settings())}
	for _, t := range doctor.Troubles() {
		if overlays || t.Sign != "overlay" {
			v.Troubles = append(v.Troubles, w.quote(t.Sign+"#"+t.Host+"#"+t.What+"#"+t.Fix))
		}
	}
	return v
}
