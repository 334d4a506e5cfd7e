package format_test

import (
	"fmt"
	"testing"

	"sixways/policy"
	"sixways/policy/format"
)

// Policies of the incidents below, one host allowed in each format.
const (
	srtAllow         = `{"network": {"allowedDomains": ["api.partner.example", "*.partner.example"], "deniedDomains": ["169.254.169.254", "example.com"]}}`
	claudeAllow      = `{"sandbox": {"enabled": true, "network": {"allowedDomains": ["api.partner.example", "*.partner.example"], "strictAllowlist": true}}}`
	smokescreenAllow = "version: v1\nservices:\n- {name: a, action: enforce, allowed_domains: [api.partner.example, '*.partner.example']}\n"
	smokescreenOpen  = "version: v1\nservices:\n- {name: a, action: open}\nglobal_deny_list: [169.254.169.254, example.com]\n"
	hardenAllow      = "egress-policy: block\nallowed-endpoints: api.partner.example:443 *.partner.example:443 api.partner.example:80 *.partner.example:80\n"
)

const (
	allowed   = "allowed"
	blocked   = "blocked"
	malformed = format.Malformed
)

// closed are controls that leave nothing open: what gets out then, gets out by
// the file or by its enforcer.
var closed = &policy.Boundary{}

// leaky are controls that leave DNS and loopback open.
var leaky = &policy.Boundary{
	Loopback: policy.Ruling{Verdict: policy.Allowed, Rule: policy.Rule{Because: "Loopback is shared.", Origin: policy.Origin{Name: "Loopback"}}},
	Resolver: policy.Resolver{Outside: policy.Ruling{Verdict: policy.Allowed, Rule: policy.Rule{Because: "Queries leave.", Origin: policy.Origin{Name: "DNS"}}}},
}

