package trial

import (
	"fmt"
	"slices"
	"time"

	"sixways-lab/attempt"
	"sixways/fixture"
)

// Report sums up a survey of all builds for the page. It refuses results that
// differ from the known differences: a report says nothing without a cause.
func Report(results []Result, versions Versions, day time.Time) (fixture.Lab, error) {
	l := fixture.Lab{
		Date:        day.UTC().Format(time.DateOnly),
		Kernel:      versions.Kernel,
		Programs:    versions.Programs,
		Rules:       fixture.RulesHash(),
		Cells:       len(fixture.All()) * len(fixture.Scenario().Attempts),
		Assumptions: assumptions,
	}
	for _, b := range Builds() {
		of := slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return r.Build != b.Name })
		summary, err := b.summary(of)
		if err != nil {
			return fixture.Lab{}, err
		}
		l.Builds = append(l.Builds, summary)
	}
	for _, k := range known {
		l.Differences = append(l.Differences, k.report())
	}
	return l, nil
}

func (b Build) summary(results []Result) (fixture.LabBuild, error) {
	if len(results) != len(fixture.All()) {
		return fixture.LabBuild{}, fmt.Errorf("build %s: %d results; want one for each of the %d settings", b.Name, len(results), len(fixture.All()))
	}
	s := fixture.LabBuild{Name: b.Name, Title: b.Title, Faithful: b.Faithful}
	for _, r := range results {
		if err := b.Check(r); err != nil {
			return s, err
		}
		for _, c := range r.Cells {
			if c.Meant().Verdict == c.Model {
				s.Agree++
			}
			if len(c.Differences()) == 0 {
				s.AgreeAnyWay++
			}
		}
	}
	return s, nil
}

func (k Known) report() fixture.LabDifference {
	d := fixture.LabDifference{
		Builds: k.Builds, Destination: k.Destination, Shut: k.Shut,
		Where: k.Where, Cells: k.Cells(), Cause: k.Cause,
	}
	for _, w := range attempt.Ways() {
		if w.Destination == k.Destination && slices.Contains(k.Ways, w.ID) {
			d.Ways = append(d.Ways, w.Text)
		}
	}
	return d
}
