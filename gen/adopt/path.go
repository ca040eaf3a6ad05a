package adopt

import (
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/lint/trace"
)

// based are the variables with which a profile's path may begin.
var based = map[string]string{
	"HOME": "~", "PWD": ".", "XDG_RUNTIME_DIR": "$XDG_RUNTIME_DIR", "XDG_CONFIG_HOME": "$XDG_CONFIG_HOME",
	"XDG_DATA_HOME": "$XDG_DATA_HOME", "XDG_CACHE_HOME": "$XDG_CACHE_HOME", "XDG_STATE_HOME": "$XDG_STATE_HOME",
}

// pathOf gives a word of a script as a path of a profile, or why there is none.
func pathOf(t trace.Text) (text, why string) {
	if len(t) == 0 {
		return "", "the path is empty"
	}
	rest := t
	switch first := t[0]; {
	case first.Name == "":
		text = first.Literal
		if text == "/run/user/" && len(t) > 1 && isUser(t[1], "UID", "EUID") {
			text, rest = "$XDG_RUNTIME_DIR", t[1:]
		}
		if text == "/home/" && len(t) > 1 && isUser(t[1], "USER", "LOGNAME") {
			text, rest = "~", t[1:]
		}
		if !strings.HasPrefix(text, "/") && text[0] != '$' && text[0] != '~' {
			text = "./" + text
		}
	case first.Inherited() && based[first.Name] != "":
		text = based[first.Name]
	case first.Name == "(git)", slices.ContainsFunc(first.Either, isHere):
		text = "."
	case first.Inherited() && first.Default != nil:
		other, why := pathOf(first.Default)
		switch {
		case why != "":
			return "", why
		case other == ".": // the launcher is started where the variable would lead
			text = other
		default:
			text = "${" + first.Name + ":-" + other + "}"
		}
	default:
		return "", "the script does not tell what " + trace.Text{first}.String() + " holds"
	}
	for _, p := range rest[1:] {
		if p.Name != "" {
			return "", "the script does not tell what " + trace.Text{p}.String() + " holds"
		}
		text += p.Literal
	}
	return clean(text)
}

// isHere reports whether a text is the working directory. Of a value that is that on
// one way through the script, and another directory on others, a profile says that.
func isHere(t trace.Text) bool {
	text, why := pathOf(t)
	return why == "" && text == "."
}

func isUser(p trace.Piece, names ...string) bool {
	for _, name := range names {
		if p.Name == name && p.Inherited() {
			return true
		}
	}
	return false
}

// clean checks a path, and gives it one form.
func clean(text string) (string, string) {
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") {
		text = strings.TrimPrefix(path.Clean(text), "./")
		if !strings.HasPrefix(text, "/") && text != "." {
			text = "./" + text
		}
	} else {
		text = strings.TrimSuffix(text, "/")
	}
	p, err := expr.Parse(text)
	if err != nil {
		return "", "the path " + err.Error()
	}
	return p.String(), ""
}

// inProject gives the name of a path below the project.
func inProject(at string) (string, bool) { return strings.CutPrefix(at, "./") }
