package harden_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
	"sixways/policy/harden"
)

func parse(t *testing.T, text string) *harden.Policy {
	t.Helper()
	p, err := harden.Parse("workflow.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// block is a bare policy that blocks, with endpoints.
func block(endpoints string) string {
	return fmt.Sprintf("egress-policy: block\nallowed-endpoints: >\n  %s\n", endpoints)
}

func verdict(p *harden.Policy, host string, port uint16) string {
	d, err := p.Normalise(host)
	if err != nil {
		return "malformed"
	}
	return p.Judge(d.WithPort(port)).Verdict.String()
}

// The agent's matcher and firewall.
func TestMatch(t *testing.T) {
	const allowed, blocked, malformed = "allowed", "blocked", "malformed"
	tests := []struct {
		because, endpoints, host string
		port                     uint16
		want                     string
	}{
		{"an exact host at the default port", "api.partner.example", "api.partner.example", 443, allowed},
		{"not at another", "api.partner.example", "api.partner.example", 80, blocked},
		{"its own port", "api.partner.example:8443", "api.partner.example", 8443, allowed},
		{"two ports of one host", "api.partner.example:443 api.partner.example:80", "api.partner.example", 80, allowed},
		{"a trailing dot does not count", "api.partner.example.", "api.partner.example.", 443, allowed},
		{"case counts in the host", "*.github.com:443", "A.GitHub.com", 443, blocked},
		{"case counts in the list", "API.partner.example", "api.partner.example", 443, blocked},
		{"and agrees with itself", "API.partner.example", "API.partner.example", 443, allowed},
		{"a wildcard is any depth", "*.github.com:443", "a.b.github.com", 443, allowed},
		{"and not the apex", "*.github.com:443", "github.com", 443, blocked},
		{"a star without a dot takes names that end alike", "*github.com:443", "evilgithub.com", 443, allowed},
		{"a star within takes any labels", "api.*.com:443", "api.evil.com", 443, allowed},
		{"deep ones too", "api.*.com:443", "api.a.b.evil.com", 443, allowed},
		{"what follows a second star is dropped", "a*b*.com:443", "a.evilb", 443, blocked},
		{"so that the name must end before it", "a*.evil*.test:443", "a.x.evil", 443, blocked},
		{"a listed name is not held against wildcards", "*.partner.example:80 api.partner.example:443", "api.partner.example", 80, blocked},
		{"a name that goes on", "api.partner.example", "api.partner.example.attacker.test", 443, blocked},
		{"a raw address", "api.partner.example", "203.0.113.10", 443, blocked},
		{"the metadata address, always", "api.partner.example", "169.254.169.254", 80, allowed},
		{"in any spelling", "api.partner.example", "2852039166", 80, allowed},
		{"Azure's, always", "api.partner.example", "168.63.129.16", 80, allowed},
		{"private ranges, always", "api.partner.example", "10.1.2.3", 22, allowed},
		{"Alibaba's metadata", "api.partner.example", "100.100.100.200", 80, blocked},
		{"an outside resolver over TCP (GHSA-g699-3x6g-wm3g)", "github.com:443", "8.8.8.8", 53, blocked},
		{"another one", "github.com:443", "203.0.113.53", 53, blocked},
		{"where the agent looks names up itself", "github.com:443", "8.8.8.8", 443, allowed},
		{"IPv6, which the firewall does not cover", "api.partner.example", "2001:db8::1", 443, allowed},
		{"what the agent adds", "api.partner.example", "results.actions.githubusercontent.com", 443, allowed},
		{"with a star within", "api.partner.example", "productionresultssa7.blob.core.windows.net", 443, allowed},
		{"a single label", "api.partner.example", "buildkitd", 443, allowed},
		{"an internal name", "*.internal:443", "metadata.google.internal", 443, blocked},
		{"the runner's search domain is taken off", "api.partner.example", "api.partner.example.a.b.internal.cloudapp.net", 443, allowed},
		{"a null character is malformed", "*.partner.example", "evil.test\x00.partner.example", 443, malformed},
		{"five numbers are no host", "api.partner.example", "1.2.3.4.5", 443, malformed},
		{"full-width digits are an address", "api.partner.example", "２０３.0.113.10", 443, blocked},
		{"an empty list", "", "api.partner.example", 443, blocked},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if got := verdict(parse(t, block(tt.endpoints)), tt.host, tt.port); got != tt.want {
				t.Errorf("%q at %d: %s, want %s", tt.host, tt.port, got, tt.want)
			}
		})
	}
}

