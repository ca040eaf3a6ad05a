package adopt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// fromJSON reads the settings of Claude Code, sandbox-runtime and fence. In all of them,
// commands read the whole host except what is denied, write to the working directory
// and what is allowed besides, and reach the hosts that are listed:
// code.claude.com/docs/en/settings, github.com/anthropic-experimental/sandbox-runtime,
// github.com/fencesandbox/fence/blob/main/docs/configuration.md.
func (d *draft) fromJSON(name string, src []byte) error {
	var all map[string]any
	if err := json.Unmarshal(withoutComments(src), &all); err != nil {
		return problem.New(fmt.Sprintf("%q is no JSON: %v", name, err), "name a settings file, or a script that calls bwrap")
	}
	has := func(key string) bool { _, is := all[key]; return is }
	run := ""
	switch {
	case has("sandbox"), has("permissions"):
		d.format, run = "settings of Claude Code", "claude-code"
	case !has("filesystem") && !has("network"):
		return problem.New(fmt.Sprintf("%q has no settings of a sandbox: sandbox, permissions, filesystem or network", name), "name Claude Code's settings.json, or a file of sandbox-runtime or fence")
	case has("command"), strings.Contains(name, "fence"):
		d.format = "settings of fence"
	default:
		d.format = "settings of sandbox-runtime"
	}
	d.readsHost(run)
	d.set("network.mode", "none")
	d.differ("the caller's variables", "a launcher passes on those that are listed")
	for key, value := range entries(all) {
		d.setting(key, value)
	}
	d.listed(run)
	return nil
}

// services are the hosts without which an agent does not work, by its profile.
var services = map[string][]string{
	"claude-code": {"api.anthropic.com:443", "claude.ai:443", "platform.claude.com:443"},
	"codex":       {"api.openai.com:443", "auth.openai.com:443", "chatgpt.com:443"},
}

// readsHost is what the settings of all sandboxes begin with. Those of an agent that has a profile are for a
// launcher that runs it, with its own login.
func (d *draft) readsHost(agent string) {
	d.add("extends", cmp.Or(agent, "base"))
	d.set("project.root", "cwd")
	d.set("filesystem.base", "host")
	if agent == "" {
		d.set("home.mode", "host")
		d.differ("the whole host can be read", "credentials are hidden, except those that are listed with a reason")
	} else {
		d.set("home.mode", "empty")
		d.differ("the whole host can be read", "credentials are hidden, and the home directory is empty, except for what the profile "+agent+" shows; list more in filesystem.read")
	}
	d.differ("git's hooks, editors' and agents' settings in the project", "protected, as in the profile base")
}

// listed chooses the mode that a list of hosts needs, and lists those that the agent itself needs.
func (d *draft) listed(agent string) {
	if d.get("network.mode").items[0].text != source.Quote("host") {
		for _, host := range services[agent] {
			d.put("network.allow", item{text: source.Quote(host), why: agent + " itself"})
		}
	}
	if d.has("network.allow") {
		d.set("network.mode", "allow")
	}
}

func isTable(value any) bool {
	_, is := value.(map[string]any)
	return is
}

