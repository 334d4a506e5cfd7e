package smokescreen

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"sixways/policy/host"
)

// normal is the host in the form that Smokescreen compares: an address in its
// canonical spelling, or a name through IDNA, in lower case.
func normal(h string) (string, error) {
	if addr, ok := host.Literal(h); ok {
		return addr.String(), nil
	}
	name, err := host.ToASCII(h)
	if err != nil {
		return "", err
	}
	if bad := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789.-_"); bad != "" {
		return "", fmt.Errorf("character %q", []rune(bad)[0])
	}
	return name, nil
}

// comparable is the name without its trailing dots, all of them.
func comparable(normalised string) string { return strings.TrimRight(normalised, ".") }

// addressOf is the address that a connection to a normalised host goes to, where
// that needs no look-up: rare spellings of IPv4 are names to the list, and an
// address to whoever connects.
func addressOf(normalised string) netip.Addr {
	if addr, ok := host.Literal(normalised); ok {
		return addr
	}
	addr, _ := host.IPv4(normalised)
	return addr
}

var (
	cgnat   = netip.PrefixFrom(netip.MustParseAddr("100.64.0.0"), 10)
	nat64   = netip.PrefixFrom(netip.MustParseAddr("64:ff9b::"), 96)
	sixto4  = netip.PrefixFrom(netip.MustParseAddr("2002::"), 16)
	teredo  = netip.PrefixFrom(netip.MustParseAddr("2001::"), 32)
	limited = netip.MustParseAddr("255.255.255.255")
)

// classify says what kind of address Smokescreen never connects to, or "".
func classify(a netip.Addr) string {
	switch {
	case a.IsLoopback():
		return "a loopback address"
	case a.IsUnspecified():
		return "the unspecified address"
	case a.IsLinkLocalUnicast():
		return "a link-local address"
	case a.IsMulticast() || a == limited:
		return "no unicast address"
	case nat64.Contains(a) || sixto4.Contains(a) || teredo.Contains(a):
		return "an IPv6 address that embeds an IPv4 one"
	case a.IsPrivate():
		return "a private address"
	case cgnat.Contains(a):
		return "a carrier-grade NAT address"
	}
	return ""
}

// globRefusal says why Smokescreen refuses an entry of a list, or nil.
func globRefusal(glob string) error {
	base, wildcard := strings.CutPrefix(glob, "*.")
	switch {
	case glob == "":
		return errors.New("it is empty")
	case glob == "*" || glob == "*.":
		return errors.New("it would match everything")
	case !wildcard && strings.HasPrefix(glob, "*"):
		return errors.New("a wildcard must be a whole first label, *.")
	case strings.Contains(base, "*"):
		return errors.New("a wildcard may stand only at the begin")
	}
	normalised, err := normal(base)
	if err != nil {
		return err
	}
	if normalised != base {
		if wildcard {
			normalised = "*." + normalised
		}
		return fmt.Errorf("it is not in the form %q that is compared", normalised)
	}
	return nil
}
