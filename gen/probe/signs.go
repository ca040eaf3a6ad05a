package probe

import (
	"io/fs"
	"slices"

	"bwrapgen/gen/doctor"
)

// Signs reads what may keep this bwrap from making sandboxes. What cannot be
// read counts as absent.
func (h Host) Signs(bwrap string) doctor.Signs {
	s := doctor.Signs{Settings: map[string]string{}}
	for _, name := range doctor.Settings() {
		if value := h.setting(name); value != "" {
			s.Settings[name] = value
		}
	}
	s.Container = slices.ContainsFunc([]string{"/.dockerenv", "/run/.containerenv"}, h.has)
	mode, _ := h.mode(h.resolve(bwrap))
	s.Setuid = mode&fs.ModeSetuid != 0
	return s
}