// entries are those of a table, in the order of their keys; of something else there are none.
func entries(value any) iter.Seq2[string, any] {
	table, _ := value.(map[string]any)
	return func(yield func(string, any) bool) {
		for _, key := range slices.Sorted(maps.Keys(table)) {
			if !yield(key, table[key]) {
				return
			}
		}
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

// readers are what the keys of a table are read with.
type readers map[string]func(d *draft, name string, value any)

// fault notes that a value is not of the type that its key has. Import fails then, since the value may be a
// denial.
func (d *draft) fault(key string, value any, wanted string) {
	what := fmt.Sprintf("must be %s, not %s: %s", wanted, typeOf(value), short(value))
	d.faults = append(d.faults, problem.New(what, "correct the file, or remove the key").At(d.file, 0, d.outer+key))
}

func typeOf(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int64, float64:
		return "a number"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	}
	return "a date"
}

// misspelt reports a key that is written differently from a known one: in capitals, or with _ or -.
func (d *draft) misspelt(table, key string, known iter.Seq[string]) bool {
	for other := range known {
		if plainKey.Replace(strings.ToLower(key)) == plainKey.Replace(strings.ToLower(other)) {
			d.faults = append(d.faults, problem.New("unknown key", "write "+d.outer+table+other).At(d.file, 0, d.outer+table+key))
			return true
		}
	}
	return false
}

var plainKey = strings.NewReplacer("_", "", "-", "")

// table reads a table; without is why a profile has nothing for its other keys.
func (d *draft) table(name string, table any, without string, known readers) {
	if !isTable(table) {
		d.fault(name, table, "a table")
	}
	for key, value := range entries(table) {
		at := name + "." + key
		if read, ok := known[key]; ok {
			read(d, at, value)
		} else if !d.misspelt(name+".", key, maps.Keys(known)) {
			d.leave(at+": "+short(value), without)
		}
	}
}

// inner reads the rows of a table whose keys are free.
func inner(read func(d *draft, name, key string, value any)) func(*draft, string, any) {
	return func(d *draft, name string, table any) {
		if !isTable(table) {
			d.fault(name, table, "a table")
		}
		for key, value := range entries(table) {
			read(d, name, key, value)
		}
	}
}

// each reads a list of strings. A single string is a list of one, unless it could be several.
func each(read func(d *draft, name, text string)) func(*draft, string, any) {
	return func(d *draft, name string, value any) {
		list, isList := value.([]any)
		if text, ok := value.(string); ok && !strings.ContainsAny(text, ",\n") {
			list, isList = []any{text}, true
		}
		if !isList {
			d.fault(name, value, "a list of strings")
		}
		for i, one := range list {
			if text, ok := one.(string); ok {
				read(d, name, text)
			} else {
				d.fault(name+source.Index(i), one, "a string")
			}
		}
	}
}

// paths reads a list of paths, of which each is written to, held, hidden or read.
func paths(kind string) func(*draft, string, any) {
	return each(func(d *draft, name, text string) { d.path(name+": "+text, text, kind) })
}

func nothing(*draft, string, any) {}

// settings are the keys that a profile has something for, or that are not about the sandbox.
var settings = readers{
	"$schema": nothing, "model": nothing, "theme": nothing, "statusLine": nothing, "includeCoAuthoredBy": nothing,
	"cleanupPeriodDays": nothing, "language": nothing, "allowPty": nothing,
	"env":   (*draft).variables,
	"hooks": func(d *draft, name string, _ any) { d.leave(name, reasons().Settings[name]) },
	"sandbox.enabled": func(d *draft, name string, value any) {
		if value != true {
			d.leave(name+": "+short(value), reasons().Settings[name])
		}
	},
	"filesystem.allowWrite":             paths("write"),
	"filesystem.denyWrite":              paths("hold"),
	"filesystem.denyRead":               paths("hide"),
	"filesystem.allowRead":              paths("read"),
	"network.allowedDomains":            each((*draft).host),
	"network.deniedDomains":             each(func(d *draft, name, host string) { d.leave(name+": "+host, reasons().Settings[name]) }),
	"network.allowUnixSockets":          each((*draft).socketPath),
	"permissions.additionalDirectories": paths("write"),
	"permissions.allow":                 each((*draft).rule),
	"permissions.deny":                  each((*draft).rule),
	"permissions.ask":                   each((*draft).rule),
}

// setting reads one key, wherever it stands.
func (d *draft) setting(name string, value any) {
	switch name {
	case "sandbox.filesystem", "sandbox.network":
		d.outer = "sandbox."
		d.setting(strings.TrimPrefix(name, d.outer), value)
		d.outer = ""
	case "sandbox", "filesystem", "network", "permissions":
		if !isTable(value) {
			d.fault(name, value, "a table")
		}
		for key, inner := range entries(value) {
			d.setting(name+"."+key, inner)
		}
	default:
		if read, ok := settings[name]; ok {
			read(d, name, value)
			return
		}
		why := reasons().Settings[name]
		if why == "" && d.misspelt("", name, settingKeys) {
			return
		}
		d.leave(name+": "+short(value), cmp.Or(why, noKey))
	}
}

// settingKeys are all keys that are known.
func settingKeys(yield func(string) bool) {
	tables := slices.Values([]string{"sandbox", "sandbox.filesystem", "sandbox.network", "filesystem", "network", "permissions"})
	for _, keys := range []iter.Seq[string]{tables, maps.Keys(settings), maps.Keys(reasons().Settings)} {
		for key := range keys {
			if !yield(key) {
				return
			}
		}
	}
}

// noKey is the reason for what no profile has.
const noKey = "no profile has it"

// variables reads a table of variables.
func (d *draft) variables(key string, value any) {
	if !isTable(value) {
		d.fault(key, value, "a table")
	}
	for name, text := range entries(value) {
		switch text.(type) {
		case nil, []any, map[string]any:
			d.fault(source.Join(key, name), text, "a string")
		}
		d.pair("environment.set", name, fmt.Sprint(text))
	}
}

// host allows a name of the network.
func (d *draft) host(name, host string) {
	switch host {
	case "*":
		d.leave(name+": "+host, "with network.mode = \"host\" every host can be reached, this machine's own among them")
	case "localhost", "127.0.0.1":
		d.leave(name+": "+host, "what listens on this machine is out of reach, except what network.reach lists")
	default:
		if !strings.Contains(host, ".") && strings.Count(host, ":") < 2 {
			d.leave(name+": "+host, "network.allow takes names with a dot, and addresses")
			return
		}
		d.add("network.allow", host)
	}
}

func (d *draft) socketPath(name, path string) {
	if name := socketAt(path); name != "" {
		d.add("sockets.pass", name)
		return
	}
	d.leave(name+": "+path, "no profile passes it by a name; if a daemon behind it acts outside, so can the command")
}

var (
	everywhere = regexp.MustCompile(`^(?:\./|/)?\*\*/([^/]+)$`)
	globs      = regexp.MustCompile(`[*?\[]`)
)

// ofProject are the keys for what is held or hidden in the project. The rest of it is
// there to be read and written.
var ofProject = map[string]string{"hold": "project.protect", "hide": "project.hide"}

// path says one path: it may be written to, held as it is, hidden or read.
func (d *draft) path(what, text, kind string) {
	text = strings.TrimSuffix(strings.TrimSuffix(text, "/**"), "/*")
	if m := everywhere.FindStringSubmatch(text); m != nil {
		d.everywhere(what, m[1], kind)
		return
	}
	switch {
	case slices.Contains([]string{"", ".", "./", "**"}, text):
		d.workTree(what, kind)
		return
	case strings.HasPrefix(text, "//"):
		text = text[1:]
	case !isRooted.MatchString(text):
		text = "./" + text
	}
	at, why := clean(text)
	_, inside := inProject(at)
	isPattern := strings.Contains(at, "**") || globs.MatchString(at) && !inside
	switch {
	case why != "":
		d.leave(what, why)
	case isPattern:
		d.leave(what, "outside of the project a profile has no patterns, and ** nowhere: list what it stands for")
	case at == "/", at == "~":
		d.leave(what, "a profile says that with filesystem.base and home.mode")
	case kind == "write" && reasons().Whole[at] != "":
		d.differ(what, reasons().Whole[at])
	default:
		d.list(kind, entry{path: at, optional: true})
	}
}

// list lists a path: it may be written to, held as it is, hidden or read.
func (d *draft) list(kind string, e entry) {
	name, inside := inProject(e.path)
	inside = inside && slices.Contains([]string{"", e.path}, e.at)
	switch {
	case inside && ofProject[kind] != "":
		d.addPath(ofProject[kind], name, e.optional)
	case inside: // the project has it
	case kind == "hide":
		d.addPath("filesystem.hide", e.path, e.optional)
	case kind == "write":
		d.show("filesystem.write", e)
	default:
		d.show("filesystem.read", e)
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
	key := ofProject[kind]
	if key == "" {
		d.leave(what, "a profile names the directories that may be written to")
		return
	}
	d.leave(what, "a profile has no **: it is so at the project's root and one level below, and nowhere deeper")
	d.addPath(key, name, true)
	d.addPath(key, "*/"+name, true)
}

var ruleText = regexp.MustCompile(`^(\w+)(?:\((.*)\))?$`)

// toolKinds say what the rules of agents' tools mean for a path: allowed, and denied.
var toolKinds = map[string]struct{ allowed, denied string }{
	"Read": {"read", "hide"}, "Edit": {"write", "hold"}, "Write": {"write", "hold"}, "MultiEdit": {"write", "hold"},
}

// rule reads a permission rule: Read(~/.ssh/**), Edit(/docs/**), WebFetch(domain:x).
// Their paths begin at the project with /, at the root with //.
func (d *draft) rule(list, text string) {
	m := ruleText.FindStringSubmatch(text)
	if m == nil {
		d.leave(list+": "+text, "it is no rule that is known")
		return
	}
	what, tool, of := list+": "+text, m[1], m[2]
	denies := list == "permissions.deny"
	kind := toolKinds[tool].allowed
	if denies {
		kind = toolKinds[tool].denied
	}
	domain, fetches := strings.CutPrefix(of, "domain:")
	switch {
	case list == "permissions.ask":
		d.leave(what, "it is the agent that asks, not the launcher")
	case of == "" && !denies: // which tools there are is the agent's matter
	case kind != "" && of != "":
		if strings.HasPrefix(of, "/") && !strings.HasPrefix(of, "//") {
			of = "." + of
		}
		d.path(what, of, kind)
	case tool == "WebFetch" && fetches:
		if denies {
			d.leave(what, "a profile lists what is allowed, and nothing else is")
		} else {
			d.host(list, domain)
		}
	case tool == "Bash":
		d.leave(what, "no command text is inspected: a shell finds a way round it; what it may touch is what the profile shows")
	default:
		d.leave(what, "it is the agent that decides which of its tools may run")
	}
}

// textOrComment is what withoutComments tells apart.
var textOrComment = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|//[^\n]*|(?s:/\*.*?(?:\*/|$))`)

// withoutComments takes // and /* */ out of JSON, as fence allows them.
func withoutComments(src []byte) []byte {
	return textOrComment.ReplaceAllFunc(src, func(one []byte) []byte {
		if one[0] == '"' {
			return one
		}
		return nil
	})
}
