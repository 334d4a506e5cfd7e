package app

import "sixways/policy"

// mark is what a reader foretells of one attempt.
type mark uint8

const (
	unmarked mark = iota
	getsOut
	staysIn
)

func (m mark) String() string {
	switch m {
	case getsOut:
		return "gets out"
	case staysIn:
		return "stays in"
	}
	return "no mark"
}

func markOf(v policy.Verdict) mark {
	if v == policy.Allowed {
		return getsOut
	}
	return staysIn
}

// sixWays is how many attempts a round foretells; see fixture.Scenario.
const sixWays = 6

// round is one round of predict first: the reader marks the attempts, and the
// run uncovers one answer after the other. Its zero value is the mode turned
// off, in which nothing is covered.
//
// A round begins with the mode, with any changed setting, and with Restart. Its
// first event closes the marks. What has been uncovered stays so, wherever the
// reader then goes in time.
type round struct {
	on    bool
	marks [sixWays]mark
	// uncovered counts the events that the run has reached in this round.
	uncovered int
}

// newRound begins a round without marks.
func newRound(on bool) round { return round{on: on} }

// covered reports whether the answer of event i has yet to come.
func (r round) covered(i int) bool { return r.on && i >= r.uncovered }

// covering reports whether any answer of a run has yet to come; the verdict's
// is the last.
func (r round) covering() bool { return r.covered(sixWays) }

// open reports whether marks may still be made.
func (r round) open() bool { return r.on && r.uncovered == 0 }

// mark foretells attempt i while that is open.
func (r *round) mark(i int, m mark) {
	if r.open() {
		r.marks[i] = m
	}
}

// reach uncovers the answers of all events that have happened.
func (r *round) reach(seen int) { r.uncovered = max(r.uncovered, seen) }

// restart begins a new round, except where this one has yet to begin: marks
// that no answer has met are kept.
func (r *round) restart() {
	if !r.open() {
		*r = newRound(r.on)
	}
}

// score is what a round comes to.
type score struct{ right, wrong, missing int }

// score counts the answers that are uncovered. What was not foretold is never
// counted as wrong.
func (r round) score(decisions []policy.Decision) score {
	var s score
	for i, d := range decisions {
		if r.covered(i) {
			continue
		}
		switch r.judge(i, d.Verdict) {
		case missing:
			s.missing++
		case right:
			s.right++
		case wrong:
			s.wrong++
		}
	}
	return s
}

// String says the score as the page does.
func (s score) String() string {
	text := itoa(s.right) + " of " + itoa(s.right+s.wrong+s.missing) + " right"
	if s.wrong > 0 {
		text += ", " + itoa(s.wrong) + " wrong"
	}
	if s.missing > 0 {
		text += ", " + itoa(s.missing) + " not predicted"
	}
	return text + "."
}

// meeting is how a mark has met its verdict.
type meeting uint8

const (
	missing meeting = iota
	right
	wrong
)

// judge says how the mark of an uncovered attempt met its verdict.
func (r round) judge(i int, v policy.Verdict) meeting {
	switch r.marks[i] {
	case unmarked:
		return missing
	case markOf(v):
		return right
	}
	return wrong
}
