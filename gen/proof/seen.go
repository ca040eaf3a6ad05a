package proof

import (
	_ "embed" // the script that looks around
	"regexp"
	"strconv"
	"strings"
)

// Script is what looks around inside, for bash 4.4 and later. Its arguments are a mark, a
// port, where to write, and a word for each try: Way and path.
//
//go:embed probe.sh
var Script string

// End is the last that it writes.
const End = "end:=yes\x00"

// Seen is what one start has found.
type Seen struct {
	Places    []Found           // in the order of the tries
	Said      map[string]string // ns, status, open, network, ...
	Variables map[string]string
	Whole     bool // the script came to its end
}

// Found is what is at one path.
type Found struct {
	Kind  byte   // d, f, c, s; 0 where there is nothing, or nothing that can be seen
	Mode  string // of the mount: ro or rw
	Mount bool   // that mount stands just there
	Wrote bool   // it could be written to, or renamed; or what was written is still there
	Link  string // what it leads to, if it is a link
	Holds string // the first line
	Inode string // DEVICE:NUMBER, if it was asked
}

// Inodes are those that were asked, by their paths.
func (s Seen) Inodes() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(s.Said["inodes"]) {
		inode, at, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		all[at] = inode
	}
	return all
}

// Ran says how a command has ended that was the try of a number, and what it said.
func (s Seen) Ran(number int) (status, output string) {
	status, output, _ = strings.Cut(s.Said["ran:"+strconv.Itoa(number)], " ")
	return status, output
}

// IsThere reports whether there is something.
func (f Found) IsThere() bool { return f.Kind != 0 || f.Link != "" }

// canWrite reports whether it can be changed. What could only be made there cannot.
func (f Found) canWrite() bool { return f.Wrote && f.Mode == "rw" }

// Read reads what the script has written.
func Read(output string) Seen {
	s := Seen{Said: map[string]string{}, Variables: map[string]string{}}
	for _, word := range strings.Split(output, "\x00") {
		key, value, _ := strings.Cut(word, "=")
		name, isFinding := strings.CutSuffix(key, ":")
		switch {
		case key == "":
		case strings.HasPrefix(key, "at:"):
			s.Places = append(s.Places, parseFound(value))
		case strings.HasPrefix(key, "ran:"):
			s.Said[key] = value
		case word+"\x00" == End:
			s.Whole = true
		case isFinding:
			s.Said[name] = value
		default:
			s.Variables[key] = value
		}
	}
	return s
}

var finding = regexp.MustCompile(`^(?s)([-dfcs]) (r[ow])? (yes|no) (yes|no) (\d+) (.*)$`)

func parseFound(text string) Found {
	words := finding.FindStringSubmatch(text)
	if words == nil {
		return Found{}
	}
	length, _ := strconv.Atoi(words[5])
	length = min(length, len(words[6]))
	f := Found{
		Kind: words[1][0], Mode: words[2], Mount: words[3] == "yes", Wrote: words[4] == "yes",
		Link: words[6][:length], Holds: Line(words[6][length:]),
	}
	if f.Kind == '-' {
		f.Kind = 0
	}
	return f
}

// Line is the beginning of a first line: enough to know a file again.
func Line(text string) string {
	if end := strings.IndexAny(text, "\n\x00"); end >= 0 {
		text = text[:end]
	}
	return text[:min(len(text), 100)]
}
