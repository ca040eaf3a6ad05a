package sockettest

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"bwrapgen/cmd/harness"
)

const onlyBus = `extends = ["default"]
[sockets]
pass = ["dbus"]
talk = ["test.Allowed"]
`

// busOf starts a session bus of the user's, at the usual place.
func busOf(p *place) {
	p.t.Helper()
	for _, program := range []string{"dbus-daemon", "dbus-send", "xdg-dbus-proxy"} {
		harness.Need(p.t, program)
	}
	at := p.session + "/bus"
	daemon := p.command("dbus-daemon", "--session", "--nofork", "--nosyslog", "--address=unix:path="+at)
	if err := daemon.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = daemon.Wait() })
	harness.Eventually(p.t, "the session bus starts", func() bool { return harness.Exists(at) })
	p.Set("DBUS_SESSION_BUS_ADDRESS=unix:path=" + at + ";unix:path=/nonexistent")
}

// proxies are the filters that run for the place, and the sockets they have.
func (p *place) proxies() []string {
	p.t.Helper()
	var found []string
	for _, pid := range harness.Running(p.t, p.Top) {
		line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
		if bytes.HasPrefix(line, []byte("xdg-dbus-proxy")) {
			found = append(found, pid)
		}
	}
	left, _ := filepath.Glob(p.session + "/bwrapgen-*/bus-*")
	return append(found, left...)
}

// TestBus speaks to one name that is listed, and to one that is not: the bus
// would start a program for each of them, outside the sandbox.
func TestBus(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		p.starter("test.Allowed")
		p.starter("test.Other")
		busOf(p)
		l := p.launcher(onlyBus)
		if got, err := p.run(l, "sh", "-c", "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames"); err != nil {
			t.Errorf("the bus itself says %s, %v", got, err)
		}
		p.run(l, "sh", "-c", speak("test.Other")+"; "+speak("test.Allowed"))
		harness.Eventually(t, "test.Allowed is started", func() bool { return p.started("test.Allowed") })
		if p.started("test.Other") {
			t.Error("test.Other was started from inside")
		}
		p.run("sh", "-c", speak("test.Other"))
		harness.Eventually(t, "test.Other is started from outside", func() bool { return p.started("test.Other") })
		if got, _ := p.run(l, p.inside, "hear", "unix", p.session+"/bus"); !unheard(got) {
			t.Errorf("the bus at its own place says %q", got)
		}
		if left := p.proxies(); left != nil {
			t.Errorf("left behind: %q", left)
		}
	})
}

// speak is a command that calls a name on the bus.
func speak(name string) string {
	return "dbus-send --session --print-reply --reply-timeout=2000 --dest=" + name + " / a.b.C"
}

// starter names a program that the bus starts when somebody speaks to a name.
func (p *place) starter(name string) {
	p.write(p.session+"/dbus-1/services/"+name+".service",
		"[D-BUS Service]\nName="+name+"\nExec=/bin/sh -c \"touch "+p.Home+"/"+name+"; exit 1\"\n")
}

func (p *place) started(name string) bool { return harness.Exists(p.Home + "/" + name) }

// TestBusAfterKill ends the launcher in each way: no filter stays, and no
// socket of it.
func TestBusAfterKill(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		busOf(p)
		l := p.launcher(onlyBus)
		for _, end := range []func(pid int) error{
			func(pid int) error { return syscall.Kill(pid, syscall.SIGKILL) },
			func(pid int) error { return syscall.Kill(-pid, syscall.SIGTERM) },
		} {
			c := p.command(l, "sh", "-c", "echo up; exec sleep 300")
			c.SysProcAttr.Setpgid = true
			output := harness.Begin(t, c, "up")
			harness.Complete(t, p.Top)
			if len(p.proxies()) != 2 {
				t.Errorf("a filter and its socket were expected, not %q", p.proxies())
			}
			if err := end(c.Process.Pid); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(output); err != nil { // its end comes when nobody holds it open
				t.Error(err)
			}
			_ = c.Wait()
			harness.Eventually(t, "the filter goes", func() bool { return p.proxies() == nil })
		}
	})
}

// TestNoProxy refuses to pass a bus without a filter.
func TestNoProxy(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		busOf(p)
		got, err := p.covered("/dev/null", "/usr/bin/xdg-dbus-proxy", p.launcher(onlyBus), "true")
		if err == nil || !strings.Contains(got, "xdg-dbus-proxy is not installed") {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

// TestSlowProxy has a filter that takes its time: the command waits for it, and finds
// the bus at once. One that ends before it is ready stops the launch.
func TestSlowProxy(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		busOf(p)
		const real = "/usr/bin/xdg-dbus-proxy"
		program, err := os.ReadFile(real)
		if err != nil {
			t.Fatal(err)
		}
		p.Put(t, p.Top+"/tools/real", program)
		p.write(p.Top+"/tools/slow", "#!/bin/sh\nsleep 1\nexec "+p.Top+"/tools/real \"$@\"\n")
		p.write(p.Top+"/tools/gone", "#!/bin/sh\nexit 1\n")
		l := p.launcher(onlyBus)
		const ask = "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetId && echo asked"
		if got, err := p.covered(p.Top+"/tools/slow", real, l, "sh", "-c", ask); err != nil || !strings.HasSuffix(got, "asked") {
			t.Errorf("a slow one: %s, %v", got, err)
		}
		p.of(l).InNamespace(`mount --bind "$1" "$2"`, p.Top+"/tools/gone", real).Run(t, "touch", "ran").Refused(t, "one that ends", "xdg-dbus-proxy did not start")
		if harness.Exists(p.Project + "/ran") {
			t.Error("the command has run without a filter")
		}
	})
}

// TestBusOwn takes names on the bus: one that is listed, one below a listed root,
// one that may only be spoken to, and another. Outside, all of them can be taken.
func TestBusOwn(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, p *place) {
		busOf(p)
		l := p.launcher(onlyBus + "own = [\"test.Mine\", \"test.Tree.*\"]\n")
		take := func(name string) []string {
			return []string{"dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", "org.freedesktop.DBus.RequestName", "string:" + name, "uint32:0"}
		}
		for name, may := range map[string]bool{"test.Mine": true, "test.Tree.leaf": true, "test.Allowed": false, "test.Other": false} {
			if got, err := p.run(take(name)[0], take(name)[1:]...); err != nil {
				t.Errorf("outside, %s: %s, %v", name, got, err)
			}
			if got, err := p.run(l, take(name)...); (err == nil) != may {
				t.Errorf("inside, %s: %s, %v", name, got, err)
			}
		}
	})
}
