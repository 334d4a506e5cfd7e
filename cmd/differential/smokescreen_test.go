package differential

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sirupsen/logrus"
	acl "github.com/stripe/smokescreen/pkg/smokescreen/acl/v1"
	"github.com/stripe/smokescreen/pkg/smokescreen/hostport"

	"sixways/policy"
	"sixways/policy/smokescreen"
)

// smokescreenPairs is how many (policy, destination) pairs are compared.
const smokescreenPairs = 120_000

func (g generator) glob() string {
	glob := g.name()
	if g.chance(6) {
		glob = g.address()
	}
	if g.chance(3) {
		glob = "*." + glob
	}
	if g.chance(60) {
		glob = g.disguise(glob)
	}
	if g.chance(120) {
		glob = pick(g, "*", "*.", "*evil.test", "a.*.test", "", "10.0.0.0/8", "a.test:443", "Api.test", "a.test.", "xn--bcher-kva.test", "bücher.test")
	}
	return glob
}

func (g generator) globs(most int) []string {
	all := make([]string, g.IntN(most+1))
	for i := range all {
		all[i] = g.glob()
	}
	return all
}

// smokescreenText writes a list, and returns its entries.
func (g generator) smokescreenText() (text string, entries []string) {
	var b strings.Builder
	b.WriteString("version: v1\nservices:\n")
	list := func(indent, key string) {
		globs := g.globs(4)
		entries = append(entries, globs...)
		if len(globs) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s%s:\n", indent, key)
		for _, glob := range globs {
			fmt.Fprintf(&b, "%s  - %q\n", indent, glob)
		}
	}
	for _, role := range []string{"one", "two"} {
		fmt.Fprintf(&b, "  - name: %s\n    project: p\n    action: %s\n", role, g.action())
		list("    ", "allowed_domains")
	}
	if g.chance(2) {
		fmt.Fprintf(&b, "default:\n  project: p\n  action: %s\n", g.action())
		list("  ", "allowed_domains")
	}
	list("", "global_deny_list")
	list("", "global_allow_list")
	return b.String(), entries
}

func (g generator) action() string {
	if g.chance(100) {
		return pick(g, "deny", "Enforce", `""`)
	}
	return pick(g, "enforce", "report", "open")
}

// theirSmokescreen loads a list as Smokescreen does.
func theirSmokescreen(t *testing.T, text string) (*acl.ACL, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "acl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	quiet := logrus.New()
	quiet.SetOutput(io.Discard)
	list, err := acl.New(quiet, acl.NewYAMLLoader(file), nil)
	if list != nil && list.Logger == nil {
		list.Logger = quiet
	}
	return list, err
}

const malformed = "malformed"

func theirVerdict(t *testing.T, list *acl.ACL, role, host string) string {
	t.Helper()
	normalised, err := hostport.NormalizeHost(host, false)
	if err != nil {
		return malformed
	}
	d, err := list.Decide(acl.DecideArgs{Service: role, Host: normalised})
	if err != nil {
		t.Fatal(err)
	}
	if d.Result == acl.Deny {
		return policy.Blocked.String()
	}
	return policy.Allowed.String()
}

// ourVerdict asks the list alone, as the policy resolver does: what happens to
// an address comes after it.
func ourVerdict(list *smokescreen.ACL, role, host string) string {
	list = list.As(role)
	d, err := list.Normalise(host)
	if err != nil {
		return malformed
	}
	forced := &policy.Boundary{Resolver: policy.Resolver{Policy: list}}
	return list.Boundary(forced).Resolver.Policy.Judge(d).Verdict.String()
}

func TestSmokescreen(t *testing.T) {
	known := newLedger(smokescreenAccepted...)
	g := newGenerator(1)
	counts := map[string]int{}
	pairs, failures := 0, 0
	for pairs < smokescreenPairs && failures < 20 {
		text, entries := g.smokescreenText()
		theirs, theirErr := theirSmokescreen(t, text)
		ours, err := smokescreen.Parse("acl.yaml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if slices.ContainsFunc(ours.Findings(), isRefused) != (theirErr != nil) {
			if known.covers(strings.Join(entries, " ")) {
				continue
			}
			t.Errorf("theirs: %v, ours: %v\n%s", theirErr, ours.Findings(), text)
			failures++
		}
		if theirErr != nil {
			continue
		}
		for range 40 {
			role, host := pick(g, "one", "two", "default", "nobody"), g.host(entries)
			pairs++
			// Their unknown role is the name of no service; "default" is one.
			if role == "default" {
				role = "nobody"
			}
			want, got := theirVerdict(t, theirs, role, host), ourVerdict(ours, role, host)
			counts[want]++
			if got != want && !known.covers(host) {
				failures++
				t.Errorf("role %s, host %q: Smokescreen says %s, we say %s\n%s", role, host, want, got, text)
			}
		}
	}
	known.report(t)
	checkSpread(t, pairs, counts)
}

