package storetest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// registry serves two packages, aaa and bbb, to go, npm, pip and cargo, and
// counts what is downloaded.
type registry struct {
	url   string
	files map[string][]byte
	mu    sync.Mutex
	count map[string]int
}

func newRegistry(t *testing.T) *registry {
	r := &registry{files: map[string][]byte{}, count: map[string]int{}}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.url = server.URL
	for _, name := range []string{"aaa", "bbb"} {
		r.module(name)
		r.files["/npm/"+name+".tgz"] = tgz(map[string]string{
			"package/package.json": `{"name":"` + name + `","version":"1.0.0","main":"index.js"}`, "package/index.js": "module.exports = 1\n"})
		r.wheel(name)
		r.files["/cargo/"+name+".crate"] = tgz(map[string]string{
			name + "-1.0.0/Cargo.toml": "[package]\nname = \"" + name + "\"\nversion = \"1.0.0\"\n", name + "-1.0.0/src/lib.rs": "pub fn one() -> u32 { 1 }\n"})
	}
	return r
}

func (r *registry) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	data, found := r.files[q.URL.Path]
	if !found {
		http.NotFound(w, q)
		return
	}
	r.mu.Lock()
	r.count[q.URL.Path]++
	r.mu.Unlock()
	if strings.HasSuffix(q.URL.Path, "/") {
		w.Header().Set("Content-Type", "text/html")
	}
	w.Header().Set("Cache-Control", "max-age=3600")
	_, _ = w.Write(data)
}

// downloads gives, for each tool, how often a package was sent, and forgets it.
func (r *registry) downloads(name string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []int
	for _, path := range []string{"/go/p.test/" + name + "/@v/v1.0.0.zip", "/npm/" + name + ".tgz", "/pip/" + wheelName(name), "/cargo/" + name + ".crate"} {
		all = append(all, r.count[path])
		delete(r.count, path)
	}
	return fmt.Sprint(all)
}

func (r *registry) module(name string) {
	at, mod := "/go/p.test/"+name+"/@v/", "module p.test/"+name+"\n\ngo 1.21\n"
	r.files[at+"list"] = []byte("v1.0.0\n")
	r.files[at+"v1.0.0.info"] = []byte(`{"Version":"v1.0.0","Time":"2020-01-01T00:00:00Z"}`)
	r.files[at+"v1.0.0.mod"] = []byte(mod)
	root := "p.test/" + name + "@v1.0.0/"
	r.files[at+"v1.0.0.zip"] = zipped(map[string]string{root + "go.mod": mod, root + "a.go": "package " + name + "\n\nconst One = 1\n"})
}

func wheelName(name string) string { return name + "-1.0.0-py3-none-any.whl" }

func (r *registry) wheel(name string) {
	info := name + "-1.0.0.dist-info/"
	r.files["/pip/"+wheelName(name)] = zipped(map[string]string{
		name + ".py": "one = 1\n", info + "METADATA": "Metadata-Version: 2.1\nName: " + name + "\nVersion: 1.0.0\n",
		info + "WHEEL":  "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		info + "RECORD": name + ".py,,\n" + info + "METADATA,,\n" + info + "WHEEL,,\n" + info + "RECORD,,\n"})
	r.files["/pip/simple/"+name+"/"] = []byte("<!DOCTYPE html><html><body><a href=\"/pip/" + wheelName(name) + "\">" + wheelName(name) + "</a></body></html>")
}

// settings are variables that lead the tools here.
func (r *registry) settings() []string {
	return []string{
		"GOPROXY=" + r.url + "/go", "GOSUMDB=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "CGO_ENABLED=0",
		"PIP_INDEX_URL=" + r.url + "/pip/simple/", "PIP_TRUSTED_HOST=" + strings.TrimPrefix(r.url, "http://"), "PIP_DISABLE_PIP_VERSION_CHECK=1", "npm_config_update_notifier=false",
	}
}

// manifest is a package.json that needs some packages.
func (r *registry) manifest(names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, `"`+name+`":"1.0.0"`)
	}
	return `{"name":"p","version":"1.0.0","dependencies":{` + strings.Join(all, ",") + `}}`
}

// lock is what npm ci installs for it.
func (r *registry) lock(names ...string) string {
	all := []string{`"":` + r.manifest(names...)}
	for _, name := range names {
		sum := sha512.Sum512(r.files["/npm/"+name+".tgz"])
		all = append(all, fmt.Sprintf(`"node_modules/%[1]s":{"version":"1.0.0","resolved":"%[2]s/npm/%[1]s.tgz","integrity":"sha512-%[3]s"}`, name, r.url, base64.StdEncoding.EncodeToString(sum[:])))
	}
	return `{"name":"p","version":"1.0.0","lockfileVersion":3,"requires":true,"packages":{` + strings.Join(all, ",") + `}}`
}

// index is the line of a crate in the index of a registry.
func (r *registry) index(name string) string {
	return fmt.Sprintf(`{"name":"%s","vers":"1.0.0","deps":[],"cksum":"%x","features":{},"yanked":false}`, name, sha256.Sum256(r.files["/cargo/"+name+".crate"]))
}

func zipped(files map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		w, _ := z.Create(name)
		_, _ = w.Write([]byte(files[name]))
	}
	_ = z.Close()
	return b.Bytes()
}

func tgz(files map[string]string) []byte {
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	w := tar.NewWriter(g)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_ = w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))})
		_, _ = w.Write([]byte(files[name]))
	}
	_ = w.Close()
	_ = g.Close()
	return b.Bytes()
}
