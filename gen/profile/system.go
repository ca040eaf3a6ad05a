package profile

import (
	"path"
	"slices"

	"bwrapgen/gen/expr"
)

// SystemDirectory reports whether an absolute path is a directory of the
// operating system or one that holds everybody's: nothing that a sandbox may
// write to as a whole. What lies below the caller's home is never one, also
// where that home is below /var; a caller who knows the home asks that first.
func SystemDirectory(name string) bool {
	name = path.Clean(name)
	for _, own := range userTrees() {
		if expr.Below(name, own) {
			return false
		}
	}
	for _, tree := range systemTrees() {
		if expr.Within(name, tree) {
			return true
		}
	}
	return slices.Contains(sharedDirectories(), name)
}

// systemTrees belong to the system with all that is below.
func systemTrees() []string {
	return []string{
		"/bin", "/boot", "/dev", "/etc", "/gnu", "/lib", "/lib32", "/lib64", "/libx32",
		"/nix", "/proc", "/run", "/sbin", "/snap", "/sys", "/usr", "/var",
	}
}

// sharedDirectories hold what belongs to users, but do not belong to one.
func sharedDirectories() []string {
	return []string{"/", "/home", "/lost+found", "/media", "/mnt", "/opt", "/root", "/srv", "/tmp"}
}

// userTrees lie below a system tree, but what is in them belongs to users.
func userTrees() []string {
	return []string{
		"/dev/shm", "/run/media", "/run/user", "/usr/local/src", "/usr/src",
		"/var/home", "/var/opt", "/var/tmp", "/var/www",
	}
}

// wide says what an expression is that must not be writable, or nothing. It follows the
// defaults of variables; values are judged at launch.
func wide(p expr.Path) string {
	for p.Base == expr.Variable && p.Name != "HOME" && p.Default != nil {
		rest := p.Rest
		p = *p.Default
		joined, err := p.Join(rest)
		if err != nil {
			return ""
		}
		p = joined
	}
	isHome := p.Base == expr.Home || p.Base == expr.Variable && p.Name == "HOME"
	switch {
	case isHome && p.Rest == "":
		return "the whole home directory"
	case p.Base != expr.Root:
		return ""
	case p.Rest == "/":
		return "the whole file system"
	case SystemDirectory(p.Rest):
		return "a system directory"
	}
	return ""
}
