package verify

import (
	_ "embed" // the script that looks around
	"regexp"
	"strconv"
	"strings"
)

// script is what looks around inside, for bash 4.4 and later. Its arguments are a mark, where
// to write, and a word for each try.
//
//go:embed inside.sh
var script string

// scriptEnd is the last that it writes.
const scriptEnd = "end:=yes\x00"

// try is one thing that the script does, and where.
type try struct {
	way way
	at  string
}

// way says how a place is tried.
type way byte

// The ways. To look changes nothing; the others are for places that were made for this.
const (
	tryLook   way = 'l' // it is read, and the mount table and its inode asked
	tryWrite  way = 'w' // it is written to
	trySecond way = 'a' // what an earlier start has written is looked for
	tryRename way = 'm' // it is renamed, and back

	tryReach   way = 'h' // HOST:PORT is connected to
	tryProgram way = 'p' // a program is looked for
	tryRun     way = 'r' // a command line is run
	trySandbox way = 's' // the sandbox as a whole is looked at
	tryStay    way = 'k' // when all is told, the command stays for a while
)

func (t try) word() string { return string(rune(t.way)) + t.at }

// seen is what one start has found.
type seen struct {
	found     []finding         // by the number of the try
	whole     map[string]string // of the sandbox: ns, status, open, nested, ...
	variables map[string]string
	isWhole   bool   // the script came to its end
	launcher  string // what the launcher said
	outlived  bool   // the command ran on, although its launcher was killed
}

// finding is what one try has found.
type finding struct {
	kind    byte   // d, f, c, s; 0 where there is nothing, or nothing that can be seen
	mode    string // of the mount: ro or rw
	isMount bool   // that mount stands just there
	worked  bool   // it could be written to, renamed, reached; what was written is still there
	link    string // what it leads to, if it is a link
	holds   string // the first line
	inode   string // DEVICE:NUMBER, if it was looked at
	ran     string // of a command line: its status and what it said
}

// isThere reports whether there is something.
func (f finding) isThere() bool { return f.kind != 0 || f.link != "" }

// canWrite reports whether it can be changed. What could only be made there cannot.
func (f finding) canWrite() bool { return f.worked && f.mode == "rw" }

// read reads what the script has written about tries.
func read(output string, tries []try) seen {
	s := seen{whole: map[string]string{}, variables: map[string]string{}}
	ran := ""
	for _, word := range strings.Split(output, "\x00") {
		key, value, _ := strings.Cut(word, "=")
		name, isOfWhole := strings.CutSuffix(key, ":")
		switch {
		case key == "":
		case strings.HasPrefix(key, "ran:"):
			ran = value
		case strings.HasPrefix(key, "at:"):
			f := parse(value)
			f.ran, ran = ran, ""
			s.found = append(s.found, f)
		case word+"\x00" == scriptEnd:
			s.isWhole = len(s.found) >= len(tries)
		case isOfWhole:
			s.whole[name] = value
		default:
			s.variables[key] = value
		}
	}
	inodes := map[string]string{}
	for line := range strings.Lines(s.whole["inodes"]) {
		inode, at, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		inodes[at] = inode
	}
	for i, t := range tries[:min(len(tries), len(s.found))] {
		s.found[i].inode = inodes[t.at]
	}
	return s
}

var findingLine = regexp.MustCompile(`^(?s)([-dfcs]) (r[ow])? (yes|no) (yes|no) (\d+) (.*)$`)

func parse(text string) finding {
	words := findingLine.FindStringSubmatch(text)
	if words == nil {
		return finding{}
	}
	length, _ := strconv.Atoi(words[5])
	length = min(length, len(words[6]))
	f := finding{
		kind: words[1][0], mode: words[2], isMount: words[3] == "yes", worked: words[4] == "yes",
		link: words[6][:length], holds: firstLine(words[6][length:]),
	}
	if f.kind == '-' {
		f.kind = 0
	}
	return f
}

// firstLine is its beginning: enough to know a file again.
func firstLine(text string) string {
	if end := strings.IndexAny(text, "\n\x00"); end >= 0 {
		text = text[:end]
	}
	return text[:min(len(text), 100)]
}
