package profile

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"bwrapgen/gen/problem"
	"bwrapgen/gen/source"
)

const maxDepth = 32 // profiles in a row that extend each other

// Loader reads profiles. Its files are the caller's.
type Loader struct {
	Builtin  fs.FS                             // holds NAME.toml for each built-in profile
	ReadFile func(name string) ([]byte, error) // reads a file; os.ReadFile will do
	NearFile func(name string) string          // a file of nearly this name, or none; may be nil
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
		c.report(from, cycle(append(chain, name)))
		return
	}
	if slices.Contains(c.visited, name) {
		return
	}
	if len(chain) >= maxDepth {
		c.report(from, tooDeep(chain))
		return
	}
	read := c.readBuiltin
	if IsFile(name) {
		read = c.readFile
	}
	data, err := read(name)
	switch {
	case err == nil:
		c.add(document{file: name, builtin: !IsFile(name)}, data, chain)
	case !IsFile(name):
		c.report(from, noSuchProfile(name, c.Names(), append(chain, name)))
	case errors.Is(err, fs.ErrNotExist):
		near := ""
		if c.NearFile != nil {
			near = c.NearFile(name)
		}
		c.report(from, noSuchFile(name, near, append(chain, name)))
	default:
		c.report(from, unreadable(err))
	}
}

func (c *collector) readFile(name string) ([]byte, error) {
	if c.ReadFile == nil {
		return nil, fs.ErrNotExist
	}
	return c.ReadFile(name)
}

func (c *collector) readBuiltin(name string) ([]byte, error) {
	if c.Builtin == nil {
		return nil, fs.ErrNotExist
	}
	return fs.ReadFile(c.Builtin, name+".toml")
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
	list, ok := value.([]any)
	if !ok {
		c.report(d.origin("extends"), wrongType(value, "a list", `extends = ["base"]`))
		return
	}
	for i, v := range list {
		from := d.origin("extends" + source.Index(i))
		name, ok := v.(string)
		switch {
		case !ok:
			c.report(from, wrongType(v, "a text", `extends = ["base"]`))
		case name == "":
			c.report(from, isEmpty("name a built-in profile or a file"))
		case checkArgument(name).What != "":
			c.report(from, hasNUL(name))
		case !IsFile(name):
			c.load(name, from, chain)
		case d.builtin:
			c.report(from, fileInBuiltin(name))
		default:
			c.load(asFile(d.relative(name)), from, chain)
		}
	}
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
		r := reader{document: d, into: &p, dropped: dropped, report: c.report, places: map[string]Origin{}}
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
