package expr

import (
	"fmt"
	"regexp"
	"strings"

	"bwrapgen/templates"
)

// Parse reads a path expression. It refuses an empty text, a NUL, a relative
// path, a "~user", a ".." that climbs above its base, and any use of "$" that
// is not in the grammar. The error is one sentence without the text itself.
func Parse(text string) (Path, error) {
	if strings.ContainsRune(text, 0) {
		return Path{}, fmt.Errorf("holds a NUL byte")
	}
	p, rest, err := parseBase(text)
	if err != nil {
		return Path{}, err
	}
	if p.Base == Variable && strings.Contains(rest, "$") {
		return Path{}, fmt.Errorf("has a variable that does not stand at its beginning")
	}
	return p.Join(rest)
}

// MustParse is Parse for paths that are part of the program.
func MustParse(text string) Path {
	p, err := Parse(text)
	if err != nil {
		panic(fmt.Sprintf("expr: %q %v", text, err))
	}
	return p
}

func parseBase(text string) (Path, string, error) {
	switch {
	case text == "":
		return Path{}, "", fmt.Errorf("is an empty path")
	case text[0] == '/':
		return Path{Base: Root}, text, nil
	case text == "~", strings.HasPrefix(text, "~/"):
		return Path{Base: Home}, text[1:], nil
	case text == ".", strings.HasPrefix(text, "./"):
		return Path{Base: Project}, text[1:], nil
	case text[0] == '$':
		return parseVariable(text[1:])
	case text[0] == '~':
		return Path{}, "", fmt.Errorf("names another user's home directory")
	}
	return Path{}, "", fmt.Errorf("is not an absolute path")
}

func parseVariable(text string) (Path, string, error) {
	if !strings.HasPrefix(text, "{") {
		n := name.FindString(text)
		if n == "" {
			return Path{}, "", fmt.Errorf("has a $ without a variable's name")
		}
		return Path{Base: Variable, Name: n}, text[len(n):], reserved(n)
	}
	body, rest, ok := cutBrace(text[1:])
	if !ok {
		return Path{}, "", fmt.Errorf("has a ${ without its }")
	}
	n := name.FindString(body)
	if n == "" {
		return Path{}, "", fmt.Errorf("has a ${ without a variable's name")
	}
	p := Path{Base: Variable, Name: n}
	if body == n || OfLauncher(n) {
		return p, rest, reserved(n)
	}
	fallback, ok := strings.CutPrefix(body[len(n):], ":-")
	if !ok {
		return Path{}, "", fmt.Errorf("has an expansion other than ${NAME} or ${NAME:-path}")
	}
	d, err := Parse(fallback)
	if err != nil {
		return Path{}, "", fmt.Errorf("has a default that %v", err)
	}
	p.Default = &d
	return p, rest, nil
}

// reserved refuses a variable that would mean the launcher's own.
func reserved(name string) error {
	if OfLauncher(name) {
		return fmt.Errorf("begins with a variable that the launcher has itself")
	}
	return nil
}

// OfLauncher reports whether the launcher may have a variable of this name: any
// word in lower case, of several words joined by _ those that a part of the
// engine has, and what begins as the policy's own do.
func OfLauncher(name string) bool {
	switch {
	case strings.HasPrefix(name, "filter_"), strings.HasPrefix(name, "at_"), templates.Mentions(name):
		return true
	}
	return lowerCase.MatchString(name)
}

var lowerCase = regexp.MustCompile(`^[a-z]+$`)

// cutBrace splits text at the brace that closes the one before it.
func cutBrace(text string) (body, rest string, ok bool) {
	depth := 1
	for i, c := range text {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return text[:i], text[i+1:], true
		}
	}
	return "", "", false
}

var name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
