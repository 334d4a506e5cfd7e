package harden_test

import (
	"fmt"
	"strings"
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

// all returns the findings, a line each.
func all(p *harden.Policy) []string {
	var lines []string
	for _, f := range p.Findings() {
		if f.Message != bySudo { // of nearly each use, see TestRoot
			lines = append(lines, fmt.Sprintf("%d:%d %s: %s", f.Line, f.Column, f.Severity, f.Message))
		}
	}
	return lines
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
		{"where the agent looks names up itself, which only root may do", "github.com:443", "8.8.8.8", 443, blocked},
		{"another such resolver", "github.com:443", "8.8.4.4", 443, blocked},
		{"and the last", "github.com:443", "1.1.1.1", 443, blocked},
		{"what an allowed name resolves to is not known", "one.one.one.one:443", "1.1.1.1", 443, blocked},
		{"IPv6, which the firewall does not cover", "api.partner.example", "2001:db8::1", 443, allowed},
		{"what the agent adds", "api.partner.example", "results.actions.githubusercontent.com", 443, allowed},
		{"with a star within", "api.partner.example", "productionresultssa7.blob.core.windows.net", 443, allowed},
		{"a single label", "api.partner.example", "buildkitd", 443, allowed},
		{"an internal name", "*.internal:443", "metadata.google.internal", 443, blocked},
		{"the runner's search domain is taken off", "api.partner.example", "api.partner.example.a.b.internal.cloudapp.net", 443, allowed},
		{"a port from letters is 0, and opens nothing", "a.test api.partner.example:https", "api.partner.example", 443, blocked},
		{"and harms nothing else", "a.test api.partner.example:https", "a.test", 443, allowed},
		{"a pattern is not looked up beforehand, nor its port tried", "*.partner.example:99999", "api.partner.example", 443, blocked},
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
	const takesBack = "an allowed endpoint that it cannot look up makes it take back its firewall and its DNS: nothing is blocked then."
	cannot := func(e string) string {
		return fmt.Sprintf("The community agent cannot look up %q, and %s", e, takesBack)
	}
	internal := func(e string) string {
		return fmt.Sprintf("The community agent looks up no name under .internal, %q neither, and %s", e, takesBack)
	}
	url := func(e, host string) string {
		return fmt.Sprintf("The community agent cuts %q at its colons and takes %q for the host, and %s", e, host, takesBack)
	}
	port := func(e string) string {
		return fmt.Sprintf("iptables refuses the port of %q, and then the community agent takes back its firewall and its DNS: nothing is blocked.", e)
	}
	const (
		audit   = "In audit mode the agent logs and lets everything out, allowed-endpoints or not."
		noKey   = "use-policy-store is true and there is no api-key, so the action falls back to audit mode: the agent logs and lets everything out, whatever egress-policy says."
		store   = "use-policy-store takes the mode from StepSecurity's policy store, and the endpoints too where allowed-endpoints is empty; neither is in this file, and without a policy there the mode is audit."
		policyN = "policy takes the mode from StepSecurity's policy store, and the endpoints too where allowed-endpoints is empty; neither is in this file."
		unsure  = "An expression decides whether StepSecurity's policy store gives the mode; what it gives is not in this file."
		unknown = "An expression gives endpoints that are not in this file."
	)
	tests := []struct {
		because, text, want string
		verdict             string // on pypi.org
	}{
		{"block", block("a.test"), "nothing", "blocked"},
		{"block is the default", "allowed-endpoints: a.test", "nothing", "blocked"},
		{"audit", "egress-policy: audit\nallowed-endpoints: a.test", "1:1 " + audit, "allowed"},
		{"the names of inputs have no case", "Egress-Policy: audit\nallowed-endpoints: a.test", "1:1 " + audit, "allowed"},
		{"those of endpoints neither", "EGRESS-POLICY: block\nAllowed-Endpoints: pypi.org", "nothing", "allowed"},
		{"the values do", "egress-policy: Block", `1:1 "Block" is neither audit nor block: the step fails, and the agent adds no rule that blocks.`, "allowed"},
		{"what is neither", "egress-policy: enforce", `1:1 "enforce" is neither audit nor block: the step fails, and the agent adds no rule that blocks.`, "allowed"},
		{"an expression", "egress-policy: ${{ vars.MODE }}", "1:1 An expression decides whether the agent blocks; what it gives is not in this file.", "allowed"},
		{"an address in the list", block("a.test:443\n  203.0.113.10:443"), "4:3 " + cannot("203.0.113.10:443") + " Addresses need the enterprise agent.", "allowed"},
		{"what is no name", block("a..test"), "3:3 " + cannot("a..test"), "allowed"},
		{"a comment within the text", block("a.test\n  # why"), "4:3 " + cannot("#"), "allowed"},
		{"an internal name", block("db.corp.internal:5432"), "3:3 " + internal("db.corp.internal:5432"), "allowed"},
		{"with its dot", block("db.corp.internal."), "3:3 " + internal("db.corp.internal."), "allowed"},
		{"a single label", block("a.test\n  - b.test"), "4:3 " + cannot("-"), "allowed"},
		{"a word", block("a.test and b.test"), "3:10 " + cannot("and"), "allowed"},
		{"a scheme without slashes", block("tcp:a.test:443"), "3:3 " + cannot("tcp:a.test:443"), "allowed"},
		{"a name that is not for DNS", block("db.local:5432"), "3:3 " + cannot("db.local:5432"), "allowed"},
		{"another", block("app.localhost"), "3:3 " + cannot("app.localhost"), "allowed"},
		{"one that is never given", block("x.invalid"), "3:3 " + cannot("x.invalid"), "allowed"},
		{"lines without ports", "egress-policy: block\nallowed-endpoints: |\n  a.test\n  b.test\n", "3:3 " + cannot("a.test…"), "allowed"},
		{"a pattern below it is not looked up", block("*.corp.internal"), "nothing", "blocked"},
		{"a URL", block("https://github.com:443"), "3:3 " + url("https://github.com:443", "https"), "allowed"},
		{"a port too large", block("github.com:99999"), "3:3 " + port("github.com:99999"), "allowed"},
		{"the first that is", block("github.com:65536"), "3:3 " + port("github.com:65536"), "allowed"},
		{"the last that is not", block("github.com:65535"), "nothing", "blocked"},
		{"a port below none", block("github.com:-1"), "3:3 " + port("github.com:-1"), "allowed"},
		{"a port beyond counting", block("github.com:99999999999999999999"), "3:3 " + port("github.com:99999999999999999999"), "allowed"},
		{"a port of letters", block("github.com:https"), "nothing", "blocked"},
		{"a large port of a pattern", block("*.github.com:99999"), "nothing", "blocked"},
		{"in audit mode there is nothing to take back", "egress-policy: audit\nallowed-endpoints: 203.0.113.10", "1:1 " + audit, "allowed"},
		{"endpoints from an expression", block("a.test ${{ vars.MORE }}"), "2:1 " + unknown, "allowed"},
		{"a part of one", block("${{ vars.HOST }}.a.test:443"), "2:1 " + unknown, "allowed"},
		{"inputs from an expression", "egress-policy: block\n${{ insert }}: ${{ fromJSON(vars.MORE) }}", "2:1 An expression gives inputs that are not in this file.", "allowed"},
		{"a policy from elsewhere", block("a.test") + "policy: strict", "4:1 " + policyN, "allowed"},
		{"or none", block("a.test") + "policy: ''", "nothing", "blocked"},
		{"a policy store without its key", block("a.test") + "use-policy-store: true", "4:1 " + noKey, "allowed"},
		{"with an empty one", block("a.test") + "use-policy-store: TRUE\napi-key: ''", "4:1 " + noKey, "allowed"},
		{"with its key", block("a.test") + "use-policy-store: true\napi-key: ${{ secrets.KEY }}", "4:1 " + store, "allowed"},
		{"it counts before policy", block("a.test") + "use-policy-store: 'True'\npolicy: strict", "4:1 " + noKey, "allowed"},
		{"a policy store that is not used", block("a.test") + "use-policy-store: False\napi-key: k", "nothing", "blocked"},
		{"one that may be", block("a.test") + "use-policy-store: ${{ inputs.store }}", "4:1 " + unsure, "allowed"},
		{"the mode of the file does not count then", "egress-policy: audit\npolicy: strict", "2:1 " + policyN, "allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p := parse(t, tt.text)
			got := "nothing"
			for _, f := range p.Findings() {
				if f.Severity <= policy.SeverityUnenforced {
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

// Why everything is open, and what closes it.
func TestOpenings(t *testing.T) {
	tests := []struct{ because, text, reason, fix string }{
		{"audit", "egress-policy: audit", "egress-policy is audit (line 1), so pypi.org is logged and let out.", "write egress-policy: block"},
		{"an expression", "egress-policy: ${{ vars.MODE }}", "egress-policy on line 1 does not say block, so nothing is sure to stop pypi.org.", "write egress-policy: block"},
		{"an endpoint", block("a.test:99999"), `Over "a.test:99999" on line 3 the agent takes back its rules, so pypi.org gets out.`, `remove "a.test:99999" on line 3`},
		{"the first of two", block("1.2.3.4 https://a.test"), `Over "1.2.3.4" on line 3 the agent takes back its rules, so pypi.org gets out.`, `remove "1.2.3.4" on line 3`},
		{"a percent sign in it", block("%d"), `Over "%d" on line 3 the agent takes back its rules, so pypi.org gets out.`, `remove "%d" on line 3`},
		{"endpoints from an expression", block("${{ vars.MORE }}"), "An expression gives endpoints that are not in this file (line 2), so nothing is sure to stop pypi.org.", "write the endpoints out"},
		{"a policy from elsewhere", "policy: strict\n" + block("a.test"), "Whether the agent blocks is not in this file (line 1), so nothing is sure to stop pypi.org.", "remove policy"},
		{"a policy store without its key", "use-policy-store: true\n" + block("a.test"), "use-policy-store without api-key means audit (line 1), so pypi.org is logged and let out.", "give api-key, or remove use-policy-store"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			b := parse(t, tt.text).Boundary(&policy.Boundary{})
			for channel, layer := range map[policy.Channel]policy.Layer{policy.ChannelHTTPS: policy.LayerProxy, policy.ChannelDNS: policy.LayerOutsideResolver} {
				d := b.Decide(policy.Attempt{Destination: policy.MustParseDestination("pypi.org"), Channel: channel})
				if d.Verdict != policy.Allowed || d.Layer != layer || d.Reason() != tt.reason || d.Fix() != tt.fix {
					t.Errorf("over %s %s by %s: %s\n%s", channel, d.Verdict, d.Layer, d.Reason(), d.Fix())
				}
			}
		})
	}
}

// What GitHub refuses, or the action before it sets up the agent; the file is
// read as far as it goes.
func TestRefused(t *testing.T) {
	fails := func(name, value string) string {
		return fmt.Sprintf("The action takes true or false for %s, and fails over %q before it sets up the agent, so nothing is enforced.", name, value)
	}
	twice := func(key string, line int) string {
		return fmt.Sprintf("The key %q is given a second time, the first is on line %d, and GitHub refuses the workflow over it.", key, line)
	}
	kind := func(name, is string) string {
		return fmt.Sprintf("%s is %s, and GitHub, which takes one string for an input, refuses the workflow over it.", name, is)
	}
	const (
		merge = "GitHub takes anchors and aliases, but no merge key, and refuses the workflow over <<."
		job   = "jobs:\n  a:\n    steps:\n      - uses: step-security/harden-runner@v2\n"
	)
	tests := []struct {
		because, text string
		want          []string
	}{
		{"nothing", block("a.test"), nil},
		{"an input given twice", "egress-policy: block\negress-policy: audit", []string{"2:1 " + twice("egress-policy", 1)}},
		{"case aside", "egress-policy: block\nEgress-Policy: audit", []string{"2:1 " + twice("Egress-Policy", 1)}},
		{"a key given twice anywhere", "env: {A: 1, a: 2}\n" + job, []string{"1:13 " + twice("a", 1)}},
		{"in a list, a job", job + "      - run: a\n        run: b\n", []string{"6:9 " + twice("run", 5)}},
		{"two jobs of one name", job + "  A: {}\n", []string{"5:3 " + twice("A", 2)}},
		{"keys in two maps", "env: {A: 1}\nA: 1\n" + job, nil},
		{"an anchor and an alias", "env: &e {A: 1}\n" + job + "    env: *e\n", nil},
		{"an alias to what is refused is found once", "env: &e {A: 1, A: 2}\n" + job + "    env: *e\n", []string{"1:16 " + twice("A", 1)}},
		{"expressions as keys", "egress-policy: block\nx: {'${{ insert }}': 1, '${{ insert }}': 2}", []string{"2:4 " + kind("x", "a map")}},
		{"a merge key", "env: &e {A: 1}\n" + job + "    env:\n      <<: *e\n      A: 2\n", []string{"7:7 " + merge}},
		{"within the inputs", "x: &e {egress-policy: block}\nwith:\n  <<: *e\n", []string{"3:3 " + merge}},
		{"endpoints as a list", "allowed-endpoints: [a.test]", []string{"1:20 " + kind("allowed-endpoints", "a list")}},
		{"a mode as a map", "egress-policy: {block: true}", []string{"1:16 " + kind("egress-policy", "a map")}},
		{"a boolean that YAML 1.1 had", "egress-policy: block\ndisable-sudo: yes", []string{"2:1 " + fails("disable-sudo", "yes")}},
		{"a number", "egress-policy: block\nDisable-Telemetry: 1", []string{"2:1 " + fails("Disable-Telemetry", "1")}},
		{"nothing for a boolean", "egress-policy: block\ndisable-file-monitoring:", []string{"2:1 " + fails("disable-file-monitoring", "")}},
		{"a policy store", "egress-policy: block\nuse-policy-store: on", []string{"2:1 " + fails("use-policy-store", "on")}},
		{"the other booleans", "egress-policy: block\ndeploy-on-self-hosted-vm: y\ndisable-sudo-and-containers: n",
			[]string{"2:1 " + fails("deploy-on-self-hosted-vm", "y"), "3:1 " + fails("disable-sudo-and-containers", "n")}},
		{"booleans in their spellings", "egress-policy: block\ndisable-sudo: TRUE\ndisable-telemetry: 'False'\ndisable-file-monitoring: ${{ inputs.x }}", nil},
		{"a text is no boolean", "egress-policy: block\nexempt-files: yes", nil},
		{"an action without a version", "uses: step-security/harden-runner", []string{"1:7 GitHub refuses an action without a version."}},
		{"an input beside uses", "uses: step-security/harden-runner@v2\negress-policy: block", []string{`2:1 A step that uses an action has no key "egress-policy", and GitHub refuses the workflow over it.`}},
		{"an action and a command", "uses: step-security/harden-runner@v2\nrun: make", []string{`2:1 A step that uses an action has no key "run", and GitHub refuses the workflow over it.`}},
		{"inputs in a list", "uses: step-security/harden-runner@v2\nwith: [egress-policy]", []string{"2:1 with is a list, and GitHub, which takes a map of inputs, refuses the workflow over it."}},
		{"no inputs", "uses: step-security/harden-runner@v2\nwith:", nil},
		{"inputs from an expression", "uses: step-security/harden-runner@v2\nwith: ${{ fromJSON(vars.WITH) }}", nil},
		{"a second document", "egress-policy: block\n---\negress-policy: audit", []string{"2:1 GitHub refuses a workflow with a second document in its file."}},
		{"a second document that is broken", "egress-policy: block\n---\nsteps: [", []string{"3:1 GitHub refuses a workflow with a second document in its file."}},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			var got []string
			for _, f := range parse(t, tt.text).Findings() {
				if f.Severity == policy.SeverityRefused {
					got = append(got, fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Message))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Where the job runs, and whether the action sets up the agent there.
func TestRunner(t *testing.T) {
	const (
		nowhere    = "warning: It cannot be told from runs-on where the job runs; what is decided here is decided for a Linux runner of GitHub's."
		anywhere   = "unenforced: An expression decides where the job runs, and not on every runner does the action set up an agent."
		selfHosted = "unenforced: On a self-hosted runner the community tier sets up no agent; where the machine has none already, nothing restricts the job."
		slim       = "unenforced: The action sets up no agent on ubuntu-slim, so nothing restricts the job."
		other      = "unenforced: On Windows and macOS the action has other agents since 2.15.0, and whether they block was not verified."
		noOther    = "unenforced: The action sets up no agent on Windows and macOS before 2.15.0, so nothing restricts the job."
		old        = "warning: Before 2.16.0 the community agent let DNS over TCP out to outside resolvers (GHSA-g699-3x6g-wm3g), and DNS over HTTPS to those that it asks itself (GHSA-46g3-37rh-v698)."
		noArm      = "unenforced: The action sets up no agent on Arm in the community tier before 2.22.0, so nothing restricts the job."
		someArm    = "warning: Before 2.22.0 the community tier sets up no agent on Arm, so that nothing restricts the job; which version this is cannot be told."
		container  = "unenforced: The action sets up no agent in a job's container on GitHub's runners, so nothing restricts the job."
		mayContain = "unenforced: An expression decides whether the job runs in a container, where the action sets up no agent on GitHub's runners."
	)
	const commit = "4d991eb9b905ef189e4c376166672c3f2f230481"
	tests := []struct {
		because, version, job string
		want                  []string
		verdict               string // on pypi.org
	}{
		{"Linux of GitHub's", "v2", "runs-on: ubuntu-latest", nil, "blocked"},
		{"in a list", "v2", "runs-on: [ubuntu-24.04]", nil, "blocked"},
		{"case aside", "v2", "runs-on: Ubuntu-Latest", nil, "blocked"},
		{"in a map", "v2", "runs-on: {labels: [ubuntu-24.04]}", nil, "blocked"},
		{"ubuntu-slim", "v2", "runs-on: ubuntu-slim", []string{"3:5 " + slim}, "allowed"},
		{"among others", "v2", "runs-on: {group: g, labels: ubuntu-slim}", []string{"3:5 " + slim}, "allowed"},
		{"a group", "v2", "runs-on: {group: g}", []string{"3:5 " + nowhere}, "blocked"},
		{"a label of one's own", "v2", "runs-on: builder", []string{"3:5 " + nowhere}, "blocked"},
		{"an expression", "v2", "runs-on: ${{ inputs.runner }}", []string{"3:5 " + anywhere}, "allowed"},
		{"a part of one", "v2", "runs-on: ubuntu-${{ matrix.version }}", []string{"3:5 " + anywhere}, "allowed"},
		{"a matrix", "v2", "{runs-on: '${{ matrix.os }}', strategy: {matrix: {os: [ubuntu-latest, ubuntu-24.04]}}}", nil, "blocked"},
		{"a matrix with Windows", "v2", "{runs-on: '${{ matrix.os }}', strategy: {matrix: {os: [ubuntu-latest], include: [{os: windows-latest}]}}}", []string{"3:6 " + other}, "allowed"},
		{"a matrix with lists of labels", "v2", "{runs-on: '${{matrix.os}}', strategy: {matrix: {os: [ubuntu-latest, [self-hosted, linux]]}}}", []string{"3:6 " + selfHosted}, "allowed"},
		{"a matrix from elsewhere", "v2", "{runs-on: '${{ matrix.os }}', strategy: {matrix: '${{ fromJSON(needs.x.outputs.y) }}'}}", []string{"3:6 " + anywhere}, "allowed"},
		{"self-hosted", "v2", "runs-on: [Self-Hosted, windows, arm64]", []string{"3:5 " + selfHosted}, "allowed"},
		{"self-hosted in a container", "v2", "{runs-on: self-hosted, container: 'node:20'}", []string{"3:6 " + selfHosted}, "allowed"},
		{"Windows", "v2", "runs-on: windows-latest", []string{"3:5 " + other}, "allowed"},
		{"Windows on Arm", "v2.20.0", "runs-on: windows-11-arm", []string{"3:5 " + other}, "allowed"},
		{"macOS", "v2", "runs-on: macos-15", []string{"3:5 " + other}, "allowed"},
		{"macOS, before", "v2.14.2", "runs-on: macos-15", []string{"4:20 " + old, "3:5 " + noOther}, "allowed"},
		{"Arm, before", "v2.21.1", "runs-on: ubuntu-24.04-arm", []string{"3:5 " + noArm}, "allowed"},
		{"Arm, since", "v2.22.0", "runs-on: ubuntu-24.04-arm", nil, "blocked"},
		{"Arm, at some version", "v2", "runs-on: ubuntu-24.04-arm", []string{"3:5 " + someArm}, "blocked"},
		{"Arm, at a commit", commit, "runs-on: my-arm64", []string{"3:5 " + someArm}, "blocked"},
		{"a container", "v2", "{runs-on: ubuntu-latest, container: 'node:20'}", []string{"3:30 " + container}, "allowed"},
		{"in a map", "v2", "{runs-on: ubuntu-latest, container: {image: 'node:${{ matrix.node }}'}}", []string{"3:30 " + container}, "allowed"},
		{"perhaps a container", "v2", "{runs-on: ubuntu-latest, container: '${{ matrix.image }}'}", []string{"3:30 " + mayContain}, "allowed"},
		{"none after all", "v2", "{runs-on: ubuntu-latest, container: {image: ''}}", nil, "blocked"},
		{"a container and no runner", "v2", "container: node", []string{"3:5 " + container}, "allowed"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			job := tt.job
			steps := "steps: [{uses: step-security/harden-runner@" + tt.version + ", with: {allowed-endpoints: a.test}}]"
			if inner, flow := strings.CutSuffix(job, "}"); flow && strings.HasPrefix(job, "{") {
				job = inner + ", " + steps + "}"
			} else {
				job += "\n    " + steps
			}
			p := parse(t, "jobs:\n  a:\n    "+job)
			var got []string
			for _, f := range p.Findings() {
				if f.Message != "egress-policy is missing; the default is block." && f.Message != bySudo {
					got = append(got, fmt.Sprintf("%d:%d %s: %s", f.Line, f.Column, f.Severity, f.Message))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if v := verdict(p, "pypi.org", 443); v != tt.verdict {
				t.Errorf("pypi.org %s, want %s", v, tt.verdict)
			}
		})
	}
}

// Before 2.16.0 the agent let everybody ask the resolvers that it asks itself.
func TestOldVersion(t *testing.T) {
	const commit = "4d991eb9b905ef189e4c376166672c3f2f230481"
	tests := []struct{ because, version, want string }{
		{"before", "v2.15.1", "allowed"},
		{"since", "v2.16.0", "blocked"},
		{"the latest of v2", "v2", "blocked"},
		{"a commit", commit, "blocked"},
		{"a commit whose comment says before", commit + " # v2.11.0", "allowed"},
		{"or since", commit + " # v2.16.1", "blocked"},
		{"a comment beside a version", "v2.16.0 # v2.11.0", "blocked"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p := parse(t, "uses: step-security/harden-runner@"+tt.version+"\nwith:\n  allowed-endpoints: a.test:443\n")
			for _, port := range []uint16{53, 443} {
				if v := verdict(p, "8.8.8.8", port); v != tt.want {
					t.Errorf("8.8.8.8:%d %s, want %s", port, v, tt.want)
				}
			}
			if v := verdict(p, "9.9.9.9", 443); v != "blocked" {
				t.Errorf("9.9.9.9:443 %s", v)
			}
		})
	}
}

// bySudo is found of each use that does not take sudo away.
const bySudo = "The job can become root by sudo, without a password, and take the agent's rules away."

// What the job may do as root, to what the agent has set up.
func TestRoot(t *testing.T) {
	const byContainers = "disable-sudo leaves the job its containers, by which it can become root and take the agent's rules away (CVE-2025-32955)."
	tests := []struct {
		because, inputs string
		want            []string
	}{
		{"sudo is there", "", []string{bySudo}},
		{"sudo is left", "disable-sudo: false\n", []string{bySudo}},
		{"sudo is gone, containers are not", "disable-sudo: true\n", []string{byContainers}},
		{"both are gone", "disable-sudo-and-containers: TRUE\n", nil},
		{"it is not known", "disable-sudo-and-containers: ${{ inputs.strict }}\n", nil},
		{"nothing blocks anyway", "egress-policy: audit\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			var got []string
			for _, f := range parse(t, tt.inputs+"allowed-endpoints: a.test:443\n").Findings() {
				if f.Severity == policy.SeverityWarning {
					got = append(got, f.Message)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Entries that the agent reads otherwise than they look.
func TestEndpointFindings(t *testing.T) {
	tests := []struct{ because, text, want string }{
		{"lines kept apart are one endpoint", "egress-policy: block\nallowed-endpoints: |\n  a.test:443\n  b.test:443\n",
			"3:3 broken: The agent splits the list at spaces alone, so these lines are one endpoint to it, of which the first name counts, with port 0."},
		{"a scheme", block("https://a.test"), `3:3 unenforced: The community agent cuts "https://a.test" at its colons and takes "https" for the host, and an allowed endpoint that it cannot look up makes it take back its firewall and its DNS: nothing is blocked then.`},
		{"a comma is no space", block("a.test:443, b.test:443"), `3:3 warning: The agent parts endpoints at spaces alone, so "a.test:443," has no port and nothing is opened for it.`},
		{"a star over a top-level domain", block("*.com"), `3:3 open: "*.com" matches evil.com, and so a name of anybody's.`},
		{"a port that is none", block("a.test:https"), `3:3 warning: The port of "a.test:https" is no port, so nothing is opened for it.`},
		{"no port behind the colon", block("a.test:"), `3:3 warning: The port of "a.test:" is no port, so nothing is opened for it.`},
		{"what follows a second colon is dropped", block("*.a.test:0:443"), `3:3 warning: The port of "*.a.test:0:443" is no port, so nothing is opened for it.`},
		{"capitals", block("b.test A.test"), `3:10 broken: The agent compares names with their case, and "A.test" does not match the lower case that clients ask for.`},
		{"a star for everything", block("*:443"), `3:3 open: "*" matches every name.`},
		{"a star without its dot", block("*github.com"), `3:3 open: "*github.com" matches every name that ends so, evilgithub.com as well.`},
		{"a star within", block("api.*.com"), `3:3 open: "api.*.com" matches api.evil.com, and so a name of anybody's.`},
		{"a star within a zone", block("api.*.a.test"), `3:3 warning: The star in "api.*.a.test" stands for any number of labels, so it matches api.evil.a.test too.`},
		{"a star at the end", block("api*"), `3:3 open: "api*" matches every name that begins so, api.evil.test as well.`},
		{"two stars for everything", block("*.*.com"), `3:3 open: "*.*.com" matches every name.`},
		{"two stars side by side", block("**.a.test"), `3:3 open: "**.a.test" matches every name.`},
		{"a second star behind a letter", block("*.a*.test"), `3:3 broken: The agent takes what stands around the first star alone, up to the second, so "*.a*.test" matches no name.`},
		{"capitals that stand before the list too", `{egress-policy: block, api-key: "é A.test", allowed-endpoints: "A.test"}`, `1:65 broken: The agent compares names with their case, and "A.test" does not match the lower case that clients ask for.`},
		{"an unknown input", block("a.test") + "allowed_endpoints: b.test", `4:1 warning: harden-runner has no input "allowed_endpoints"; the runner warns of it in its log (“Unexpected input(s)”), and it does nothing.`},
		{"denials beside the list", block("a.test") + "denied-endpoints: b.test", "4:1 warning: Beside allowed-endpoints the action ignores denied-endpoints."},
		{"denials alone", "egress-policy: block\nallowed-endpoints: ''\ndenied-endpoints: b.test",
			"3:1 warning: Without allowed-endpoints the enterprise tier lets everything out that denied-endpoints does not name. The community agent, for which this is decided, ignores it."},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if diff := cmp.Diff([]string{tt.want}, all(parse(t, tt.text))); diff != "" {
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
	want := []string{
		`16:3 warning: The job "publish" does not use harden-runner, so nothing restricts it.`,
		`19:3 warning: The job "reused" runs another workflow, and nothing in this file restricts it.`,
		"5:15 warning: Before 2.16.0 the community agent let DNS over TCP out to outside resolvers (GHSA-g699-3x6g-wm3g), and DNS over HTTPS to those that it asks itself (GHSA-46g3-37rh-v698).",
		"6:9 note: The condition does not keep the agent out: the action sets it up before the steps of the job, whether the condition is met or not.",
		"7:9 warning: The job goes on where the agent cannot be set up, and then nothing restricts it.",
		`5:9 note: The file uses harden-runner 2 times; what is decided here is decided for the use in job "build".`,
	}
	if diff := cmp.Diff(want, all(p)); diff != "" {
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

// What is not enforced in another job is said too, at its own line.
func TestOtherJobs(t *testing.T) {
	p := parse(t, `jobs:
  build:
    steps:
      - uses: step-security/harden-runner@v2
        with: {egress-policy: block, allowed-endpoints: a.test}
  audited:
    steps:
      - uses: step-security/harden-runner@v2
        with: {egress-policy: audit}
  taken-back:
    steps:
      - uses: step-security/harden-runner@v2
        with: {egress-policy: block, allowed-endpoints: 203.0.113.10}
  contained:
    container: node
    steps:
      - uses: step-security/harden-runner@v2
        with: {egress-policy: block, allowed-endpoints: a.test, disable-sudo: no}
`)
	const audited = "In audit mode the agent logs and lets everything out, allowed-endpoints or not."
	want := []string{
		`9:16 unenforced: Another job, "audited": ` + audited,
		`13:57 unenforced: Another job, "taken-back": The community agent cannot look up "203.0.113.10", and an allowed endpoint that it cannot look up makes it take back its firewall and its DNS: nothing is blocked then. Addresses need the enterprise agent.`,
		`18:65 unenforced: Another job, "contained": The action takes true or false for disable-sudo, and fails over "no" before it sets up the agent, so nothing is enforced.`,
		`15:5 unenforced: Another job, "contained": The action sets up no agent in a job's container on GitHub's runners, so nothing restricts the job.`,
		`4:9 note: The file uses harden-runner 4 times; what is decided here is decided for the use in job "build".`,
	}
	if diff := cmp.Diff(want, all(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := verdict(p, "pypi.org", 443); got != "blocked" {
		t.Errorf("pypi.org in the job build: %s", got)
	}
	if got := all(p.As("audited"))[0]; got != "9:16 unenforced: "+audited {
		t.Errorf("the job audited: %s", got)
	}
}

// The first use of a job decides; what is wrong with another is said too.
func TestSecondUse(t *testing.T) {
	const action = "      - uses: step-security/harden-runner@v2\n        with: "
	p := parse(t, "jobs:\n  build:\n    steps:\n"+
		action+"{egress-policy: block, allowed-endpoints: a.test}\n"+
		action+"{egress-policy: audit}\n")
	want := []string{
		"7:16 unenforced: Another use in this job: In audit mode the agent logs and lets everything out, allowed-endpoints or not.",
		`4:9 note: The file uses harden-runner 2 times; what is decided here is decided for the use in job "build".`,
	}
	if diff := cmp.Diff(want, all(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where a version is known to be older, and where the steps above matter.
func TestUse(t *testing.T) {
	const (
		old   = "warning: Before 2.16.0 the community agent let DNS over TCP out to outside resolvers (GHSA-g699-3x6g-wm3g), and DNS over HTTPS to those that it asks itself (GHSA-46g3-37rh-v698)."
		above = "warning: The agent is set up before the steps of the job, but an action above this step may do something in a pre step of its own, which comes first."
	)
	tests := []struct {
		because, above, version string
		want                    []string
	}{
		{"v2 is whatever it stands for", "", "v2", nil},
		{"all of v1 is older", "", "v1", []string{"2:9 " + old}},
		{"so is 1.5", "", "1.5", []string{"2:9 " + old}},
		{"the last before", "", "v2.15.1", []string{"2:9 " + old}},
		{"the first", "", "v2.16.0", nil},
		{"v3 is not", "", "v3", nil},
		{"a commit", "", "4d991eb9b905ef189e4c376166672c3f2f230481", nil},
		{"a branch", "", "v2.x", nil},
		{"a command above", "run: make", "v2", nil},
		{"an action of the repository", "uses: ./setup", "v2", nil},
		{"an image", "uses: docker://node", "v2", nil},
		{"an action from elsewhere", "uses: actions/checkout@v4", "v2", []string{"2:3 " + above}},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p := parse(t, fmt.Sprintf("- {%s}\n- uses: step-security/harden-runner@%s\n  with: {egress-policy: block, allowed-endpoints: a.test}", tt.above, tt.version))
			if diff := cmp.Diff(tt.want, all(p)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
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
