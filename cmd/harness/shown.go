package harness

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is a test as a table says it: the package, unless it is the table's own,
// the function or file, and the number of one of its questions.
var named = regexp.MustCompile(`^(?:(\w+test|golden|gen|gen/\w+|cmd/bwrapgen) )?(Test[A-Z]\w*|[\w-]+(?:\.txtar)?)(?: ([A-Z]?[A-Z0-9-]*\d))?$`)

// Shown says what is wrong with the name of a test in a table of this package.
func Shown(t *testing.T, name string) error {
	t.Helper()
	parts := named.FindStringSubmatch(name)
	if parts == nil {
		return fmt.Errorf("%q names no test", name)
	}
	folder := cmp.Or(parts[1], ".")
	switch {
	case strings.HasSuffix(folder, "test"):
		folder = "../" + folder
	case folder != ".":
		folder = "../../" + folder
	}
	if strings.HasPrefix(parts[2], "Test") {
		return asks(t, folder, parts[2], parts[3])
	}
	if !Exists(folder+"/cases/"+parts[2]+".txtar") && !Exists(folder+"/testdata/script/"+parts[2]) {
		return fmt.Errorf("there is no %s", name)
	}
	return nil
}

// asks says whether a package has a test, and whether that has such a question.
func asks(t *testing.T, folder, test, number string) error {
	t.Helper()
	files, _ := filepath.Glob(folder + "/*_test.go")
	for _, file := range files {
		_, body, ok := strings.Cut(Read(t, file), "\nfunc "+test+"(")
		if !ok {
			continue
		}
		body, _, _ = strings.Cut(body, "\n}\n")
		if number != "" && !regexp.MustCompile(`"([A-Z0-9-]+ )*`+number+`[ :]`).MatchString(body) {
			return fmt.Errorf("%s does not ask for %s", test, number)
		}
		return nil
	}
	return fmt.Errorf("there is no %s", test)
}
