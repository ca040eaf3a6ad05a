package gen

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bwrapgen/gen/bash"
	"bwrapgen/gen/expr"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
	"bwrapgen/templates"
)

// policyBegins is how the line above the policy begins.
const policyBegins = "# --- Policy"

// filterBegins is how the line above the compiled system call filter begins.
const filterBegins = "# --- Filter"

// unsetBegin is the line above what a policy leaves empty.
const unsetBegin = "# Settings that this profile leaves at their defaults."

// columns is the width of a launcher's lines.
const columns = 100

// policy collects the groups of the policy: assignments with a comment above.
// Its err is the first text that bash cannot hold.
type policy struct {
	words
	groups []string
	lines  []string
}

// writePolicy is the policy of a plan: assignments, arrays and quoted lists,
// in the order in which a reader asks.
func writePolicy(p plan.Plan) (string, error) {
	var draft policy
	draft.write(p)
	named := draft.places.named()
	w := policy{words: words{places: named}}
	w.define(named)
	w.write(p)
	w.unset(p)
	policy := narrow(strings.Join(w.groups, "\n\n")) + "\n"
	title := rule(policyBegins + ": what the profile decides")
	return w.relocations(p) + title + "\n\n" + policy + w.filterSection(p), w.err
}

// write adds the groups but for what is empty.
func (w *policy) write(p plan.Plan) {
	w.whole(p)
	w.system(p)
	w.toolchains(p)
	w.caches(p)
	w.listed(p)
	w.hidden(p)
	w.project(p)
	w.array("made_from", append(w.quoted(p.Inputs.Beside), w.paths(p.Inputs.Paths)...))
	w.group("Protected wherever they are writable: the files that this launcher is made from. " +
		"Relative names are next to the launcher.")
	w.environment(p)
	w.sockets(p)
	w.network(p)
	w.limits(p)
	w.reach(p)
}

// narrow breaks a word of variables within variables that is wider than a line,
// behind a ":-": between double quotes bash leaves a backslash and the end of the
// line out.
func narrow(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		at := strings.LastIndex(line[:min(len(line), columns-1)], ":-")
		if len(line) > columns && at > 0 && strings.Contains(line[:at], `"`) {
			lines[i] = line[:at+2] + "\\\n" + line[at+2:]
		}
	}
	return strings.Join(lines, "\n")
}

// unset adds what the engine asks of the policy and this profile does not have:
// nothing of the caller's environment may stand there.
func (w *policy) unset(p plan.Plan) {
	asked, given := map[string]bool{}, map[string]bool{}
	for name := range strings.FieldsFuncSeq(engine(partsOf(p)), noName) {
		asked[name] = true
	}
	asked["filter"], asked["filter_machines"] = filterKind(p) == "none", false
	for _, match := range assigned.FindAllStringSubmatch(strings.Join(w.groups, "\n"), -1) {
		given[match[1]] = true
	}
	var none []string
	for v := range strings.FieldsSeq(templates.Unset) {
		if name, _, _ := strings.Cut(v, "="); asked[name] && !given[name] {
			none = append(none, v)
		}
	}
	w.lines = append(w.lines, fill(none, " ", columns-2)...)
	w.group(strings.TrimPrefix(unsetBegin, "# "))
}

var assigned = regexp.MustCompile(`(?m)(?:^| )(\w+)=`)

// noName says that no name has such a character. A name with a dot is a key's: toolchains.use.
func noName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.", r)
}

// relocations is the loop above the policy, which ignores a variable that does not hold an absolute path.
func (w *policy) relocations(p plan.Plan) string {
	if len(p.Relocations) == 0 {
		return ""
	}
	var names []string
	for _, name := range p.Relocations {
		names = append(names, w.name(name))
	}
	return moversBegin + "\nfor name in " + strings.Join(fill(names, " ", columns-16), " \\\n  ") + "; do\n" +
		"  [[ ${!name-} == /*[!/.]* ]] || unset \"$name\"\ndone\n\n"
}

const moversBegin = "# These variables say where tools have their directories. Only absolute paths count."

// group ends a group of assignments: about says what they are for.
func (w *policy) group(about string) {
	if len(w.lines) > 0 {
		comment := bash.Comment(about, columns-2)
		w.groups = append(w.groups, comment+"\n"+strings.Join(w.lines, "\n"))
	}
	w.lines = nil
}

