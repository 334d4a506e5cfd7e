package host

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Target is a destination as somebody types it, taken apart and not normalised.
type Target struct {
	// Host is a name or an address without brackets, exactly as written.
	Host string
	// Port is 0 where neither port nor scheme says one.
	Port uint16
	// Scheme is that of a URL in lower case, or "".
	Scheme string
}

// maxInput is more than any host with scheme, port and a long path needs.
const maxInput = 8192

// schemePorts are the ports of the schemes that an egress proxy meets.
var schemePorts = map[string]uint16{
	"https": 443, "http": 80, "wss": 443, "ws": 80, "ftp": 21, "ssh": 22, "git": 9418, "dns": 53,
}

// ParseTarget takes apart a host, host:port, an IP address, or a URL. Brackets
// hold an IPv6 address and nothing else (RFC 3986 §3.2.2).
func ParseTarget(input string) (Target, error) {
	if len(input) > maxInput {
		return Target{}, fmt.Errorf("%d octets long, over %d", len(input), maxInput)
	}
	text := strings.Trim(input, " \t\r\n")
	scheme, rest, isURL := strings.Cut(text, "://")
	if !isURL {
		return parseAuthority(text)
	}
	scheme = strings.ToLower(scheme)
	port, known := schemePorts[scheme]
	if !known {
		return Target{}, fmt.Errorf("scheme %q is not one of https, http, wss, ws, ftp, ssh, git or dns", scheme)
	}
	authority, err := cutAuthority(rest)
	if err != nil {
		return Target{}, err
	}
	if strings.Count(authority, ":") > 1 && !strings.HasPrefix(authority, "[") {
		return Target{}, errors.New("more than one colon; a URL has its IPv6 address in brackets")
	}
	t, err := parseAuthority(strings.TrimSuffix(authority, ":")) // a port may be empty, RFC 3986 §3.2.3
	t.Scheme = scheme
	if t.Port == 0 {
		t.Port = port
	}
	return t, err
}

// cutAuthority returns the host and port of what follows "://". A backslash ends
// the host for a browser and is part of it for RFC 3986, so it is refused.
func cutAuthority(rest string) (string, error) {
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	if strings.Contains(rest, `\`) {
		return "", errors.New(`a backslash, which parsers of URLs read differently`)
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return rest, nil
}

func parseAuthority(s string) (Target, error) {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		return parseBracketed(inner)
	}
	if _, err := netip.ParseAddr(s); err == nil {
		return Target{Host: s}, nil
	}
	name, port, hasPort := strings.Cut(s, ":")
	switch {
	case strings.Contains(port, ":"):
		return Target{}, errors.New("more than one colon, and no IPv6 address")
	case name == "":
		return Target{}, errors.New("no host")
	case !hasPort:
		return Target{Host: s}, nil
	}
	n, err := parsePort(port)
	return Target{Host: name, Port: n}, err
}

func parseBracketed(inner string) (Target, error) {
	address, rest, closed := strings.Cut(inner, "]")
	if !closed {
		return Target{}, errors.New("a bracket that is not closed")
	}
	if addr, err := netip.ParseAddr(address); err != nil || !addr.Is6() {
		return Target{}, fmt.Errorf("%q in brackets, where only an IPv6 address may stand", address)
	}
	if rest == "" {
		return Target{Host: address}, nil
	}
	port, ok := strings.CutPrefix(rest, ":")
	if !ok {
		return Target{}, fmt.Errorf("%q after the brackets, where only a port may stand", rest)
	}
	n, err := parsePort(port)
	return Target{Host: address, Port: n}, err
}

func parsePort(s string) (uint16, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("port %q; want 1 to 65535", s)
	}
	return uint16(n), nil
}
