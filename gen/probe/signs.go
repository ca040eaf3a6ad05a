package probe

import (
	"os"

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
	for _, name := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(h.real(name)); err == nil {
			s.Container = true
		}
	}
	info, err := os.Stat(h.real(bwrap))
	s.Setuid = err == nil && info.Mode()&os.ModeSetuid != 0
	return s
}
