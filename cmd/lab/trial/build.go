// Package trial holds the model against builds of it: it makes the namespaces
// for each setting of a build, has the attempts made there, and compares what
// got through with what the model says.
package trial

import (
	"sixways-lab/attempt"
	"sixways-lab/gateway"
	"sixways/fixture"
)

// Build is one way to build what the model describes.
type Build struct {
	// Name names it in flags and files; Title says what it is.
	Name, Title string
	// Faithful builds must not differ from the model on the path that it
	// means; all others must.
	Faithful bool
	// SharedNamespace puts the attempts into the gateway's own namespace,
	// policed by user. It needs root.
	SharedNamespace bool
	// SidecarInside keeps the sidecar on the sandbox's loopback whatever the
	// settings say.
	SidecarInside bool

	alter func(*gateway.Plan, fixture.Settings)
}

// meantWay returns the ID of the way that the model means for a destination.
func (b Build) meantWay(s fixture.Settings, destination string) string {
	switch {
	case destination == fixture.ExfilQuery, destination == fixture.Sidecar:
	case b.plan(s).Proxy.Kind == gateway.SNI:
		return attempt.Transparent
	}
	return attempt.Meant
}

// policedUID is the user of the attempts: any that is not root.
const policedUID = 6006

func (b Build) plan(s fixture.Settings) gateway.Plan {
	p := gateway.Faithful(s)
	if b.alter != nil {
		b.alter(&p, s)
	}
	if b.SharedNamespace {
		p.PolicedUID = policedUID
		p.PolicedLoopback = s.Loopback
	}
	return p
}

// Names of the builds.
const (
	Smokescreen     = "smokescreen"
	Goproxy         = "goproxy"
	Policed         = "policed-uid"
	AsShipped       = "smokescreen-as-shipped"
	Advised         = "proxy-advised"
	ForwardOnly     = "metadata-forward-only"
	HostString      = "metadata-host-string"
	NoRedirect      = "dns-redirect-missing"
	LoopbackMistake = "loopback-by-mistake"
	SquidDst        = "squid-dst"
	SNI             = "transparent-sni"
	StubOnLoopback  = "stub-on-loopback"
)

// Builds returns all builds, the faithful ones first.
func Builds() []Build { return builds }

// Find returns the build with a name.
func Find(name string) (Build, bool) {
	for _, b := range builds {
		if b.Name == name {
			return b, true
		}
	}
	return Build{}, false
}

var builds = []Build{
	{Name: Smokescreen, Faithful: true,
		Title: "Smokescreen behind a packet filter, its own refusal of link-local taken back"},
	{Name: Goproxy, Faithful: true,
		Title: "goproxy with a check of the host string, behind the same packet filter",
		alter: func(p *gateway.Plan, _ fixture.Settings) { p.Proxy.Kind = gateway.Goproxy }},
	{Name: Policed, Faithful: true, SharedNamespace: true,
		Title: "Smokescreen and code in one namespace, the code policed by its user ID"},

	{Name: AsShipped,
		Title: "Smokescreen as shipped, deny-all as a rule of it and not as a cut network",
		alter: func(p *gateway.Plan, _ fixture.Settings) { p.Cut, p.Proxy.LinkLocal = false, false }},
	{Name: Advised,
		Title: "The proxy only advised by an environment variable",
		alter: func(p *gateway.Plan, _ fixture.Settings) { p.Cut, p.Forced = false, false }},
	{Name: ForwardOnly,
		Title: "The metadata block only where packets are forwarded",
		alter: func(p *gateway.Plan, _ fixture.Settings) { p.MetadataOutput = false }},
	{Name: HostString,
		Title: "The metadata block as a host string at the proxy",
		alter: func(p *gateway.Plan, s fixture.Settings) {
			p.MetadataForward, p.MetadataOutput = false, false
			p.Proxy.Kind, p.Proxy.RefuseMetadata = gateway.Goproxy, s.BlockMetadata
		}},
	{Name: NoRedirect,
		Title: "A policy resolver, but nothing that leads port 53 to it",
		alter: func(p *gateway.Plan, _ fixture.Settings) { p.RedirectDNS, p.OpenDNS = false, true }},
	{Name: LoopbackMistake, SidecarInside: true,
		Title: "The sidecar on the sandbox's own loopback by mistake"},
	{Name: SquidDst,
		Title: "Squid with a resolver of its own, its dst rule as metadata block, deny-all as a rule of it",
		alter: func(p *gateway.Plan, s fixture.Settings) {
			p.Cut, p.MetadataForward, p.MetadataOutput = false, false, false
			p.Proxy.Kind, p.Proxy.RefuseMetadata = gateway.Squid, s.BlockMetadata
			p.Proxy.Resolver = gateway.OutsideResolver
		}},
	{Name: SNI,
		Title: "A transparent proxy that decides by SNI and dials the address that the code dialled",
		alter: func(p *gateway.Plan, _ fixture.Settings) { p.Proxy.Kind = gateway.SNI }},
	{Name: StubOnLoopback, SharedNamespace: true,
		Title: "The policed code beside a stub resolver of the host, on the loopback that they share",
		alter: func(p *gateway.Plan, _ fixture.Settings) { p.HostStub = true }},
}
