package format

import (
	"fmt"

	"sixways/policy"
	"sixways/policy/host"
)

// Malformed is the decision on what no enforcer takes for a host.
const Malformed = "malformed"

// Trial is a destination tried against a policy file.
type Trial struct {
	// Input is the destination as typed.
	Input string `json:"input"`
	// Normalised is what the enforcer compares, "" for what it takes for
	// malformed.
	Normalised string `json:"normalised"`
	// Decision is "allowed", "blocked" or "malformed".
	Decision string       `json:"decision"`
	Layer    policy.Layer `json:"layer"`
	// Line is that of the file which decided, or 0.
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	// Query is what becomes of the DNS query for the name, if the code asks for
	// it: nil for an address and for a malformed host.
	Query *Query `json:"query,omitempty"`
	// Rule is the rule that decided.
	Rule policy.Rule `json:"-"`
}

// Query is what the look-up of a name costs: whether the name, and the data in
// it, leaves the sandbox.
type Query struct {
	Decision policy.Verdict `json:"decision"`
	Layer    policy.Layer   `json:"layer"`
	Line     int            `json:"line"`
	Reason   string         `json:"reason"`
}

// Try decides on a destination as somebody types it: a host, host:port, a URL,
// an address in any spelling.
func Try(p Policy, b *policy.Boundary, input string) Trial {
	target, err := host.ParseTarget(input)
	if err != nil {
		return malformed(input, err)
	}
	d, err := p.Normalise(target.Host)
	if err != nil {
		return malformed(input, err)
	}
	decision := b.Decide(policy.Attempt{Destination: d.WithPort(target.Port), Channel: channel(target.Scheme)})
	t := Trial{
		Input:      input,
		Normalised: d.Name(),
		Decision:   decision.Verdict.String(),
		Layer:      decision.Layer,
		Line:       decision.Rule.Origin.Line,
		Reason:     decision.Reason(),
		Rule:       decision.Rule,
	}
	if d.Name() == "" {
		t.Normalised = d.Addr().String()
		return t
	}
	query := b.Decide(policy.Attempt{Destination: d, Channel: policy.ChannelDNS})
	t.Query = &Query{Decision: query.Verdict, Layer: query.Layer, Line: query.Rule.Origin.Line, Reason: query.Reason()}
	return t
}

func malformed(input string, why error) Trial {
	return Trial{Input: input, Decision: Malformed, Reason: fmt.Sprintf("Malformed: %v.", why)}
}

func channel(scheme string) policy.Channel {
	switch scheme {
	case "http", "ws":
		return policy.ChannelHTTP
	case "", "https", "wss":
		return policy.ChannelHTTPS
	case "dns":
		return policy.ChannelDNS
	}
	return policy.ChannelTCP
}
