package app

import (
	"strconv"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// While the replay plays, the slider's way and the dot of the attempt under way
// glide by themselves from one stage to the next: the browser's compositor moves
// them, and the page has no frames to draw in between.

// motion is all that the movement follows from.
type motion struct {
	settings   fixture.Settings
	travelling int
	// glides tells that what moves goes on by itself.
	glides bool
	speed  float64
	// skips counts the times that the clock did not go on by itself.
	skips int
	// calm tells that the reader wants less motion.
	calm bool
	// position is where what moves stands that does not glide.
	position float64
}

// motion follows the clock; for who wants less motion, its seconds.
func (p *Page) motion() motion {
	m := motion{p.settings, p.travelling, p.clock.playing, p.clock.speed, p.clock.skips, p.dom.calm.Get("matches").Bool(), p.clock.position}
	switch {
	case m.calm:
		m.glides, m.position = false, float64(p.clock.second())
	case m.glides:
		m.position = 0
	}
	return m
}

// glide sets the movement going, or puts all that moves where it belongs.
func (p *Page) glide() {
	is := p.motion()
	if is == p.dom.motion {
		return
	}
	p.dom.motion = is
	position := is.position
	if is.glides {
		position = p.clock.position
	}
	args := []any{"way", p.takes(policy.Duration), scaled(0, position/policy.Duration) + scaled(1, 1)}
	for _, form := range []*plan{&wide, &tall} {
		duration, stops := 0.0, ""
		if is.travelling >= 0 {
			d := p.run().Decisions[is.travelling]
			_, share := p.run().Travelling(position)
			if is.calm {
				share = halfway
			}
			way := until(form.road(is.travelling, d.Attempt, p.settings.ForceDNS), form.stop(d))
			duration, stops = p.takes(d.Attempt.At), form.stops(from(way, share))
		}
		args = append(args, form.dotID(), duration, stops)
	}
	ui.Window().Call("sixwaysMove", args...)
}

// halfway is where the dot stands for who wants less motion, as long as the
// attempt is under way.
const halfway = 0.5

// takes is how many milliseconds it takes to come to a second of the run; none
// where nothing glides, or that second is past.
func (p *Page) takes(to int) float64 {
	if !p.dom.motion.glides {
		return 0
	}
	return max(0, 1000*(float64(to)-p.clock.position)/p.clock.speed)
}

// Stops are transforms, each with the share of the time, 0 to 1, at which an
// element has it, as the boot script's sixwaysMove reads them: "0 scaleX(0.5);".

func scaled(share, to float64) string {
	return short(share) + " scaleX(" + short(to) + ");"
}

// stops leads the dot along a way at a steady pace.
func (p *plan) stops(way []point) string {
	whole, behind := length(way), 0.0
	stops := ""
	for i, at := range way {
		if i > 0 {
			behind += length(way[i-1 : i+1])
		}
		share := 0.0
		if whole > 0 {
			share = behind / whole
		}
		x, y := p.xy(at)
		stops += short(share) + " translate(" + short(100*x/float64(p.width)) + "%, " + short(100*y/float64(p.height)) + "%);"
	}
	return stops
}

func short(f float64) string { return strconv.FormatFloat(f, 'f', 5, 64) }
