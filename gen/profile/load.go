package profile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

const maxDepth = 32 // profiles in a row that extend each other

// Loader reads profiles. Its files are the caller's.
type Loader struct {
	Builtin  fs.FS                             // holds NAME.toml for each built-in profile
	ReadFile func(name string) ([]byte, error) // reads a file; os.ReadFile will do
	NearFile func(name string) string          // another file that may be meant, or none; may be nil
}

// Load reads a profile by the name of a built-in one or, where the name holds
// a slash or ends in .toml, by its path. The error is problem.List where the
// profile, or one that it extends, is at fault or not there.
func (l Loader) Load(nameOrPath string) (Profile, error) {
	c := collector{Loader: l}
	name := clean(nameOrPath)
	c.load(name, Origin{File: name}, nil)
	return c.profile(name)
}

// Parse reads a profile from data as if it had been read from the file name,
// which extends and toolchains.files are relative to.
func Parse(name string, data []byte, l Loader) (Profile, error) {
	c := collector{Loader: l}
	c.add(document{file: clean(name)}, data, nil)
	return c.profile(name)
}

// IsFile reports whether a name is that of a file, not of a built-in profile.
func IsFile(name string) bool {
	return strings.Contains(name, "/") || strings.HasSuffix(name, ".toml")
}

// clean gives a file one name, whichever way it is reached.
func clean(name string) string {
	if !IsFile(name) {
		return name
	}
	return asFile(path.Clean(name))
}

// asFile keeps the name of a file from being taken for a built-in profile.
func asFile(name string) string {
	if !IsFile(name) {
		return "./" + name
	}
	return name
}

// Names lists the built-in profiles.
func (l Loader) Names() []string {
	if l.Builtin == nil {
		return nil
	}
	files, err := fs.Glob(l.Builtin, "*.toml")
	if err != nil {
		return nil
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(file, ".toml")
	}
	return files
}

// document is one file of a profile.
type document struct {
	file    string
	builtin bool
	source  source.Text
}

func (d document) origin(key string) Origin {
	return Origin{File: d.file, Line: d.source.Line(key), Key: key}
}

// relative finds a file that the document names; below home it begins with ~/.
func (d document) relative(name string) string {
	if path.IsAbs(name) || strings.HasPrefix(name, "~/") {
		return path.Clean(name)
	}
	return path.Join(path.Dir(d.file), name)
}

// collector gathers a profile and all that it extends.
type collector struct {
	Loader
	visited   []string   // files in the order in which they were met
	documents []document // parents before those that extend them
	problems  problem.List
}

func (c *collector) report(o Origin, p problem.Problem) {
	c.problems = append(c.problems, p.At(o.File, o.Line, o.Key))
}

// load adds the profile of that name; from is where it is named, and chain
// the profiles that lead there.
func (c *collector) load(name string, from Origin, chain []string) {
	if slices.Contains(chain, name) {
		c.report(from, wrong("take one of these out of its extends", "extends itself: %s", arrows(append(chain, name))))
		return
	}
	if slices.Contains(c.visited, name) {
		return
	}
	if len(chain) >= maxDepth {
		c.report(from, wrong("shorten the chain",
			"more than %d profiles in a row extend each other: %s -> ...", maxDepth, arrows(chain[:3])))
		return
	}
	data, err := c.data(name)
	if err != nil {
		c.report(from, c.unreadable(name, err, append(chain, name)))
		return
	}
	c.add(document{file: name, builtin: !IsFile(name)}, data, chain)
}

// data is what stands in a file or a built-in profile.
func (c *collector) data(name string) ([]byte, error) {
	switch {
	case IsFile(name) && c.ReadFile != nil:
		return c.ReadFile(name)
	case !IsFile(name) && c.Builtin != nil:
		return fs.ReadFile(c.Builtin, name+".toml")
	}
	return nil, fs.ErrNotExist
}

// unreadable says why there is nothing to read; the last of the chain is the name, the
// others lead there.
func (c *collector) unreadable(name string, err error, chain []string) problem.Problem {
	via := ""
	if len(chain) > 2 {
		via = " (" + arrows(chain) + ")"
	}
	switch {
	case !IsFile(name):
		return wrong(c.hintOfBuiltin(name), "no built-in profile of this name: %q%s", name, via)
	case errors.Is(err, fs.ErrNotExist):
		return wrong(c.hintOfFile(name, len(chain) < 2), "no such file: %q%s", name, via)
	}
	hint := "a profile is a file in TOML"
	if errors.Is(err, fs.ErrPermission) {
		hint = "see with ls -ld who may read it, and who may enter the directories above"
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the place is named already
	}
	return wrong(hint, "cannot be read: %v", err)
}

