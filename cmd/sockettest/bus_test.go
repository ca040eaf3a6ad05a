package sockettest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const onlyBus = `extends = ["default"]
[sockets]
pass = ["dbus"]
talk = ["test.Allowed"]
`

// busOf starts a session bus of the user's, at the usual place.
func busOf(p *place) {
	p.t.Helper()
	need(p.t, "dbus-daemon")
	need(p.t, "dbus-send")
	need(p.t, "xdg-dbus-proxy")
	at := p.session + "/bus"
	daemon := p.command("dbus-daemon", "--session", "--nofork", "--nosyslog", "--address=unix:path="+at)
	if err := daemon.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() {
		daemon.Process.Kill()
		daemon.Wait()
	})
	within(p.t, "the session bus to start", func() bool {
		_, err := os.Stat(at)
		return err == nil
	})
	p.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=" + at + ";unix:path=/nonexistent"
}

// within waits for something that takes a moment.
func within(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for range 200 {
		if happened() {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}

// proxies are the filters that run for the place, and the sockets they have.
func (p *place) proxies() []string {
	var found []string
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, at := range all {
		line, _ := os.ReadFile(at)
		if bytes.HasPrefix(line, []byte("xdg-dbus-proxy")) && bytes.Contains(line, []byte(p.dir)) {
			found = append(found, at)
		}
	}
	left, _ := filepath.Glob(p.session + "/bwrapgen-*/bus-*")
	return append(found, left...)
}

// TestBus speaks to one name that is listed, and to one that is not: the bus
// would start a program for each of them, outside the sandbox.
func TestBus(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		p.starter("test.Allowed")
		p.starter("test.Other")
		busOf(p)
		l := p.launcher(onlyBus)
		if got, err := p.run(l, "sh", "-c", "dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames"); err != nil {
			t.Errorf("the bus itself says %s, %v", got, err)
		}
		p.run(l, "sh", "-c", speak("test.Other")+"; "+speak("test.Allowed"))
		within(t, "test.Allowed to be started", func() bool { return p.started("test.Allowed") })
		if p.started("test.Other") {
			t.Error("test.Other was started from inside")
		}
		p.run("sh", "-c", speak("test.Other"))
		within(t, "test.Other to be started from outside", func() bool { return p.started("test.Other") })
		if got, _ := p.run(l, "./client", "dial", p.session+"/bus"); !strings.HasSuffix(got, "no answer") {
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
		"[D-BUS Service]\nName="+name+"\nExec=/bin/sh -c \"touch "+p.dir+"/home/"+name+"; exit 1\"\n")
}

func (p *place) started(name string) bool {
	_, err := os.Stat(p.dir + "/home/" + name)
	return err == nil
}

// TestBusAfterKill ends the launcher in each way: no filter stays, and no
// socket of it.
func TestBusAfterKill(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		busOf(p)
		l := p.launcher(onlyBus)
		for _, alone := range []bool{true, false} {
			c := p.command(l, "sh", "-c", "touch up; exec sleep 60")
			os.Remove(p.project + "/up")
			var said bytes.Buffer
			c.Stdout, c.Stderr = &said, &said
			if c.SysProcAttr == nil {
				c.SysProcAttr = &syscall.SysProcAttr{}
			}
			c.SysProcAttr.Setpgid = true
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			within(t, "the command to start", func() bool {
				_, err := os.Stat(p.project + "/up")
				return err == nil
			})
			if len(p.proxies()) != 2 {
				t.Errorf("a filter and its socket were expected, not %q", p.proxies())
			}
			if alone {
				c.Process.Kill()
			} else {
				syscall.Kill(-c.Process.Pid, syscall.SIGTERM)
			}
			begin := time.Now()
			c.Wait()
			if time.Since(begin) > 5*time.Second {
				t.Error("somebody held the output open")
			}
			within(t, "the filter to go", func() bool { return p.proxies() == nil })
		}
	})
}

// TestNoProxy refuses to pass a bus without a filter.
func TestNoProxy(t *testing.T) {
	everywhere(t, func(t *testing.T, p *place) {
		busOf(p)
		got, err := p.covered("/dev/null", "/usr/bin/xdg-dbus-proxy", p.launcher(onlyBus), "true")
		if err == nil || !strings.Contains(got, "xdg-dbus-proxy is not installed") {
			t.Errorf("got %q, %v", got, err)
		}
	})
}
