package app

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
	"sixways/policy"
)

// told is what the picture says of one attempt.
type told struct{ Phase, Verdict, Layer string }

// The picture says of every attempt, at every second and under every setting,
// what the engine says, in both of its forms.
func TestPictureFollowsTheEngine(t *testing.T) {
	for _, s := range fixture.All() {
		run := fixture.Run(s)
		for _, second := range secondsOfInterest(run) {
			page := NewPage()
			page.restore(fixture.State{Settings: s, Second: second, Speed: 1})
			want := wanted(run, float64(second))
			for _, plan := range []*plan{&wide, &tall} {
				drawing := form{page.picture(), plan}.node()
				if diff := cmp.Diff(want, attempts(t, drawing.html())); diff != "" {
					t.Errorf("%v at %d s, %s form (-engine +picture):\n%s", s, second, plan.name, diff)
				}
			}
		}
	}
}

// What is written beside the ways or on one of them lies across no other, in
// either form: the lanes of the others lie outside its box, by as much as the
// line of the latest is wide.
func TestLabelsLieAcrossNoOtherWay(t *testing.T) {
	const room = 6
	for _, test := range []struct {
		label      string
		wide, tall box
		own        int
	}{
		{"the loopback's", wide.roomLabel, tall.roomLabel, 5},
		{"the filter's", wide.filterLabel, tall.filterLabel, 3},
		{"the resolver's", wide.resolver, tall.resolver, 4},
	} {
		for _, form := range []struct {
			plan *plan
			box  box
		}{{&wide, test.wide}, {&tall, test.tall}} {
			for i, lane := range form.plan.lanes {
				if i != test.own && form.box.across-room < lane && lane < form.box.across+form.box.breadth+room {
					t.Errorf("%s label in the %s form, %v, lies on the lane of attempt %d, %v", test.label, form.plan.name, form.box, i, lane)
				}
			}
		}
	}
	lines := wide.proxy.across + wide.proxy.breadth/2
	if above, below := wide.lanes[1]+room/2, wide.lanes[2]-room/2; lines-1.5*lineHeight < above || below < lines+1.5*lineHeight {
		t.Errorf("what is written on the proxy, around %v, has no room between %v and %v", lines, above, below)
	}
}

// secondsOfInterest are the start, the end, every event, and every departure.
func secondsOfInterest(run policy.Run) []int {
	seconds := []int{0, policy.Duration, run.VerdictAt}
	for _, d := range run.Decisions {
		seconds = append(seconds, d.Attempt.Departs, d.Attempt.At-1, d.Attempt.At)
	}
	return seconds
}

func wanted(run policy.Run, second float64) []told {
	var want []told
	for i, p := range run.Snapshot(second).Attempts {
		w := told{Phase: [...]string{"waiting", "travelling", "decided"}[p.Phase]}
		if p.Phase == policy.Decided {
			w.Verdict = run.Decisions[i].Verdict.String()
			w.Layer = run.Decisions[i].Layer.String()
		}
		want = append(want, w)
	}
	return want
}

var (
	group         = regexp.MustCompile(`<g [^>]*data-attempt=[^>]*>`)
	dataAttribute = regexp.MustCompile(`(data-[a-z]+|id)="([^"]*)"`)
)

// attempts reads the attempts' groups out of the picture, by its form.
func attempts(t *testing.T, html string) []told {
	t.Helper()
	all := make([]told, 6)
	found := group.FindAllString(html, -1)
	if len(found) != len(all) {
		t.Fatalf("%d groups of attempts, want %d", len(found), len(all))
	}
	for _, g := range found {
		a := map[string]string{}
		for _, m := range dataAttribute.FindAllStringSubmatch(g, -1) {
			a[m[1]] = m[2]
		}
		i, err := strconv.Atoi(a["data-attempt"])
		if err != nil {
			t.Fatal(err)
		}
		all[i] = told{a["data-phase"], a["data-verdict"], a["data-layer"]}
	}
	return all
}

// The text alternative tells the same as the picture, in words.
func TestPictureText(t *testing.T) {
	tests := []struct {
		rule     string
		settings fixture.Settings
		second   float64
		want     string
	}{
		{"at the start nothing has moved", fixture.Opening(), 0,
			"6 attempts have not left the code."},
		{"an attempt under way is named", fixture.Opening(), 4,
			"Partner API is under way. 5 attempts have not left the code."},
		{"a decision says verdict and layer", fixture.Opening(), 8,
			"Partner API: api.partner.example allowed, by the proxy. 5 attempts have not left the code."},
		{"between the last decision and the verdict nobody is left", fixture.Opening().With(fixture.Change{Key: "policy", Value: "deny-all"}), 50,
			"Partner API: api.partner.example blocked, no route. " +
				"Package index: pypi.org blocked, no route. " +
				"Raw IP address: 203.0.113.10 blocked, no route. " +
				"Cloud metadata: 169.254.169.254 blocked, no route. " +
				"DNS query: " + fixture.ExfilQuery + " blocked, no route. " +
				"Loopback sidecar: 127.0.0.1 allowed, by the network namespace."},
		{"the verdict ends it", fixture.Opening(), 60,
			"Partner API: api.partner.example allowed, by the proxy. " +
				"Package index: pypi.org allowed, by the proxy. " +
				"Raw IP address: 203.0.113.10 allowed, by the proxy. " +
				"Cloud metadata: 169.254.169.254 allowed, by the proxy. " +
				"DNS query: " + fixture.ExfilQuery + " allowed, by the outside resolver. " +
				"Loopback sidecar: 127.0.0.1 allowed, by the network namespace. " +
				"Verdict: Leaking: 5 unwanted ways out; the task works."},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			run := fixture.Run(test.settings)
			travelling, _ := run.Travelling(test.second)
			if diff := cmp.Diff(test.want, pictureText(run, run.Seen(test.second), travelling)); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// An attempt that is allowed ends at its destination; a blocked one ends
// before it, at the layer that decided.
func TestWaysEndWhereTheyAreDecided(t *testing.T) {
	for _, p := range []*plan{&wide, &tall} {
		for _, s := range fixture.All() {
			for i, d := range fixture.Run(s).Decisions {
				way := until(p.road(i, d.Attempt, s.ForceDNS), p.stop(d))
				got := from(way, 1)[0]
				want := point{p.stopsOf()[d.Layer], p.lanes[i]}
				if d.Verdict == policy.Allowed {
					want.along = p.world
				}
				if got != want {
					t.Errorf("%s form, %v, attempt %d (%v by the %v): ends at %v, want %v", p.name, s, i+1, d.Verdict, d.Layer, got, want)
				}
			}
		}
	}
}

func (p *plan) stopsOf() map[policy.Layer]float64 {
	return map[policy.Layer]float64{
		policy.LayerNamespace:      p.room.along + p.room.length*3/4,
		policy.LayerNoRoute:        p.edge,
		policy.LayerLinkLocal:      p.filter.along,
		policy.LayerPolicyResolver: p.resolver.along,
		policy.LayerProxy:          p.proxy.along,
	}
}

func TestAt(t *testing.T) {
	bend := []point{{0, 0}, {10, 0}, {10, 30}}
	for _, test := range []struct {
		share float64
		want  point
	}{{0, point{0, 0}}, {0.25, point{10, 0}}, {0.125, point{5, 0}}, {0.5, point{10, 10}}, {1, point{10, 30}}} {
		if got := from(bend, test.share)[0]; got != test.want {
			t.Errorf("from(%v) begins at %v, want %v", test.share, got, test.want)
		}
	}
}
