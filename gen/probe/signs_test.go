package probe

import (
	"os"
	"path/filepath"
	"testing"

	"bwrapgen/gen/doctor"
)

func TestSigns(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n",
		"proc/sys/kernel/osrelease":                             "4.4.0-19041-Microsoft\n",
		"run/.containerenv":                                     "",
		"usr/bin/bwrap":                                         "",
	} {
		os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755)
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root, "usr/bin/bwrap"), 0o755|os.ModeSetuid); err != nil {
		t.Fatal(err)
	}
	got := Host{Root: root}.Signs("/usr/bin/bwrap")
	if !got.Setuid || !got.Container || len(got.Settings) != 2 || got.Settings["kernel/osrelease"] != "4.4.0-19041-Microsoft" {
		t.Errorf("got %+v", got)
	}
	got = Host{Root: t.TempDir()}.Signs("/usr/bin/bwrap")
	if got.Setuid || got.Container || len(got.Settings) != 0 {
		t.Errorf("of nothing: got %+v", got)
	}
	if found, ok := doctor.Find("setting up uid map: Permission denied", Host{Root: root}.Signs("")); !ok || found.Fix == "" {
		t.Errorf("got %+v", found)
	}
}
