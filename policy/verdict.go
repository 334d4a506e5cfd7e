package policy

import "fmt"

// Verdict says whether an attempt got out. Its zero value is Blocked, so that
// a forgotten case fails closed.
type Verdict uint8

const (
	Blocked Verdict = iota
	Allowed
)

// String returns "blocked" or "allowed".
func (v Verdict) String() string {
	if v == Allowed {
		return "allowed"
	}
	return "blocked"
}

// MarshalText writes the word that String returns.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads "blocked" or "allowed", nothing else.
func (v *Verdict) UnmarshalText(text []byte) error {
	for _, known := range []Verdict{Blocked, Allowed} {
		if string(text) == known.String() {
			*v = known
			return nil
		}
	}
	return fmt.Errorf("verdict %q: want %q or %q", text, Blocked, Allowed)
}

// Layer names the part of a boundary that decided.
type Layer uint8

// The layers, from the one nearest to the code outwards. The zero value names
// none: a decision that carries it was made by no rule, and is Blocked.
const (
	LayerNone Layer = iota
	LayerNamespace
	LayerNoRoute
	LayerOutsideResolver
	LayerPolicyResolver
	LayerLinkLocal
	LayerProxy
)

var layerNames = [...]string{
	LayerNone:            "none",
	LayerNamespace:       "network namespace",
	LayerNoRoute:         "no route",
	LayerOutsideResolver: "outside resolver",
	LayerPolicyResolver:  "policy resolver",
	LayerLinkLocal:       "link-local filter",
	LayerProxy:           "proxy",
}

// String returns the layer's name as the page shows it.
func (l Layer) String() string {
	if int(l) < len(layerNames) {
		return layerNames[l]
	}
	return fmt.Sprintf("Layer(%d)", uint8(l))
}

// MarshalText writes the name that String returns; a Layer that is none of the
// constants is an error.
func (l Layer) MarshalText() ([]byte, error) {
	if int(l) >= len(layerNames) {
		return nil, fmt.Errorf("layer %d: want 0 to %d", uint8(l), len(layerNames)-1)
	}
	return []byte(l.String()), nil
}

// UnmarshalText reads a name that String writes.
func (l *Layer) UnmarshalText(text []byte) error {
	for i, name := range layerNames {
		if string(text) == name {
			*l = Layer(i)
			return nil
		}
	}
	return fmt.Errorf("layer %q: want one of %q", text, layerNames)
}

// Channel is the protocol that an attempt speaks.
type Channel uint8

const (
	// ChannelHTTPS is TLS over TCP, as to a web API.
	ChannelHTTPS Channel = iota
	// ChannelHTTP is clear text over TCP, as to a metadata service.
	ChannelHTTP
	// ChannelTCP is a bare TCP connection.
	ChannelTCP
	// ChannelDNS is a stub resolver's query on port 53 (RFC 1035 §4.2).
	ChannelDNS
)

var channelNames = [...]string{
	ChannelHTTPS: "https",
	ChannelHTTP:  "http",
	ChannelTCP:   "tcp",
	ChannelDNS:   "dns",
}

// String returns the protocol's short name, such as "https".
func (c Channel) String() string {
	if int(c) < len(channelNames) {
		return channelNames[c]
	}
	return fmt.Sprintf("Channel(%d)", uint8(c))
}

// Port returns the port that the protocol has where a destination says none: 80
// for http, 53 for dns, 443 for the rest, since a bare connection takes the port
// that policies open most.
func (c Channel) Port() uint16 {
	switch c {
	case ChannelHTTP:
		return 80
	case ChannelDNS:
		return 53
	}
	return 443
}

// MarshalText writes the name that String returns; a Channel that is none of
// the constants is an error.
func (c Channel) MarshalText() ([]byte, error) {
	if int(c) >= len(channelNames) {
		return nil, fmt.Errorf("channel %d: want 0 to %d", uint8(c), len(channelNames)-1)
	}
	return []byte(c.String()), nil
}

// UnmarshalText reads a name that String writes.
func (c *Channel) UnmarshalText(text []byte) error {
	for i, name := range channelNames {
		if string(text) == name {
			*c = Channel(i)
			return nil
		}
	}
	return fmt.Errorf("channel %q: want one of %q", text, channelNames)
}
