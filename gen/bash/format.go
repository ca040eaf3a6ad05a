package bash

import (
	"bytes"
	"errors"

	"mvdan.cc/sh/v3/syntax"
)

// Script is a script that has been laid out. The zero value is an empty one.
type Script struct {
	text []byte
	file *syntax.File
}

// Bytes is the script's text.
func (s Script) Bytes() []byte { return s.text }

// Check is Check for this script, which is not read once more.
func (s Script) Check(rules Rules) error { return check(s.text, s.file, rules) }

// Fixed is the error of a script that laying out again would change: what a reader
// and a formatter of theirs see would not be the same.
func (s Script) Fixed() error {
	again, err := printed(s.file)
	if err == nil && !bytes.Equal(s.text, again) {
		err = errors.New("the script changes each time it is formatted")
	}
	return err
}

// LayOut lays src out as every launcher is: two spaces of indentation, case arms
// indented, a line that goes on begins with its operator. Comments stay.
func LayOut(src []byte) (Script, error) {
	file, err := parse(src)
	if err != nil {
		return Script{}, err
	}
	text, err := printed(file)
	if err != nil {
		return Script{}, err
	}
	file, err = parse(text)
	return Script{text, file}, err
}

// Format is the text that LayOut gives. The result is a fixed point: formatting
// it again changes nothing.
func Format(src []byte) ([]byte, error) {
	s, err := LayOut(src)
	if err == nil {
		err = s.Fixed()
	}
	return s.text, err
}

func printed(file *syntax.File) ([]byte, error) {
	var b bytes.Buffer
	printer := syntax.NewPrinter(
		syntax.Indent(2), syntax.SwitchCaseIndent(true), syntax.BinaryNextLine(true))
	err := printer.Print(&b, file)
	return b.Bytes(), err
}

func parse(src []byte) (*syntax.File, error) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	return parser.Parse(bytes.NewReader(src), "")
}
