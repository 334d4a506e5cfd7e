package format_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"sixways/policy/format"
)

// Texts of half a megabyte that are made to cost much: none takes longer or more
// than an ordinary file of that length may.
func TestHostileTexts(t *testing.T) {
	const size = 1 << 19
	fill := func(before, unit, after string) string {
		return before + strings.Repeat(unit, (size-len(before)-len(after))/len(unit)) + after
	}
	tests := []struct{ because, text string }{
		{"open brackets", fill("", "[", "")},
		{"open braces", fill("", "{", "")},
		{"nested maps in JSON", fill("", `{"a":`, "")},
		{"lists in lists on one line", fill("", "- ", "")},
		{"keys of keys", fill("", "? ", "")},
		{"anchors", fill("a: &a [x]\nb:\n", "- *a\n", "")},
		{"anchors of their own", fill("a:\n", "- &a x\n", "")},
		{"merges", fill("a: &a {b: c}\n", "d: {<<: *a}\n", "")},
		{"tags", fill("a: ", "!", "")},
		{"open comments", fill("{", "/*", "")},
		{"comments", fill("{", "/**/", "}")},
		{"slashes", fill(`{"network":{}}`, "/", "")},
		{"quotes", fill("", `"`, "")},
		{"escapes", fill(`{"a":"`, `\u0041`, `"}`)},
		{"one long line of YAML", fill("a: [", "x,", "x]")},
		{"one long host", fill(`{"network":{"allowedDomains":["`, "a.", `a"]}}`)},
		{"one long host in YAML", fill("version: v1\nservices:\n- {name: a, action: open, allowed_domains: [", "a.", "a]}")},
		{"one long Punycode label", fill("version: v1\nservices:\n- {name: a, action: open, allowed_domains: [xn--", "a", "]}")},
		{"many short endpoints", fill("egress-policy: block\nallowed-endpoints: >\n ", " a", "\n")},
		{"many stars", fill("egress-policy: block\nallowed-endpoints: >\n ", " *a*", "\n")},
		{"many stars in one", fill("egress-policy: block\nallowed-endpoints: ", "*", "a\n")},
		{"many expressions", fill("egress-policy: block\nallowed-endpoints: a", "${{", "\n")},
		{"many keys", fill("{", `"a":1,`, `"a":1}`)},
		{"folded lines", fill("a: >\n", "  b\n\n", "")},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			for _, f := range format.Formats() {
				p, err := f.Parse("policy", []byte(tt.text), "")
				if err != nil {
					if len(err.Error()) > 1000 {
						t.Errorf("%s: an error of %d octets", f, len(err.Error()))
					}
					continue
				}
				r := format.Check(p, format.Options{Controls: leaky, Scenario: scenario, Destinations: []string{"api.partner.example"}})
				for _, finding := range r.Findings {
					if len(finding.Message) > 2000 {
						t.Errorf("%s: a message of %d octets", f, len(finding.Message))
					}
				}
			}
			runtime.ReadMemStats(&after)
			// Generous, since other work may share the machine.
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 2<<30 {
				t.Errorf("allocated %d MB", got>>20)
			}
			t.Logf("%v, %d MB", time.Since(start), (after.TotalAlloc-before.TotalAlloc)>>20)
		})
	}
}
