package bash

import (
	"bytes"
	"errors"

	"mvdan.cc/sh/v3/syntax"
)

// Format lays src out as the parts of the engine are: two spaces of indentation,
// case arms indented, a line that goes on begins with its operator. Comments
// stay. The result is a fixed point: formatting it again changes nothing.
func Format(src []byte) ([]byte, error) {
	text, err := printed(src)
	if err != nil {
		return nil, err
	}
	again, err := printed(text)
	if err == nil && !bytes.Equal(text, again) {
		err = errors.New("the script changes each time it is formatted")
	}
	return text, err
}

func printed(src []byte) ([]byte, error) {
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
