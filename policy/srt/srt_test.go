package srt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sixways/policy"
	"sixways/policy/srt"
)

func parse(t *testing.T, text string) *srt.Policy {
	t.Helper()
	p, err := srt.Parse("srt-settings.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// verdict decides on a raw host as the runtime's proxy gets it.
func verdict(p *srt.Policy, host string, port uint16) string {
	d, err := p.Normalise(host)
	if err != nil {
		return "malformed"
	}
	return p.Judge(d.WithPort(port)).Verdict.String()
}

// The runtime's patterns and hosts. cmd/differential compares with the
// runtime's own code; these rows say why.
func TestMatch(t *testing.T) {
	const allowed, blocked, malformed = "allowed", "blocked", "malformed"
	tests := []struct {
		because, allow, deny, host string
		port                       uint16
		want                       string
	}{
		{"an exact host", `"api.partner.example"`, ``, "api.partner.example", 443, allowed},
		{"case does not count", `"API.partner.example"`, ``, "api.PARTNER.example", 443, allowed},
		{"one trailing dot of the host is off", `"api.partner.example"`, ``, "api.partner.example.", 443, allowed},
		{"a second one is not", `"api.partner.example"`, ``, "api.partner.example..", 443, blocked},
		{"a wildcard is any depth", `"*.partner.example"`, ``, "a.b.partner.example", 443, allowed},
		{"and not the apex", `"*.partner.example"`, ``, "partner.example", 443, blocked},
		{"nor a name that ends alike", `"*.partner.example"`, ``, "notpartner.example", 443, blocked},
		{"nor one that goes on", `"*.partner.example"`, ``, "partner.example.attacker.test", 443, blocked},
		{"a denial wins", `"*.partner.example"`, `"api.partner.example"`, "api.partner.example", 443, blocked},
		{"a star denies everything", `"api.partner.example"`, `"*"`, "api.partner.example", 443, blocked},
		{"at its port", `"api.partner.example"`, `"*:22"`, "api.partner.example", 22, blocked},
		{"and not at another", `"api.partner.example"`, `"*:22"`, "api.partner.example", 443, allowed},
		{"an entry with a port is for that port", `"api.partner.example:8443"`, ``, "api.partner.example", 443, blocked},
		{"which it opens", `"api.partner.example:8443"`, ``, "api.partner.example", 8443, allowed},
		{"an address in another spelling", `"*.partner.example"`, `"169.254.169.254"`, "0xa9fea9fe", 80, blocked},
		{"is allowed where the address is", `"203.0.113.10"`, ``, "3405803786", 443, allowed},
		{"mapped IPv6 is IPv4", `"203.0.113.10"`, ``, "::ffff:203.0.113.10", 443, allowed},
		{"IPv6 in brackets", `"[2001:db8::1]:443"`, ``, "2001:DB8:0::1", 443, allowed},
		{"brackets around a name and a port hold a URL's host", `"[pypi.org:443]"`, ``, "pypi.org", 80, allowed},
		{"with a path", `"[pypi.org/x]:443"`, ``, "pypi.org", 443, allowed},
		{"with other letters", `"*.example.com"`, `"[www.BÜCHER.example.com]"`, "www.xn--bcher-kva.example.com", 443, blocked},
		{"no wildcard matches an address", `"*.0.113.10"`, ``, "203.0.113.10", 443, blocked},
		{"five numbers stay a name", `"1.2.3.4.5"`, ``, "1.2.3.4.5", 443, allowed},
		{"a null character is malformed", `"*.partner.example"`, ``, "evil.test\x00.partner.example", 443, malformed},
		{"so is a zone", `"*.partner.example"`, ``, "::ffff:1.2.3.4%x.partner.example", 443, malformed},
		{"so are full-width digits", `"169.254.169.254"`, ``, "１６９.254.169.254", 443, malformed},
		{"so is white space", `"api.partner.example"`, ``, "api.partner.example ", 443, malformed},
		{"an empty list is nothing", ``, ``, "api.partner.example", 443, blocked},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p := parse(t, fmt.Sprintf(`{"network": {"allowedDomains": [%s], "deniedDomains": [%s]}}`, tt.allow, tt.deny))
			if got := verdict(p, tt.host, tt.port); got != tt.want {
				t.Errorf("%q at %d: %s, want %s", tt.host, tt.port, got, tt.want)
			}
		})
	}
}

// Where either of two keys is enough, the fix takes both away.
func TestFixOfTwoProxies(t *testing.T) {
	p := parse(t, `{"network": {"allowedDomains": [], "socksProxyPort": 1080, "httpProxyPort": 3128}}`)
	got := p.Boundary(open).Decide(policy.Attempt{Destination: policy.MustParseDestination("pypi.org")}).Fix()
	if want := `remove "httpProxyPort" and "socksProxyPort"`; got != want {
		t.Errorf("fix %s, want %s", got, want)
	}
}

