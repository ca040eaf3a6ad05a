package main

import (
	"bytes"
	_ "embed" // the page
	"html/template"
	"slices"
	"strings"

	"bwrapgen/gen/access"
	"bwrapgen/gen/plan"
	"bwrapgen/gen/profile"
)

//go:embed explain.html.tmpl
var explainPage string

// htmlPage is what the page shows.
type htmlPage struct {
	Name, About string
	Summary     []plan.Line
	Legend      []htmlAccess
	Roots       []*htmlNode
	Variables   []htmlVariable
	Set         []string
	Limits      []string
}

// htmlAccess is a colour, and what it says.
type htmlAccess struct{ Class, Means string }

// htmlVariable is one that the command may have of the caller's.
type htmlVariable struct {
	Name  string
	Login bool
}

// htmlNode is a place in the tree. One that is there for what is below it has no class.
type htmlNode struct {
	Label, Class, What, Reason string
	Moved                      string // the expression, where a variable can move the place
	Children                   []*htmlNode
}

// Open says whether the page shows at once what is below.
func (n *htmlNode) Open() bool { return len(n.Children) <= 12 }

// colours are those of the tree, from the least to the most.
func colours() []htmlAccess {
	return []htmlAccess{
		{"nothing", "not there"},
		{"hidden", "covered: it cannot be read"},
		{"link", "a link"},
		{"own", "the sandbox's own"},
		{"read", "the host's, read-only"},
		{"view", "the host's; changes stay apart"},
		{"write", "the host's, writable"},
	}
}

// html tells a plan on a page that stands alone: no script, nothing from elsewhere.
func html(p plan.Plan) ([]byte, error) {
	t, err := template.New("page").Parse(explainPage)
	if err != nil {
		return nil, err
	}
	page := htmlPage{
		Name: visible(p.Name), About: visible(p.About), Legend: colours(), Roots: htmlTree(access.Of(p)), Limits: notProtected(p),
	}
	for _, l := range p.Summary() {
		page.Summary = append(page.Summary, plan.Line{Subject: l.Subject, Words: visible(l.Words)})
	}
	for _, name := range p.Environ.Pass {
		page.Variables = append(page.Variables, htmlVariable{visible(name), p.Environ.Login(name)})
	}
	for _, v := range p.Environ.Set {
		page.Set = append(page.Set, visible(v.Name))
	}
	var b bytes.Buffer
	err = t.Execute(&b, page)
	return b.Bytes(), err
}

// htmlTree arranges places below each other, as they usually are, without the variables
// that may move them. Of two at a place, the later covers the earlier.
func htmlTree(all []access.Entry) []*htmlNode {
	top := &htmlNode{}
	for _, s := range all {
		usual := s.At.Usual().String()
		node := top
		for _, label := range labels(usual) {
			node = node.child(visible(label))
		}
		node.Class, node.What = colours()[s.Shows].Class, visible(s.Full())
		var reasons []string
		for _, text := range []string{s.From, s.Why} {
			if text != "" {
				reasons = append(reasons, visible(text))
			}
		}
		node.Reason = strings.Join(reasons, ": ")
		node.Moved = ""
		if at := s.At.String(); at != usual {
			node.Moved = visible(at)
		}
	}
	return top.Children
}

// labels are the parts of a path: its beginning, and then name by name.
func labels(path string) []string {
	if path == "/" {
		return []string{"/"}
	}
	parts := strings.Split(path, "/")
	if parts[0] == "" {
		parts[0] = "/"
	}
	return parts
}

// child finds the place of a name below, and makes it.
func (n *htmlNode) child(label string) *htmlNode {
	for _, c := range n.Children {
		if c.Label == label {
			return c
		}
	}
	c := &htmlNode{Label: label}
	n.Children = append(n.Children, c)
	slices.SortStableFunc(n.Children, func(a, b *htmlNode) int { return strings.Compare(a.Label, b.Label) })
	return c
}

// notProtected says what this sandbox does not protect from.
func notProtected(p plan.Plan) []string {
	var all []string
	if p.Project.Access == profile.AccessWrite {
		all = append(all, "The project can be changed: sources, build files, tests. Look at the changes before you build or run it outside.")
	}
	if p.Network != profile.NetworkNone {
		all = append(all, "What the command can read, it can send to whatever it can reach.")
	}
	if p.Kernel.NestedUserns {
		all = append(all, "In a namespace of its own the command can undo what is protected or hidden in the project.")
	}
	if p.Limits == (profile.Limits{KillAfter: p.Limits.KillAfter, MaxTimeout: p.Limits.MaxTimeout}) {
		all = append(all, "Memory, processes, disk and time are not limited.")
	}
	return append(all,
		"The command talks to the host's kernel: a bug there, or in bubblewrap, can let it out. A sandbox is no virtual machine.",
		"What the host replaces or mounts while the command runs may be seen.")
}
