package probe_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"syscall"
	"testing"

	"bwrapgen/gen/host"
	"bwrapgen/gen/problem"
)

func TestPaths(t *testing.T) {
	root := tree(t,
		"/usr/bin/", "/usr/lib/go/bin/go!", "/usr/file",
		"/bin -> usr/bin",
		"/abs -> /usr/bin",
		"/chain -> abs",
		"/deep/er/", "/deep/link -> er/../../usr",
		"/up -> ../../../usr",
		"/tofile -> usr/file",
		"/gone -> /no/such/place",
		"/gonerel -> no/../such",
		"/circle -> circle", "/a -> b", "/b -> a",
		"/overfile -> usr/file/below",
		"/slashes -> ///usr//bin/.",
		"/home -> var/home", "/var/home/u/.cargo/bin/", "/var/home/u/real/", "/var/home/u/linked -> real",
		"/data/cargo/bin/",
		"/odd/a\nb/", "/odd/a\"b'c/", "/odd/\xff -> a\nb", "/odd/bad -> \xff",
		"/proc/123/mounts", "/proc/self -> 123", "/proc/mounts -> self/mounts", "/etc/mtab -> ../proc/self/mounts",
	)
	for _, test := range []struct {
		path string
		want host.PathFact // zero: absent
	}{
		{"/", host.PathFact{Kind: host.Dir}},
		{"/usr/bin", host.PathFact{Kind: host.Dir}},
		{"/usr/file", host.PathFact{Kind: host.File}},
		{"/usr/none", host.PathFact{}},
		{"/usr/file/below", host.PathFact{}},
		{"/bin", host.PathFact{Kind: host.Dir, Target: "/usr/bin"}},
		{"/bin/none", host.PathFact{}},
		{"/abs", host.PathFact{Kind: host.Dir, Target: "/usr/bin"}},
		{"/chain", host.PathFact{Kind: host.Dir, Target: "/usr/bin"}},
		{"/deep/link/lib/go/bin/go", host.PathFact{Kind: host.File, Target: "/usr/lib/go/bin/go"}},
		{"/up", host.PathFact{Kind: host.Dir, Target: "/usr"}},
		{"/tofile", host.PathFact{Kind: host.File, Target: "/usr/file"}},
		{"/gone", host.PathFact{Kind: host.Dangling, Target: "/no/such/place"}},
		{"/gone/below", host.PathFact{}},
		{"/gonerel", host.PathFact{Kind: host.Dangling, Target: "/such"}},
		{"/circle", host.PathFact{Kind: host.Dangling}},
		{"/circle/below", host.PathFact{}},
		{"/a", host.PathFact{Kind: host.Dangling}},
		{"/overfile", host.PathFact{Kind: host.Dangling, Target: "/usr/file/below"}},
		{"/slashes", host.PathFact{Kind: host.Dir, Target: "/usr/bin"}},
		{"~", host.PathFact{Kind: host.Dir, Target: "/var/home/u"}},
		{"~/.cargo/bin", host.PathFact{Kind: host.Dir, Target: "/var/home/u/.cargo/bin"}},
		{"~/linked", host.PathFact{Kind: host.Dir, Target: "/var/home/u/real"}},
		{"${CARGO_HOME:-~/.cargo}/bin", host.PathFact{Kind: host.Dir}},
		{"${EMPTY:-~/.cargo}/bin", host.PathFact{Kind: host.Dir, Target: "/var/home/u/.cargo/bin"}},
		{"${RELATIVE:-~/.cargo}/bin", host.PathFact{Kind: host.Dir, Target: "/var/home/u/.cargo/bin"}},
		{"$UNSET/bin", host.PathFact{}},
		{"./here", host.PathFact{}},
		{"/odd/a\nb", host.PathFact{Kind: host.Dir}},
		{"/odd/a\"b'c", host.PathFact{Kind: host.Dir}},
		{"/odd/\xff", host.PathFact{Kind: host.Dir, Target: "/odd/a\nb"}},
		{"/odd/bad", host.PathFact{Kind: host.Dir, Target: "/odd/a\nb"}},
		{"/proc/mounts", host.PathFact{Kind: host.File, Target: "/proc/self/mounts"}}, // no process's number
		{"/etc/mtab", host.PathFact{Kind: host.File, Target: "/proc/self/mounts"}},
	} {
		t.Run(test.path, func(t *testing.T) {
			h := on(root, "CARGO_HOME=/data/cargo", "EMPTY=", "RELATIVE=data/cargo")
			f := ask(t, h, host.Question{Paths: exprs(test.path)})
			got, ok := f.Has(exprs(test.path)[0])
			if got != test.want || ok != (test.want.Kind != "") {
				t.Errorf("got %+v, %v, want %+v", got, ok, test.want)
			}
			if again, err := host.Read(f.JSON()); err != nil || !reflect.DeepEqual(again.Paths, f.Paths) {
				t.Errorf("not the same after JSON: %+v, %v", again.Paths, err)
			}
		})
	}
}

