package srt

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
)

// Places of the runtime and of Claude Code that rules of theirs come from.
const (
	runtimeFilter    = "sandbox-runtime 0.0.83, filterNetworkRequest in sandbox-manager"
	runtimeNamespace = "sandbox-runtime 0.0.83, --unshare-net in linux-sandbox-utils and the Seatbelt profile in macos-sandbox-utils"
	claudeAsks       = "Claude Code, anthropics/claude-code#84833"
)

// Normalise returns what sandbox-runtime compares a host as. The error says why
// it takes the host for malformed.
func (p *Policy) Normalise(h string) (policy.Destination, error) {
	if !validHost(h) {
		return policy.Destination{}, errors.New("sandbox-runtime takes only letters, digits, dot, underscore and hyphen, at most 255 of them, or an address without a zone")
	}
	name, addr := canonical(h)
	if addr.IsValid() {
		return policy.NormalisedAddr(h, addr), nil
	}
	if name == "" {
		name = "." // the root, whose only dot is taken for a trailing one
	}
	return policy.Normalised(h, name), nil
}

// Boundary compiles the settings. What they do not speak of stays with the
// controls' boundary.
func (p *Policy) Boundary(controls *policy.Boundary) *policy.Boundary {
	b := &policy.Boundary{
		Loopback:  controls.Loopback,
		Route:     policy.Ruling{Verdict: policy.Allowed, Rule: document.EnforcerRule(runtimeFilter, "The proxy is the way out", "The proxy outside the sandbox is the way out.")},
		Resolver:  controls.Resolver,
		LinkLocal: controls.LinkLocal,
		Proxy:     p,
	}
	if p.read && !p.restricts() {
		if b.Resolver.Policy != nil {
			b.Resolver.Policy = p
		}
		return b
	}
	b.ProxyLoopback, b.ProxyQueries = proxyLoopback{p}, proxyQueries{p}
	b.Resolver = policy.Resolver{Layer: policy.LayerNamespace, Outside: noResolver}
	if p.localBinding == nil || b.Loopback.Verdict == policy.Blocked {
		b.Loopback = ownLoopback
		return b
	}
	b.Loopback = policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(p.rule(p.localBinding.Position, "allowLocalBinding",
		"allowLocalBinding on line %d opens the host's loopback on macOS and Windows, so the sidecar answers.", p.localBinding.Line),
		`set "allowLocalBinding" to false`)}
	return b
}

// restricts tells whether the sandbox has a network boundary at all.
func (p *Policy) restricts() bool { return p.sandboxed && (p.listed || p.claude) }

var (
	noResolver = policy.Ruling{Rule: document.EnforcerRule(runtimeNamespace, "No network but the proxy",
		"The sandbox has no network but the proxy, so the query reaches no resolver.")}
	ownLoopback = policy.Ruling{Rule: document.EnforcerRule(runtimeNamespace, "Loopback of the sandbox's own",
		"On Linux the sandbox has a loopback of its own, on macOS it may reach the proxy's port alone, so no sidecar answers.")}
	malformed = policy.Ruling{Rule: document.EnforcerRule(runtimeFilter, "Malformed host",
		"sandbox-runtime refuses {destination} as a malformed host before it looks at any list.")}
)

// Judge implements [policy.HostRules]: what the runtime's proxy says of a host
// as it is written.
func (p *Policy) Judge(d policy.Destination) policy.Ruling {
	switch {
	case !p.read:
		return policy.Ruling{}
	case !p.restricts():
		return policy.Ruling{Verdict: policy.Allowed, Rule: p.unrestricted()}
	case p.unasked.Line > 0:
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(p.rule(p.unasked, "commands outside the sandbox",
			"Commands outside the sandbox run without a question (line %d), and nothing stops {destination} there.", p.unasked.Line), "%s", unaskedFix)}
	case len(p.external) > 0:
		return policy.Ruling{Verdict: policy.Allowed, Rule: p.leftToOthers()}
	case !validHost(d.String()):
		return malformed
	}
	return p.judgeListed(d)
}

// leftToOthers is the rule where another proxy filters; either key is enough.
func (p *Policy) leftToOthers() policy.Rule {
	var keys []string
	for _, field := range p.external {
		keys = append(keys, strconv.Quote(field.Key))
	}
	first := p.external[0]
	return document.Fixed(p.rule(first.Position, first.Key,
		"%s on line %d leaves {destination} to another proxy, and nothing in this file holds there.", first.Key, first.Line),
		"remove %s", strings.Join(keys, " and "))
}