// A decision names the line and column of the entry that gave it, and whose it
// is otherwise.
func TestOrigin(t *testing.T) {
	p := parse(t, "{\n \"network\": {\n  \"allowedDomains\": [\n   \"api.partner.example\",\n   \"*.partner.example\"\n  ],\n  \"deniedDomains\": [\"evil.test\"]\n }\n}")
	tests := []struct {
		because, host, reason string
		origin                policy.Origin
		fix                   string
	}{
		{"the first entry that matches", "api.partner.example", `Line 4 allows "api.partner.example", so the proxy lets api.partner.example out.`,
			policy.Origin{Kind: policy.OriginFile, Name: "srt-settings.json", Line: 4, Column: 4}, `remove "api.partner.example" on line 4`},
		{"a wildcard", "a.partner.example", `Line 5 allows "*.partner.example", so the proxy lets a.partner.example out.`,
			policy.Origin{Kind: policy.OriginFile, Name: "srt-settings.json", Line: 5, Column: 4}, `remove "*.partner.example" on line 5`},
		{"a denial", "evil.test", `Line 7 denies "evil.test", and a denial wins over every entry that allows, so the proxy refuses evil.test.`,
			policy.Origin{Kind: policy.OriginFile, Name: "srt-settings.json", Line: 7, Column: 21}, `remove "evil.test" on line 7`},
		{"no entry", "pypi.org", "allowedDomains on line 3 does not hold pypi.org, so the proxy refuses it.",
			policy.Origin{Kind: policy.OriginFile, Name: "srt-settings.json", Line: 3, Column: 3}, `add "pypi.org" to "allowedDomains"`},
		{"no entry for an address of IPv6", "2001:db8::1", "allowedDomains on line 3 does not hold 2001:db8::1, so the proxy refuses it.",
			policy.Origin{Kind: policy.OriginFile, Name: "srt-settings.json", Line: 3, Column: 3}, `add "[2001:db8::1]" to "allowedDomains"`},
		{"no entry, and the fix as the list compares it", "PyPI.org.", "allowedDomains on line 3 does not hold PyPI.org., so the proxy refuses it.",
			policy.Origin{Kind: policy.OriginFile, Name: "srt-settings.json", Line: 3, Column: 3}, `add "pypi.org" to "allowedDomains"`},
		{"no entry, and none that the list takes", "db", "allowedDomains on line 3 does not hold db, so the proxy refuses it.",
			policy.Origin{Kind: policy.OriginFile, Name: "srt-settings.json", Line: 3, Column: 3},
			`call the host by its full name: "allowedDomains" takes no "db", a name without a dot`},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			d := policy.MustParseDestination(tt.host)
			got := p.Boundary(open).Decide(policy.Attempt{Destination: d})
			if got.Reason() != tt.reason || got.Fix() != tt.fix {
				t.Errorf("%s\n%s\nwant %s\n%s", got.Reason(), got.Fix(), tt.reason, tt.fix)
			}
			if diff := cmp.Diff(tt.origin, got.Rule.Origin); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// everything lets out whatever it is asked about.
type everything struct{}

func (everything) Judge(policy.Destination) policy.Ruling {
	return policy.Ruling{Verdict: policy.Allowed, Rule: policy.Rule{Because: "controls"}}
}

// open are controls that leave everything open.
var open = &policy.Boundary{
	Loopback: policy.Ruling{Verdict: policy.Allowed, Rule: policy.Rule{Because: "controls"}},
	Route:    policy.Ruling{Verdict: policy.Allowed},
	Resolver: policy.Resolver{Outside: policy.Ruling{Verdict: policy.Allowed, Rule: policy.Rule{Because: "controls"}}},
	Proxy:    everything{},
}

const (
	noResolver = "The sandbox has no network but the proxy, so the query reaches no resolver."
	noSidecar  = "On Linux the sandbox has a loopback of its own, on macOS it may reach the proxy's port alone, so no sidecar answers."
)

func sidecar(entry string) string {
	return fmt.Sprintf("Line 1 allows %q, and the proxy, which runs on the host, connects to the host's loopback, so the sidecar answers.", entry)
}

// What decides beside the list.
func TestBoundary(t *testing.T) {
	tests := []struct {
		because, network string
		controls         *policy.Boundary
		host             string
		channel          policy.Channel
		layer            policy.Layer
		verdict          policy.Verdict
		reason           string
	}{
		{"no query leaves, whatever the controls say", `"allowedDomains": ["api.partner.example"]`, open, "data.a.evil.test", policy.ChannelDNS,
			policy.LayerNamespace, policy.Blocked, noResolver},
		{"but of what the proxy connects to", `"allowedDomains": ["*.evil.test"]`, open, "data.a.evil.test", policy.ChannelDNS,
			policy.LayerProxy, policy.Allowed, "Line 1 lets the proxy connect to data.a.evil.test, and the proxy looks up what it connects to, so the name leaves the sandbox."},
		{"at any port", `"allowedDomains": ["*.evil.test:8443"]`, open, "data.a.evil.test", policy.ChannelDNS,
			policy.LayerProxy, policy.Allowed, "Line 1 lets the proxy connect to data.a.evil.test, and the proxy looks up what it connects to, so the name leaves the sandbox."},
		{"unless it is denied", `"allowedDomains": ["*.evil.test"], "deniedDomains": ["*.evil.test"]`, open, "data.a.evil.test", policy.ChannelDNS,
			policy.LayerNamespace, policy.Blocked, noResolver},
		{"sandbox-runtime#88: nor with local binding", `"allowedDomains": [], "allowLocalBinding": true`, open, "data.a.evil.test", policy.ChannelDNS,
			policy.LayerNamespace, policy.Blocked, noResolver},
		{"the sandbox has a loopback of its own", `"allowedDomains": []`, open, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerNamespace, policy.Blocked, noSidecar},
		{"which local binding opens on macOS", `"allowedDomains": [], "allowLocalBinding": true`, open, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerNamespace, policy.Allowed, "allowLocalBinding on line 1 opens the host's loopback on macOS and Windows, so the sidecar answers."},
		{"unless the control says there is none", `"allowedDomains": [], "allowLocalBinding": true`, &policy.Boundary{}, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerNamespace, policy.Blocked, noSidecar},
		{"a list with loopback opens the host's through the proxy", `"allowedDomains": ["127.0.0.1:8080"]`, open, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerProxy, policy.Allowed, sidecar("127.0.0.1:8080")},
		{"by its name", `"allowedDomains": ["localhost"]`, open, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerProxy, policy.Allowed, sidecar("localhost")},
		{"by the address of none", `"allowedDomains": ["0.0.0.0"]`, &policy.Boundary{}, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerProxy, policy.Allowed, sidecar("0.0.0.0")},
		{"by a wildcard below it", `"allowedDomains": ["*.dev.localhost"]`, open, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerProxy, policy.Allowed, sidecar("*.dev.localhost")},
		{"a spelling that matches no host opens nothing", `"allowedDomains": ["127.1"]`, open, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerNamespace, policy.Blocked, noSidecar},
		{"unless that is denied", `"allowedDomains": ["localhost:8126"], "deniedDomains": ["LOCALHOST"]`, open, "127.0.0.1", policy.ChannelHTTP,
			policy.LayerNamespace, policy.Blocked, noSidecar},
		{"another port than the one allowed", `"allowedDomains": ["pypi.org:8443"]`, open, "pypi.org", policy.ChannelHTTPS,
			policy.LayerProxy, policy.Blocked, `Line 1 allows "pypi.org:8443", and pypi.org is asked at port 443, so the proxy refuses it.`},
		{"a missing list restricts nothing", `"deniedDomains": []`, open, "pypi.org", policy.ChannelHTTPS,
			policy.LayerProxy, policy.Allowed, "allowedDomains is missing (line 1), which restricts nothing, so pypi.org gets out."},
		{"and so does one that is no list", `"allowedDomains": "a.test"`, open, "pypi.org", policy.ChannelHTTPS,
			policy.LayerProxy, policy.Allowed, "allowedDomains is no list (line 1), which restricts nothing, so pypi.org gets out."},
		{"and leaves the query to the controls", `"deniedDomains": []`, open, "data.a.evil.test", policy.ChannelDNS,
			policy.LayerOutsideResolver, policy.Allowed, "controls"},
		{"another proxy filters", `"allowedDomains": [], "httpProxyPort": 3128`, open, "pypi.org", policy.ChannelHTTPS,
			policy.LayerProxy, policy.Allowed, "httpProxyPort on line 1 leaves pypi.org to another proxy, and nothing in this file holds there."},
		{"two do", `"allowedDomains": [], "socksProxyPort": 1080, "httpProxyPort": 3128`, open, "pypi.org", policy.ChannelHTTPS,
			policy.LayerProxy, policy.Allowed, "httpProxyPort on line 1 leaves pypi.org to another proxy, and nothing in this file holds there."},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p := parse(t, fmt.Sprintf(`{"network": {%s}}`, tt.network))
			d := policy.MustParseDestination(tt.host)
			got := p.Boundary(tt.controls).Decide(policy.Attempt{Destination: d, Channel: tt.channel})
			if got.Layer != tt.layer || got.Verdict != tt.verdict || got.Reason() != tt.reason {
				t.Errorf("%s by %s: %s\nwant %s by %s: %s", got.Verdict, got.Layer, got.Reason(), tt.verdict, tt.layer, tt.reason)
			}
		})
	}
}

