package adopt

import (
	"cmp"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/profile"
	"bwrapgen/gen/source"
)

// draft is a profile that is being put together.
type draft struct {
	file   string // as the user named it
	from   string // the file's name, without its directory
	format string // what it is
	outer  string // of the keys that are read just now: the table around them
	faults problem.List
	tools  catalogue.Catalogue
	base   profile.Rules // of the profile base
	values []*value
	left   []note // what cannot be said
	other  []note // what is said, and is more or stricter than in the source
}

// value is one key, with a scalar or with a list.
type value struct {
	key   string
	list  bool
	items []item
}

// item is a scalar, or an entry of a list or of a table.
type item struct {
	name    string // in a table
	text    string // in TOML
	path    string // that is listed
	why     string // stands behind it, as a comment
	refused bool   // by the schema
}

// note is something of the source, and what became of it.
type note struct{ what, why string }

// leave notes what the profile cannot say.
func (d *draft) leave(what, why string) { d.left = with(d.left, note{what, why}) }

// differ notes what the launcher does in another way.
func (d *draft) differ(what, why string) { d.other = with(d.other, note{what, why}) }

func with(all []note, n note) []note {
	if slices.Contains(all, n) {
		return all
	}
	return append(all, n)
}

// set gives a key a scalar.
func (d *draft) set(key, text string) {
	d.unset(key)
	d.values = append(d.values, &value{key: key, items: []item{{text: source.Quote(text)}}})
}

func (d *draft) unset(key string) {
	d.values = slices.DeleteFunc(d.values, func(v *value) bool { return v.key == key })
}

// get is the value of a key; nil: it has none.
func (d *draft) get(key string) *value {
	for _, v := range d.values {
		if v.key == key {
			return v
		}
	}
	return nil
}

// has reports whether a key has a value.
func (d *draft) has(key string) bool {
	v := d.get(key)
	return v != nil && len(v.items) > 0
}

// add puts a text into a list, once.
func (d *draft) add(key, text string) { d.put(key, item{text: source.Quote(text)}) }

// addPath puts a path into a list, once.
func (d *draft) addPath(key, path string, optional bool) {
	d.put(key, entry{path: path, optional: optional}.item())
}

// pair puts NAME = VALUE into a table that is a key's value.
func (d *draft) pair(key, name, text string) { d.put(key, item{name: name, text: source.Quote(text)}) }

func (d *draft) put(key string, one item) {
	v := d.get(key)
	if v == nil {
		v = &value{key: key, list: true}
		d.values = append(d.values, v)
	}
	isSame := func(other item) bool { return other.name == one.name && (one.name != "" || other.text == one.text) }
	switch i := slices.IndexFunc(v.items, isSame); {
	case i < 0:
		v.items = append(v.items, one)
	case one.name != "": // the last one counts
		v.items[i] = one
	}
}

// refuse takes out what problems are about, which have its key path, and notes their reasons.
func (d *draft) refuse(wrong problem.List) {
	for _, one := range wrong {
		for _, v := range d.values {
			for i := range v.items {
				if at := v.at(i); one.Key == at || strings.HasPrefix(one.Key, at+".") {
					v.items[i].refused = true
					d.leave(v.key+": "+v.line(i), cmp.Or(one.What, "the schema refuses it"))
				}
			}
		}
	}
	for _, v := range d.values {
		v.items = slices.DeleteFunc(v.items, func(one item) bool { return one.refused })
	}
}

// at is the key path of an item.
func (v *value) at(i int) string {
	switch name := v.items[i].name; {
	case name != "":
		return source.Join(v.key, name)
	case v.list:
		return v.key + source.Index(i)
	}
	return v.key
}

// place is the table in which a value stands, and its name there; of a value that is a table
// of its own, that and nothing.
func (v *value) place() (table, name string) {
	dot := strings.LastIndexByte(v.key, '.')
	if v.items[0].name != "" {
		return v.key, ""
	}
	return v.key[:max(dot, 0)], v.key[dot+1:]
}

// line is an item as TOML; an element of a list without its comma.
func (v *value) line(i int) string {
	one := v.items[i]
	_, name := v.place()
	switch {
	case one.name != "":
		return source.Quote(one.name) + " = " + one.text
	case v.list:
		return one.text
	}
	return name + " = " + one.text
}

// lines are a value as TOML.
func (v *value) lines() []string {
	_, name := v.place()
	if !v.list {
		return []string{v.line(0)}
	}
	var lines []string
	for i, one := range v.items {
		line := v.line(i)
		if name != "" {
			line = "  " + line + ","
		}
		if one.why != "" {
			line += " # " + problem.OneLine(one.why)
		}
		lines = append(lines, line)
	}
	if name == "" {
		return lines
	}
	return slices.Concat([]string{name + " = ["}, lines, []string{"]"})
}

// tables are those in which the values of a draft stand, in the order of a profile.
var tables = []string{
	"", "project", "filesystem", "filesystem.link", "home", "toolchains", "environment", "environment.set",
	"network", "sockets", "terminal", "kernel",
}

