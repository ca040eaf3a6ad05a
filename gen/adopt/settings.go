package adopt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/problem"
)

// settings reads the JSON of Claude Code, sandbox-runtime and fence. In all of them,
// commands read the whole host but for what is denied, write to the working directory
// and what is allowed besides, and reach the hosts that are listed:
// code.claude.com/docs/en/settings, github.com/anthropic-experimental/sandbox-runtime,
// github.com/fencesandbox/fence/blob/main/docs/configuration.md.
func (d *draft) settings(name string, src []byte) error {
	var all map[string]any
	if err := json.Unmarshal(withoutComments(src), &all); err != nil {
		return problem.New(fmt.Sprintf("%q is no JSON: %v", name, err), "name a settings file, or a script that calls bwrap")
	}
	_, claude := all["sandbox"].(map[string]any)
	_, rules := all["permissions"].(map[string]any)
	_, files := all["filesystem"].(map[string]any)
	_, network := all["network"].(map[string]any)
	switch {
	case claude, rules:
		d.format = "settings of Claude Code"
	case files, network:
		d.format = "settings of sandbox-runtime"
		_, commands := all["command"]
		if commands || strings.Contains(name, "fence") {
			d.format = "settings of fence"
		}
	default:
		return problem.New(fmt.Sprintf("%q has no settings of a sandbox: sandbox, permissions, filesystem or network", name), "name Claude Code's settings.json, or a file of sandbox-runtime or fence")
	}
	d.readsHost()
	d.set("network.mode", "none")
	d.differ("the caller's variables", "a launcher passes on those that are listed")
	for _, key := range slices.Sorted(maps.Keys(all)) {
		d.setting(key, all[key])
	}
	d.listed()
	return nil
}

// readsHost is what the settings of all agents begin with.
func (d *draft) readsHost() {
	d.add("extends", quote("base"), "")
	d.set("project.root", "cwd")
	d.set("filesystem.base", "host")
	d.set("home.mode", "host")
	d.differ("the whole host can be read", "its secrets are hidden, but for those that are listed with a reason")
	d.differ("git's hooks, editors' and agents' settings in the project", "held as the profile base has them")
}

// listed chooses the mode that a list of hosts needs.
func (d *draft) listed() {
	if d.has("network.allow", "") {
		d.set("network.mode", "allow")
	}
}

// setting reads one key, wherever it stands.
func (d *draft) setting(key string, value any) {
	switch key {
	case "sandbox", "filesystem", "network", "permissions":
		table, ok := value.(map[string]any)
		if !ok {
			d.leave(key, "it is no table")
			return
		}
		for _, inner := range slices.Sorted(maps.Keys(table)) {
			if key == "sandbox" && (inner == "filesystem" || inner == "network") {
				d.setting(inner, table[inner])
			} else {
				d.inner(key, inner, table[inner])
			}
		}
	case "env":
		table, _ := value.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(table)) {
			d.pair("environment.set", name, fmt.Sprint(table[name]))
		}
	case "$schema", "model", "theme", "statusLine", "includeCoAuthoredBy", "cleanupPeriodDays", "language", "allowPty": // not about the sandbox
	case "command":
		d.leave("command: "+short(value), "no command text is inspected: a shell finds a way round it; what it may touch is what the profile shows")
	case "extends":
		d.leave("extends: "+short(value), "import that file, too, and name its profile in extends")
	case "hooks":
		d.leave("hooks", "the agent runs them; a launcher knows nothing of them")
	default:
		d.leave(key+": "+short(value), "no profile has it")
	}
}

// short is a value as a comment shows it.
func short(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "?"
	}
	if len(text) > 100 {
		return string(bytes.ToValidUTF8(text[:100], nil)) + "..."
	}
	return string(text)
}

