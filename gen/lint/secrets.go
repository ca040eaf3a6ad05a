package lint

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
)

// secretRules are about what the catalogue knows to be sensitive.
var secretRules = []Rule{
	{
		Name:     "secrets-readable",
		Severity: Exposure,
		Bad:      "bwrap --ro-bind ~/.ssh ~/.ssh -- git fetch",
		Good:     "bwrap --ro-bind ~/.ssh/known_hosts ~/.ssh/known_hosts -- git fetch",
		Looks:    "credentials of the catalogue in what is bound",
		Why:      "the command can read keys and tokens, and send them where it has a network",
		Source:   "bwrapgen catalogue show NAME: secrets",
		Hint:     "bind single directories instead, or cover each secret: a directory by --tmpfs and --remount-ro, a file by --ro-bind /dev/null",
		call:     secrets,
	},
	{
		Name:     "persistence-writable",
		Severity: Exposure,
		Bad:      "bwrap --bind ~/.local/bin ~/.local/bin -- make",
		Good:     "bwrap --ro-bind ~/.local/bin ~/.local/bin -- make",
		Looks:    "a writable bind of what the host runs or believes later",
		Why:      "the command can put there what the host runs outside the sandbox",
		Source:   "bwrapgen catalogue show NAME: persistence",
		Hint:     "write --ro-bind, or leave it out",
		call:     persistence,
	},
	{
		Name:     "mask-writable",
		Severity: Weak,
		Bad:      "bwrap --ro-bind / / --tmpfs ~/.ssh -- make",
		Good:     "bwrap --ro-bind / / --tmpfs ~/.ssh --remount-ro ~/.ssh -- make",
		Looks:    "--tmpfs over a secret without --remount-ro",
		Why:      "the command can put a key or a configuration of its own there, which what it starts believes",
		Source:   "bwrap(1), --tmpfs and --remount-ro",
		Hint:     "add --remount-ro with the same path behind it",
		call:     masks,
	},
}

// sensitive is one place of the catalogue.
type sensitive struct {
	at   string // may hold *
	pass string
}

// environment is the one in which the catalogue's paths are looked up.
func environment() expr.Env {
	return expr.Env{Home: home, Lookup: map[string]string{"XDG_RUNTIME_DIR": runtime}}
}

