// Package app is the simulator's page: its component tree and the replay.
//
// [Page] holds the state. Most of it is shown by pieces, each drawn from a value
// that is all it shows, and drawn anew when that changes; what holds the
// reader's own input is go-app's. While the replay plays, what moves is the
// browser's, from one event to the next, and pieces are drawn at events alone.
package app

import (
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// Page is the whole page below <body>.
type Page struct {
	ui.Compo

	settings fixture.Settings
	clock    clock
	round    round
	view     fixture.View
	// file is the policy file that the address carries.
	file  fixture.File
	share share
	// seen and travelling are what the rendered tree shows of the run: how many
	// events have happened, and which attempt is under way, -1 for none.
	seen, travelling int
	// chosen is the item of the picture that is explained, -1 for none; entry
	// is the one that the Tab key reaches.
	chosen, entry int
	// focused tells that the keyboard is in the picture.
	focused  bool
	helpOpen bool
	// previewing shows what the way to the goal would change.
	previewing bool
	problems   []fixture.Problem
	// amends tells that the address names another second than the page is at.
	amends bool
	// said is what screen readers are told: the latest event or change.
	said string

	// roamed is where the keyboard has gone on the map, while it roams.
	roamed place
	roams  bool
	// claimed is the claim of the walk-through that was set last, until the
	// page leaves that state.
	claimed setClaim
	pieces  []*piece
	// keeps tells that the document holds the pre-rendered page, and fresh that
	// the address carries no other state.
	keeps, fresh bool
	// partial tells that what can be later is still to be mounted: see later.
	partial   bool
	standIns  []standIn
	completes ui.Func

	ctx   ui.Context
	frame ui.Func
	onPop ui.Func
	obey  ui.Func // does what the embedder asks for
	dom   playerElements
	// ahead is what is still to be foreseen, or outdated by what has happened
	// since; looksAhead works it out, looking tells that it will, and rehearsed
	// that a change has been gone through once.
	ahead                        []func()
	outdated, looking, rehearsed bool
	looksAhead                   ui.Func
	// settler settles a change; settling tells that it is about to. unnoted is
	// what it then tells the history.
	settler  ui.Func
	settling bool
	unnoted  note
	// trails tells that the next frame of the replay draws what trails.
	trails bool
	// narrower is the query for the narrow form, and redraw follows it.
	narrower ui.Value
	redraw   ui.Func
	printing bool
}

// Run shows the page in the browser, at whatever path it is served under: the
// site is relocatable.
func Run() {
	deepen()
	path := ui.Window().URL().Path
	if !strings.HasPrefix(path, "/") { // as in about:srcdoc; go-app asks for the path with one
		path = "/" + path
	}
	ui.Route(path, func() ui.Composer { return NewPage() })
	ui.RunWhenOnBrowser()
}

// deepen gives the goroutine as much stack as mounting the page takes. One that
// is too small grows by being copied, which takes the longer the deeper it is.
//
//go:noinline
func deepen() (stack [64 << 10]byte) { return }

// NewPage returns the page in its opening state.
func NewPage() *Page {
	p := &Page{chosen: -1, pieces: newPieces()}
	p.share.page = p
	p.restore(fixture.OpeningState())
	return p
}

// OnInit implements ui.Initializer. In the browser the first rendering already
// shows the state that the address carries.
func (p *Page) OnInit() {
	if ui.IsServer {
		return
	}
	p.keeps = isPreRendered()
	u := ui.Window().URL()
	if p.fresh = u.RawQuery+u.Fragment == ""; !p.fresh {
		p.readAddress()
	}
	p.partial = p.keeps && p.file == fixture.File{}
}

// OnMount implements ui.Mounter.
func (p *Page) OnMount(ctx ui.Context) {
	p.ctx = ctx
	p.keepPieces()
	takeOverLinks()
	p.onPop = ui.FuncOf(p.popped)
	ui.Window().Call("addEventListener", "popstate", p.onPop)
	p.frame = ui.FuncOf(p.onFrame)
	p.settler = ui.FuncOf(p.settle)
	p.looksAhead = ui.FuncOf(p.lookAhead)
	p.dom = findPlayerElements()
	p.watchWidth()
	p.keepState()
	p.amendAddress()
	p.leadToFullPage()
	if !p.fresh { // else all that moves stands where it is pre-rendered
		p.move()
	}
	setDocument("data-boot", false, "") // the boot script has found no time for it
	p.attach()
	p.completeSoon()
	p.foresee()
	ctx.PreventUpdate() // all is shown
}

// OnDismount implements ui.Dismounter.
func (p *Page) OnDismount() {
	p.clock.pause()
	ui.Window().Call("removeEventListener", "popstate", p.onPop)
	p.onPop.Release()
	p.frame.Release()
	p.settler.Release()
	p.obey.Release()
	p.redraw.Release()
	p.looksAhead.Release()
	p.completes.Release()
}

// restore puts the page into a state, paused. A round of predictions goes on
// where the state is one of its own, else a new one begins, at the start.
func (p *Page) restore(s fixture.State) {
	switch {
	case s.Settings != p.settings || s.Predict != p.round.on:
		p.round = newRound(s.Predict)
		if s.Predict {
			s.Second = 0
		}
	case s.Predict && p.run().Seen(float64(s.Second)) > p.round.uncovered:
		s.Second = 0 // an earlier round has come there
	}
	p.decide(s.Settings)
	p.clock = clock{speed: s.Speed}
	p.clock.seek(float64(s.Second))
	p.follow()
	p.view = s.View
	p.file = s.File
}

// decide makes another run the page's.
func (p *Page) decide(s fixture.Settings) {
	p.settings = s
	p.previewing, p.roams, p.claimed = false, false, setClaim{}
}

func (p *Page) run() policy.Run { return fixture.Run(p.settings) }

func (p *Page) state() fixture.State {
	return fixture.State{Settings: p.settings, Second: p.clock.second(), Speed: p.clock.speed, Predict: p.round.on, View: p.view, File: p.file}
}

// change gives a control a value: the run is decided anew and rewound. The next
// frame paints what that comes to; all else follows.
func (p *Page) change(key, value string) {
	s := p.settings
	if err := s.Set(key, value); err != nil {
		panic(err) // the controls offer no other values
	}
	if s == p.settings {
		p.settleSoon()
		return // see rehearse
	}
	p.rerun(s)
	p.writeAddressSoon("pushState")
	p.said = p.outcomeText()
	p.showResult()
	p.settleSoon()
}

// moveTo puts all controls into a state, and says which.
func (p *Page) moveTo(s fixture.Settings) {
	p.rerun(s)
	p.pushAddress()
	p.said = p.outcomeText()
	if !p.round.covering() {
		p.said = StateText(s)
	}
	p.showResult()
}

// rerun decides the run anew, for other settings, and rewinds it.
func (p *Page) rerun(s fixture.Settings) {
	p.begin(s)
	p.problems = nil
	p.move()
}

// begin puts the state to the beginning of another run.
func (p *Page) begin(s fixture.Settings) {
	p.decide(s)
	p.round = newRound(p.round.on)
	p.rewind()
}

// dismissProblems hands the keyboard's focus on, since its button goes.
func (p *Page) dismissProblems(ui.Context, ui.Event) {
	p.problems = nil
	ui.Window().GetElementByID("experiment").Call("focus", map[string]any{"preventScroll": true})
}

// Render implements ui.Composer.
func (p *Page) Render() ui.UI {
	p.showPieces()
	return el("div").ID("page").Body(
		p.renderHeader(),
		el("main").ID("main").Body(
			// Always there: go-app compares children by their place, and one
			// more in front would make all that follow anew.
			el("div").Body(p.renderProblems()),
			el("div").Class("bench").Body(
				el("section").ID("experiment").TabIndex(-1).Aria("labelledby", "experiment-heading").OnChange(p.changeControl).Body(
					el("h2").ID("experiment-heading").Text("Your experiment"),
					bootStatus(),
					p.piece("controls"),
				),
				el("section").ID("trace").Aria("labelledby", "trace-heading").Body(
					el("div").Class("trace-head").Body(
						el("h2").ID("trace-heading").Text("Event trace"),
						p.renderPredictSwitch(),
					),
					&predictions{Page: p, Settings: p.settings, Round: p.round},
					p.renderPlayer(),
					p.renderPicture(),
					p.piece("events"),
				),
			),
			p.renderData(),
			p.renderMetrics(),
			el("div").OnClick(p.clickMap).OnKeyDown(p.keyOnMap).Body(p.piece("map")),
			p.later("check", &checker{Page: p, Settings: p.settings, File: p.file}),
			el("div").OnClick(p.pressClaim).Body(p.piece("walk")),
			p.piece("lab"),
		),
		p.piece("footer"),
	)
}

func (p *Page) renderData() ui.UI {
	return el("section").ID("data").Aria("labelledby", "data-heading").Body(
		el("h2").ID("data-heading").Text("Computed data"),
		el("p").Class("note").Text(fixture.Model),
		p.piece("decisions"),
		p.later("takeaway", &takeaway{Page: p, Settings: p.settings, Covering: p.round.covering()}),
	)
}

func (p *Page) renderMetrics() ui.UI {
	return el("section").ID("metrics").Aria("labelledby", "metrics-heading").OnClick(p.pressGoal).Body(
		el("h2").ID("metrics-heading").Text("Final metrics"),
		p.piece("figures"),
		p.piece("goal"),
	)
}

func (p *Page) renderProblems() ui.UI {
	return ui.If(len(p.problems) > 0, func() ui.UI {
		return el("div").Class("notice").Role("alert").Body(
			el("p").Body(el("strong").Text("Part of the address could not be used.")),
			el("ul").Body(ui.Range(p.problems).Slice(func(i int) ui.UI {
				return el("li").Text(p.problems[i].Message)
			})),
			el("button").Attr("type", "button").Text("Dismiss").OnClick(p.dismissProblems),
		)
	})
}

// Outcome says in one sentence what a run comes to.
func Outcome(m policy.Metrics) string {
	task := "the task works"
	if !m.TaskWorks {
		task = "the task fails"
	}
	switch m.Unwanted {
	case 0:
		return "Contained: nothing unwanted gets out; " + task + "."
	case 1:
		return "Leaking: 1 unwanted way out; " + task + "."
	}
	return "Leaking: " + itoa(m.Unwanted) + " unwanted ways out; " + task + "."
}
