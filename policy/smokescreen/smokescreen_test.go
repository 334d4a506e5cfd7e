package smokescreen_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/smokescreen"
)

func parse(t *testing.T, text string) *smokescreen.ACL {
	t.Helper()
	a, err := smokescreen.Parse("acl.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func verdict(a *smokescreen.ACL, host string) string {
	d, err := a.Normalise(host)
	if err != nil {
		return "malformed"
	}
	return a.Judge(d).Verdict.String()
}

// list is an ACL with one role of an action, its globs, and global lists.
func list(action, allowed, denied, globally string) string {
	return fmt.Sprintf("version: v1\nservices:\n- name: agent\n  action: %s\n  allowed_domains: [%s]\nglobal_deny_list: [%s]\nglobal_allow_list: [%s]\n",
		action, allowed, denied, globally)
}

// The globs and hosts, and what happens to addresses. cmd/differential compares
// the lists with Smokescreen's own code; these rows say why.
func TestMatch(t *testing.T) {
	const allowed, blocked, malformed = "allowed", "blocked", "malformed"
	api := list("enforce", "api.partner.example, '*.partner.example'", "", "")
	open := list("open", "", "'*.attacker.test', example.com", "")
	tests := []struct{ because, text, host, want string }{
		{"an exact host", api, "api.partner.example", allowed},
		{"case does not count", api, "API.Partner.Example", allowed},
		{"nor do trailing dots, however many", api, "api.partner.example...", allowed},
		{"a wildcard is any depth", api, "a.b.partner.example", allowed},
		{"and not the apex", api, "partner.example", blocked},
		{"nor a name that ends alike", api, "notpartner.example", blocked},
		{"nor one that goes on", api, "partner.example.attacker.test", blocked},
		{"full-width letters are the same host", api, "ａｐｉ.partner．example", allowed},
		{"a null character is malformed", api, "evil.test\x00.partner.example", malformed},
		{"so are brackets (CVE-2022-29188)", open, "[example.com]", malformed},
		{"and a hyphen at the end", api, "a-.partner.example", malformed},
		{"and a character that needs tables", api, "☃.partner.example", malformed},
		{"open lets out what is not denied", open, "pypi.org", allowed},
		{"and denies what is", open, "x.attacker.test", blocked},
		{"not the apex", open, "attacker.test", allowed},
		{"the role's list wins over the global denial", list("enforce", "evil.example", "evil.example", ""), "evil.example", allowed},
		{"the global denial over the global allowance", list("enforce", "", "evil.example", "evil.example"), "evil.example", blocked},
		{"the global allowance over the action", list("enforce", "", "", "pypi.org"), "pypi.org", allowed},
		{"report lets out", list("report", "", "", ""), "pypi.org", allowed},
		{"a wildcard may match an address", list("enforce", "'*.0.113.10'", "", ""), "203.0.113.10", allowed},
		{"every IPv6 address is refused", open, "2001:db8::1", blocked},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if got := verdict(parse(t, tt.text), tt.host); got != tt.want {
				t.Errorf("%q: %s, want %s", tt.host, got, tt.want)
			}
		})
	}
}

// What the list lets out is classified by address. The rows are what
// Smokescreen's own code answered.
func TestClassify(t *testing.T) {
	open := parse(t, list("open", "", "", ""))
	for host, want := range map[string]string{
		"127.0.0.1": "blocked", "169.254.169.254": "blocked", "0.0.0.0": "blocked", "10.1.2.3": "blocked",
		"172.16.0.1": "blocked", "192.168.1.1": "blocked", "100.64.0.1": "blocked", "100.100.100.200": "blocked",
		"224.0.0.1": "blocked", "255.255.255.255": "blocked", "::ffff:169.254.169.254": "blocked",
		"203.0.113.10": "allowed", "192.0.2.1": "allowed", "198.18.0.1": "allowed", "240.0.0.1": "allowed",
		"192.0.0.192": "allowed", "168.63.129.16": "allowed",
		// Rare spellings are names to the list, and addresses to whoever dials.
		"2852039166": "blocked", "0xa9fea9fe": "blocked", "0251.0376.0251.0376": "blocked", "169.254.43518": "blocked",
		"127.1": "blocked", "１６９.254.169.254": "blocked", "3405803786": "allowed",
	} {
		if got := verdict(open, host); got != want {
			t.Errorf("%s: %s, want %s", host, got, want)
		}
	}
}

