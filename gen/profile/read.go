package profile

import (
	"encoding"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bwrapgen/gen/expr"
)

// reader applies one document to the profile that its parents made.
type reader struct {
	document
	into    *Profile
	dropped map[string]bool // what earlier documents dropped
	report  func(Origin, fault)
	places  map[string]Origin // of the document's own entries
	shapes  map[string]Entry
}

// fail reports a fault at a key.
func (r *reader) fail(key string, f fault) { r.report(r.origin(key), f) }

// read applies every key of the document, in the order of the schema, and
// reports the keys that the schema does not know.
func (r *reader) read() {
	r.shapes = map[string]Entry{}
	known := fields(r.into)
	for _, f := range known {
		if value, ok := lookup(r.raw, f.key); ok {
			r.field(f, value)
		}
	}
	r.narrowNetwork()
	r.unknown(Keys())
	r.rules()
}

// lookup finds the value of a key of at most two parts.
func lookup(raw map[string]any, key string) (any, bool) {
	table, rest, nested := strings.Cut(key, ".")
	value, ok := raw[table]
	if !nested {
		return value, ok
	}
	inner, isTable := value.(map[string]any)
	if !isTable {
		return nil, false
	}
	value, ok = inner[rest]
	return value, ok
}

// unknown reports what is not in the schema, each table once.
func (r *reader) unknown(known []string) {
	for _, name := range r.keys(r.raw, "") {
		value := r.raw[name]
		table, isTable := value.(map[string]any)
		key := join("", name)
		switch {
		case name == "extends" || name == "drop" || slices.Contains(known, key):
		case slices.Contains(tables(), name) && isTable:
			r.unknownIn(name, table, known)
		case slices.Contains(tables(), name):
			r.fail(name, wrongType(value, "a table", "["+name+"]"))
		case isTable:
			r.fail(key, unknownTable(name, tables()))
		default:
			r.fail(key, unknownKey(key, append(slices.Clone(known), "extends")))
		}
	}
}

func (r *reader) unknownIn(table string, values map[string]any, known []string) {
	for _, name := range r.keys(values, table) {
		_, isTable := values[name].(map[string]any)
		key := join(table, name)
		if !slices.Contains(known, key) && !(table == "caches" && isTable) {
			r.fail(key, unknownKey(key, known))
		}
	}
}

// rules reads the tables [caches.NAME].
func (r *reader) rules() {
	caches, _ := r.raw["caches"].(map[string]any)
	for _, name := range r.keys(caches, "caches") {
		values, ok := caches[name].(map[string]any)
		key := join("caches", name)
		if !ok || len(values) == 0 || slices.Contains(Keys(), key) {
			continue
		}
		if f := checkTool(name); f.what != "" {
			r.fail(key, f)
			continue
		}
		r.rule(name, key, values)
	}
}

func (r *reader) rule(name, key string, values map[string]any) {
	tools := maps.Clone(r.into.Caches.Tools)
	if tools == nil {
		tools = map[string]CacheRule{}
	}
	rule := tools[name]
	var known []string
	for _, f := range ruleFields(key, &rule) {
		known = append(known, f.key)
		if value, ok := values[strings.TrimPrefix(f.key, key+".")]; ok {
			r.field(f, value)
		}
	}
	for _, inner := range r.keys(values, key) {
		if !slices.Contains(known, join(key, inner)) {
			r.fail(join(key, inner), unknownKey(join(key, inner), known))
		}
	}
	tools[name] = rule
	r.into.Caches.Tools = tools
}

// field reads one value and, where it is right, puts or merges it.
func (r *reader) field(f field, value any) {
	switch to := f.to.(type) {
	case *[]Item:
		r.items(f, to, value)
	case *[]Entry:
		r.entries(f, to, value)
	case *[]Link:
		r.links(f, value)
	case *[]Variable:
		r.variables(f, to, value)
	default:
		if r.scalar(f, value) {
			r.into.Origins[f.key] = r.origin(f.key)
		}
	}
}

// scalar reads a value that replaces the inherited one.
func (r *reader) scalar(f field, value any) bool {
	switch to := f.to.(type) {
	case *[]string:
		return r.command(f, to, value)
	case *bool:
		b, ok := value.(bool)
		if !ok {
			r.fail(f.key, wrongType(value, "true or false", lastPart(f.key)+" = true"))
			return false
		}
		*to = b
		return true
	case *int:
		return r.count(f, to, value)
	case *time.Duration:
		return r.duration(f, to, value)
	case *Size:
		return r.size(f, to, value)
	case *Use:
		return r.use(f, to, value)
	}
	text, ok := value.(string)
	if !ok {
		r.fail(f.key, wrongType(value, "a text", lastPart(f.key)+` = "..."`))
		return false
	}
	return r.text(f, text)
}

