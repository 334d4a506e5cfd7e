package gateway

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"
)

// serveSNI takes connections that the packet filter redirects to it, decides
// by the name in the TLS handshake, and by the address where there is none,
// and dials the address that the client had dialled.
func serveSNI(p Proxy, listener net.Listener, ready func()) error {
	ready()
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		go p.splice(conn.(*net.TCPConn))
	}
}

func (p Proxy) splice(client *net.TCPConn) {
	defer client.Close()
	to, err := originalDestination(client)
	if err != nil {
		return
	}
	client.SetReadDeadline(time.Now().Add(3 * time.Second))
	name, seen := serverName(client)
	client.SetReadDeadline(time.Time{})
	if name == "" {
		name = to.Addr().String()
	}
	if !p.permits(name) {
		return
	}
	server, err := net.Dial("tcp4", to.String())
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		io.Copy(server, io.MultiReader(bytes.NewReader(seen), client))
		server.(*net.TCPConn).CloseWrite()
	}()
	io.Copy(client, server)
}

// serverName reads the handshake's first message and returns the name in it,
// "" where there is none, and all that it has read.
func serverName(client net.Conn) (name string, seen []byte) {
	recorder := &recorder{Conn: client}
	tls.Server(recorder, &tls.Config{
		GetConfigForClient: func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
			name = hello.ServerName
			return nil, io.EOF // enough is known
		},
	}).Handshake() // always fails, on purpose
	return name, recorder.seen.Bytes()
}

// recorder keeps what is read, and writes nothing.
type recorder struct {
	net.Conn
	seen bytes.Buffer
}

func (r *recorder) Read(b []byte) (int, error) {
	n, err := r.Conn.Read(b)
	r.seen.Write(b[:n])
	return n, err
}

func (r *recorder) Write(b []byte) (int, error) { return len(b), nil }

func originalDestination(conn *net.TCPConn) (to netip.AddrPort, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return to, err
	}
	controlErr := raw.Control(func(fd uintptr) {
		// The kernel fills in a sockaddr_in; this call merely has room for one.
		var option *unix.IPv6Mreq
		if option, err = unix.GetsockoptIPv6Mreq(int(fd), unix.SOL_IP, unix.SO_ORIGINAL_DST); err == nil {
			b := option.Multiaddr
			to = netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[4:8])), binary.BigEndian.Uint16(b[2:4]))
		}
	})
	if controlErr != nil {
		return to, controlErr
	}
	return to, err
}