func places(list []catalogue.Secret, kinds ...catalogue.Kind) []sensitive {
	var all []sensitive
	for _, s := range list {
		if !slices.Contains(kinds, s.Kind) {
			continue
		}
		if at, ok := s.Eval(environment()); ok {
			one := sensitive{settle(strings.Replace(at, "/run/user/*", runtime, 1)), s.Pass}
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// public are names among secrets that tell nothing.
func public(at string) bool {
	name := path.Base(at)
	return strings.HasSuffix(name, ".pub") || slices.Contains([]string{"known_hosts", "known_hosts2", "config", "allowed_signers", "pubring.kbx", "pubring.gpg"}, name)
}

// exposed lists which of the places the command reaches through a mount: that
// of the bind itself, or those below it.
func (c *call) exposed(i int, all []sensitive) (itself bool, below []sensitive) {
	m := c.mounts[i]
	if !m.bind || c.hidden(i) {
		return false, nil
	}
	for _, s := range all {
		switch {
		case matches(m.src, s.at):
			itself = true
		case readable(s.at) && within(fixed(s.at), m.src) && c.reaches(i, fixed(s.at)):
			below = append(below, s)
		}
	}
	return itself, below
}

// readable reports whether a place is a user's: what lies elsewhere is mostly
// root's alone.
func readable(at string) bool { return within(at, home) || within(at, "/run") }

// matches reports whether a place is a sensitive one, or lies in it.
func matches(at, pattern string) bool {
	at, _, isGlob := strings.Cut(at, "\x00*\x00") // what a pattern of the script's stands for
	parts, wanted := strings.Split(at, "/"), strings.Split(pattern, "/")
	if len(parts) < len(wanted) || pattern == "" {
		return false
	}
	top := strings.Join(parts[:len(wanted)], "/")
	ok, _ := path.Match(pattern, top)
	if isGlob && !ok {
		ok, _ = path.Match(top, pattern)
	}
	return ok
}

// fixed is the part of a pattern that names a directory for sure.
func fixed(pattern string) string {
	if i := strings.IndexAny(pattern, "*?["); i >= 0 {
		return path.Dir(pattern[:i] + "x")
	}
	return pattern
}

// wellKnown stand first in a list.
var wellKnown = []string{
	home + "/.ssh", home + "/.gnupg", home + "/.aws", home + "/.netrc", home + "/.git-credentials", home + "/.config/gh",
	home + "/.kube", "/run/docker.sock", "/run/podman/podman.sock", runtime + "/bus",
}

// listed names the first few of some places.
func listed(all []sensitive) string {
	rank := func(s sensitive) int {
		for i, name := range wellKnown {
			if s.at == name {
				return i
			}
		}
		return len(wellKnown)
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b sensitive) int { return cmp.Compare(rank(a), rank(b)) })
	var names []string
	for _, s := range all[:min(3, len(all))] {
		names = append(names, shown(s.at))
	}
	if len(all) > len(names) {
		return strings.Join(names, ", ") + " and others"
	}
	return strings.Join(names, ", ")
}

func secrets(c *call) []remark {
	all := places(c.script.tools.Secrets(), catalogue.Credential)
	var remarks []remark
	for i, m := range c.mounts {
		if public(m.src) {
			continue
		}
		itself, below := c.exposed(i, all)
		below = slices.DeleteFunc(below, func(s sensitive) bool { return within(s.at, "/run") && !within(s.at, runtime) }) // root's
		switch {
		case itself:
			remarks = append(remarks, remark{at: m.At, what: "the command can read the secrets in " + shown(m.src)})
		case len(below) > 0:
			remarks = append(remarks, remark{at: m.At, what: fmt.Sprintf("the command can read what lies in %s: %s", shown(m.src), listed(below))})
		}
	}
	return remarks
}

// pathDirectories are where users keep programs that their shells find, and settings
// that name programs.
func pathDirectories() []sensitive {
	var all []sensitive
	for _, name := range []string{
		"bin", ".local/bin", ".cargo/bin", "go/bin", ".npm-global", ".bun/bin", ".deno/bin", ".nvm", ".fnm", ".volta",
		".pyenv", ".rbenv", ".asdf", ".local/share/mise", ".rustup", ".gitconfig", ".config/git", ".config/fish", ".pam_environment",
		".config/chromium/NativeMessagingHosts", ".config/google-chrome/NativeMessagingHosts", ".mozilla/native-messaging-hosts",
		".docker/cli-plugins", ".gnupg/gpg-agent.conf", ".local/share/claude", ".local/share/pipx", ".local/share/uv/tools",
	} {
		all = append(all, sensitive{at: home + "/" + name})
	}
	return all
}

func persistence(c *call) []remark {
	all := append(places(c.script.tools.Secrets(), catalogue.Persistence, catalogue.State), pathDirectories()...)
	var remarks []remark
	for i, m := range c.mounts {
		if !m.writable || within(home, m.src) { // another rule's
			continue
		}
		switch itself, below := c.exposed(i, all); {
		case c.holdsScript(i):
			remarks = append(remarks, remark{at: m.At, what: "the command can change this script, and so what is outside the next time"})
		case itself:
			remarks = append(remarks, remark{at: m.At, what: fmt.Sprintf("the command can change %s, which is run or believed outside later", shown(m.src))})
		case len(below) > 0:
			remarks = append(remarks, remark{at: m.At, what: fmt.Sprintf("the command can change what is run or believed outside later: %s", listed(below))})
		}
	}
	return remarks
}

// holdsScript reports whether a mount shows the directory in which the script lies, or one
// above it, and nothing holds the script.
func (c *call) holdsScript(i int) bool {
	text := c.mounts[i].operands[0].Text
	if len(text) == 0 || !ofScript(text[:1]) || c.hidden(i) {
		return false
	}
	above, known := text[1:].Literal()
	if !known || strings.Trim(above, "./") != "" {
		return false
	}
	return !slices.ContainsFunc(c.mounts[i+1:], func(m mount) bool { return m.bind && !m.writable && ofScript(m.operands[0].Text) })
}

// ofScript reports whether a text is made of the script's own path.
func ofScript(t trace.Text) bool { return t.MadeOf("0") || t.MadeOf("BASH_SOURCE") }

func masks(c *call) []remark {
	all := places(c.script.tools.Secrets(), catalogue.Credential)
	var remarks []remark
	for i, m := range c.mounts {
		if m.name != "--tmpfs" || !m.sure || !c.whole() || c.remounted(m.dest) || c.hidden(i) {
			continue
		}
		if slices.ContainsFunc(all, func(s sensitive) bool { return m.dest == s.at }) {
			remarks = append(remarks, remark{at: m.At, what: fmt.Sprintf("what covers %s can be written to", shown(m.dest))})
		}
	}
	return remarks
}