// set adds NAME=WORD.
func (w *policy) set(name string, word bash.Word) {
	w.lines = append(w.lines, name+"="+word.String())
}

// setText adds NAME=TEXT.
func (w *policy) setText(name, text string) { w.set(name, w.quote(text)) }

// setIf adds NAME=TEXT if something holds.
func (w *policy) setIf(holds bool, name, text string) {
	if holds {
		w.setText(name, text)
	}
}

// number adds NAME=NUMBER, unless that is 0.
func (w *policy) number(name string, n int64) { w.setIf(n != 0, name, strconv.FormatInt(n, 10)) }

// add adds NAME=, and texts between two marks: in one line if they fit there. Without texts
// it adds nothing.
func (w *policy) add(name, begin, end string, texts []string) {
	if len(texts) == 0 {
		return
	}
	name += "=" + begin
	if one := name + strings.Join(texts, " ") + end; len(one) <= columns {
		w.lines = append(w.lines, one)
		return
	}
	w.lines = append(w.lines, name)
	for _, row := range fill(texts, " ", columns-4) {
		w.lines = append(w.lines, "  "+row)
	}
	w.lines = append(w.lines, end)
}

// array adds NAME=(WORD...).
func (w *policy) array(name string, words []bash.Word) { w.add(name, "(", ")", texts(words)) }

// table adds NAME=( with a row of words on each line, or on more where it is too long.
func (w *policy) table(name string, rows [][]bash.Word) {
	if len(rows) == 0 {
		return
	}
	w.lines = append(w.lines, name+"=(")
	for _, row := range rows {
		w.lines = append(w.lines, "  "+strings.Join(fill(texts(row), " ", columns-6), "\n    "))
	}
	w.lines = append(w.lines, ")")
}

// tableOf adds a table of some mounts.
func (w *policy) tableOf(name string, mounts plan.Mounts, row func(plan.Mount) []bash.Word) {
	var rows [][]bash.Word
	for _, m := range mounts {
		rows = append(rows, row(m))
	}
	w.table(name, rows)
}

// simple are the words that stand in a quoted list as they are.
var simple = regexp.MustCompile(`^[A-Za-z0-9_./:@%+=,-]+$`)

// list adds a quoted list: NAME='WORD ...'. Words that need quotes of their own are a mistake
// of the caller's and panic.
func (w *policy) list(name string, texts []string) {
	for _, text := range texts {
		if !simple.MatchString(text) {
			panic("gen: not a plain word for " + name + ": " + text)
		}
	}
	w.add(name, "'", "'", texts)
}

// whole says what kind of sandbox it is.
func (w *policy) whole(p plan.Plan) {
	w.setText("self", p.Name)
	w.array("command", w.quoted(p.Command))
	w.list("options", options(p))
	digest, err := Digest(p)
	w.note(err)
	w.setText("digest", digest)
	w.group("The launcher: its name, its command if it has one, and a fingerprint of what it allows.")

	switch root := p.Project.Root; root.Kind {
	case profile.RootPath:
		w.set("project_root", w.path(root.Path))
	default:
		w.setText("project_root", root.Kind.String())
	}
	w.setText("project_access", string(p.Project.Access))
	w.setText("base", string(p.Base))
	w.setText("home_mode", string(p.Home))
	w.setText("network", string(p.Network))
	w.setText("terminal", string(p.Terminal))
	w.lines = []string{strings.Join(w.lines[:2], " "), strings.Join(w.lines[2:], " ")}
	w.setIf(!p.Places.Project.IsZero(), "project_at", p.Places.Project.Rest)
	w.setIf(!p.Places.Home.IsZero(), "home_at", p.Places.Home.Rest)
	w.setIf(p.Kernel.NestedUserns, "nested_userns", "yes")
	w.group("How the command sees the project, the system, the home directory and the network.")
}

// options are those that not every launcher has: with =, they take a value,
// with +, they stand beside others.
func options(p plan.Plan) []string {
	var all []string
	add := func(wanted bool, names ...string) {
		if wanted {
			all = append(all, names...)
		}
	}
	add(p.Limits.Timeout > 0, "timeout=")
	add(p.Displaced(), "where")
	add(p.Limits.Output > 0, "capture+", "report=")
	add(p.Stores(plan.Session), "session=", "end")
	add(stored(p), "status", "discard")
	add(p.Reviews(), "diff", "apply")
	add(p.Confirm.Mode == profile.ConfirmAlways && p.Confirm.AllowYes, "yes+")
	return all
}

