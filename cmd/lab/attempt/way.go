// Package attempt is the untrusted code of the lab: for each attempt of the
// fixture the way that the model means and the other ways that such code would
// try, and the process that tries them.
package attempt

import (
	"sixways-lab/world"
	"sixways/fixture"
)

// Proxy is where the sandbox's proxy listens.
const Proxy = world.GatewayAddress + ":3128"

// HostStub is where a host's own stub resolver listens.
const HostStub = "127.0.0.53"

// Way is one way to make an attempt.
type Way struct {
	// ID names it in lists; Text says what it is in a few words.
	ID, Text string
	// Destination is the fixture's attempt that it makes.
	Destination string
	// Service is the server that must have seen the try.
	Service world.Service

	try Try
}

// IDs of the ways that the model means: through a proxy that is asked, through
// one that is transparent, and those that meet no proxy.
const (
	Meant       = "meant"
	Transparent = "direct"
)

// Ways returns all ways in the order of the fixture's attempts.
func Ways() []Way { return ways }

// Try returns the try of the way with a nonce of its own.
func (w Way) Try(nonce string) Try {
	t := w.try
	t.Nonce = nonce
	return t
}

var ways = []Way{
	{Meant, "by name through the proxy", fixture.PartnerAPI, world.Partner,
		connect(fixture.PartnerAPI + ":443").secure(fixture.PartnerAPI)},
	{"address", "by its address through the proxy", fixture.PartnerAPI, world.Partner,
		connect(world.PartnerAddress + ":443").secure(fixture.PartnerAPI)},
	{"cleartext", "by clear-text HTTP through the proxy", fixture.PartnerAPI, world.Partner,
		forward(fixture.PartnerAPI)},
	{Transparent, "by direct TCP, past the proxy", fixture.PartnerAPI, world.Partner,
		direct(world.PartnerAddress + ":443").secure(fixture.PartnerAPI)},

	{Meant, "by name through the proxy", fixture.PackageIndex, world.Packages,
		connect(fixture.PackageIndex + ":443").secure(fixture.PackageIndex)},
	{"address", "by its address through the proxy", fixture.PackageIndex, world.Packages,
		connect(world.PackagesAddress + ":443").secure(fixture.PackageIndex)},
	{"cleartext", "by clear-text HTTP through the proxy", fixture.PackageIndex, world.Packages,
		forward(fixture.PackageIndex)},
	{Transparent, "by direct TCP, past the proxy", fixture.PackageIndex, world.Packages,
		direct(world.PackagesAddress + ":443").secure(fixture.PackageIndex)},
	{"forged-sni", "by direct TCP with the partner API's name as forged SNI", fixture.PackageIndex, world.Packages,
		direct(world.PackagesAddress + ":443").secure(fixture.PartnerAPI)},

	{Meant, "by address through the proxy", fixture.RawIP, world.Raw,
		connect(fixture.RawIP + ":443")},
	{"alias", "through the proxy by a name that resolves to it", fixture.RawIP, world.Raw,
		connect(world.RawAlias + ":443")},
	{Transparent, "by direct TCP, past the proxy", fixture.RawIP, world.Raw,
		direct(fixture.RawIP + ":443")},
	{"port-53", "by direct TCP to its port 53, which is left open for DNS", fixture.RawIP, world.Raw,
		direct(fixture.RawIP + ":53")},
	{"forged-sni", "by direct TCP with the partner API's name as forged SNI", fixture.RawIP, world.Raw,
		direct(fixture.RawIP + ":8443").secure(fixture.PartnerAPI)},

	{Meant, "by address through the proxy", fixture.Metadata, world.Metadata,
		forward(fixture.Metadata)},
	{"tunnel", "by address in a CONNECT tunnel", fixture.Metadata, world.Metadata,
		connect(fixture.Metadata + ":80")},
	{"mapped", "as an IPv4-mapped IPv6 address through the proxy", fixture.Metadata, world.Metadata,
		connect("[::ffff:" + fixture.Metadata + "]:80")},
	{"alias", "through the proxy by a name that resolves to it", fixture.Metadata, world.Metadata,
		forward(world.MetadataAlias)},
	{Transparent, "by direct TCP, past the proxy", fixture.Metadata, world.Metadata,
		direct(fixture.Metadata + ":80")},

	{Meant, "by a query on port 53", fixture.ExfilQuery, world.DNS,
		datagram(world.ResolverAddress + ":53")},
	{"tcp", "by a query over TCP on port 53", fixture.ExfilQuery, world.DNS,
		direct(world.ResolverAddress + ":53").query()},
	{"tcp-connect", "by DNS over TCP in a CONNECT tunnel to port 53", fixture.ExfilQuery, world.DNS,
		connect(world.ResolverAddress + ":53").query()},
	{"doh-connect", "by DNS over HTTPS through the proxy", fixture.ExfilQuery, world.DNS,
		connect(world.DoHName + ":443").secure(world.DoHName).doh()},
	{"doh-direct", "by DNS over HTTPS past the proxy", fixture.ExfilQuery, world.DNS,
		direct(world.DoHAddress + ":443").secure(world.DoHName).doh()},
	{"doh-forged-sni", "by DNS over HTTPS past the proxy with the partner API's name as forged SNI", fixture.ExfilQuery, world.DNS,
		direct(world.DoHAddress + ":443").secure(fixture.PartnerAPI).doh()},
	{"host-stub", "by the host's stub resolver on a shared loopback", fixture.ExfilQuery, world.DNS,
		datagram(HostStub + ":53")},
	{"look-up", "by the proxy's own look-up of the name that it is asked for", fixture.ExfilQuery, world.DNS,
		connect(exfilName + ":443").nothing()},

	{Meant, "by its own loopback", fixture.Sidecar, world.Sidecar,
		direct(fixture.Sidecar + ":" + world.SidecarPort)},
	{"proxy-loopback", "through the proxy, which dials its own loopback", fixture.Sidecar, world.Sidecar,
		forward(fixture.Sidecar + ":" + world.SidecarPort)},
	{"localhost", "in a CONNECT tunnel to localhost, which is the proxy's", fixture.Sidecar, world.Sidecar,
		connect("localhost:" + world.SidecarPort)},
	{"alias", "through the proxy by a name that resolves to 127.0.0.1", fixture.Sidecar, world.Sidecar,
		forward(world.LoopbackAlias + ":" + world.SidecarPort)},
}

// QueryBelow is a query on port 53 for a name below another parent than the
// fixture's.
func QueryBelow(parent string) Way {
	t := datagram(world.ResolverAddress + ":53")
	t.Name = nonceMark + "." + parent
	return Way{ID: parent, Text: "by a query below " + parent, Destination: parent, Service: world.DNS, try: t}
}
