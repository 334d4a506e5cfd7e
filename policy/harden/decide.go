package harden

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/host"
)

// Places of the agent that rules of its own come from.
const (
	firewallSource = "harden-runner agent, addBlockRules in firewall.go"
	dnsSource      = "harden-runner agent, getIPByDomain in dnsproxy.go"
	implicitSource = "harden-runner agent, endpoints that it adds to every list"
)

// Normalise returns the name that a client asks the agent's resolver for, with
// its case, or the address that it connects to without asking. The error says
// why it is no host.
func (p *Policy) Normalise(h string) (policy.Destination, error) {
	if addr, err := netip.ParseAddr(h); err == nil && addr.Zone() == "" {
		return policy.NormalisedAddr(h, addr), nil
	}
	name, err := queryName(h)
	if err != nil {
		return policy.Destination{}, err
	}
	addr, numeric := host.IPv4(name)
	switch {
	case addr.IsValid():
		return policy.NormalisedAddr(h, addr), nil
	case numeric:
		return policy.Destination{}, errors.New("it ends in a number and is no address")
	case strings.EqualFold(name, "localhost"):
		name = "localhost"
	}
	return policy.Normalised(h, name), nil
}

// queryName is the name as a client asks for it, without the last dot. ASCII
// keeps its case, other letters go through IDNA.
func queryName(h string) (string, error) {
	name := h
	if strings.ContainsFunc(h, func(r rune) bool { return r >= 0x80 }) {
		var err error
		if name, err = host.ToASCII(h); err != nil {
			return "", err
		}
	}
	if unasked(fqdn(name)) {
		return "", errors.New("no host name: labels of 1 to 63 letters, digits, hyphens and underscores, 253 in all")
	}
	return strings.TrimSuffix(name, "."), nil
}

// Boundary compiles the job's use of harden-runner. The agent answers DNS and
// sets the firewall itself. It leaves loopback alone, which stays with the
// controls' boundary, as does a filter for link-local addresses.
func (p *Policy) Boundary(controls *policy.Boundary) *policy.Boundary {
	b := &policy.Boundary{
		Loopback:  controls.Loopback,
		Route:     policy.Ruling{Verdict: policy.Allowed, Rule: document.EnforcerRule(firewallSource, "The runner's own route", "The job runs on the runner and has its route.")},
		LinkLocal: controls.LinkLocal,
		Proxy:     p,
	}
	if open := p.open(); open.Verdict == policy.Allowed {
		b.Resolver.Outside = open
	} else {
		b.Resolver.Policy = resolver{p}
	}
	return b
}

// open is the ruling for everything where the agent blocks nothing, or may not;
// it is the zero ruling where it does.
func (p *Policy) open() policy.Ruling {
	if p.current == nil || p.current.opening == nil {
		return policy.Ruling{}
	}
	o := p.current.opening
	return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(p.rule(o.Position, o.text, "%s", o.because), "%s", o.fix)}
}

// Judge implements [policy.HostRules]: what the agent's resolver and firewall
// make of a connection together.
func (p *Policy) Judge(d policy.Destination) policy.Ruling {
	if open := p.open(); open.Verdict == policy.Allowed {
		return open
	}
	n, err := p.Normalise(d.String())
	switch {
	case p.current == nil:
		return policy.Ruling{}
	case err != nil:
		return policy.Ruling{Rule: document.EnforcerRule(dnsSource, "No host name", "No resolver can be asked for {destination}.")}
	case n.Name() == "":
		old, known := older(p.current.version, 2, 16)
		return judgeAddress(n.Addr(), d.Port(), old && known)
	}
	return p.judgeName(n.Name(), d.Port())
}

func (p *Policy) judgeName(name string, port uint16) policy.Ruling {
	looked := p.judgeQuery(name)
	if looked.Verdict == policy.Blocked {
		if looked.Rule.Fix != "" && port != 0 {
			looked.Rule = document.Fixed(looked.Rule, "add {destination}:%d to allowed-endpoints", port)
		}
		return looked
	}
	asked := asAsked(name)
	if single(asked) {
		return looked
	}
	if e, ok := p.current.list.opens(asked, port); ok {
		return p.allow(e, "Line %d allows %q, so the firewall opens what {destination} resolves to.",
			"The agent adds %q to every list, so the firewall opens what {destination} resolves to.")
	}
	e, _ := p.current.list.find(asked)
	fix := fmt.Sprintf("add %s:%d to allowed-endpoints", strings.TrimSuffix(asked, "."), port)
	if e.mend != "" {
		fix = e.mend
	}
	return policy.Ruling{Rule: document.Fixed(p.rule(e.Position, "other port: "+e.text,
		"{destination} may be looked up (%q), but its port %d is not opened, so the firewall rejects the connection.", e.text, port), "%s", fix)}
}