// stored reports whether something is kept on disk.
func stored(p plan.Plan) bool { return p.Stores(plan.Session, plan.Keep) }

// system is what is shown of the operating system, and what makes it so.
func (w *policy) system(p plan.Plan) {
	w.setIf(!p.System.Accounts, "accounts", "no")
	w.group("The profile shows accounts of its own, so none is made for the caller.")
	if p.Base == profile.BaseHost {
		return
	}
	w.list("system", rests(p.Mounts.In(plan.ScopeSystem), ""))
	w.list("roots", rests(p.Mounts.In(plan.ScopeRoots), ""))
	w.list("etc", rests(p.Mounts.In(plan.ScopeEtc), "/etc/"))
	w.setIf(p.System.Time, "zone", cmp.Or(p.System.Zone, "Etc/UTC"))
	w.group("Parts of the operating system, read-only if present: directories, directories that may be symbolic links, and names in /etc.")
}

// rests are where mounts stand, without their base and what all begin with.
func rests(mounts plan.Mounts, begin string) []string {
	var all []string
	for _, m := range mounts {
		all = append(all, strings.TrimPrefix(m.Target.Rest, begin))
	}
	return all
}

// toolPaths are those of the tools: what is shown in any case, or what must hold no login.
func toolPaths(p plan.Plan, settings bool) plan.Mounts {
	asked := func(m plan.Mount) bool { return m.IfNoLogin == settings }
	return p.Mounts.In(plan.ScopeToolchain).Where(plan.Mount.NotView, asked)
}

func (w *policy) toolchains(p plan.Plan) {
	w.sources("toolchains", toolPaths(p, false))
	w.group("Toolchains, read-only if present.")
	w.sources("settings", toolPaths(p, true))
	w.list("addresses", p.Environ.Addresses)
	w.group("Files and environment variables that name package sources or versions; left out if they may contain credentials.")
}

// sources adds an array of what some mounts show.
func (w *policy) sources(name string, mounts plan.Mounts) {
	var all []expr.Path
	for _, m := range mounts {
		all = append(all, m.Source)
	}
	w.array(name, w.paths(all))
}

// caches are the directories that tools can fill again, by what becomes of
// changes, and other writable views.
func (w *policy) caches(p plan.Plan) {
	for _, one := range []struct {
		mode        profile.CacheMode
		name, about string
	}{
		{profile.CacheRead, "caches_read", "Caches of the host, read-only."},
		{profile.CacheWrite, "caches_write", "Caches of the host, read-write."},
		{profile.CacheEphemeral, "brief_views", "Caches of the host, copy-on-write; changes are discarded."},
		{profile.CacheSession, "session_views", "Caches of the host, copy-on-write; changes belong to the session."},
		{profile.CacheKeep, "kept_views", "Caches of the host, copy-on-write; changes are kept for this repository."},
	} {
		isOne := func(m plan.Mount) bool { return m.CacheMode() == one.mode }
		w.sources(one.name, p.Mounts.In(plan.ScopeCache).Where(isOne))
		w.group(one.about)
	}
	w.tableOf("listed_views", p.Mounts.In(plan.ScopeOutside).Where(plan.Mount.View), w.copied)
	w.group("Overlays that the profile lists: changes stay in the store until they are applied.")
	tools := p.Mounts.In(plan.ScopeToolchain).Where(plan.Mount.View)
	w.sources("tool_views", tools)
	if last := len(tools) - 1; last >= 0 {
		w.setIf(tools[last].Layer != plan.Memory, "tool_layers", string(tools[last].Layer))
	}
	w.group("Toolchains that write into themselves, copy-on-write; changes are stored like those to caches.")
	w.setIf(p.Overlaid() && p.OldBwrap, "old_bwrap", "yes")
	w.group("Overlays work with a bwrap before 0.11, too.")
	w.store(p)
}

// copied is a row of whether something has to be there, of where it is and of where it is
// shown.
func (w *policy) copied(m plan.Mount) []bash.Word {
	need := "needed"
	if m.Optional || m.Create {
		need = "optional"
	}
	return []bash.Word{w.quote(need), w.path(m.Source), w.path(m.Target)}
}