// The agent answers queries itself: what is not listed gets a sinkhole.
func TestQueries(t *testing.T) {
	controls := &policy.Boundary{Resolver: policy.Resolver{Outside: policy.Ruling{Verdict: policy.Allowed}}}
	tests := []struct {
		because, text, host string
		want                policy.Verdict
		layer               policy.Layer
		reason              string
	}{
		{"not on the list", block("api.partner.example"), "data.evil.test", policy.Blocked, policy.LayerPolicyResolver,
			"allowed-endpoints (line 2) does not hold data.evil.test, so the agent's resolver answers with a sinkhole and asks nobody."},
		{"on the list, at whatever port", block("api.partner.example:80"), "api.partner.example", policy.Allowed, policy.LayerPolicyResolver,
			`Line 3 allows "api.partner.example:80", so the agent's resolver looks api.partner.example up.`},
		{"below a wildcard: the label carries data", block("*.partner.example"), "data.partner.example", policy.Allowed, policy.LayerPolicyResolver,
			`Line 3 allows "*.partner.example", so the agent's resolver looks data.partner.example up.`},
		{"internal names are refused", block("*.internal"), "a.internal", policy.Blocked, policy.LayerPolicyResolver,
			"The agent's resolver refuses names under .internal, a.internal with them."},
		{"in audit mode everything is looked up", "egress-policy: audit", "data.evil.test", policy.Allowed, policy.LayerOutsideResolver,
			"egress-policy is audit (line 1), so data.evil.test is logged and let out."},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			d := parse(t, tt.text).Boundary(controls).Decide(policy.Attempt{Destination: policy.MustParseDestination(tt.host), Channel: policy.ChannelDNS})
			if d.Verdict != tt.want || d.Layer != tt.layer || d.Reason() != tt.reason {
				t.Errorf("%s by %s: %s\nwant %s by %s: %s", d.Verdict, d.Layer, d.Reason(), tt.want, tt.layer, tt.reason)
			}
		})
	}
}

// What is written, and not enforced as written; everything is open then.
func TestNotEnforced(t *testing.T) {
	cannot := func(e string) string {
		return fmt.Sprintf("The community agent cannot look up %q, and an allowed endpoint that it cannot look up makes it take back its firewall and its DNS: nothing is blocked then. Addresses need the enterprise agent.", e)
	}
	tests := []struct {
		because, text, want string
		verdict             string // on pypi.org
	}{
		{"block", block("a.test"), "nothing", "blocked"},
		{"block is the default", "allowed-endpoints: a.test", "nothing", "blocked"},
		{"audit", "egress-policy: audit\nallowed-endpoints: a.test", "1:1 In audit mode the agent logs and lets everything out, allowed-endpoints or not.", "allowed"},
		{"what is neither", "egress-policy: enforce", `1:1 "enforce" is neither audit nor block: the step fails, and the agent adds no rule that blocks.`, "allowed"},
		{"an expression", "egress-policy: ${{ vars.MODE }}", "1:1 An expression decides whether the agent blocks; what it gives is not in this file.", "allowed"},
		{"an address in the list", block("a.test:443\n  203.0.113.10:443"), "4:3 " + cannot("203.0.113.10:443"), "allowed"},
		{"what is no name", block("a..test"), "3:3 " + cannot("a..test"), "allowed"},
		{"endpoints from an expression", block("a.test ${{ vars.MORE }}"), "2:1 An expression gives endpoints that are not in this file.", "blocked"},
		{"a policy from elsewhere", block("a.test") + "policy: strict", "4:1 policy fetches a policy that takes the place of what is written here.", "blocked"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p := parse(t, tt.text)
			got := "nothing"
			for _, f := range p.Findings() {
				if f.Severity == policy.SeverityUnenforced {
					got = fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Message)
					break
				}
			}
			if v := verdict(p, "pypi.org", 443); got != tt.want || v != tt.verdict {
				t.Errorf("%s, pypi.org %s\nwant %s, pypi.org %s", got, v, tt.want, tt.verdict)
			}
		})
	}
}

