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
	// position is where what moves stands that does not glide.
	position float64
}

// motion follows the clock; for who wants less motion, its seconds.
func (p *Page) motion() motion {
	m := motion{p.settings, p.travelling, p.clock.playing, p.clock.speed, p.clock.skips, p.clock.position}
	switch {
	case p.dom.calm.Get("matches").Bool():
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
	p.setMoving("way", policy.Duration, stop{0, scaled(position / policy.Duration)}, stop{1, scaled(1)})
	for _, form := range []*plan{&wide, &tall} {
		if is.travelling < 0 {
			p.setMoving(form.dotID(), 0)
			continue
		}
		d := p.run().Decisions[is.travelling]
		_, share := p.run().Travelling(position)
		way := until(form.road(is.travelling, d.Attempt, p.settings.ForceDNS), form.stop(d))
		p.setMoving(form.dotID(), d.Attempt.At, form.stops(from(way, share))...)
	}
}

// stop is a transform that an element has at a share of the time of its
// movement, 0 to 1.
type stop struct {
	share     float64
	transform string
}

func scaled(share float64) string { return "scaleX(" + short(share) + ")" }

// stops leads the dot along a way at a steady pace.
func (p *plan) stops(way []point) []stop {
	whole, behind := length(way), 0.0
	var stops []stop
	for i, at := range way {
		if i > 0 {
			behind += length(way[i-1 : i+1])
		}
		share := 0.0
		if whole > 0 {
			share = behind / whole
		}
		x, y := p.xy(at)
		stops = append(stops, stop{share, "translate(" + short(100*x/float64(p.width)) + "%, " + short(100*y/float64(p.height)) + "%)"})
	}
	return stops
}

func short(f float64) string { return strconv.FormatFloat(f, 'f', 5, 64) }

// setMoving lets an element move through the stops until a second of the run.
// Without any it is not to be seen; where nothing glides, it stands at the first.
func (p *Page) setMoving(id string, until int, stops ...stop) {
	milliseconds := 0.0
	if p.dom.motion.glides {
		milliseconds = 1000 * (float64(until) - p.clock.position) / p.clock.speed
	}
	args := []any{id, milliseconds}
	for _, s := range stops {
		args = append(args, s.share, s.transform)
	}
	ui.Window().Call("sixwaysMove", args...)
}
