package main

// This file holds the rules for what people see.
//
//   - Standard output is the artefact: a script, facts, a list. Nothing else
//     goes there, so that it can be redirected and piped.
//   - Everything for people goes to standard error, a line each:
//     "bwrapgen: what is wrong", then "bwrapgen: hint: what to do".
//   - No capital at the beginning, no full stop at the end.
//   - What came from outside is quoted where it could be misread, and never
//     sends a control byte to the terminal.
//   - Colour is for a terminal. NO_COLOR and TERM=dumb switch it off.
//   - Work that takes a while says so on a terminal, and takes it back.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"golang.org/x/term"

	"bwrapgen/gen/problem"
)

// The exit statuses.
const (
	statusDone   = 0
	statusFailed = 1 // could not
	statusUsage  = 2 // wrong usage
	statusDrift  = 3 // drift or findings
)

// These end the program where all that is to be said has been printed.
var (
	errShown   = failure{status: statusDone}
	errDiffers = failure{status: statusDrift}
	errFailed  = failure{status: statusFailed}
)

// statusOf is the status that an error ends the program with.
func statusOf(err error) int {
	var f failure
	if errors.As(err, &f) {
		return f.status
	}
	return statusFailed
}

// failure is a problem that ends the program with a status. One without words has been told.
type failure struct {
	problem.Problem
	status int
	more   string // what else to know, in lines of its own
}

// Unwrap gives the problem.
func (f failure) Unwrap() error { return f.Problem }

func failing(status int, hint, format string, args []any) failure {
	return failure{Problem: problem.New(fmt.Sprintf(format, args...), hint), status: status}
}

// cannot is a failure of the work itself.
func cannot(hint, format string, args ...any) error {
	return failing(statusFailed, hint, format, args)
}

// misuse is a command line that makes no sense.
func misuse(hint, format string, args ...any) error {
	return failing(statusUsage, hint, format, args)
}

// clash is what does not fit together on a command line.
type clash struct {
	isThere    bool
	hint, what string
}

// firstClash is the first that is there, as an error.
func firstClash(all []clash) error {
	for _, c := range all {
		if c.isThere {
			return misuse(c.hint, "%s", c.what)
		}
	}
	return nil
}

// drifted is that something differs, or was found.
func drifted(hint, format string, args ...any) error {
	return failing(statusDrift, hint, format, args)
}

// ui is where a verb writes to.
type ui struct {
	out, err io.Writer
	color    bool // on err
	terminal bool // err is one
	table    bool // out is a terminal, which gets a table instead of data
	paint    bool // colour on out
}

func newUI(out, err io.Writer) ui {
	u := ui{out: out, err: err, terminal: isTerminal(err), table: isTerminal(out)}
	colorful := os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	u.color, u.paint = u.terminal && colorful, u.table && colorful
	return u
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// artefact writes to standard output what was made. An error of making it, or of what was
// found, is handed on.
func (u ui) artefact(data []byte, err error) error {
	if len(data) == 0 {
		return err // /dev/full takes not even that
	}
	if _, err := u.out.Write(data); err != nil {
		return unwritten(err)
	}
	return err
}

// unwritten is what is wrong where standard output takes no more.
func unwritten(err error) error { return failed(err, "cannot write to standard output") }

// difference writes a diff to standard output. On a terminal, what is in the files
// cannot hide a line of it.
func (u ui) difference(text []byte, err error) error {
	if u.table {
		text = field.ReplaceAllFunc(text, func(part []byte) []byte { return []byte(visible(string(part))) })
	}
	return u.artefact(text, err)
}

// field is what stands between tabs and ends of lines.
var field = regexp.MustCompile(`[^\t\n]+`)

// report writes an error with its hints, a line each.
func (u ui) report(err error) {
	for _, p := range problems(err) {
		if p.What == "" {
			continue
		}
		for line := range strings.SplitSeq(p.Error(), "\n") {
			u.line("", "\x1b[31m", line)
		}
		if p.Hint != "" {
			u.line("hint: ", "\x1b[33m", p.Hint)
		}
	}
	var f failure
	if errors.As(err, &f) && f.more != "" {
		fmt.Fprintln(u.err, f.more)
	}
}

// problems are what an error is made of.
func problems(err error) problem.List {
	var many problem.List
	if errors.As(err, &many) {
		return many
	}
	var one problem.Problem
	errors.As(err, &one)
	return problem.List{problem.New(err.Error(), one.Hint)}
}

// reportAll reports errors. It counts them, and gives the status of the worst: what could not
// be done is worse than drift.
func (u ui) reportAll(errs []error) (wrong, status int) {
	status = statusDrift
	for _, err := range errs {
		if err == nil {
			continue
		}
		wrong++
		u.report(err)
		if statusOf(err) != statusDrift {
			status = statusFailed
		}
	}
	return wrong, status
}

// joined puts what separates them between the texts that say something.
func joined(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(text string) bool { return text == "" }), separator)
}

