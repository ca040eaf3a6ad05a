// Command roff turns a page of the manual, which bwrapgen manual prints as Markdown, into a man page: from
// standard input to standard output. Its argument is the version that the page names.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"strings"
)

func main() {
	page, err := io.ReadAll(os.Stdin)
	if err != nil || len(os.Args) != 2 {
		log.Fatal("usage: bwrapgen manual PAGE | go run ./.ci/roff VERSION: ", err)
	}
	fmt.Print(roff(string(page)))
}

// roff renders headings, paragraphs, tables, and code that is indented by four spaces, each between
// empty lines. A row of a table becomes an entry, with its first cell as the head.
func roff(markdown string) string {
	var b strings.Builder
	isFirst := false // a heading stands above
	for block := range strings.SplitSeq(strings.TrimSpace(markdown), "\n\n") {
		lines := strings.Split(block, "\n")
		isHeading, isTable := strings.HasPrefix(block, "#"), strings.HasPrefix(block, "| ")
		if !isHeading && !isTable && !isFirst {
			b.WriteString(".PP\n")
		}
		isFirst = isHeading
		switch {
		case isHeading:
			b.WriteString(roffHeading(block))
		case isTable:
			b.WriteString(roffTable(lines))
		case strings.HasPrefix(block, "    "):
			b.WriteString(".RS 4\n.EX\n" + roffLines(lines, roffText) + ".EE\n.RE\n")
		default:
			b.WriteString(roffLines(lines, inline))
		}
	}
	return b.String()
}

func roffLines(lines []string, write func(string) string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(write(strings.TrimPrefix(line, "    ")) + "\n")
	}
	return b.String()
}

// roffHeading makes a heading. That of the page is "name(7): what it is".
func roffHeading(line string) string {
	marks, text, _ := strings.Cut(line, " ")
	switch len(marks) {
	case 2:
		return ".SH " + inline(strings.ToUpper(text)) + "\n"
	case 3:
		return ".SS " + inline(text) + "\n"
	}
	name, what, _ := strings.Cut(text, ": ")
	base, section, _ := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	return fmt.Sprintf(".\\\" Made by bwrapgen manual; DO NOT EDIT.\n.TH %s %s \"\" \"%s\"\n", strings.ToUpper(base), section, os.Args[1]) +
		fmt.Sprintf(".SH NAME\n%s \\- %s\n", roffText(base), roffText(what))
}

// roffTable makes an entry of each row. The first row has the columns, the second is a rule.
func roffTable(lines []string) string {
	columns := cells(lines[0])
	var b strings.Builder
	for _, line := range lines[2:] {
		row := cells(line)
		fmt.Fprintf(&b, ".TP\n%s\n", inline(row[0]))
		var notes, told []string
		for i, text := range row[1:] {
			switch column := columns[i+1]; {
			case text == "":
			case column == "meaning", column == "does":
				told = append(told, inline(text))
			case column == "type":
				notes = append(notes, inline(text))
			case column == "example":
				told = append(told, ".br\nFor example: "+inline(text))
			default:
				notes = append(notes, column+" "+inline(text))
			}
		}
		if len(notes) > 0 {
			told = append([]string{strings.Join(notes, "; ") + "\n.br"}, told...)
		}
		b.WriteString(strings.Join(told, "\n") + "\n")
	}
	return b.String()
}

// cells splits a row of a table.
func cells(line string) []string {
	line = strings.ReplaceAll(strings.Trim(line, "| "), `\|`, "\x00")
	all := strings.Split(line, " | ")
	for i, text := range all {
		all[i] = strings.ReplaceAll(strings.TrimSpace(text), "\x00", "|")
	}
	return all
}

// codeWord is what stands between backquotes, which are escaped.
var codeWord = regexp.MustCompile(`\\\(ga(.*?)\\\(ga`)

// inline writes a text with code in bold.
func inline(text string) string {
	return guarded(codeWord.ReplaceAllString(escaped(text), `\fB$1\fR`))
}

func roffText(text string) string { return guarded(escaped(text)) }

func escaped(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

// guarded keeps a line from being taken for a request.
func guarded(line string) string {
	if strings.HasPrefix(line, ".") {
		return `\&` + line
	}
	return line
}