func (c *collector) hintOfBuiltin(name string) string {
	const file = "a file is named with its .toml"
	near := similar(name, c.Names())
	if c.NearFile != nil {
		if found := c.NearFile(name); found != "" {
			near = append([]string{strconv.Quote(found)}, near...)
		}
	}
	switch {
	case name == "-":
		return "a profile is not read from standard input: write it to a file, and name that"
	case len(near) > 0:
		return fmt.Sprintf("did you mean %s? %s", strings.Join(near, " or "), file)
	case len(c.Names()) > 0:
		return "built in are " + strings.Join(c.Names(), ", ") + "; " + file
	}
	return file
}

// similar are the known names, quoted, that a name nearly is or that have a part in common with it:
// claude-code for claude.
func similar(name string, known []string) []string {
	if near := source.Nearest(name, known); near != "" {
		return []string{strconv.Quote(near)}
	}
	var all []string
	parts := strings.Split(name, "-")
	for _, k := range known {
		isPart := func(part string) bool { return slices.Contains(parts, part) }
		if slices.Contains(strings.Split(k, "-"), name) || isPart(k) {
			all = append(all, strconv.Quote(k))
		}
	}
	return all
}

// hintOfFile is about a file that a profile names, or the command line itself.
func (c *collector) hintOfFile(name string, itself bool) string {
	if c.NearFile != nil {
		if near := c.NearFile(name); near != "" {
			return fmt.Sprintf("did you mean %q?", near)
		}
	}
	if itself {
		return "look for a mistake in the name"
	}
	return "a path is relative to the profile that names it"
}

func arrows(chain []string) string {
	shown := make([]string, len(chain))
	for i, name := range chain {
		shown[i] = problem.OneLine(name)
	}
	return strings.Join(shown, " -> ")
}

// add parses a document and, before it takes its place, those it extends.
func (c *collector) add(d document, data []byte, chain []string) {
	c.visited = append(c.visited, d.file)
	text, wrong := source.Read(data)
	if wrong != nil {
		c.report(Origin{File: d.file, Line: wrong.Line}, *wrong)
		return
	}
	d.source = text
	c.extends(d, append(slices.Clone(chain), d.file))
	c.documents = append(c.documents, d)
}

func (c *collector) extends(d document, chain []string) {
	value, ok := d.source.Values["extends"]
	if !ok {
		return
	}
	r := reader{document: d, report: c.report}
	names, _ := r.texts("extends", value, every(notEmpty, checkArgument))
	for _, i := range names {
		switch {
		case !IsFile(i.Text):
			c.load(i.Text, i.Origin, chain)
		case d.builtin:
			c.report(i.Origin, fileInBuiltin(i.Text))
		default:
			c.load(asFile(d.relative(i.Text)), i.Origin, chain)
		}
	}
}

func fileInBuiltin(name string) problem.Problem {
	return wrong("name a built-in profile", "a built-in profile names a file: %q", name)
}

// profile applies the documents in order and judges the result.
func (c *collector) profile(name string) (Profile, error) {
	p := c.merge(name)
	if len(c.problems) > 0 {
		return Profile{}, c.sorted()
	}
	return p, nil
}

func (c *collector) merge(name string) Profile {
	p := Default()
	p.Name = strings.TrimSuffix(path.Base(name), ".toml")
	dropped := map[string]bool{}
	for _, d := range c.documents {
		r := reader{document: d, into: &p, dropped: dropped, report: c.report, places: map[string]Rule{}, tables: tables()}
		r.drop(len(c.problems) == 0)
		r.read()
		p.Sources = append(p.Sources, d.file)
	}
	p.complete()
	p.agree(c.report)
	return p
}

// sorted puts the problems in the order of files and lines.
func (c *collector) sorted() problem.List {
	slices.SortStableFunc(c.problems, func(a, b problem.Problem) int {
		return cmp.Or(
			slices.Index(c.visited, a.File)-slices.Index(c.visited, b.File),
			a.Line-b.Line,
		)
	})
	return c.problems
}
