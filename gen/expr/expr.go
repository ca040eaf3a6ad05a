// Package expr knows the paths that a profile and the catalogue may name.
//
// A path is a text or an expression of a closed grammar that bash evaluates at
// launch; no command substitution can be expressed. The package is pure: it
// neither reads the environment nor touches the file system.
//
//	/usr/local/go                      absolute
//	~/go/pkg/mod                       below the home directory
//	./node_modules                     below the project
//	$XDG_RUNTIME_DIR/bus               below a variable; absent without it
//	${CARGO_HOME:-~/.cargo}/registry   a variable, or else another path
//
// Defaults nest: ${GOMODCACHE:-${GOPATH:-~/go}/pkg/mod}. A variable that is
// empty or not absolute counts as unset, as the XDG base directory
// specification asks for its own ("must be absolute ... should consider the
// path invalid and ignore it"). So does one that names the root.
package expr

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// Base says what the rest of a Path is appended to.
type Base uint8

// The bases of a path.
const (
	None     Base = iota // the zero Path: no path at all
	Root                 // an absolute path
	Home                 // ~
	Project              // .
	Variable             // $NAME or ${NAME:-default}
)

// Path is one parsed path expression. The zero value is no path. Paths are
// compared with Equal or by String.
type Path struct {
	Base    Base
	Name    string // of the variable, for Variable
	Default *Path  // used where the variable is unset; nil: no path then
	Rest    string // clean, begins with "/" or is empty; never "/" but for Root
}

// Join appends rest, which is relative or begins with a slash, and cleans the
// result. It refuses a rest that climbs above the base.
func (p Path) Join(rest string) (Path, error) {
	isApart := strings.HasPrefix(rest+"/", "/")
	all := p.Rest + "/" + rest
	switch {
	case p.Base == Variable && !isApart:
		return Path{}, fmt.Errorf("has text right behind a variable; a slash is missing")
	case !filepath.IsLocal("." + all):
		return Path{}, fmt.Errorf("climbs above its beginning with ..")
	}
	return p.at(path.Clean(all)), nil
}

// at is p with another rest, which is clean and begins with a slash.
func (p Path) at(rest string) Path {
	if p.Base != Root {
		rest = strings.TrimSuffix(rest, "/")
	}
	p.Rest = rest
	return p
}

// IsZero reports whether p is no path.
func (p Path) IsZero() bool { return p.Base == None }

// Equal reports whether both are the same expression.
func (p Path) Equal(q Path) bool { return p.Rest == q.Rest && p.sameBase(q) }

// Below reports whether p continues another expression.
func (p Path) Below(top Path) bool {
	return continues(p.Rest, top.Rest) && p.sameBase(top)
}

// Within reports whether p is another expression or continues it.
func (p Path) Within(top Path) bool { return p.Equal(top) || p.Below(top) }

// Below reports whether an absolute path lies below another one.
func Below(at, top string) bool {
	switch top {
	case "", at:
		return false
	}
	return continues(at, top)
}

// continues reports whether a path is another one with a slash and more behind it.
func continues(at, top string) bool {
	top = strings.TrimSuffix(top, "/")
	if !strings.HasPrefix(at, top) {
		return false
	}
	return strings.HasPrefix(at[len(top):], "/")
}

// Within reports whether an absolute path is another one or lies below it.
func Within(at, top string) bool {
	if at == top {
		return at != ""
	}
	return Below(at, top)
}

func (p Path) sameBase(q Path) bool {
	p.Rest, q.Rest = "", ""
	return p.Base == q.Base && p.String() == q.String()
}

// Above lists the expressions that p continues, the longest first.
func (p Path) Above() []Path {
	var all []Path
	for len(p.Rest) > 1 {
		p = p.at(path.Dir(p.Rest))
		all = append(all, p)
	}
	return all
}

// String prints the expression in the form that Parse reads.
func (p Path) String() string {
	switch p.Base {
	case Root:
		return p.Rest
	case Home:
		return "~" + p.Rest
	case Project:
		return "." + p.Rest
	case Variable:
		if p.Default == nil {
			return "$" + p.Name + p.Rest
		}
		return "${" + p.Name + ":-" + p.Default.String() + "}" + p.Rest
	}
	return ""
}

// MarshalText prints the expression.
func (p Path) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses an expression.
func (p *Path) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return fmt.Errorf("%q %v", text, err)
	}
	*p = parsed
	return nil
}

// Variables lists the variables that the value depends on, outermost first.
func (p Path) Variables() []string {
	if p.Base != Variable {
		return nil
	}
	names := []string{p.Name}
	if p.Default != nil {
		names = append(names, p.Default.Variables()...)
	}
	return names
}

// Env is what an expression is evaluated against.
type Env struct {
	Home    string            // absolute
	Project string            // absolute, or empty where there is none
	Lookup  map[string]string // variables; what is no place counts as unset
}

// IsPlace reports whether a variable of this value relocates what lies below it:
// it is absolute, and names more than the root.
func IsPlace(value string) bool { return path.IsAbs(value) && strings.Trim(value, "/.") != "" }

// Eval gives the absolute path, or false where a variable without a default is
// unset or there is no project.
func (p Path) Eval(env Env) (string, bool) {
	var base string
	switch p.Base {
	case Root:
		return p.Rest, true
	case Home:
		base = env.Home
	case Project:
		base = env.Project
	case Variable:
		base = env.Lookup[p.Name]
		if !IsPlace(base) {
			base = ""
		}
		if base == "" && p.Default != nil {
			base, _ = p.Default.Eval(env)
		}
	}
	if base == "" {
		return "", false
	}
	return path.Clean(base + p.Rest), true
}

// Usual is the expression without its variables: where the path is as long as
// nobody moves it. A variable without a default stays.
func (p Path) Usual() Path {
	for p.Base == Variable && p.Default != nil {
		rest := p.Rest
		p = *p.Default
		p.Rest = strings.TrimSuffix(p.Rest, "/") + rest
	}
	return p
}

// Matches reports whether a path has the names of a pattern, in which * stands for any
// text of one name, ? for a character and [...] for one of some. As in a shell, neither
// stands for a dot at the beginning of a name.
func Matches(pattern, name string) bool {
	patterns, names := strings.Split(pattern, "/"), strings.Split(name, "/")
	if len(patterns) != len(names) {
		return false
	}
	for i, p := range patterns {
		ok, _ := path.Match(strings.ReplaceAll(p, "[!", "[^"), names[i])
		isHidden := strings.HasPrefix(names[i], ".") && !strings.HasPrefix(p, ".")
		if !ok || isHidden {
			return false
		}
	}
	return true
}
