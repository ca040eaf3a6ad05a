package adopt

import (
	"path"
	"regexp"
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

// ofUser are directories by the user's number or name, and what a profile calls them.
var ofUser = map[string]string{
	"/run/user/$UID": "$XDG_RUNTIME_DIR", "/run/user/$EUID": "$XDG_RUNTIME_DIR", "/home/$USER": "~", "/home/$LOGNAME": "~",
}

// pathOf gives a word of a script as a path of a profile, or why there is none.
func pathOf(t trace.Text) (text, why string) {
	if len(t) == 0 {
		return "", "the path is empty"
	}
	rest := t[1:]
	if text = ofUser[t[:min(2, len(t))].String()]; text != "" {
		rest = t[2:]
	} else if text, why = beginning(t[0]); why != "" {
		return "", why
	}
	for _, p := range rest {
		if p.Name != "" {
			return "", untold(p)
		}
		text += p.Literal
	}
	return clean(text)
}

func untold(p trace.Piece) string {
	return "the script does not tell what " + trace.Text{p}.String() + " holds"
}

// isRooted is a text that says where it begins.
var isRooted = regexp.MustCompile(`^[/$~]`)

// beginning gives the first piece of a path.
func beginning(p trace.Piece) (text, why string) {
	set := !p.Inherited() // by the script
	switch {
	case p.Name == "" && isRooted.MatchString(p.Literal):
		return p.Literal, ""
	case p.Name == "":
		return "./" + p.Literal, ""
	case based[p.Name] != "" && !set:
		return based[p.Name], ""
	case p.Name == "(git)", slices.ContainsFunc(p.Either, isHere):
		return ".", ""
	case set, p.Default == nil:
		return "", untold(p)
	}
	other, why := pathOf(p.Default)
	if why != "" || other == "." { // the launcher is started where the variable would lead
		return other, why
	}
	return "${" + p.Name + ":-" + other + "}", ""
}

// isHere reports whether a text is the working directory. Of a value that is that on
// one way through the script, and another directory on others, a profile says that.
func isHere(t trace.Text) bool {
	text, _ := pathOf(t)
	return text == "."
}

// clean checks a path, and gives it one form.
func clean(text string) (at, why string) {
	switch {
	case strings.HasPrefix(text, "/"):
		text = path.Clean(text)
	case strings.HasPrefix(text, "./"):
		text = path.Clean(text)
		if text != "." {
			text = "./" + text
		}
	default:
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
