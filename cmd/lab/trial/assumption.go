package trial

import "sixways/fixture"

// assumptions is what must hold of a build for the model to be true of it.
var assumptions = []fixture.LabAssumption{
	{Builds: []string{Advised},
		Text: "All TCP of the sandbox is forced through the proxy. An environment variable that names the proxy forces nothing."},
	{Builds: []string{AsShipped, SquidDst},
		Text: "Deny-all cuts the network, DNS included. As a rule of the proxy alone it leaves the DNS query open."},
	{Builds: []string{Goproxy, HostString},
		Text: "The proxy refuses loopback and link-local addresses after it has resolved a name, or nothing listens on its own loopback."},
	{Builds: []string{ForwardOnly, HostString},
		Text: "The metadata block goes by address, and holds for what the proxy itself sends."},
	{Builds: []string{Smokescreen, Goproxy},
		Text: "“DNS” is the stub resolver's query on port 53 for this very name. With DNS forced, the denylist still passes names that it does not hold, and the allowlist passes names below api.partner.example."},
	{Builds: []string{SquidDst, StubOnLoopback},
		Text: "The proxy asks the policy resolver, or resolves nothing before it has decided; and no other resolver of the host answers on a shared loopback."},
	{Builds: []string{SNI},
		Text: "A name is what the client claims, and what travels inside a CONNECT tunnel is not looked at."},
	{Text: "Not modelled: IPv6, UDP and QUIC, ICMP, abstract Unix sockets, domain fronting, and names that change their address over time."},
}
