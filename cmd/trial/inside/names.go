package inside

import (
	"net"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sys/unix"
)

// Server is where names answers. Answer is the address that it gives for all names, but
// for those below Other's, which have another address.
const (
	Server  = "127.0.0.53"
	Answer  = "192.0.2.7"
	Other   = "192.0.2.8"
	OtherOf = "other.test."
)

// Asked are ports of TCP at which each address of 192.0.2.0/24 tells what names has been
// asked.
var Asked = []string{"7000", "7001"}

// names is a server of names, in a network of its own, until its parent ends.
func names() error {
	runtime.LockOSThread() // the parent's end is told to the thread that asks for it
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return err
	}
	if err := loopback(); err != nil {
		return err
	}
	if err := local(Answer); err != nil {
		return err
	}
	var asked asked
	for _, port := range Asked {
		l, err := net.Listen("tcp4", ":"+port)
		if err != nil {
			return err
		}
		go asked.tell(l)
	}
	c, err := net.ListenPacket("udp", Server+":53")
	if err != nil {
		return err
	}
	buffer := make([]byte, 512)
	for {
		n, from, err := c.ReadFrom(buffer)
		if err != nil {
			return err
		}
		var m dnsmessage.Message
		if err := m.Unpack(buffer[:n]); err != nil {
			return err
		}
		m.Response, m.Additionals = true, nil
		for _, q := range m.Questions {
			asked.note(q.Name.String())
			address := Answer
			if strings.HasSuffix(q.Name.String(), OtherOf) {
				address = Other
			}
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class},
				Body:   &dnsmessage.AResource{A: [4]byte(net.ParseIP(address).To4())},
			})
		}
		answer, err := m.Pack()
		if err != nil {
			return err
		}
		if _, err := c.WriteTo(answer, from); err != nil {
			return err
		}
	}
}

// asked is what the server has been asked, one name a line.
type asked struct {
	sync.Mutex
	names strings.Builder
}

func (a *asked) note(name string) {
	a.Lock()
	defer a.Unlock()
	a.names.WriteString(name + "\n")
}

// tell says it to each that connects.
func (a *asked) tell(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		a.Lock()
		_, _ = c.Write([]byte("asked:\n" + a.names.String()))
		a.Unlock()
		_ = c.Close()
	}
}

// loopback switches on the loopback of a new network.
func loopback() error {
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP)
	return configure(unix.SIOCSIFFLAGS, lo)
}

// local gives the loopback the network of an address, by its class.
func local(address string) error {
	lo, err := unix.NewIfreq("lo:1")
	if err != nil {
		return err
	}
	if err := lo.SetInet4Addr(net.ParseIP(address).To4()); err != nil {
		return err
	}
	return configure(unix.SIOCSIFADDR, lo)
}

func configure(request uint, of *unix.Ifreq) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(s) }()
	return unix.IoctlIfreq(s, request, of)
}
