package format_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
	"sixways/policy/format"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The format is told by what the text holds, and by its name where that does
// not do.
func TestRecognise(t *testing.T) {
	tests := []struct{ because, name, text, want string }{
		{"settings with a network", "", `{"network": {}}`, "srt"},
		{"the network alone", "", `{"allowedDomains": []}`, "srt"},
		{"behind comments", "", "// why\n/* { */\n{\"sandbox\": {}}", "claude-code"},
		{"permissions alone", "", `{"permissions": {}}`, "claude-code"},
		{"what it holds counts more than its name", "settings.json", `{"network": {}}`, "srt"},
		{"a mistake in it does not matter", "", `{"sandbox": {`, "claude-code"},
		{"an empty map by its name", "/home/u/.srt-settings.json", `{}`, "srt"},
		{"another by its name", `C:\Users\u\.claude\settings.json`, `{}`, "claude-code"},
		{"a list of services", "", "version: v1\nservices:\n", "smokescreen"},
		{"its denials alone", "", "global_deny_list: [a.test]", "smokescreen"},
		{"a workflow", "", "jobs:\n  a:\n    steps:\n    - uses: step-security/harden-runner@v2\n", "harden-runner"},
		{"bare inputs", "", "egress-policy: block", "harden-runner"},
		{"in capitals too", "", "Egress-Policy: block", "harden-runner"},
		{"a workflow without it, by its name", ".github/workflows/ci.yml", "jobs: {}", "harden-runner"},
		{"a list by its name", "acl.yml", "version: v1", "smokescreen"},
		{"a workflow with services of its own", ".github/workflows/ci.yml", "jobs:\n  a:\n    services:\n      db: {image: postgres}\n", "harden-runner"},
		{"Docker Compose", "docker-compose.yml", "version: '3'\nservices:\n  db: {image: postgres}\n", ""},
		{"a role's list alone", "", "services:\n- name: a\n  allowed_domains: [a.test]\n", "smokescreen"},
		{"nothing known", "x.txt", "hello", ""},
		{"nothing", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			f, ok := format.Recognise(tt.name, []byte(tt.text))
			if f.Key != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %v; want %q", f.Key, ok, tt.want)
			}
		})
	}
}

func TestByKey(t *testing.T) {
	_, err := format.ByKey("squid")
	const want = `format "squid" is not known; want one of srt, claude-code, smokescreen, harden-runner`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// Each built-in file is recognised and read; one of a format's two holds as far
// as its enforcer can, the other does not.
func TestExamples(t *testing.T) {
	for _, f := range format.Formats() {
		if len(f.Examples) < 2 || f.Label == "" || f.Syntax == "" {
			t.Errorf("%s: %d examples, label %q, syntax %q", f.Key, len(f.Examples), f.Label, f.Syntax)
		}
		for _, e := range f.Examples {
			t.Run(e.Name, func(t *testing.T) {
				got, ok := format.Recognise(e.Name, []byte(e.Text))
				if !ok || got.Key != f.Key {
					t.Errorf("recognised as %q", got.Key)
				}
				p, err := f.Parse(e.Name, []byte(e.Text), "")
				if err != nil {
					t.Fatal(err)
				}
				for _, finding := range p.Findings() {
					if finding.Severity == policy.SeverityRefused {
						t.Errorf("its enforcer refuses it: %s", finding.Message)
					}
				}
				d := format.Try(p, p.Boundary(closed), "api.partner.example")
				if d.Decision != allowed {
					t.Errorf("the partner API is %s: %s", d.Decision, d.Reason)
				}
			})
		}
	}
}

// An editor's byte order mark hides no format; JSON's reader names it.
func TestRecogniseBehindAByteOrderMark(t *testing.T) {
	for _, f := range format.Formats() {
		for _, e := range f.Examples {
			if got, ok := format.Recognise("policy", []byte("\ufeff"+e.Text)); !ok || got.Key != f.Key {
				t.Errorf("%s is recognised as %q", e.Name, got.Key)
			}
		}
	}
}

func TestRoleThatIsMissing(t *testing.T) {
	f, err := format.ByKey("smokescreen")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Parse("acl.yaml", []byte(smokescreenAllow), "b")
	const want = "acl.yaml: no role \"b\"; want one of a"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	f, err = format.ByKey("srt")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Parse("s.json", []byte("{}"), "b")
	const wantNone = "s.json: no role \"b\"; the file has no roles"
	if err == nil || err.Error() != wantNone {
		t.Errorf("got %v, want %s", err, wantNone)
	}
	f, err = format.ByKey("harden-runner")
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Parse("steps.yml", []byte("- uses: step-security/harden-runner@v2"), "b")
	const wantNoJob = "steps.yml: no role \"b\"; the file has no roles"
	if err == nil || err.Error() != wantNoJob {
		t.Errorf("got %v, want %s", err, wantNoJob)
	}
}

// scenario is what the checks below decide.
var scenario = policy.Scenario{Attempts: []policy.Attempt{
	{Destination: policy.MustParseDestination("api.partner.example"), Needed: true},
	{Destination: policy.MustParseDestination("pypi.org")},
	{Destination: policy.MustParseDestination("169.254.169.254"), Channel: policy.ChannelHTTP},
	{Destination: policy.MustParseDestination("data.exfil.attacker.test"), Channel: policy.ChannelDNS},
	{Destination: policy.MustParseDestination("127.0.0.1"), Channel: policy.ChannelHTTP},
}}

// Each file holds a policy, and behind the line of dashes what comes of it.
func TestCheckGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 6 {
		t.Fatalf("only %q", files)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text, want, _ := strings.Cut(string(content), separator)
			got := checkText(t, text)
			if *update {
				if err := os.WriteFile(file, []byte(text+separator+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got; -update writes it anew):\n%s", diff)
			}
		})
	}
}

