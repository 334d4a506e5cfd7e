// Package host reads host names and addresses in the spellings that reach an
// enforcer: rare forms of IPv4, full-width digits, brackets, ports, URLs.
package host

import (
	"net/netip"
	"strconv"
	"strings"
)

// Literal reads an address in its canonical spelling, as Go's net.ParseIP does:
// without a zone, mapped IPv6 as IPv4.
func Literal(s string) (netip.Addr, bool) {
	addr, err := netip.ParseAddr(s)
	if err != nil || addr.Zone() != "" {
		return netip.Addr{}, false
	}
	return addr.Unmap(), true
}

// SpecialUse tells a top-level domain, with or without a dot before it, under
// which nobody can register a name: RFC 6761 §6, RFC 6762 §3, RFC 7686, RFC 9476,
// and .internal, which ICANN has reserved (resolution 2024.07.29.06).
func SpecialUse(domain string) bool {
	switch strings.TrimPrefix(domain, ".") {
	case "alt", "example", "internal", "invalid", "local", "localhost", "onion", "test":
		return true
	}
	return false
}

// IPv4 reads an address as inet_aton and the WHATWG URL standard do ("IPv4
// parser"): one to four parts, each decimal, octal with a leading 0 or
// hexadecimal with a leading 0x, the last filling what is left; one trailing
// dot is no part. Numeric tells that s ends in a number, and so is an address or
// nothing: no name.
func IPv4(s string) (addr netip.Addr, numeric bool) {
	parts := strings.Split(s, ".")
	if n := len(parts); n > 1 && parts[n-1] == "" {
		parts = parts[:n-1]
	}
	if !isNumber(parts[len(parts)-1]) {
		return netip.Addr{}, false
	}
	if len(parts) > 4 {
		return netip.Addr{}, true
	}
	var value uint64
	for i, p := range parts {
		n, ok := part(p)
		limit := uint64(255)
		if i == len(parts)-1 {
			limit = 1<<(8*(5-len(parts))) - 1
		}
		if !ok || n > limit {
			return netip.Addr{}, true
		}
		if i == len(parts)-1 {
			value += n
		} else {
			value += n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// isNumber is the standard's "ends in a number" for the last part.
func isNumber(last string) bool {
	if last != "" && strings.Trim(last, "0123456789") == "" {
		return true
	}
	digits, hex := cutHex(last)
	return hex && strings.Trim(digits, "0123456789abcdefABCDEF") == ""
}

func cutHex(s string) (digits string, hex bool) {
	if len(s) >= 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		return s[2:], true
	}
	return s, false
}

func part(s string) (value uint64, ok bool) {
	if s == "" {
		return 0, false
	}
	base := 10
	digits, hex := cutHex(s)
	switch {
	case hex:
		base = 16
	case len(s) > 1 && s[0] == '0':
		digits, base = s[1:], 8
	}
	if digits == "" {
		return 0, true
	}
	// ParseUint takes a sign from nobody, but underscores only with base 0.
	value, err := strconv.ParseUint(digits, base, 64)
	return value, err == nil
}
