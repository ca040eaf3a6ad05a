// Package gen writes a plan as a launcher: a view of quoted words, templates,
// the printer's layout, and a check of the result.
//
// It is pure: it returns bytes, and touches neither the host nor any file.
package gen

import (
	"bytes"
	"fmt"
	"strings"
	"text/template"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/templates"
)

// Launcher renders a plan as a bash script that has been laid out and checked.
// The same plan gives the same bytes. An error other than one about a text
// that bash cannot hold is a bug in plan or templates; it names the line.
func Launcher(p plan.Plan) ([]byte, error) {
	v, err := newView(p)
	if err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	if err := partials().ExecuteTemplate(&raw, "launcher.sh.tmpl", v); err != nil {
		return nil, fmt.Errorf("a template failed: %v", err)
	}
	script, err := bash.Dense(raw.Bytes(), "# --- ")
	if err == nil {
		script, err = bash.Format(script)
	}
	if err != nil {
		return nil, fmt.Errorf("the launcher is not bash, which is a bug: %v", err)
	}
	if err := bash.Check(script, Rules()); err != nil {
		return nil, fmt.Errorf("the launcher holds what no launcher may, which is a bug:\n%v", err)
	}
	return script, nil
}

// Rules says what a launcher may hold.
func Rules() bash.Rules {
	return bash.Rules{
		Builtins: []string{
			"set", "readonly", "local", "printf", "exit", "shift", "exec", "unset", "cd", "read", "return",
			"mapfile", "trap", "break", "continue", ":", "hash", "kill", "wait", "ulimit", "umask", "shopt", "declare",
		},
		Programs: []string{
			"env", "/usr/bin/env", "find", "gpgconf", "head", "mkdir", "mktemp", "mv", "readlink", "rm", "rmdir", "stat", "tail", "tee",
			"timeout", "touch", "wc", "xdg-dbus-proxy",
			"chmod", "chown", "cmp", "cp", "cut", "diff", "du", "flock", "git", "ln", "perl", "realpath", "sleep",
		},
		Bwrap: "bwrap",
		MaySubstitute: []string{
			"arm", "ask", "capture", "collect", "credential", "fail", "follow", "pipes", "report", "restricted", "serve",
			"clean", "try", "look", "remember", "compare", "judge", "prune", "drop", "show", "settle", "allowed",
		},
		Globs: []string{
			"/proc/self/fd/*", `"$ghost"/*`, `"$buses"/bus-*`, `"$stores"/run-*`, `"$path"/*`, `"a/$name"/*`, `"$layer/upper/$1"*`, `"/proc/$1/task/"*/children`,
			`"$repository/$path"/*/{hooks,config,config.worktree,commondir,gitdir}`,
		},
		ListGlobs: true,
	}
}

func partials() *template.Template {
	t := template.New("").Option("missingkey=error").Funcs(functions())
	return template.Must(t.ParseFS(templates.FS, "*.sh.tmpl"))
}

// functions are the few that templates use.
func functions() template.FuncMap {
	return template.FuncMap{"alternatives": alternatives, "line": line, "rule": rule, "wrapped": wrapped}
}

// line joins the words of one line.
func line(words []bash.Word) string { return joined(words, " ") }

// alternatives joins words to what stands between the brackets of @( ).
func alternatives(words []bash.Word) string { return joined(words, "|") }

func joined(words []bash.Word, separator string) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.String()
	}
	return strings.Join(texts, separator)
}

// wrapped joins the words of a list, broken where a line would be too long.
func wrapped(words []bash.Word) string {
	var lines []string
	for _, row := range rows(words) {
		lines = append(lines, line(row))
	}
	return strings.Join(lines, " \\\n  ")
}

// rule is the title of a section, with dashes to column 78.
func rule(title string) string {
	head := "# --- " + title + " "
	return head + strings.Repeat("-", 78-len(head))
}
