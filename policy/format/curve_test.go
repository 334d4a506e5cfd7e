package format_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"sixways/policy"
	"sixways/policy/format"
)

// sizes are the lengths of the lists that the curve is measured at.
var sizes = []int{10, 100, 1000, 10_000, 100_000}

// lists writes a list of n names in each format, half of them wildcards.
var lists = map[string]func(n int) string{
	"srt": func(n int) string {
		return `{"network": {"allowedDomains": [` + strings.Join(listed(n, `"%sh%d.test"`), ",") + `]}}`
	},
	"smokescreen": func(n int) string {
		return "version: v1\nservices:\n- name: a\n  action: enforce\n  allowed_domains:\n  - " + strings.Join(listed(n, `"%sh%d.test"`), "\n  - ")
	},
	"harden-runner": func(n int) string {
		return "egress-policy: block\nallowed-endpoints: >\n  " + strings.Join(listed(n, "%sh%d.test:443"), "\n  ")
	},
}

func listed(n int, entry string) []string {
	all := make([]string, n)
	for i := range all {
		star := ""
		if i%2 == 0 {
			star = "*."
		}
		all[i] = fmt.Sprintf(entry, star, i)
	}
	return all
}

// sink keeps the compiler from dropping what is measured.
var sink policy.Decision

// BenchmarkDecision is one decision over a list of n names: on a name that the
// last entry allows, and on one that nothing does.
func BenchmarkDecision(b *testing.B) {
	for _, key := range format.Keys() {
		for _, n := range sizes {
			if lists[key] == nil {
				continue
			}
			boundary := compile(b, key, n)
			for _, host := range []string{fmt.Sprintf("a.h%d.test", n-2), "a.b.nowhere.example"} {
				b.Run(fmt.Sprintf("format=%s/n=%d/host=%s", key, n, strings.Split(host, ".")[1]), func(b *testing.B) {
					attempt := policy.Attempt{Destination: policy.MustParseDestination(host)}
					b.ReportAllocs()
					for b.Loop() {
						sink = boundary.Decide(attempt)
					}
				})
			}
		}
	}
}

// BenchmarkParse reads a list of n names.
func BenchmarkParse(b *testing.B) {
	for _, f := range format.Formats() {
		for _, n := range sizes {
			if lists[f.Key] == nil {
				continue
			}
			text := []byte(lists[f.Key](n))
			b.Run(fmt.Sprintf("format=%s/n=%d", f.Key, n), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if _, err := f.Parse("policy", text, ""); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func compile(tb testing.TB, key string, n int) *policy.Boundary {
	tb.Helper()
	f, err := format.ByKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := f.Parse("policy", []byte(lists[key](n)), "")
	if err != nil {
		tb.Fatal(err)
	}
	return p.Boundary(closed)
}

// One decision does not cost what the list is long. Over 100,000 names it may
// take twenty times what it takes over ten, where one that walks the list takes
// ten thousand times that; and it names the right line, at the end of the list.
func TestDecisionDoesNotGrow(t *testing.T) {
	for key := range lists {
		t.Run(key, func(t *testing.T) {
			few, many := quickest(t, key, 10), quickest(t, key, 100_000)
			if many > 20*few {
				t.Errorf("%v over 100,000 names, %v over ten", many, few)
			}
		})
	}
}

// quickest is the shortest of many decisions on what the last wildcard allows.
func quickest(t *testing.T, key string, n int) time.Duration {
	boundary := compile(t, key, n)
	attempt := policy.Attempt{Destination: policy.MustParseDestination(fmt.Sprintf("a.h%d.test", n-2))}
	if d := boundary.Decide(attempt); d.Verdict != policy.Allowed {
		t.Fatalf("the last wildcard does not match: %s", d.Reason())
	}
	best := time.Duration(math.MaxInt64)
	for range 200 {
		start := time.Now()
		sink = boundary.Decide(attempt)
		best = min(best, time.Since(start))
	}
	return best
}