// render writes the profile.
func (d *draft) render() []byte {
	lines := []string{"# Made by bwrapgen import of " + problem.OneLine(d.from) + ", " + d.format + "."}
	lines = append(lines, comments("What it asks for and no profile can say:", d.left)...)
	lines = append(lines, comments("What the launcher does in another way:", d.other)...)
	d.values = slices.DeleteFunc(d.values, func(v *value) bool { return len(v.items) == 0 })
	for _, table := range tables {
		title := []string{"", "[" + table + "]"}
		if table == "" {
			title = title[:1]
		}
		for _, v := range d.values {
			if in, _ := v.place(); in == table {
				lines = slices.Concat(lines, title, v.lines())
				title = nil
			}
		}
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// comments are notes at the top of a profile.
func comments(title string, notes []note) []string {
	if len(notes) == 0 {
		return nil
	}
	lines := []string{"#", "# " + title}
	for _, n := range notes {
		lines = append(lines, "#   "+problem.OneLine(n.what), "#     "+problem.OneLine(n.why))
	}
	return lines
}

// entry is a path as a profile lists it.
type entry struct {
	path, at string
	optional bool
	why      string // a profile wants one where a secret is shown
}

// item is the entry as TOML, the short form where it says all.
func (e entry) item() item {
	path := e.path
	if path == "." { // as a profile writes it
		path = "./"
	}
	if e.at+e.why != "" {
		text := "{ path = " + source.Quote(path)
		if e.at != "" {
			text += ", at = " + source.Quote(e.at)
		}
		if e.optional {
			text += ", optional = true"
		}
		if e.why != "" {
			text += ", why = " + source.Quote(e.why)
		}
		return item{path: e.path, text: text + " }"}
	}
	if e.optional {
		path += "?"
	}
	return item{path: e.path, text: source.Quote(path)}
}

// show lists a path. A profile names secrets and sockets with a reason, so one is given.
func (d *draft) show(key string, e entry) {
	if e.at == e.path {
		e.at = ""
	}
	if d.sensitive(key, e.path) {
		e.why = "imported: the source shows it"
	}
	if e.why == "" {
		if why := d.around(key, e); why != "" {
			if e.at == "" {
				why += d.instead(e.path)
			}
			d.leave(key+": "+e.path, why)
			return
		}
	}
	d.put(key, e.item())
}

// instead lists what the profile base shows below a directory that cannot be listed, such as the user's name
// and certificates in /etc, and says so.
func (d *draft) instead(directory string) string {
	top, err := expr.Parse(directory)
	if err != nil || d.has("extends") {
		return ""
	}
	said := ""
	for _, r := range d.base {
		if r.Kind == profile.KindRead && r.Path.Below(top) {
			d.addPath("filesystem.read", r.Path.String(), r.Optional)
			said = "; what the profile base shows of it is listed"
		}
	}
	return said
}

// sensitive reports whether a path is a device, or one that the catalogue knows to be
// a secret or a socket.
func (d *draft) sensitive(key, text string) bool {
	if strings.HasPrefix(text, "/dev/") {
		return true
	}
	p, err := expr.Parse(text)
	if err != nil {
		return false
	}
	all := d.tools.Hidden()
	if key == "filesystem.write" {
		all = slices.Concat(all, d.tools.Configs())
	}
	return slices.ContainsFunc(all, func(s catalogue.Secret) bool {
		return s.Path.Equal(p) || p.Usual().Within(s.Path.Usual())
	})
}

// maxHidden is how many secrets below a directory are hidden one by one. Below one that
// holds more, as ~/.config, a profile lists what is needed.
const maxHidden = 12

// around hides the secrets below a directory that is listed: a launcher would refuse to
// show it otherwise. It says why the directory cannot be listed at all, or nothing.
func (d *draft) around(key string, e entry) string {
	top, err := expr.Parse(e.path)
	if err != nil {
		return ""
	}
	secrets, configs := below(d.tools.Hidden(), top), below(d.tools.Configs(), top)
	refuses := func(what, example string) string {
		return "a launcher refuses it because of the " + what + ", such as " + example + ": list what is needed of it"
	}
	isPattern := func(path string) bool { return strings.ContainsAny(path, "*?[") }
	switch i := slices.IndexFunc(secrets, isPattern); {
	case i >= 0:
		return refuses("secrets in it", secrets[i])
	case len(secrets) > maxHidden, e.at != "" && len(secrets) > 0:
		return refuses("secrets in it", secrets[0])
	case key == "filesystem.write" && len(configs) > 0:
		return refuses("settings in it, which name programs", configs[0])
	}
	for _, path := range secrets {
		d.differ("secrets below "+e.path, "hidden; to show one, list its own path with a reason")
		d.addPath("filesystem.hide", path, true)
	}
	return ""
}

// below lists the paths of the catalogue that lie below a directory.
func below(all []catalogue.Secret, top expr.Path) []string {
	var paths []string
	for _, s := range all {
		if s.Path.Usual().Below(top.Usual()) {
			paths = append(paths, s.Path.String())
		}
	}
	return paths
}

// settle takes out of what is hidden around others what the source shows itself.
func (d *draft) settle() {
	isShown := func(hidden item) bool {
		return slices.ContainsFunc([]string{"filesystem.read", "filesystem.write", "filesystem.overlay"}, func(key string) bool {
			v := d.get(key)
			return v != nil && slices.ContainsFunc(v.items, func(one item) bool { return one.path == hidden.path })
		})
	}
	if hidden := d.get("filesystem.hide"); hidden != nil {
		hidden.items = slices.DeleteFunc(hidden.items, isShown)
	}
}
