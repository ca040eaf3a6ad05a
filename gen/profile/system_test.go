package profile

import "testing"

func TestSystemDirectory(t *testing.T) {
	tests := []struct {
		name string
		want bool
	}{
		{"/", true}, {"//", true}, {"/usr", true}, {"/usr/", true}, {"/usr/local", true}, {"/usr/local/src", true},
		{"/usr/local/src/x", false}, {"/usr/src", true}, {"/usr/src/app", false}, {"/usr/src/../bin", true},
		{"/etc/x", true}, {"/etcetera", false}, {"/var", true}, {"/var/lib/x", true}, {"/var/www", true},
		{"/var/www/site", false}, {"/var/home/u/x", false}, {"/run", true}, {"/run/user/1000", false},
		{"/home", true}, {"/home/u", false}, {"/root", true}, {"/root/x", false}, {"/tmp", true}, {"/tmp/x", false},
		{"/mnt", true}, {"/mnt/x", false}, {"/lib64", true}, {"/library", false}, {"/workspace", false},
	}
	for _, test := range tests {
		if got := SystemDirectory(test.name); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}
