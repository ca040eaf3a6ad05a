package adopt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/problem"
)

// codex reads Codex's config.toml: sandbox_mode with [sandbox_workspace_write], or a
// permission profile (developers.openai.com/codex/config-reference and
// developers.openai.com/codex/permissions).
func (d *draft) codex(name string, src []byte) error {
	var all map[string]any
	if err := toml.Unmarshal(src, &all); err != nil {
		return problem.New(fmt.Sprintf("%q is no TOML: %v", name, err), "name Codex's config.toml, or a script that calls bwrap")
	}
	mode, _ := all["sandbox_mode"].(string)
	chosen, _ := all["default_permissions"].(string)
	if mode == "" && chosen == "" {
		return problem.New(fmt.Sprintf("%q has neither sandbox_mode nor default_permissions", name), "name Codex's config.toml")
	}
	d.format = "settings of Codex"
	d.readsHost()
	d.set("network.mode", "none")
	if mode != "" {
		d.mode(mode, all)
	} else {
		d.permissions(chosen, all)
	}
	d.shellEnvironment(all)
	d.listed()
	return nil
}

// mode is sandbox_mode.
func (d *draft) mode(mode string, all map[string]any) {
	switch mode {
	case "read-only":
		d.set("project.access", "read")
	case "workspace-write":
	default:
		d.leave("sandbox_mode = "+quote(mode), "it is no sandbox; this profile is one, as workspace-write is")
	}
	table, _ := all["sandbox_workspace_write"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(table)) {
		what := "sandbox_workspace_write." + key
		switch key {
		case "writable_roots":
			d.paths(what, table[key], "write")
		case "network_access":
			if table[key] == true {
				d.set("network.mode", "host")
			}
		case "exclude_tmpdir_env_var", "exclude_slash_tmp":
			d.differ(what, "a launcher's /tmp is private, and always there")
		default:
			d.leave(what+": "+short(table[key]), "no profile has it")
		}
	}
}

// permissions is a permission profile, built in or one of [permissions.NAME].
func (d *draft) permissions(chosen string, all map[string]any) {
	switch chosen {
	case ":read-only":
		d.set("project.access", "read")
		return
	case ":workspace":
		return
	case ":danger-full-access":
		d.mode("danger-full-access", nil)
		return
	}
	named, _ := all["permissions"].(map[string]any)
	table, ok := named[chosen].(map[string]any)
	if !ok {
		d.leave("default_permissions = "+quote(chosen), "there is no [permissions."+chosen+"]")
		return
	}
	d.set("project.access", "read")
	for _, key := range slices.Sorted(maps.Keys(table)) {
		what := "permissions." + chosen + "." + key
		inner, _ := table[key].(map[string]any)
		switch {
		case key == "filesystem":
			d.access(what, inner)
		case key == "network":
			d.codexNetwork(what, inner)
		case key == "workspace_roots":
			for _, root := range slices.Sorted(maps.Keys(inner)) {
				d.path(what+": "+root, root, "write")
			}
		case key == "extends" && table[key] == ":workspace":
			d.unset("project.access")
		case key == "extends" && table[key] == ":read-only":
		default:
			d.leave(what+": "+short(table[key]), "no profile has it")
		}
	}
}

// kinds are the accesses of a permission profile.
var kinds = map[string]string{"read": "read", "write": "write", "deny": "hide", "none": "hide"}

// kindOf gives what an access means here; empty: it is none that is known.
func kindOf(value any) string {
	text, _ := value.(string)
	return kinds[text]
}

// access reads [permissions.NAME.filesystem]: paths, special names, and tables of
// names below them.
func (d *draft) access(what string, table map[string]any) {
	for _, path := range slices.Sorted(maps.Keys(table)) {
		name := what + ": " + path + " = " + short(table[path])
		below, nested := table[path].(map[string]any)
		kind := kindOf(table[path])
		ofProject := slices.Contains([]string{":workspace_roots", ":project_roots", ":cwd"}, path)
		switch {
		case nested && ofProject:
			d.below(what+"."+path, below)
		case nested:
			d.leave(name, "only names below the project are patterns")
		case kind == "":
			d.leave(name, "it is no access that is known")
		case ofProject:
			d.workspace(name, kind)
		case path == ":root" && kind == "read", path == ":minimal" && kind == "read": // base shows it
		case (path == ":tmpdir" || path == ":slash_tmp") && kind != "hide":
			d.differ(name, "a launcher's /tmp is private, and always there")
		case strings.HasPrefix(path, ":"):
			d.leave(name, "no profile has it")
		default:
			d.path(name, path, kind)
		}
	}
}

// workspace is the access to the project as a whole.
func (d *draft) workspace(what, kind string) {
	switch kind {
	case "write":
		d.unset("project.access")
	case "hide":
		d.leave(what, "a launcher always shows its project")
	}
}

func (d *draft) below(what string, table map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(table)) {
		said := what + ": " + name + " = " + short(table[name])
		kind := kindOf(table[name])
		switch {
		case kind == "":
			d.leave(said, "it is no access that is known")
		case name == ".":
			d.workspace(said, kind)
		case kind == "read":
			d.path(said, name, "hold")
		case kind == "write" && d.has("project.access", quote("read")):
			d.show("filesystem.write", entry{path: "./" + name})
		default:
			d.path(said, name, kind)
		}
	}
}

func (d *draft) codexNetwork(what string, table map[string]any) {
	if table["enabled"] == true {
		d.set("network.mode", "host")
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		inner, _ := table[key].(map[string]any)
		switch key {
		case "enabled":
		case "domains":
			for _, host := range slices.Sorted(maps.Keys(inner)) {
				if inner[host] == "allow" {
					d.host(what+".domains", host)
				} else {
					d.leave(what+".domains: "+host, "a profile lists what is allowed, and nothing else is")
				}
			}
		case "unix_sockets":
			for _, path := range slices.Sorted(maps.Keys(inner)) {
				d.socketPath(what+".unix_sockets", path)
			}
		default:
			d.leave(what+"."+key+": "+short(table[key]), "no profile has it")
		}
	}
}

// shellEnvironment is [shell_environment_policy].
func (d *draft) shellEnvironment(all map[string]any) {
	table, _ := all["shell_environment_policy"].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(table)) {
		what := "shell_environment_policy." + key
		switch key {
		case "set":
			inner, _ := table[key].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(inner)) {
				d.pair("environment.set", name, fmt.Sprint(inner[name]))
			}
		case "include_only":
			for _, name := range texts(table[key]) {
				d.add("environment.pass", quote(name), "")
			}
		default:
			d.leave(what+": "+short(table[key]), "a launcher passes on what is listed in environment.pass, and nothing else")
		}
	}
	if table["inherit"] == nil && table["include_only"] == nil {
		d.differ("the caller's variables", "a launcher passes on those that are listed")
	}
}
