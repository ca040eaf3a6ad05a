package learn

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Event is one system call of the command, or of what it has started.
type Event struct {
	Program string // that did it
	Call    string
	Paths   []string // absolute
	Writes  bool     // it would change something there
	Error   string   // ENOENT, EROFS, ...; empty: it worked
	Address string   // of connect: HOST:PORT, or the path of a socket
}

// Options are what strace has to be told, so that Trace understands it.
func Options(output string) []string {
	return []string{"--seccomp-bpf", "-f", "-q", "-y", "-s", "4096", "-e", "trace=%file,connect", "-o", output}
}

// Seen is what Trace found.
type Seen struct {
	Events []Event // each once, in the order of their first occurrence
	Began  bool    // the command was started
	Cut    bool    // there were more events than Trace keeps
}

const (
	mostEvents = 200_000
	mostLine   = 1 << 20
)

// Trace reads what strace writes about a launcher and returns what the launcher's command did, from its start
// to its end. It reads to the end of r, since strace would wait otherwise, and keeps a bounded part of it.
func Trace(r io.Reader) (Seen, error) {
	t := tracer{
		open: map[string]string{}, program: map[string]string{}, at: map[string]string{}, launcher: map[string]bool{},
		known: map[string]bool{},
	}
	lines := bufio.NewReaderSize(r, 1<<16)
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > mostLine { // the result of a call is at the end of its line
			line = append(line[:mostLine/2], line[len(line)-mostLine/4:]...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		t.line(strings.TrimSuffix(string(line), "\n"))
		line = line[:0]
		if err != nil {
			t.seen.Began = t.command != ""
			if err == io.EOF {
				err = nil
			}
			return t.seen, err
		}
	}
}

// tracer follows the processes. Those that were there before the command belong to the launcher.
type tracer struct {
	command  string // its process; empty: it has not begun
	ended    bool
	launcher map[string]bool   // its processes
	open     map[string]string // calls that have not ended yet
	program  map[string]string
	at       map[string]string // working directories
	known    map[string]bool   // events, as text
	seen     Seen
}

var (
	resumed = regexp.MustCompile(`^<\.\.\. \w+ resumed>`)
	call    = regexp.MustCompile(`^(\w+)\((.*)\)\s+= (?:-1 (E\w+)|.)`)
	quoted  = regexp.MustCompile(`(?s)(?:(AT_FDCWD|\d+)<([^>]*)>(?:\(deleted\))?, )?"((?:[^"\\]|\\.)*)"?`)
	address = regexp.MustCompile(`sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")`)
	starts  = regexp.MustCompile(`^execve\("[^"]*/env", \["[^"]*env", "--(?:default-signal=[A-Z,]+)?"`)
)

func (t *tracer) line(line string) {
	process, text, _ := strings.Cut(line, " ")
	text = strings.TrimLeft(text, " ")
	if begun, isOpen := strings.CutSuffix(text, " <unfinished ...>"); isOpen {
		t.open[process] = begun
		return
	}
	if head := resumed.FindString(text); head != "" {
		text = t.open[process] + strings.TrimPrefix(text, head)
		delete(t.open, process)
	}
	if strings.HasPrefix(text, "+++") {
		t.ended = t.ended || process == t.command
		delete(t.open, process)
		delete(t.program, process)
		delete(t.at, process)
		return
	}
	found := call.FindStringSubmatch(text)
	switch {
	case found == nil, t.ended:
	case t.command == "":
		t.begin(process, text, found[3])
	case !t.launcher[process]:
		t.event(process, found[1], found[2], found[3])
	}
}

// begin looks for the command's start: bwrap starts it by env.
func (t *tracer) begin(process, text, failure string) {
	t.launcher[process] = true
	if failure == "" && starts.MatchString(text) {
		t.command = process
		delete(t.launcher, process)
	}
}

// event keeps a call of the command that failed, and each program that was started or found.
func (t *tracer) event(process, name, arguments, failure string) {
	e := Event{Call: name, Error: failure}
	if name == "connect" {
		e.Address = addressOf(arguments)
	} else {
		e.Paths = t.paths(process, name, arguments)
		e.Writes = changes(name, arguments)
	}
	t.remember(process, e)
	e.Program = t.program[process]
	text := fmt.Sprintf("%#v", e)
	switch {
	case e.Error == "" && !isProgram(e), t.known[text]:
	case len(t.known) == mostEvents:
		t.seen.Cut = true
	default:
		t.known[text] = true
		t.seen.Events = append(t.seen.Events, e)
	}
}

// remember notes which program a process has become, and where it has gone.
func (t *tracer) remember(process string, e Event) {
	if e.Error != "" || len(e.Paths) == 0 {
		return
	}
	switch e.Call {
	case "execve":
		t.program[process] = path.Base(e.Paths[0])
	case "chdir":
		t.at[process] = e.Paths[0]
	}
}

// which are the texts of a call that are paths, by their number; of others the first.
var which = map[string][]int{
	"rename": {0, 1}, "renameat": {0, 1}, "renameat2": {0, 1}, "link": {0, 1}, "linkat": {0, 1},
	"symlink": {1}, "symlinkat": {1},
}

// paths are those of a call. A relative one begins where -y says that the directory is.
func (t *tracer) paths(process, name, arguments string) []string {
	numbers, ok := which[name]
	if !ok {
		numbers = []int{0}
	}
	var all []string
	for number, found := range quoted.FindAllStringSubmatch(arguments, 2) {
		switch found[1] {
		case "":
			found[2] = t.at[process]
		case "AT_FDCWD":
			t.at[process] = found[2]
		}
		at := unquote(found[3])
		switch {
		case at == "":
			continue
		case !path.IsAbs(at):
			at = path.Join(found[2], at)
		}
		if path.IsAbs(at) && slices.Contains(numbers, number) {
			all = append(all, path.Clean(at))
		}
	}
	return all
}

var changing = regexp.MustCompile(`^(mkdir|rmdir|unlink|rename|link|symlink|mknod|creat|truncate|chmod|fchmodat|chown|lchown|fchownat|utime|utimes|utimensat|futimesat|l?setxattr|l?removexattr)`)

var opensForWriting = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT`)

// changes reports whether a call is one that changes something.
func changes(name, arguments string) bool {
	if strings.HasPrefix(name, "open") {
		return opensForWriting.MatchString(arguments[strings.LastIndexByte(arguments, '"')+1:])
	}
	return changing.MatchString(name)
}

func addressOf(arguments string) string {
	if _, rest, isUnix := strings.Cut(arguments, "sun_path="); isUnix {
		if !strings.HasPrefix(rest, `"`) {
			return "" // abstract
		}
		return unquote(quoted.FindStringSubmatch(rest)[3])
	}
	found := address.FindStringSubmatch(arguments)
	if found == nil {
		return ""
	}
	if found[3] != "" {
		return "[" + found[3] + "]:" + found[1]
	}
	return found[2] + ":" + found[1]
}

var (
	escaped = regexp.MustCompile(`(?s)\\(?:[0-7]{1,3}|.)`)
	simple  = map[string]string{`\n`: "\n", `\t`: "\t", `\r`: "\r", `\v`: "\v", `\f`: "\f", `\"`: `"`, `\\`: `\`}
)

// unquote reads what strace has written between quotation marks.
func unquote(text string) string {
	return escaped.ReplaceAllStringFunc(text, func(part string) string {
		value, err := strconv.ParseUint(part[1:], 8, 8)
		if err != nil {
			return simple[part]
		}
		return string([]byte{byte(value)})
	})
}
