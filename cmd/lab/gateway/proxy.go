package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"

	"sixways-lab/attempt"
	"sixways-lab/space"
	"sixways-lab/world"
	"sixways/fixture"
)

// ProcessName is argument zero of a process that is one of our own proxies.
const ProcessName = "sixways-lab/proxy"

// readyLine is what such a process writes to standard error once it serves.
const readyLine = "sixways-lab proxy serves"

func startProxy(s *space.Space, p Proxy) (*daemon, error) {
	if p.Kind == Squid {
		return startSquid(s, p)
	}
	port := proxyPort
	if p.Kind == SNI {
		port = transparentPort
	}
	listener, err := world.Listen(s, world.GatewayAddress+":"+port)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Kind, err)
	}
	defer listener.Close()
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Kind, err)
	}
	defer file.Close()
	text, err := json.Marshal(order{Proxy: p, Space: s.ID()})
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{ProcessName}
	cmd.Stdin = bytes.NewReader(text)
	cmd.ExtraFiles = []*os.File{file}
	return start(s, cmd, readyLine)
}

// Main is the process of one of our own proxies. It reads its order as
// JSON, makes sure that it is where the order says, takes the listener that it
// was born with, and serves until it is killed. It returns the exit status.
func Main(stdin io.Reader, stderr io.Writer) int {
	fmt.Fprintln(stderr, "sixways-lab proxy:", serve(stdin, stderr))
	return 1
}

// order is what such a process is told.
type order struct {
	Proxy Proxy
	// Space is the ID of the namespace that it must find itself in.
	Space string
}

func serve(stdin io.Reader, stderr io.Writer) error {
	var o order
	if err := json.NewDecoder(stdin).Decode(&o); err != nil {
		return fmt.Errorf("refused to serve: the order cannot be read: %w", err)
	}
	if err := attempt.Guard(o.Space, []string{attempt.LinkLoopback, attempt.LinkInside, attempt.LinkOutside}); err != nil {
		return fmt.Errorf("refused to serve: %w", err)
	}
	p := o.Proxy
	listener, err := net.FileListener(os.NewFile(3, "listener"))
	if err != nil {
		return fmt.Errorf("listener: %w", err)
	}
	ready := func() { fmt.Fprintln(stderr, readyLine) }
	switch p.Kind {
	case Smokescreen:
		return serveSmokescreen(p, listener, ready)
	case Goproxy:
		return serveGoproxy(p, listener, ready)
	case SNI:
		return serveSNI(p, listener, ready)
	}
	return fmt.Errorf("kind %q; want %s, %s or %s", p.Kind, Smokescreen, Goproxy, SNI)
}

var errRefused = errors.New("refused by the list")

// permits is the textbook's rule: it looks at the host as the client wrote it,
// and at nothing else.
func (p Proxy) permits(host string) bool {
	host = strings.ToLower(host)
	if p.RefuseMetadata && host == fixture.Metadata {
		return false
	}
	for _, domain := range p.List.Domains {
		if host == domain || p.List.Deny && strings.HasSuffix(host, "."+domain) {
			return !p.List.Deny
		}
	}
	return p.List.Deny
}
