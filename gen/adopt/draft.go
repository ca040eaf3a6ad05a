package adopt

import (
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// draft is a profile that is being put together.
type draft struct {
	from   string // the file's name, without its directory
	format string // what it is
	tools  catalogue.Catalogue
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

// item is one line of a profile: a scalar, or an entry of a list.
type item struct {
	text string
	why  string // stands behind it, as a comment
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

// none gives a key an empty list.
func (d *draft) none(key string) {
	d.values = append(d.values, &value{key: key, items: []item{{text: "[]"}}})
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

// pair puts NAME = VALUE into a table that is a key's value.
func (d *draft) pair(key, name, text string) {
	d.put(key, item{text: source.Quote(name) + " = " + source.Quote(text)})
}

func (d *draft) put(key string, one item) {
	v := d.get(key)
	if v == nil {
		v = &value{key: key, list: true}
		d.values = append(d.values, v)
	}
	if !slices.ContainsFunc(v.items, func(other item) bool { return other.text == one.text }) {
		v.items = append(v.items, one)
	}
}

func (v *value) remove(one item) {
	v.items = slices.DeleteFunc(v.items, func(other item) bool { return other == one })
}

// parts are the table that a key stands in, and its name there; of a key that is a table
// of its own, that and nothing.
func (v *value) parts() (table, name string) {
	i := strings.LastIndexByte(v.key, '.')
	if slices.Contains([]string{"environment.set", "filesystem.link"}, v.key) {
		i = len(v.key)
	}
	return v.key[:max(i, 0)], v.key[min(i+1, len(v.key)):]
}

// order is that of the tables in a profile.
var order = []string{
	"", "project", "filesystem", "filesystem.link", "home", "tmp", "toolchains", "caches", "environment", "environment.set",
	"network", "sockets", "terminal", "kernel", "drop.project",
}

// page is a profile as it is written, and which items stand in which lines.
type page struct {
	lines []string
	items map[int]placed
}

// placed is an item of a value.
type placed struct {
	value *value
	item  item
}

func (p *page) add(lines ...string) { p.lines = append(p.lines, lines...) }

// item writes a line, with the item's comment.
func (p *page) item(v *value, one item, text string) {
	if one.why != "" {
		text += " # " + problem.OneLine(one.why)
	}
	p.add(text)
	p.items[len(p.lines)] = placed{v, one}
}

// render writes the profile.
func (d *draft) render() page {
	p := page{items: map[int]placed{}}
	p.add("# Made by bwrapgen import of " + problem.OneLine(d.from) + ", " + d.format + ".")
	p.notes("What it asks for and no profile can say:", d.left)
	p.notes("What the launcher does in another way:", d.other)
	for _, table := range order {
		title := []string{"", "[" + table + "]"}
		if table == "" {
			title = title[:1]
		}
		for _, v := range d.values {
			if in, name := v.parts(); in == table && len(v.items) > 0 {
				p.add(title...)
				title = nil
				p.value(v, name)
			}
		}
	}
	return p
}

func (p *page) notes(title string, notes []note) {
	if len(notes) == 0 {
		return
	}
	p.add("#", "# "+title)
	for _, n := range notes {
		p.add("#   "+problem.OneLine(n.what), "#     "+problem.OneLine(n.why))
	}
}

func (p *page) value(v *value, name string) {
	switch {
	case name == "":
		for _, one := range v.items {
			p.item(v, one, one.text)
		}
	case !v.list:
		p.item(v, v.items[0], name+" = "+v.items[0].text)
	default:
		p.add(name + " = [")
		for _, one := range v.items {
			p.item(v, one, "  "+one.text+",")
		}
		p.add("]")
	}
}

// entry is a path as a profile lists it.
type entry struct {
	path, at string
	optional bool
	why      string // a profile wants one where a secret is shown
}

// String is the entry as TOML, the short form where it says all.
func (e entry) String() string {
	path := e.path
	if path == "." { // as a profile writes it
		path = "./"
	}
	if e.at+e.why == "" {
		if e.optional {
			path += "?"
		}
		return source.Quote(path)
	}
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
	return text + " }"
}

// show lists a path. A profile names secrets and sockets with a reason, so one is given.
func (d *draft) show(key string, e entry) {
	if e.at == e.path {
		e.at = ""
	}
	if d.sensitive(key, e.path) {
		e.why = "imported: the source shows it"
	}
	if e.at+e.why == "" {
		if why := d.around(key, e.path); why != "" {
			d.leave(key+": "+e.path, why)
			return
		}
	}
	d.put(key, item{text: e.String()})
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
func (d *draft) around(key, directory string) string {
	top, err := expr.Parse(directory)
	if err != nil {
		return ""
	}
	secrets, configs := below(d.tools.Hidden(), top), below(d.tools.Configs(), top)
	refuses := func(what, example string) string {
		return "a launcher refuses it for the " + what + ", as " + example + ": list what is needed of it"
	}
	isPattern := func(path string) bool { return strings.ContainsAny(path, "*?[") }
	switch i := slices.IndexFunc(secrets, isPattern); {
	case i >= 0:
		return refuses("secrets in it", secrets[i])
	case len(secrets) > maxHidden:
		return refuses("secrets in it", secrets[0])
	case key == "filesystem.write" && len(configs) > 0:
		return refuses("settings in it, which name programs", configs[0])
	}
	for _, path := range secrets {
		d.differ("secrets below "+directory, "hidden; to show one, list its own path with a reason")
		d.add("filesystem.hide", path+"?")
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
	plain := func(one item) string {
		path, _, _ := strings.Cut(strings.TrimPrefix(one.text, "{ path = "), ",")
		return strings.TrimSuffix(strings.Trim(path, `"`), "?")
	}
	shown := map[string]bool{}
	for _, key := range []string{"filesystem.read", "filesystem.write", "filesystem.overlay"} {
		if v := d.get(key); v != nil {
			for _, one := range v.items {
				shown[plain(one)] = true
			}
		}
	}
	if hidden := d.get("filesystem.hide"); hidden != nil {
		hidden.items = slices.DeleteFunc(hidden.items, func(one item) bool { return shown[plain(one)] })
	}
}
