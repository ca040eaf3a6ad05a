// Package templates holds the text of the launcher.
//
// launcher.sh.tmpl is the frame: header, policy, engine. The engine's parts
// are plain bash in engine/NAME.sh, without template actions: they stand in
// every launcher that needs them, byte for byte.
package templates

import (
	"embed"
	"regexp"
	"strings"
	"sync"
)

// FS holds the frame, the text of --sandbox-help and the parts.
//
//go:embed *.tmpl engine/*.sh
var FS embed.FS

// Part returns the text of a part of the engine. A name that no file has is a
// mistake in the program and panics.
func Part(name string) string {
	text, err := FS.ReadFile("engine/" + name + ".sh")
	if err != nil {
		panic(err)
	}
	return strings.TrimRight(string(text), "\n")
}

// Purpose returns the first sentence of the comment above a part: what the part is for.
func Purpose(name string) string {
	var comment []string
	for i, line := range strings.Split(Part(name), "\n") {
		text, ok := strings.CutPrefix(line, "# ")
		if !ok {
			break
		}
		if i > 0 {
			comment = append(comment, text)
		}
	}
	sentence, _, _ := strings.Cut(strings.Join(comment, " "), ". ")
	return strings.TrimSuffix(sentence, ".")
}

// Summary holds rows of what is said of a sandbox: a subject and a clause each, which is a
// template of text/template.
//
//go:embed summary.tmpl
var Summary string

// Unset holds what the policy may leave out, each with what stands for nothing: NAME=(), or
// another word of bash. Last are those that come and go with one line of a profile.
//
//go:embed unset.txt
var Unset string

var identifier = regexp.MustCompile(`[a-z]+(?:_[a-z]+)+`)

// Mentions reports whether some part of the engine has a variable or function
// of this name, of several words joined by _.
func Mentions(name string) bool { return mentioned()[name] }

// MentionsPrefix reports whether one of those begins with a prefix.
func MentionsPrefix(prefix string) bool {
	for name := range mentioned() {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

var mentioned = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	files, err := FS.ReadDir("engine")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		for _, name := range identifier.FindAllString(Part(strings.TrimSuffix(file.Name(), ".sh")), -1) {
			names[name] = true
		}
	}
	return names
})
