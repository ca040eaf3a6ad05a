package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"bwrapgen/gen/expr"
)

// maxFile is more than any profile, list of facts or launcher has.
const maxFile = 16 << 20

// errIrregular is why a file is not read.
var errIrregular = errors.New("not a regular file")

// readFile reads a file, whose name may begin with ~/.
func (a app) readFile(name string) ([]byte, error) {
	return readFile(a.expand(name))
}

// readNamed reads a file, or standard input where the name is -: ssh HOST bwrapgen probe.
func (a app) readNamed(name string) ([]byte, error) {
	if name == "-" {
		return a.input()
	}
	return a.readFile(name)
}

// readFile reads a file. A pipe or a device may never say anything, so none is
// opened; what is open already, as bash has it for <(COMMAND), is read like standard
// input.
func readFile(name string) ([]byte, error) {
	if info, err := os.Stat(name); err == nil {
		plain := info.Mode().IsRegular() || info.IsDir()
		if !plain && !isOpen(name) {
			return nil, errIrregular
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f)
}

// readAll reads what may be endless.
func readAll(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = syscall.EFBIG
	}
	return data, err
}

// isOpen reports whether a name stands for what this process has open.
func isOpen(name string) bool {
	name = filepath.Clean(name)
	return name == "/dev/stdin" || expr.Within(name, "/dev/fd") || expr.Within(name, "/proc/self/fd")
}
