package probe

import (
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"bwrapgen/gen/expr"
	"bwrapgen/gen/host"
)

// namesFile are the settings of git, without their subsections, that name a file or a
// directory: git-config(1).
var namesFile = []string{
	"blame.ignorerevsfile", "commit.template", "core.attributesfile", "core.excludesfile",
	"core.hookspath", "fsck.skiplist", "gpg.allowedsignersfile", "gpg.revocationfile",
	"http.sslcainfo", "http.sslcapath", "include.path", "includeif.path", "init.templatedir",
	"mailmap.file",
}

// namesProgram are those that name a program which git starts without being asked for it.
var namesProgram = []string{
	"core.askpass", "core.editor", "core.fsmonitor", "core.pager", "core.sshcommand",
	"credential.helper", "diff.command", "diff.external", "diff.textconv", "filter.clean",
	"filter.process", "filter.smudge", "gpg.program", "interactive.difffilter", "merge.driver",
	"sequence.editor",
}

// maxSettings is how many files of git's settings are read, at most.
const maxSettings = 50

// setting is one of git's as it prints them: the file that it stands in, and its value.
type setting struct{ file, key, value string }

// git gives what git's settings of the user and the system name, as far as it is there, in
// the order of git; and the directories from which the project's repository borrows objects.
// A file that is included under some condition counts as well.
func (h Host) git(ctx context.Context, project string) []host.Setting {
	program := h.find(project, "git")
	if program == "" {
		return nil
	}
	var found []host.Setting
	add := func(key, at, name string) {
		s := host.Setting{Key: key, Path: h.short(at), Program: name}
		isThere := !slices.Contains([]host.Kind{"", host.Dangling}, h.fact(at).Kind)
		if isThere && !s.Path.IsZero() && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	files := []string{""} // those of the user and the system
	for i := 0; i < min(len(files), maxSettings); i++ {
		for _, s := range h.settings(ctx, program, files[i]) {
			switch {
			case slices.Contains(namesFile, s.key):
				at := h.named(s)
				add(s.key, at, "")
				if strings.HasPrefix(s.key, "include") && !slices.Contains(files, at) {
					files = append(files, at)
				}
			case slices.Contains(namesProgram, s.key):
				name := programOf(s)
				add(s.key, h.programAt(name), name)
			}
		}
	}
	for _, at := range h.borrowed(ctx, program, project) {
		add(host.Alternates, at, "")
	}
	return found
}

// settings reads one file of settings and what that includes; of an empty name those of the
// user and the system, as git has them inside: where no variable leads elsewhere.
func (h Host) settings(ctx context.Context, program, file string) []setting {
	words := []string{"config", "--list", "--show-origin", "--includes", "-z"}
	if file != "" {
		words = append(words, "--file", h.real(file))
	}
	fields := strings.Split(h.gitSays(ctx, program, "GIT_DIR=/dev/null", words...), "\x00")
	var all []setting
	for i := 0; i+1 < len(fields); i += 2 {
		from, _ := strings.CutPrefix(fields[i], "file:")
		key, value, _ := strings.Cut(fields[i+1], "\n")
		section, _, _ := strings.Cut(key, ".")
		all = append(all, setting{from, section + key[strings.LastIndex(key, "."):], value})
	}
	return all
}

// borrowed gives the directories of objects outside the project that its repository uses,
// too.
func (h Host) borrowed(ctx context.Context, program, project string) []string {
	git := path.Join(project, ".git")
	borrows := h.fact(git).Kind == host.File || h.has(path.Join(git, host.Alternates))
	if project == "" || !borrows {
		return nil
	}
	var all []string
	for line := range strings.Lines(h.gitSays(ctx, program, "GIT_OPTIONAL_LOCKS=0", "-C", h.real(project), "count-objects", "-v")) {
		at, found := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "alternate: ")
		if found && path.Base(at) == "objects" && !h.inside(project, at) {
			all = append(all, at)
		}
	}
	return all
}

// gitSays gives what git prints. What makes it fail may not keep a launcher from being made.
func (h Host) gitSays(ctx context.Context, program, variable string, words ...string) string {
	c, end := h.command(ctx, program, words...)
	defer end()
	c.Env = append(c.Env, "HOME="+h.real(h.getenv("HOME")), variable)
	text, _ := c.Output()
	return string(text)
}

// named is the absolute path in a setting's value, or nothing. A relative one is below the
// file that includes it; others are relative to the work tree, which is visible anyway.
func (h Host) named(s setting) string {
	at := s.value
	includes := strings.HasPrefix(s.key, "include") && path.IsAbs(s.file)
	switch {
	case at == "":
		return ""
	case strings.HasPrefix(at, "~/"):
		at = h.getenv("HOME") + at[1:]
	case path.IsAbs(at):
	case !includes, strings.ContainsAny(at[:1], "~%"):
		return ""
	default:
		at = path.Dir(s.file) + "/" + at
	}
	return path.Clean(at)
}

// short is a path as a launcher has it: below the home directory, or absolute.
func (h Host) short(at string) expr.Path {
	if home := path.Clean(h.getenv("HOME")); expr.Below(at, home) {
		at = "~" + at[len(home):]
	}
	p, err := expr.Parse(at)
	if err != nil {
		return expr.Path{}
	}
	return p
}

// programName is what a command of the shell begins with, where that is a name or a path.
var programName = regexp.MustCompile(`^[A-Za-z0-9._+/~-]+$`)

// programOf is the program that a setting starts: of credential.helper a part of its name.
func programOf(s setting) string {
	command, shell := strings.CutPrefix(strings.TrimSpace(s.value), "!")
	name, _, _ := strings.Cut(command, " ")
	if !programName.MatchString(name) {
		return ""
	}
	if s.key == "credential.helper" && !shell && !strings.Contains(name, "/") {
		name = "git-credential-" + name
	}
	return name
}

// programAt is where a program lies, or nothing.
func (h Host) programAt(name string) string {
	if name == "" {
		return ""
	}
	if at, below := strings.CutPrefix(name, "~/"); below {
		return path.Join(h.getenv("HOME"), at)
	}
	if strings.Contains(name, "/") {
		return path.Clean(name)
	}
	if all := h.all(name); len(all) > 0 {
		return all[0]
	}
	return ""
}