// store says what is kept besides caches.
func (w *policy) store(p plan.Plan) {
	if !p.OwnsStore() {
		return
	}
	w.setIf(p.Tmp != profile.TmpEmpty, "tmp_mode", string(p.Tmp))
	w.setIf(p.KeepsBesides(), "keeps_beside", "yes")
	w.group("Kept for this launcher alone: only one run at a time may use it.")
}

// listed are the profile's own entries, in order, and what they need on the host.
func (w *policy) listed(p plan.Plan) {
	shared, rest := sharedIn(p)
	w.made(p, rest)
	w.shared(shared)
	if !lists(p) {
		w.sources("reads", rest)
		w.group("Read-only where they exist; the rest of the home directory is empty.")
		return
	}
	w.sources("link_folders", rest.Where(leadsOn))
	w.group("What symbolic links in these directories lead to is shown too, read-only.")

	belowView := func(m plan.Mount) bool { return m.BelowView }
	w.tableOf("entries", rest.Where(func(m plan.Mount) bool { return !m.BelowView }), w.entry)
	w.group("Other entries of the profile. With -try, one that does not exist is skipped.")
	w.tableOf("entries_below_views", rest.Where(belowView), w.entry)
	w.group("Entries of the profile below an overlay.")
	w.sources("read_in_project", p.Mounts.In(plan.ScopeBase))
	w.group("Read-only also where the project contains them. Elsewhere they are so anyway.")
	w.tableOf("inside", p.Mounts.In(plan.ScopeProject), w.entry)
	w.group("Entries in the project.")
}

// lists reports whether the profile lists more than names in an empty home that are
// read-only where they exist.
func lists(p plan.Plan) bool {
	more := func(m plan.Mount) bool {
		switch {
		case m.Op != plan.ROBind, !m.Optional, m.Held, m.BelowView, m.Create, !m.InPlace():
			return true
		}
		isMoved := m.Source.Base == expr.Variable && m.Origin.Builtin() && p.Base != profile.BaseHost
		return m.Source.Base != expr.Home && !isMoved
	}
	_, rest := sharedIn(p)
	if p.Home == profile.HomeHost || rest.Any(more) {
		return true
	}
	return len(p.Mounts.In(plan.ScopeProject, plan.ScopeBase)) > 0
}

// outside is what the profile lists outside the project, except overlays.
func outside(p plan.Plan) plan.Mounts {
	return p.Mounts.In(plan.ScopeOutside).Where(plan.Mount.NotView)
}

// made adds the directories and files that the launcher creates where they are absent.
func (w *policy) made(p plan.Plan, listed plan.Mounts) {
	var directories []expr.Path
	var files plan.Mounts
	for _, m := range created(p, listed) {
		if m.Text == "" {
			directories = append(directories, m.Source)
		} else {
			files = append(files, m)
		}
	}
	w.array("directories_to_make", w.paths(distinct(directories)))
	w.tableOf("files_to_make", files, func(m plan.Mount) []bash.Word {
		return []bash.Word{w.path(m.Source), w.quote(m.Text)}
	})
	w.group("Created on the host if absent: directories, and files with their first content.")
}

// created are the mounts whose source is created if it is absent.
func created(p plan.Plan, listed plan.Mounts) plan.Mounts {
	isCreated := func(m plan.Mount) bool { return m.Create }
	return slices.Concat(listed, p.Mounts.In(plan.ScopeOutside).Where(plan.Mount.View), p.Mounts.In(plan.ScopeProject)).Where(isCreated)
}

func distinct(all []expr.Path) []expr.Path {
	var kept []expr.Path
	for _, p := range all {
		if !slices.ContainsFunc(kept, p.Equal) {
			kept = append(kept, p)
		}
	}
	return kept
}

// entry is one mount as a row. A path that is shown where it is stands once,
// with the braces by which bash says it twice.
func (w *policy) entry(m plan.Mount) []bash.Word {
	flag := m.Flag()
	switch {
	case m.Pin():
		return []bash.Word{w.quote("pin"), w.keep(bash.TwiceOf(w.parts(m.Source)...))}
	case m.Op == plan.Symlink:
		return []bash.Word{w.quote(flag), w.quote(m.Text), w.place(m.Target)}
	case m.Op == plan.Tmpfs && m.Optional, m.Create: // this was made, or die said why
		flag = strings.TrimSuffix(flag, "-try") + "-try"
	}
	if m.Op == plan.Tmpfs {
		m.Source = m.Target
	}
	if m.InPlace() && w.place(m.Target) == w.path(m.Source) {
		return []bash.Word{w.quote(flag), w.keep(bash.TwiceOf(w.parts(m.Source)...))}
	}
	return []bash.Word{w.quote(flag), w.path(m.Source), w.place(m.Target)}
}

