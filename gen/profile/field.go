package profile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

// field is one key of the schema, or of a table in one line, with all that is to be known
// of its value.
type field struct {
	key   string
	kind  string         // of the value, for people: "a list of texts"
	shape map[string]any // of the value, in JSON Schema
	words []string       // of a closed set

	// read takes the value over, or reports what is wrong with it. It is true for a value
	// that is right and replaces the inherited one; elements of lists are merged.
	read func(r *reader, key string, value any) bool

	text     func() string                      // the value in TOML, in one line; of a list, nothing
	elements func() []element                   // of a list or table
	braces   bool                               // of a table
	drop     func(text string, d document) bool // takes an element out, if there is one; nil: nothing can be dropped
}

// wrong is a problem at a place that the caller knows.
func wrong(hint, what string, args ...any) problem.Problem {
	return problem.New(fmt.Sprintf(what, args...), hint)
}

func wrongType(got any, want, example string) problem.Problem {
	return wrong("write "+example, "not %s but %s", want, source.TypeName(got))
}

// single is a field whose value replaces the inherited one.
func single(key, kind string, shape map[string]any, put func(value any) problem.Problem, text func() string) field {
	read := func(r *reader, at string, value any) bool {
		bad := put(value)
		if bad.What != "" {
			r.fail(at, bad)
		}
		return bad.What == ""
	}
	return field{key: key, kind: kind, shape: shape, read: read, text: text}
}

// textual is a field whose value is written as a text.
func textual(key, kind string, put func(text string) problem.Problem, text func() string) field {
	read := func(value any) problem.Problem {
		text, ok := value.(string)
		if !ok {
			return wrongType(value, "a text", lastPart(key)+` = "..."`)
		}
		return put(text)
	}
	return single(key, kind, typed("string"), read, func() string { return source.Quote(text()) })
}

func text(key string, to *string, check check) field {
	put := func(text string) problem.Problem {
		bad := check(text)
		if bad.What == "" {
			*to = text
		}
		return bad
	}
	return textual(key, "a text", put, func() string { return *to })
}

// choice is one of a closed set of texts.
func choice[T ~string](key string, to *T, values ...T) field {
	var words []string
	for _, v := range values {
		words = append(words, string(v))
	}
	put := func(text string) problem.Problem {
		if !slices.Contains(words, text) {
			return notOneOf(words, text)
		}
		*to = T(text)
		return problem.Problem{}
	}
	f := textual(key, quotedOr(words), put, func() string { return string(*to) })
	f.words, f.shape = words, map[string]any{"enum": words}
	return f
}

func notOneOf(known []string, text string) problem.Problem {
	hint := "write one of these"
	if near := source.Nearest(text, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return wrong(hint, "not one of %s: %q", strings.Join(known, ", "), text)
}

func flag(key string, to *bool) field {
	put := func(value any) problem.Problem {
		b, ok := value.(bool)
		if !ok {
			return wrongType(value, "true or false", lastPart(key)+" = true")
		}
		*to = b
		return problem.Problem{}
	}
	return single(key, "true or false", typed("boolean"), put, func() string { return strconv.FormatBool(*to) })
}

func count(key string, to *int) field {
	put := func(value any) problem.Problem {
		n, ok := value.(int64)
		switch {
		case !ok:
			return wrongType(value, "a whole number", lastPart(key)+" = 100")
		case n < 0:
			return wrong("for no limit, write 0", "less than 0: %d", n)
		case n > math.MaxInt32:
			return wrong("for no limit, write 0", "too large: %d", n)
		}
		*to = int(n)
		return problem.Problem{}
	}
	shape := map[string]any{"type": "integer", "minimum": 0}
	return single(key, "a number", shape, put, func() string { return strconv.Itoa(*to) })
}

// duration is a time of a second or more; where it may be none, an empty text is no limit.
func duration(key string, to *time.Duration, mayBeNone bool) field {
	return bound[time.Duration]{"a time", `"120s"`, time.Second, mayBeNone, parseDuration, formatDuration}.field(key, to)
}

// size is a number of bytes, or an empty text for no limit.
func size(key string, to *Size, least Size) field {
	return bound[Size]{"a size", `"30KiB"`, least, true, parseSize, Size.String}.field(key, to)
}

// bound is a number, or a text that may have a unit.
type bound[T ~int64] struct {
	kind, example string
	least         T
	mayBeNone     bool
	parse         func(text string) (T, problem.Problem)
	print         func(T) string
}

func (b bound[T]) field(key string, to *T) field {
	least := b.print(b.least)
	hint := "write " + least + " or more"
	if b.mayBeNone {
		hint = `for no limit, write ""`
	}
	put := func(value any) problem.Problem {
		text, ok := value.(string)
		if n, isNumber := value.(int64); isNumber {
			text, ok = strconv.FormatInt(n, 10), true
		}
		switch {
		case !ok:
			return wrongType(value, "a text", lastPart(key)+" = "+b.example)
		case text == "" && b.mayBeNone:
			*to = 0
			return problem.Problem{}
		}
		n, bad := b.parse(text)
		switch {
		case bad.What != "":
			return bad
		case n < b.least:
			return wrong(hint, "less than %s: %q", least, text)
		}
		*to = n
		return problem.Problem{}
	}
	print := func() string {
		if *to == 0 {
			return `""`
		}
		return source.Quote(b.print(*to))
	}
	return single(key, b.kind, either(typed("string"), typed("integer")), put, print)
}

// inside is where project or home appear inside.
func inside(key string, to *expr.Path) field {
	put := func(text string) problem.Problem {
		if text == "" {
			*to = expr.Path{}
			return problem.Problem{}
		}
		p, bad := parse(text)
		isAbsolute := text[0] == '/'
		switch {
		case bad.What != "" && isAbsolute:
			return bad
		case bad.What != "", p.Base != expr.Root:
			return wrong(`a place inside begins with /; write "" for its own path`, "not an absolute path: %q", text)
		case SystemDirectory(p.Rest):
			return refusedPlace(text)
		}
		*to = p
		return problem.Problem{}
	}
	return pathText(key, to, put)
}

// pathText is a path, which put reads.
func pathText(key string, to *expr.Path, put func(text string) problem.Problem) field {
	return textual(key, "a path", put, func() string { return to.String() })
}

// root is "git", "cwd" or the path of the one project.
func root(key string, to *Root) field {
	put := func(text string) problem.Problem {
		if i := slices.Index(rootNames(), text); i >= 0 {
			*to = Root{Kind: RootKind(i)}
			return problem.Problem{}
		}
		p, bad := parse(text)
		isWord := bad.What != "" && !strings.ContainsAny(text, "/$~")
		isLiteral := strings.Contains(text, "*") || dollar(p)
		switch {
		case isWord, p.Base == expr.Project, bad.What == "" && isLiteral:
			return wrong("a path begins with /, ~/ or a variable", "not git, cwd or a path: %q", text)
		case bad.What != "":
			return bad
		case wide(p) != "":
			return wrong("home and system directories are never writable as a whole; name the project's own directory",
				"not a directory that can be a project: %q", text)
		}
		*to = Root{RootPath, p}
		return problem.Problem{}
	}
	f := textual(key, quotedOr(append(rootNames(), ""))+"a path", put, func() string {
		if to.Kind == RootPath {
			return to.Path.String()
		}
		return to.Kind.String()
	})
	f.words = rootNames()
	return f
}
