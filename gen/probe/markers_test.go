package probe_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"testing"

	"bwrapgen/gen/host"
)

func TestMarkers(t *testing.T) {
	for _, test := range []struct {
		name    string
		tree    []string
		markers []string
		want    []string
	}{
		{"in the project", []string{"/p/go.mod"}, []string{"go.mod", "Cargo.toml"}, []string{"go.mod"}},
		{"sorted", []string{"/p/b", "/p/a"}, []string{"b", "a"}, []string{"a", "b"}},
		{"in a folder", []string{"/p/web/package.json"}, []string{"package.json"}, []string{"package.json"}},
		{"a package of a workspace", []string{"/p/apps/web/package.json"}, []string{"package.json"}, []string{"package.json"}},
		{"of one of some repositories", []string{"/p/repository/apps/web/package.json"}, []string{"package.json"}, []string{"package.json"}},
		{"too deep", []string{"/p/a/b/c/d/go.mod"}, []string{"go.mod"}, nil},
		{"beside", []string{"/go.mod", "/p/"}, []string{"go.mod"}, nil},
		{"hidden folder", []string{"/p/.cache/go.mod"}, []string{"go.mod"}, nil},
		{"hidden marker", []string{"/p/.nvmrc"}, []string{".nvmrc"}, []string{".nvmrc"}},
		{"node_modules", []string{"/p/node_modules/go.mod"}, []string{"go.mod"}, nil},
		{"vendor", []string{"/p/vendor/go.mod"}, []string{"go.mod"}, nil},
		{"linked folder", []string{"/q/go.mod", "/p/q -> /q"}, []string{"go.mod"}, nil},
		{"linked marker", []string{"/p/go.mod -> gone"}, []string{"go.mod"}, []string{"go.mod"}},
		{"directory", []string{"/p/.git/"}, []string{".git"}, []string{".git"}},
		{"leading star", []string{"/p/x.csproj"}, []string{"*.csproj"}, []string{"*.csproj"}},
		{"trailing star", []string{"/p/sub/build.gradle.kts"}, []string{"build.gradle*"}, []string{"build.gradle*"}},
		{"two dots", []string{"/p/x.pkr.hcl", "/p/y.hcl"}, []string{"*.pkr.hcl", "*.x.hcl"}, []string{"*.pkr.hcl"}},
		{"star behind the last dot", []string{"/p/a.config.ts"}, []string{"a.config.*", "a.t*", "a.config.t*"}, []string{"a.config.*", "a.config.t*"}},
		{"nothing but the ending", []string{"/p/.csproj"}, []string{"*.csproj"}, []string{"*.csproj"}},
		{"other letters", []string{"/p/x.CSPROJ"}, []string{"*.csproj"}, nil},
		{"middle star", []string{"/p/requirements-dev.txt"}, []string{"requirements*.txt"}, []string{"requirements*.txt"}},
		{"a manifest that names it", []string{"/p/web/package.json = {\"x\": \"playwright\"}"}, []string{"package.json:playwright", "package.json:cypress"}, []string{"package.json:playwright"}},
		{"one of several manifests", []string{"/p/requirements-a.txt = x", "/p/requirements-b.txt = y"}, []string{"requirements*.txt:y"}, []string{"requirements*.txt:y"}},
		{"a manifest that does not name it", []string{"/p/requirements.txt = x"}, []string{"requirements*.txt:y"}, nil},
		{"an environment of Python", []string{"/p/.venv/pyvenv.cfg"}, []string{"pyvenv.cfg"}, []string{"pyvenv.cfg"}},
		{"no match", []string{"/p/requirements"}, []string{"requirements*.txt"}, nil},
		{"odd name", []string{"/p/a\nb\xff"}, []string{"a\nb\xff"}, []string{"a\nb\xff"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := ask(t, on(tree(t, test.tree...)), host.Question{Markers: test.markers, Project: "/p"})
			if !reflect.DeepEqual(f.Markers, test.want) {
				t.Errorf("got %q, want %q", f.Markers, test.want)
			}
		})
	}
}

func TestMarkersWithoutProject(t *testing.T) {
	if f := ask(t, on(tree(t, "/go.mod")), host.Question{Markers: []string{"go.mod"}}); f.Markers != nil {
		t.Errorf("got %q", f.Markers)
	}
}

// TestFind: files are named by their paths in the project, as deep as markers are found.
func TestFind(t *testing.T) {
	h := on(tree(t, "/p/.env", "/p/.env.example", "/p/apps/web/.env", "/p/node_modules/x/.env", "/p/a/b/c/server.key", "/p/a/b/c/d/.env"))
	got := h.Find(filepath.Join(h.Root, "p"), []string{".env", "*.key"})
	if want := []string{".env", "a/b/c/server.key", "apps/web/.env"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The search is bounded: in folders, and in names of one directory.
func TestMarkersOfGiants(t *testing.T) {
	var names []string
	for i := range 1000 {
		names = append(names, fmt.Sprintf("/p/f%03d/", i))
	}
	root := tree(t, append(names, "/p/f998/seen", "/p/f999/unseen", "/p/f000/below/unseen")...)
	f := ask(t, on(root), host.Question{Markers: []string{"seen", "unseen"}, Project: "/p"})
	if want := []string{"seen"}; !reflect.DeepEqual(f.Markers, want) {
		t.Errorf("got %q, want %q", f.Markers, want)
	}

	names = nil
	for i := range 5000 {
		names = append(names, fmt.Sprintf("/p/%04d", i))
	}
	root = tree(t, append(names, "/p/go.mod")...)
	f = ask(t, on(root), host.Question{Markers: []string{"go.mod", "none"}, Project: "/p"})
	if want := []string{"go.mod"}; !reflect.DeepEqual(f.Markers, want) {
		t.Errorf("got %q, want %q", f.Markers, want)
	}
}