// The kernel is the judge of links: what it resolves, we resolve alike.
func TestPathsAgreeWithKernel(t *testing.T) {
	root := tree(t, "/x/y/z/", "/x/l1 -> y/./z/../..", "/l2 -> x/l1/y", "/x/y/l3 -> ../../l2/z")
	// 39 links in a row and more; the kernel gives up after the 40th.
	for i := range 45 {
		if err := os.Symlink(fmt.Sprintf("n%d", i), fmt.Sprintf("%s/n%d", root, i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(root+"/n0", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"/x/l1", "/l2", "/x/y/l3", "/l2/z", "/n1", "/n39", "/n40", "/n41", "/n45"} {
		f := ask(t, on("", "HOME="+root), host.Question{Paths: exprs("~" + name)})
		fact, _ := f.Has(exprs("~" + name)[0])
		want, err := os.Stat(root + name)
		for range 9 { // on a busy machine the kernel was seen to give up before the 40th, too
			if errors.Is(err, syscall.ELOOP) {
				want, err = os.Stat(root + name)
			}
		}
		if (err == nil) != (fact.Kind == host.Dir) {
			t.Errorf("%s: got %+v, the kernel says %v", name, fact, err)
		} else if err == nil {
			if got, err := os.Lstat(fact.Place(root + name)); err != nil || !os.SameFile(got, want) {
				t.Errorf("%s: got %+v, which is another place", name, fact)
			}
		}
	}
}

func TestKinds(t *testing.T) {
	root := tree(t, "/run/")
	listener, err := net.Listen("unix", root+"/run/s")
	if err != nil {
		t.Skip("no sockets here: ", err)
	}
	defer listener.Close()
	f := ask(t, on(root), host.Question{Paths: exprs("/run/s")})
	if got := f.Paths["/run/s"].Kind; got != host.Socket {
		t.Errorf("got %s", got)
	}
	f = ask(t, on(""), host.Question{Paths: exprs("/dev/null")})
	if got := f.Paths["/dev/null"].Kind; got != host.Device {
		t.Errorf("got %s", got)
	}
}

func TestVariables(t *testing.T) {
	h := on(tree(t), "A=/a", "EMPTY=", "RELATIVE=x/y", "TILDE=~/x", "INPATH=/in path", "NOTASKED=/secret")
	f := ask(t, h, host.Question{
		Variables: []string{"A", "EMPTY", "RELATIVE", "TILDE", "UNSET"},
		Paths:     exprs("${UNSET:-$INPATH/x}/y"),
	})
	want := map[string]string{"A": "/a", "INPATH": "/in path"}
	if !reflect.DeepEqual(f.Variables, want) {
		t.Errorf("got %v, want %v", f.Variables, want)
	}
}

func TestProjectPaths(t *testing.T) {
	root := tree(t, "/src/app/node_modules/", "/p -> src/app")
	f := ask(t, on(root), host.Question{Paths: exprs("./node_modules", "."), Project: "/p"})
	want := map[string]host.PathFact{
		"./node_modules": {Kind: host.Dir, Target: "/src/app/node_modules"},
		".":              {Kind: host.Dir, Target: "/src/app"},
	}
	if !reflect.DeepEqual(f.Paths, want) {
		t.Errorf("got %v, want %v", f.Paths, want)
	}
}

func TestFactsRefuses(t *testing.T) {
	root := tree(t, "/file")
	for _, test := range []struct {
		name, home, project, want string
	}{
		{"no home", "HOME=", "", "HOME is not an absolute path"},
		{"relative home", "HOME=u", "", "HOME is not an absolute path"},
		{"no project", "HOME=/u", "/none", `the project is not a directory: "/none"`},
		{"file as project", "HOME=/u", "/file", `the project is not a directory: "/file"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := on(root, test.home).Facts(context.Background(), host.Question{Project: test.project})
			var p problem.Problem
			if !errors.As(err, &p) || p.Error() != test.want || p.Hint == "" {
				t.Errorf("got %v, want %s and a hint", err, test.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := on(root).Facts(ctx, host.Question{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTimezone(t *testing.T) {
	for link, want := range map[string]string{
		"/etc/localtime -> /usr/share/zoneinfo/Europe/Berlin":   "/usr/share/zoneinfo/Europe/Berlin",
		"/etc/localtime -> ../usr/share/zoneinfo/Europe/Berlin": "/usr/share/zoneinfo/Europe/Berlin",
		"/etc/localtime = TZif":                                 "",
		"/etc/":                                                 "",
	} {
		if got := ask(t, on(tree(t, link)), host.Question{}).Timezone; got != want {
			t.Errorf("%s: got %s", link, got)
		}
	}
}

func TestUserns(t *testing.T) {
	const (
		most     = "/proc/sys/user/max_user_namespaces = 127\n"
		apparmor = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns = 1\n"
		bwrap    = "/usr/bin/bwrap! = #!/bin/sh\n"
	)
	for _, test := range []struct {
		name  string
		names []string
		want  string // empty: it may
	}{
		{"plain", []string{most}, ""},
		{"not built in", nil, "the kernel has no user namespaces"},
		{"none left", []string{"/proc/sys/user/max_user_namespaces = 0\n"}, "user.max_user_namespaces is 0"},
		{"Debian", []string{most, "/proc/sys/kernel/unprivileged_userns_clone = 0\n"}, "kernel.unprivileged_userns_clone is 0"},
		{"Debian, allowed", []string{most, "/proc/sys/kernel/unprivileged_userns_clone = 1\n"}, ""},
		{"Ubuntu", []string{most, apparmor, bwrap},
			"kernel.apparmor_restrict_unprivileged_userns is 1 and no AppArmor profile allows it to bwrap"},
		{"Ubuntu, profile", []string{most, apparmor, bwrap, "/etc/apparmor.d/bwrap-userns-restrict"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := ask(t, on(tree(t, test.names...), "PATH=/usr/bin"), host.Question{Programs: true})
			if f.Userns != (test.want == "") || f.UsernsWhy != test.want {
				t.Errorf("got %v, %q", f.Userns, f.UsernsWhy)
			}
		})
	}
}

// asNobody has root look at files as somebody without rights until the test ends:
// this thread alone, which the test keeps.
func asNobody(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Setfsuid(0)
		runtime.UnlockOSThread()
	})
}

// What may not be looked at is absent, and so is what lies below.
func TestForbidden(t *testing.T) {
	root := tree(t, "/shut/in/", "/link -> shut/in", "/open/")
	if err := os.Chmod(root+"/shut", 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(root), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(root+"/shut", 0o755) })
	if os.Geteuid() == 0 {
		asNobody(t)
		_, open := os.ReadDir(root + "/open")
		_, shut := os.ReadDir(root + "/shut")
		if open != nil || shut == nil {
			t.Skipf("root cannot look as somebody else here: %v", open)
		}
	}
	f := ask(t, on(root), host.Question{Paths: exprs("/shut", "/shut/in", "/link", "/open")})
	want := map[string]host.PathFact{
		"/shut": {Kind: host.Dir},
		"/link": {Kind: host.Dangling, Target: "/shut/in"},
		"/open": {Kind: host.Dir},
	}
	if !reflect.DeepEqual(f.Paths, want) {
		t.Errorf("got %v, want %v", f.Paths, want)
	}
}
