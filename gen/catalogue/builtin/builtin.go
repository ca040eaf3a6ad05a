// Package builtin is the catalogue that bwrapgen brings along, compiled: reading
// its many files would take longer than all else that a run does.
//
// The files of profiles/tools are the source, and tools.go is written from them:
// go test ./gen/catalogue/builtin -update.
package builtin

import "bwrapgen/gen/catalogue"

// Catalogue gives the tools. They are not for the caller to change.
func Catalogue() catalogue.Catalogue { return catalogue.New(tools) }
