package golden

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"bwrapgen/gen/host"
)

// Case is a profile, and what comes of it.
type Case struct {
	Name    string
	Archive *txtar.Archive
	folder  string // where host.json is
}

// Names are those of the cases in a folder, this one.
func Names(folder string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "cases/*.txtar"))
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), ".txtar")
	}
	return files, err
}

// Read reads a case.
func Read(folder, name string) (Case, error) {
	archive, err := txtar.ParseFile(filepath.Join(folder, "cases", name+".txtar"))
	return Case{name, archive, folder}, err
}

// Section gives a file of the case, and nothing for one that is not there.
func (c Case) Section(name string) []byte {
	for _, f := range c.Archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// ReadFile is Section for what reads profiles.
func (c Case) ReadFile(name string) ([]byte, error) {
	if data := c.Section(name); data != nil {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

// Fails reports whether the profile must be refused.
func (c Case) Fails() bool { return c.Section("problems") != nil }

// Hosts are the machines that the launcher is made for. A case says only in what
// they differ from host.json.
func (c Case) Hosts() ([]host.Facts, error) {
	var all []host.Facts
	for _, f := range c.Archive.Files {
		if strings.HasPrefix(f.Name, "host") {
			facts, err := patched(c.folder, f.Data)
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %v", c.Name, f.Name, err)
			}
			all = append(all, facts)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	facts, err := patched(c.folder, []byte("{}"))
	return []host.Facts{facts}, err
}

// patched is host.json with some changes, in which null takes a key away. With
// another version of bwrap come the options of that version.
func patched(folder string, changes []byte) (host.Facts, error) {
	var facts, patch map[string]any
	text, err := os.ReadFile(filepath.Join(folder, "host.json"))
	if err != nil {
		return host.Facts{}, err
	}
	if err := json.Unmarshal(text, &facts); err != nil {
		return host.Facts{}, err
	}
	if err := json.Unmarshal(changes, &patch); err != nil {
		return host.Facts{}, err
	}
	merge(facts, patch)
	if b, other := patch["bwrap"].(map[string]any); other && b["version"] != nil {
		help, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("testdata/help-%v.txt", b["version"])))
		if err != nil {
			return host.Facts{}, err
		}
		facts["bwrap"].(map[string]any)["options"] = options(string(help))
	}
	if text, err = json.Marshal(facts); err != nil {
		return host.Facts{}, err
	}
	return host.Read(text)
}

func merge(to, from map[string]any) {
	for key, value := range from {
		inner, deeper := value.(map[string]any)
		old, had := to[key].(map[string]any)
		switch {
		case value == nil:
			delete(to, key)
		case deeper && had:
			merge(old, inner)
		default:
			to[key] = value
		}
	}
}

// options are those that a --help lists.
func options(help string) []string {
	seen := map[string]bool{}
	for line := range strings.Lines(help) {
		if words := strings.Fields(line); len(words) > 0 && strings.HasPrefix(words[0], "--") {
			seen[words[0]] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}
