package plan

import (
	"fmt"
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

// Login reports whether one of the passed variables is known to be a login, or named
// as if it were.
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

// few are the first of some names, one at least: what fits into half a row.
func few(names []string) []string {
	n := 1
	for n < len(names) && len(join(names[:n+1])) <= 32 {
		n++
	}
	return names[:n]
}

// variableWords says which of the caller's variables the command has.
func (p Plan) variableWords() string {
	isLogin := func(name string) bool { return slices.Contains(p.Environ.logins, name) }
	others := slices.DeleteFunc(slices.Clone(p.Environ.Pass), isLogin)
	if len(others) == 0 {
		others = []string{"HOME"}
	}
	words := join(few(others))
	if more := len(others) - len(few(others)); more > 0 {
		words += fmt.Sprintf(" and %d others", more)
	}
	if len(p.Environ.logins) == 0 {
		return words + "; no known login"
	}
	return words + "; logins: " + join(p.Environ.logins)
}

// FilterWords names the filter of system calls.
func (p Plan) FilterWords() string {
	return map[profile.SeccompMode]string{
		profile.SeccompDefault: "the usual filter", profile.SeccompStrict: "the strict filter",
		profile.SeccompNone: "no filter",
	}[p.Kernel.Seccomp]
}

// kernelWords says what the command may ask of the kernel.
func (p Plan) kernelWords() string {
	words := p.FilterWords() + " of system calls"
	if p.Kernel.NestedUserns {
		words += "; it may make namespaces of its own"
	} else {
		words += "; no namespaces of its own"
	}
	if p.Kernel.ForeignArch {
		words += "; programs of the other word size run"
	}
	if p.Kernel.Require == profile.RequireBest {
		words += "; what bwrap cannot do is said, not refused"
	}
	return words
}
