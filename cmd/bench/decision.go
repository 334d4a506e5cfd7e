package main

import (
	"fmt"
	"testing"

	acl "github.com/stripe/smokescreen/pkg/smokescreen/acl/v1"

	"sixways/fixture"
	"sixways/policy"
)

// The decision that both engines are asked for: may the task reach its API
// under a list that holds nothing else?
const service = "task"

func sixwaysBoundary() (*policy.Boundary, policy.Attempt) {
	s := fixture.Settings{Policy: fixture.Allowlist, TaskAPI: true}
	return s.Boundary(), fixture.Scenario().Attempts[0]
}

func smokescreenACL() *acl.ACL {
	return &acl.ACL{Rules: map[string]acl.Rule{
		service: {Policy: acl.Enforce, DomainGlobs: []string{fixture.PartnerAPI}},
	}}
}

// Sinks of the benchmarks.
var (
	decision    policy.Decision
	aclDecision acl.Decision
)

// benchmarkSixways decides a destination that was parsed once.
func benchmarkSixways(b *testing.B) {
	boundary, attempt := sixwaysBoundary()
	b.ReportAllocs()
	for b.Loop() {
		decision = boundary.Decide(attempt)
	}
}

// benchmarkSixwaysText parses the destination every time, as Smokescreen does.
func benchmarkSixwaysText(b *testing.B) {
	boundary, attempt := sixwaysBoundary()
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if attempt.Destination, err = policy.ParseDestination(fixture.PartnerAPI); err != nil {
			b.Fatal(err)
		}
		decision = boundary.Decide(attempt)
	}
}

func benchmarkSmokescreen(b *testing.B) {
	list := smokescreenACL()
	args := acl.DecideArgs{Service: service, Host: fixture.PartnerAPI}
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if aclDecision, err = list.Decide(args); err != nil {
			b.Fatal(err)
		}
	}
}

// referenceDecision is how long Smokescreen's decision took, in nanoseconds, on
// the machine on which the budgets were set.
const referenceDecision = 616

// engineRows measures one decision of both engines. What Smokescreen's takes
// also tells how much slower this machine is than the one of the budgets.
func engineRows() (rows []row, slowness float64) {
	ours := testing.Benchmark(benchmarkSixways)
	text := testing.Benchmark(benchmarkSixwaysText)
	theirs := testing.Benchmark(benchmarkSmokescreen)
	return []row{
		{"one decision", perOp(ours), perOp(theirs), "< 100 ns, 0 allocations",
			verdict(ours.NsPerOp() < 100 && ours.AllocsPerOp() == 0)},
		{"one decision, destination parsed each time", perOp(text), perOp(theirs), "", ""},
	}, float64(theirs.NsPerOp()) / referenceDecision
}

func perOp(r testing.BenchmarkResult) string {
	return fmt.Sprintf("%d ns, %d allocations", r.NsPerOp(), r.AllocsPerOp())
}
