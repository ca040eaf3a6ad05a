package catalogue

import (
	"os"
	"slices"
	"strings"
	"testing"

	"bwrapgen/gen/expr"
)

// row is one place of a tool, from a list that was made apart from the catalogue.
type row struct{ tool, kind, treatment, place, why string }

func rows(t *testing.T) []row {
	t.Helper()
	text, err := os.ReadFile("testdata/rows.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var all []row
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := append(strings.Split(strings.TrimSuffix(line, "\n"), "\t"), "")
		all = append(all, row{f[0], f[1], f[2], f[3], f[4]})
	}
	return all
}

// TestRows: of every place in the list the catalogue says the same, or it is
// left out for the reason that stands there. What must not be shown is in one of
// the lists of what is never shown.
func TestRows(t *testing.T) {
	all := rows(t)
	if len(all) != 957 {
		t.Fatalf("the list has %d rows", len(all))
	}
	places := placesByList(builtin(t))
	for _, r := range all {
		kept := func(list string) bool { return r.treatment != "mask" && r.kind != "credential" || !shownLists[list] }
		found := r.in(places, kept)
		if found != (r.why == "") {
			t.Errorf("%s: %s: %s: found %v, and the reason to leave it out is %q", r.tool, r.kind, r.place, found, r.why)
		}
	}
}

// shownLists are those of what a sandbox may show.
var shownLists = map[string]bool{"toolchain": true, "path": true, "read": true, "caches": true}

func (r row) in(places map[string][]string, kept func(string) bool) bool {
	at := []string{r.place}
	if p, err := expr.Parse(r.place); err == nil {
		at = nil
		for _, p := range Places(p) {
			at = append(at, p.String())
		}
	}
	for list, all := range places {
		if kept(list) && slices.ContainsFunc(all, func(known string) bool {
			return slices.ContainsFunc(at, func(at string) bool { return Meets(at, known) })
		}) {
			return true
		}
	}
	return false
}

// placesByList are all places of the catalogue, by the list that names them.
func placesByList(c Catalogue) map[string][]string {
	all := map[string][]string{}
	add := func(list string, paths ...expr.Path) {
		for _, p := range paths {
			for _, place := range Places(p) {
				all[list] = append(all[list], place.String())
			}
		}
	}
	for _, tool := range c.Tools {
		for _, l := range lists {
			for _, e := range *l.field(&tool) {
				add(l.key, e.Path)
				add("hidden", slices.Concat(e.Masked(), e.Emptied(), e.below(e.Protect))...)
			}
		}
		for _, e := range tool.Endpoints {
			all["endpoints"] = append(all["endpoints"], e.Name)
		}
	}
	return all
}
