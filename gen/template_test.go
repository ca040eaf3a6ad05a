package gen

import (
	"io/fs"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template/parse"

	"bwrapgen/templates"
)

// TestTemplateFunctions finds functions that no template uses, and templates
// that use one of text/template's own, but for not: a comparison there is a
// field that the view lacks.
func TestTemplateFunctions(t *testing.T) {
	used := map[string]bool{}
	for _, partial := range partials().Templates() {
		if partial.Tree != nil {
			identifiers(reflect.ValueOf(partial.Tree.Root), used)
		}
	}
	delete(used, "not")
	got, want := slices.Sorted(maps.Keys(used)), slices.Sorted(maps.Keys(functions()))
	if !slices.Equal(got, want) {
		t.Errorf("templates use %q, and functions are %q", got, want)
	}
}

// identifiers collects the names of functions below a node, which has children
// of many types.
func identifiers(v reflect.Value, used map[string]bool) {
	switch v.Kind() {
	case reflect.Interface:
		identifiers(v.Elem(), used)
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*parse.Tree]() {
			return
		}
		if n, ok := v.Interface().(*parse.IdentifierNode); ok {
			used[n.Ident] = true
			return
		}
		identifiers(v.Elem(), used)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				identifiers(v.Field(i), used)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			identifiers(v.Index(i), used)
		}
	}
}

// TestPartialsUsed finds a partial that no other includes.
func TestPartialsUsed(t *testing.T) {
	all := partials()
	var text strings.Builder
	for _, partial := range all.Templates() {
		if partial.Tree != nil {
			text.WriteString(partial.Tree.Root.String())
		}
	}
	for _, partial := range all.Templates() {
		if name := partial.Name(); name != "" && name != "launcher.sh.tmpl" && !strings.Contains(text.String(), `{{template "`+name+`"`) {
			t.Errorf("%s is never included", name)
		}
	}
}

// TestRulesUsed finds what a launcher may hold, and no template does: a rule that
// nobody needs would let a mistake pass.
func TestRulesUsed(t *testing.T) {
	text := regexp.MustCompile(`(?m)^\s*#.*$`).ReplaceAllString(templateText(t), "")
	r := Rules()
	for _, command := range slices.Concat(r.Builtins, r.Programs) {
		word := regexp.MustCompile(`(?m)(^|[\s;(&|])` + regexp.QuoteMeta(command) + `($|[\s;)])`)
		if command != "ulimit" && !word.MatchString(text) { // that one comes with the view
			t.Errorf("no template has the command %s", command)
		}
	}
	for _, function := range r.MaySubstitute {
		if !regexp.MustCompile(`(?m)^\s*` + function + `\(\) `).MatchString(text) {
			t.Errorf("no template has the function %s", function)
		}
	}
	for _, glob := range r.Globs {
		if !strings.Contains(text, glob) {
			t.Errorf("no template has the glob %s", glob)
		}
	}
}

// templateText is that of all partials of the script.
func templateText(t *testing.T) string {
	t.Helper()
	names, err := fs.Glob(templates.FS, "*.sh.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, name := range names {
		text, err := templates.FS.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
