package attempt

import (
	"fmt"
	"net"
	"net/netip"
	"slices"

	"sixways-lab/space"
	"sixways-lab/world"
)

// Guard reports why the process must not send from where it is: it must be in
// the namespace with an ID, and find no other interfaces there than those with
// the given names. It does not trust these words alone: interfaces and
// addresses must be the lab's.
func Guard(want string, links []string) error {
	id, err := space.ID()
	if err != nil {
		return fmt.Errorf("the namespace has no name: %w", err)
	}
	if want == "" || id != want {
		return fmt.Errorf("this is namespace %s; want %q", id, want)
	}
	found, err := net.Interfaces()
	if err != nil {
		return fmt.Errorf("the interfaces cannot be listed: %w", err)
	}
	for _, link := range found {
		if err := guardLink(link, links); err != nil {
			return err
		}
	}
	return nil
}

func guardLink(link net.Interface, want []string) error {
	if !slices.Contains(want, link.Name) || !slices.Contains(labLinks, link.Name) {
		return fmt.Errorf("interface %s is here; want only %q", link.Name, want)
	}
	addresses, err := link.Addrs()
	if err != nil {
		return fmt.Errorf("interface %s: %w", link.Name, err)
	}
	for _, a := range addresses {
		prefix, err := netip.ParsePrefix(a.String())
		if err != nil {
			return fmt.Errorf("interface %s: address %s: %w", link.Name, a, err)
		}
		if !slices.ContainsFunc(labNetworks, func(n netip.Prefix) bool { return n.Contains(prefix.Addr()) }) {
			return fmt.Errorf("interface %s has address %s; want one in %v", link.Name, a, labNetworks)
		}
	}
	return nil
}

// Names of the lab's interfaces from which something is sent.
const (
	LinkLoopback = "lo"
	LinkSandbox  = "lab-sandbox"
	LinkInside   = "lab-inside"
	LinkOutside  = "lab-outside"
)

var (
	labLinks    = []string{LinkLoopback, LinkSandbox, LinkInside, LinkOutside}
	labNetworks = []netip.Prefix{
		netip.MustParsePrefix("127.0.0.0/8"),
		netip.MustParsePrefix("::1/128"),
		netip.MustParsePrefix(world.SandboxNetwork),
		netip.MustParsePrefix(world.GatewayOutside + "/24"),
	}
)