// mitm is an ACL whose one role has a line more.
func mitm(line string) string {
	return "version: v1\nservices:\n- name: agent\n  action: enforce\n  allowed_domains: [api.partner.example]\n  " + line + "\n"
}

// Smokescreen refuses the whole file over any of these.
func TestRefusals(t *testing.T) {
	glob := func(message string) string { return "Smokescreen refuses the list over the entry " + message }
	tests := []struct{ because, text, want string }{
		{"no version", "services: []", `1:1 Smokescreen refuses a list whose version is not "v1".`},
		{"another version", "version: v2\nservices: []", `1:10 Smokescreen refuses a list whose version is not "v1".`},
		{"no services", "version: v1", "1:1 Smokescreen refuses a list without the list services."},
		{"services that are no list", "version: v1\nservices: {}", "2:11 services is a map, where Smokescreen reads a list."},
		{"an unknown action", list("deny", "", "", ""), `4:3 Smokescreen refuses the action "deny" of "agent".`},
		{"the same service twice", "version: v1\nservices:\n- {name: a, action: open}\n- {name: a, action: open}", `4:3 Smokescreen refuses a second service "a"; the first is on line 3.`},
		{"a star", list("open", "'*'", "", ""), "5:21 " + glob(`"*": it would match everything.`)},
		{"a star that is no label", list("open", "'*evil.test'", "", ""), "5:21 " + glob(`"*evil.test": a wildcard must be a whole first label, *..`)},
		{"a star within", list("open", "a.*.test", "", ""), "5:21 " + glob(`"a.*.test": a wildcard may stand only at the begin.`)},
		{"capitals", list("open", "Api.test", "", ""), "5:21 " + glob(`"Api.test": it is not in the form "api.test" that is compared.`)},
		{"capitals below a wildcard", list("open", "'*.Api.test'", "", ""), "5:21 " + glob(`"*.Api.test": it is not in the form "*.api.test" that is compared.`)},
		{"a port", list("open", "'api.test:443'", "", ""), "5:21 " + glob(`"api.test:443": character ':'.`)},
		{"a range", list("open", "", "10.0.0.0/8", ""), "6:20 " + glob(`"10.0.0.0/8": character '/'.`)},
		{"an empty entry", list("open", "", "", "~"), "7:21 " + glob(`"": it is empty.`)},
		{"an entry that is a map", list("open", "{a: b}", "", ""), "5:21 Smokescreen refuses the list over an entry that is a map."},
		{"a default that is none", "version: v1\nservices: []\ndefault: enforce", "3:10 default is a string, where Smokescreen reads a map."},
		{"a name that is a list", "version: v1\nservices:\n- {name: [a], action: open}", "3:10 name is a list, where Smokescreen reads a string."},
		{"a project that is a map", "version: v1\nservices:\n- {name: a, project: {}, action: open}", "3:22 project is a map, where Smokescreen reads a string."},
		{"proxies that are no list", mitm("allowed_external_proxies: foo"), "6:29 allowed_external_proxies is a string, where Smokescreen reads a list."},
		{"a proxy that is everything", mitm("allowed_external_proxies: ['*']"), "6:30 " + glob(`"*": it would match everything.`)},
		{"MITM domains that are no list", mitm("mitm_domains: foo"), "6:17 mitm_domains is a string, where Smokescreen reads a list."},
		{"a MITM domain that is no map", mitm("mitm_domains: [api.partner.example]"), "6:18 Smokescreen refuses the list over an entry of mitm_domains that is a string."},
		{"a MITM domain without one", mitm("mitm_domains: [{}]"), "6:18 " + glob(`"": it is empty.`)},
		{"a MITM domain that is everything", mitm("mitm_domains: [{domain: '*'}]"), "6:27 " + glob(`"*": it would match everything.`)},
		{"a MITM domain that is not allowed", mitm("mitm_domains: [{domain: other.example}]"), `6:27 Smokescreen refuses the list over "other.example" in mitm_domains, which allowed_domains does not hold.`},
		{"headers that are no map", mitm("mitm_domains: [{domain: api.partner.example, add_headers: [a]}]"), "6:61 add_headers is a list, where Smokescreen reads a map of strings."},
		{"a log that is no boolean", mitm("mitm_domains: [{domain: api.partner.example, detailed_http_logs: some}]"), "6:68 detailed_http_logs is a string, where Smokescreen reads true or false."},
		{"nothing, where all is well", mitm("mitm_domains: [{domain: api.partner.example, add_headers: {a: b}, detailed_http_logs: yes}]\n  allowed_external_proxies: [proxy.example]"), "nothing"},
		{"nothing, where all is null", "version: v1\nservices:\n- {name: ~, project: ~, action: open, allowed_domains: ~, mitm_domains: ~, allowed_external_proxies: ~}\ndefault: ~", "nothing"},
		{"a list that is none", "version: v1\nservices: []\nglobal_deny_list: a.test", "3:19 global_deny_list is a string, where Smokescreen reads a list."},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if got := first(parse(t, tt.text), policy.SeverityRefused); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// The fix of a refusal lets the host out, and is taken by the loader.
func TestFixOfRefusal(t *testing.T) {
	const fix = "add pypi.org to allowed_domains"
	for because, text := range map[string]string{
		"no list names it":                       list("enforce", "", "", ""),
		"a denial, which the role's list passes": list("enforce", "", "pypi.org", ""),
	} {
		d := policy.MustParseDestination("PyPI.org")
		if got := (policy.Decision{Rule: parse(t, text).Judge(d).Rule}).Fix(); got != fix {
			t.Errorf("%s: %q, want %q", because, got, fix)
		}
	}
	if got := verdict(parse(t, list("enforce", "pypi.org", "pypi.org", "")), "PyPI.org"); got != "allowed" {
		t.Errorf("with the fix %s", got)
	}
	const none = "none in this file: it is a private address, which Smokescreen never connects to"
	d := policy.MustParseDestination("10.0.0.5")
	if got := (policy.Decision{Rule: parse(t, list("enforce", "", "", "")).Judge(d).Rule}).Fix(); got != none {
		t.Errorf("an address that no list opens: %q, want %q", got, none)
	}
}

// A wildcard over a top-level domain lets anybody's names out.
func TestTopLevelWildcards(t *testing.T) {
	for text, want := range map[string]string{
		list("enforce", "'*.com'", "", ""):      `5:21 "*.com" matches evil.com, and so a name of anybody's.`,
		list("enforce", "", "", "'*.com'"):      `7:21 "*.com" matches evil.com, and so a name of anybody's.`,
		list("enforce", "", "'*.com'", ""):      "nothing",
		list("enforce", "'*.internal'", "", ""): "nothing",
	} {
		if got := first(parse(t, text), policy.SeverityOpen); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func first(a *smokescreen.ACL, s policy.Severity) string {
	for _, f := range a.Findings() {
		if f.Severity == s {
			return fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Message)
		}
	}
	return "nothing"
}

func TestNotEnforced(t *testing.T) {
	tests := []struct{ because, text, want string }{
		{"report", list("report", "", "", ""), `4:3 The role "agent" is in report mode: what its list does not hold is logged and let out.`},
		{"open", list("open", "", "", ""), `4:3 The role "agent" is open: its list restricts nothing, and global denials by name do not stop a raw address.`},
		{"enforce", list("enforce", "", "", ""), "nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if got := first(parse(t, tt.text), policy.SeverityUnenforced); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

const roles = "version: v1\nservices:\n- {name: one, action: enforce, allowed_domains: [one.test]}\n- {name: two, action: open}\n"

// The role decides whose list it is.
func TestRoles(t *testing.T) {
	withDefault := roles + "default: {action: enforce, allowed_domains: [default.test]}\n"
	tests := []struct{ because, text, role, host, want, reason string }{
		{"the first role, where none is asked for", roles, "", "one.test", "allowed", `Line 3 allows "one.test" to the role "one", so the proxy lets one.test out.`},
		{"another", roles, "two", "pypi.org", "allowed", "No list denies pypi.org, and the action open on line 4 lets out whatever is not denied."},
		{"an unknown one without a default", roles, "three", "one.test", "blocked", "The file has no rule for the client's role and no default, so Smokescreen denies one.test."},
		{"an unknown one with a default", withDefault, "three", "default.test", "allowed", `Line 5 allows "default.test" to the role "default", so the proxy lets default.test out.`},
		{"the default by name", withDefault, "default", "one.test", "blocked", `No list allows one.test to the role "default", and its action on line 5 is enforce, so the proxy refuses it.`},
		{"no service at all", "version: v1\nservices: []\n", "", "one.test", "blocked", "The file has no rule for the client's role and no default, so Smokescreen denies one.test."},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			a := parse(t, tt.text)
			if tt.role != "" {
				a = a.As(tt.role)
			}
			d, err := a.Normalise(tt.host)
			if err != nil {
				t.Fatal(err)
			}
			got := policy.Decision{Attempt: policy.Attempt{Destination: d}, Rule: a.Judge(d).Rule}
			if verdict(a, tt.host) != tt.want || got.Reason() != tt.reason {
				t.Errorf("%s: %s\nwant %s: %s", verdict(a, tt.host), got.Reason(), tt.want, tt.reason)
			}
		})
	}
	if diff := cmp.Diff([]string{"one", "two", "default"}, parse(t, withDefault).Roles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The list says nothing of DNS: the controls do. Forced, the resolver applies it.
func TestQueries(t *testing.T) {
	out := policy.Ruling{Verdict: policy.Allowed, Rule: policy.Rule{Because: "outside"}}
	a := parse(t, list("enforce", "api.partner.example", "", ""))
	tests := []struct {
		because  string
		controls *policy.Boundary
		host     string
		want     policy.Verdict
		layer    policy.Layer
	}{
		{"not forced, any name leaves", &policy.Boundary{Resolver: policy.Resolver{Outside: out}}, "data.evil.test", policy.Allowed, policy.LayerOutsideResolver},
		{"forced, a name that is not listed stays", &policy.Boundary{Resolver: policy.Resolver{Policy: a}}, "data.evil.test", policy.Blocked, policy.LayerPolicyResolver},
		{"and one that is leaves", &policy.Boundary{Resolver: policy.Resolver{Policy: a}}, "api.partner.example", policy.Allowed, policy.LayerPolicyResolver},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			d := a.Boundary(tt.controls).Decide(policy.Attempt{Destination: policy.MustParseDestination(tt.host), Channel: policy.ChannelDNS})
			if d.Verdict != tt.want || d.Layer != tt.layer {
				t.Errorf("%s by %s, want %s by %s", d.Verdict, d.Layer, tt.want, tt.layer)
			}
		})
	}
}

// A denial below a name leaves the name itself open, where something is open.
func TestApexes(t *testing.T) {
	const open = `6:20 "*.bad.test" denies what is below bad.test, and not bad.test itself.`
	tests := []struct{ because, text, want string }{
		{"under open", list("open", "", "'*.bad.test'", ""), open},
		{"under report", list("report", "", "'*.bad.test'", ""), open},
		{"not where both are denied", list("open", "", "'*.bad.test', bad.test", ""), "nothing"},
		{"not where a wider denial covers it", list("open", "", "'*.x.bad.test', '*.bad.test', bad.test", ""), "nothing"},
		{"not under enforce", list("enforce", "", "'*.bad.test'", ""), "nothing"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if got := first(parse(t, tt.text), policy.SeverityWarning); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// What was never read blocks, whatever the host.
func TestZeroACL(t *testing.T) {
	var a smokescreen.ACL
	for _, host := range []string{"pypi.org", "203.0.113.10"} {
		if got := verdict(&a, host); got != "blocked" {
			t.Errorf("%s: %s", host, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"[]":                                  "acl.yaml:1:1: a list, where the list is a map",
		"a: [":                                "acl.yaml:1:1: no YAML: did not find expected node content",
		"version: v1\nservices:\n\t- name: a": "acl.yaml:3:1: no YAML: found character that cannot start any token",
	} {
		_, err := smokescreen.Parse("acl.yaml", []byte(text))
		var placed *document.Error
		if !errors.As(err, &placed) || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}
