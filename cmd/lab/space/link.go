package space

import (
	"fmt"
	"net"

	"github.com/vishvananda/netlink"
)

// End is one end of a cable between two namespaces.
type End struct {
	Space *Space
	// Name is the interface's, Address its own in CIDR notation.
	Name, Address string
}

// Connect lays a cable, gives both ends their addresses and sets them up.
func Connect(a, b End) error {
	cable := &netlink.Veth{
		LinkAttrs:     netlink.LinkAttrs{Name: a.Name},
		PeerName:      b.Name,
		PeerNamespace: netlink.NsFd(int(b.Space.handle)),
	}
	if err := a.Space.links.LinkAdd(cable); err != nil {
		return fmt.Errorf("cable %s to %s: %w", a.Name, b.Name, err)
	}
	for _, end := range []End{a, b} {
		if err := end.Space.AddAddress(end.Name, end.Address); err != nil {
			return err
		}
		if err := end.Space.up(end.Name); err != nil {
			return err
		}
	}
	return nil
}

// AddAddress gives an interface one more address, in CIDR notation.
func (s *Space) AddAddress(name, address string) error {
	link, err := s.links.LinkByName(name)
	if err != nil {
		return fmt.Errorf("interface %s: %w", name, err)
	}
	parsed, err := netlink.ParseAddr(address)
	if err != nil {
		return fmt.Errorf("interface %s: address %q: %w", name, address, err)
	}
	if err := s.links.AddrAdd(link, parsed); err != nil {
		return fmt.Errorf("interface %s: address %s: %w", name, address, err)
	}
	return nil
}

func (s *Space) up(name string) error {
	link, err := s.links.LinkByName(name)
	if err != nil {
		return fmt.Errorf("interface %s: %w", name, err)
	}
	if err := s.links.LinkSetUp(link); err != nil {
		return fmt.Errorf("interface %s up: %w", name, err)
	}
	return nil
}

// AddRoute sends what is for a network, in CIDR notation, to a gateway.
func (s *Space) AddRoute(network, gateway string) error {
	_, dst, err := net.ParseCIDR(network)
	if err != nil {
		return err
	}
	if err := s.links.RouteAdd(&netlink.Route{Dst: dst, Gw: net.ParseIP(gateway)}); err != nil {
		return fmt.Errorf("route to %s by %s: %w", network, gateway, err)
	}
	return nil
}

// Received counts the packets that an interface has received.
func (s *Space) Received(name string) (uint64, error) {
	link, err := s.links.LinkByName(name)
	if err != nil {
		return 0, fmt.Errorf("interface %s: %w", name, err)
	}
	return link.Attrs().Statistics.RxPackets, nil
}
