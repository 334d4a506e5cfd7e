package srt

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"sixways/policy/document"
	"sixways/policy/host"
	"sixways/policy/names"
)

// validHost is the check that sandbox-runtime makes before any matching: at most
// 255 octets of letters, digits, dot, underscore and hyphen, or an address
// without a zone; brackets around either are taken off.
func validHost(h string) bool {
	if h == "" || len(h) > 255 {
		return false
	}
	bare := stripBrackets(h)
	if _, ok := host.Literal(bare); ok {
		return true
	}
	for i := range len(bare) {
		c := bare[i]
		if c >= 0x80 || c != '.' && c != '_' && c != '-' && !isAlphanumeric(c) {
			return false
		}
	}
	return bare != ""
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func stripBrackets(h string) string {
	if len(h) >= 2 && h[0] == '[' && h[len(h)-1] == ']' {
		return h[1 : len(h)-1]
	}
	return h
}

// canonical is the host of a URL that holds a valid host (WHATWG URL): lower
// case, rare spellings of IPv4 as dotted decimal, mapped IPv6 as IPv4, one
// trailing dot off. What is no host of a URL, such as 1.2.3.4.5 or xn--a, stays
// as it is.
func canonical(h string) (name string, addr netip.Addr) {
	bare := stripBrackets(h)
	if addr, ok := host.Literal(bare); ok {
		return addr.String(), addr
	}
	addr, numeric := host.IPv4(bare)
	switch {
	case addr.IsValid():
		return addr.String(), addr
	case numeric || strings.Contains(bare, ":") || !host.Decodes(lower(bare)):
		return lower(h), netip.Addr{}
	}
	return strings.TrimSuffix(lower(bare), "."), netip.Addr{}
}

// lower is toLowerCase of JavaScript, as far as it can make ASCII: the capital I
// with a dot becomes two characters there, one here.
func lower(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i̇"))
}

// splitPort takes the port off a pattern, where it ends in one that counts: 1 to
// 65535 without leading zeros behind the only colon or behind brackets.
func splitPort(pattern string) (hostPattern string, port uint16) {
	if inner, ok := strings.CutPrefix(pattern, "["); ok {
		return splitBracketed(pattern, inner)
	}
	switch strings.Count(pattern, ":") {
	case 0:
		return pattern, 0
	case 1:
		i := strings.IndexByte(pattern, ':')
		if port := portSuffix(pattern[i+1:]); port != 0 {
			return pattern[:i], port
		}
		return pattern, 0
	}
	return canonicalOr(dropZone(pattern)), 0
}

func splitBracketed(pattern, inner string) (string, uint16) {
	inside, rest, closed := strings.Cut(inner, "]")
	if !closed {
		return pattern, 0
	}
	bare := canonicalOr(dropZone(inside))
	if rest == "" {
		return bare, 0
	}
	suffix, ok := strings.CutPrefix(rest, ":")
	if port := portSuffix(suffix); ok && port != 0 {
		return bare, port
	}
	return pattern, 0
}

func dropZone(s string) string {
	bare, _, _ := strings.Cut(s, "%")
	return bare
}

// canonicalOr is canonicalizeHost: the host of "http://" and s where that is a
// URL, else s.
func canonicalOr(s string) string {
	h := s
	if _, ok := host.Literal(s); !ok {
		h = urlHost(s)
	}
	if !validHost(strings.ReplaceAll(h, "*", "-")) {
		return s
	}
	name, addr := canonical(h)
	if _, numeric := host.IPv4(h); !addr.IsValid() && (numeric || !host.Decodes(lower(h))) {
		return s
	}
	return name
}

// urlHost is what stands for the host in a URL's authority and what follows, ""
// for an address of IPv6, which stands in brackets there.
func urlHost(s string) string {
	if i := strings.IndexAny(s, `/?#\`); i >= 0 {
		s = s[:i]
	}
	s = s[strings.LastIndexByte(s, '@')+1:]
	if h, port, ok := strings.Cut(s, ":"); ok && strings.Trim(port, "0123456789") == "" {
		s = h
	}
	if strings.Contains(s, ":") {
		return ""
	}
	if ascii, err := host.ToASCII(s); err == nil {
		return ascii
	}
	return s
}

func portSuffix(s string) uint16 {
	if s == "" || s[0] == '0' || strings.Trim(s, "0123456789") != "" {
		return 0
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil {
		return 0
	}
	return uint16(n)
}

// addPattern puts an entry into an index as sandbox-runtime matches it: "*" is
// everything, "*.x" every name that ends in ".x", anything else that very host,
// all without case.
func addPattern(x *names.Index, pattern string, port uint16, e names.Entry) {
	switch {
	case pattern == "*":
		x.AddAll(port, e)
	case strings.HasPrefix(pattern, "*."):
		x.AddBelow(lower(pattern[2:]), port, e)
	default:
		x.AddExact(lower(pattern), port, e)
	}
}

// find matches a host that has passed validHost.
func find(x *names.Index, h string, port uint16) (names.Entry, bool) {
	name, addr := canonical(h)
	return x.Find(name, port, !addr.IsValid())
}

const patternForms = `a host such as "api.example.com", a wildcard such as "*.example.com" with two labels or more behind it, or an IPv6 address in brackets, each with an optional ":port"`

// refusal says why the settings' schema refuses an entry, or "".
func refusal(text string, denied bool) string {
	if strings.Count(text, ":") > 1 && !strings.HasPrefix(text, "[") {
		return "an IPv6 address without brackets"
	}
	pattern, _ := splitPort(text)
	if denied && pattern == "*" {
		return ""
	}
	if addr, ok := host.Literal(pattern); ok && addr.Is6() {
		return ""
	}
	return patternRefusal(pattern)
}

func patternRefusal(pattern string) string {
	base, wildcard := strings.CutPrefix(pattern, "*.")
	switch {
	case strings.ContainsAny(pattern, "/:"):
		return "a scheme, a path or a port that does not count"
	case pattern == "localhost":
		return ""
	case wildcard && (!strings.Contains(base, ".") || strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".") || strings.Contains(base, "..")):
		return "a wildcard that is too broad"
	case wildcard:
		return ""
	case strings.Contains(pattern, "*"):
		return "a wildcard that is no whole first label"
	case !strings.Contains(pattern, "."):
		return "a name without a dot"
	case strings.HasPrefix(pattern, ".") || strings.HasSuffix(pattern, "."):
		return "a dot at the begin or the end"
	}
	return ""
}

// never says why an entry that the schema takes matches no host, or "".
func never(text string) string {
	pattern, _ := splitPort(text)
	base, wildcard := strings.CutPrefix(pattern, "*.")
	if pattern == "*" {
		return ""
	}
	if !validHost(base) {
		return "it has a character that no valid host has"
	}
	name, addr := canonical(base)
	switch {
	case wildcard && addr.IsValid():
		return "a wildcard never matches an address"
	case name != lower(base):
		return fmt.Sprintf("hosts are compared in their canonical form, here %q", document.Clip(name))
	}
	return ""
}
