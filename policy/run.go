package policy

// Duration is how long a run lasts, in inspection seconds.
const Duration = 60

// Attempt is one try to get out.
type Attempt struct {
	Destination Destination
	Channel     Channel
	// Needed tells that the task cannot work without it.
	Needed bool
	// Departs and At are the seconds, 0 to Duration, at which the attempt
	// leaves the code and at which it meets its decision.
	Departs, At int
}

// Scenario is a list of attempts in the order of their decisions: At never
// falls from one to the next, and the verdict comes after them all.
type Scenario struct {
	Attempts []Attempt
	// VerdictAt is the second, 0 to Duration, of the verdict on the whole.
	VerdictAt int
}

// Run meets a boundary with every attempt of the scenario.
func (s Scenario) Run(b *Boundary) Run {
	r := Run{Decisions: make([]Decision, len(s.Attempts)), VerdictAt: s.VerdictAt}
	for i, a := range s.Attempts {
		r.Decisions[i] = b.Decide(a)
	}
	return r
}

// Run is a scenario decided: a pure function of scenario and boundary.
type Run struct {
	Decisions []Decision
	VerdictAt int
}

// Metrics are the figures of a whole run.
type Metrics struct {
	// Unwanted counts what got out that the task does not need.
	Unwanted int `json:"unwanted"`
	// NeededAllowed of Needed attempts that the task needs got out.
	NeededAllowed int `json:"needed_allowed"`
	Needed        int `json:"needed"`
	// Blocked counts all that did not get out, needed or not.
	Blocked int `json:"blocked"`
	// Contained says that nothing unwanted got out, TaskWorks that everything
	// needed did.
	Contained bool `json:"contained"`
	TaskWorks bool `json:"task_works"`
}

// Metrics counts the run's decisions.
func (r Run) Metrics() Metrics {
	var m Metrics
	for _, d := range r.Decisions {
		if d.Attempt.Needed {
			m.Needed++
		}
		switch {
		case d.Verdict != Allowed:
			m.Blocked++
		case d.Attempt.Needed:
			m.NeededAllowed++
		default:
			m.Unwanted++
		}
	}
	m.Contained = m.Unwanted == 0
	m.TaskWorks = m.NeededAllowed == m.Needed
	return m
}

// Events returns how many events a whole run has: a decision for each attempt
// and the verdict.
func (r Run) Events() int { return len(r.Decisions) + 1 }

// EventAt returns the second of event i, counted from 0; the last one is the
// verdict.
func (r Run) EventAt(i int) int {
	if i == len(r.Decisions) {
		return r.VerdictAt
	}
	return r.Decisions[i].Attempt.At
}

// Seen returns how many events have happened at a second, the one that happens
// just then included.
func (r Run) Seen(second float64) int {
	n := 0
	for n < r.Events() && float64(r.EventAt(n)) <= second {
		n++
	}
	return n
}

// Next returns the second of the first event after the given one, and false
// where there is none.
func (r Run) Next(second float64) (int, bool) {
	if n := r.Seen(second); n < r.Events() {
		return r.EventAt(n), true
	}
	return 0, false
}

// Previous returns the second of the last event before the given one, and
// false where there is none.
func (r Run) Previous(second float64) (int, bool) {
	for i := r.Events() - 1; i >= 0; i-- {
		if at := r.EventAt(i); float64(at) < second {
			return at, true
		}
	}
	return 0, false
}

// Travelling returns the attempt that is under way at a second and the share
// of its way, 0 to 1, that lies behind it; -1 where none is.
func (r Run) Travelling(second float64) (attempt int, way float64) {
	for i, d := range r.Decisions {
		if p := d.Attempt.progress(second); p.Phase == Travelling {
			return i, p.Way
		}
	}
	return -1, 0
}

// Phase is how far an attempt has come.
type Phase uint8

const (
	// Waiting: it has not left the code.
	Waiting Phase = iota
	// Travelling: it is under way to the layer that decides.
	Travelling
	// Decided: it has met its decision.
	Decided
)

// Progress is one attempt at one second.
type Progress struct {
	Phase Phase
	// Way is the share of the way to the decision, 0 to 1.
	Way float64
}

// Snapshot is a run at one second, a pure function of both.
type Snapshot struct {
	// Seen counts the events that have happened.
	Seen int
	// Attempts holds one entry for each decision of the run.
	Attempts []Progress
	// Over tells that the verdict has been given.
	Over bool
}

// Snapshot returns the state of the run at a second.
func (r Run) Snapshot(second float64) Snapshot {
	s := Snapshot{Seen: r.Seen(second), Attempts: make([]Progress, len(r.Decisions))}
	s.Over = s.Seen == r.Events()
	for i, d := range r.Decisions {
		s.Attempts[i] = d.Attempt.progress(second)
	}
	return s
}

func (a Attempt) progress(second float64) Progress {
	switch {
	case second >= float64(a.At):
		return Progress{Phase: Decided, Way: 1}
	case second >= float64(a.Departs):
		return Progress{Phase: Travelling, Way: (second - float64(a.Departs)) / float64(a.At-a.Departs)}
	}
	return Progress{}
}
