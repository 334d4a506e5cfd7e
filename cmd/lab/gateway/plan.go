// Package gateway is the enforcement of the lab: packet filter, policy
// resolver and proxy in the namespace between sandbox and world.
package gateway

import "sixways/fixture"

// Plan says what the gateway enforces. [Faithful] makes one from settings;
// a build of the lab may then spoil it.
type Plan struct {
	// Cut leaves the sandbox no way to the gateway or past it.
	Cut bool
	// Forced rejects what the sandbox sends past the proxy.
	Forced bool
	// OpenDNS lets port 53 past to any address; RedirectDNS leads it to the
	// policy resolver instead.
	OpenDNS, RedirectDNS bool
	// MetadataForward and MetadataOutput block the metadata address for what
	// the sandbox sends and for what the gateway itself sends.
	MetadataForward, MetadataOutput bool

	// Resolver is the policy resolver's list; nil for none.
	Resolver *List
	Proxy    Proxy
	// HostStub runs a resolver on loopback that asks the outside one, such as
	// hosts have for themselves.
	HostStub bool

	// PolicedUID, where not 0, is the user that is policed in the gateway's
	// own namespace in place of what comes from the sandbox's, and
	// PolicedLoopback is whether that user reaches the loopback.
	PolicedUID      int
	PolicedLoopback bool
}

// Kind is a proxy program.
type Kind string

// The proxies.
const (
	Smokescreen Kind = "smokescreen"
	Goproxy     Kind = "goproxy"
	Squid       Kind = "squid"
	// SNI is transparent: it decides by the name in the TLS handshake and
	// dials the address that the client dialled.
	SNI Kind = "sni"
)

// Proxy says what a proxy is told.
type Proxy struct {
	Kind Kind
	List List
	// Resolver is the address and port of the resolver that it asks.
	Resolver string
	// LinkLocal re-allows 169.254.0.0/16 in a proxy that refuses it by
	// itself, so that the metadata control itself is what is tested.
	LinkLocal bool
	// RefuseMetadata has the proxy block the metadata address, in whatever
	// way its kind does that.
	RefuseMetadata bool
}

// List is a denylist or an allowlist of host names.
type List struct {
	// Deny tells a denylist: Domains and what is below them are refused and
	// the rest passes. Else Domains are host names that pass, and the rest is
	// refused.
	Deny    bool
	Domains []string
}

// DeniedDomain is what the fixture's denylist holds.
const DeniedDomain = "attacker.test"

// Faithful returns what the model means by the settings.
func Faithful(s fixture.Settings) Plan {
	list := list(s)
	p := Plan{
		Cut:             s.Policy == fixture.DenyAll,
		Forced:          true,
		OpenDNS:         !s.ForceDNS,
		RedirectDNS:     s.ForceDNS,
		MetadataForward: s.BlockMetadata,
		MetadataOutput:  s.BlockMetadata,
		Proxy:           Proxy{Kind: Smokescreen, List: list, Resolver: OutsideResolver, LinkLocal: true},
	}
	if s.ForceDNS {
		p.Resolver = &list
		p.Proxy.Resolver = policyResolver
	}
	return p
}

func list(s fixture.Settings) List {
	switch {
	case s.Policy == fixture.Denylist:
		return List{Deny: true, Domains: []string{DeniedDomain}}
	case s.Policy == fixture.Allowlist && s.TaskAPI:
		return List{Domains: []string{fixture.PartnerAPI}}
	}
	return List{}
}
