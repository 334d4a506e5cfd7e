package trial

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways-lab/attempt"
	"sixways/fixture"
	"sixways/policy"
)

// asExpected is a result in which just what is expected of the build occurs.
func asExpected(b Build, s fixture.Settings) Result {
	r := b.result(s, make([]Passage, len(attempt.Ways())))
	expected := b.Expected(s)
	for i := range r.Cells {
		c := &r.Cells[i]
		ways := slices.DeleteFunc(slices.Clone(attempt.Ways()), func(w attempt.Way) bool { return w.Destination != c.Destination })
		for j := range c.Ways {
			c.Ways[j].Way = ways[j].ID
			differs := slices.ContainsFunc(expected, func(d Difference) bool { return d.Destination == c.Destination && d.Way == ways[j].ID })
			if (c.Model == policy.Allowed) != differs {
				c.Ways[j].Verdict = policy.Allowed
			}
		}
	}
	return r
}

func TestCheckAcceptsWhatIsExpected(t *testing.T) {
	for _, b := range Builds() {
		for _, s := range fixture.All() {
			if err := b.Check(asExpected(b, s)); err != nil {
				t.Error(err)
			}
		}
	}
}

// Turning any way of any cell round is noticed, but for ways beside the one
// that the model means where the model says allowed anyway.
func TestCheckNoticesEveryChange(t *testing.T) {
	for _, b := range Builds() {
		for _, s := range fixture.All() {
			r := asExpected(b, s)
			for i, c := range r.Cells {
				for j, p := range c.Ways {
					if c.Model == policy.Allowed && !p.Meant {
						continue
					}
					turn(&r.Cells[i].Ways[j])
					err := b.Check(r)
					turn(&r.Cells[i].Ways[j])
					checkNotice(t, b, s, Difference{c.Destination, p.Way, c.Model == policy.Allowed}, err)
				}
			}
		}
	}
}

func turn(p *Passage) { p.Verdict = policy.Allowed - p.Verdict }

func checkNotice(t *testing.T, b Build, s fixture.Settings, d Difference, err error) {
	t.Helper()
	want := "no known difference says so"
	if slices.Contains(b.Expected(s), d) {
		want = "did not occur"
	}
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), d.String()) {
		t.Errorf("build %s at %s: %v; want %q and %q in it", b.Name, s, err, d, want)
	}
}

// A line of the list that speaks of nothing would go unnoticed for ever.
func TestKnownDifferencesSpeakOfSomething(t *testing.T) {
	for _, k := range known {
		for _, name := range k.Builds {
			b, ok := Find(name)
			if !ok {
				t.Errorf("%s: build %q is unknown", k.Destination, name)
			}
			if b.Faithful && slices.Contains(k.Ways, attempt.Meant) {
				t.Errorf("%s: build %s is faithful and must not differ on the way that the model means", k.Destination, name)
			}
		}
		for _, id := range k.Ways {
			if !slices.ContainsFunc(attempt.Ways(), func(w attempt.Way) bool { return w.ID == id && w.Destination == k.Destination }) {
				t.Errorf("%s: way %q is unknown", k.Destination, id)
			}
		}
		if k.Cells() == 0 || k.Cause == "" || len(k.Builds) == 0 || len(k.Ways) == 0 {
			t.Errorf("%+v: want builds, ways, cells and a cause", k)
		}
		for condition := range strings.FieldsSeq(k.Where) {
			key, values, _ := strings.Cut(condition, "=")
			for value := range strings.SplitSeq(values, "|") {
				if err := new(fixture.Settings).Set(key, value); err != nil {
					t.Errorf("%s where %q: %v", k.Destination, k.Where, err)
				}
			}
		}
	}
}

// Every attempt has the way that the model means, and no way stands twice.
func TestWays(t *testing.T) {
	var got []string
	seen := map[[2]string]bool{}
	for _, w := range attempt.Ways() {
		if key := [2]string{w.Destination, w.ID}; seen[key] {
			t.Errorf("%s %s stands twice", w.Destination, w.ID)
		} else {
			seen[key] = true
		}
		if w.ID == attempt.Meant {
			got = append(got, w.Destination)
		}
	}
	var want []string
	for _, a := range fixture.Scenario().Attempts {
		want = append(want, a.Destination.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("destinations with a way that is meant (-want +got):\n%s", diff)
	}
}
