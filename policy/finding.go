package policy

import "fmt"

// Severity says how much a finding matters. Severities compare: a smaller one
// matters more.
type Severity uint8

const (
	// SeverityRefused: the enforcer refuses the file, so nothing of it holds.
	SeverityRefused Severity = iota
	// SeverityUnenforced: written, but not enforced as written.
	SeverityUnenforced
	// SeverityOpen: a way out that nothing needs is open.
	SeverityOpen
	// SeverityBroken: something that the task needs is closed.
	SeverityBroken
	// SeverityWarning: it holds, with a weakness beside it.
	SeverityWarning
	// SeverityNote: worth knowing, nothing to repair.
	SeverityNote
)

var severityNames = [...]string{
	SeverityRefused:    "refused",
	SeverityUnenforced: "unenforced",
	SeverityOpen:       "open",
	SeverityBroken:     "broken",
	SeverityWarning:    "warning",
	SeverityNote:       "note",
}

// String returns the severity in one word.
func (s Severity) String() string {
	if int(s) < len(severityNames) {
		return severityNames[s]
	}
	return fmt.Sprintf("Severity(%d)", uint8(s))
}

// MarshalText writes the word that String returns; a Severity that is none of
// the constants is an error.
func (s Severity) MarshalText() ([]byte, error) {
	if int(s) >= len(severityNames) {
		return nil, fmt.Errorf("severity %d: want 0 to %d", uint8(s), len(severityNames)-1)
	}
	return []byte(s.String()), nil
}

// UnmarshalText reads a word that String writes.
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range severityNames {
		if string(text) == name {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("severity %q: want one of %q", text, severityNames)
}

// Finding is what a reader has to say about a place in a policy file.
type Finding struct {
	Severity Severity `json:"severity"`
	// Line and Column count from 1, columns in characters; both are 0 where the
	// finding is about no place in the file.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Message says what is the matter, as one or two plain sentences.
	Message string `json:"message"`
	// Fix is the smallest change that closes it; "" where there is none.
	Fix string `json:"fix"`
}
