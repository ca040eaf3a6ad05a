package bash

import (
	"bytes"
	"errors"

	"mvdan.cc/sh/v3/syntax"
)

// Format returns src laid out as every launcher is: two spaces of indentation,
// case arms indented, a line that goes on begins with its operator. Comments
// stay. The result is a fixed point: formatting it again changes nothing.
func Format(src []byte) ([]byte, error) {
	once, err := layOut(src)
	if err != nil {
		return nil, err
	}
	twice, err := layOut(once)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(once, twice) {
		return nil, errors.New("the script changes each time it is formatted")
	}
	return once, nil
}

func layOut(src []byte) ([]byte, error) {
	file, err := parse(src)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	printer := syntax.NewPrinter(
		syntax.Indent(2), syntax.SwitchCaseIndent(true), syntax.BinaryNextLine(true))
	err = printer.Print(&b, file)
	return b.Bytes(), err
}

func parse(src []byte) (*syntax.File, error) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true))
	return parser.Parse(bytes.NewReader(src), "")
}
