package main

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sixways-lab/attempt"
	"sixways-lab/outer"
	"sixways-lab/trial"
	"sixways/fixture"
	"sixways/policy"
)

// TestLab holds the model against every build at every setting, and the list
// of known differences against what is seen.
func TestLab(t *testing.T) {
	inside(t)
	lab := newLab(t)
	var all survey
	for _, b := range trial.Builds() {
		t.Run(b.Name, func(t *testing.T) {
			if b.SharedNamespace {
				privileged(t)
			}
			for _, s := range fixture.All() {
				t.Run(s.String(), func(t *testing.T) {
					t.Parallel()
					all.add(holdSetting(t, lab, b, s))
				})
			}
		})
	}
	if t.Failed() {
		return
	}
	t.Run("cells", all.testCells)
	t.Run("mutations", all.testMutations)
	t.Run("dead ways", all.testDeadWays)
	t.Run("checked-in results", all.testCheckedIn)
}

// holdSetting compares one setting of a build with what is expected of it. On
// the way that the model means, a faithful build has nothing to expect.
func holdSetting(t *testing.T, lab *trial.Lab, b trial.Build, s fixture.Settings) trial.Result {
	r, err := lab.Run(b, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Check(r); err != nil {
		t.Error(err)
	}
	if !b.Faithful {
		return r
	}
	for _, c := range r.Cells {
		if got := c.Meant(); got.Verdict != c.Model {
			t.Errorf("%s %s: %s (%s), the model says %s", c.Destination, got.Text, got.Verdict, got.Detail, c.Model)
		}
	}
	return r
}

func newLab(t *testing.T) *trial.Lab {
	t.Helper()
	lab, err := trial.New()
	if err != nil {
		t.Fatal(err)
	}
	return lab
}

// survey collects results from parallel tests.
type survey struct {
	mu      sync.Mutex
	results []trial.Result
}

func (v *survey) add(r trial.Result) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.results = append(v.results, r)
}

// cells calls f for every cell of a build.
func (v *survey) cells(build string, f func(fixture.Settings, trial.Cell)) {
	for _, r := range v.results {
		for _, c := range r.Cells {
			if r.Build == build {
				f(r.Settings, c)
			}
		}
	}
}

// No cell may have gone missing on the way.
func (v *survey) testCells(t *testing.T) {
	for _, b := range trial.Builds() {
		if b.SharedNamespace && !outer.Privileged() {
			continue
		}
		n := 0
		v.cells(b.Name, func(fixture.Settings, trial.Cell) { n++ })
		if n != 288 {
			t.Errorf("build %s: %d cells; want 288", b.Name, n)
		}
	}
}

// A build with a mistake must differ where the mistake is, in cells in which
// neither faithful proxy differs; or the lab would not have seen it.
func (v *survey) testMutations(t *testing.T) {
	mistakes := map[string]string{
		trial.AsShipped:       fixture.Metadata,
		trial.Advised:         fixture.PackageIndex,
		trial.ForwardOnly:     fixture.Metadata,
		trial.HostString:      fixture.Metadata,
		trial.NoRedirect:      fixture.ExfilQuery,
		trial.LoopbackMistake: fixture.Sidecar,
		trial.SquidDst:        fixture.ExfilQuery,
		trial.SNI:             fixture.PackageIndex,
		trial.StubOnLoopback:  fixture.ExfilQuery,
	}
	type place struct {
		settings    fixture.Settings
		destination string
	}
	faithful := map[place]bool{}
	for _, build := range []string{trial.Smokescreen, trial.Goproxy} {
		v.cells(build, func(s fixture.Settings, c trial.Cell) {
			if len(c.Differences()) > 0 {
				faithful[place{s, c.Destination}] = true
			}
		})
	}
	for _, b := range trial.Builds() {
		destination, mistaken := mistakes[b.Name]
		if mistaken == b.Faithful {
			t.Errorf("build %s: want it faithful or its mistake told here", b.Name)
		}
		if b.SharedNamespace && !outer.Privileged() {
			continue
		}
		seen := 0
		v.cells(b.Name, func(s fixture.Settings, c trial.Cell) {
			if c.Destination == destination && len(c.Differences()) > 0 && !faithful[place{s, destination}] {
				seen++
			}
		})
		if mistaken && seen == 0 {
			t.Errorf("build %s: its mistake goes unseen at %s", b.Name, destination)
		}
	}
}

// Each way must be open in some build, or that it is blocked proves nothing.
func (v *survey) testDeadWays(t *testing.T) {
	privileged(t)
	open := map[[2]string]bool{}
	for _, b := range trial.Builds() {
		v.cells(b.Name, func(_ fixture.Settings, c trial.Cell) {
			for _, p := range c.Ways {
				if p.Verdict == policy.Allowed {
					open[[2]string{c.Destination, p.Way}] = true
				}
			}
		})
	}
	for _, w := range attempt.Ways() {
		if !open[[2]string{w.Destination, w.ID}] {
			t.Errorf("%s %s is open in no build", w.Destination, w.Text)
		}
	}
}

// The file that the page shows says what has just been seen, but for the date
// and the versions.
func (v *survey) testCheckedIn(t *testing.T) {
	privileged(t)
	versions, err := trial.FindVersions()
	if err != nil {
		t.Fatal(err)
	}
	got, err := trial.Report(v.results, versions, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	ignored := cmpopts.IgnoreFields(fixture.Lab{}, "Date", "Kernel", "Programs")
	if diff := cmp.Diff(fixture.LabResults(), got, ignored); diff != "" {
		t.Errorf("fixture/lab.json (-) is not what the lab sees (+); run `sixways-lab report --out ../../fixture/lab.json`:\n%s", diff)
	}
	var names, want []string
	for name := range fixture.LabResults().Programs {
		names = append(names, name)
	}
	for name := range versions.Programs {
		want = append(want, name)
	}
	slices.Sort(names)
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("programs in fixture/lab.json (-want +got):\n%s", diff)
	}
}

// What “DNS” leaves out in the model's words: with DNS forced, other names
// still carry data away.
func TestOtherNames(t *testing.T) {
	inside(t)
	lab := newLab(t)
	build, _ := trial.Find(trial.Smokescreen)
	const unlisted = "unlisted.example"
	for _, tt := range []struct {
		policy  fixture.Policy
		parent  string
		arrives bool
	}{
		{fixture.Denylist, unlisted, true},
		{fixture.Denylist, fixture.ExfilZone, false},
		{fixture.Allowlist, fixture.PartnerAPI, true},
		{fixture.Allowlist, unlisted, false},
		{fixture.DenyAll, fixture.PartnerAPI, false},
	} {
		t.Run(tt.policy.String()+" "+tt.parent, func(t *testing.T) {
			t.Parallel()
			settings := fixture.Settings{Policy: tt.policy, TaskAPI: true, ForceDNS: true}
			got, err := lab.Carries(build, settings, tt.parent)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.arrives {
				t.Errorf("a query below %s arrives outside: %v, want %v", tt.parent, got, tt.arrives)
			}
		})
	}
}
