package probe

import "path/filepath"

// Session is where variables lead to now: place finds the path in what one holds. What
// lies above the last name is without links; a path above which nothing is stays as it
// is. It is no fact about a host, and lasts as long as the session.
func (h Host) Session(names []string, place func(variable, value string) (string, bool)) map[string]string {
	session := map[string]string{}
	for _, name := range names {
		if at, ok := place(name, h.getenv(name)); ok {
			session[name] = filepath.Join(h.resolve(filepath.Dir(at)), filepath.Base(at))
		}
	}
	return session
}
