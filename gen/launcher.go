// Package gen writes a plan as a launcher: a view of quoted words, templates,
// the printer's layout, and a check of the result.
//
// It is pure: it returns bytes, and touches neither the host nor any file.
package gen

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"text/template"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/plan"
	"bwrapgen/templates"
)

// Launcher renders a plan as a bash script that has been laid out and checked.
// The same plan gives the same bytes. An error other than one about a text
// that bash cannot hold is a bug in plan or templates; it names the line.
func Launcher(p plan.Plan) ([]byte, error) {
	var t *template.Template
	var read sync.WaitGroup
	read.Go(func() { t = partials() })
	v, err := newView(p)
	read.Wait()
	if err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	if err := t.ExecuteTemplate(&raw, "launcher.sh.tmpl", v.named()); err != nil {
		return nil, fmt.Errorf("a template failed: %v", err)
	}
	return scripted(raw.Bytes())
}

// scripted lays a script out and checks it.
func scripted(raw []byte) ([]byte, error) {
	dense, err := bash.Dense(raw, "# --- ")
	var script bash.Script
	if err == nil {
		script, err = bash.LayOut(dense)
	}
	if err != nil {
		return nil, fmt.Errorf("the launcher is not bash, which is a bug: %v", err)
	}
	var unsettled error
	var both sync.WaitGroup
	both.Go(func() { unsettled = script.Fixed() })
	err = script.Check(Rules())
	both.Wait()
	switch {
	case unsettled != nil:
		return nil, fmt.Errorf("the launcher is not laid out, which is a bug: %v", unsettled)
	case err != nil:
		return nil, fmt.Errorf("the launcher holds what no launcher may, which is a bug:\n%v", err)
	}
	return script.Bytes(), nil
}

// Rules says what a launcher may hold.
func Rules() bash.Rules {
	return bash.Rules{
		Builtins: []string{
			":", "break", "cd", "continue", "declare", "exec", "exit", "export", "hash", "kill", "local", "mapfile", "printf",
			"read", "readonly", "return", "set", "shift", "shopt", "trap", "ulimit", "umask", "unset", "wait",
		},
		Programs: []string{
			"/usr/bin/env", "/usr/bin/systemd-run", "chmod", "chown", "cp", "cut", "diff", "du", "env", "find", "flock", "git", "gpgconf", "head", "ln",
			"mkdir", "mkfifo", "mktemp", "mv", "perl", "readlink", "realpath", "rm", "rmdir", "sed", "sha256sum", "sleep", "slirp4netns", "stat", "sync", "tail", "tee",
			"timeout", "touch", "wc", "xargs", "xdg-dbus-proxy",
		},
		Bwrap: "bwrap",
		MaySubstitute: []string{
			"allowed", "arm", "ask", "capture", "clean", "collect", "compare", "credential", "drop", "expands", "follow", "judge", "lead", "look", "named", "pipes",
			"prune", "remember", "report", "restricted", "serve", "strays", "sweep", "settle", "show", "try",
		},
		Globs: []string{
			`"$buses"/bus-*`, `"$layer/upper/$1"*`, `"$memory"/[0-9]*-*`, `"$path"/*`,
			`{*_*,add*.diff,gc.*,index*,rebase-*,rebase-*/*}`, `{logs,lost-found,lost-found/*,reftable,rr-cache,rr-cache/*,sequencer,worktrees}/*`,
			`{objects/info/c,objects/pack/m}*{,/*}`, `refs/**/`, `logs/refs/**`, `"$stores"/run-*`, `"/proc/$1/task/"*/children`, `"a/$name"/*`, "/proc/self/fd/*", "/proc/[0-9]*/stat", `"/proc/$1/fd"/*`,
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
	return template.FuncMap{"alternatives": alternatives, "line": line, "over": over, "rule": rule, "wrapped": wrapped}
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
	for _, row := range rows(words, columns) {
		lines = append(lines, line(row))
	}
	return strings.Join(lines, " \\\n  ")
}

// over is the head of a loop. At every turn bash writes it anew, words and all
// (execute_cmd.c, print_for_command_head): a list of a hundred goes into an
// array, which costs more to make.
func over(name, list string, words []bash.Word) string {
	const long = 1000
	if text := wrapped(words); len(text) <= long {
		return fmt.Sprintf("for %s in %s; do", name, text)
	}
	lines := []string{list + "=("}
	for _, row := range rows(words, columns) {
		lines = append(lines, "  "+line(row))
	}
	lines = append(lines, ")", fmt.Sprintf(`for %s in "${%s[@]}"; do`, name, list))
	return strings.Join(lines, "\n")
}

// rule is the title of a section, with dashes to column 78.
func rule(title string) string {
	head := "# --- " + title + " "
	return head + strings.Repeat("-", 78-len(head))
}
