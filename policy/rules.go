package policy

import (
	"fmt"
	"net/netip"
	"strings"
)

// Rule is one line of a policy: what it says, and why it decides as it does.
type Rule struct {
	// Text is the rule in short, such as "Denylist *.attacker.test".
	Text string
	// Because is the reason as one plain sentence; "{destination}" in it
	// stands for the destination at hand.
	Because string
	// Fix is the smallest change to the place of origin that turns the verdict,
	// as an order without a full stop, "{destination}" as above; "" where there
	// is none.
	Fix string
	// Origin says whose rule it is.
	Origin Origin
}

// OriginKind tells where a rule comes from.
type OriginKind uint8

const (
	// OriginControl is a control that the reader can set.
	OriginControl OriginKind = iota
	// OriginFile is a line of a policy file.
	OriginFile
	// OriginEnforcer is what an enforcer always does, whatever it is told.
	OriginEnforcer
)

// Origin is the place that a rule comes from.
type Origin struct {
	Kind OriginKind
	// Name is the control's label, the file's name, or the enforcer's source.
	Name string
	// Line and Column count from 1 in a file, and are 0 elsewhere.
	Line, Column int
}

// String says whose rule it is: the place in the file as "name:line:column", the
// control by its label, or the enforcer by the source of what it does; "" where
// the origin has no name.
func (o Origin) String() string {
	switch {
	case o.Name == "":
		return ""
	case o.Kind == OriginFile:
		return fmt.Sprintf("%s:%d:%d", o.Name, o.Line, o.Column)
	case o.Kind == OriginEnforcer:
		return "what the enforcer always does (" + o.Name + ")"
	}
	return "the control “" + o.Name + "”"
}

// Ruling is a verdict and the rule that gave it. The zero Ruling blocks.
type Ruling struct {
	Verdict Verdict
	Rule    Rule
}

// HostRules is a list that a proxy or a resolver consults. Implementations
// must be safe for concurrent use: Judge reads only.
//
// This package has [Denylist] and [Allowlist]; policy file formats, whose
// normalisation and wildcards all differ, bring their own.
type HostRules interface {
	// Judge says what the list says of a destination.
	Judge(Destination) Ruling
}

// Denylist lets everything out but the names that it holds.
type Denylist struct {
	// Names are host names in lower case. "*.example.com" stands for every
	// name below example.com at any depth, and not for example.com itself.
	Names []string
	// Listed refuses a name that is on the list, Unlisted lets another name
	// out, and Nameless lets out an address, which has no name to match.
	Listed, Unlisted, Nameless Rule
}

// Judge implements [HostRules].
func (l *Denylist) Judge(d Destination) Ruling {
	switch {
	case d.Name() == "":
		return Ruling{Allowed, l.Nameless}
	case anyMatches(l.Names, d.Name()):
		return Ruling{Blocked, l.Listed}
	}
	return Ruling{Allowed, l.Unlisted}
}

// Allowlist lets out the names that it holds and nothing else.
type Allowlist struct {
	// Names are as in [Denylist].
	Names []string
	// Listed lets a name out that is on the list. Unlisted refuses another
	// name, and Nameless an address.
	Listed, Unlisted, Nameless Rule
}

// Judge implements [HostRules].
func (l *Allowlist) Judge(d Destination) Ruling {
	switch {
	case d.Name() == "":
		return Ruling{Blocked, l.Nameless}
	case anyMatches(l.Names, d.Name()):
		return Ruling{Allowed, l.Listed}
	}
	return Ruling{Blocked, l.Unlisted}
}

func anyMatches(patterns []string, name string) bool {
	for _, p := range patterns {
		if matches(p, name) {
			return true
		}
	}
	return false
}

func matches(pattern, name string) bool {
	parent, wildcard := strings.CutPrefix(pattern, "*.")
	if !wildcard {
		return pattern == name
	}
	child, below := strings.CutSuffix(name, parent)
	return below && len(child) > 1 && child[len(child)-1] == '.'
}

// AddressFilter drops packets by address, before any proxy sees them.
type AddressFilter struct {
	// Drops are the address ranges that do not pass; empty drops nothing.
	Drops []netip.Prefix
	// Rule is named when one of them is met.
	Rule Rule
}

// Blocks reports whether the filter drops packets to d. A host name passes: a
// packet filter knows addresses only.
func (f *AddressFilter) Blocks(d Destination) bool {
	for _, p := range f.Drops {
		if p.Contains(d.Addr()) {
			return true
		}
	}
	return false
}
