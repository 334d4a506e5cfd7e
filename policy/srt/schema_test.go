package srt_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
	"sixways/policy/srt"
)

// change is a line of testdata/schema.jsonl.
type change struct {
	Base  json.RawMessage
	Path  []any
	Value json.RawMessage // nil takes the value away
	Taken bool
}

func changes(t *testing.T) (base json.RawMessage, all []change) {
	t.Helper()
	text, err := os.ReadFile("testdata/schema.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var c change
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all[0].Base, all[1:]
}

// put returns a value with another put where a path leads, or nothing.
func put(at any, path []any, value any, gone bool) any {
	if len(path) == 0 {
		return value
	}
	last := gone && len(path) == 1
	switch at := at.(type) {
	case map[string]any:
		key := path[0].(string)
		if last {
			delete(at, key)
			return at
		}
		at[key] = put(at[key], path[1:], value, gone)
		return at
	case []any:
		i := int(path[0].(float64))
		if last {
			return slices.Delete(at, i, i+1)
		}
		at[i] = put(at[i], path[1:], value, gone)
		return at
	}
	return at
}

func (c change) text(t *testing.T, base json.RawMessage) string {
	t.Helper()
	var settings, value any
	if err := json.Unmarshal(base, &settings); err != nil {
		t.Fatal(err)
	}
	if c.Value != nil {
		if err := json.Unmarshal(c.Value, &value); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(put(settings, c.Path, value, c.Value == nil))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// refusals are the findings which say that the srt command refuses a file. What
// a program which embeds the runtime may have from elsewhere is no refusal, and
// yet one of the command's.
func refusals(p *srt.Policy) []string {
	var all []string
	for _, f := range p.Findings() {
		if f.Severity == policy.SeverityRefused || strings.HasPrefix(f.Message, "The srt command refuses a file without") ||
			strings.HasPrefix(f.Message, "allowedDomains is missing") {
			all = append(all, f.Message)
		}
	}
	return all
}

// What sandbox-runtime's own loadConfig said of each change; see
// testdata/schema.mjs.
func TestSchema(t *testing.T) {
	base, all := changes(t)
	taken := 0
	for _, c := range all {
		if c.Taken {
			taken++
		}
		got := refusals(parse(t, c.text(t, base)))
		if (len(got) == 0) != c.Taken {
			t.Errorf("%v = %s: taken %t, findings %q", c.Path, c.Value, c.Taken, got)
		}
	}
	if len(all) < 900 || taken < 150 {
		t.Errorf("only %d changes, of which %d are taken", len(all), taken)
	}
}

// What the srt command refuses beyond the lists, in words. Line 1 holds it all.
func TestSchemaFindings(t *testing.T) {
	tests := []struct{ because, network, settings, message, fix string }{
		{"a string for a boolean", `"strictAllowlist": "yes"`, ``, `"strictAllowlist" is a string, where sandbox-runtime reads a boolean.`, `write "strictAllowlist" as a boolean`},
		{"null for a number", `"httpProxyPort": null`, ``, `"httpProxyPort" is null, where sandbox-runtime reads a number.`, `write "httpProxyPort" as a number`},
		{"a string for a list", `"allowUnixSockets": "/x"`, ``, `"allowUnixSockets" is a string, where sandbox-runtime reads a list.`, `write "allowUnixSockets" as a list`},
		{"no address", `"deniedResolvedAddresses": ["nope"]`, ``, `"deniedResolvedAddresses[0]" is "nope", where the srt command takes an address or a range such as "10.0.0.0/8", IPv6 without brackets.`,
			`write "deniedResolvedAddresses[0]" as an address or a range such as "10.0.0.0/8", IPv6 without brackets`},
		{"an asterisk in a name", `"allowMachLookup": ["a*b"]`, ``, `"allowMachLookup[0]" is "a*b", where the srt command takes a name with at most one asterisk, at its end.`,
			`write "allowMachLookup[0]" as a name with at most one asterisk, at its end`},
		{"no URL", `"parentProxy": {"http": "not a url"}`, ``, `"parentProxy.http" is "not a url", where the srt command takes a URL such as "http://proxy.example:3128".`,
			`write "parentProxy.http" as a URL such as "http://proxy.example:3128"`},
		{"half a pair of keys", `"tlsTerminate": {"caCertPath": "/c"}`, ``, `"tlsTerminate" is a map, where the srt command takes a map with both "caCertPath" and "caKeyPath" or neither.`,
			`write "tlsTerminate" as a map with both "caCertPath" and "caKeyPath" or neither`},
		{"a port that is none", `"socksProxyPort": 65536`, ``, `"socksProxyPort" is 65536, where the srt command takes a whole number from 1 to 65535.`, `write "socksProxyPort" as a whole number from 1 to 65535`},
		{"none of the words", `"ambiguousRequestTarget": "drop"`, ``, `"ambiguousRequestTarget" is "drop", where the srt command takes one of refuse, asSpelled, normalize.`,
			`write "ambiguousRequestTarget" as one of refuse, asSpelled, normalize`},
		{"an empty list", `"mitmProxy": {"socketPath": "/s", "domains": []}`, ``, `"mitmProxy.domains" is an empty list, where the srt command takes a list that is not empty.`,
			`write "mitmProxy.domains" as a list that is not empty`},
		{"a key that an optional part needs", `"mitmProxy": {"domains": ["a.test"]}`, ``, `"mitmProxy" has no "socketPath", which the srt command requires.`, `add "socketPath" to "mitmProxy"`},
		{"a key that is passed over", `"parentProxy": {"htttp": "x"}`, ``, `The key "htttp" is not known in parentProxy, and sandbox-runtime passes over it in silence.`,
			`remove the key "htttp", or spell it as one of http, https, noProxy`},
		{"another part of the settings", ``, `"ripgrep": "rg"`, `"ripgrep" is a string, where sandbox-runtime reads a map.`, `write "ripgrep" as a map`},
		{"values of free keys", ``, `"ignoreViolations": {"*": "/x"}`, `"ignoreViolations.*" is a string, where sandbox-runtime reads a list.`, `write "ignoreViolations.*" as a list`},
		{"a key that is refused", ``, `"credentials": {"injectHosts": ["a.test"]}`, `The key "injectHosts" is not known in credentials, and the srt command refuses it there.`, `remove the key "injectHosts"`},
		{"a credential for a host that is not allowed", ``, `"credentials": {"envVars": [{"name": "A", "mode": "deny", "injectHosts": ["b.test"]}]}`,
			`The srt command refuses the file over "credentials.envVars[0].injectHosts[0]": "b.test" is not reachable by allowedDomains.`, `add "b.test" to "allowedDomains", or remove it here`},
		{"one for hosts whose TLS stays closed", `"tlsTerminate": {"excludeDomains": ["a.test"]}`, `"credentials": {"envVars": [{"name": "A", "mode": "mask"}]}`,
			`The srt command refuses the file over "credentials.envVars[0]": excludeDomains of tlsTerminate covers every host of allowedDomains, so no credential is put in there.`, `remove one of the two`},
		{"one for no host", `"tlsTerminate": {}`, `"credentials": {"envVars": [{"name": "A", "mode": "mask", "injectHosts": []}]}`,
			`The srt command refuses the file over "credentials.envVars[0].injectHosts": the list is empty, so the credential would go nowhere.`, `remove "injectHosts"`},
		{"claims of no token", ``, `"credentials": {"envVars": [{"name": "A", "mode": "deny", "maskClaims": ["sub"]}]}`,
			`The srt command refuses the file over "credentials.envVars[0].maskClaims": it names claims of a token that "decode" opens, at least one.`, `add "decode": "jwt" and a claim, or remove "maskClaims"`},
		{"a masked directory", `"tlsTerminate": {}`, `"credentials": {"files": [{"path": "/x/", "mode": "mask"}]}`,
			`The srt command refuses the file over "credentials.files[0].path": a file can be masked, a directory cannot.`, `set "mode" to "deny"`},
		{"masked without TLS", ``, `"credentials": {"envVars": [{"name": "A", "mode": "mask"}]}`,
			`The srt command refuses the file over "credentials": a masked credential needs "tlsTerminate" in "network".`, `add "tlsTerminate": {} to "network"`},
		{"a pair of variables that are not masked", ``, `"credentials": {"awsPairs": [{"accessKeyIdVar": "A", "secretAccessKeyVar": "A"}]}`,
			`The srt command refuses the file over "credentials.awsPairs[0].accessKeyIdVar": "A" is no variable that envVars masks whole.`, `add {"name": "A", "mode": "mask"} to "envVars"`},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			text := `{"network": {"allowedDomains": ["a.test"], "deniedDomains": []` + prefixed(tt.network) + `}` + prefixed(tt.settings) + rest
			for _, f := range parse(t, text).Findings() {
				if f.Message == tt.message && f.Fix == tt.fix && f.Line == 1 && f.Column > 1 {
					if passedOver := strings.Contains(f.Message, "in silence"); passedOver == (f.Severity == policy.SeverityRefused) {
						t.Errorf("severity %s", f.Severity)
					}
					return
				}
			}
			t.Errorf("findings %+v", short(parse(t, text).Findings()))
		})
	}
}

func prefixed(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}

// A denial that matches no path is refused, unless no path is denied at all.
func TestSchemaGlob(t *testing.T) {
	const text = `{"network": {"allowedDomains": [], "deniedDomains": []}, "filesystem": {"disabled": %t, "denyRead": ["/x/*/"], "allowWrite": [], "denyWrite": []}}`
	const want = `The srt command refuses the file over "filesystem.denyRead[0]": the pattern "/x/*/" ends in a slash and so matches no path.`
	if diff := cmp.Diff([]string{want}, refusals(parse(t, fmt.Sprintf(text, false)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := refusals(parse(t, fmt.Sprintf(text, true))); got != nil {
		t.Errorf("disabled: %q", got)
	}
}

// What the command asks for, and a program which embeds the runtime may have
// from elsewhere.
func TestSchemaRest(t *testing.T) {
	const without = "The srt command refuses a file without %s; a program that embeds the runtime may not."
	tests := []struct {
		because, text string
		want          []string
	}{
		{"the network alone", `{"allowedDomains": ["a.test"], "deniedDomains": []}`, []string{fmt.Sprintf(without, `"network"`), fmt.Sprintf(without, `"filesystem"`)}},
		{"a filesystem that is empty", `{"network": {"allowedDomains": [], "deniedDomains": []}, "filesystem": {}}`, []string{
			fmt.Sprintf(without, `"denyRead" in "filesystem"`), fmt.Sprintf(without, `"allowWrite" in "filesystem"`), fmt.Sprintf(without, `"denyWrite" in "filesystem"`)}},
		{"a part of it", `{"network": {"allowedDomains": [], "deniedDomains": []}, "filesystem": {"denyRead": [], "allowWrite": []}}`, []string{fmt.Sprintf(without, `"denyWrite" in "filesystem"`)}},
		{"one that is null", `{"network": {"allowedDomains": [], "deniedDomains": []}, "filesystem": null}`, []string{`"filesystem" is null, where sandbox-runtime reads a map.`}},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, refusals(parse(t, tt.text))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
