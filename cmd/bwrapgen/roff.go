package main

import (
	"fmt"
	"regexp"
	"strings"
)

// roff makes a man page of the Markdown that the pages in the folder man are written
// in: headings, paragraphs, lists, tables, and code that is indented by four spaces.
// A row of a table becomes an entry, with its first cell as the head.
func roff(markdown string) string {
	p := roffPage{}
	for line := range strings.Lines(markdown) {
		p.line(strings.TrimRight(line, "\n"))
	}
	p.end()
	return p.b.String()
}

// roffPage is a page that is being written.
type roffPage struct {
	b       strings.Builder
	inside  string   // "code", "text" or nothing
	first   bool     // a heading stands above
	columns []string // of the table that the line is in
}

func (p *roffPage) line(line string) {
	literal, isCode := strings.CutPrefix(line, "    ")
	switch {
	case strings.HasPrefix(line, "# "):
		p.title(strings.TrimPrefix(line, "# "))
	case strings.HasPrefix(line, "## "):
		p.heading(".SH", strings.ToUpper(line[3:]))
	case strings.HasPrefix(line, "### "):
		p.heading(".SS", line[4:])
	case strings.HasPrefix(line, "| "):
		p.row(cells(line))
	case line == "":
		p.blank()
	case isCode && p.inside != "text":
		p.code(literal)
	default:
		p.text(line)
	}
}

// title makes the head of "name(7): what it is".
func (p *roffPage) title(line string) {
	name, what, _ := strings.Cut(line, ": ")
	base, section, _ := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	fmt.Fprintf(&p.b, ".\\\" Made by bwrapgen manual; DO NOT EDIT.\n.TH %s %s \"\" \"bwrapgen %s\"\n", strings.ToUpper(base), section, version())
	fmt.Fprintf(&p.b, ".SH NAME\n%s \\- %s\n", roffText(base), roffText(what))
}

func (p *roffPage) heading(macro, text string) {
	p.end()
	p.first = true
	p.b.WriteString(macro + " " + inline(text) + "\n")
}

// paragraph begins one. Behind a heading there is one already.
func (p *roffPage) paragraph() {
	p.end()
	if !p.first {
		p.b.WriteString(".PP\n")
	}
	p.first = false
}

// end closes what is open.
func (p *roffPage) end() {
	if p.inside == "code" {
		p.b.WriteString(".EE\n.RE\n")
	}
	p.inside, p.columns = "", nil
}

// blank ends a paragraph or a table. Code goes on behind it, if more follows.
func (p *roffPage) blank() {
	if p.inside == "code" {
		p.b.WriteString("\n")
		return
	}
	p.end()
}

func (p *roffPage) code(line string) {
	if p.inside != "code" {
		p.paragraph()
		p.inside = "code"
		p.b.WriteString(".RS 4\n.EX\n")
	}
	p.b.WriteString(roffText(line) + "\n")
}

func (p *roffPage) text(line string) {
	if p.inside != "text" {
		p.paragraph()
		p.inside = "text"
	}
	p.b.WriteString(inline(line) + "\n")
}

// row writes an entry. The first row of a table has its columns, the second is a rule.
func (p *roffPage) row(row []string) {
	switch {
	case p.columns == nil:
		p.end()
		p.columns = row
		return
	case strings.Trim(row[0], "-") == "":
		return
	}
	p.first = false
	fmt.Fprintf(&p.b, ".TP\n%s\n", inline(row[0]))
	var notes, told []string
	for i, text := range row[1:] {
		switch column := p.columns[i+1]; {
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
	p.b.WriteString(strings.Join(told, "\n") + "\n")
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

var codeWord = regexp.MustCompile("`([^`]*)`")

// inline writes a text with code in bold.
func inline(text string) string {
	var b strings.Builder
	at := 0
	for _, found := range codeWord.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(escaped(text[at:found[0]]) + `\fB` + escaped(text[found[2]:found[3]]) + `\fR`)
		at = found[1]
	}
	b.WriteString(escaped(text[at:]))
	return guarded(b.String())
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
