package app

import (
	"sync"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"
)

// drawable is all that a piece of the page shows, as a value that can be
// compared.
type drawable interface{ node() node }

// piece is a part of the page that is drawn from a value. When the page takes
// over from its pre-rendered form, what shows the same in both is kept.
type piece struct {
	drawn
	id string
	of func(*Page) drawable

	shows drawable
	// waits tells that nobody has yet worked out what a kept piece shows.
	waits bool
}

// openingPage is the page as it is pre-rendered.
var openingPage = sync.OnceValue(NewPage)

func newPieces() []*piece {
	return []*piece{
		{id: "masthead", of: func(*Page) drawable { return masthead{} }},
		{id: "view-choices", of: func(p *Page) drawable { return viewChoices{p.view, "view"} }},
		{id: "controls", of: func(p *Page) drawable { return controls{p.settings, p.previewing, p.round.covering()} }},
		{id: "player-bar", of: func(p *Page) drawable { return p.player() }},
		{id: "drawings", of: func(p *Page) drawable { return p.picture() }},
		{id: "caption", of: func(p *Page) drawable { return caption{p.picture()} }},
		{id: "events", of: func(p *Page) drawable { return trace{p.settings, p.seen, p.round} }},
		{id: "decisions", of: func(p *Page) drawable { return table{p.settings, p.seen, p.round} }},
		{id: "takeaway-buttons", of: func(p *Page) drawable { return takeawayButtons{p.round.covering()} }},
		{id: "figures", of: func(p *Page) drawable { return figures{p.settings, p.round.covering()} }},
		{id: "goal", of: func(p *Page) drawable { return goal{p.settings, p.previewing, p.round.covering()} }},
		{id: "map", of: func(p *Page) drawable { return settingsMap{p.settings, p.mapStop(), p.round.covering()} }},
		{id: "check-fields", of: func(*Page) drawable { return checkFields{} }},
		{id: "walk", of: func(p *Page) drawable { return walkThrough{p.settings, p.claimed, p.round.covering()} }},
		{id: "lab", of: func(p *Page) drawable { return lab{p.round.covering()} }},
		{id: "footer", of: func(*Page) drawable { return footer{} }},
	}
}

// piece returns a piece as a part of the tree. What it shows is not the tree's
// business: see showPieces.
func (p *Page) piece(id string) ui.UI {
	for _, t := range p.pieces {
		if t.id == id {
			if t.raw == nil {
				t.first(p)
			}
			return t.raw
		}
	}
	panic("no piece " + id)
}

// first draws a piece, or finds it drawn in the pre-rendered page.
func (t *piece) first(p *Page) {
	if ui.IsClient && (p.fresh || t.of(p) == t.of(openingPage())) {
		if kept := ui.Window().GetElementByID(t.id); kept.Truthy() {
			t.kept, t.waits = kept, true
			t.raw = ui.Raw("<div></div>")
			return
		}
	}
	t.shows = t.of(p)
	t.show(t.shows.node())
}

// ready works out what a kept piece shows, for a change to be compared with.
func (t *piece) ready() {
	if t.waits {
		t.waits = false
		t.shows = t.of(openingPage())
		t.shown = t.shows.node()
	}
}

// keepPieces puts what is kept of the pre-rendered page into the tree.
func (p *Page) keepPieces() {
	for _, t := range p.pieces {
		if t.kept == nil {
			continue
		}
		t.raw.JSValue().Call("replaceWith", t.kept)
		off := t.kept.Call("querySelectorAll", ":disabled")
		for i := range off.Length() {
			off.Index(i).Set("disabled", false)
		}
	}
}

// showPieces draws anew what shows something else by now.
func (p *Page) showPieces() {
	for _, t := range p.pieces {
		if t.raw == nil || !t.raw.Mounted() {
			continue
		}
		t.ready()
		if is := t.of(p); is != t.shows {
			t.show(is.node())
			t.shows = is
		}
	}
}

// rehearse draws, while there is nothing to do, what a change will draw: the
// first time is the slowest by far, for the browser compiles what runs.
func (p *Page) rehearse() {
	left := p.pieces
	var step ui.Func
	step = ui.FuncOf(func(ui.Value, []ui.Value) any {
		if len(left) == 0 {
			step.Release()
			return nil
		}
		t := left[0]
		left = left[1:]
		t.ready()
		other := t.shows.node()
		patch(nil, &t.shown, &other)
		whenIdle(step)
		return nil
	})
	whenIdle(step)
}

func whenIdle(f ui.Func) {
	if ui.Window().Get("requestIdleCallback").Truthy() {
		ui.Window().Call("requestIdleCallback", f)
		return
	}
	ui.Window().Call("setTimeout", f, 50)
}
