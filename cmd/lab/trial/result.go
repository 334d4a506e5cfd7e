package trial

import (
	"sixways-lab/attempt"
	"sixways/fixture"
	"sixways/policy"
)

// Result is what one setting of a build came to, attempt by attempt in the
// fixture's order.
type Result struct {
	Build    string
	Settings fixture.Settings
	Cells    []Cell
}

// Cell is one attempt.
type Cell struct {
	Destination string
	// Model is the engine's decision.
	Model policy.Verdict
	Ways  []Passage
}

// Passage is what came of one way of an attempt.
type Passage struct {
	Way  string
	Text string
	// Meant tells the way that the model speaks of.
	Meant   bool
	Verdict policy.Verdict
	// Detail is what its sender saw.
	Detail string
}

func (b Build) result(s fixture.Settings, passages []Passage) Result {
	r := Result{Build: b.Name, Settings: s}
	for _, d := range fixture.Run(s).Decisions {
		cell := Cell{Destination: d.Attempt.Destination.String(), Model: d.Verdict}
		meant := b.meantWay(s, cell.Destination)
		for i, w := range attempt.Ways() {
			if w.Destination == cell.Destination {
				p := passages[i]
				p.Meant = w.ID == meant
				cell.Ways = append(cell.Ways, p)
			}
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}
