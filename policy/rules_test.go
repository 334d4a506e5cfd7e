package policy_test

import (
	"testing"

	"sixways/policy"
)

// "*.example.com" stands for every name below example.com at any depth, and
// not for example.com itself; a name without "*." stands for itself.
func TestListsMatch(t *testing.T) {
	tests := []struct {
		because       string
		pattern, name string
		want          bool
	}{
		{"one label below", "*.attacker.test", "www.attacker.test", true},
		{"several labels below", "*.attacker.test", "a.b.attacker.test", true},
		{"not the parent", "*.attacker.test", "attacker.test", false},
		{"not a name that ends alike", "*.attacker.test", "notattacker.test", false},
		{"nor one that goes on", "*.attacker.test", "www.attacker.test.example", false},
		{"case does not count", "*.attacker.test", "WWW.Attacker.TEST", true},
		{"nor does the root's dot", "*.attacker.test", "www.attacker.test.", true},
		{"an exact name", "pypi.org", "pypi.org", true},
		{"not what is below it", "pypi.org", "files.pypi.org", false},
		{"a wildcard of nothing matches nothing", "*.", "pypi.org", false},
		{"a star elsewhere is no wildcard", "py*.org", "pypi.org", false},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			d := policy.MustParseDestination(tt.name)
			if got := denylist(tt.pattern).Judge(d).Verdict == policy.Blocked; got != tt.want {
				t.Errorf("denylist %q matches %q: got %v, want %v", tt.pattern, tt.name, got, tt.want)
			}
			if got := allowlist(tt.pattern).Judge(d).Verdict == policy.Allowed; got != tt.want {
				t.Errorf("allowlist %q matches %q: got %v, want %v", tt.pattern, tt.name, got, tt.want)
			}
		})
	}
}
