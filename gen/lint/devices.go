package lint

import (
	"fmt"
	"strings"
)

// deviceRules are about single devices.
var deviceRules = []Rule{{
	Name:     "device-bound",
	Severity: Exposure,
	Bad:      "bwrap --dev /dev --dev-bind /dev/input /dev/input -- game",
	Good:     "bwrap --dev /dev --dev-bind /dev/dri /dev/dri -- game",
	Looks:    "input, sound, cameras, terminals, disks and the like of the host",
	Why: "the command reads what is typed, hears and sees through them, or writes to them as its user may: " +
		"uinput types as a keyboard, a disk holds all files",
	Source: "Documentation/admin-guide/devices.txt and Documentation/input/uinput.rst of Linux",
	Hint:   "leave it out; --dev /dev makes what every program needs",
	call:   boundDevices,
}}

// device is a place of devices, and what the command can do with them.
type device struct {
	begins   string // of the path
	severity Severity
	says     string
}

// devicesOf the host that weigh something. Not listed is what draws, computes or
// makes numbers: dri, nvidia, kfd, kvm, null, urandom and their like.
var hostDevices = []device{
	{"/dev/uinput", Escape, "type and click as a keyboard and a mouse"},
	{"/dev/mem", Escape, "read and change the memory of the host"},
	{"/dev/sd", Escape, "read and change a disk of the host, past all files' modes"},
	{"/dev/nvme", Escape, "read and change a disk of the host, past all files' modes"},
	{"/dev/mapper", Escape, "read and change a disk of the host, past all files' modes"},
	{"/dev/dm-", Escape, "read and change a disk of the host, past all files' modes"},
	{"/dev/loop", Escape, "read and change disk images of the host"},
	{"/dev/input", Exposure, "read what is typed, also into other programs"},
	{"/dev/hidraw", Exposure, "read and write to keyboards and security keys"},
	{"/dev/bus/usb", Exposure, "talk to USB devices past their drivers"},
	{"/dev/usb", Exposure, "talk to USB devices past their drivers"},
	{"/dev/char", Exposure, "reach devices of all kinds by their numbers"},
	{"/dev/video", Exposure, "see through the camera"},
	{"/dev/snd", Exposure, "hear the microphone"},
	{"/dev/tty", Exposure, "read and write to terminals of the session"},
	{"/dev/pts", Exposure, "read and write to terminals of the session"},
	{"/dev/ptmx", Exposure, "read and write to terminals of the session"},
	{"/dev/shm", Exposure, "read and change the shared memory of other programs"},
	{"/dev/vhost", Exposure, "talk to the kernel's helpers for virtual machines"},
}

func boundDevices(c *call) []remark {
	var all []remark
	for i, m := range c.mounts {
		if !m.devices || c.hidden(i) {
			continue
		}
		for _, d := range hostDevices {
			if strings.HasPrefix(m.src, d.begins) {
				all = append(all, remark{at: m.At, severity: d.severity, what: fmt.Sprintf("through %s the command can %s", shown(m.src), d.says)})
				break
			}
		}
	}
	return all
}