// place is where a mount stands inside: below XDG_RUNTIME_DIR, in the
// sandbox's own.
func (w *policy) place(p expr.Path) bash.Word {
	if p.Base == expr.Variable && p.Name == "XDG_RUNTIME_DIR" && p.Default == nil {
		return w.keep(bash.Join(bash.Part{Var: "runtime"}, bash.Part{Text: p.Rest}))
	}
	return w.path(p)
}

func compactWords(all []bash.Word) []bash.Word {
	seen := map[bash.Word]bool{}
	return slices.DeleteFunc(all, func(word bash.Word) bool {
		known := seen[word]
		seen[word] = true
		return known
	})
}

// hidden is what is covered by something empty.
func (w *policy) hidden(p plan.Plan) {
	var names, always, symlinked, emptied []bash.Word
	var moved []string
	var variables []string
	for _, m := range p.Mounts.In(plan.ScopeMask) {
		at := m.Target
		switch {
		case m.Symlinked:
			symlinked = append(symlinked, w.path(at))
		case m.Op == plan.Tmpfs:
			emptied = append(emptied, w.mask(at))
		case at.Base == expr.Project:
			names = append(names, w.pattern(strings.TrimPrefix(at.Rest, "/"), m))
		case needsVariable(at) && (at.Rest == "" || simple.MatchString(at.Rest)):
			variables = append(variables, w.name(at.Name)+at.Rest)
		case at.Base == expr.Home && simple.MatchString(at.Rest):
			moved = append(moved, strings.TrimPrefix(at.Rest, "/"))
		default:
			always = append(always, w.mask(at))
		}
	}
	w.array("hidden_names", names)
	w.group("Hidden in the project, behind an empty file or directory.")
	w.list("hidden_at_home", moved)
	w.list("hidden_by_variables", variables)
	w.array("hidden", always)
	w.group("Hidden in the home directory, where variables lead, and elsewhere.")
	w.array("hidden_in_project", symlinked)
	w.group("Hidden in the project, because symbolic links in the home directory lead there.")
	w.array("emptied", emptied)
	w.group("Empty directories for tools to write to; the host's describe other projects.")
	var revealed []bash.Word
	for _, at := range p.Revealed.Paths {
		revealed = append(revealed, w.orEmpty(at))
	}
	w.array("revealed", revealed)
	w.setIf(p.Revealed.Project, "reveals_project", "yes")
	w.group("Visible although a directory above is hidden: the most specific path wins.")
	w.tableOf("credentials", p.Mounts.In(plan.ScopeCredential), w.copied)
	w.group("Credentials, read-only: each file, which only its owner may be able to read, and its place inside.")
}

// pattern is a name in the project, which may be a pattern of bash's.
func (w *policy) pattern(name string, m plan.Mount) bash.Word {
	if m.Pattern {
		return w.keep(bash.Pattern(name))
	}
	return w.quote(name)
}

// project is what is read-only in a writable project.
func (w *policy) project(p plan.Plan) {
	if p.Project.Access == profile.AccessRead {
		return
	}
	var own, below []bash.Word
	var names []string
	inFolder := map[string][]string{} // protected names in a folder, for which bash looks by patterns
	for _, m := range p.Mounts.In(plan.ScopeProtect) {
		switch name := strings.TrimPrefix(m.Target.Rest, "/"); {
		case p.Project.Access == profile.AccessWrite && m.Reserved:
			if m.Folder {
				name += "/"
			}
			own = append(own, w.quote(name))
		case slices.Contains(plan.OfRepository(), m.Target.Rest): // the engine finds these wherever the repository is
		case simple.MatchString(name) && !strings.Contains(name, "/"):
			names = append(names, name)
		case simple.MatchString(name):
			folder := name[:strings.LastIndexByte(name, '/')]
			inFolder[folder] = append(inFolder[folder], name[len(folder)+1:])
		default:
			below = append(below, w.pattern(name, m))
		}
	}
	var patterns []string
	for _, folder := range slices.Sorted(maps.Keys(inFolder)) {
		for names := range slices.Chunk(inFolder[folder], 6) {
			patterns = append(patterns, folder+"/@("+strings.Join(names, "|")+")")
		}
	}
	w.list("protected", names)
	w.array("protected_below", append(w.quoted(patterns), below...))
	w.group("Protected in the project, like git's hooks and config: your tools run or trust these. If one is absent and " +
		"the command creates it, the launcher reports that on exit.")
	w.array("reserved", own)
	w.group("These cannot be created either: while a sandbox runs, an absent one is an empty file, or with a slash at its end a directory.")
	if len(p.Project.Watched) > 0 {
		w.array("watched", w.quoted(p.Project.Watched))
		w.number("search_depth", plan.ReportDepth)
		w.number("search_seconds", plan.ReportSeconds)
	}
	w.group("Reported on exit if new or changed, anywhere in the project.")
}