// Entries that the agent reads otherwise than they look.
func TestEndpointFindings(t *testing.T) {
	tests := []struct{ because, text, want string }{
		{"lines kept apart are one endpoint", "egress-policy: block\nallowed-endpoints: |\n  a.test:443\n  b.test:443\n",
			"3:3 broken: The agent splits the list at spaces alone, so these lines are one endpoint to it, of which the first name counts, with port 0."},
		{"a scheme", block("https://a.test"), `3:3 warning: The agent cuts "https://a.test" at its colons and takes "https" for the host.`},
		{"a port that is none", block("a.test:https"), `3:3 warning: The port of "a.test:https" is no port, so nothing is opened for it.`},
		{"capitals", block("b.test A.test"), `3:10 broken: The agent compares names with their case, and "A.test" does not match the lower case that clients ask for.`},
		{"a star for everything", block("*:443"), `3:3 open: "*" matches every name.`},
		{"a star without its dot", block("*github.com"), `3:3 open: "*github.com" matches every name that ends so, evilgithub.com as well.`},
		{"a star within", block("api.*.com"), `3:3 warning: The star in "api.*.com" stands for any number of labels, so it matches api.evil.com too.`},
		{"an unknown input", block("a.test") + "allowed_endpoints: b.test", `4:1 warning: The key "allowed_endpoints" is not known in the inputs, and harden-runner passes over it in silence.`},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			var all []string
			for _, f := range parse(t, tt.text).Findings() {
				all = append(all, fmt.Sprintf("%d:%d %s: %s", f.Line, f.Column, f.Severity, f.Message))
			}
			if diff := cmp.Diff([]string{tt.want}, all); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const workflow = `jobs:
  build:
    steps:
      - run: make
      - uses: Step-Security/harden-runner@v2.15.1
        if: always()
        continue-on-error: true
        with:
          egress-policy: block
          allowed-endpoints: >
            github.com:443
            api.github.com:443
  test:
    steps:
      - uses: step-security/harden-runner@4d991eb9b905ef189e4c376166672c3f2f230481 # v2.11.0
  publish:
    steps:
      - run: make publish
  reused:
    uses: ./.github/workflows/other.yml
`

// Where the action stands in a workflow, and what weakens it there.
func TestWorkflow(t *testing.T) {
	p := parse(t, workflow)
	if diff := cmp.Diff([]string{"build", "test"}, p.Roles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var got []string
	for _, f := range p.Findings() {
		got = append(got, fmt.Sprintf("%d:%d %s: %s", f.Line, f.Column, f.Severity, f.Message))
	}
	want := []string{
		`16:3 warning: The job "publish" does not use harden-runner, so nothing restricts it.`,
		"5:9 warning: Steps before this one run without it.",
		"5:15 warning: Before 2.16.0 the community agent let DNS over TCP out to outside resolvers (GHSA-g699-3x6g-wm3g).",
		"6:9 warning: The step has a condition; where it is not met, nothing restricts the job.",
		"7:9 warning: The job goes on where the agent cannot be set up, and then nothing restricts it.",
		`5:9 note: The file uses harden-runner 2 times; what is decided here is decided for the use in job "build".`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d, err := p.Normalise("github.com")
	if err != nil {
		t.Fatal(err)
	}
	origin := policy.Origin{Kind: policy.OriginFile, Name: "workflow.yml", Line: 11, Column: 13}
	if diff := cmp.Diff(origin, p.Judge(d.WithPort(443)).Rule.Origin); diff != "" {
		t.Errorf("github.com stands in api.github.com too (-want +got):\n%s", diff)
	}
	if got := verdict(p.As("test"), "github.com", 443); got != "blocked" {
		t.Errorf("github.com in the job test: %s", got)
	}
}

// Other ways to write it.
func TestShapes(t *testing.T) {
	for because, text := range map[string]string{
		"inputs":             "egress-policy: block\nallowed-endpoints: a.test:443",
		"with":               "with:\n  egress-policy: block\n  allowed-endpoints: a.test:443",
		"a step":             "uses: step-security/harden-runner@v2\nwith: {allowed-endpoints: 'a.test:443'}",
		"steps":              "- uses: step-security/harden-runner@v2\n  with: {allowed-endpoints: 'a.test:443'}",
		"a composite action": "runs:\n  steps:\n  - uses: step-security/harden-runner@v2\n    with: {allowed-endpoints: 'a.test:443'}",
	} {
		p := parse(t, text)
		if got := verdict(p, "a.test", 443) + " " + verdict(p, "b.test", 443); got != "allowed blocked" {
			t.Errorf("%s: %s", because, got)
		}
	}
}

// What was never read blocks.
func TestZeroPolicy(t *testing.T) {
	var p harden.Policy
	for _, channel := range []policy.Channel{policy.ChannelHTTPS, policy.ChannelDNS} {
		for _, host := range []string{"pypi.org", "169.254.169.254", "localhost"} {
			d := p.Boundary(&policy.Boundary{}).Decide(policy.Attempt{Destination: policy.MustParseDestination(host), Channel: channel})
			if d.Verdict != policy.Blocked {
				t.Errorf("%s over %s: %s", host, channel, d.Verdict)
			}
		}
	}
	if p.Role() != "" || p.Roles() != nil || len(p.Findings()) > 0 {
		t.Errorf("role %q of %q, findings %v", p.Role(), p.Roles(), p.Findings())
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"jobs: {}":   "workflow.yml:1:1: no step uses step-security/harden-runner, and there is neither egress-policy nor allowed-endpoints",
		"a":          "workflow.yml:1:1: no step uses step-security/harden-runner, and there is neither egress-policy nor allowed-endpoints",
		"jobs: [a: ": "workflow.yml:1:1: no YAML: did not find expected node content",
	} {
		_, err := harden.Parse("workflow.yml", []byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
