package readmetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSchema: taplo, by which editors check TOML, accepts the built-in profiles by the
// schema that bwrapgen prints, and says what is wrong with a wrong one, and where.
func TestSchema(t *testing.T) {
	taplo := filepath.Join(ofNPM(t), "bin", "taplo")
	dir := t.TempDir()
	schema := filepath.Join(dir, "bwrapgen.schema.json")
	text := run(t, root, os.Environ(), "go", "run", "./cmd/bwrapgen", "profiles", "schema")
	if err := os.WriteFile(schema, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	check := func(files ...string) (string, error) {
		words := append([]string{"check", "--colors", "never", "--no-auto-config", "--schema", "file://" + schema}, files...)
		out, err := exec.Command(taplo, words...).CombinedOutput()
		return string(out), err
	}
	builtin, err := filepath.Glob(root + "/profiles/*.toml")
	if err != nil || len(builtin) == 0 {
		t.Fatalf("no profiles: %v", err)
	}
	if said, err := check(builtin...); err != nil {
		t.Errorf("the built-in profiles: %v: %s", err, said)
	}

	wrong := []struct{ profile, at, says string }{
		{`abuot = "x"`, "1:1", `'abuot' was unexpected`},
		{`extends = "base"`, "1:11", `"base" is not of type "array"`},
		{`project.acess = "read"`, "1:9", `'acess' was unexpected`},
		{`project.access = "rad"`, "1:18", `"rad" is not one of ["write","read","overlay"]`},
		{`filesystem.read = [{ at = "/x" }]`, "1:20", `{"at":"/x"} is not valid`},
		{`filesystem.read = [{ path = "/x", wy = "y" }]`, "1:20", `{"path":"/x","wy":"y"} is not valid`},
		{`filesystem.credential = ["/x"]`, "1:26", `"/x" is not of type "object"`},
		{`toolchains.use = "some"`, "1:18", `"some" is not valid`},
		{`caches.go.mode = "rd"`, "1:18", `"rd" is not one of ["ephemeral","keep","session","read","write","none"]`},
		{`limits.processes = -1`, "1:20", `-1 is less than the minimum of 0`},
		{`sockets.pass = ["ssh"]`, "1:17", `"ssh" is not one of ["ssh-agent",`},
		{`drop.project.root = ["x"]`, "1:14", `'root' was unexpected`},
		{`kernel.nested-userns = "yes"`, "1:24", `"yes" is not of type "boolean"`},
	}
	var files []string
	for i, w := range wrong {
		files = append(files, filepath.Join(dir, fmt.Sprintf("wrong-%d.toml", i)))
		if err := os.WriteFile(files[i], []byte(w.profile+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	said, err := check(files...)
	if err == nil {
		t.Error("taplo accepts what is wrong")
	}
	for i, w := range wrong {
		told := func(problem string) bool {
			return strings.Contains(problem, w.says) && strings.Contains(problem, fmt.Sprintf("/wrong-%d.toml:%s\n", i, w.at))
		}
		if !slices.ContainsFunc(strings.Split(said, "error: "), told) {
			t.Errorf("%s: taplo does not say %q in %s:\n%s", w.profile, w.says, w.at, said)
		}
	}
}
