package profile

import (
	"encoding"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"bwrapgen/gen/expr"
)

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
		if bad := f.check(text); bad.What != "" {
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
