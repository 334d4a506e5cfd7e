package document

import (
	"fmt"
	"slices"
	"strings"

	"sixways/policy"
)

// Findings collects what a reader finds, a hundred of each severity: a file with
// the same mistake on each line must not bury its reader. The zero Findings is
// empty.
type Findings struct {
	all   []policy.Finding
	count [policy.SeverityNote + 1]int
}

const mostFindings = 100

// Add puts a finding about a place to the others.
func (f *Findings) Add(at Position, s policy.Severity, message, fix string) {
	if f.count[s]++; f.count[s] <= mostFindings {
		f.all = append(f.all, at.Finding(s, message, fix))
	}
}

// All returns the findings in the order in which they were added, and behind
// them how many more there were of a severity.
func (f *Findings) All() []policy.Finding {
	all := slices.Clone(f.all)
	for s, n := range f.count {
		if n > mostFindings {
			all = append(all, policy.Finding{Severity: policy.Severity(s), Message: fmt.Sprintf("There are %d more findings like these.", n-mostFindings)})
		}
	}
	return all
}

// Finding makes a finding about a place.
func (p Position) Finding(s policy.Severity, message, fix string) policy.Finding {
	return policy.Finding{Severity: s, Line: p.Line, Column: p.Column, Message: message, Fix: fix}
}

// UnknownKeys adds the members of a map whose keys are not known, and those that
// are given twice, but not what only overrides a merged one. Where says whose map
// it is, such as "network"; ignoring says who passes over an unknown key.
func (f *Findings) UnknownKeys(n *Node, where, ignoring string, known ...string) {
	if n == nil {
		return
	}
	seen := make(map[string]Field, len(n.Fields))
	list := quoteList(known)
	for _, m := range n.Fields {
		key := Clip(m.Key)
		if first, twice := seen[m.Key]; twice && !first.Merged {
			f.Add(m.Position, policy.SeverityWarning,
				fmt.Sprintf("The key %q stands in %s a second time; the first is on line %d, and this one counts.", key, where, first.Line),
				fmt.Sprintf("remove the key %q on line %d", key, first.Line))
		} else if !slices.Contains(known, m.Key) {
			f.Add(m.Position, policy.SeverityWarning,
				fmt.Sprintf("The key %q is not known in %s, and %s passes over it in silence.", key, where, ignoring),
				fmt.Sprintf("remove the key %q, or spell it as one of %s", key, list))
		}
		seen[m.Key] = m
	}
}

// Clip shortens what a message quotes from a file to its first line and 80
// characters, and has none that controls a terminal.
func Clip(s string) string {
	const most = 80
	line, _, cut := strings.Cut(s, "\n")
	line = strings.Map(func(r rune) rune {
		if r < ' ' || 0x7f <= r && r <= 0x9f {
			return '\ufffd'
		}
		return r
	}, line)
	if runes := []rune(line); len(runes) > most {
		line, cut = string(runes[:most]), true
	}
	if cut {
		line += "…"
	}
	return line
}

func quoteList(words []string) string {
	const most = 8
	text := ""
	for i, w := range words {
		if i == most {
			return text + ", …"
		}
		if i > 0 {
			text += ", "
		}
		text += w
	}
	return text
}
