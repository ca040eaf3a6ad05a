package adopt

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// codex reads Codex's config.toml: sandbox_mode with [sandbox_workspace_write], or a
// permission profile (developers.openai.com/codex/config-reference and
// developers.openai.com/codex/permissions).
func (d *draft) codex(name string, src []byte) error {
	var all map[string]any
	if err := toml.Unmarshal(src, &all); err != nil {
		return problem.New(fmt.Sprintf("%q is no TOML: %v", name, err), "name Codex's config.toml, or a script that calls bwrap")
	}
	texts := map[string]string{"sandbox_mode": "", "default_permissions": "", "profile": ""}
	tables := map[string]map[string]any{"sandbox_workspace_write": nil, "permissions": nil, "shell_environment_policy": nil}
	known := slices.Concat(slices.Collect(maps.Keys(texts)), slices.Collect(maps.Keys(tables)))
	for key, value := range entries(all) {
		_, wantsText := texts[key]
		_, wantsTable := tables[key]
		text, isText := value.(string)
		table, isTable := value.(map[string]any)
		switch {
		case wantsText && isText:
			texts[key] = text
		case wantsTable && isTable:
			tables[key] = table
		case wantsText:
			d.fault(key, value, "a string")
		case wantsTable:
			d.fault(key, value, "a table")
		default: // most of the file is not about the sandbox
			d.misspelt("", key, slices.Values(known))
		}
	}
	mode, chosen := texts["sandbox_mode"], texts["default_permissions"]
	if mode+chosen == "" && len(d.faults) == 0 {
		return problem.New(fmt.Sprintf("%q has neither sandbox_mode nor default_permissions", name), "name Codex's config.toml")
	}
	d.format = "settings of Codex"
	d.readsHost("codex")
	d.set("network.mode", "none")
	if mode != "" {
		d.mode(mode, tables["sandbox_workspace_write"])
	} else {
		d.permissions(chosen, tables["permissions"])
	}
	if name := texts["profile"]; name != "" {
		d.leave("profile = "+source.Quote(name), "what [profiles."+name+"] changes is not imported")
	}
	d.shellEnvironment(tables["shell_environment_policy"])
	d.listed("codex")
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
	private := func(d *draft, what string, _ any) { d.differ(what, privateTmp) }
	d.table("sandbox_workspace_write", table, noKey, readers{
		"writable_roots": paths("write"), "network_access": (*draft).network,
		"exclude_tmpdir_env_var": private, "exclude_slash_tmp": private,
	})
}

const privateTmp = "a launcher's /tmp is private, and always there"

// network opens the network if its key is true.
func (d *draft) network(key string, open any) {
	switch open {
	case true:
		d.set("network.mode", "host")
	case false:
	default:
		d.fault(key, open, "a boolean")
	}
}

// builtIn are the permission profiles of Codex's own, and the mode that each stands for.
var builtIn = map[string]string{
	":read-only": "read-only", ":workspace": "workspace-write", ":danger-full-access": "danger-full-access",
}

// permissions is a permission profile, built in or one of [permissions.NAME].
func (d *draft) permissions(chosen string, named map[string]any) {
	if mode := builtIn[chosen]; mode != "" {
		d.mode(mode, map[string]any{})
		return
	}
	if value, isThere := named[chosen]; isThere && !isTable(value) {
		d.fault("permissions."+chosen, value, "a table")
		return
	}
	if !isTable(named[chosen]) {
		d.leave("default_permissions = "+source.Quote(chosen), "there is no [permissions."+chosen+"]")
		return
	}
	d.set("project.access", "read")
	d.table("permissions."+chosen, named[chosen], noKey, readers{
		"extends":         (*draft).extends,
		"filesystem":      inner((*draft).access),
		"workspace_roots": inner((*draft).root),
		"network": func(d *draft, what string, value any) {
			d.table(what, value, noKey, readers{
				"enabled":      (*draft).network,
				"domains":      allowed((*draft).host),
				"unix_sockets": allowed((*draft).socketPath),
			})
		},
	})
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

// onlyAllowed is the reason for a row that allows nothing.
const onlyAllowed = "a profile lists what is allowed, and nothing else is"

// root is a directory that can be written to, if it is true.
func (d *draft) root(what, root string, on any) {
	switch on {
	case true:
		d.path(what+": "+root, root, "write")
	case false:
		d.leave(what+": "+root, onlyAllowed)
	default:
		d.fault(source.Join(what, root), on, "a boolean")
	}
}

// allowed reads the rows of a table that allow or deny what they name.
func allowed(read func(d *draft, what, name string)) func(*draft, string, any) {
	return inner(func(d *draft, what, name string, access any) {
		_, isText := access.(string)
		switch {
		case !isText:
			d.fault(source.Join(what, name), access, "a string")
		case access == "allow":
			read(d, what, name)
		default:
			d.leave(what+": "+name, onlyAllowed)
		}
	})
}

// unknownAccess is the reason for an access that is none of Codex's.
const unknownAccess = "it is no access that is known"

// kindOf returns what an access of a permission profile means here; empty: it is unknown.
func (d *draft) kindOf(key string, access any) string {
	text, isText := access.(string)
	if !isText {
		d.fault(key, access, "a string")
	}
	return map[string]string{"read": "read", "write": "write", "deny": "hide", "none": "hide"}[text]
}

// access reads a row of [permissions.NAME.filesystem]: a path, a special name, or a
// table of names below it.
func (d *draft) access(what, path string, access any) {
	name := what + ": " + path + " = " + short(access)
	isProject := slices.Contains([]string{":workspace_roots", ":project_roots", ":cwd"}, path)
	isTmp := slices.Contains([]string{":tmpdir", ":slash_tmp"}, path)
	isShown := slices.Contains([]string{":root", ":minimal"}, path)
	if isProject && isTable(access) {
		for below, access := range entries(access) {
			kind := d.kindOf(source.Join(source.Join(what, path), below), access)
			d.below(what+"."+path+": "+below+" = "+short(access), below, kind)
		}
		return
	}
	if isTable(access) {
		d.leave(name, "only names below the project are patterns")
		return
	}
	switch kind := d.kindOf(source.Join(what, path), access); {
	case isProject:
		d.below(name, ".", kind)
	case kind == "":
		d.leave(name, unknownAccess)
	case isShown && kind == "read": // base shows it
	case isTmp && kind != "hide":
		d.differ(name, privateTmp)
	case strings.HasPrefix(path, ":"):
		d.leave(name, noKey)
	default:
		d.path(name, path, kind)
	}
}

// below is the access to the project as a whole, or to a name below it.
func (d *draft) below(what, name, kind string) {
	switch {
	case kind == "":
		d.leave(what, unknownAccess)
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

// shellEnvironment is [shell_environment_policy].
func (d *draft) shellEnvironment(table map[string]any) {
	d.table("shell_environment_policy", table, "a launcher passes on what is listed in environment.pass, and nothing else", readers{
		"set":          (*draft).variables,
		"include_only": each(func(d *draft, _, name string) { d.add("environment.pass", name) }),
	})
	if table["inherit"] == nil && table["include_only"] == nil {
		d.differ("the caller's variables", "a launcher passes on those that are listed")
	}
}
