package trial

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sixways-lab/attempt"
	"sixways/fixture"
	"sixways/policy"
)

// Difference is a way that a build and the model see differently.
type Difference struct {
	Destination string
	Way         string
	// Shut tells the way that the model means and says allowed, and that did
	// not get through; else the way got through though the model says blocked.
	Shut bool
}

// String writes the difference as one line of a list.
func (d Difference) String() string {
	what := "open"
	if d.Shut {
		what = "shut"
	}
	return fmt.Sprintf("%s by %s is %s", d.Destination, d.Way, what)
}

// Differences returns what differs in a result, in the order of the ways.
func (r Result) Differences() []Difference {
	var list []Difference
	for _, cell := range r.Cells {
		list = append(list, cell.Differences()...)
	}
	return list
}

// Differences returns what differs in the cell.
func (c Cell) Differences() []Difference {
	var list []Difference
	for _, p := range c.Ways {
		d := Difference{Destination: c.Destination, Way: p.Way, Shut: c.Model == policy.Allowed}
		if p.Verdict != c.Model && (p.Meant || !d.Shut) {
			list = append(list, d)
		}
	}
	return list
}

// Meant returns what came of the way that the model means.
func (c Cell) Meant() Passage {
	return c.Ways[slices.IndexFunc(c.Ways, func(p Passage) bool { return p.Meant })]
}

// Known is a difference that is expected, with its cause.
type Known struct {
	// Builds, Destination and Ways say where it is seen.
	Builds      []string
	Destination string
	Ways        []string
	// Where holds the settings in which it is seen, as key=value or
	// key=value|value; those that it does not name may be anything. Of these
	// only the ones count in which the model says otherwise.
	Where string
	// Shut tells that the model says allowed and the build blocks.
	Shut  bool
	Cause string
}

// holds reports whether the difference is expected at the settings.
func (k Known) holds(s fixture.Settings) bool {
	for condition := range strings.FieldsSeq(k.Where) {
		key, values, _ := strings.Cut(condition, "=")
		if !slices.Contains(strings.Split(values, "|"), s.Value(key)) {
			return false
		}
	}
	for _, d := range fixture.Run(s).Decisions {
		if d.Attempt.Destination.String() == k.Destination {
			return (d.Verdict == policy.Allowed) == k.Shut
		}
	}
	return false
}

// Check reports where a result and the list of known differences part: a
// difference that is not listed, or a listed one that did not occur.
func (b Build) Check(r Result) error {
	var errs []error
	expected, seen := b.Expected(r.Settings), r.Differences()
	for _, d := range seen {
		if !slices.Contains(expected, d) {
			errs = append(errs, b.errorf(r.Settings, fmt.Errorf("%s, and no known difference says so", d)))
		}
	}
	for _, d := range expected {
		if !slices.Contains(seen, d) {
			errs = append(errs, b.errorf(r.Settings, fmt.Errorf("it is a known difference that %s, and it did not occur", d)))
		}
	}
	return errors.Join(errs...)
}

// Cells counts the settings in which the difference is expected.
func (k Known) Cells() int {
	n := 0
	for _, s := range fixture.All() {
		if k.holds(s) {
			n++
		}
	}
	return n
}

// Expected returns the differences that are expected of a build at some
// settings, in the order of [Result.Differences].
func (b Build) Expected(s fixture.Settings) []Difference {
	var list []Difference
	for _, w := range attempt.Ways() {
		for _, k := range known {
			if k.Destination == w.Destination && slices.Contains(k.Builds, b.Name) && slices.Contains(k.Ways, w.ID) && k.holds(s) {
				list = append(list, Difference{w.Destination, w.ID, k.Shut})
			}
		}
	}
	return list
}
