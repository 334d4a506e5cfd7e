package policy_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
)

// A boundary's rules in these tests carry a short text, by which a decision is
// told.
func rule(text string) policy.Rule { return policy.Rule{Text: text, Because: "Because: " + text + "."} }

func allow(text string) policy.Ruling {
	return policy.Ruling{Verdict: policy.Allowed, Rule: rule(text)}
}
func block(text string) policy.Ruling {
	return policy.Ruling{Verdict: policy.Blocked, Rule: rule(text)}
}

func denylist(names ...string) policy.HostRules {
	return &policy.Denylist{Names: names, Listed: rule("denied"), Unlisted: rule("not denied"), Nameless: rule("no name")}
}

func allowlist(names ...string) policy.HostRules {
	return &policy.Allowlist{Names: names, Listed: rule("listed"), Unlisted: rule("not listed"), Nameless: rule("no listed name")}
}

var metadataFilter = policy.AddressFilter{
	Drops: []netip.Prefix{netip.MustParsePrefix("169.254.169.254/32")},
	Rule:  rule("dropped"),
}

// open lets everything out at every layer; each test closes what it is about.
func open(close func(*policy.Boundary)) *policy.Boundary {
	b := &policy.Boundary{
		Loopback: allow("shared loopback"),
		Route:    allow("route"),
		Resolver: policy.Resolver{Outside: allow("outside")},
		Proxy:    denylist(),
	}
	close(b)
	return b
}

func nothing(*policy.Boundary)         {}
func ownLoopback(b *policy.Boundary)   { b.Loopback = block("own loopback") }
func noRoute(b *policy.Boundary)       { b.Route = block("no route") }
func blockMetadata(b *policy.Boundary) { b.LinkLocal = metadataFilter }
func deny(b *policy.Boundary)          { b.Proxy = denylist("*.attacker.test") }
func allowTask(b *policy.Boundary)     { b.Proxy = allowlist("api.partner.example") }

func forceDNS(list policy.HostRules) func(*policy.Boundary) {
	return func(b *policy.Boundary) { b.Resolver.Policy = list }
}

func all(closings ...func(*policy.Boundary)) func(*policy.Boundary) {
	return func(b *policy.Boundary) {
		for _, c := range closings {
			c(b)
		}
	}
}

func attempt(destination string, channel policy.Channel) policy.Attempt {
	return policy.Attempt{Destination: policy.MustParseDestination(destination), Channel: channel}
}

func https(destination string) policy.Attempt { return attempt(destination, policy.ChannelHTTPS) }
func http(destination string) policy.Attempt  { return attempt(destination, policy.ChannelHTTP) }
func tcp(destination string) policy.Attempt   { return attempt(destination, policy.ChannelTCP) }
func dns(destination string) policy.Attempt   { return attempt(destination, policy.ChannelDNS) }

// outcome is a decision as the table below writes it.
type outcome struct {
	Verdict policy.Verdict
	Layer   policy.Layer
	Rule    string
}

func out(layer policy.Layer, rule string) outcome     { return outcome{policy.Allowed, layer, rule} }
func refused(layer policy.Layer, rule string) outcome { return outcome{policy.Blocked, layer, rule} }

