package app

import (
	"slices"
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// playerElements are the parts of the page that move between renderings.
type playerElements struct {
	slider, clock ui.Value
	calm          ui.Value // the query for who wants less motion
	// What they show.
	second    int
	valueText string
	motion    motion
}

func findPlayerElements() playerElements {
	return playerElements{
		slider: ui.Window().GetElementByID("time"),
		clock:  ui.Window().GetElementByID("clock"),
		calm:   ui.Window().Call("matchMedia", "(prefers-reduced-motion: reduce)"),
		second: -1,
		motion: motion{travelling: -1},
	}
}

func (p *Page) playOrPause() {
	if p.clock.playing {
		p.tick()
		p.clock.pause()
		p.replaceAddress()
	} else {
		p.clock.play()
		p.askFrame()
		p.tellChange()
	}
	p.show()
}

func (p *Page) next() {
	second, ok := p.run().Next(p.clock.position)
	if !ok {
		second = policy.Duration
	}
	p.seek(second)
}

func (p *Page) previous() {
	second, _ := p.run().Previous(p.clock.position)
	p.seek(second)
}

// seek goes to a second, pauses, and notes it in the address.
func (p *Page) seek(second int) {
	p.scrub(float64(second))
	p.replaceAddress()
}

// scrub goes to a second and pauses: who drags the slider wants to look.
func (p *Page) scrub(second float64) {
	p.clock.seek(second)
	p.show()
}

func (p *Page) setSpeed(speed float64) {
	p.hasten(speed)
	p.pushAddress()
}

// hasten gives the clock another speed from now on.
func (p *Page) hasten(speed float64) {
	p.tick()
	p.clock.speed = speed
	if p.clock.playing {
		p.arrive()
		p.askFrame()
	}
}

// tick moves a playing clock on to now, between two frames.
func (p *Page) tick() {
	played := p.clock.playing
	p.clock.tick(ui.Window().Get("performance").Call("now").Float())
	if played && !p.clock.playing {
		p.ctx.Dispatch(p.reach)
	}
}

// shortcut serves a key of the list in the player's help and reports whether
// it is one.
func (p *Page) shortcut(key string) bool {
	switch strings.ToLower(key) {
	case "k":
		p.playOrPause()
	case "n":
		p.next()
	case "p":
		p.previous()
	case "r":
		p.restart()
	case "s":
		p.stepSpeed(-1)
	case "f":
		p.stepSpeed(1)
	case "?":
		p.helpOpen = !p.helpOpen
	default:
		return false
	}
	return true
}

func (p *Page) stepSpeed(by int) {
	speeds := fixture.Speeds()
	i := slices.Index(speeds, p.clock.speed) + by
	if i < 0 || i >= len(speeds) {
		return
	}
	p.setSpeed(speeds[i])
	p.said = "Speed " + fixture.FormatSpeed(p.clock.speed) + "×"
}

// longestRest is how long, in milliseconds, a playing replay asks for no frame.
const longestRest = longestGap / 2

func (p *Page) askFrame() { ui.Window().Call("sixwaysFrameAfter", p.rest(), p.frame) }

// rest is how many milliseconds nothing has to be done: what moves moves by
// itself, and the clock shows whole seconds.
func (p *Page) rest() float64 {
	if !p.clock.ticked || p.trails {
		return 0
	}
	return min(1000*(float64(p.clock.second()+1)-p.clock.position)/p.clock.speed, longestRest)
}

// onFrame moves the clock on to a frame.
func (p *Page) onFrame(_ ui.Value, args []ui.Value) any {
	if !p.clock.playing {
		return nil
	}
	p.clock.tick(args[0].Float())
	if p.trails {
		p.showPieces()
	}
	p.arrive()
	if p.clock.playing {
		p.askFrame()
	}
	return nil
}

// arrive shows where a playing clock has come to.
func (p *Page) arrive() {
	if p.moved() || !p.clock.playing {
		p.ctx.Dispatch(p.reach)
		return
	}
	p.move()
}

// reach takes over what the clock has reached in a frame. A slow machine has not
// the time for all of it: the next frame draws the rest.
func (p *Page) reach(ctx ui.Context) {
	if !p.round.on {
		ctx.PreventUpdate() // the pieces are all that changes
	}
	p.happen()
	if p.clock.playing {
		p.showThose(func(t *piece) bool { return !t.trails })
		p.move()
		p.trails = true
		p.askFrame()
		return
	}
	p.paint()
	if p.clock.position >= policy.Duration {
		p.writeAddressSoon("replaceState")
		p.settleSoon()
		p.tell("ended", nil)
	}
}

// moved reports whether the clock has left what the rendered tree shows.
func (p *Page) moved() bool {
	travelling, _ := p.run().Travelling(p.clock.position)
	return travelling != p.travelling || p.run().Seen(p.clock.position) != p.seen
}

// follow brings the tree's state up to the clock, and uncovers what has
// happened.
func (p *Page) follow() {
	wasOpen := p.round.open()
	p.stand()
	if wasOpen && !p.round.open() {
		leaveMarks()
	}
}

func (p *Page) stand() {
	p.seen, p.travelling = 0, -1
	if p.clock.position > 0 { // nothing has left by then, and the page starts sooner undecided
		p.seen = p.run().Seen(p.clock.position)
		p.travelling, _ = p.run().Travelling(p.clock.position)
	}
	p.round.reach(p.seen)
}

// show brings the page up to the clock.
func (p *Page) show() {
	p.happen()
	p.paint()
}

// happen brings the state up to the clock. A new event is said; ticks are not.
func (p *Page) happen() {
	before := p.seen
	p.follow()
	if p.seen == before {
		return
	}
	p.said = "Before the first event"
	if p.seen > 0 {
		p.said = p.happened(p.seen - 1)
	}
	if p.seen == p.run().Events() {
		p.tellVerdict()
	}
}

// paint draws what has changed. It does not wait for go-app's next rendering,
// which comes a frame later.
func (p *Page) paint() {
	if p.dom.slider == nil {
		return
	}
	p.showPieces()
	p.move()
}

// move sets what moves from frame to frame.
func (p *Page) move() {
	if second := p.clock.second(); second != p.dom.second {
		p.dom.second = second
		p.dom.clock.Set("textContent", itoa(second)+" s")
		p.dom.slider.Set("value", itoa(second))
		p.leadToFullPage()
	}
	p.dom.setValueText(p.valueText())
	p.glide()
}

// valueText is what screen readers are told of the slider. While playing it
// changes with the events alone.
func (p *Page) valueText() string {
	events := itoa(p.run().Seen(p.clock.position)) + " of " + itoa(p.run().Events()) + " events"
	if p.clock.playing {
		return "Playing, " + events
	}
	return itoa(p.clock.second()) + " seconds, " + events
}

func (e *playerElements) setValueText(text string) {
	if text != e.valueText {
		e.valueText = text
		e.slider.Call("setAttribute", "aria-valuetext", text)
	}
}