const separator = "\n---- what comes of it ----\n"

// checkText reads a text as recognised, under controls that leave DNS and
// loopback open.
func checkText(t *testing.T, text string) string {
	f, ok := format.Recognise("", []byte(text))
	if !ok {
		t.Fatal("not recognised")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f)
	p, err := f.Parse("policy", []byte(text), "")
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
		return b.String()
	}
	r := format.Check(p, format.Options{Controls: leaky, Scenario: scenario, Destinations: []string{"a.partner.example:443", "0xa9fea9fe", "a b"}})
	fmt.Fprintf(&b, "holds: %v\n", r.Ok())
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%d:%d %s: %s\n\tfix: %s\n", f.Line, f.Column, f.Severity, f.Message, f.Fix)
	}
	for _, d := range r.Run.Decisions {
		fmt.Fprintf(&b, "%s: %s by %s\n", d.Attempt.Destination, d.Verdict, d.Layer)
	}
	for _, d := range r.Trials {
		fmt.Fprintf(&b, "%q = %q: %s by %s, line %d: %s\n", d.Input, d.Normalised, d.Decision, d.Layer, d.Line, d.Reason)
		if d.Query != nil {
			fmt.Fprintf(&b, "\tquery: %s by %s\n", d.Query.Decision, d.Query.Layer)
		}
	}
	return b.String()
}

// A refused file does not hold, whatever it would decide; nor does one whose
// task fails.
func TestOk(t *testing.T) {
	tests := []struct {
		because, format, text string
		controls              *policy.Boundary
		want                  bool
	}{
		{"contained, and the task works", "srt", srtAllow, leaky, true},
		{"nil controls leave nothing open", "smokescreen", smokescreenAllow, nil, true},
		{"DNS and loopback are open", "smokescreen", smokescreenAllow, leaky, false},
		{"the task fails", "srt", `{"network": {"allowedDomains": []}}`, leaky, false},
		{"a way is open that none of the attempts tries", "harden-runner", "egress-policy: block\nallowed-endpoints: api.partner.example:443 *.com:443", &policy.Boundary{}, false},
		{"the enforcer refuses the file", "srt", `{"network": {"allowedDomains": ["api.partner.example", "*"]}}`, leaky, false},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			r := format.Check(read(t, tt.format, tt.text), format.Options{Controls: tt.controls, Scenario: scenario})
			if r.Ok() != tt.want {
				t.Errorf("%v, want %v: %+v", r.Ok(), tt.want, r.Findings)
			}
		})
	}
}

// What the task needs may be what another attempt tries, and is said once.
func TestNeededTwice(t *testing.T) {
	partner := scenario.Attempts[0]
	p := read(t, "srt", `{"network": {"allowedDomains": []}}`)
	r := format.Check(p, format.Options{Scenario: policy.Scenario{Attempts: []policy.Attempt{partner, partner}}})
	var broken []string
	for _, f := range r.Findings {
		if f.Severity == policy.SeverityBroken {
			broken = append(broken, f.Message)
		}
	}
	want := []string{"The task needs api.partner.example, which is blocked (proxy). allowedDomains on line 1 is empty, so the proxy refuses api.partner.example."}
	if diff := cmp.Diff(want, broken); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A file with the same mistake on each line does not bury its reader, and stays
// refused.
func TestFindingsAreBounded(t *testing.T) {
	text := `{"network": {"allowedDomains": [` + strings.TrimSuffix(strings.Repeat(`"com",`, 1000), ",") + `]}}`
	r := format.Check(read(t, "srt", text), format.Options{Scenario: scenario})
	refused := 0
	more := ""
	for _, f := range r.Findings {
		if f.Severity == policy.SeverityRefused {
			refused++
		}
		if strings.HasPrefix(f.Message, "There are ") {
			more = f.Message
		}
	}
	if refused != 101 || more != "There are 900 more findings like these." {
		t.Errorf("%d findings, %q", refused, more)
	}
}

// Fuzzing: no panic and no hang in any reader, and any host typed gets one of
// three decisions with a reason.
func FuzzCheck(f *testing.F) {
	for _, known := range format.Formats() {
		for _, e := range known.Examples {
			f.Add(e.Text, "api.partner.example:443")
		}
	}
	for _, text := range []string{srtAllow, claudeAllow, smokescreenAllow, smokescreenOpen, hardenAllow, "[]", "jobs:\n  a: {steps: [{uses: step-security/harden-runner}]}"} {
		f.Add(text, "https://0xa9fea9fe/")
	}
	f.Fuzz(func(t *testing.T, text, input string) {
		for _, known := range format.Formats() {
			p, err := known.Parse("policy", []byte(text), "")
			if err != nil {
				continue
			}
			r := format.Check(p, format.Options{Controls: leaky, Scenario: scenario, Destinations: []string{input, "api.partner.example"}})
			for _, d := range r.Trials {
				if d.Decision != allowed && d.Decision != blocked && d.Decision != malformed || d.Reason == "" {
					t.Errorf("%s: %+v", known, d)
				}
				if d.Decision != malformed && d.Normalised == "" {
					t.Errorf("%s: %q is %s, and nothing is left of it", known, input, d.Decision)
				}
			}
			for _, finding := range r.Findings {
				if finding.Message == "" || finding.Line < 0 {
					t.Errorf("%s: %+v", known, finding)
				}
			}
		}
	})
}
