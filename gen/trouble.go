package gen

import (
	"bwrapgen/gen/bash"
	"bwrapgen/gen/doctor"
)

// troubleView is the table of package doctor, as the launcher holds it.
type troubleView struct {
	Troubles bash.Word // a line each
	Settings []bash.Word
}

func (w *viewer) troubles(overlays bool) troubleView {
	v := troubleView{Settings: w.quoted(doctor.Settings())}
	var lines []string
	for _, t := range doctor.Troubles() {
		if overlays || t.Sign != "overlay" {
			lines = append(lines, t.Sign+"#"+t.Host+"#"+t.What+"#"+t.Fix)
		}
	}
	v.Troubles = w.keep(bash.Text(lines...))
	return v
}