func TestDecide(t *testing.T) {
	tests := []struct {
		because string // the part of the rule that the row holds
		close   func(*policy.Boundary)
		attempt policy.Attempt
		want    outcome
	}{
		// Rule 1. Loopback never reaches the proxy. It gets out exactly when the
		// sandbox can reach the host loopback; nothing else matters, deny-all
		// included.
		{"a shared loopback answers", nothing, http("127.0.0.1"), out(policy.LayerNamespace, "shared loopback")},
		{"a loopback of its own holds nobody", ownLoopback, http("127.0.0.1"), refused(policy.LayerNamespace, "own loopback")},
		{"deny-all does not matter", noRoute, http("127.0.0.1"), out(policy.LayerNamespace, "shared loopback")},
		{"the allowlist does not matter", allowTask, https("127.0.0.1"), out(policy.LayerNamespace, "shared loopback")},
		{"nor does an open proxy help", all(ownLoopback, deny), tcp("127.0.0.1"), refused(policy.LayerNamespace, "own loopback")},
		{"all of 127.0.0.0/8 is loopback", ownLoopback, http("127.255.0.9"), refused(policy.LayerNamespace, "own loopback")},
		{"so is ::1", ownLoopback, http("::1"), refused(policy.LayerNamespace, "own loopback")},
		{"and 127.0.0.1 mapped into IPv6", ownLoopback, http("::ffff:127.0.0.1"), refused(policy.LayerNamespace, "own loopback")},
		{"and the name localhost", ownLoopback, http("LocalHost"), refused(policy.LayerNamespace, "own loopback")},
		{"128.0.0.1 is not", ownLoopback, http("128.0.0.1"), out(policy.LayerProxy, "no name")},
		{"nor is a name that merely ends so", ownLoopback, http("notlocalhost"), out(policy.LayerProxy, "not denied")},

		// Rule 2. Deny all egress takes the route away: everything but loopback
		// is blocked, the DNS query and the partner API too.
		{"the partner API is blocked, listed or not", all(noRoute, allowTask), https("api.partner.example"), refused(policy.LayerNoRoute, "no route")},
		{"a package index is blocked", noRoute, https("pypi.org"), refused(policy.LayerNoRoute, "no route")},
		{"a raw address is blocked", noRoute, tcp("203.0.113.10"), refused(policy.LayerNoRoute, "no route")},
		{"the route decides before the link-local filter", all(noRoute, blockMetadata), http("169.254.169.254"), refused(policy.LayerNoRoute, "no route")},
		{"the DNS query is blocked", noRoute, dns("data.exfil.attacker.test"), refused(policy.LayerNoRoute, "no route")},
		{"the route decides before the policy resolver", all(noRoute, forceDNS(denylist())), dns("pypi.org"), refused(policy.LayerNoRoute, "no route")},

		// Rule 3. The DNS query bypasses the proxy. Unforced it reaches an outside
		// resolver. Forced, the resolver applies the policy to the name.
		{"unforced it gets out past a denylist that names it", deny, dns("data.exfil.attacker.test"), out(policy.LayerOutsideResolver, "outside")},
		{"unforced it gets out past an allowlist", allowTask, dns("data.exfil.attacker.test"), out(policy.LayerOutsideResolver, "outside")},
		{"forced, the denylist matches the name", forceDNS(denylist("*.attacker.test")), dns("data.exfil.attacker.test"), refused(policy.LayerPolicyResolver, "denied")},
		{"forced, the allowlist does not hold it", forceDNS(allowlist("api.partner.example")), dns("data.exfil.attacker.test"), refused(policy.LayerPolicyResolver, "not listed")},
		{"forced, a listed name is answered", forceDNS(allowlist("api.partner.example")), dns("api.partner.example"), out(policy.LayerPolicyResolver, "listed")},
		{"the resolver's list decides, not the proxy's", all(allowTask, forceDNS(denylist())), dns("pypi.org"), out(policy.LayerPolicyResolver, "not denied")},

		// Rule 4. The metadata address: with the link-local block on, blocked by
		// that filter. Else as any address without a host name.
		{"the filter drops it", blockMetadata, http("169.254.169.254"), refused(policy.LayerLinkLocal, "dropped")},
		{"the filter drops it before the allowlist is asked", all(blockMetadata, allowTask), http("169.254.169.254"), refused(policy.LayerLinkLocal, "dropped")},
		{"the filter drops it mapped into IPv6", blockMetadata, http("::ffff:169.254.169.254"), refused(policy.LayerLinkLocal, "dropped")},
		{"the filter leaves its neighbour alone", blockMetadata, http("169.254.169.253"), out(policy.LayerProxy, "no name")},
		{"without it the denylist lets it out", deny, http("169.254.169.254"), out(policy.LayerProxy, "no name")},
		{"without it the allowlist blocks it", allowTask, http("169.254.169.254"), refused(policy.LayerProxy, "no listed name")},

		// Rule 5. The raw IP and pypi.org: the denylist lets both out, the
		// allowlist blocks both.
		{"pypi.org is not on the denylist", deny, https("pypi.org"), out(policy.LayerProxy, "not denied")},
		{"an address has no name to match", deny, tcp("203.0.113.10"), out(policy.LayerProxy, "no name")},
		{"pypi.org is not the allowlisted host", allowTask, https("pypi.org"), refused(policy.LayerProxy, "not listed")},
		{"nor is an address", allowTask, tcp("203.0.113.10"), refused(policy.LayerProxy, "no listed name")},
		{"the metadata filter has no say on another address", all(blockMetadata, deny), tcp("203.0.113.10"), out(policy.LayerProxy, "no name")},
		{"forced DNS has no say on HTTPS", all(deny, forceDNS(allowlist())), https("pypi.org"), out(policy.LayerProxy, "not denied")},

		// Rule 6. The partner API: out under the denylist; under the allowlist
		// exactly when it is on it.
		{"the denylist does not name it", deny, https("api.partner.example"), out(policy.LayerProxy, "not denied")},
		{"the allowlist names it", allowTask, https("api.partner.example"), out(policy.LayerProxy, "listed")},
		{"an empty allowlist does not", func(b *policy.Boundary) { b.Proxy = allowlist() }, https("api.partner.example"), refused(policy.LayerProxy, "not listed")},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			d := open(tt.close).Decide(tt.attempt)
			got := outcome{d.Verdict, d.Layer, d.Rule.Text}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s to %s (-want +got):\n%s", tt.attempt.Channel, tt.attempt.Destination, diff)
			}
		})
	}
}

