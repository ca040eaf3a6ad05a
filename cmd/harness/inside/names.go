package inside

import (
	"errors"
	"net"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/sys/unix"
)

// Server is where names answers. Answer is the address that it gives for all names, but
// for those below the keys of others, which have another address: one of the loopback's,
// one where clouds have what is for a machine alone, and one of a network of one's own. An answer for what begins with
// "many." has room only for who says so (RFC 6891).
const (
	Server = "127.0.0.53"
	Answer = "192.0.2.7"
	Other  = "192.0.2.8"
	Link   = "169.254.7.7"
	LAN    = "192.168.7.7"
)

var others = map[string]string{".other.test.": Other, ".loop.test.": Server, ".link.test.": Link, ".lan.test.": LAN}

// Asked are ports of TCP at which each address of 192.0.2.0/24 tells what names has been
// asked.
var Asked = []string{"7000", "7001"}

// Six is the address of what is below "six.test", which has none of IPv4; of what is below
// "loop.six.test" it is ::1. What is below "alias.test" is another name for what is below
// "hidden.test", and that for Alias.
const (
	Six   = "2001:db8::7"
	Alias = "a.six.test."
)

// names is a server of names, in a network of its own, until its parent ends.
func names() error {
	if err := endWithParent(); err != nil {
		return err
	}
	if err := loopback(); err != nil {
		return err
	}
	for label, address := range map[string]string{"lo:1": Answer, "lo:2": Link, "lo:3": LAN} {
		if err := local(label, address); err != nil {
			return err
		}
	}
	var asked asked
	for _, port := range Asked {
		l, err := net.Listen("tcp", ":"+port)
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
		answer, err := asked.answer(buffer[:n])
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

// answer notes what a question asks for, and gives what is sent back.
func (a *asked) answer(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	small := len(m.Additionals) == 0
	m.Response, m.Additionals = true, nil
	for _, q := range m.Questions {
		name := q.Name.String()
		a.note(name)
		if m.Truncated = small && strings.HasPrefix(name, "many."); m.Truncated {
			continue
		}
		m.Answers = append(m.Answers, answers(q, strings.ToLower(name))...)
	}
	return m.Pack()
}

func answers(q dnsmessage.Question, name string) []dnsmessage.Resource {
	header := dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class}
	if alias, ok := strings.CutSuffix(name, ".alias.test."); ok {
		middle := dnsmessage.MustNewName(alias + ".hidden.test.")
		target := dnsmessage.MustNewName(Alias)
		last := answers(dnsmessage.Question{Name: target, Class: q.Class, Type: q.Type}, Alias)
		return append([]dnsmessage.Resource{
			{Header: header, Body: &dnsmessage.CNAMEResource{CNAME: middle}},
			{Header: dnsmessage.ResourceHeader{Name: middle, Class: q.Class}, Body: &dnsmessage.CNAMEResource{CNAME: target}},
		}, last...)
	}
	six := strings.HasSuffix(name, ".six.test.")
	switch {
	case six != (q.Type == dnsmessage.TypeAAAA):
		return nil
	case strings.HasSuffix(name, ".loop.six.test."):
		return []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: [16]byte(net.IPv6loopback)}}}
	case six:
		return []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: [16]byte(net.ParseIP(Six))}}}
	}
	return []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: [4]byte(net.ParseIP(addressOf(name)).To4())}}}
}

func addressOf(name string) string {
	for below, address := range others {
		if strings.HasSuffix(name, below) {
			return address
		}
	}
	return Answer
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

// ask sends a question for a name to a server, out of a device, whatever the routes say.
func ask(arguments []string) error {
	if len(arguments) != 3 {
		return errUnknown
	}
	name, err := dnsmessage.NewName(arguments[2])
	if err != nil {
		return err
	}
	m := dnsmessage.Message{Questions: []dnsmessage.Question{{Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}}}
	question, err := m.Pack()
	if err != nil {
		return err
	}
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) (err error) {
		failed := c.Control(func(fd uintptr) { err = unix.BindToDevice(int(fd), arguments[0]) })
		return errors.Join(failed, err)
	}}
	c, err := d.Dial("udp4", arguments[1])
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	_, err = c.Write(question)
	return err
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
func local(label, address string) error {
	lo, err := unix.NewIfreq(label)
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
