package adopt

import (
	"fmt"
	"slices"
	"strings"

	"bwrapgen/gen/catalogue"
	"bwrapgen/gen/expr"
)

// draft is a profile that is being put together.
type draft struct {
	from   string // the file's name, without its directory
	format string // what it is
	tools  catalogue.Catalogue
	tables []value
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
func (d *draft) leave(what, why string) {
	if n := (note{what, why}); !slices.Contains(d.left, n) {
		d.left = append(d.left, n)
	}
}

// differ notes what the launcher does in another way.
func (d *draft) differ(what, why string) {
	if n := (note{what, why}); !slices.Contains(d.other, n) {
		d.other = append(d.other, n)
	}
}

// set gives a key a scalar.
func (d *draft) set(key, text string) {
	d.unset(key)
	d.tables = append(d.tables, value{key: key, items: []item{{text: quote(text)}}})
}

// none gives a key an empty list.
func (d *draft) none(key string) {
	d.tables = append(d.tables, value{key: key, items: []item{{text: "[]"}}})
}

func (d *draft) unset(key string) {
	d.tables = slices.DeleteFunc(d.tables, func(v value) bool { return v.key == key })
}

// add puts an entry into a list, once.
func (d *draft) add(key, text, why string) {
	i := slices.IndexFunc(d.tables, func(v value) bool { return v.key == key })
	if i < 0 {
		d.tables = append(d.tables, value{key: key, list: true})
		i = len(d.tables) - 1
	}
	v := &d.tables[i]
	if !slices.ContainsFunc(v.items, func(one item) bool { return one.text == text }) {
		v.items = append(v.items, item{text, why})
	}
}

// pair puts NAME = VALUE into a table that is a key's value.
func (d *draft) pair(key, name, text string) {
	d.add(key, quote(name)+" = "+quote(text), "")
}

// has reports whether a key has a value, or an entry of that text.
func (d *draft) has(key, text string) bool {
	return slices.ContainsFunc(d.tables, func(v value) bool {
		return v.key == key && slices.ContainsFunc(v.items, func(one item) bool { return text == "" || one.text == text })
	})
}

// take takes the entry out that is a line of the text.
func (v *value) take(line string) bool {
	i := slices.IndexFunc(v.items, func(one item) bool { return v.line(one) == line || v.only(one) == line })
	if i < 0 {
		return false
	}
	v.items = slices.Delete(v.items, i, i+1)
	return true
}

// line is an entry of a list as it is written.
func (v *value) line(one item) string {
	text := one.text + ","
	if v.pairs() {
		text = one.text
	}
	if one.why != "" {
		text += " # " + oneLine(one.why)
	}
	return text
}

// only is a scalar as it is written.
func (v *value) only(one item) string {
	_, name, _ := strings.Cut(v.key, ".")
	if name == "" {
		name = v.key
	}
	return name + " = " + one.text
}

// pairs reports whether the value is a table of its own.
func (v *value) pairs() bool { return v.key == "environment.set" || v.key == "filesystem.link" }

// order is that of the tables in a profile.
var order = []string{
	"", "project", "filesystem", "home", "tmp", "toolchains", "caches", "environment", "network", "sockets", "terminal", "kernel", "drop.project",
}

func tableOf(key string) string {
	if i := strings.LastIndexByte(key, '.'); i >= 0 {
		return key[:i]
	}
	return ""
}

// render writes the profile.
func (d *draft) render() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Made by bwrapgen import of %s, %s.\n", oneLine(d.from), d.format)
	d.notes(&b, "What it asks for and no profile can say:", d.left)
	d.notes(&b, "What the launcher does in another way:", d.other)
	for _, table := range order {
		d.table(&b, table)
	}
	return []byte(b.String())
}

func (d *draft) notes(b *strings.Builder, title string, notes []note) {
	if len(notes) == 0 {
		return
	}
	fmt.Fprintf(b, "#\n# %s\n", title)
	for _, n := range notes {
		fmt.Fprintf(b, "#   %s\n#     %s\n", oneLine(n.what), oneLine(n.why))
	}
}

