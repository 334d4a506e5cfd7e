package main

import (
	"testing"

	acl "github.com/stripe/smokescreen/pkg/smokescreen/acl/v1"

	"sixways/fixture"
	"sixways/policy"
)

func BenchmarkDecideSixways(b *testing.B)     { benchmarkSixways(b) }
func BenchmarkDecideSixwaysText(b *testing.B) { benchmarkSixwaysText(b) }
func BenchmarkDecideSmokescreen(b *testing.B) { benchmarkSmokescreen(b) }

// The two engines are asked the same: they answer the same, for the host on
// the list and for one that is not.
func TestEnginesAgree(t *testing.T) {
	boundary, attempt := sixwaysBoundary()
	list := smokescreenACL()
	for host, want := range map[string]bool{fixture.PartnerAPI: true, fixture.PackageIndex: false} {
		attempt.Destination = policy.MustParseDestination(host)
		if got := boundary.Decide(attempt).Verdict == policy.Allowed; got != want {
			t.Errorf("sixways lets %s out: %v", host, got)
		}
		d, err := list.Decide(acl.DecideArgs{Service: service, Host: host})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Result == acl.Allow; got != want {
			t.Errorf("Smokescreen lets %s out: %v", host, got)
		}
	}
}
