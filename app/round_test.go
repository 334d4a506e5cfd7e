package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
	"sixways/policy"
)

func TestRoundHasAMarkForEachAttempt(t *testing.T) {
	if n := len(fixture.Scenario().Attempts); n != sixWays {
		t.Errorf("%d attempts, want %d", n, sixWays)
	}
}

// marked returns a round in which the reader has said of the first attempts
// whether they get out, as far as the text goes: o gets out, i stays in, a
// space is left unmarked.
func marked(text string) round {
	r := newRound(true)
	for i, c := range text {
		switch c {
		case 'o':
			r.mark(i, getsOut)
		case 'i':
			r.mark(i, staysIn)
		}
	}
	return r
}

// reached moves a round on to a number of events, one after the other.
func (r round) reached(events ...int) round {
	for _, n := range events {
		r.reach(n)
	}
	return r
}

func (r round) restarted() round {
	r.restart()
	return r
}

func (r round) thenMarked(i int, m mark) round {
	r.mark(i, m)
	return r
}

func TestRound(t *testing.T) {
	all := [sixWays]mark{getsOut, getsOut, staysIn, staysIn, getsOut, staysIn}
	tests := []struct {
		rule string
		r    round
		want round
	}{
		{"a round begins without marks", newRound(true), round{on: true}},
		{"attempts are marked one by one", marked("ooiioi"), round{on: true, marks: all}},
		{"a mark can be changed before the first event", marked("ooiioi").thenMarked(0, staysIn).thenMarked(0, getsOut), round{on: true, marks: all}},
		{"the first event closes the marks", marked("ooiioi").reached(1).thenMarked(5, getsOut), round{on: true, marks: all, uncovered: 1}},
		{"events uncover", marked("ooiioi").reached(1, 2), round{on: true, marks: all, uncovered: 2}},
		{"also several at a time", marked("ooiioi").reached(6), round{on: true, marks: all, uncovered: 6}},
		{"what was uncovered stays so", marked("ooiioi").reached(4, 1, 0), round{on: true, marks: all, uncovered: 4}},
		{"and the marks stay closed", marked("ooiioi").reached(4, 0).thenMarked(5, getsOut), round{on: true, marks: all, uncovered: 4}},
		{"Restart begins a new round", marked("ooiioi").reached(3).restarted(), round{on: true}},
		{"of a finished one too", marked("ooiioi").reached(7).restarted(), round{on: true}},
		{"before the first event it keeps the marks", marked("ooiioi").reached(0).restarted(), round{on: true, marks: all}},
		{"turned off there is nothing to mark", newRound(false).thenMarked(0, getsOut), round{}},
		{"and Restart does not turn it on", newRound(false).reached(7).restarted(), round{}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.r, cmp.AllowUnexported(round{})); diff != "" {
				t.Errorf("round (-want +got):\n%s", diff)
			}
		})
	}
}

// An answer is covered until its event, the whole until the verdict.
func TestRoundCovers(t *testing.T) {
	tests := []struct {
		rule     string
		r        round
		covered  string // an x for each event that is covered
		covering bool
		open     bool
	}{
		{"turned off nothing is covered", newRound(false), ".......", false, false},
		{"at first everything is", newRound(true), "xxxxxxx", true, true},
		{"marks uncover nothing", marked("ooiioi"), "xxxxxxx", true, true},
		{"one event uncovers one", newRound(true).reached(1), ".xxxxxx", true, false},
		{"six leave the verdict", newRound(true).reached(6), "......x", true, false},
		{"the verdict uncovers the whole", newRound(true).reached(7), ".......", false, false},
		{"going back covers nothing again", newRound(true).reached(3, 0), "...xxxx", true, false},
		{"a new round does", newRound(true).reached(7).restarted(), "xxxxxxx", true, true},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			covered := ""
			for i := range sixWays + 1 {
				covered += map[bool]string{true: "x", false: "."}[test.r.covered(i)]
			}
			if covered != test.covered || test.r.covering() != test.covering || test.r.open() != test.open {
				t.Errorf("covered %s, covering %v, open %v; want %s, %v, %v",
					covered, test.r.covering(), test.r.open(), test.covered, test.covering, test.open)
			}
		})
	}
}

// In the opening state every attempt gets out; under deny-all the sidecar
// alone.
func TestScore(t *testing.T) {
	opening := fixture.Run(fixture.Opening()).Decisions
	denied := fixture.Run(fixture.Settings{Policy: fixture.DenyAll, Loopback: true}).Decisions
	tests := []struct {
		rule      string
		r         round
		decisions []policy.Decision
		want      score
		says      string
	}{
		{"all right", marked("oooooo").reached(7), opening, score{right: 6}, "6 of 6 right."},
		{"all wrong", marked("iiiiii").reached(7), opening, score{wrong: 6}, "0 of 6 right, 6 wrong."},
		{"some of each", marked("ooooii").reached(7), opening, score{right: 4, wrong: 2}, "4 of 6 right, 2 wrong."},
		{"blocked is right where it was said to stay in", marked("iiiiio").reached(7), denied, score{right: 6}, "6 of 6 right."},
		{"not predicted is not wrong", marked("oo  i").reached(7), opening, score{right: 2, wrong: 1, missing: 3}, "2 of 6 right, 1 wrong, 3 not predicted."},
		{"nor is it right", marked("      ").reached(7), denied, score{missing: 6}, "0 of 6 right, 6 not predicted."},
		{"what is covered does not count", marked("oooooo").reached(2), opening, score{right: 2}, "2 of 2 right."},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			got := test.r.score(test.decisions)
			if got != test.want || got.String() != test.says {
				t.Errorf("%+v, %q; want %+v, %q", got, got, test.want, test.says)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	tests := []struct {
		m    mark
		v    policy.Verdict
		want meeting
	}{
		{getsOut, policy.Allowed, right},
		{getsOut, policy.Blocked, wrong},
		{staysIn, policy.Blocked, right},
		{staysIn, policy.Allowed, wrong},
		{unmarked, policy.Allowed, missing},
		{unmarked, policy.Blocked, missing},
	}
	for _, test := range tests {
		r := newRound(true).thenMarked(2, test.m)
		if got := r.judge(2, test.v); got != test.want {
			t.Errorf("%q met %v: %v, want %v", test.m, test.v, got, test.want)
		}
	}
}