func (d *draft) table(b *strings.Builder, table string) {
	begun := false
	for _, pairs := range []bool{false, true} {
		for _, v := range d.tables {
			if tableOf(v.key) != table || len(v.items) == 0 || v.pairs() != pairs {
				continue
			}
			switch {
			case pairs:
				fmt.Fprintf(b, "\n[%s]\n", v.key)
			case !begun && table == "":
				b.WriteString("\n")
			case !begun:
				fmt.Fprintf(b, "\n[%s]\n", table)
			}
			begun = true
			v.write(b)
		}
	}
}

func (v *value) write(b *strings.Builder) {
	name := v.key[strings.LastIndexByte(v.key, '.')+1:]
	switch {
	case v.pairs():
		for _, one := range v.items {
			fmt.Fprintln(b, v.line(one))
		}
	case v.list:
		fmt.Fprintf(b, "%s = [\n", name)
		for _, one := range v.items {
			fmt.Fprintf(b, "  %s\n", v.line(one))
		}
		b.WriteString("]\n")
	default:
		fmt.Fprintf(b, "%s = %s\n", name, v.items[0].text)
	}
}

// entry is a path as a profile lists it.
type entry struct {
	path, at string
	optional bool
	why      string // the author's; a profile wants one where a secret is shown
	comment  string
}

// imported is the reason for a secret that the source shows by its own path.
const imported = "imported: the source shows it"

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
	var below []string
	for _, s := range d.tools.Hidden() {
		if !s.Path.Usual().Below(top.Usual()) {
			continue
		}
		if strings.ContainsAny(s.Path.String(), "*?[") {
			return "a launcher refuses it for the secrets in it, as " + s.Path.String() + ": list what is needed of it"
		}
		below = append(below, s.Path.String())
	}
	if len(below) > maxHidden {
		return fmt.Sprintf("a launcher refuses it for the secrets in it, as %s: list what is needed of it", below[0])
	}
	for _, s := range d.tools.Configs() {
		if key == "filesystem.write" && s.Path.Usual().Below(top.Usual()) {
			return "a launcher refuses it for the settings in it, which name programs, as " + s.Path.String() + ": list what is needed of it"
		}
	}
	for _, path := range below {
		d.differ("secrets below "+directory, "hidden; to show one, list its own path with a reason")
		d.add("filesystem.hide", quote(path+"?"), "")
	}
	return ""
}

// settle takes out of what is hidden around others what the source shows itself.
func (d *draft) settle() {
	shown := map[string]bool{}
	for _, v := range d.tables {
		if v.key == "filesystem.read" || v.key == "filesystem.write" || v.key == "filesystem.overlay" {
			for _, one := range v.items {
				path, _, _ := strings.Cut(strings.TrimPrefix(one.text, "{ path = "), ",")
				shown[strings.TrimSuffix(strings.Trim(path, `"`), "?")] = true
			}
		}
	}
	for i := range d.tables {
		if d.tables[i].key == "filesystem.hide" {
			d.tables[i].items = slices.DeleteFunc(d.tables[i].items, func(one item) bool {
				return shown[strings.TrimSuffix(strings.Trim(one.text, `"`), "?")]
			})
		}
	}
}

// show lists a path. A profile names secrets and sockets with a reason, so one is given.
func (d *draft) show(key string, e entry) {
	if e.at == e.path {
		e.at = ""
	}
	if e.why == "" && d.sensitive(key, e.path) {
		e.why = imported
	}
	if e.why == "" && e.at == "" {
		if why := d.around(key, e.path); why != "" {
			d.leave(key+": "+e.path, why)
			return
		}
	}
	if e.at == "" && e.why == "" {
		text := literal(e.path)
		if e.optional {
			text += "?"
		}
		d.add(key, quote(text), e.comment)
		return
	}
	text := "{ path = " + quote(literal(e.path))
	if e.at != "" {
		text += ", at = " + quote(literal(e.at))
	}
	if e.optional {
		text += ", optional = true"
	}
	if e.why != "" {
		text += ", why = " + quote(e.why)
	}
	d.add(key, text+" }", e.comment)
}

// literal is a path as a profile writes it: . is ./
func literal(path string) string {
	if path == "." {
		return "./"
	}
	return path
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
		return s.Path.Equal(p) || s.Path.Usual().Equal(p.Usual()) || p.Usual().Below(s.Path.Usual())
	})
}

// quote writes a text as TOML does.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"', c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c < ' ', c == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// oneLine is a text that can stand in a comment.
func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, text)
}