// finding is a finding in short.
type finding struct {
	severity     policy.Severity
	line, column int
	message, fix string
}

func short(all []policy.Finding) []finding {
	var list []finding
	for _, f := range all {
		list = append(list, finding{f.Severity, f.Line, f.Column, f.Message, f.Fix})
	}
	return list
}

// rest is what a file needs beside its network settings for the srt command.
const rest = `, "filesystem": {"denyRead": [], "allowWrite": [], "denyWrite": []}}`

func TestRuntimeFindings(t *testing.T) {
	tests := []struct {
		because, text string
		want          []finding
	}{
		{"a file without fault", `{"network": {"allowedDomains": ["a.test", "[::1]:80"], "deniedDomains": ["*"]}` + rest, nil},
		{"a missing list is no empty one", `{"network": {"deniedDomains": []}` + rest, []finding{
			{policy.SeverityUnenforced, 1, 13, "allowedDomains is missing, which is no empty list: a program that embeds the runtime then restricts no network at all, and the srt command refuses the file.", `add "allowedDomains": [] to "network"`}}},
		{"the srt command reads no comments", "{ // why\n" + `"network": {"allowedDomains": [], "deniedDomains": []}` + rest, []finding{
			{policy.SeverityWarning, 1, 3, "The srt command reads plain JSON and refuses a file with a comment or a trailing comma; a program that embeds the runtime may not.", "remove the comment or the comma"}}},
		{"entries that the schema refuses", `{"network": {"allowedDomains": ["*", "*.com", "com", "a.test:443:x", "https://a.test", ".a.test", 1], "deniedDomains": []}` + rest, []finding{
			{policy.SeverityRefused, 1, 33, `The srt command refuses the file over the entry "*": a wildcard that is no whole first label.`, "write " + forms},
			{policy.SeverityRefused, 1, 38, `The srt command refuses the file over the entry "*.com": a wildcard that is too broad.`, "write " + forms},
			{policy.SeverityRefused, 1, 47, `The srt command refuses the file over the entry "com": a name without a dot.`, "write " + forms},
			{policy.SeverityRefused, 1, 54, `The srt command refuses the file over the entry "a.test:443:x": an IPv6 address without brackets.`, "write " + forms},
			{policy.SeverityRefused, 1, 70, `The srt command refuses the file over the entry "https://a.test": a scheme, a path or a port that does not count.`, "write " + forms},
			{policy.SeverityRefused, 1, 88, `The srt command refuses the file over the entry ".a.test": a dot at the begin or the end.`, "write " + forms},
			{policy.SeverityRefused, 1, 99, `"allowedDomains[6]" is a number, where sandbox-runtime reads a string.`, `write "allowedDomains[6]" as a string`}}},
		{"unknown keys are named", `{"network": {"allowedDomains": [], "deniedDomains": [], "allow": []}` + rest, []finding{
			{policy.SeverityWarning, 1, 57, `The key "allow" is not known in network, and sandbox-runtime passes over it in silence.`,
				`remove the key "allow", or spell it as one of allowedDomains, deniedDomains, strictAllowlist, allowLocalBinding, allowUnixSockets, allowAllUnixSockets, httpProxyPort, socksProxyPort, …`}}},
		{"what goes past the proxy", `{"network": {"allowedDomains": [], "deniedDomains": [], "allowAllUnixSockets": true}, "allowAppleEvents": true` + rest, []finding{
			{policy.SeverityWarning, 1, 87, "On macOS the sandbox may start and script other applications, which are not sandboxed.", `set "allowAppleEvents" to false`},
			{policy.SeverityWarning, 1, 57, "With every Unix socket open, a container engine or an agent on the host makes connections for the sandbox, past the proxy.", `remove "allowAllUnixSockets"`}}},
		{"a list that is no list", `{"network": {"allowedDomains": "a.test", "deniedDomains": []}` + rest, []finding{
			{policy.SeverityRefused, 1, 32, `"allowedDomains" is a string, where sandbox-runtime reads a list.`, `write "allowedDomains" as a list`}}},
		{"what the command asks for besides", `{"network": {"allowedDomains": []}}`, []finding{
			{policy.SeverityWarning, 1, 1, `The srt command refuses a file without "filesystem"; a program that embeds the runtime may not.`, `add "filesystem": {"denyRead": [], "allowWrite": [], "denyWrite": []}`},
			{policy.SeverityWarning, 1, 13, `The srt command refuses a file without "deniedDomains"; a program that embeds the runtime may not.`, `add "deniedDomains": [] to "network"`}}},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			got := short(parse(t, tt.text).Findings())
			got = slices.DeleteFunc(got, func(f finding) bool { return f.message == resolverNote })
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(finding{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const resolverNote = "On Linux no DNS query leaves the sandbox. On Windows the system's resolver looks names up for it all the same, and the runtime's README says so of macOS too."

const forms = `a host such as "api.example.com", a wildcard such as "*.example.com" with two labels or more behind it, or an IPv6 address in brackets, each with an optional ":port"`

const (
	asks      = "Nothing lists pypi.org, and Claude Code asks its user instead of refusing; the answer is not in this file."
	passes    = "Nothing lists pypi.org, and in auto-allow mode Claude Code lets it pass without a question."
	notStrict = "allowedDomains is a list of hosts that need no question, no boundary: other hosts are asked about, or in auto-allow mode pass in silence (anthropics/claude-code#84833)."
)

// What is decided is what holds on Linux; where a network boundary is, that is
// said once.
func TestResolverNote(t *testing.T) {
	tests := []struct {
		because, network string
		want             int
	}{
		{"with a list", `"allowedDomains": []`, 1},
		{"not where nothing is restricted", ``, 0},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			n := 0
			for _, f := range parse(t, fmt.Sprintf(`{"network": {%s}}`, tt.network)).Findings() {
				if f.Message == resolverNote {
					n++
				}
			}
			if n != tt.want {
				t.Errorf("said %d times, want %d", n, tt.want)
			}
		})
	}
}

// Claude Code: the same lists, and whether they are a boundary.
func TestClaude(t *testing.T) {
	tests := []struct {
		because, name, text, host string
		verdict                   policy.Verdict
		reason                    string
		unenforced                string // the message, or "" for none
	}{
		{"a list is no boundary", "", `{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.test"]}}}`, "pypi.org",
			policy.Allowed, passes, notStrict},
		{"where it does not pass in silence, somebody answers", "", `{"sandbox": {"enabled": true, "autoAllowBashIfSandboxed": false, "network": {"allowedDomains": ["a.test"]}}}`, "pypi.org",
			policy.Allowed, asks, notStrict},
		{"strictAllowlist makes it one", "", `{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.test"], "strictAllowlist": true}}}`, "pypi.org",
			policy.Blocked, "allowedDomains on line 1 does not hold pypi.org, so the proxy refuses it.", ""},
		{"so do managed domains", "managed-settings.json", `{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.test"], "allowManagedDomainsOnly": true}}}`, "pypi.org",
			policy.Blocked, "allowedDomains on line 1 does not hold pypi.org, so the proxy refuses it.", ""},
		{"which count in managed settings alone", "/home/u/.claude/settings.json", `{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.test"], "allowManagedDomainsOnly": true}}}`, "pypi.org",
			policy.Allowed, passes, "allowManagedDomainsOnly counts in managed settings alone, and this file's name is that of user or project settings."},
		{"a sandbox that is off", "", `{"sandbox": {"network": {"allowedDomains": [], "strictAllowlist": true}}}`, "pypi.org",
			policy.Allowed, "The sandbox is not turned on (line 1), so nothing stops pypi.org.", "The sandbox is off unless sandbox.enabled is true, so nothing in this file restricts a command."},
		{"no sandbox at all", "", `{"permissions": {}}`, "pypi.org",
			policy.Allowed, "The sandbox is not turned on (line 1), so nothing stops pypi.org.", "The file has no sandbox settings, so commands run without a sandbox."},
		{"a WebFetch rule is merged (#53511)", "", `{"permissions": {"allow": ["WebFetch(domain:pypi.org)"]}, "sandbox": {"enabled": true, "network": {"strictAllowlist": true}}}`, "pypi.org",
			policy.Allowed, `Line 1 allows "pypi.org", so the proxy lets pypi.org out.`, ""},
		{"one that denies too", "", `{"permissions": {"deny": ["WebFetch(domain:*.org)"]}, "sandbox": {"enabled": true, "network": {"allowedDomains": ["pypi.org"], "strictAllowlist": true}}}`, "pypi.org",
			policy.Blocked, `Line 1 denies "*.org", and a denial wins over every entry that allows, so the proxy refuses pypi.org.`, ""},
		{"no list, and strict", "", `{"sandbox": {"enabled": true, "network": {"strictAllowlist": true}}}`, "pypi.org",
			policy.Blocked, "Nothing in the file allows pypi.org, so the proxy refuses it.", ""},
		{"commands outside the sandbox that nobody is asked about", "managed-settings.json", `{"permissions": {"defaultMode": "bypassPermissions"}, "sandbox": {"enabled": true, "network": {"strictAllowlist": true}}}`, "pypi.org",
			policy.Allowed, "Commands outside the sandbox run without a question (line 1), and nothing stops pypi.org there.",
			"Commands run here without a question, those outside the sandbox with them, and so past every rule of this file."},
		{"or that a rule lets run", "managed-settings.json", `{"permissions": {"allow": ["Read", "Bash"]}, "sandbox": {"enabled": true, "allowUnsandboxedCommands": false, "excludedCommands": ["docker *"], "network": {"strictAllowlist": true}}}`, "pypi.org",
			policy.Allowed, "Commands outside the sandbox run without a question (line 1), and nothing stops pypi.org there.",
			"Commands run here without a question, those outside the sandbox with them, and so past every rule of this file."},
		{"or that a rule for their program does", "managed-settings.json", `{"permissions": {"allow": ["Bash(curl:*)"]}, "sandbox": {"enabled": true, "allowUnsandboxedCommands": false, "excludedCommands": ["curl *"], "network": {"strictAllowlist": true}}}`, "pypi.org",
			policy.Allowed, "Commands outside the sandbox run without a question (line 1), and nothing stops pypi.org there.",
			"Commands run here without a question, those outside the sandbox with them, and so past every rule of this file."},
		{"a rule for another program does not", "managed-settings.json", `{"permissions": {"allow": ["Bash(make)"]}, "sandbox": {"enabled": true, "allowUnsandboxedCommands": false, "excludedCommands": ["docker *"], "network": {"strictAllowlist": true}}}`, "pypi.org",
			policy.Blocked, "Nothing in the file allows pypi.org, so the proxy refuses it.", ""},
		{"a WebFetch rule that matches nothing denies nothing", "managed-settings.json", `{"permissions": {"deny": ["WebFetch(domain:a b.org)"]}, "sandbox": {"enabled": true, "network": {"allowedDomains": ["pypi.org"], "strictAllowlist": true}}}`, "pypi.org",
			policy.Allowed, `Line 1 allows "pypi.org", so the proxy lets pypi.org out.`, `The entry "WebFetch(domain:a b.org)" matches no host: it has a character that no valid host has.`},
		{"nor does one that has no end", "managed-settings.json", `{"permissions": {"deny": ["WebFetch(domain:pypi.org) "]}, "sandbox": {"enabled": true, "network": {"allowedDomains": ["pypi.org"], "strictAllowlist": true}}}`, "pypi.org",
			policy.Allowed, `Line 1 allows "pypi.org", so the proxy lets pypi.org out.`, `The entry "WebFetch(domain:pypi.org) " matches no host: the rule does not end with a bracket.`},
		{"where none runs outside there is nothing to ask", "managed-settings.json", `{"permissions": {"allow": ["Bash(*)"]}, "sandbox": {"enabled": true, "allowUnsandboxedCommands": false, "network": {"strictAllowlist": true}}}`, "pypi.org",
			policy.Blocked, "Nothing in the file allows pypi.org, so the proxy refuses it.", ""},
		{"an unsandboxed query is the controls'", "", `{"sandbox": {"enabled": false}}`, "pypi.org",
			policy.Allowed, "The sandbox is not turned on (line 1), so nothing stops pypi.org.", "The sandbox is off unless sandbox.enabled is true, so nothing in this file restricts a command."},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p, err := srt.ParseClaude(tt.name, []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			got := p.Boundary(open).Decide(policy.Attempt{Destination: policy.MustParseDestination(tt.host)})
			if got.Verdict != tt.verdict || got.Reason() != tt.reason {
				t.Errorf("%s: %s\nwant %s: %s", got.Verdict, got.Reason(), tt.verdict, tt.reason)
			}
			unenforced := ""
			for _, f := range p.Findings() {
				if f.Severity == policy.SeverityUnenforced && unenforced == "" {
					unenforced = f.Message
				}
			}
			if unenforced != tt.unenforced {
				t.Errorf("not enforced as written: %q, want %q", unenforced, tt.unenforced)
			}
		})
	}
}

// An entry that matches no host is said to, which matters most where it denies.
func TestNever(t *testing.T) {
	tests := []struct{ because, entry, allowed, denied string }{
		{"a host", "a.test:443", "nothing", "nothing"},
		{"capitals", "A.test", "nothing", "nothing"},
		{"an address in a rare spelling", "127.1", `broken: The entry "127.1" matches no host: hosts are compared in their canonical form, here "127.0.0.1".`,
			`unenforced: The entry "127.1" matches no host: hosts are compared in their canonical form, here "127.0.0.1".`},
		{"letters that no valid host has", "bücher.test", `broken: The entry "bücher.test" matches no host: it has a character that no valid host has.`,
			`unenforced: The entry "bücher.test" matches no host: it has a character that no valid host has.`},
		{"a wildcard of an address", "*.127.0.0.1", `broken: The entry "*.127.0.0.1" matches no host: a wildcard never matches an address.`,
			`unenforced: The entry "*.127.0.0.1" matches no host: a wildcard never matches an address.`},
	}
	find := func(p *srt.Policy) string {
		for _, f := range p.Findings() {
			if f.Severity != policy.SeverityWarning {
				return fmt.Sprintf("%s: %s", f.Severity, f.Message)
			}
		}
		return "nothing"
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			allowed := find(parse(t, fmt.Sprintf(`{"network": {"allowedDomains": [%q]}}`, tt.entry)))
			denied := find(parse(t, fmt.Sprintf(`{"network": {"allowedDomains": [], "deniedDomains": [%q]}}`, tt.entry)))
			if allowed != tt.allowed || denied != tt.denied {
				t.Errorf("allowed %s\ndenied %s\nwant %s\nand %s", allowed, denied, tt.allowed, tt.denied)
			}
		})
	}
}

