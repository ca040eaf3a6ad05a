package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"bwrapgen/gen/source"
)

// failed is what the system could not do: its own words end the sentence.
func failed(err error, format string, args ...any) error {
	return cannot(remedy(err), format+": %v", append(args, reason(err))...)
}

// missing is what to do about a file that is not there: there may be one of nearly that name.
func missing(err error, otherwise string) string {
	var at *fs.PathError
	if !errors.As(err, &at) || !errors.Is(err, fs.ErrNotExist) {
		return otherwise
	}
	if near := nearFile(at.Path); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// nearFile is the file that has nearly the same name, in the same directory, if there is one.
func nearFile(name string) string {
	names, _ := readDir(filepath.Dir(name))
	near := source.Nearest(filepath.Base(name), names)
	if near == "" || filepath.Dir(name) == "." {
		return near
	}
	return filepath.Join(filepath.Dir(name), near)
}

// remedy is what to do about an error of the system's.
func remedy(err error) string {
	for _, r := range remedies {
		if errors.Is(err, r.err) {
			return missing(err, r.hint)
		}
	}
	return ""
}

var remedies = []struct {
	err  error
	hint string
}{
	{fs.ErrNotExist, "look for a mistake in the name"},
	{fs.ErrPermission, "see with ls -ld who may, there and in the directories above"},
	{syscall.EISDIR, "name a file in it"},
	{syscall.ELOOP, "see with ls -l where the link leads: it comes back to itself"},
	{syscall.ENAMETOOLONG, "name it shorter: a name has 255 bytes at most, a path 4095"},
	{syscall.EFBIG, "nothing that bwrapgen reads is larger than 16 MiB: name another file"},
	{syscall.ENOTDIR, "a directory on the way to it is a file: name another place"},
	{errIrregular, "name a file, or write <(COMMAND) for what a command says"},
	{syscall.EROFS, "name a place that can be written to"},
	{syscall.ENOSPC, "make room"},
	{syscall.EDQUOT, "make room"},
}

// reason is the innermost error: the name of the file is said already.
func reason(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
