package adopt

import (
	"fmt"
	"slices"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// codex reads Codex's config.toml: sandbox_mode with [sandbox_workspace_write], or a
// permission profile (developers.openai.com/codex/config-reference and
// developers.openai.com/codex/permissions).
func (d *draft) codex(name string, src []byte) error {
	var all struct {
		Mode        string         `toml:"sandbox_mode"`
		Write       map[string]any `toml:"sandbox_workspace_write"`
		Chosen      string         `toml:"default_permissions"`
		Permissions map[string]any
		Environment map[string]any `toml:"shell_environment_policy"`
	}
	if err := toml.Unmarshal(src, &all); err != nil {
		return problem.New(fmt.Sprintf("%q is no TOML: %v", name, err), "name Codex's config.toml, or a script that calls bwrap")
	}
	if all.Mode+all.Chosen == "" {
		return problem.New(fmt.Sprintf("%q has neither sandbox_mode nor default_permissions", name), "name Codex's config.toml")
	}
	d.format = "settings of Codex"
	d.readsHost()
	d.set("network.mode", "none")
	if all.Mode != "" {
		d.mode(all.Mode, all.Write)
	} else {
		d.permissions(all.Chosen, all.Permissions)
	}
	d.shellEnvironment(all.Environment)
	d.listed()
	return nil
}

// mode is sandbox_mode.
func (d *draft) mode(mode string, table any) {
	switch mode {
	case "read-only":
		d.set("project.access", "read")
	case "workspace-write":
	default:
		d.leave("sandbox_mode = "+source.Quote(mode), "it is no sandbox; this profile is one, as workspace-write is")
	}
	for key, value := range entries(table) {
		what := "sandbox_workspace_write." + key
		switch key {
		case "writable_roots":
			paths("write")(d, what, value)
		case "network_access":
			d.network(value)
		case "exclude_tmpdir_env_var", "exclude_slash_tmp":
			d.differ(what, privateTmp)
		default:
			d.leave(what+": "+short(value), noKey)
		}
	}
}

const privateTmp = "a launcher's /tmp is private, and always there"

// network opens the network, if that is so.
func (d *draft) network(open any) {
	if open == true {
		d.set("network.mode", "host")
	}
}

// builtIn are the permission profiles of Codex's own, and the mode that each stands for.
var builtIn = map[string]string{
	":read-only": "read-only", ":workspace": "workspace-write", ":danger-full-access": "danger-full-access",
}

// permissions is a permission profile, built in or one of [permissions.NAME].
func (d *draft) permissions(chosen string, named map[string]any) {
	if mode := builtIn[chosen]; mode != "" {
		d.mode(mode, nil)
		return
	}
	if !isTable(named[chosen]) {
		d.leave("default_permissions = "+source.Quote(chosen), "there is no [permissions."+chosen+"]")
		return
	}
	d.set("project.access", "read")
	for key, value := range entries(named[chosen]) {
		what := "permissions." + chosen + "." + key
		switch key {
		case "filesystem":
			for path, access := range entries(value) {
				d.access(what, path, access)
			}
		case "network":
			d.codexNetwork(what, value)
		case "workspace_roots":
			for root := range entries(value) {
				d.path(what+": "+root, root, "write")
			}
		case "extends":
			d.extends(what, value)
		default:
			d.leave(what+": "+short(value), noKey)
		}
	}
}

func (d *draft) extends(what string, value any) {
	switch value {
	case ":workspace":
		d.unset("project.access")
	case ":read-only":
	default:
		d.leave(what+": "+short(value), noKey)
	}
}

// kinds are the accesses of a permission profile, and what they mean here.
var kinds = map[any]string{"read": "read", "write": "write", "deny": "hide", "none": "hide"}

// kindOf gives what an access means here; empty: it is none that is known.
func kindOf(access any) string {
	text, _ := access.(string)
	return kinds[text]
}

// access reads a row of [permissions.NAME.filesystem]: a path, a special name, or a
// table of names below it.
func (d *draft) access(what, path string, access any) {
	name := what + ": " + path + " = " + short(access)
	kind := kindOf(access)
	switch path {
	case ":workspace_roots", ":project_roots", ":cwd":
		for inner, access := range entries(access) {
			d.below(what+"."+path+": "+inner+" = "+short(access), inner, kindOf(access))
		}
		if !isTable(access) {
			d.below(name, ".", kind)
		}
		return
	}
	isTmp := slices.Contains([]string{":tmpdir", ":slash_tmp"}, path)
	isShown := slices.Contains([]string{":root", ":minimal"}, path)
	switch {
	case isTable(access):
		d.leave(name, "only names below the project are patterns")
	case kind == "":
		d.leave(name, "it is no access that is known")
	case isShown && kind == "read": // base shows it
	case isTmp && kind != "hide":
		d.differ(name, privateTmp)
	case path != "" && path[0] == ':':
		d.leave(name, noKey)
	default:
		d.path(name, path, kind)
	}
}

// below is the access to the project as a whole, or to a name below it.
func (d *draft) below(what, name, kind string) {
	switch {
	case kind == "":
		d.leave(what, "it is no access that is known")
	case name == "." && kind == "write":
		d.unset("project.access")
	case name == ".":
		d.workTree(what, kind)
	case kind == "read":
		d.path(what, name, "hold")
	case kind == "write" && d.has("project.access"):
		d.show("filesystem.write", entry{path: "./" + name})
	default:
		d.path(what, name, kind)
	}
}

func (d *draft) codexNetwork(what string, table any) {
	for key, value := range entries(table) {
		switch key {
		case "enabled":
			d.network(value)
		case "domains":
			for host, access := range entries(value) {
				if access == "allow" {
					d.host(what+".domains", host)
				} else {
					d.leave(what+".domains: "+host, "a profile lists what is allowed, and nothing else is")
				}
			}
		case "unix_sockets":
			for path := range entries(value) {
				d.socketPath(what+".unix_sockets", path)
			}
		default:
			d.leave(what+"."+key+": "+short(value), noKey)
		}
	}
}

// shellEnvironment is [shell_environment_policy].
func (d *draft) shellEnvironment(table map[string]any) {
	for key, value := range entries(table) {
		what := "shell_environment_policy." + key
		switch key {
		case "set":
			d.variables(what, value)
		case "include_only":
			for _, name := range texts(value) {
				d.add("environment.pass", name)
			}
		default:
			d.leave(what+": "+short(value), "a launcher passes on what is listed in environment.pass, and nothing else")
		}
	}
	if table["inherit"] == nil && table["include_only"] == nil {
		d.differ("the caller's variables", "a launcher passes on those that are listed")
	}
}
