package trial

import "sixways/fixture"

const (
	tunnelCause   = "Under a denylist the proxy tunnels to any resolver, and nobody looks at the query inside the tunnel."
	port53Cause   = "Port 53 is open to any address while DNS is not forced, and what listens there need not speak DNS."
	loopbackCause = "The proxy dials its own loopback, where the sidecar listens, because the list names neither the address nor the alias."
	ruleCause     = "Deny-all is a rule of the proxy here, and DNS never meets the proxy."
	advisedCause  = "Nothing but an environment variable leads to the proxy, and code that ignores it goes straight out."
	forgedCause   = "The name in the handshake is what the client claims; the proxy dials the address that the client chose."
)

// known is the list of all expected differences. The lab fails on one that is
// not here, and on one here that does not occur.
var known = []Known{
	{
		Builds:      []string{Smokescreen, Goproxy, Policed, AsShipped, Advised, ForwardOnly, HostString, NoRedirect, LoopbackMistake, SquidDst, StubOnLoopback},
		Destination: fixture.ExfilQuery, Ways: []string{"doh-connect", "tcp-connect"},
		Where: "policy=denylist force-dns=1", Cause: tunnelCause,
	},
	{
		Builds:      []string{Smokescreen, Goproxy, Policed, ForwardOnly, HostString, LoopbackMistake, SNI, StubOnLoopback},
		Destination: fixture.RawIP, Ways: []string{"port-53"},
		Where: "policy=allowlist force-dns=0", Cause: port53Cause,
	},
	{
		Builds:      []string{AsShipped, Advised, SquidDst},
		Destination: fixture.RawIP, Ways: []string{"port-53"},
		Where: "policy=allowlist|deny-all force-dns=0", Cause: port53Cause,
	},
	{
		Builds:      []string{NoRedirect},
		Destination: fixture.RawIP, Ways: []string{"port-53"},
		Where: "policy=allowlist", Cause: "Port 53 stays open to any address although DNS is meant to be forced.",
	},
	{
		Builds:      []string{Goproxy, HostString, SquidDst},
		Destination: fixture.Sidecar, Ways: []string{"proxy-loopback", "localhost", "alias"},
		Where: "policy=denylist loopback=0", Cause: loopbackCause,
	},
	{
		Builds:      []string{AsShipped},
		Destination: fixture.Metadata, Ways: []string{"meant"}, Shut: true,
		Where: "policy=denylist block-metadata=0", Cause: "Smokescreen refuses link-local addresses by itself, whatever the list says.",
	},
	{
		Builds:      []string{AsShipped, Advised, SquidDst},
		Destination: fixture.ExfilQuery, Ways: []string{"meant", "tcp"},
		Where: "policy=deny-all force-dns=0", Cause: ruleCause,
	},

	{
		Builds:      []string{Advised},
		Destination: fixture.PartnerAPI, Ways: []string{"direct"}, Cause: advisedCause,
	},
	{
		Builds:      []string{Advised},
		Destination: fixture.PackageIndex, Ways: []string{"direct", "forged-sni"}, Cause: advisedCause,
	},
	{
		Builds:      []string{Advised},
		Destination: fixture.RawIP, Ways: []string{"direct", "forged-sni"}, Cause: advisedCause,
	},
	{
		Builds:      []string{Advised},
		Destination: fixture.Metadata, Ways: []string{"direct"},
		Where: "block-metadata=0", Cause: advisedCause,
	},
	{
		Builds:      []string{Advised},
		Destination: fixture.ExfilQuery, Ways: []string{"doh-direct", "doh-forged-sni"}, Cause: advisedCause,
	},

	{
		Builds:      []string{ForwardOnly},
		Destination: fixture.Metadata, Ways: []string{"meant", "tunnel", "mapped", "alias"},
		Where: "policy=denylist", Cause: "The proxy's own packets are not forwarded: they leave by the output chain, which has no block.",
	},
	{
		Builds:      []string{HostString},
		Destination: fixture.Metadata, Ways: []string{"mapped", "alias"},
		Where: "policy=denylist", Cause: "Another spelling of the address, or a name that resolves to it, is another string.",
	},
	{
		Builds:      []string{NoRedirect},
		Destination: fixture.ExfilQuery, Ways: []string{"meant", "tcp"},
		Where: "policy=denylist|allowlist", Cause: "Code asks the resolver that it likes; only a redirect makes it ask the policy resolver.",
	},
	{
		Builds:      []string{LoopbackMistake},
		Destination: fixture.Sidecar, Ways: []string{"meant"},
		Cause: "The sidecar listens in the sandbox's own namespace, and no proxy or filter stands between.",
	},
	{
		Builds:      []string{SquidDst},
		Destination: fixture.ExfilQuery, Ways: []string{"look-up"},
		Where: "block-metadata=1", Cause: "To match the dst rule Squid resolves every name that it is asked for, and the query carries the data before any rule denies the request.",
	},
	{
		Builds:      []string{SNI},
		Destination: fixture.PackageIndex, Ways: []string{"forged-sni"},
		Where: "policy=allowlist task-api=1", Cause: forgedCause,
	},
	{
		Builds:      []string{SNI},
		Destination: fixture.RawIP, Ways: []string{"forged-sni"},
		Where: "policy=allowlist task-api=1", Cause: forgedCause,
	},
	{
		Builds:      []string{SNI},
		Destination: fixture.ExfilQuery, Ways: []string{"doh-forged-sni"},
		Where: "policy=allowlist task-api=1", Cause: forgedCause,
	},
	{
		Builds:      []string{SNI},
		Destination: fixture.ExfilQuery, Ways: []string{"doh-direct", "doh-forged-sni"},
		Where: "policy=denylist", Cause: "Under a denylist the proxy lets TLS to any resolver pass.",
	},
	{
		Builds:      []string{StubOnLoopback},
		Destination: fixture.ExfilQuery, Ways: []string{"host-stub"},
		Where: "policy=deny-all loopback=1", Cause: "The code has no way out, but the host's resolver has, and it answers on the loopback that they share.",
	},
}
