package policy_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
)

// A smaller severity matters more; each has its word, and reads back from it.
func TestSeverity(t *testing.T) {
	words := []string{"refused", "unenforced", "open", "broken", "warning", "note"}
	for i, word := range words {
		s := policy.Severity(i)
		text, err := s.MarshalText()
		if err != nil || string(text) != word || s.String() != word {
			t.Errorf("severity %d is %q, %q, %v; want %q", i, text, s, err, word)
		}
		var back policy.Severity
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%q reads back as %v, %v", text, back, err)
		}
	}
	if _, err := policy.Severity(6).MarshalText(); err == nil || err.Error() != "severity 6: want 0 to 5" {
		t.Errorf("severity 6: %v", err)
	}
	if got := policy.Severity(6).String(); got != "Severity(6)" {
		t.Errorf("severity 6 is %q", got)
	}
	var s policy.Severity
	const want = `severity "grave": want one of ["refused" "unenforced" "open" "broken" "warning" "note"]`
	if err := s.UnmarshalText([]byte("grave")); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The JSON of a finding has every key, whatever is in it.
func TestFindingJSON(t *testing.T) {
	got, err := json.Marshal(policy.Finding{Severity: policy.SeverityNote, Message: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"severity":"note","line":0,"column":0,"message":"m","fix":""}`, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whose rule it is, in words.
func TestOriginString(t *testing.T) {
	tests := []struct {
		because string
		origin  policy.Origin
		want    string
	}{
		{"a file", policy.Origin{Kind: policy.OriginFile, Name: "acl.yaml", Line: 3, Column: 5}, "acl.yaml:3:5"},
		{"a control", policy.Origin{Name: "Force DNS"}, "the control “Force DNS”"},
		{"an enforcer", policy.Origin{Kind: policy.OriginEnforcer, Name: "X 1.0"}, "what the enforcer always does (X 1.0)"},
		{"nobody", policy.Origin{}, ""},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			if got := tt.origin.String(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// A fix speaks of the destination at hand.
func TestFix(t *testing.T) {
	d := policy.Decision{
		Attempt: policy.Attempt{Destination: policy.MustParseDestination("pypi.org")},
		Rule:    policy.Rule{Fix: "add {destination} to the list"},
	}
	if got := d.Fix(); got != "add pypi.org to the list" {
		t.Errorf("%q", got)
	}
}
