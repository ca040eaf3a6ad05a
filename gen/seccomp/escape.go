package seccomp

import (
	"fmt"
	"strings"
)

// width is how many columns a line of Escape has at most.
const width = 76

// Escape writes a program as formats for bash's printf, to stand between
// single quotes. Printing all lines, as one format or one by one, gives the
// program's bytes. Instructions are not split between lines.
func Escape(program []byte) []string {
	var lines []string
	line := ""
	for start := 0; start < len(program); start += 8 {
		instruction := ""
		for _, b := range program[start:min(start+8, len(program))] {
			instruction += escape(b)
		}
		if line != "" && len(line)+len(instruction) > width {
			lines = append(lines, line)
			line = ""
		}
		line += instruction
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// escape returns the shortest form of one byte that does not depend on its
// neighbours: itself, or an octal escape of up to three digits, after which no
// digit ever stands for itself.
func escape(b byte) string {
	switch {
	case b == '%':
		return "%%"
	case plain(b):
		return string(rune(b))
	}
	return fmt.Sprintf(`\%o`, b)
}

// plain says whether a byte stands for itself: printable, but not a digit, and
// nothing that bash, an editor or a reader could take for something else: a
// blank at the end of a line, a dash that looks like an option, a quote, an
// expansion.
func plain(b byte) bool {
	return '!' <= b && b <= '~' && !strings.ContainsRune("0123456789%\\'\"`$-", rune(b))
}