func (p *Policy) allow(e endpoint, because, implicit string) policy.Ruling {
	if e.implicit {
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.EnforcerRule(implicitSource, "implicit: "+e.text, fmt.Sprintf(implicit, e.text))}
	}
	return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(p.rule(e.Position, "allowed: "+e.text, because, e.Line, e.text), "remove %q on line %d", e.text, e.Line)}
}

// resolver is the agent's own DNS server.
type resolver struct{ policy *Policy }

func (r resolver) Judge(d policy.Destination) policy.Ruling {
	if r.policy.current == nil {
		return policy.Ruling{}
	}
	n, err := r.policy.Normalise(d.String())
	if err != nil || n.Name() == "" {
		return policy.Ruling{Rule: document.EnforcerRule(dnsSource, "No name to look up", "{destination} is no name that the agent's resolver looks up.")}
	}
	return r.policy.judgeQuery(n.Name())
}

// cloudSuffix is what a search domain of the runner adds; the agent takes it off
// with the labels before it.
const cloudSuffix = ".internal.cloudapp.net."

// internalSuffix is that of the names which the agent refuses to look up.
const internalSuffix = ".internal."

// asAsked is the name that the agent holds against its list, with its dot.
func asAsked(name string) string {
	name = fqdn(name)
	if !strings.HasSuffix(name, cloudSuffix) {
		return name
	}
	labels := strings.Split(name, ".")
	return fqdn(strings.Join(labels[:max(len(labels)-6, 0)], "."))
}

func single(fqdn string) bool { return strings.Count(fqdn, ".") == 1 }

func (p *Policy) judgeQuery(name string) policy.Ruling {
	asked := asAsked(name)
	if strings.HasSuffix(asked, internalSuffix) {
		return policy.Ruling{Rule: document.EnforcerRule(dnsSource, "Internal names are refused", "The agent's resolver refuses names under .internal, {destination} with them.")}
	}
	if e, ok := p.current.list.find(asked); ok {
		return p.allow(e, "Line %d allows %q, so the agent's resolver looks {destination} up.",
			"The agent adds %q to every list, so its resolver looks {destination} up.")
	}
	if single(asked) {
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.EnforcerRule("step-security/harden-runner#685", "Single-label name",
			"{destination} is a single label, which the agent lets pass without a list.")}
	}
	return policy.Ruling{Rule: document.Fixed(p.rule(p.current.listAt, "not in allowed-endpoints",
		"allowed-endpoints (line %d) does not hold {destination}, so the agent's resolver answers with a sinkhole and asks nobody.", p.current.listAt.Line),
		"add {destination}:443 to allowed-endpoints")}
}

var (
	azure    = netip.MustParseAddr("168.63.129.16")
	metadata = netip.MustParseAddr("169.254.169.254")
	// resolvers are whom the agent asks, over HTTPS.
	resolvers = []netip.Addr{netip.MustParseAddr("8.8.8.8"), netip.MustParseAddr("8.8.4.4"), netip.MustParseAddr("1.1.1.1")}
)

// judgeAddress is the firewall for an address that nobody looked up; old is that
// of before 2.16.0.
func judgeAddress(addr netip.Addr, port uint16, old bool) policy.Ruling {
	open := func(text, because string) policy.Ruling {
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.EnforcerRule(firewallSource, text, because)}
	}
	switch {
	case addr.Is6():
		return open("IPv6 is not covered", "The agent's firewall is for IPv4 alone, so nothing of it stops {destination}.")
	case addr == metadata || addr == azure:
		return open("Accept "+addr.String(), "The agent always accepts TCP to {destination}, whatever the list says.")
	case addr.IsPrivate():
		return open("Accept private ranges", "The agent always accepts private ranges, {destination} with them.")
	case old && slices.Contains(resolvers, addr):
		return open("Accept the agent's resolvers", "Before 2.16.0 the firewall accepts TCP to {destination} from everybody (GHSA-g699-3x6g-wm3g, GHSA-46g3-37rh-v698).")
	case port == 443 && slices.Contains(resolvers, addr):
		return policy.Ruling{Rule: document.EnforcerRule(firewallSource, "Accept the agent's resolver from root",
			"The agent looks names up at {destination}, which its firewall accepts from the agent's user, root, alone; the job's user is rejected there, unless it becomes root with sudo.")}
	}
	return policy.Ruling{Rule: document.EnforcerRule(firewallSource, "Reject the rest", "No allowed name has resolved to {destination}, so the firewall rejects the connection.")}
}

func (p *Policy) rule(at document.Position, text, because string, args ...any) policy.Rule {
	return document.FileRule(p.name, at, text, because, args...)
}
