package bash

import "testing"

func TestDense(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"between statements", "true\n\nfalse\n", "true\nfalse\n"},
		{"around a title", "true\n\n# --- A\n\nfalse\n", "true\n\n# --- A\n\nfalse\n"},
		{"in a word", "a='x\n\ny'\n\ntrue\n", "a='x\n\ny'\ntrue\n"},
		{"after the head", "#!/bin/bash\n#\n# a\n\n# b\n\ntrue\n\nfalse\n", "#!/bin/bash\n#\n# a\n\n# b\ntrue\nfalse\n"},
		{"after a function", "f() {\n  true\n}\n\ntrue\n", "f() {\n  true\n}\n\ntrue\n"},
		{"before a function", "true\n\n# a\nf() { true; }\n\ntrue\n\nf\n", "true\n\n# a\nf() { true; }\n\ntrue\nf\n"},
		{"in a body", "f() {\n  true\n\n  false\n}\n", "f() {\n  true\n  false\n}\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Dense([]byte(test.src), "# --- ")
			if err != nil || string(got) != test.want {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
			again, err := Dense(got, "# --- ")
			if err != nil || string(again) != test.want {
				t.Errorf("again: got %q, %v", again, err)
			}
		})
	}
	if _, err := Dense([]byte("if"), ""); err == nil {
		t.Error("no error for what is not bash")
	}
}