// judgeListed goes by the lists; a destination without a port is one at any that
// no entry speaks of.
func (p *Policy) judgeListed(d policy.Destination) policy.Ruling {
	if e, ok := find(&p.denied, d.String(), d.Port()); ok {
		return policy.Ruling{Rule: document.Fixed(p.rule(e.Position, "denied: "+e.Text,
			"Line %d denies %q, and a denial wins over every entry that allows, so the proxy refuses {destination}.", e.Line, e.Text),
			"remove %q on line %d", e.Text, e.Line)}
	}
	if e, ok := find(&p.allowed, d.String(), d.Port()); ok {
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(p.rule(e.Position, "allowed: "+e.Text,
			"Line %d allows %q, so the proxy lets {destination} out.", e.Line, e.Text), "remove %q on line %d", e.Text, e.Line)}
	}
	if e, ok := find(&p.ported, d.String(), 0); ok && p.strict {
		return policy.Ruling{Rule: document.Fixed(p.rule(e.Position, "other port: "+e.Text,
			"Line %d allows %q, and {destination} is asked at port %d, so the proxy refuses it.", e.Line, e.Text, d.Port()),
			"%s", listed(d, d.Port()))}
	}
	return p.unlisted(d)
}

// proxyQueries is what becomes of the look-up of a name: the proxy, outside the
// sandbox, looks up what it lets out at some port.
type proxyQueries struct{ *Policy }

// Judge implements [policy.HostRules].
func (p proxyQueries) Judge(d policy.Destination) policy.Ruling {
	r := p.Policy.Judge(d)
	if e, ok := find(&p.ported, d.String(), 0); ok && r.Verdict != policy.Allowed {
		r = p.Policy.Judge(d.WithPort(e.Port))
	}
	if r.Verdict == policy.Allowed && r.Rule.Origin.Kind == policy.OriginFile && len(p.external) == 0 && p.unasked.Line == 0 {
		r.Rule.Because = fmt.Sprintf("Line %d lets the proxy connect to {destination}, and the proxy looks up what it connects to, so the name leaves the sandbox.", r.Rule.Origin.Line)
	}
	return r
}

// proxyLoopback is the proxy as a way to the loopback of its host, which goes by
// many names.
type proxyLoopback struct{ *Policy }

// Judge implements [policy.HostRules].
func (p proxyLoopback) Judge(d policy.Destination) policy.Ruling {
	if d.Port() != 0 {
		return p.Policy.Judge(d)
	}
	for _, e := range p.loopbacks {
		if _, denied := find(&p.denied, e.host, e.Port); !denied {
			return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(p.rule(e.Position, "allowed: "+e.Text,
				"Line %d allows %q, and the proxy, which runs on the host, connects to the host's loopback, so the sidecar answers.", e.Line, e.Text),
				"remove %q on line %d", e.Text, e.Line)}
		}
	}
	return p.Policy.Judge(d)
}

func (p *Policy) unrestricted() policy.Rule {
	if p.claude {
		return document.Fixed(p.rule(p.sandboxAt, "sandbox off", "The sandbox is not turned on (line %d), so nothing stops {destination}.", p.sandboxAt.Line),
			`set "enabled" to true in "sandbox"`)
	}
	state, fix := "missing", `add "allowedDomains": [] to "network"`
	if p.network.Field("allowedDomains") != nil {
		state, fix = "no list", `write "allowedDomains" as a list`
	}
	return document.Fixed(p.rule(p.allowKey, "allowedDomains "+state,
		"allowedDomains is "+state+" (line %d), which restricts nothing, so {destination} gets out.", p.allowKey.Line), "%s", fix)
}

func (p *Policy) unlisted(d policy.Destination) policy.Ruling {
	if !p.strict {
		because := "Nothing lists {destination}, and Claude Code asks its user instead of refusing; the answer is not in this file."
		if p.autoAllow {
			because = "Nothing lists {destination}, and in auto-allow mode Claude Code lets it pass without a question."
		}
		return policy.Ruling{Verdict: policy.Allowed, Rule: document.Fixed(document.EnforcerRule(claudeAsks, "Not on the list: asked about or let pass", because),
			`add "strictAllowlist": true to "network" in the user's or the managed settings`)}
	}
	return policy.Ruling{Rule: document.Fixed(p.notAllowed(), "%s", listed(d, 0))}
}

// listed is the change that lists a destination, as the list compares it; port 0
// is every port. Some hosts no list may hold.
func listed(d policy.Destination, port uint16) string {
	entry, addr := canonical(d.String())
	if addr.Is6() {
		entry = "[" + entry + "]"
	}
	if why := refusal(entry, false); why != "" {
		return fmt.Sprintf(`call the host by its full name: "allowedDomains" takes no %q, %s`, entry, why)
	}
	if port != 0 {
		entry += ":" + strconv.Itoa(int(port))
	}
	return fmt.Sprintf(`add %q to "allowedDomains"`, entry)
}

func (p *Policy) notAllowed() policy.Rule {
	switch {
	case !p.listed:
		return p.rule(p.allowKey, "not allowed", "Nothing in the file allows {destination}, so the proxy refuses it.")
	case p.allowed.Len() == 0:
		return p.rule(p.allowKey, "allowedDomains is empty",
			"allowedDomains on line %d is empty, so the proxy refuses {destination}.", p.allowKey.Line)
	}
	return p.rule(p.allowKey, "not in allowedDomains",
		"allowedDomains on line %d does not hold {destination}, so the proxy refuses it.", p.allowKey.Line)
}

func (p *Policy) rule(at document.Position, text, because string, args ...any) policy.Rule {
	return document.FileRule(p.name, at, text, because, args...)
}
