package bash

import "testing"

// TestCheckPolicy: a policy is assignments, and runs nothing.
func TestCheckPolicy(t *testing.T) {
	for _, text := range []string{
		"", "a=b", "a=b c='d e'", "a=(b \"$home/c\" \"${D:-$home/.d}\"{,})", "a=\"${!LC_@}\"", "a+=(b)", "a='$(touch pwned)'",
		"filter_x86_64=\\\n'\\0'\\\n'x'",
		"for name in GOPATH HOME; do\n  [[ ${!name-} == /*[!/.]* ]] || unset \"$name\"\ndone\n\na=b",
	} {
		if err := CheckPolicy([]byte(text)); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{
		"if", "touch pwned", "a=b touch pwned", "a=$(touch pwned)", "a=`touch pwned`", "a=\"$(touch pwned)\"", "a=(<(touch pwned))",
		"a=$((1 + 1))", "a=b >pwned", "a=b &", "! a=b", "a=b | c=d", "a=b && touch pwned", "{ a=b; }", "f() { a=b; }",
		"export a=b", "declare a=b", "readonly a", "eval a=b", "source x", "PATH=/x", "BASH_ENV=x", "IFS=x",
		"a=${b@P}", "a=${!b}", "a=${b:=$(touch pwned)}", "a=${b:-$(touch pwned)}", "a=${b[x]}", "a=${b/c/d}", "a[$(touch pwned)]=b",
		"for name in a; do touch pwned; done", "a=b\nfor name in HOME; do\n  [[ ${!name-} == /*[!/.]* ]] || unset \"$name\"\ndone",
		"for name in $(touch pwned); do\n  [[ ${!name-} == /*[!/.]* ]] || unset \"$name\"\ndone",
	} {
		if CheckPolicy([]byte(text)) == nil {
			t.Errorf("%q is no policy", text)
		}
	}
}
