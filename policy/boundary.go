package policy

import "strings"

// Boundary is everything that stands between the code and the world. The zero
// Boundary blocks every attempt.
type Boundary struct {
	// Loopback meets what is addressed to loopback. Such a connection passes
	// no other layer: it never leaves its network namespace.
	Loopback Ruling
	// Route says whether there is a way out of the namespace at all.
	Route Ruling
	// Resolver meets DNS queries, which do not pass the proxy.
	Resolver Resolver
	// LinkLocal drops packets by address.
	LinkLocal AddressFilter
	// Proxy meets whatever is left; nil blocks.
	Proxy HostRules
	// ProxyLoopback is what the proxy says of the loopback of its own host, at the
	// destination's port or, where none is said, at any; nil where it connects to
	// none. Loopback is open where either lets it out: the code chooses the way.
	ProxyLoopback HostRules
	// ProxyQueries is what the proxy says of a name at any port, where it looks up
	// what it lets out: that query leaves by the proxy, whatever the resolver says.
	// Nil where the resolver alone decides.
	ProxyQueries HostRules
}

// Resolver is who answers the sandbox's DNS queries.
type Resolver struct {
	// Policy is what the policy resolver says of a name. Where it is nil,
	// queries reach an outside resolver and Outside decides.
	Policy HostRules
	// Outside is the ruling for a query to an outside resolver.
	Outside Ruling
	// Layer is named instead of the resolver where something else decides on
	// queries, such as a namespace without a network; LayerNone for none.
	Layer Layer
}

// Decide returns what becomes of an attempt at this boundary. It allocates
// nothing of its own; the rules of a policy file may.
func (b *Boundary) Decide(a Attempt) Decision {
	layer, ruling := b.judge(a)
	return Decision{Attempt: a, Verdict: ruling.Verdict, Layer: layer, Rule: ruling.Rule}
}

// judge asks the layers in the order in which an attempt meets them.
func (b *Boundary) judge(a Attempt) (Layer, Ruling) {
	d := a.Destination
	switch {
	case !d.IsValid():
		return LayerNone, Ruling{}
	case a.Channel == ChannelDNS:
		return b.judgeQuery(d)
	case d.IsLoopback():
		return b.judgeLoopback(d)
	case b.Route.Verdict != Allowed:
		return LayerNoRoute, b.Route
	case b.LinkLocal.Blocks(d):
		return LayerLinkLocal, Ruling{Blocked, b.LinkLocal.Rule}
	case b.Proxy == nil:
		return LayerProxy, Ruling{}
	}
	return LayerProxy, b.Proxy.Judge(withPort(d, a.Channel))
}

// withPort fills in the channel's port where the destination says none.
func withPort(d Destination, c Channel) Destination {
	if d.port == 0 {
		d.port = c.Port()
	}
	return d
}

func (b *Boundary) judgeLoopback(d Destination) (Layer, Ruling) {
	if b.Loopback.Verdict != Allowed && b.ProxyLoopback != nil {
		if r := b.ProxyLoopback.Judge(d); r.Verdict == Allowed {
			return LayerProxy, r
		}
	}
	return LayerNamespace, b.Loopback
}

func (b *Boundary) judgeQuery(d Destination) (Layer, Ruling) {
	if b.Route.Verdict != Allowed {
		return LayerNoRoute, b.Route
	}
	if b.ProxyQueries != nil {
		if r := b.ProxyQueries.Judge(d.WithPort(0)); r.Verdict == Allowed {
			return LayerProxy, r
		}
	}
	if b.Resolver.Policy == nil {
		return b.Resolver.layer(LayerOutsideResolver), b.Resolver.Outside
	}
	return b.Resolver.layer(LayerPolicyResolver), b.Resolver.Policy.Judge(withPort(d, ChannelDNS))
}

func (r *Resolver) layer(usual Layer) Layer {
	if r.Layer != LayerNone {
		return r.Layer
	}
	return usual
}

// Decision is what became of an attempt, by what, and why.
type Decision struct {
	Attempt Attempt
	Verdict Verdict
	Layer   Layer
	Rule    Rule
}

// Reason returns why, as one plain sentence. It is never empty.
func (d Decision) Reason() string {
	if d.Rule.Because == "" {
		return "No rule speaks of it, so it stays blocked."
	}
	return d.fill(d.Rule.Because)
}

// Fix returns the smallest change to the rule's origin that turns the verdict,
// or "" where there is none.
func (d Decision) Fix() string { return d.fill(d.Rule.Fix) }

func (d Decision) fill(text string) string {
	return strings.ReplaceAll(text, "{destination}", d.Attempt.Destination.String())
}

// Unwanted reports whether something got out that the task does not need.
func (d Decision) Unwanted() bool { return d.Verdict == Allowed && !d.Attempt.Needed }
