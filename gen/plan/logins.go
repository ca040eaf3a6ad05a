package plan

import (
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/profile"
)

// loginName are the usual shapes of a variable that holds a login.
var loginName = regexp.MustCompile(
	`(?i)(^|_)(KEY|TOKEN|PAT|PASS|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIE)(_|$)|PASSWORD|SECRET|TOKEN$|APIKEY`)

// LooksLikeLogin reports whether a variable is named as those are that hold a login.
func LooksLikeLogin(name string) bool { return loginName.MatchString(name) }

// Login reports whether one of the passed variables is known to be a login, or named as if it
// were. The page of explain asks this.
func (e Environ) Login(name string) bool { return slices.Contains(e.logins, name) }

// logins are those of the passed variables that hold a login: by the catalogue or by
// their names. A prefix may let one in, but for the locale's.
func (b *builder) logins(pass []string) []string {
	var all []string
	for _, name := range pass {
		isKey := func(t catalogue.Tool) bool { return slices.Contains(t.Keys, name) }
		switch {
		case name == "LC_*":
		case strings.HasSuffix(name, "*"), LooksLikeLogin(name), slices.ContainsFunc(b.catalogue.Tools, isKey):
			all = append(all, name)
		}
	}
	return all
}

// FilterWords names the filter of system calls.
func (p Plan) FilterWords() string {
	return map[profile.SeccompMode]string{
		profile.SeccompDefault: "the usual filter", profile.SeccompStrict: "the strict filter",
		profile.SeccompNone: "no filter",
	}[p.Kernel.Seccomp]
}