// texts gives the texts of a list.
func texts(value any) []string {
	list, _ := value.([]any)
	var all []string
	for _, one := range list {
		if text, ok := one.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// reasons are settings that no profile has, and why.
var reasons = map[string]string{
	"sandbox.excludedCommands":                 "a launcher runs nothing outside",
	"sandbox.allowUnsandboxedCommands":         "a launcher runs nothing outside",
	"sandbox.autoAllowBashIfSandboxed":         "it is the agent that asks, not the launcher",
	"sandbox.enableWeakerNestedSandbox":        "a launcher refuses where it cannot keep its promises: kernel.require",
	"sandbox.failIfUnavailable":                "a launcher always fails then",
	"sandbox.ignoreViolations":                 "a launcher reports none",
	"network.httpProxyPort":                    "a launcher filters by names and addresses; network.proxy is for a proxy of your own",
	"network.socksProxyPort":                   "a launcher filters by names and addresses; network.proxy is for a proxy of your own",
	"network.allowAllUnixSockets":              "a launcher passes sockets one by one: sockets.pass",
	"network.allowLocalBinding":                "inside, every port may be listened on; network.publish opens single ones to this machine",
	"network.allowLocalOutbound":               "what listens on this machine is out of reach, but for what network.reach lists",
	"network.allowManagedDomainsOnly":          "there are no managed settings here",
	"filesystem.allowGitConfig":                "base holds .git/config: drop it there with [drop.project] protect = [\".git/config\"]",
	"filesystem.allowManagedReadPathsOnly":     "there are no managed settings here",
	"permissions.defaultMode":                  "it is the agent that asks, not the launcher",
	"permissions.disableBypassPermissionsMode": "it is the agent that asks, not the launcher",
}

// inner reads a key of a table.
func (d *draft) inner(table, key string, value any) {
	name := table + "." + key
	switch name {
	case "sandbox.enabled":
		if value != true {
			d.leave(name+": "+short(value), "the settings do not use the sandbox; this profile does")
		}
	case "filesystem.allowWrite", "permissions.additionalDirectories":
		d.paths(name, value, "write")
	case "filesystem.denyWrite":
		d.paths(name, value, "hold")
	case "filesystem.denyRead":
		d.paths(name, value, "hide")
	case "filesystem.allowRead":
		d.paths(name, value, "read")
	case "network.allowedDomains":
		for _, host := range texts(value) {
			d.host(name, host)
		}
	case "network.deniedDomains":
		for _, host := range texts(value) {
			d.leave(name+": "+host, "a profile lists what is allowed, and nothing else is; take it out of a wider name in network.allow")
		}
	case "network.allowUnixSockets":
		for _, path := range texts(value) {
			d.socketPath(name, path)
		}
	case "permissions.allow", "permissions.deny", "permissions.ask":
		for _, rule := range texts(value) {
			d.rule(name, rule)
		}
	default:
		why, known := reasons[name]
		if !known {
			why = "no profile has it"
		}
		d.leave(name+": "+short(value), why)
	}
}

// host allows a name of the network.
func (d *draft) host(name, host string) {
	switch {
	case host == "*":
		d.leave(name+": "+host, "with network.mode = \"host\" every host can be reached, this machine's own among them")
	case host == "localhost", host == "127.0.0.1":
		d.leave(name+": "+host, "what listens on this machine is out of reach, but for what network.reach lists")
	default:
		d.add("network.allow", quote(host), "")
	}
}

func (d *draft) socketPath(name, path string) {
	if name := socketAt(path); name != "" {
		d.add("sockets.pass", quote(name), "")
		return
	}
	d.leave(name+": "+path, "no profile passes it by a name; if a daemon behind it acts outside, so can the command")
}

// paths puts each path of a setting where it belongs.
func (d *draft) paths(name string, value any, kind string) {
	for _, text := range texts(value) {
		d.path(name+": "+text, text, kind)
	}
}

var (
	everywhere = regexp.MustCompile(`^(?:\./|/)?\*\*/([^/]+)$`)
	globs      = regexp.MustCompile(`[*?\[]`)
)

// path says one path: it may be written to, held as it is, hidden or read.
func (d *draft) path(what, text, kind string) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "/**"), "/*")
	if m := everywhere.FindStringSubmatch(text); m != nil {
		d.everywhere(what, m[1], kind)
		return
	}
	if strings.HasPrefix(text, "//") {
		text = text[1:]
	}
	if slices.Contains([]string{"", ".", "./", "**"}, text) {
		d.workTree(what, kind)
		return
	}
	if !strings.ContainsAny(text[:1], "/~$") {
		text = "./" + text
	}
	at, why := clean(text)
	name, below := inProject(at)
	switch {
	case why != "":
		d.leave(what, why)
	case globs.MatchString(at) && (!below || strings.Contains(at, "**")):
		d.leave(what, "outside of the project a profile has no patterns, and ** nowhere: list what it stands for")
	case at == "/", at == "~":
		d.leave(what, "a profile says that with filesystem.base and home.mode")
	case kind == "write" && below, kind == "read" && below: // the project has it
	case kind == "write" && whole(at) != "":
		d.differ(what, whole(at))
	case kind == "write":
		d.show("filesystem.write", entry{path: at, optional: true})
	case kind == "hold" && below:
		d.add("project.protect", quote(name+"?"), "")
	case kind == "hide" && below:
		d.add("project.hide", quote(name+"?"), "")
	case kind == "hide":
		d.add("filesystem.hide", quote(at+"?"), "")
	default: // hold and read
		d.show("filesystem.read", entry{path: at, optional: true})
	}
}

