package bash

import "mvdan.cc/sh/v3/shell"

// Words splits a command line as bash does, with a home directory for ~ and no other
// variable. A command substitution is an error.
func Words(line, home string) ([]string, error) {
	return shell.Fields(line, func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	})
}