// What was never read blocks.
func TestZeroPolicy(t *testing.T) {
	var p srt.Policy
	for _, host := range []string{"pypi.org", "127.0.0.1"} {
		for _, channel := range []policy.Channel{policy.ChannelHTTPS, policy.ChannelDNS} {
			d := p.Boundary(open).Decide(policy.Attempt{Destination: policy.MustParseDestination(host), Channel: channel})
			if d.Verdict != policy.Blocked {
				t.Errorf("%s over %s: %s", host, channel, d.Verdict)
			}
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ because, text, want string }{
		{"a list", "[]", "f:1:1: a list, where the settings are a map"},
		{"no JSON", "{", "f:1:2: no JSON: parsing value: unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			_, err := srt.Parse("f", []byte(tt.text))
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if _, err := srt.ParseClaude("f", []byte(tt.text)); err == nil || err.Error() != tt.want {
				t.Errorf("as Claude Code's: got %v, want %s", err, tt.want)
			}
		})
	}
}

// Whose settings a file holds, by its path, and so whether strictAllowlist
// counts (anthropics/claude-code#90355).
func TestClaudeStrictAllowlist(t *testing.T) {
	const (
		dropped = "unenforced: Claude Code drops strictAllowlist from a repository's settings without a word (anthropics/claude-code#90355), and by its path this file is a repository's. Of .claude/settings.json only the one in a home directory is the user's."
		users   = "note: By its path this file is the user's, where strictAllowlist counts; from a repository's settings Claude Code drops it without a word (anthropics/claude-code#90355)."
		unclear = "warning: Claude Code drops strictAllowlist from a project's settings without a word (anthropics/claude-code#90355); it counts in user and managed settings."
	)
	tests := []struct {
		name    string
		verdict policy.Verdict
		want    string
	}{
		{".claude/settings.json", policy.Allowed, dropped},
		{"./.claude/settings.json", policy.Allowed, dropped},
		{"/home/u/project/.claude/settings.json", policy.Allowed, dropped},
		{"/srv/project/.claude/settings.json", policy.Allowed, dropped},
		{`C:\src\project\.claude\settings.json`, policy.Allowed, dropped},
		{".claude/settings.local.json", policy.Allowed, dropped},
		{"settings.local.json", policy.Allowed, dropped},
		{"/home/u/.claude/settings.local.json", policy.Allowed, dropped},
		{"~/.claude/settings.json", policy.Blocked, users},
		{"/home/u/.claude/settings.json", policy.Blocked, users},
		{"/root/.claude/settings.json", policy.Blocked, users},
		{"/Users/u/.claude/settings.json", policy.Blocked, users},
		{`C:\Users\u\.claude\settings.json`, policy.Blocked, users},
		{"settings.json", policy.Blocked, unclear},
		{"policy", policy.Blocked, unclear},
		{"", policy.Blocked, unclear},
		{"/etc/claude-code/managed-settings.json", policy.Blocked, ""},
		{"/etc/claude-code/managed-settings.d/10-network.json", policy.Blocked, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := srt.ParseClaude(tt.name, []byte(`{"sandbox": {"enabled": true, "network": {"allowedDomains": ["a.test"], "strictAllowlist": true}}}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Judge(policy.MustParseDestination("pypi.org")).Verdict; got != tt.verdict {
				t.Errorf("%s, want %s", got, tt.verdict)
			}
			got := ""
			for _, f := range p.Findings() {
				if strings.Contains(f.Message, "strictAllowlist") {
					got += fmt.Sprintf("%s: %s", f.Severity, f.Message)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A repository cannot make its list a boundary, and that is said too.
func TestClaudeRepository(t *testing.T) {
	p, err := srt.ParseClaude(".claude/settings.json", []byte(`{"sandbox": {"enabled": true, "network": {"allowedDomains": [], "strictAllowlist": true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	said := slices.ContainsFunc(p.Findings(), func(f policy.Finding) bool {
		return f.Severity == policy.SeverityUnenforced && f.Message == notStrict
	})
	if !said {
		t.Errorf("findings %+v", p.Findings())
	}
}

func TestClaudeFindings(t *testing.T) {
	const (
		// held is what a file without fault has in "sandbox" beside the network.
		held    = `"enabled": true, "allowUnsandboxedCommands": false, "failIfUnavailable": true`
		network = `"network": {"allowedDomains": ["a.test"], "strictAllowlist": true}`
		cannot  = "Where the sandbox cannot start, as on Linux without bubblewrap or socat, commands run without it, unless failIfUnavailable is true."
		setFail = `set "failIfUnavailable" to true in "sandbox"`
		discard = "Claude Code may discard the whole file over a comment or a trailing comma, and then nothing of it holds (anthropics/claude-code#83190, #9906)."
		remove  = "remove the comment or the comma"
	)
	tests := []struct {
		because, text string
		want          []finding
	}{
		{"a file without fault", `{"sandbox": {` + held + `, ` + network + `}}`, nil},
		{"a sandbox that may be missing", `{"sandbox": {"enabled": true, "allowUnsandboxedCommands": false, ` + network + `}}`, []finding{
			{policy.SeverityWarning, 1, 2, cannot, setFail}}},
		{"said to be", `{"sandbox": {"failIfUnavailable": false, "enabled": true, "allowUnsandboxedCommands": false, ` + network + `}}`, []finding{
			{policy.SeverityWarning, 1, 14, cannot, setFail}}},
		{"a comment", "{\n // why\n" + `"sandbox": {` + held + `, ` + network + `}}`, []finding{
			{policy.SeverityWarning, 2, 2, discard, remove}}},
		{"a trailing comma", `{"sandbox": {` + held + `, ` + network + `,}}`, []finding{
			{policy.SeverityWarning, 1, 159, discard, remove}}},
		{"systems without a sandbox", `{"sandbox": {"enabledPlatforms": ["macos"], ` + held + `, ` + network + `}}`, []finding{
			{policy.SeverityWarning, 1, 14, "On systems that enabledPlatforms does not name, commands run without the sandbox.", `remove "enabledPlatforms"`}}},
		{"the sandbox given twice", `{"sandbox": {}, "sandbox": {` + held + `, ` + network + `}}`, []finding{
			{policy.SeverityWarning, 1, 17, `The key "sandbox" stands in the settings a second time; the first is on line 1, and this one counts.`, `remove the key "sandbox" on line 1`}}},
		{"a comment without an end of its line", `{"sandbox": {` + held + `, ` + network + `}} // why`, []finding{
			{policy.SeverityWarning, 1, 162, discard, remove}}},
		{"a string for a boolean", `{"sandbox": {` + held + `, "network": {"allowedDomains": [], "strictAllowlist": true, "allowLocalBinding": "true"}}}`, []finding{
			{policy.SeverityRefused, 1, 173, `"allowLocalBinding" is a string, where Claude Code reads a boolean.`, `write "allowLocalBinding" as a boolean`}}},
		{"and beside the network", `{"sandbox": {` + held + `, "excludedCommands": "curl", ` + network + `}, "permissions": {"deny": "WebFetch(domain:a.test)"}}`, []finding{
			{policy.SeverityRefused, 1, 113, `"excludedCommands" is a string, where Claude Code reads a list.`, `write "excludedCommands" as a list`},
			{policy.SeverityRefused, 1, 214, `"deny" is a string, where Claude Code reads a list.`, `write "deny" as a list`}}},
		{"a value that the runtime refuses", `{"sandbox": {` + held + `, "network": {"allowedDomains": [], "strictAllowlist": true, "allowMachLookup": ["a*b"]}}}`, []finding{
			{policy.SeverityWarning, 1, 172, `"allowMachLookup[0]" is "a*b", where the runtime's schema takes a name with at most one asterisk, at its end.`,
				`write "allowMachLookup[0]" as a name with at most one asterisk, at its end`}}},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			p, err := srt.ParseClaude("managed-settings.json", []byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			got := slices.DeleteFunc(short(p.Findings()), func(f finding) bool { return f.message == resolverNote })
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(finding{}), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
