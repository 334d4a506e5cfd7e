package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// player is the bar that replays the run.
type player struct {
	settings       fixture.Settings
	playing        bool
	speed          float64
	seen           int
	atStart, atEnd bool
	helpOpen       bool
}

func (p *Page) player() player {
	return player{p.settings, p.clock.playing, p.clock.speed, p.seen,
		p.clock.position <= 0, p.clock.position >= policy.Duration, p.helpOpen}
}

func (p *Page) renderPlayer() ui.UI {
	return el("div").ID("player").Class("player").Role("group").Aria("label", "Replay").
		OnClick(p.pressPlayer).OnInput(p.scrubbing).OnChange(p.changePlayer).OnKeyDown(p.keyOnPlayer).Body(
		p.piece("player-bar"),
		p.piece("said"),
	)
}

// said is what screen readers are told.
type said string

func (s said) node() node {
	return tag("p").id("said").class("visually-hidden").role("status").says(string(s))
}

// The ids of the player's buttons.
const (
	playID     = "play"
	previousID = "previous"
	nextID     = "next"
	restartID  = "restart"
	helpID     = "help"
)

func (p player) node() node {
	play := playerButton(playID, "play", "Play", false)
	if p.playing {
		play = playerButton(playID, "pause", "Pause", false)
	}
	return tag("div").id("player-bar").body(
		tag("div").class("buttons").body(
			play.class("primary"),
			playerButton(previousID, "previous", "Previous event", p.atStart),
			playerButton(nextID, "next", "Next event", p.atEnd),
			playerButton(restartID, "restart", "Restart", p.atStart && !p.playing),
			p.renderSpeed(),
		),
		p.renderHelp(),
		p.renderSlider(),
	)
}

// playerButton is dimmed rather than disabled at the ends of the run, so that
// it does not lose the keyboard's focus.
func playerButton(id, iconName, label string, idle bool) node {
	return button().id(id).given(idle, "aria-disabled", "true").body(icon(iconName), tag("span").says(label))
}

// renderSpeed keeps the help beside it where the bar breaks into lines.
func (p player) renderSpeed() node {
	speed := control("select").id("speed")
	for _, s := range fixture.Speeds() {
		speed = speed.body(option(fixture.FormatSpeed(s), fixture.FormatSpeed(s)+"×", s == p.speed))
	}
	return tag("div").class("speed").body(
		tag("label").attr("for", "speed").says("Speed"), speed,
		button().id(helpID).class("help-button").aria("expanded", boolText(p.helpOpen)).aria("controls", "shortcuts").
			body(icon("keyboard"), tag("span").class("visually-hidden").says("Keyboard shortcuts")),
	)
}

// renderSlider says how the slider begins. How it is then is move's business,
// and so are the clock and the way.
func (p player) renderSlider() node {
	return tag("div").class("timeline").body(
		tag("div").class("timeline-head").body(
			tag("label").attr("for", "time").says("Inspection time"),
			tag("output").id("clock").class("clock").attr("for", "time").aria("live", "off").says("0 s"),
		),
		p.renderRail(),
		tag("div").class("slider").body(
			tag("div").class("track").aria("hidden", "true").body(tag("div").id("way")),
			control("input").attr("type", "range").id("time").
				attr("min", "0").attr("max", itoa(policy.Duration)).attr("step", "1").attr("value", "0").
				aria("valuetext", "0 seconds, 0 of 7 events"),
		),
	)
}

// renderRail draws one mark for each event above the slider.
func (p player) renderRail() node {
	run := fixture.Run(p.settings)
	rail := tag("div").class("rail").aria("hidden", "true")
	for i := range run.Events() {
		state := "ahead"
		if i < p.seen {
			state = "verdict"
			if i < len(run.Decisions) {
				state = decisionTone(run.Decisions[i])
			}
		}
		rail = rail.body(tag("span").class("mark at-" + itoa(run.EventAt(i)) + " " + state))
	}
	return rail
}

func (p *Page) pressPlayer(ctx ui.Context, e ui.Event) {
	defer p.replayed(ctx)
	switch pressed(e) {
	case playID:
		p.playOrPause()
	case previousID:
		p.previous()
	case nextID:
		p.next()
	case restartID:
		p.restart()
	case helpID:
		p.helpOpen = !p.helpOpen
	}
}

// replayed draws what the player has changed. Without predictions nothing of
// that is go-app's.
func (p *Page) replayed(ctx ui.Context) {
	p.showPieces()
	if !p.round.on {
		ctx.PreventUpdate()
	}
}

// scrubbing follows the slider while it is dragged.
func (p *Page) scrubbing(ctx ui.Context, e ui.Event) {
	defer p.replayed(ctx)
	if slider := e.Get("target"); slider.Get("id").String() == "time" {
		p.scrub(slider.Get("valueAsNumber").Float())
	}
}

func (p *Page) changePlayer(ctx ui.Context, e ui.Event) {
	defer p.replayed(ctx)
	from := e.Get("target")
	if from.Get("id").String() == "time" {
		p.replaceAddress()
		return
	}
	speed, err := fixture.ParseSpeed(from.Get("value").String())
	if err != nil {
		panic(err) // the select offers no other speeds
	}
	p.setSpeed(speed)
}

var shortcuts = []struct{ key, does string }{
	{"K", "play or pause"},
	{"N", "next event"},
	{"P", "previous event"},
	{"R", "restart"},
	{"S", "slower"},
	{"F", "faster"},
	{"?", "show or hide this list"},
}

func (p player) renderHelp() node {
	list := tag("dl")
	for _, s := range shortcuts {
		list = list.body(tag("div").body(
			tag("dt").body(tag("kbd").says(s.key)),
			tag("dd").says(s.does),
		))
	}
	return tag("div").id("shortcuts").class("shortcuts").given(!p.helpOpen, "hidden", "").body(
		tag("p").says("These keys work while the focus is in this bar, save in Speed, where a key chooses a speed. On the slider the arrow keys, Page Up, Page Down, Home and End move the time."),
		list,
	)
}

// keyOnPlayer serves the shortcuts. They belong to the focused player alone, and a
// select keeps its own type-ahead.
func (p *Page) keyOnPlayer(ctx ui.Context, e ui.Event) {
	defer p.replayed(ctx)
	for _, modifier := range []string{"ctrlKey", "altKey", "metaKey"} {
		if e.Get(modifier).Bool() {
			return
		}
	}
	if e.Get("target").Get("tagName").String() == "SELECT" {
		return
	}
	if p.shortcut(e.Get("key").String()) {
		e.PreventDefault()
	}
}