// counted is a number of things: 1 problem, 2 problems.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// human is a number of bytes as people like it, its digits in a format.
func human(format string, bytes int64) string {
	n, units := float64(bytes), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for n >= 1024 && len(units) > 1 {
		n, units = n/1024, units[1:]
	}
	return fmt.Sprintf(format+" %s", n, units[0])
}

func (u ui) line(label, color, text string) {
	head := "bwrapgen: " + label
	if u.color && color != "" {
		head = color + head + "\x1b[0m"
	}
	fmt.Fprintln(u.err, head+visible(text))
}

// colorOf has the colours of severities and results.
var colorOf = map[string]string{
	"escape": "\x1b[31m", "exposure": "\x1b[31m", "weak": "\x1b[33m",
	severityError: "\x1b[31m", severityWarning: "\x1b[33m", severityOK: "",
	"failed": "\x1b[31m", "skipped": "\x1b[33m", "passed": "\x1b[32m",
}

// painted is a text in a colour, where standard output shows colours.
func (u ui) painted(color, text string) string {
	if !u.paint || color == "" {
		return text
	}
	text, end := strings.CutSuffix(text, "\n")
	if text = color + text + "\x1b[0m"; end {
		text += "\n"
	}
	return text
}

// progress says on a terminal what is being done; the function that it returns
// takes that line back.
func (u ui) progress(format string, args ...any) (done func()) {
	if !u.terminal || os.Getenv("TERM") == "dumb" {
		return func() {}
	}
	fmt.Fprint(u.err, "\r\x1b[K", visible(fmt.Sprintf(format, args...)), " ...")
	return func() { fmt.Fprint(u.err, "\r\x1b[K") }
}

// visible writes out what a terminal would act on, or show in another order.
func visible(text string) string {
	quoted := strconv.Quote(text)
	return withoutQuotes.Replace(quoted[1 : len(quoted)-1])
}

var withoutQuotes = strings.NewReplacer(`\\`, `\`, `\"`, `"`)

// list is columns of two: on a terminal as wide as a screen, else a line for each row. Rows may have
// colours.
func (u ui) list(rows [][]string, colors ...string) []byte {
	if !u.table {
		return columns(rows)
	}
	width := 0
	for _, row := range rows {
		width = max(width, len([]rune(row[0]))+2)
	}
	var all []byte
	for i, row := range rows {
		var b bytes.Buffer
		sideBySide(&b, width, row[0], row[1])
		if i < len(colors) {
			all = append(all, u.painted(colors[i], b.String())...)
		} else {
			all = append(all, b.Bytes()...)
		}
	}
	return all
}

// columns sets rows in columns, without spaces at the end of a line.
func columns(rows [][]string) []byte {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	w.Flush()
	var text []byte
	for line := range bytes.Lines(b.Bytes()) {
		text = append(append(text, bytes.TrimRight(line, " \n")...), '\n')
	}
	return text
}
