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
	plan.Plan
	Legend      []htmlAccess
	Roots       []*htmlNode
	IsUnlimited bool
}

// htmlAccess is a colour, and what it says.
type htmlAccess struct{ Class, Means string }

// colours are those of the tree, from the least to the most.
var colours = []htmlAccess{
	{"nothing", "not there"},
	{"hidden", "covered: it cannot be read"},
	{"link", "a link"},
	{"own", "the sandbox's own"},
	{"read", "the host's, read-only"},
	{"view", "the host's; changes stay apart"},
	{"write", "the host's, writable"},
}

// htmlNode is a place in the tree. One that is there for what is below it has no entry.
type htmlNode struct {
	Label    string
	Entry    *access.Entry
	Children []*htmlNode
}

// Open says whether the page shows at once what is below.
func (n *htmlNode) Open() bool { return len(n.Children) <= 12 }

// Class is the colour.
func (n *htmlNode) Class() string {
	if n.Entry == nil {
		return ""
	}
	return colours[n.Entry.Shows].Class
}

// html tells a plan on a page that stands alone: no script, nothing from elsewhere.
func html(p plan.Plan) ([]byte, error) {
	t, err := template.New("page").Funcs(template.FuncMap{"visible": visible}).Parse(explainPage)
	if err != nil {
		return nil, err
	}
	unlimited := profile.Limits{KillAfter: p.Limits.KillAfter, MaxTimeout: p.Limits.MaxTimeout}
	var b bytes.Buffer
	if err := t.Execute(&b, htmlPage{p, colours, htmlTree(access.Of(p)), p.Limits == unlimited}); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// htmlTree arranges places below each other, as they usually are, without the variables
// that may move them. Of two at a place, the later covers the earlier.
func htmlTree(all []access.Entry) []*htmlNode {
	top := &htmlNode{}
	for _, s := range all {
		node := top
		for _, label := range labels(s.At.Usual().String()) {
			node = node.child(label)
		}
		node.Entry = &s
	}
	return top.Children
}

// labels are the parts of a path: its beginning, and then name by name.
func labels(path string) []string {
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
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
