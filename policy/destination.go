package policy

import (
	"errors"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// Destination is where an attempt goes: a host name or an address. It is an
// immutable value and comparable. The zero Destination is not valid.
type Destination struct {
	host string     // as given, for people
	name string     // canonical host name; "" for an address
	addr netip.Addr // valid for an address
	port uint16     // 0 where none is said
}

// ParseDestination reads a host name (RFC 1123 §2.1, at most 253 octets in
// labels of at most 63, RFC 1035 §2.3.4) or an IP address in its canonical
// spelling. Names compare without case (RFC 4343) and without the trailing dot
// of an absolute name. A port, a scheme and brackets are not part of a host.
func ParseDestination(s string) (Destination, error) {
	if addr, err := netip.ParseAddr(s); err == nil {
		if addr.Zone() != "" {
			return Destination{}, destinationError(s, "an address with a zone")
		}
		return Destination{host: s, addr: addr.Unmap()}, nil
	}
	name := lowerASCII(strings.TrimSuffix(s, "."))
	if err := checkName(name); err != nil {
		return Destination{}, destinationError(s, err.Error())
	}
	return Destination{host: s, name: name}, nil
}

// MustParseDestination is ParseDestination for constants; it panics on error.
func MustParseDestination(s string) Destination {
	d, err := ParseDestination(s)
	if err != nil {
		panic(err)
	}
	return d
}

// Normalised returns the destination that an enforcer's own normaliser makes of
// a host: the name is what that enforcer compares, however unlike RFC 1123 it
// is. An empty host or name gives the zero Destination.
func Normalised(host, name string) Destination {
	if host == "" || name == "" {
		return Destination{}
	}
	return Destination{host: host, name: name}
}

// NormalisedAddr is [Normalised] for a host that stands for an address, such as
// 2852039166 or [::ffff:a9fe:a9fe]. An empty host or an address that is not
// valid gives the zero Destination.
func NormalisedAddr(host string, addr netip.Addr) Destination {
	if host == "" || !addr.IsValid() {
		return Destination{}
	}
	return Destination{host: host, addr: addr.WithZone("").Unmap()}
}

// WithPort returns d with a TCP or UDP port; 0 takes the port away.
func (d Destination) WithPort(port uint16) Destination {
	if d.IsValid() {
		d.port = port
	}
	return d
}

// Port returns the port, or 0 where none is said.
func (d Destination) Port() uint16 { return d.port }

// Endpoint returns the destination as it was written and the port, where one is
// said: "db.example:5432", "[2001:db8::1]:443" (RFC 3986 §3.2.2).
func (d Destination) Endpoint() string {
	if d.port == 0 {
		return d.host
	}
	host := d.host
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(int(d.port))
}

func destinationError(s, problem string) error {
	return fmt.Errorf("destination %q: %s; want a host name such as api.partner.example or an address such as 203.0.113.10", s, problem)
}

// lowerASCII lowers A to Z alone: strings.ToLower would take the Kelvin sign to
// "k", and so one name for another.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

func checkName(name string) error {
	if name == "" {
		return errors.New("empty")
	}
	if len(name) > 253 {
		return fmt.Errorf("%d octets long, over 253", len(name))
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if err := checkLabel(label); err != nil {
			return err
		}
	}
	if isNumber(labels[len(labels)-1]) {
		return errors.New("ends in a number but is no address in its usual spelling")
	}
	return nil
}

// isNumber reports whether a last label makes the whole an address in a rare
// spelling, such as 0x7f000001, and never a name (WHATWG URL, "ends in a
// number checker").
func isNumber(label string) bool {
	if hex, ok := strings.CutPrefix(label, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

func checkLabel(label string) error {
	switch {
	case label == "":
		return errors.New("an empty label")
	case len(label) > 63:
		return fmt.Errorf("label %q is %d octets long, over 63", label, len(label))
	case label[0] == '-' || label[len(label)-1] == '-':
		return fmt.Errorf("label %q begins or ends with a hyphen", label)
	}
	for i, r := range label {
		// The underscore is no host name character, but queries carry it.
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_", r) {
			return fmt.Errorf("character %q at %d of label %q", r, i+1, label)
		}
	}
	return nil
}

// IsValid reports whether d came from a successful parse.
func (d Destination) IsValid() bool { return d.host != "" }

// String returns the destination as it was written.
func (d Destination) String() string { return d.host }

// Name returns the canonical host name, or "" for an address.
func (d Destination) Name() string { return d.name }

// Addr returns the address, IPv4-mapped ones unmapped (RFC 4291 §2.5.5.2); it
// is not valid for a host name.
func (d Destination) Addr() netip.Addr { return d.addr }

// IsLoopback reports whether d never leaves its network namespace: 127.0.0.0/8
// (RFC 1122 §3.2.1.3), ::1 (RFC 4291 §2.5.3), the unspecified address, which
// common stacks connect to themselves, or a name at or under localhost (RFC
// 6761 §6.3).
func (d Destination) IsLoopback() bool {
	return d.addr.IsLoopback() || d.addr.IsUnspecified() || d.name == "localhost" || strings.HasSuffix(d.name, ".localhost")
}
