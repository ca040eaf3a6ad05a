// Package profiles holds the built-in profiles and the tool catalogue as data.
// What the files mean is for packages profile and catalogue.
package profiles

import (
	"embed"
	"io/fs"
)

// FS holds the built-in profiles, NAME.toml, and the catalogue, tools/NAME.toml.
//
//go:embed *.toml tools/*.toml
var FS embed.FS

// Tools is the part of FS that holds the catalogue.
func Tools() (fs.FS, error) { return fs.Sub(FS, "tools") }
