package document

import (
	"fmt"
	"slices"
	"strings"

	"sixways/policy"
)

// UnknownKeys finds the members of a map whose keys are not known, and those
// that are given twice. Where says whose map it is, such as "network"; ignoring
// says who passes over an unknown key.
func UnknownKeys(n *Node, where, ignoring string, known ...string) []policy.Finding {
	if n == nil || n.Kind != Map {
		return nil
	}
	var found []policy.Finding
	seen := make(map[string]int, len(n.Fields))
	for _, f := range n.Fields {
		if first, twice := seen[f.Key]; twice {
			found = append(found, f.Finding(policy.SeverityWarning,
				fmt.Sprintf("The key %q stands in %s a second time; the first is on line %d, and this one counts.", Clip(f.Key), where, first),
				fmt.Sprintf("remove the key %q on line %d", Clip(f.Key), first)))
		}
		seen[f.Key] = f.Line
		if !slices.Contains(known, f.Key) {
			found = append(found, f.Finding(policy.SeverityWarning,
				fmt.Sprintf("The key %q is not known in %s, and %s passes over it in silence.", Clip(f.Key), where, ignoring),
				fmt.Sprintf("remove the key %q, or spell it as one of %s", Clip(f.Key), quoteList(known))))
		}
	}
	return found
}

// Finding makes a finding about a place.
func (p Position) Finding(s policy.Severity, message, fix string) policy.Finding {
	return policy.Finding{Severity: s, Line: p.Line, Column: p.Column, Message: message, Fix: fix}
}

// Clip shortens what a message quotes from a file to its first line and 80
// characters.
func Clip(s string) string {
	const most = 80
	line, _, cut := strings.Cut(s, "\n")
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