// name keeps a row from being added without a word on what it is for.
func name(t *testing.T, because string) string {
	t.Helper()
	if because == "" {
		t.Fatal("a row without a reason")
	}
	return because
}

// What nobody ruled on stays in.
func TestDecideFailsClosed(t *testing.T) {
	tests := []struct {
		because  string
		boundary *policy.Boundary
		attempt  policy.Attempt
		want     policy.Layer
	}{
		{"the zero boundary has no route", new(policy.Boundary), https("api.partner.example"), policy.LayerNoRoute},
		{"and answers no query", new(policy.Boundary), dns("api.partner.example"), policy.LayerNoRoute},
		{"and shares no loopback", new(policy.Boundary), http("127.0.0.1"), policy.LayerNamespace},
		{"a route alone reaches no proxy that allows", &policy.Boundary{Route: allow("route")}, https("api.partner.example"), policy.LayerProxy},
		{"nor a resolver that answers", &policy.Boundary{Route: allow("route")}, dns("api.partner.example"), policy.LayerOutsideResolver},
		{"a verdict that is none is no route", open(func(b *policy.Boundary) { b.Route.Verdict = 7 }), https("pypi.org"), policy.LayerNoRoute},
		{"the zero destination goes nowhere", open(nothing), policy.Attempt{}, policy.LayerNone},
		{"nor is it looked up", open(nothing), policy.Attempt{Channel: policy.ChannelDNS}, policy.LayerNone},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			d := tt.boundary.Decide(tt.attempt)
			if d.Verdict == policy.Allowed || d.Layer != tt.want {
				t.Errorf("got %v by %v, want blocked by %v", d.Verdict, d.Layer, tt.want)
			}
			if d.Reason() == "" {
				t.Error("blocked without a reason")
			}
		})
	}
}

func TestReason(t *testing.T) {
	tests := []struct {
		because string
		rule    policy.Rule
		want    string
	}{
		{"the destination is filled in", policy.Rule{Because: "The list holds {destination}."}, "The list holds pypi.org."},
		{"every time", policy.Rule{Because: "{destination} is {destination}."}, "pypi.org is pypi.org."},
		{"without a rule it says so", policy.Rule{}, "No rule speaks of it, so it stays blocked."},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			d := policy.Decision{Attempt: https("pypi.org"), Rule: tt.rule}
			if got := d.Reason(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestUnwanted(t *testing.T) {
	for _, tt := range []struct {
		because string
		verdict policy.Verdict
		needed  bool
		want    bool
	}{
		{"out and not needed", policy.Allowed, false, true},
		{"out and needed", policy.Allowed, true, false},
		{"blocked and not needed", policy.Blocked, false, false},
		{"blocked and needed", policy.Blocked, true, false},
	} {
		t.Run(name(t, tt.because), func(t *testing.T) {
			d := policy.Decision{Verdict: tt.verdict, Attempt: policy.Attempt{Needed: tt.needed}}
			if got := d.Unwanted(); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
