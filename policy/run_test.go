package policy_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
)

// two is a run of two attempts: one that the task needs, out at 10, and one
// that it does not, blocked at 20; the verdict falls at 30.
func two() policy.Run {
	return policy.Run{
		Decisions: []policy.Decision{
			{Verdict: policy.Allowed, Attempt: policy.Attempt{Needed: true, Departs: 5, At: 10}},
			{Verdict: policy.Blocked, Attempt: policy.Attempt{Departs: 12, At: 20}},
		},
		VerdictAt: 30,
	}
}

func TestScenarioRun(t *testing.T) {
	s := policy.Scenario{
		Attempts:  []policy.Attempt{https("pypi.org"), http("127.0.0.1")},
		VerdictAt: 30,
	}
	run := s.Run(open(all(allowTask, ownLoopback)))
	if run.VerdictAt != 30 {
		t.Errorf("verdict at %d", run.VerdictAt)
	}
	var got []outcome
	for i, d := range run.Decisions {
		if d.Attempt != s.Attempts[i] {
			t.Errorf("decision %d is on %v", i, d.Attempt)
		}
		got = append(got, outcome{d.Verdict, d.Layer, d.Rule.Text})
	}
	want := []outcome{refused(policy.LayerProxy, "not listed"), refused(policy.LayerNamespace, "own loopback")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}

func TestMetrics(t *testing.T) {
	decided := func(v policy.Verdict, needed bool) policy.Decision {
		return policy.Decision{Verdict: v, Attempt: policy.Attempt{Needed: needed}}
	}
	tests := []struct {
		because string
		run     []policy.Decision
		want    policy.Metrics
	}{
		{"nothing tried, nothing out, nothing missed", nil,
			policy.Metrics{Contained: true, TaskWorks: true}},
		{"out and not needed is unwanted", []policy.Decision{decided(policy.Allowed, false)},
			policy.Metrics{Unwanted: 1, TaskWorks: true}},
		{"out and needed is the task", []policy.Decision{decided(policy.Allowed, true)},
			policy.Metrics{NeededAllowed: 1, Needed: 1, Contained: true, TaskWorks: true}},
		{"blocked and needed fails the task", []policy.Decision{decided(policy.Blocked, true), decided(policy.Allowed, true)},
			policy.Metrics{NeededAllowed: 1, Needed: 2, Blocked: 1, Contained: true}},
		{"blocked and not needed is contained", []policy.Decision{decided(policy.Blocked, false)},
			policy.Metrics{Blocked: 1, Contained: true, TaskWorks: true}},
		{"a verdict that is none counts as blocked", []policy.Decision{decided(9, false)},
			policy.Metrics{Blocked: 1, Contained: true, TaskWorks: true}},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			if diff := cmp.Diff(tt.want, policy.Run{Decisions: tt.run}.Metrics()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An event has happened from its own second on. Next and Previous never name
// the second at hand.
func TestReplay(t *testing.T) {
	const none = -1
	tests := []struct {
		because              string
		second               float64
		seen, next, previous int
	}{
		{"before the start", -1, 0, 10, none},
		{"the start", 0, 0, 10, none},
		{"just before an event", 9.999, 0, 10, none},
		{"at an event", 10, 1, 20, none},
		{"just after it", 10.001, 1, 20, 10},
		{"between two", 15, 1, 20, 10},
		{"at the next", 20, 2, 30, 10},
		{"at the verdict", 30, 3, none, 20},
		{"after the verdict", 31, 3, none, 30},
		{"the end", policy.Duration, 3, none, 30},
		{"no second at all", math.NaN(), 0, 10, none},
	}
	found := func(second int, ok bool) int {
		if !ok {
			return none
		}
		return second
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			run := two()
			if got := run.Seen(tt.second); got != tt.seen {
				t.Errorf("Seen: got %d, want %d", got, tt.seen)
			}
			if got := found(run.Next(tt.second)); got != tt.next {
				t.Errorf("Next: got %d, want %d", got, tt.next)
			}
			if got := found(run.Previous(tt.second)); got != tt.previous {
				t.Errorf("Previous: got %d, want %d", got, tt.previous)
			}
		})
	}
}

// An attempt waits in the code, travels, and is decided.
func TestSnapshot(t *testing.T) {
	waiting := policy.Progress{}
	travelling := func(way float64) policy.Progress { return policy.Progress{Phase: policy.Travelling, Way: way} }
	decided := policy.Progress{Phase: policy.Decided, Way: 1}
	tests := []struct {
		because string
		second  float64
		want    policy.Snapshot
	}{
		{"the start", 0, policy.Snapshot{Attempts: []policy.Progress{waiting, waiting}}},
		{"one departs", 5, policy.Snapshot{Attempts: []policy.Progress{travelling(0), waiting}}},
		{"half way", 7.5, policy.Snapshot{Attempts: []policy.Progress{travelling(0.5), waiting}}},
		{"one is decided", 10, policy.Snapshot{Seen: 1, Attempts: []policy.Progress{decided, waiting}}},
		{"the other travels", 18, policy.Snapshot{Seen: 1, Attempts: []policy.Progress{decided, travelling(0.75)}}},
		{"both are decided", 20, policy.Snapshot{Seen: 2, Attempts: []policy.Progress{decided, decided}}},
		{"the verdict", 30, policy.Snapshot{Seen: 3, Over: true, Attempts: []policy.Progress{decided, decided}}},
		{"the end", policy.Duration, policy.Snapshot{Seen: 3, Over: true, Attempts: []policy.Progress{decided, decided}}},
		{"no second at all", math.NaN(), policy.Snapshot{Attempts: []policy.Progress{waiting, waiting}}},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			if diff := cmp.Diff(tt.want, two().Snapshot(tt.second)); diff != "" {
				t.Errorf("at %v (-want +got):\n%s", tt.second, diff)
			}
		})
	}
}

// An attempt may be decided the moment it departs.
func TestSnapshotWithoutTravel(t *testing.T) {
	run := policy.Run{Decisions: []policy.Decision{{Attempt: policy.Attempt{Departs: 4, At: 4}}}, VerdictAt: 5}
	if got := run.Snapshot(4).Attempts[0]; got.Phase != policy.Decided || got.Way != 1 {
		t.Errorf("got %+v", got)
	}
}
