package differential

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sixways/policy"
	"sixways/policy/srt"
)

// srtPairs is how many (policy, destination) pairs are compared.
const srtPairs = 150_000

// oracle is sandbox-runtime's own code in a process of its own.
type oracle struct {
	lines  *bufio.Scanner
	encode *json.Encoder
	keys   struct{ Settings, Network []string }
}

type question struct {
	Allowed []string `json:"allowed"`
	Denied  []string `json:"denied"`
	Hosts   [][2]any `json:"hosts"`
}

type answer struct {
	Valid    bool
	Verdicts []string
}

func newOracle(t *testing.T) *oracle {
	t.Helper()
	if _, err := os.Stat("srt/node_modules"); errors.Is(err, os.ErrNotExist) {
		t.Fatal("srt/node_modules is missing; run `npm ci` in cmd/differential/srt")
	}
	cmd := exec.Command("node", "oracle.mjs")
	cmd.Dir = "srt"
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Error(err)
		}
	})
	o := &oracle{lines: bufio.NewScanner(out), encode: json.NewEncoder(in)}
	o.lines.Buffer(nil, 1<<20)
	o.read(t, &o.keys)
	return o
}

func (o *oracle) read(t *testing.T, into any) {
	t.Helper()
	if !o.lines.Scan() {
		t.Fatalf("the oracle went silent: %v", o.lines.Err())
	}
	if err := json.Unmarshal(o.lines.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

func (o *oracle) ask(t *testing.T, q question) answer {
	t.Helper()
	if err := o.encode.Encode(q); err != nil {
		t.Fatal(err)
	}
	var a answer
	o.read(t, &a)
	if len(a.Verdicts) != len(q.Hosts) {
		t.Fatalf("%d verdicts on %d hosts", len(a.Verdicts), len(q.Hosts))
	}
	return a
}

var ports = []int{443, 80, 8443, 22, 1, 65535}

// pattern makes an entry of one of the two lists.
func (g generator) pattern(denied bool) string {
	pattern := g.name()
	if g.chance(5) {
		pattern = g.address()
		if strings.Contains(pattern, ":") && !g.chance(8) {
			pattern = "[" + pattern + "]"
		}
	} else if g.chance(3) {
		pattern = "*." + pattern
	} else if g.chance(20) {
		pattern = "*." + pick(g, "254.169.254", "0.0.1", "0.113.10", "254.43518", "2.3.4.5")
	}
	if g.chance(12) {
		pattern = pick(g, strings.ToUpper(pattern), pattern+".", "."+pattern, strings.Replace(pattern, ".", "..", 1), "a*"+pattern)
	}
	if g.chance(4) {
		pattern = fmt.Sprintf("%s:%d", pattern, pick(g, ports...))
	}
	if g.chance(25) { // what stands in brackets is read as the host of a URL
		inside := pick(g, "", "a@", ":@") + pick(g, pattern, wide(pattern, g), "bücher.test") + pick(g, "", "", ":80", ":x", "/x", "?x", "#x", `\x`, ":0/x")
		pattern = "[" + inside + "]" + pick(g, "", "", ":443", ":0")
	}
	if g.chance(60) {
		pattern = pick(g, "localhost", "*", "*:22", "*.com", "com", "a.test:0", "a.test:080", "a.test:65536", "a.test:", "[::1", "[::1]x", "https://a.test", "a.test/b", "", "*.", "::1", "2001:db8::1:443", "[fe80::1%eth0]", "bücher.test", "K.test")
	}
	if pattern == "*" && !denied {
		return "*.a.test"
	}
	return pattern
}

func (g generator) patterns(denied bool) []string {
	all := make([]string, g.IntN(4))
	for i := range all {
		all[i] = g.pattern(denied)
	}
	return all
}

func (g generator) question() question {
	q := question{Allowed: g.patterns(false), Denied: g.patterns(true)}
	var entries []string
	for _, e := range append(slices.Clone(q.Allowed), q.Denied...) {
		entries = append(entries, withoutPort(e))
	}
	for range 50 {
		q.Hosts = append(q.Hosts, [2]any{g.host(entries), pick(g, ports...)})
	}
	return q
}

// withoutPort makes a host out of a pattern.
func withoutPort(pattern string) string {
	if inner, ok := strings.CutPrefix(pattern, "["); ok {
		host, _, _ := strings.Cut(inner, "]")
		return host
	}
	if strings.Count(pattern, ":") == 1 {
		pattern, _, _ = strings.Cut(pattern, ":")
	}
	return pattern
}

func (q question) text(t *testing.T) []byte {
	t.Helper()
	text, err := json.MarshalIndent(map[string]any{"network": map[string]any{
		"allowedDomains": q.Allowed, "deniedDomains": q.Denied}}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func srtVerdict(p *srt.Policy, host string, port int) string {
	d, err := p.Normalise(host)
	if err != nil {
		return malformed
	}
	return p.Judge(d.WithPort(uint16(port))).Verdict.String()
}

func TestSandboxRuntime(t *testing.T) {
	known := newLedger(srtAccepted...)
	o := newOracle(t)
	g := newGenerator(2)
	counts := map[string]int{}
	pairs, failures := 0, 0
	for pairs < srtPairs && failures < 20 {
		q := g.question()
		a := o.ask(t, q)
		p, err := srt.Parse("srt-settings.json", q.text(t))
		if err != nil {
			t.Fatal(err)
		}
		if refused := slices.ContainsFunc(p.Findings(), isRefused); refused == a.Valid && !known.covers(strings.Join(append(q.Allowed, q.Denied...), " ")) {
			failures++
			t.Errorf("the schema takes it: %t; findings %v\nallowed %q\ndenied %q", a.Valid, p.Findings(), q.Allowed, q.Denied)
		}
		for i, h := range q.Hosts {
			host, port := h[0].(string), h[1].(int)
			pairs++
			want, got := a.Verdicts[i], srtVerdict(p, host, port)
			counts[want]++
			if got != want && !known.covers(host) {
				failures++
				t.Errorf("host %q port %d: sandbox-runtime says %s, we say %s\nallowed %q\ndenied %q", host, port, want, got, q.Allowed, q.Denied)
			}
		}
	}
	known.report(t)
	checkSpread(t, pairs, counts)
}

func isRefused(f policy.Finding) bool { return f.Severity == policy.SeverityRefused }

// checkSpread fails where a verdict is so rare that agreement on it says
// nothing.
func checkSpread(t *testing.T, pairs int, counts map[string]int) {
	t.Helper()
	for _, verdict := range []string{policy.Allowed.String(), policy.Blocked.String(), malformed} {
		if counts[verdict]*20 < pairs {
			t.Errorf("%d of %d pairs are %s; want one in twenty", counts[verdict], pairs, verdict)
		}
	}
	t.Logf("%d pairs: %v", pairs, counts)
}

// Every key of the settings' schema is known.
func TestSandboxRuntimeKeys(t *testing.T) {
	keys := newOracle(t).keys
	network := map[string]any{}
	for _, k := range keys.Network {
		// A file cannot hold a function.
		if k != "filterRequest" {
			network[k] = nil
		}
	}
	settings := map[string]any{}
	for _, k := range keys.Settings {
		settings[k] = nil
	}
	settings["network"] = network
	text, err := json.Marshal(settings)
	if err != nil {
		t.Fatal(err)
	}
	p, err := srt.Parse("srt-settings.json", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Findings() {
		if strings.Contains(f.Message, "not known") {
			t.Error(f.Message)
		}
	}
	if len(keys.Network) < 15 || len(keys.Settings) < 10 {
		t.Errorf("only the keys %q and %q", keys.Network, keys.Settings)
	}
}
