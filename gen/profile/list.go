package profile

import (
	"slices"
	"strconv"

	"bwrapgen/gen/source"
)

// texts reads a list of texts, each checked; what is wrong is left out.
func (r *reader) texts(f field, key string, value any) []Item {
	list, ok := value.([]any)
	if !ok {
		r.fail(key, wrongType(value, "a list", lastPart(key)+` = ["..."]`))
		return nil
	}
	items := []Item{}
	for i, v := range list {
		at := key + source.Index(i)
		text, ok := v.(string)
		if number, is := v.(int64); is && f.numbers {
			text, ok = strconv.FormatInt(number, 10), true
		}
		if !ok {
			r.fail(at, wrongType(v, "a text", `["..."]`))
			continue
		}
		if f.check != nil {
			if bad := f.check(text); bad.What != "" {
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
		if source.Nearest(text, useNames()) == "" {
			bad.Hint = `or a list of names: use = ["go", "node"]`
		}
		r.fail(f.key, bad)
		return false
	}
	*to = Use{Kind: kind}
	return true
}