// Beyond the lists: what else a role may hold, and YAML that means more than it
// says.
func TestSmokescreenForms(t *testing.T) {
	const merged = "version: v1\nx: &x\n  action: open\n  allowed_domains: [pypi.org]\nservices:\n- "
	role := func(more string) string {
		return "version: v1\nservices:\n- name: agent\n  project: p\n  action: enforce\n  allowed_domains: [api.partner.example, 1.5, ~]\n" + more
	}
	sound := func(more string) string { return strings.Replace(role(more), ", 1.5, ~", ", 1.5", 1) }
	for _, text := range []string{
		role(""),
		sound(""),
		sound("  mitm_domains: foo\n"),
		sound("  mitm_domains: ~\n"),
		sound("  mitm_domains: []\n"),
		sound("  mitm_domains: [api.partner.example]\n"),
		sound("  mitm_domains: [~]\n"),
		sound("  mitm_domains: [{}]\n"),
		sound("  mitm_domains: [{domain: '*'}]\n"),
		sound("  mitm_domains: [{domain: [api.partner.example]}]\n"),
		sound("  mitm_domains: [{domain: other.example}]\n"),
		sound("  mitm_domains: [{domain: api.partner.example}]\n"),
		sound("  mitm_domains: [{domain: 1.5, add_headers: {a: b, c: 1}}]\n"),
		sound("  mitm_domains: [{domain: 1.5, add_headers: {a: [b]}}]\n"),
		sound("  mitm_domains: [{domain: 1.5, add_headers: [a]}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs: yes}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs: 'yes'}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs: 1}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs_full_headers: [a, 1]}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs_full_headers: [[a]]}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs_full_headers: a}]\n"),
		sound("  allowed_external_proxies: foo\n"),
		sound("  allowed_external_proxies: ['*']\n"),
		sound("  allowed_external_proxies: [proxy.example]\n"),
		sound("default: enforce\n"),
		sound("default: []\n"),
		sound("default: ~\n"),
		sound("default: {project: p, action: open}\n"),
		strings.Replace(sound(""), "name: agent", "name: [agent]", 1),
		strings.Replace(sound(""), "name: agent", "name: ~", 1),
		strings.Replace(sound(""), "project: p", "project: {}", 1),
		sound("<<: 5\n"),
		sound("<<: [{default: {action: open}}]\n"),
		merged + "{name: agent, action: enforce, <<: *x, allowed_domains: [api.partner.example]}\n",
		merged + "{<<: *x, name: agent, action: enforce, allowed_domains: [api.partner.example]}\n",
		merged + "{name: agent, action: enforce, allowed_domains: [api.partner.example], <<: *x}\n",
		merged + "{name: agent, <<: [{action: enforce}, *x]}\n",
		merged + "{name: agent, action: enforce, action: open}\n",
		sound("default: {project: p, allowed_domains: [pypi.org]}\ndefault: {action: enforce}\n"),
		sound("default: {project: p, action: open}\ndefault: {allowed_domains: [pypi.org]}\n"),
		sound("default: {action: open, allowed_domains: [pypi.org]}\ndefault: {action: enforce, allowed_domains: [evil.test]}\n"),
		sound("default: {action: open}\ndefault: ~\n"),
		sound("default: {action: open}\ndefault: ~\ndefault: {action: enforce}\n"),
		sound("default: foo\ndefault: {action: open}\n"),
		"x: &x {default: {project: p, action: open}}\n<<: *x\n" + sound("default: {allowed_domains: [pypi.org]}\n"),
		"services: none yet\n" + sound(""),
		"services: ~\n" + sound(""),
		sound("  allowed_domains: {a: b}\n  allowed_domains: [pypi.org]\n"),
		sound("  allowed_domains: [pypi.org, TRUE]\n"),
		sound("  allowed_domains: [pypi.org, true]\n"),
		sound("- {name: True, action: open}\n- {name: 'true', action: enforce}\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs: On}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs: oN}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs: yEs}]\n"),
		sound("  mitm_domains: [{domain: 1.5, detailed_http_logs: TRUE}]\n"),
	} {
		theirs, theirErr := theirSmokescreen(t, text)
		ours, err := smokescreen.Parse("acl.yaml", []byte(text))
		if refused := err != nil || slices.ContainsFunc(ours.Findings(), isRefused); refused != (theirErr != nil) {
			t.Errorf("theirs: %v, ours: %v, refused %v\n%s", theirErr, err, refused, text)
		}
		if theirErr != nil {
			continue
		}
		for _, role := range []string{"agent", "True", "true", "nobody"} {
			for _, host := range []string{"api.partner.example", "pypi.org", "evil.test"} {
				if want, got := theirVerdict(t, theirs, role, host), ourVerdict(ours, role, host); got != want {
					t.Errorf("role %s, host %s: Smokescreen says %s, we say %s\n%s", role, host, want, got, text)
				}
			}
		}
	}
}
