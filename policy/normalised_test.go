package policy_test

import (
	"net/netip"
	"testing"

	"sixways/policy"
)

// What an enforcer's normaliser makes of a host is taken as it is; nothing is no
// destination.
func TestNormalised(t *testing.T) {
	metadata := netip.MustParseAddr("169.254.169.254")
	tests := []struct {
		because string
		got     policy.Destination
		valid   bool
		name    string
		addr    netip.Addr
	}{
		{"a name that RFC 1123 does not know", policy.Normalised("1.2.3.4.5", "1.2.3.4.5"), true, "1.2.3.4.5", netip.Addr{}},
		{"no name", policy.Normalised(".", ""), false, "", netip.Addr{}},
		{"no host", policy.Normalised("", "a"), false, "", netip.Addr{}},
		{"an address in a rare spelling", policy.NormalisedAddr("2852039166", metadata), true, "", metadata},
		{"mapped IPv6 is IPv4", policy.NormalisedAddr("x", netip.MustParseAddr("::ffff:169.254.169.254")), true, "", metadata},
		{"no address", policy.NormalisedAddr("x", netip.Addr{}), false, "", netip.Addr{}},
		{"an address of no host", policy.NormalisedAddr("", metadata), false, "", netip.Addr{}},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			if tt.got.IsValid() != tt.valid || tt.got.Name() != tt.name || tt.got.Addr() != tt.addr {
				t.Errorf("%v, %q, %v", tt.got.IsValid(), tt.got.Name(), tt.got.Addr())
			}
		})
	}
}

// A port belongs to a destination; nothing has none.
func TestPort(t *testing.T) {
	d := policy.MustParseDestination("pypi.org")
	if got := d.WithPort(8443); got.Port() != 8443 || got.Name() != "pypi.org" || d.Port() != 0 {
		t.Errorf("port %d of %s, and %d of what it came from", got.Port(), got, d.Port())
	}
	if got := (policy.Destination{}).WithPort(443); got != (policy.Destination{}) {
		t.Errorf("nothing at a port is %+v", got)
	}
}

// The unspecified address reaches the local host, as loopback does.
func TestUnspecifiedIsLoopback(t *testing.T) {
	for _, s := range []string{"0.0.0.0", "::"} {
		if !policy.MustParseDestination(s).IsLoopback() {
			t.Errorf("%s is no loopback", s)
		}
	}
}

// ports lets out what is addressed to its port.
type ports uint16

func (p ports) Judge(d policy.Destination) policy.Ruling {
	if d.Port() == uint16(p) {
		return policy.Ruling{Verdict: policy.Allowed}
	}
	return policy.Ruling{}
}

// A rule sees the channel's port where the destination says none, and its own
// where it does.
func TestDecidePort(t *testing.T) {
	tests := []struct {
		because string
		channel policy.Channel
		port    uint16 // of the destination
		want    uint16 // that the proxy sees
	}{
		{"https", policy.ChannelHTTPS, 0, 443},
		{"http", policy.ChannelHTTP, 0, 80},
		{"a bare connection", policy.ChannelTCP, 0, 443},
		{"its own", policy.ChannelHTTPS, 8443, 8443},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			b := &policy.Boundary{Route: policy.Ruling{Verdict: policy.Allowed}, Proxy: ports(tt.want)}
			d := b.Decide(policy.Attempt{Destination: policy.MustParseDestination("pypi.org").WithPort(tt.port), Channel: tt.channel})
			if d.Verdict != policy.Allowed {
				t.Errorf("the proxy did not see port %d", tt.want)
			}
		})
	}
	resolver := &policy.Boundary{Route: policy.Ruling{Verdict: policy.Allowed}, Resolver: policy.Resolver{Policy: ports(53)}}
	if d := resolver.Decide(policy.Attempt{Destination: policy.MustParseDestination("pypi.org"), Channel: policy.ChannelDNS}); d.Verdict != policy.Allowed {
		t.Error("the resolver did not see port 53")
	}
}

func expectBy(t *testing.T, b policy.Boundary, a policy.Attempt, verdict policy.Verdict, layer policy.Layer) {
	t.Helper()
	if d := b.Decide(a); d.Verdict != verdict || d.Layer != layer {
		t.Errorf("%s by %s, want %s by %s", d.Verdict, d.Layer, verdict, layer)
	}
}

// A proxy that connects to loopback opens it where the namespace does not.
func TestProxyLoopback(t *testing.T) {
	out := policy.Ruling{Verdict: policy.Allowed}
	tests := []struct {
		because  string
		boundary policy.Boundary
		verdict  policy.Verdict
		layer    policy.Layer
	}{
		{"no port is said", policy.Boundary{ProxyLoopback: ports(0)}, policy.Allowed, policy.LayerProxy},
		{"it refuses", policy.Boundary{ProxyLoopback: ports(80)}, policy.Blocked, policy.LayerNamespace},
		{"a proxy that does not connect to it", policy.Boundary{Proxy: ports(0)}, policy.Blocked, policy.LayerNamespace},
		{"open without it", policy.Boundary{ProxyLoopback: ports(443), Loopback: out}, policy.Allowed, policy.LayerNamespace},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			expectBy(t, tt.boundary, policy.Attempt{Destination: policy.MustParseDestination("127.0.0.1"), Channel: policy.ChannelHTTP}, tt.verdict, tt.layer)
		})
	}
}

// A namespace without a network is named instead of a resolver.
func TestResolverLayer(t *testing.T) {
	route := policy.Ruling{Verdict: policy.Allowed}
	query := policy.Attempt{Destination: policy.MustParseDestination("pypi.org"), Channel: policy.ChannelDNS}
	for _, r := range []policy.Resolver{{Layer: policy.LayerNamespace}, {Layer: policy.LayerNamespace, Policy: ports(1)}} {
		b := &policy.Boundary{Route: route, Resolver: r}
		if d := b.Decide(query); d.Verdict != policy.Blocked || d.Layer != policy.LayerNamespace {
			t.Errorf("%s by %s", d.Verdict, d.Layer)
		}
	}
}

// A proxy that looks names up itself is a way for queries where the resolver is
// none.
func TestProxyQueries(t *testing.T) {
	open := policy.Ruling{Verdict: policy.Allowed}
	tests := []struct {
		because  string
		boundary policy.Boundary
		verdict  policy.Verdict
		layer    policy.Layer
	}{
		{"it looks the name up", policy.Boundary{Route: open, ProxyQueries: ports(0)}, policy.Allowed, policy.LayerProxy},
		{"it refuses the name", policy.Boundary{Route: open, ProxyQueries: ports(443)}, policy.Blocked, policy.LayerOutsideResolver},
		{"the resolver does not", policy.Boundary{Route: open, ProxyQueries: ports(443), Resolver: policy.Resolver{Outside: open}}, policy.Allowed, policy.LayerOutsideResolver},
		{"there is no way to it", policy.Boundary{ProxyQueries: ports(0)}, policy.Blocked, policy.LayerNoRoute},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			expectBy(t, tt.boundary, policy.Attempt{Destination: policy.MustParseDestination("a.test"), Channel: policy.ChannelDNS}, tt.verdict, tt.layer)
		})
	}
}
