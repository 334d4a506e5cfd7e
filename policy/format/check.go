package format

import (
	"cmp"
	"fmt"
	"slices"

	"sixways/policy"
)

// Options is what a check asks of a policy file.
type Options struct {
	// Controls are the controls compiled, for what the file does not speak of.
	// Nil blocks whatever the file leaves to them.
	Controls *policy.Boundary
	// Scenario holds the attempts to decide.
	Scenario policy.Scenario
	// Destinations are tried besides: hosts, host:port, URLs, addresses.
	Destinations []string
}

// Result is what comes of a check.
type Result struct {
	// Boundary is the file compiled. It decides further attempts.
	Boundary *policy.Boundary
	Run      policy.Run
	// Findings stand in the order of their severity, then of the text.
	Findings []policy.Finding
	Trials   []Trial
}

// Ok reports whether nothing unwanted gets out, by the attempts or by what the
// reader found, the task works, and the enforcer takes the file.
func (r Result) Ok() bool {
	return r.Run.Metrics().TaskWorks && !r.Open() && !r.Refused()
}

// Open reports whether there is a way out that nothing needs, be it none of the
// attempts.
func (r Result) Open() bool { return !r.Run.Metrics().Contained || r.has(policy.SeverityOpen) }

// Refused reports whether the enforcer does not take the file.
func (r Result) Refused() bool { return r.has(policy.SeverityRefused) }

func (r Result) has(s policy.Severity) bool {
	return slices.ContainsFunc(r.Findings, func(f policy.Finding) bool { return f.Severity == s })
}

// Check compiles a policy file and decides the attempts and the destinations.
func Check(p Policy, o Options) Result {
	controls := o.Controls
	if controls == nil {
		controls = &policy.Boundary{}
	}
	r := Result{Boundary: p.Boundary(controls)}
	r.Run = o.Scenario.Run(r.Boundary)
	r.Findings = findings(p.Findings(), r.Run)
	for _, input := range o.Destinations {
		r.Trials = append(r.Trials, Try(p, r.Boundary, input))
	}
	return r
}

func findings(read []policy.Finding, run policy.Run) []policy.Finding {
	all := slices.Clone(read)
	for _, d := range run.Decisions {
		// What the task needs may be two of the attempts.
		if f, ok := decisionFinding(d); ok && !slices.Contains(all, f) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b policy.Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}

// decisionFinding is what a decision says that nobody wanted.
func decisionFinding(d policy.Decision) (policy.Finding, bool) {
	f := policy.Finding{Message: d.Reason(), Fix: d.Fix(), Line: d.Rule.Origin.Line, Column: d.Rule.Origin.Column}
	switch {
	case d.Unwanted():
		f.Severity = policy.SeverityOpen
		f.Message = fmt.Sprintf("%s gets out (%s). %s", d.Attempt.Destination.Endpoint(), d.Layer, f.Message)
	case d.Attempt.Needed && d.Verdict == policy.Blocked:
		f.Severity = policy.SeverityBroken
		f.Message = fmt.Sprintf("The task needs %s, which is blocked (%s). %s", d.Attempt.Destination.Endpoint(), d.Layer, f.Message)
	default:
		return f, false
	}
	if f.Fix == "" && d.Rule.Origin.Kind == policy.OriginControl && d.Rule.Origin.Name != "" {
		f.Fix = fmt.Sprintf("no line of the file speaks of it; it stands with %s", d.Rule.Origin)
	}
	return f, true
}
