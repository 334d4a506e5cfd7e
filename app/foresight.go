package app

import (
	"time"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// The page works out in idle time what the reader's next move would change in
// it. A move then finds its patches ready, and the code that makes them has run
// before: the first time is the slowest by far, for the browser compiles it.

// transition is how a piece comes to show another node.
type transition struct {
	node  node
	patch string
}

// foretell returns how the piece would come to show something else.
func (t *piece) foretell(to drawable) transition {
	if known, ok := t.foretold[to]; ok {
		return known
	}
	t.ready()
	n := to.node()
	return transition{n, difference(t.shown, n)}
}

// foresee lets the likely moves be worked out anew, when there is time.
func (p *Page) foresee() {
	if p.dom.slider == nil {
		return // not live yet
	}
	p.ahead, p.outdated = nil, true
	if !p.looking {
		p.looking = true
		whenIdle(p.looksAhead)
	}
}

// foreseeing lists the work of foreseeing, what a reader looks at first.
func (p *Page) foreseeing() []func() {
	var soon, late []func()
	for _, next := range p.likely() {
		for _, t := range p.pieces {
			to := t.of(next)
			switch work := func() { t.remember(to) }; {
			case t.rare || to == t.shows || t.hidden != nil && t.hidden(p):
			case t.late:
				late = append(late, work)
			default:
				soon = append(soon, work)
			}
		}
	}
	return append(soon, late...)
}

// likely returns the page after each of the moves that are likely: the next
// stage of a replay that plays, else any one control.
func (p *Page) likely() []*Page {
	if p.clock.playing {
		next := *p
		next.clock.position = p.nextStage()
		next.clock.playing = next.clock.position < policy.Duration
		next.stand()
		return []*Page{&next}
	}
	var all []*Page
	for _, c := range p.settings.Changes() {
		next := *p
		next.begin(p.settings.With(c))
		next.said = next.outcomeText()
		all = append(all, &next)
	}
	return all
}

// nextStage is when the next attempt departs, or when an event happens.
func (p *Page) nextStage() float64 {
	run := p.run()
	switch {
	case p.travelling >= 0 || p.seen == len(run.Decisions):
		return float64(run.EventAt(p.seen))
	case p.seen < len(run.Decisions):
		return float64(run.Decisions[p.seen].Attempt.Departs)
	}
	return policy.Duration
}

// remember keeps how the piece would come to show something.
func (t *piece) remember(to drawable) {
	how := t.foretell(to)
	if t.foretold == nil {
		t.foretold = map[drawable]transition{}
	}
	t.foretold[to] = how
}

// Idle time that is too short to begin in, and what is taken of a longer one: a
// click must not wait for what might have made it faster.
const (
	sparse = 6 // milliseconds
	enough = 6 * time.Millisecond
)

// lookAhead works for a while, and goes on when there is time again.
func (p *Page) lookAhead(_ ui.Value, args []ui.Value) any {
	for begun := time.Now(); p.looking && time.Since(begun) < enough; {
		if len(args) > 0 && args[0].Call("timeRemaining").Float() < sparse {
			break
		}
		p.lookOne()
	}
	if p.looking {
		whenIdle(p.looksAhead)
	}
	return nil
}

// lookOne does a part of the work, and notes when that was the last.
func (p *Page) lookOne() {
	switch {
	case p.outdated:
		p.ahead, p.outdated = p.foreseeing(), false
	case len(p.ahead) > 0:
		p.ahead[0]()
		p.ahead = p.ahead[1:]
	default:
		p.looking = false
		p.rehearse()
	}
}

// rehearse puts in place what moves, and has a control say once that it is what
// it is: the way that a change takes, through go-app and back, is compiled by then.
func (p *Page) rehearse() {
	if p.rehearsed {
		return
	}
	p.rehearsed = true
	p.move()
	said := ui.Window().Get("Event").New("change", map[string]any{"bubbles": true})
	ui.Window().GetElementByID(fixture.PolicyKey).Call("dispatchEvent", said)
}

func whenIdle(f ui.Func) {
	if ui.Window().Get("requestIdleCallback").Truthy() {
		ui.Window().Call("requestIdleCallback", f)
		return
	}
	ui.Window().Call("setTimeout", f, 50)
}
