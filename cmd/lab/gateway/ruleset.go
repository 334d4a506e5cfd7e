package gateway

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"

	"sixways-lab/attempt"
	"sixways-lab/space"
	"sixways-lab/world"
	"sixways/fixture"
)

// Ports of the gateway.
const (
	proxyPort       = "3128"
	transparentPort = "3129"
)

// ruleset writes the plan in the language of nft. Everything that is refused
// is refused aloud, so that a blocked try ends at once.
func (p Plan) ruleset() string {
	if p.PolicedUID != 0 {
		return p.policeUser()
	}
	return table(
		chain("forward", "type filter hook forward priority filter; policy drop;", p.forward()),
		chain("input", "type filter hook input priority filter; policy drop;", p.input()),
		chain("output", "type filter hook output priority filter; policy accept;", p.output()),
		chain("prerouting", "type nat hook prerouting priority dstnat; policy accept;", p.prerouting()),
	)
}

func (p Plan) forward() []string {
	rules := []string{established}
	if p.MetadataForward {
		rules = append(rules, refuse("ip daddr "+fixture.Metadata)...)
	}
	switch {
	case p.Cut:
	case !p.Forced:
		rules = append(rules, "accept")
	case p.OpenDNS:
		rules = append(rules, "meta l4proto { tcp, udp } th dport 53 accept")
	}
	return append(rules, refuse("")...)
}

func (p Plan) input() []string {
	rules := []string{established, "iifname lo accept"}
	if !p.Cut {
		rules = append(rules, "tcp dport { "+proxyPort+", "+transparentPort+" } accept")
		if p.RedirectDNS {
			rules = append(rules, "meta l4proto { tcp, udp } th dport 53 accept")
		}
	}
	return append(rules, refuse("")...)
}

func (p Plan) output() []string {
	if !p.MetadataOutput {
		return nil
	}
	return refuse("ip daddr " + fixture.Metadata)
}

func (p Plan) prerouting() []string {
	from := "iifname " + attempt.LinkInside + " "
	var rules []string
	if p.RedirectDNS {
		rules = append(rules, from+"meta l4proto { tcp, udp } th dport 53 redirect to :53")
	}
	if p.Proxy.Kind == SNI {
		if p.OpenDNS {
			rules = append(rules, from+"tcp dport 53 return")
		}
		rules = append(rules, from+"ip daddr != "+world.GatewayAddress+" meta l4proto tcp redirect to :"+transparentPort)
	}
	return rules
}

// policeUser speaks of a user in the gateway's own namespace. Replies go
// first: a packet that answers for a connection not yet accepted belongs to
// no user.
func (p Plan) policeUser() string {
	user := fmt.Sprintf("meta skuid %d ", p.PolicedUID)
	var policed, redirected []string
	if p.PolicedLoopback {
		policed = append(policed, "ip daddr 127.0.0.0/8 accept")
	}
	if !p.Cut {
		policed = append(policed, "ip daddr "+world.GatewayAddress+" tcp dport "+proxyPort+" accept")
		if p.OpenDNS {
			policed = append(policed, "meta l4proto { tcp, udp } th dport 53 accept")
		}
		if p.RedirectDNS {
			policed = append(policed, "ip daddr "+world.GatewayAddress+" meta l4proto { tcp, udp } th dport 53 accept")
			redirected = append(redirected, user+"meta l4proto { tcp, udp } th dport 53 dnat ip to "+policyResolver)
		}
	}
	return table(
		chain("policed", "", append(policed, refuse("")...)),
		chain("output", "type filter hook output priority filter; policy accept;",
			append(append([]string{established}, p.output()...), user+"jump policed")),
		chain("redirected", "type nat hook output priority -100; policy accept;", redirected),
	)
}

const established = "ct state established,related accept"

func refuse(match string) []string {
	return []string{match + " meta l4proto tcp reject with tcp reset", match + " reject"}
}

func table(chains ...string) string {
	return "table inet lab {\n" + strings.Join(chains, "") + "}\n"
}

func chain(name, hook string, rules []string) string {
	return "chain " + name + " {\n" + hook + "\n" + strings.Join(rules, "\n") + "\n}\n"
}

// load puts the rules into the namespace.
func load(s *space.Space, ruleset string) error {
	var output bytes.Buffer
	cmd := exec.Command("nft", "-f", "-")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(ruleset), &output, &output
	if err := s.Start(cmd); err != nil {
		return fmt.Errorf("nft: %w", err)
	}
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("nft: %w: %s", err, output.Bytes())
	}
	return nil
}
