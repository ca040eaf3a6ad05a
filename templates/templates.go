// Package templates holds the text of the launcher, one partial per section
// of the script.
//
// Static bash stands here; all that a profile or a host decides arrives as a
// quoted word. A partial reads as bash with holes.
package templates

import "embed"

// FS holds the partials; launcher.sh.tmpl is their table of contents.
//
//go:embed *.tmpl
var FS embed.FS