// workTree is a setting about the project as a whole.
func (d *draft) workTree(what, kind string) {
	switch kind {
	case "hold":
		d.set("project.access", "read")
	case "hide":
		d.leave(what, "a launcher always shows its project")
	}
}

// everywhere is a name at any depth, which no profile has.
func (d *draft) everywhere(what, name, kind string) {
	key := map[string]string{"hold": "project.protect", "hide": "project.hide"}[kind]
	if key == "" {
		d.leave(what, "a profile names the directories that may be written to")
		return
	}
	d.leave(what, "a profile has no **: it is so at the project's root and one level below, and nowhere deeper")
	d.add(key, quote(name+"?"), "")
	d.add(key, quote("*/"+name+"?"), "")
}

var ruleText = regexp.MustCompile(`^(\w+)(?:\((.*)\))?$`)

// rule reads a permission rule: Read(~/.ssh/**), Edit(/docs/**), WebFetch(domain:x).
// Their paths begin at the project with /, at the root with //.
func (d *draft) rule(list, text string) {
	m := ruleText.FindStringSubmatch(text)
	if m == nil {
		d.leave(list+": "+text, "it is no rule that is known")
		return
	}
	what, tool, of := list+": "+text, m[1], m[2]
	if strings.HasPrefix(of, "/") && !strings.HasPrefix(of, "//") {
		of = "." + of
	}
	denies, edits := list == "permissions.deny", tool == "Edit" || tool == "Write" || tool == "MultiEdit"
	domain, fetches := strings.CutPrefix(of, "domain:")
	switch {
	case list == "permissions.ask":
		d.leave(what, "it is the agent that asks, not the launcher")
	case of == "" && !denies: // which tools there are is the agent's matter
	case tool == "Read" && denies && of != "":
		d.path(what, of, "hide")
	case edits && denies && of != "":
		d.path(what, of, "hold")
	case tool == "Read" && of != "":
		d.path(what, of, "read")
	case edits && of != "":
		d.path(what, of, "write")
	case tool == "WebFetch" && fetches && !denies:
		d.host(list, domain)
	case tool == "WebFetch" && fetches:
		d.leave(what, "a profile lists what is allowed, and nothing else is")
	case tool == "Bash":
		d.leave(what, "no command text is inspected: a shell finds a way round it; what it may touch is what the profile shows")
	default:
		d.leave(what, "it is the agent that decides which of its tools may run")
	}
}

// withoutComments takes // and /* */ out of JSON, as fence allows them.
func withoutComments(src []byte) []byte {
	var out []byte
	inText := false
	for i := 0; i < len(src); i++ {
		c := src[i]
		switch {
		case inText && c == '\\' && i+1 < len(src):
			out = append(out, c, src[i+1])
			i++
			continue
		case c == '"':
			inText = !inText
		case !inText && bytes.HasPrefix(src[i:], []byte("//")):
			for i < len(src) && src[i] != '\n' {
				i++
			}
			i--
			continue
		case !inText && bytes.HasPrefix(src[i:], []byte("/*")):
			end := bytes.Index(src[i+2:], []byte("*/"))
			if end < 0 {
				return out
			}
			i += 3 + end
			continue
		}
		out = append(out, c)
	}
	return out
}
