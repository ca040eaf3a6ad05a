package plan

import (
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/profile"
)

// credentialName matches the usual names of variables that hold credentials.
var credentialName = regexp.MustCompile(
	`(?i)(^|_)(KEY|TOKEN|PAT|PASS|PASSWD|PASSPHRASE|CREDENTIALS?|CREDS|COOKIE|DSN|AUTH_CONFIG)(_|$)` +
		`|PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN$|APIKEY|^SSHPASS$|[^_]_PWD$|(^|_)AUTH$|CONNECTION_STRING`)

// credentialValue matches an address with a user, a private key, and an assignment to a password or token.
var credentialValue = regexp.MustCompile(
	`(?i)://[^/\s]*@|-----BEGIN|(password|passwd|passphrase|token|secret|api[-_]?key)["']?\s*[=:]|bearer `)

// LooksLikeLogin reports whether a variable has a name that is usual for credentials.
func LooksLikeLogin(name string) bool {
	isSwitch := strings.Contains(name, "_SKIP_") // CLAUDE_CODE_SKIP_BEDROCK_AUTH
	return credentialName.MatchString(name) && !isSwitch
}

// HoldsLogin reports whether the value of a variable looks like credentials.
func HoldsLogin(value string) bool { return credentialValue.MatchString(value) }

// Sensitive says why a variable, or one that a pattern such as AWS_* matches, is not passed through unless a
// profile names it: it holds credentials by the catalogue or by its name, or leads to a daemon. It is empty
// for all others.
func Sensitive(c catalogue.Catalogue, name string) string {
	matches := func(other string) bool { return Matches(name, other) || Matches(other, name) }
	switch {
	case slices.ContainsFunc(c.Tools, func(t catalogue.Tool) bool { return slices.ContainsFunc(t.Keys, matches) }):
		return "credentials"
	case LooksLikeLogin(name):
		return "credentials, by its name"
	case slices.ContainsFunc(c.Tools, func(t catalogue.Tool) bool { return slices.ContainsFunc(t.Clear, matches) }):
		return "credentials, or the way to a daemon"
	}
	return ""
}

// Login reports whether one of the passed variables is known to be a login, or named as if it
// were. The page of explain asks this.
func (e Environ) Login(name string) bool { return slices.Contains(e.logins, name) }

// harmless are prefixes of variables that hold no credentials. Launchers check the values of git's
// settings themselves.
var harmless = []string{
	"LC_*", "CMAKE_*", "TERM_PROGRAM*", "GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*",
}

// logins are the passed variables that hold credentials, by the catalogue or by their names. A prefix may
// pass some, except harmless ones and those that the catalogue passes.
func (b *builder) logins(pass []string) []string {
	var all []string
	for _, name := range pass {
		isKey := func(t catalogue.Tool) bool { return slices.Contains(t.Keys, name) }
		isKnown := func(t catalogue.Tool) bool { return slices.Contains(t.Pass, name) }
		isPrefix := strings.HasSuffix(name, "*")
		switch {
		case slices.Contains(harmless, name), isPrefix && slices.ContainsFunc(b.catalogue.Tools, isKnown):
		case isPrefix, LooksLikeLogin(name), slices.ContainsFunc(b.catalogue.Tools, isKey):
			all = append(all, name)
		}
	}
	return all
}

// namedLogins are the variables that hold credentials, without prefixes for which others stand.
func (e Environ) namedLogins() []string {
	return slices.DeleteFunc(slices.Clone(e.logins), func(listed string) bool {
		other := func(name string) bool { return name != listed && Matches(listed, name) }
		return slices.ContainsFunc(e.logins, other)
	})
}

// FilterWords names the system call filter.
func (p Plan) FilterWords() string {
	return map[profile.SeccompMode]string{
		profile.SeccompDefault: "default system call filter", profile.SeccompStrict: "strict system call filter",
		profile.SeccompNone: "no system call filter",
	}[p.Kernel.Seccomp]
}
