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
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missing(err, "look for a mistake in the name")
	case errors.Is(err, fs.ErrPermission):
		return "see with ls -ld who may, there and in the directories above"
	case errors.Is(err, syscall.EISDIR):
		return "name a file in it"
	case errors.Is(err, syscall.ELOOP):
		return "see with ls -l where the link leads: it comes back to itself"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "name it shorter: a name has 255 bytes at most, a path 4095"
	case errors.Is(err, syscall.EFBIG):
		return "nothing that bwrapgen reads is larger than 16 MiB: name another file"
	case errors.Is(err, syscall.ENOTDIR):
		return "a directory on the way to it is a file: name another place"
	case errors.Is(err, errIrregular):
		return "name a file, or write <(COMMAND) for what a command says"
	case errors.Is(err, syscall.EROFS):
		return "name a place that can be written to"
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "make room"
	}
	return ""
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