// environment is the command's.
func (w *policy) environment(p plan.Plan) {
	var pass []string
	e := p.Environ
	for _, name := range e.Pass {
		covers := func(listed string) bool { return listed != name && plan.Matches(listed, name) }
		if slices.ContainsFunc(e.Pass, covers) {
			continue
		}
		if prefix, many := strings.CutSuffix(name, "*"); many {
			pass = append(pass, "${!"+w.name(prefix)+"@}")
			continue
		}
		pass = append(pass, w.name(name))
	}
	w.add("pass", `"`, `"`, pass)
	w.group("The variables that are passed through; the command gets none of the caller's others.")
	all := func(name string) bool { return slices.Contains([]string{"LC_ALL", "LC_*", "L*"}, name) }
	w.setIf(slices.ContainsFunc(e.Pass, all), "locale_inside", "caller")
	w.group("LC_ALL is passed through as well; the launcher itself runs with another value.")
	w.array("required", w.required(p))
	w.group("Variables that must be set, and the keys of the profile that need them.")
	var set, inProject []bash.Word
	for _, s := range e.Set {
		switch {
		case s.Name == "PATH" && s.Path.IsZero():
			w.setText("path_inside", s.Text)
		case s.Name == "PATH":
			w.set("path_inside", w.path(s.Path))
		case s.Name == "LC_ALL":
			w.setText("locale_inside", s.Text)
		case s.Path.Base == expr.Project && !s.Path.IsZero():
			inProject = append(inProject, w.assign(s.Name, bash.Part{Text: s.Path.Rest}))
		case !s.Path.IsZero():
			set = append(set, w.assign(s.Name, w.parts(s.Path)...))
		default:
			set = append(set, w.assign(s.Name, bash.Part{Text: s.Text}))
		}
	}
	var directories []bash.Word
	for _, p := range e.Programs {
		directories = append(directories, w.mask(p))
	}
	w.array("program_paths", directories)
	w.group("Directories of toolchains, appended to PATH if present.")
	w.array("markers", w.quoted(p.Project.Unknown))
	w.group("FILE/TOOL: files of projects that need a tool for which this launcher was not generated. If the project has one, " +
		"the launcher says so.")
	w.list("wanted", e.Wanted)
	w.group("Programs of these toolchains. The launcher warns if the sandbox does not show the one on the caller's PATH.")
	w.array("set_variables", set)
	w.array("set_in_project", inProject)
	w.group("Variables that the launcher sets.")
}

// required are the variables without which nothing runs, NAME/KEY: those that the profile
// asks for, and those of paths that it lists and that are not optional.
func (w *policy) required(p plan.Plan) []bash.Word {
	var all []bash.Word
	add := func(name, key string) {
		all = append(all, w.quote(w.name(name)+"/"+key))
	}
	for _, r := range p.Environ.Require {
		add(r.Text, "environment.require")
	}
	if root := p.Project.Root.Path; needsVariable(root) {
		add(root.Name, "project.root")
	}
	for _, m := range p.Mounts.In(plan.ScopeOutside, plan.ScopeProject, plan.ScopeCredential) {
		shows := slices.Contains([]plan.Op{plan.ROBind, plan.Bind, plan.View}, m.Op)
		ownPlace := w.place(m.Target) != w.path(m.Target) // the sandbox has one in any case
		switch {
		case !shows, m.Optional, m.Create && !m.View():
		case needsVariable(m.Source):
			add(m.Source.Name, m.Origin.Key)
		case needsVariable(m.Target) && !ownPlace:
			add(m.Target.Name, m.Origin.Key)
		}
	}
	return compactWords(all)
}