func read(t *testing.T, key, text string) format.Policy {
	t.Helper()
	f, err := format.ByKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Parse("policy", []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What was written and tried in public, and the right verdict. Where an enforcer
// itself gets it wrong, the row says so and holds us to the enforcer.
func TestIncidents(t *testing.T) {
	type row struct{ because, format, text, input, want string }
	var rows []row
	// everywhere tries an input against one host allowed in each format.
	everywhere := func(because, input, srt, smokescreen, harden string) {
		rows = append(rows,
			row{because, "srt", srtAllow, input, srt},
			row{because, "claude-code", claudeAllow, input, srt},
			row{because, "smokescreen", smokescreenAllow, input, smokescreen},
			row{because, "harden-runner", hardenAllow, input, harden})
	}
	everywhere("the host itself", "api.partner.example", allowed, allowed, allowed)
	everywhere("in a URL", "https://user@api.partner.example/v1?x#y", allowed, allowed, allowed)
	everywhere("a null byte in the host", "evil.test\x00.partner.example", malformed, malformed, malformed)
	everywhere("a zone that ends in an allowed name", "::ffff:1.2.3.4%x.partner.example", malformed, malformed, malformed)
	everywhere("CVE-2022-29188: a bracketed name", "[example.com]", malformed, malformed, malformed)
	everywhere("yt-search-lib#12: a name that ends alike", "notpartner.example", blocked, blocked, blocked)
	everywhere("yt-search-lib#42: a name that goes on", "partner.example.attacker.test", blocked, blocked, blocked)
	everywhere("a trailing dot", "api.partner.example.", allowed, allowed, allowed)
	everywhere("case, which harden-runner counts", "API.Partner.EXAMPLE", allowed, allowed, blocked)
	everywhere("microsandbox#675: another name", "pypi.org", blocked, blocked, blocked)
	everywhere("claude-code#40213: clear text is judged like TLS", "http://pypi.org/", blocked, blocked, blocked)
	everywhere("and allowed like it", "http://api.partner.example/", allowed, allowed, allowed)
	everywhere("an address of nobody", "203.0.113.10", blocked, blocked, blocked)
	// harden-runner accepts the metadata address in every spelling.
	for _, spelling := range []string{"169.254.169.254", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "169.254.43518", "0xa9.0376.43518", "[::ffff:169.254.169.254]:80", "::ffff:a9fe:a9fe"} {
		everywhere("sandbox-runtime's comment, artifact-keeper#881: the metadata address as "+spelling, spelling, blocked, blocked, allowed)
		rows = append(rows, row{"denied and otherwise open, as " + spelling, "smokescreen", smokescreenOpen, spelling, blocked})
	}
	everywhere("full-width digits: malformed to srt, the metadata address to the others", "１６９.254.169.254", malformed, blocked, allowed)
	everywhere("full-width dots", "169．254。169｡254", malformed, blocked, allowed)
	// Loopback in any spelling is the controls', and these leave nothing open.
	for _, spelling := range []string{"127.0.0.1", "2130706433", "0x7f000001", "127.1", "[::1]:8080", "::ffff:127.0.0.1", "localhost", "0.0.0.0:8000"} {
		everywhere("Deno GHSA-v8fw-85r8-5m23, librefang#6053: loopback as "+spelling, spelling, blocked, blocked, blocked)
	}
	everywhere("librefang#6053: Alibaba's metadata", "100.100.100.200", blocked, blocked, blocked)
	everywhere("Oracle's", "192.0.0.192", blocked, blocked, blocked)
	everywhere("Amazon's by name", "metadata.aws.internal", blocked, blocked, blocked)
	everywhere("gh-aw-firewall#245: IPv6, which harden-runner does not cover", "fd00:ec2::254", blocked, blocked, allowed)
	rows = append(rows,
		row{"Smokescreen lets Oracle's metadata address out where the list is open", "smokescreen", smokescreenOpen, "192.0.0.192", allowed},
		row{"GHSA-g699-3x6g-wm3g: DNS over TCP to an outside resolver", "harden-runner", "egress-policy: block\nallowed-endpoints: github.com:443", "8.8.8.8:53", blocked},
		row{"the same to another", "harden-runner", "egress-policy: block\nallowed-endpoints: github.com:443", "203.0.113.53:53", blocked},
		row{"an empty list", "srt", `{"network": {"allowedDomains": []}}`, "api.partner.example", blocked},
		row{"a missing list", "srt", `{"network": {}}`, "api.partner.example", allowed},
		row{"an empty list of endpoints", "harden-runner", "egress-policy: block\nallowed-endpoints: ''", "api.partner.example", blocked},
		row{"a missing one", "harden-runner", "egress-policy: block", "api.partner.example", blocked},
		row{"an empty list of domains", "smokescreen", "version: v1\nservices: [{name: a, action: enforce, allowed_domains: []}]", "api.partner.example", blocked},
		row{"a missing one", "smokescreen", "version: v1\nservices: [{name: a, action: enforce}]", "api.partner.example", blocked},
	)
	for _, r := range rows {
		t.Run(fmt.Sprintf("%s/%s/%q", r.format, r.because, r.input), func(t *testing.T) {
			p := read(t, r.format, r.text)
			if got := format.Try(p, p.Boundary(closed), r.input); got.Decision != r.want {
				t.Errorf("%s, want %s: %s", got.Decision, r.want, got.Reason)
			}
		})
	}
}

// Queries of the incidents: what leaves with the name, where the controls leave
// DNS open.
func TestIncidentQueries(t *testing.T) {
	tests := []struct{ because, format, text, host, want string }{
		{"sandbox-runtime#88", "srt", `{"network": {"allowedDomains": [], "allowLocalBinding": true}}`, "data.a.evil.test", blocked},
		{"the same from Claude Code", "claude-code", claudeAllow, "data.a.evil.test", blocked},
		{"microsandbox#675: another name than the allowed", "harden-runner", hardenAllow, "data.evil.test", blocked},
		{"mvm#3355: a proxy's list says nothing of DNS", "smokescreen", smokescreenAllow, "data.evil.test", allowed},
		{"audit", "harden-runner", "egress-policy: audit", "data.evil.test", allowed},
		{"a name below a wildcard is looked up", "harden-runner", hardenAllow, "data.partner.example", allowed},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p := read(t, tt.format, tt.text)
			got := format.Try(p, p.Boundary(leaky), tt.host)
			if got.Query == nil || got.Query.Decision.String() != tt.want {
				t.Errorf("%+v, want %s", got.Query, tt.want)
			}
		})
	}
}

// An address costs no query.
func TestNoQueryForAnAddress(t *testing.T) {
	p := read(t, "srt", srtAllow)
	if got := format.Try(p, p.Boundary(leaky), "2852039166"); got.Query != nil || got.Normalised != "169.254.169.254" {
		t.Errorf("%+v", got)
	}
}
