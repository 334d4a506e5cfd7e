package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// player is the bar that replays the run.
type player struct {
	ui.Compo

	Page     *Page
	Playing  bool
	Speed    float64
	Seen     int
	AtStart  bool
	AtEnd    bool
	HelpOpen bool
	Settings fixture.Settings
	Said     string
}

func (p *player) Render() ui.UI {
	return el("div").ID("player").Class("player").Role("group").Aria("label", "Replay").
		OnKeyDown(p.onKey).Body(
		el("div").Class("buttons").Body(
			p.renderPlay(),
			p.button("previous", "Previous event", p.AtStart, p.previous),
			p.button("next", "Next event", p.AtEnd, p.next),
			p.button("restart", "Restart", p.AtStart && !p.Playing, p.restart),
			p.renderSpeed(),
			el("button").Attr("type", "button").ID("help").Class("help-button").Attr("disabled", !ui.IsClient).
				Aria("expanded", boolText(p.HelpOpen)).Aria("controls", "shortcuts").
				OnClick(p.toggleHelp).Body(icon("keyboard"), el("span").Class("visually-hidden").Text("Keyboard shortcuts")),
		),
		p.renderHelp(),
		p.renderSlider(),
		el("p").ID("said").Class("visually-hidden").Role("status").Text(p.Said),
	)
}

func (p *player) renderPlay() ui.UI {
	if p.Playing {
		return p.button("pause", "Pause", false, p.playOrPause).Class("primary")
	}
	return p.button("play", "Play", false, p.playOrPause).Class("primary")
}

// button is dimmed rather than disabled at the ends of the run, so that it
// does not lose the keyboard's focus.
func (p *player) button(name, label string, idle bool, act ui.EventHandler) ui.HTMLElem {
	b := el("button").Attr("type", "button").Attr("disabled", !ui.IsClient).
		OnClick(act, ui.EventScope(name)).
		Body(icon(name), el("span").Text(label))
	if idle {
		b = b.Aria("disabled", "true")
	}
	return b
}

func (p *player) renderSpeed() ui.UI {
	return el("div").Class("speed").Body(
		el("label").Attr("for", "speed").Text("Speed"),
		el("select").ID("speed").Attr("disabled", !ui.IsClient).OnChange(p.chooseSpeed).
			Body(ui.Range(fixture.Speeds()).Slice(func(i int) ui.UI {
				s := fixture.Speeds()[i]
				return el("option").Attr("value", fixture.FormatSpeed(s)).Attr("selected", s == p.Speed).
					Text(fixture.FormatSpeed(s) + "×")
			})),
	)
}

// renderSlider leaves out the value once live: paint sets it, since a value
// that the reader has moved would be compared with the old tree, not with what
// stands on the screen.
func (p *player) renderSlider() ui.UI {
	return el("div").Class("timeline").Body(
		el("div").Class("timeline-head").Body(
			el("label").Attr("for", "time").Text("Inspection time"),
			el("output").ID("clock").Class("clock").Attr("for", "time").Aria("live", "off").Text("0 s"),
		),
		el("div").Class("rail").Aria("hidden", "true").Body(p.renderMarks()...),
		voidEl("input").Attr("type", "range").ID("time").Attr("disabled", !ui.IsClient).
			Attr("min", 0).Attr("max", policy.Duration).Attr("step", 1).Attr("value", "0").
			Aria("valuetext", "0 seconds, 0 of 7 events").
			OnInput(p.scrub).OnChange(p.scrubbed),
	)
}

// renderMarks draws one mark for each event on the rail above the slider.
func (p *player) renderMarks() []ui.UI {
	run := fixture.Run(p.Settings)
	var marks []ui.UI
	for i := range run.Events() {
		state := "ahead"
		if i < p.Seen {
			state = "verdict"
			if i < len(run.Decisions) {
				state = decisionTone(run.Decisions[i])
			}
		}
		marks = append(marks, el("span").Class("mark at-"+itoa(run.EventAt(i))+" "+state))
	}
	return marks
}

func (p *player) playOrPause(ui.Context, ui.Event) { p.Page.playOrPause() }
func (p *player) next(ui.Context, ui.Event)        { p.Page.next() }
func (p *player) previous(ui.Context, ui.Event)    { p.Page.previous() }
func (p *player) restart(ui.Context, ui.Event)     { p.Page.restart() }
func (p *player) scrubbed(ui.Context, ui.Event)    { p.Page.replaceAddress() }

func (p *player) scrub(ctx ui.Context, _ ui.Event) {
	p.Page.scrub(ctx.JSSrc().Get("valueAsNumber").Float())
}

func (p *player) chooseSpeed(ctx ui.Context, _ ui.Event) {
	speed, err := fixture.ParseSpeed(ctx.JSSrc().Get("value").String())
	if err != nil {
		panic(err) // the select offers no other speeds
	}
	p.Page.setSpeed(speed)
}

func (p *player) toggleHelp(ui.Context, ui.Event) { p.Page.helpOpen = !p.Page.helpOpen }

var shortcuts = []struct{ key, does string }{
	{"K", "play or pause"},
	{"N", "next event"},
	{"P", "previous event"},
	{"R", "restart"},
	{"S", "slower"},
	{"F", "faster"},
	{"?", "show or hide this list"},
}

func (p *player) renderHelp() ui.UI {
	return el("div").ID("shortcuts").Class("shortcuts").Hidden(!p.HelpOpen).Body(
		el("p").Text("These keys work while the focus is in this bar. On the slider the arrow keys, Page Up, Page Down, Home and End move the time."),
		el("dl").Body(ui.Range(shortcuts).Slice(func(i int) ui.UI {
			return el("div").Body(
				el("dt").Body(el("kbd").Text(shortcuts[i].key)),
				el("dd").Text(shortcuts[i].does),
			)
		})),
	)
}

// onKey serves the shortcuts. They belong to the focused player alone, and a
// select keeps its own type-ahead.
func (p *player) onKey(_ ui.Context, e ui.Event) {
	for _, modifier := range []string{"ctrlKey", "altKey", "metaKey"} {
		if e.Get(modifier).Bool() {
			return
		}
	}
	if e.Get("target").Get("tagName").String() == "SELECT" {
		return
	}
	if p.Page.shortcut(e.Get("key").String()) {
		e.PreventDefault()
	}
}
