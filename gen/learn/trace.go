package learn

import (
	"bufio"
	"io"
	"path"
	"regexp"
	"slices"
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

// Trace reads what strace has written about a launcher: what its command did, from its
// start to its end.
func Trace(r io.Reader) ([]Event, error) {
	t := tracer{open: map[string]string{}, program: map[string]string{}, at: map[string]string{}, before: map[string]bool{}}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		t.line(strings.TrimSuffix(line, "\n"))
		if err == io.EOF {
			return t.events, nil
		}
		if err != nil {
			return t.events, err
		}
	}
}

// tracer follows the processes. Those that were there before the command are the launcher's.
type tracer struct {
	command string // its process; empty: it has not begun
	ended   bool
	before  map[string]bool
	open    map[string]string // calls that have not ended yet
	program map[string]string
	at      map[string]string // working directories
	events  []Event
}

var (
	resumed = regexp.MustCompile(`^<\.\.\. \w+ resumed>`)
	call    = regexp.MustCompile(`^(\w+)\((.*)\)\s+= (.*)$`)
	failure = regexp.MustCompile(`^-1 (E\w+)`)
	base    = regexp.MustCompile(`(?:AT_FDCWD|\d+)<([^>]*)>(?:\(deleted\))?, $`)
	address = regexp.MustCompile(`sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")`)
	starts  = regexp.MustCompile(`^"[^"]*/env", \["[^"]*env", "--(?:default-signal=[A-Z,]+)?"`)
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
	}
	if t.command == process && strings.HasPrefix(text, "+++") {
		t.ended = true
	}
	found := call.FindStringSubmatch(text)
	if found == nil {
		return
	}
	name, arguments, result := found[1], found[2], found[3]
	worked := !strings.HasPrefix(result, "-1")
	switch {
	case t.command == "":
		if name == "execve" && worked && starts.MatchString(arguments) {
			t.command = process
		}
		t.before[process] = true
		return
	case t.ended || t.before[process] && process != t.command:
		return
	}
	e := Event{Call: name}
	if bad := failure.FindStringSubmatch(result); bad != nil {
		e.Error = bad[1]
	}
	if name == "connect" {
		e.Address = addressOf(arguments)
	} else {
		e.Paths = t.paths(process, name, arguments)
		e.Writes = changes(name, arguments)
	}
	if name == "execve" && worked && len(e.Paths) > 0 {
		t.program[process] = path.Base(e.Paths[0])
	}
	if name == "chdir" && worked && len(e.Paths) > 0 {
		t.at[process] = e.Paths[0]
	}
	e.Program = t.program[process]
	t.events = append(t.events, e)
}

// which are the texts of a call that are paths, by their number; of others the first.
var which = map[string][]int{
	"rename": {0, 1}, "renameat": {0, 1}, "renameat2": {0, 1}, "link": {0, 1}, "linkat": {0, 1},
	"symlink": {1}, "symlinkat": {1},
}

// paths are those of a call. A relative one begins where -y says that the directory is.
func (t *tracer) paths(process, name, arguments string) []string {
	var all []string
	numbers, ok := which[name]
	if !ok {
		numbers = []int{0}
	}
	for number, rest := 0, arguments; number <= 1; number++ {
		start := strings.IndexByte(rest, '"')
		if start < 0 {
			break
		}
		text, length := unquote(rest[start:])
		if where := base.FindStringSubmatch(rest[:start]); where != nil {
			if strings.Contains(rest[:start], "AT_FDCWD") {
				t.at[process] = where[1]
			}
			text = join(where[1], text)
		} else {
			text = join(t.at[process], text)
		}
		rest = rest[start+length:]
		if slices.Contains(numbers, number) && path.IsAbs(text) {
			all = append(all, path.Clean(text))
		}
	}
	return all
}

func join(dir, name string) string {
	if path.IsAbs(name) || name == "" {
		return name
	}
	return path.Join(dir, name)
}

var changing = regexp.MustCompile(`^(mkdir|rmdir|unlink|rename|link|symlink|mknod|creat|truncate|chmod|fchmodat|chown|lchown|fchownat|utime|utimes|utimensat|futimesat|l?setxattr|l?removexattr)`)

// changes reports whether a call is one that changes something.
func changes(name, arguments string) bool {
	if strings.HasPrefix(name, "open") {
		flags := arguments[strings.LastIndexByte(arguments, '"')+1:]
		return strings.Contains(flags, "O_WRONLY") || strings.Contains(flags, "O_RDWR") || strings.Contains(flags, "O_CREAT")
	}
	return changing.MatchString(name)
}

func addressOf(arguments string) string {
	if _, rest, isUnix := strings.Cut(arguments, "sun_path="); isUnix {
		if !strings.HasPrefix(rest, `"`) {
			return "" // abstract
		}
		name, _ := unquote(rest)
		return name
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

// unquote reads a text as strace writes it, and says how long that was.
func unquote(text string) (string, int) {
	var b strings.Builder
	simple := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'v': '\v', 'f': '\f', '"': '"', '\\': '\\'}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return b.String(), i + 1
		case c != '\\' || i+1 == len(text):
			b.WriteByte(c)
		case text[i+1] >= '0' && text[i+1] <= '7':
			value := 0
			for n := 0; n < 3 && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '7'; n++ {
				i++
				value = value*8 + int(text[i]-'0')
			}
			b.WriteByte(byte(value))
		default:
			i++
			if plain, ok := simple[text[i]]; ok {
				b.WriteByte(plain)
			}
		}
	}
	return b.String(), len(text)
}
