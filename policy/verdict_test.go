package policy_test

import (
	"encoding"
	"testing"

	"sixways/policy"
)

// A verdict's zero value is blocked, so that a forgotten case fails closed.
func TestZeroVerdictIsBlocked(t *testing.T) {
	var v policy.Verdict
	if v != policy.Blocked {
		t.Errorf("got %v", v)
	}
	if got := policy.Verdict(2).String(); got != "blocked" {
		t.Errorf("a Verdict that is none of the constants reads %q", got)
	}
}

// text is an enumeration's round trip.
type text interface {
	encoding.TextMarshaler
	String() string
}

func TestTexts(t *testing.T) {
	tests := []struct {
		value text
		into  encoding.TextUnmarshaler
		back  func(encoding.TextUnmarshaler) text
		want  string
	}{
		{policy.Blocked, new(policy.Verdict), verdict, "blocked"},
		{policy.Allowed, new(policy.Verdict), verdict, "allowed"},
		{policy.LayerNone, new(policy.Layer), layer, "none"},
		{policy.LayerNamespace, new(policy.Layer), layer, "network namespace"},
		{policy.LayerNoRoute, new(policy.Layer), layer, "no route"},
		{policy.LayerOutsideResolver, new(policy.Layer), layer, "outside resolver"},
		{policy.LayerPolicyResolver, new(policy.Layer), layer, "policy resolver"},
		{policy.LayerLinkLocal, new(policy.Layer), layer, "link-local filter"},
		{policy.LayerProxy, new(policy.Layer), layer, "proxy"},
		{policy.ChannelHTTPS, new(policy.Channel), channel, "https"},
		{policy.ChannelHTTP, new(policy.Channel), channel, "http"},
		{policy.ChannelTCP, new(policy.Channel), channel, "tcp"},
		{policy.ChannelDNS, new(policy.Channel), channel, "dns"},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			if got := tt.value.String(); got != tt.want {
				t.Errorf("String: got %q", got)
			}
			written, err := tt.value.MarshalText()
			if err != nil || string(written) != tt.want {
				t.Fatalf("MarshalText: got %q, %v", written, err)
			}
			if err := tt.into.UnmarshalText(written); err != nil {
				t.Fatal(err)
			}
			if got := tt.back(tt.into); got != tt.value {
				t.Errorf("UnmarshalText: got %v", got)
			}
		})
	}
}

func verdict(u encoding.TextUnmarshaler) text { return *u.(*policy.Verdict) }
func layer(u encoding.TextUnmarshaler) text   { return *u.(*policy.Layer) }
func channel(u encoding.TextUnmarshaler) text { return *u.(*policy.Channel) }

func TestTextErrors(t *testing.T) {
	marshal := func(m encoding.TextMarshaler) error { _, err := m.MarshalText(); return err }
	tests := []struct {
		because string
		err     error
		want    string
	}{
		{"a verdict's case counts", new(policy.Verdict).UnmarshalText([]byte("Allowed")), `verdict "Allowed": want "blocked" or "allowed"`},
		{"a layer that is none", new(policy.Layer).UnmarshalText([]byte("firewall")), `layer "firewall": want one of ["none" "network namespace" "no route" "outside resolver" "policy resolver" "link-local filter" "proxy"]`},
		{"a channel that is none", new(policy.Channel).UnmarshalText([]byte("udp")), `channel "udp": want one of ["https" "http" "tcp" "dns"]`},
		{"a layer beyond the last", marshal(policy.LayerProxy + 1), "layer 7: want 0 to 6"},
		{"a channel beyond the last", marshal(policy.ChannelDNS + 1), "channel 4: want 0 to 3"},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			if tt.err == nil || tt.err.Error() != tt.want {
				t.Errorf("got %v, want %s", tt.err, tt.want)
			}
		})
	}
}
