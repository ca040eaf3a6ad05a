package plan

import "slices"

// Login reports whether one of the passed variables is known to be a login, or named
// as if it were.
func (e Environ) Login(name string) bool { return slices.Contains(e.logins, name) }