func (r *reader) text(f field, text string) bool {
	switch to := f.to.(type) {
	case *string:
		if bad := f.check(text); bad.what != "" {
			r.fail(f.key, bad)
			return false
		}
		*to = text
		return true
	case *expr.Path:
		return r.place(f.key, to, text)
	case *Root:
		return r.root(f.key, to, text)
	}
	err := f.to.(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
	var foreign notInSet
	if errors.As(err, &foreign) {
		r.fail(f.key, notOneOf(err, foreign.names, text))
	}
	return err == nil
}

func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// texts reads a list of texts, each checked; what is wrong is left out.
func (r *reader) texts(f field, key string, value any) []Item {
	list, ok := value.([]any)
	if !ok {
		r.fail(key, wrongType(value, "a list", lastPart(key)+` = ["..."]`))
		return nil
	}
	items := []Item{}
	for i, v := range list {
		at := key + index(i)
		text, ok := v.(string)
		if !ok {
			r.fail(at, wrongType(v, "a text", `["..."]`))
			continue
		}
		if f.check != nil {
			if bad := f.check(text); bad.what != "" {
				r.fail(at, bad)
				continue
			}
		}
		items = append(items, Item{text, r.origin(at)})
	}
	return items
}

func (r *reader) items(f field, to *[]Item, value any) {
	items := r.texts(f, f.key, value)
	for i := range items {
		if f.key != "toolchains.files" {
			break
		}
		if r.builtin {
			r.fail(items[i].Origin.Key, fileInBuiltin(items[i].Text))
		}
		items[i].Text = r.relative(items[i].Text)
	}
	*to = merged(*to, items)
}

// merged appends what is not there yet.
func merged(old, more []Item) []Item {
	all := slices.Clone(old)
	for _, item := range more {
		if !slices.ContainsFunc(all, func(o Item) bool { return o.Text == item.Text }) {
			all = append(all, item)
		}
	}
	return all
}

func (r *reader) command(f field, to *[]string, value any) bool {
	items := r.texts(f, f.key, value)
	if items == nil {
		return false
	}
	if len(items) > 0 && items[0].Text == "" {
		r.fail(items[0].Origin.Key, emptyCommand())
		return false
	}
	*to = nil
	for _, item := range items {
		*to = append(*to, item.Text)
	}
	return true
}

// use reads "project", "host" or names; names join inherited ones.
func (r *reader) use(f field, to *Use, value any) bool {
	text, ok := value.(string)
	if !ok {
		if _, isList := value.([]any); !isList {
			r.fail(f.key, wrongType(value, "a text or a list", `use = "project", or use = ["go", "node"]`))
			return false
		}
		names := r.texts(f, f.key, value)
		*to = Use{UseNames, merged(to.Names, names)}
		return true
	}
	var kind UseKind
	if err := useNames().set((*uint8)(&kind), []byte(text)); err != nil {
		bad := notOneOf(err, useNames(), text)
		if nearest(text, useNames()) == "" {
			bad.hint = `or a list of names: use = ["go", "node"]`
		}
		r.fail(f.key, bad)
		return false
	}
	*to = Use{Kind: kind}
	return true
}

func (r *reader) count(f field, to *int, value any) bool {
	n, ok := value.(int64)
	switch {
	case !ok:
		r.fail(f.key, wrongType(value, "a whole number", lastPart(f.key)+" = 100"))
	case n < 0:
		r.fail(f.key, tooSmall(strconv.FormatInt(n, 10), "0", "0"))
	case n > math.MaxInt32:
		r.fail(f.key, tooMany(strconv.FormatInt(n, 10)))
	default:
		*to = int(n)
		return true
	}
	return false
}

// quantity gives the text of a value that is a text or a whole number, and
// whether it is a value at all; "" stands for none where the field allows it.
func (r *reader) quantity(f field, value any, example string) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	}
	r.fail(f.key, wrongType(value, "a text", lastPart(f.key)+" = "+example))
	return "", false
}

func (r *reader) duration(f field, to *time.Duration, value any) bool {
	text, ok := r.quantity(f, value, `"120s"`)
	if !ok {
		return false
	}
	if text == "" && f.none {
		*to = 0
		return true
	}
	d, err := ParseDuration(text)
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "longer"):
		r.fail(f.key, tooLong(text))
	case err != nil:
		r.fail(f.key, badDuration(text))
	case d < time.Duration(f.least)*time.Second:
		r.fail(f.key, tooSmall(strconv.Quote(text), "1s", noneHint(f)))
	default:
		*to = d
		return true
	}
	return false
}

func (r *reader) size(f field, to *Size, value any) bool {
	text, ok := r.quantity(f, value, `"30KiB"`)
	if !ok {
		return false
	}
	if text == "" && f.none {
		*to = 0
		return true
	}
	size, err := ParseSize(text)
	switch {
	case err != nil:
		r.fail(f.key, badSize(text))
	case int64(size) < f.least:
		r.fail(f.key, tooSmall(strconv.Quote(text), Size(f.least).String(), noneHint(f)))
	default:
		*to = size
		return true
	}
	return false
}

func noneHint(f field) string {
	if f.none {
		return `""`
	}
	return ""
}

// narrowNetwork forgets inherited hosts where the document chooses another
// mode without naming hosts: a child overrides its parent.
func (r *reader) narrowNetwork() {
	_, mode := lookup(r.raw, "network.mode")
	_, hosts := lookup(r.raw, "network.allow")
	if mode && !hosts && r.into.Network.Mode != NetworkAllow {
		r.into.Network.Allow = nil
	}
}
