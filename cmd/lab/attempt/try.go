package attempt

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"sixways-lab/world"
	"sixways/fixture"
)

// Try is what the attempting process is to send.
type Try struct {
	// Path is how to get to Address: one of the paths below.
	Path Path
	// Address is host and port; the host alone for PathForward on port 80.
	Address string
	// ServerName is sent as SNI in a TLS handshake; "" for no TLS.
	ServerName string
	Payload    Payload
	// Name is what a query asks for, below the nonce.
	Name  string
	Nonce string
}

// Path is how a try gets to its address.
type Path string

// The paths.
const (
	PathDirect   Path = "direct"   // a TCP connection
	PathDatagram Path = "datagram" // UDP
	PathConnect  Path = "connect"  // a tunnel through the proxy
	PathForward  Path = "forward"  // an HTTP request to the proxy
)

// Payload is what a try says once it is there.
type Payload string

// The payloads.
const (
	PayloadGet     Payload = "get"     // an HTTP request for the nonce
	PayloadQuery   Payload = "query"   // a DNS query for a name that carries it
	PayloadDoH     Payload = "doh"     // the same over HTTPS
	PayloadNothing Payload = "nothing" // the address itself carries it
)

// nonceMark stands for the nonce in an address.
const nonceMark = "{nonce}"

const exfilName = nonceMark + "." + fixture.ExfilZone

func direct(address string) Try {
	return Try{Path: PathDirect, Address: address, Payload: PayloadGet, Name: exfilName}
}

func connect(address string) Try {
	return Try{Path: PathConnect, Address: address, Payload: PayloadGet, Name: exfilName}
}

func forward(host string) Try {
	return Try{Path: PathForward, Address: host, Payload: PayloadGet}
}

func datagram(address string) Try {
	return Try{Path: PathDatagram, Address: address, Payload: PayloadQuery, Name: exfilName}
}

func (t Try) secure(serverName string) Try { t.ServerName = serverName; return t }
func (t Try) query() Try                   { t.Payload = PayloadQuery; return t }
func (t Try) doh() Try                     { t.Payload = PayloadDoH; return t }
func (t Try) nothing() Try                 { t.Payload = PayloadNothing; return t }

// patience bounds a try. No build drops packets in silence, so that a try that
// takes so long is a fault of the lab and proves nothing.
const patience = 10 * time.Second

// send makes the try and returns what came back.
func (t Try) send(roots *x509.CertPool) (answer string, err error) {
	t.Address = strings.ReplaceAll(t.Address, nonceMark, t.Nonce)
	t.Name = strings.ReplaceAll(t.Name, nonceMark, t.Nonce)
	conn, err := t.open()
	if err != nil {
		return "", err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if t.Path == PathConnect {
		if err := tunnel(conn, t.Address); err != nil {
			return "", err
		}
	}
	if t.ServerName != "" {
		conn = tls.Client(conn, &tls.Config{ServerName: t.ServerName, RootCAs: roots})
	}
	switch t.Payload {
	case PayloadGet:
		return t.get(conn)
	case PayloadQuery:
		return t.ask(conn)
	case PayloadDoH:
		return t.askHTTPS(conn)
	case PayloadNothing:
		return "", nil
	}
	return "", fmt.Errorf("payload %q is unknown", t.Payload)
}

func (t Try) open() (net.Conn, error) {
	network, address := "tcp4", t.Address
	switch t.Path {
	case PathDirect:
	case PathDatagram:
		network = "udp4"
	case PathConnect, PathForward:
		address = Proxy
	default:
		return nil, fmt.Errorf("path %q is unknown", t.Path)
	}
	dialer := net.Dialer{Timeout: patience}
	dialer.SetMultipathTCP(false)
	return dialer.Dial(network, address)
}

func tunnel(conn net.Conn, address string) error {
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Host: address}, Host: address}
	if err := request.Write(conn); err != nil {
		return err
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		response.Body.Close()
		return fmt.Errorf("the proxy answers %s", response.Status)
	}
	return nil
}

func (t Try) get(conn net.Conn) (string, error) {
	u := &url.URL{Scheme: "http", Host: t.Address, Path: "/" + t.Nonce}
	return exchange(conn, &http.Request{Method: http.MethodGet, URL: u, Close: true}, t.Path)
}

func (t Try) askHTTPS(conn net.Conn) (string, error) {
	message, err := t.message()
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest(http.MethodPost, "http://"+t.Address+"/dns-query", bytes.NewReader(message))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/dns-message")
	request.Close = true
	return exchange(conn, request, t.Path)
}

func exchange(conn net.Conn, request *http.Request, path Path) (string, error) {
	write := request.Write
	if path == PathForward {
		write = request.WriteProxy
	}
	if err := write(conn); err != nil {
		return "", err
	}
	// Whoever is reached by a redirect may wait for more of another protocol.
	if stream, bare := conn.(*net.TCPConn); bare && path == PathDirect {
		if err := stream.CloseWrite(); err != nil {
			return "", err
		}
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 4096))
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("the answer is %s", response.Status)
	}
	return string(body), nil
}

func (t Try) message() ([]byte, error) {
	name, err := dnsmessage.NewName(t.Name + ".")
	if err != nil {
		return nil, err
	}
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: 6, RecursionDesired: true},
		Questions: []dnsmessage.Question{{Name: name, Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET}},
	}
	return m.Pack()
}

func (t Try) ask(conn net.Conn) (string, error) {
	query, err := t.message()
	if err != nil {
		return "", err
	}
	reply, err := t.roundTrip(conn, query)
	if err != nil {
		return "", err
	}
	var m dnsmessage.Message
	if err := m.Unpack(reply); err != nil {
		return "", err
	}
	return m.RCode.String(), nil
}

func (t Try) roundTrip(conn net.Conn, query []byte) ([]byte, error) {
	if t.Path != PathDatagram {
		if err := world.WriteMessage(conn, query); err != nil {
			return nil, err
		}
		return world.ReadMessage(conn)
	}
	if _, err := conn.Write(query); err != nil {
		return nil, err
	}
	reply := make([]byte, 1500)
	n, err := conn.Read(reply)
	return reply[:n], err
}

func timedOut(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}
