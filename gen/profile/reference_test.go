package profile

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"bwrapgen/gen/source"
)

// TestReference: the reference tells of every key and of no other, says what each
// value of a closed set means; its examples are accepted, and are printed as they are read.
func TestReference(t *testing.T) {
	all, err := Reference()
	if err != nil {
		t.Fatal(err)
	}
	text, wrong := source.Read(referenceText)
	if wrong != nil {
		t.Fatal(wrong.What)
	}
	for key := range text.Values {
		if !slices.ContainsFunc(all, func(d KeyDoc) bool { return d.Key == key }) {
			t.Errorf("reference.toml tells of %s, which is no key", key)
		}
	}
	var p Profile
	for _, f := range fields(&p) {
		d := all[slices.IndexFunc(all, func(d KeyDoc) bool { return d.Key == f.key })]
		for _, value := range f.words {
			if !strings.Contains(d.Meaning, "`"+value+"`") {
				t.Errorf("%s: the meaning does not say what `%s` is", f.key, value)
			}
		}
	}
	for _, d := range all {
		if d.Meaning == "" || d.Type == "" || !strings.HasSuffix(d.Meaning, ".") {
			t.Errorf("%s: %q: a meaning is a sentence", d.Key, d.Meaning)
		}
		example, err := Parse("try.toml", []byte(d.profile()), exampleLoader())
		if err != nil {
			t.Errorf("%s: the example is refused: %v\n%s", d.Key, err, d.profile())
		}
		resolvesTo(t, example)
	}
}

// profile is one that has the example in it.
func (d KeyDoc) profile() string {
	table, _, nested := strings.Cut(d.Key, ".")
	beside := map[string]string{
		"network.allow":     "mode = \"allow\"\n",
		"network.publish":   "mode = \"private\"\n",
		"network.reach":     "mode = \"private\"\n",
		"network.proxy":     "mode = \"private\"\n",
		"confirm.allow-yes": "mode = \"always\"\n",
		"sockets.talk":      "pass = [\"dbus\"]\n",
		"sockets.own":       "pass = [\"dbus\"]\n",
	}
	switch {
	case d.Key == "drop":
		return "extends = [\"parent\"]\n" + d.Example
	case table == "entry":
		return "[filesystem]\n" + d.Example
	case table == "expect":
		return d.Example
	case nested:
		return "[" + table + "]\n" + beside[d.Key] + d.Example
	}
	return d.Example
}

func exampleLoader() Loader {
	return Loader{Builtin: fstest.MapFS{
		"default.toml": {},
		"parent.toml":  {Data: []byte(`filesystem.read = ["~/.gitconfig"]`)},
	}}
}

// TestJSONSchema: the built-in profiles and the examples fit the schema, and what is
// wrong in a profile does not.
func TestJSONSchema(t *testing.T) {
	schema := decoded(t)
	check := func(text string) error {
		read, wrong := source.Read([]byte(text))
		if wrong != nil {
			t.Fatal(wrong.What)
		}
		return fits(schema, schema, read.Values, "")
	}
	files, err := fs.Glob(os.DirFS("../../profiles"), "*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no profiles: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile("../../profiles/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(string(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	all, err := Reference()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if err := check(d.profile()); err != nil {
			t.Errorf("%s: %v", d.Key, err)
		}
	}
	for _, wrong := range []string{
		`abuot = "x"`, `about = 1`, `extends = "base"`, `project.acess = "read"`, `project.access = "rad"`,
		`project.report = 1`, `filesystem.read = "/opt"`, `filesystem.read = [1]`, `filesystem.read = [{ at = "/x" }]`,
		`filesystem.read = [{ path = "/x", wy = "y" }]`, `filesystem.credential = ["/x"]`, `filesystem.link = { a = 1 }`,
		`toolchains.use = "some"`, `caches.go.mod = "read"`, `caches.go.mode = "rd"`, `limits.processes = -1`,
		`sockets.pass = ["ssh"]`, `environment.set = { A = { pth = "/x" } }`, `drop.project.root = ["x"]`, `drop.about = ["x"]`,
		`expect = [{ path = "~/a", iss = "readable" }]`, `expect = [{ path = "~/a", is = "read" }]`, `expect = { path = "~/a" }`,
	} {
		if check(wrong) == nil {
			t.Errorf("this fits the schema: %s", wrong)
		}
	}
}

func decoded(t *testing.T) map[string]any {
	t.Helper()
	schema, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(schema)
	if err != nil {
		t.Fatal(err)
	}
	var plain map[string]any
	if err := json.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	return plain
}

// fits holds a value against the words of JSON Schema that profiles need.
func fits(root, schema map[string]any, value any, at string) error {
	if ref, ok := schema["$ref"].(string); ok {
		name := strings.TrimPrefix(ref, "#/$defs/")
		return fits(root, root["$defs"].(map[string]any)[name].(map[string]any), value, at)
	}
	if all, ok := schema["anyOf"].([]any); ok {
		var err error
		for _, one := range all {
			if err = fits(root, one.(map[string]any), value, at); err == nil {
				return nil
			}
		}
		return err
	}
	if values, ok := schema["enum"].([]any); ok && !slices.Contains(values, value) {
		return fmt.Errorf("%s: not one of %q", at, values)
	}
	switch value := value.(type) {
	case map[string]any:
		return fitsTable(root, schema, value, at)
	case []any:
		if err := wants(schema, "array", at); err != nil {
			return err
		}
		for _, one := range value {
			if err := fits(root, schema["items"].(map[string]any), one, at); err != nil {
				return err
			}
		}
		return nil
	case string:
		return wants(schema, "string", at)
	case bool:
		return wants(schema, "boolean", at)
	case int64:
		if least, ok := schema["minimum"].(float64); ok && float64(value) < least {
			return fmt.Errorf("%s: below %v", at, least)
		}
		return wants(schema, "integer", at)
	}
	return fmt.Errorf("%s: a %T", at, value)
}

func wants(schema map[string]any, kind, at string) error {
	if schema["type"] != nil && schema["type"] != kind {
		return fmt.Errorf("%s: not of the type %v", at, schema["type"])
	}
	return nil
}

func fitsTable(root, schema map[string]any, value map[string]any, at string) error {
	if err := wants(schema, "object", at); err != nil {
		return err
	}
	known, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if _, ok := value[name.(string)]; !ok {
			return fmt.Errorf("%s: lacks %v", at, name)
		}
	}
	for name, inner := range value {
		one, ok := known[name].(map[string]any)
		if !ok {
			one, ok = schema["additionalProperties"].(map[string]any)
		}
		if !ok {
			return fmt.Errorf("%s.%s: unknown", at, name)
		}
		if err := fits(root, one, inner, at+"."+name); err != nil {
			return err
		}
	}
	return nil
}
