package sandboxtest

import (
	"path/filepath"
	"strings"
	"testing"

	"bwrapgen/cmd/harness"
	"bwrapgen/cmd/harness/inside"
)

// serving starts servers of the usual clients, which have a certificate of their own: $1 is
// the program for inside, $2 the project.
const serving = abroad + `
	"$1" services "$2" "$2" 198.51.100.7 >/dev/null 2>&1 </dev/null &
	until [ -e "$2/certificate" ]; do sleep 0.05; done
	mount -t tmpfs none /etc
`

// trusting has clients believe that certificate.
const trusting = `set -e
	export GIT_SSL_CAINFO=$PWD/certificate NODE_EXTRA_CA_CERTS=$PWD/certificate SSL_CERT_FILE=$PWD/certificate CURL_CA_BUNDLE=$PWD/certificate
`

// TestClients: git by https and by ssh, npm and go fetch what they are asked for, over IPv4
// and IPv6.
func TestClients(t *testing.T) {
	t.Parallel()
	if !guarded(t) || !opening(t, private) {
		return
	}
	for _, program := range []string{"git", "ssh", "npm", "go"} {
		harness.Need(t, program)
	}
	const allowed = "extends = [\"default\"]\n[network]\nmode = \"allow\"\nallow = [\"git.test:443\", \"git.test:22\", \"npm.test:443\", \"go.six.test:443\"]\n"
	const prepare = serving + `
		"$1" names >/dev/null 2>&1 </dev/null &
		until "$1" hear tcp ` + inside.Answer + `:7000 >/dev/null; do sleep 0.05; done
		echo nameserver ` + inside.Server + ` >/etc/resolv.conf`
	const do = trusting + `
		git clone -q https://git.test/.git by-https
		cat by-https/file
		export GIT_SSH_COMMAND='ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR'
		git clone -q ssh://git@git.test/p by-ssh
		cat by-ssh/file
		mkdir by-npm by-go
		cd by-npm
		echo '{}' >package.json
		npm install --silent --no-audit --no-fund --no-update-notifier --registry=https://npm.test/ parcel
		cat node_modules/parcel/package.json
		cd ../by-go
		printf 'module m\n\nrequire example.org/parcel v1.0.0\n' >go.mod
		export GOPROXY=https://go.six.test GONOSUMDB='*' GOMODCACHE=$PWD/mods GOFLAGS=-modcacherw GOTOOLCHAIN=local
		go mod download
		cat mods/example.org/parcel@v1.0.0/parcel.go`
	const want = "project\nproject\n" + `{"name":"parcel","version":"1.0.0"}` + "package parcel\n"
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for _, text := range []string{private, allowed} {
			w := newWorld(t, s)
			l := w.launch(t, text)
			r := l.InNetwork(prepare, filepath.Join(l.programs, inside.Name), w.Project).Run(t, "bash", "-c", do)
			if r.Status != 0 || r.Stdout != want || r.Stderr != "" {
				t.Errorf("%s: %d, %q, it said %s", text, r.Status, r.Stdout, r.Stderr)
			}
		}
	})
}

// TestProxied: git and curl go by a proxy of this host's, which knows names that nothing
// inside does, and by no other way.
func TestProxied(t *testing.T) {
	t.Parallel()
	const proxied = "proxy = \"http://127.0.0.1:3128\"\n"
	if !guarded(t) || !opening(t, private+"\n"+proxied) {
		return
	}
	harness.Need(t, "curl")
	const do = trusting + `
		git clone -q https://git.test/.git by-proxy
		cat by-proxy/file
		curl -sS https://npm.test/parcel | head -c 16
		! curl -sS --noproxy '*' --connect-timeout 2 https://npm.test/parcel 2>/dev/null`
	harness.Newest(t, func(t *testing.T, s harness.Setting) {
		for _, text := range []string{private, "extends = [\"default\"]\n[network]\nmode = \"allow\""} {
			w := newWorld(t, s)
			l := w.launch(t, text+"\n"+proxied)
			r := l.InNetwork(serving, filepath.Join(l.programs, inside.Name), w.Project).Run(t, "bash", "-c", do)
			said := strings.HasSuffix(text, `"allow"`) == strings.Contains(r.Stderr, "asked for npm.test")
			if r.Status != 0 || r.Stdout != "project\n"+`{"dist-tags":{"l` || !said {
				t.Errorf("%s: %d, %q, it said %s", text, r.Status, r.Stdout, r.Stderr)
			}
		}
	})
}
