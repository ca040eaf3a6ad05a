package inside

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"
)

// ServiceNames are what services answers to, by https.
var ServiceNames = []string{"git.test", "npm.test", "go.six.test"}

// services are servers of the usual clients, in a network in which other things listen on
// nothing, until its parent ends: a repository by https and ssh, a registry of npm, a proxy
// of Go's modules, and on this loopback a proxy for all of them at an address. The first
// argument is a directory, into which the certificate goes when all of them listen.
func services(arguments []string) error {
	if len(arguments) != 3 {
		return errUnknown
	}
	if err := endWithParent(); err != nil {
		return err
	}
	directory, repository, behind := arguments[0], arguments[1], arguments[2]
	certificate, text, err := certify()
	if err != nil {
		return err
	}
	key, err := ssh.NewSignerFromKey(certificate.PrivateKey)
	if err != nil {
		return err
	}
	secure, err := tls.Listen("tcp", ":443", &tls.Config{Certificates: []tls.Certificate{certificate}, NextProtos: []string{"http/1.1"}})
	if err != nil {
		return err
	}
	shells, err := net.Listen("tcp", ":22")
	if err != nil {
		return err
	}
	proxies, err := net.Listen("tcp", "127.0.0.1:3128")
	if err != nil {
		return err
	}
	broken := make(chan error)
	go func() { broken <- http.Serve(secure, shop(repository)) }()
	go func() { broken <- http.Serve(proxies, forward(behind)) }()
	go func() { broken <- shell(shells, key, repository) }()
	whole := filepath.Join(directory, "certificate")
	if err := errors.Join(os.WriteFile(whole+".new", text, 0o644), os.Rename(whole+".new", whole)); err != nil {
		return err
	}
	return <-broken
}

// certify makes a certificate that speaks for itself.
func certify() (tls.Certificate, []byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "services"}, DNSNames: ServiceNames,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, text, nil
}

// shop answers by https.
func shop(repository string) http.Handler {
	mux := http.NewServeMux()
	git, _ := exec.LookPath("git")
	mux.Handle("git.test/", &cgi.Handler{Path: git, Args: []string{"http-backend"}, Env: append(gitEnvironment(), "GIT_PROJECT_ROOT="+repository, "GIT_HTTP_EXPORT_ALL=1")})
	mux.HandleFunc("npm.test/parcel", func(w http.ResponseWriter, _ *http.Request) {
		version := map[string]any{"name": "parcel", "version": "1.0.0", "dist": map[string]string{"tarball": "https://npm.test/parcel/-/parcel-1.0.0.tgz"}}
		_ = json.NewEncoder(w).Encode(map[string]any{"name": "parcel", "dist-tags": map[string]string{"latest": "1.0.0"}, "versions": map[string]any{"1.0.0": version}})
	})
	mux.HandleFunc("npm.test/parcel/-/parcel-1.0.0.tgz", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(tarball()) })
	const module = "go.six.test/example.org/parcel/@v/"
	for name, text := range map[string]string{"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": "module example.org/parcel\n", "v1.0.0.zip": zipped()} {
		mux.HandleFunc(module+name, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	return mux
}

func gitEnvironment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}
}

func tarball() []byte {
	var b bytes.Buffer
	compressed := gzip.NewWriter(&b)
	archive := tar.NewWriter(compressed)
	text := `{"name":"parcel","version":"1.0.0"}`
	_ = archive.WriteHeader(&tar.Header{Name: "package/package.json", Mode: 0o644, Size: int64(len(text))})
	_, _ = io.WriteString(archive, text)
	_ = errors.Join(archive.Close(), compressed.Close())
	return b.Bytes()
}

func zipped() string {
	var b strings.Builder
	archive := zip.NewWriter(&b)
	for name, text := range map[string]string{"go.mod": "module example.org/parcel\n", "parcel.go": "package parcel\n"} {
		w, err := archive.Create("example.org/parcel@v1.0.0/" + name)
		if err == nil {
			_, _ = io.WriteString(w, text)
		}
	}
	_ = archive.Close()
	return b.String()
}

// forward connects to a port of an address, whatever name it is asked for.
func forward(address string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, port, err := net.SplitHostPort(r.Host)
		if r.Method != http.MethodConnect || err != nil {
			http.Error(w, "this proxy connects, and no more", http.StatusMethodNotAllowed)
			return
		}
		to, err := net.Dial("tcp", net.JoinHostPort(address, port))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		from, ahead, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() {
			_, _ = io.Copy(to, ahead)
			_ = to.Close()
		}()
		_, _ = io.Copy(from, to)
		_ = from.Close()
	})
}

// shell runs git-upload-pack for whoever connects by ssh.
func shell(l net.Listener, key ssh.Signer, repository string) error {
	config := &ssh.ServerConfig{NoClientAuth: true}
	config.AddHostKey(key)
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			_, channels, requests, err := ssh.NewServerConn(c, config)
			if err != nil {
				return
			}
			go ssh.DiscardRequests(requests)
			for offered := range channels {
				channel, asked, err := offered.Accept()
				if err == nil {
					go upload(channel, asked, repository)
				}
			}
		}()
	}
}

func upload(channel ssh.Channel, asked <-chan *ssh.Request, repository string) {
	for r := range asked {
		_ = r.Reply(r.Type == "exec" || r.Type == "env", nil)
		if r.Type != "exec" {
			continue
		}
		c := exec.Command("git", "upload-pack", repository)
		c.Env, c.Stdout, c.Stderr = gitEnvironment(), channel, channel.Stderr()
		input, err := c.StdinPipe()
		if err == nil {
			err = c.Start()
		}
		status := 1
		if err == nil {
			go func() { _, _ = io.Copy(input, channel); _ = input.Close() }()
			_ = c.Wait()
			status = c.ProcessState.ExitCode()
		}
		_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{uint32(status)}))
		_ = channel.Close()
	}
}
