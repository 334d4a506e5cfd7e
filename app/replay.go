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
	way           ui.Value    // the style of the slider's part that lies behind
	dots          [2]ui.Value // the styles of the dots in the wide and the tall picture
	// What they show.
	second    int
	valueText string
}

func findPlayerElements() playerElements {
	return playerElements{
		slider: ui.Window().GetElementByID("time"),
		clock:  ui.Window().GetElementByID("clock"),
		way:    styleOf("way"),
		dots:   [2]ui.Value{styleOf("dot-wide"), styleOf("dot-tall")},
		second: -1,
	}
}

func styleOf(id string) ui.Value { return ui.Window().GetElementByID(id).Get("style") }

func (p *Page) playOrPause() {
	if p.clock.playing {
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
	p.clock.speed = speed
	p.pushAddress()
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

func (p *Page) askFrame() {
	if !p.framed {
		p.framed = true
		ui.Window().Call("requestAnimationFrame", p.frame)
	}
}

// onFrame moves the clock. It renders the tree only when an event has happened
// or the end is reached; all else is painted straight.
func (p *Page) onFrame(_ ui.Value, args []ui.Value) any {
	p.framed = false
	if !p.clock.playing {
		return nil
	}
	atStart := p.clock.position <= 0
	p.clock.tick(args[0].Float())
	if p.moved() || !p.clock.playing || atStart {
		p.ctx.Dispatch(func(ui.Context) {
			p.show()
			if p.clock.position >= policy.Duration {
				p.replaceAddress()
				p.tell("ended", nil)
			}
		})
	} else {
		p.move()
	}
	if p.clock.playing {
		p.askFrame()
	}
	return nil
}

// moved reports whether the clock has left what the rendered tree shows.
func (p *Page) moved() bool {
	travelling, _ := p.run().Travelling(p.clock.position)
	return travelling != p.travelling || p.run().Seen(p.clock.position) != p.seen
}

// follow brings the tree's state up to the clock, and uncovers what has
// happened.
func (p *Page) follow() {
	p.seen = p.run().Seen(p.clock.position)
	p.travelling, _ = p.run().Travelling(p.clock.position)
	p.uncover()
}

// show brings the tree's state up to the clock and paints. A new event is
// said; ticks are not.
func (p *Page) show() {
	before := p.seen
	p.follow()
	if p.seen != before {
		p.said = "Before the first event"
		if p.seen > 0 {
			p.said = p.happened(p.seen - 1)
		}
		if p.seen == p.run().Events() {
			p.tellVerdict()
		}
	}
	p.paint()
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
	p.dom.way.Set("transform", "scaleX("+formatShare(p.clock.position/policy.Duration)+")")
	if second := p.clock.second(); second != p.dom.second {
		p.dom.second = second
		p.dom.slider.Set("value", itoa(second))
		p.dom.clock.Set("textContent", itoa(second)+" s")
		p.leadToFullPage()
	}
	p.dom.setValueText(p.valueText())
	p.paintDots()
}

// paintDots moves the dot of the attempt that is under way, in both forms of
// the picture.
func (p *Page) paintDots() {
	i, share := p.run().Travelling(p.clock.position)
	for n, form := range []*plan{&wide, &tall} {
		dot := p.dom.dots[n]
		if i < 0 {
			dot.Set("visibility", "hidden")
			continue
		}
		d := p.run().Decisions[i]
		way := until(form.road(i, d.Attempt, p.settings.ForceDNS), form.stop(d))
		x, y := form.xy(at(way, share))
		dot.Set("transform", "translate("+percent(x/float64(form.width))+","+percent(y/float64(form.height))+")")
		dot.Set("visibility", "visible")
	}
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
