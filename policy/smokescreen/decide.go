package smokescreen

import (
	"fmt"
	"net/netip"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
)

// Places of Smokescreen that rules of its own come from.
const (
	aclSource      = "Smokescreen 0.1.0, Decide in pkg/smokescreen/acl/v1"
	classifySource = "Smokescreen 0.1.0, classifyAddr in pkg/smokescreen"
	ipv6Source     = "Smokescreen 0.1.0, checkACLsForRequest in pkg/smokescreen"
)

func cutWildcard(glob string) (base string, wildcard bool) { return strings.CutPrefix(glob, "*.") }

// Normalise returns what Smokescreen compares a host as: IDNA, lower case, all
// trailing dots off, addresses canonical. The error says why it refuses the
// host as malformed.
func (a *ACL) Normalise(h string) (policy.Destination, error) {
	normalised, err := normal(h)
	if err != nil {
		return policy.Destination{}, fmt.Errorf("Smokescreen reads host names through IDNA: %w", err)
	}
	name := comparable(normalised)
	if addr := addressOf(normalised); addr.IsValid() {
		return policy.NormalisedAddr(h, addr), nil
	}
	d := policy.Normalised(h, name)
	if !d.IsValid() {
		return d, fmt.Errorf("Smokescreen finds no name in %q", h)
	}
	return d, nil
}

// Boundary compiles the list. A proxy's list says nothing of DNS, of packets
// beside the proxy, or of loopback: those stay with the controls' boundary.
// Where they force DNS through the policy resolver, it applies this list.
func (a *ACL) Boundary(controls *policy.Boundary) *policy.Boundary {
	b := &policy.Boundary{
		Loopback:  controls.Loopback,
		Route:     policy.Ruling{Verdict: policy.Allowed, Rule: document.EnforcerRule(aclSource, "The proxy is the way out", "The proxy is the way out.")},
		Resolver:  controls.Resolver,
		LinkLocal: controls.LinkLocal,
		Proxy:     a,
	}
	if b.Resolver.Policy != nil {
		b.Resolver.Policy = resolver{a}
	}
	return b
}

// resolver applies the list to the name of a query, without what happens to
// addresses.
type resolver struct{ acl *ACL }

func (r resolver) Judge(d policy.Destination) policy.Ruling {
	normalised, err := normal(d.String())
	if err != nil {
		return malformed(err)
	}
	return r.acl.decide(normalised, "policy resolver")
}

func malformed(err error) policy.Ruling {
	return policy.Ruling{Rule: document.EnforcerRule(aclSource, "Malformed host",
		fmt.Sprintf("Smokescreen refuses {destination} as malformed: %v.", err))}
}

// Judge implements [policy.HostRules]: the list, then the address.
func (a *ACL) Judge(d policy.Destination) policy.Ruling {
	normalised, err := normal(d.String())
	if err != nil {
		return malformed(err)
	}
	if strings.Contains(normalised, ":") {
		return policy.Ruling{Rule: document.EnforcerRule(ipv6Source, "IPv6 address",
			"Under a list Smokescreen refuses every IPv6 address, {destination} with them.")}
	}
	r := a.decide(normalised, "proxy")
	if r.Verdict == policy.Blocked {
		return r
	}
	if refused := classifyRuling(addressOf(normalised)); refused.Rule.Text != "" {
		return refused
	}
	return r
}

func classifyRuling(addr netip.Addr) policy.Ruling {
	if !addr.IsValid() {
		return policy.Ruling{}
	}
	kind := classify(addr)
	if kind == "" {
		return policy.Ruling{}
	}
	return policy.Ruling{Rule: document.EnforcerRule(classifySource, "Address refused: "+kind,
		fmt.Sprintf("The list lets {destination} out, but it is %s, which Smokescreen never connects to.", kind))}
}

// decide asks the lists about a normalised host; who is it that applies them.
func (a *ACL) decide(normalised, who string) policy.Ruling {
	name := comparable(normalised)
	if a.current == nil {
		return policy.Ruling{Rule: document.EnforcerRule(aclSource, "No rule for the role",
			"The file has no rule for the client's role and no default, so Smokescreen denies {destination}.")}
	}
	if e, ok := a.current.allowed.Find(name, 0, true); ok {
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(a.rule(e.Position, "allowed_domains: "+e.Text,
			"Line %d allows %q to the role %q, so the %s lets {destination} out.", e.Line, e.Text, a.current.name, who),
			"remove %q on line %d", e.Text, e.Line)}
	}
	if e, ok := a.denied.Find(name, 0, true); ok {
		rule := a.rule(e.Position, "global_deny_list: "+e.Text,
			"Line %d denies %q to every role that does not list it, so the %s refuses {destination}.", e.Line, e.Text, who)
		if a.current.action == enforce { // which would refuse it without the denial too
			return policy.Ruling{Rule: listed(rule, name)}
		}
		return policy.Ruling{Rule: document.Fixed(rule, "remove %q on line %d", e.Text, e.Line)}
	}
	if e, ok := a.allowed.Find(name, 0, true); ok {
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(a.rule(e.Position, "global_allow_list: "+e.Text,
			"Line %d allows %q to every role, so the %s lets {destination} out.", e.Line, e.Text, who),
			"remove %q on line %d", e.Text, e.Line)}
	}
	return a.byAction(name, who)
}

func (a *ACL) byAction(name, who string) policy.Ruling {
	r := a.current
	switch r.action {
	case report:
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(a.rule(r.actionAt, "action: report",
			"No list names {destination}, and the action report on line %d logs it and lets it out.", r.actionAt.Line), "write action: enforce")}
	case open:
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(a.rule(r.actionAt, "action: open",
			"No list denies {destination}, and the action open on line %d lets out whatever is not denied.", r.actionAt.Line), "write action: enforce")}
	}
	return policy.Ruling{Rule: listed(a.rule(r.actionAt, "action: enforce",
		"No list allows {destination} to the role %q, and its action on line %d is enforce, so the %s refuses it.", r.name, r.actionAt.Line, who), name)}
}

// listed adds to a rule that the role may list the name, as its list takes it,
// unless that helps nothing.
func listed(r policy.Rule, name string) policy.Rule {
	if kind := classify(addressOf(name)); kind != "" {
		return document.Fixed(r, "none in this file: it is %s, which Smokescreen never connects to", kind)
	}
	return document.Fixed(r, "add %s to allowed_domains", document.Clip(name))
}

func (a *ACL) rule(at document.Position, text, because string, args ...any) policy.Rule {
	return document.FileRule(a.name, at, text, because, args...)
}
