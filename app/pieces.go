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
	// hidden, if not nil, tells that nobody can see it.
	hidden func(*Page) bool
	// late tells that it is not what a reader looks at who moves a control: see
	// settle.
	late bool
	// trails tells that, while the replay plays, an event is drawn in it a frame later.
	trails bool
	// rare tells that hardly any change is one of it.
	rare bool

	shows drawable
	// placed tells that a kept piece is where it belongs, and waits that nobody
	// has yet worked out what it shows.
	placed, waits bool
	// foretold holds how it would come to show something else: see foresee.
	foretold map[drawable]transition
}

// preRendered is the hash of the pre-rendered page that is built together with
// this program, which sets it.
var preRendered string

// isPreRendered reports whether the document still holds that page, and not
// another version's from a cache.
func isPreRendered() bool {
	return preRendered != "" && ui.Window().Get("document").Get("body").Get("dataset").Get("page").String() == preRendered
}

// openingPage is the page as it is pre-rendered.
var openingPage = sync.OnceValue(NewPage)

func newPieces() []*piece {
	return []*piece{
		{id: "masthead", of: func(*Page) drawable { return masthead{} }, rare: true},
		{id: "view-choices", of: func(p *Page) drawable { return viewChoices{p.view, pageView} }, rare: true},
		{id: "controls", of: func(p *Page) drawable { return controls{p.settings, p.previewing, p.round.covering()} }},
		{id: "player-bar", of: func(p *Page) drawable { return p.player() }},
		{id: "said", of: func(p *Page) drawable { return said(p.said) }},
		{id: "wide", of: func(p *Page) drawable { return form{p.picture(), &wide} }, hidden: (*Page).narrow},
		{id: "tall", of: func(p *Page) drawable { return form{p.picture(), &tall} }, hidden: (*Page).wide},
		{id: "caption", of: func(p *Page) drawable { return caption{p.picture(), p.focused} }},
		{id: "events", of: func(p *Page) drawable { return trace{p.settings, p.seen, p.round} }, trails: true},
		{id: "decisions", of: func(p *Page) drawable { return table{p.settings, p.seen, p.round} }, trails: true},
		{id: "takeaway-buttons", of: func(p *Page) drawable { return takeawayButtons{p.round.covering()} }, late: true, rare: true},
		{id: "figures", of: func(p *Page) drawable { return figures{p.settings, p.round.covering()} }},
		{id: "goal", of: func(p *Page) drawable { return goal{p.settings, p.previewing, p.round.covering()} }, late: true},
		{id: "map", of: func(p *Page) drawable { return settingsMap{p.settings, p.mapStop(), p.round.covering()} }, late: true},
		{id: "check-fields", of: func(*Page) drawable { return checkFields{} }, rare: true},
		{id: "walk", of: func(p *Page) drawable { return walkThrough{p.currentClaim(), p.claimed, p.round.covering()} }, late: true},
		{id: "lab", of: func(p *Page) drawable { return lab{p.round.covering()} }, late: true, rare: true},
		{id: "footer", of: func(*Page) drawable { return footer{} }, rare: true},
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
	if p.keeps && (p.fresh || t.of(p) == t.of(openingPage())) {
		if kept := ui.Window().GetElementByID(t.id); kept.Truthy() {
			t.kept, t.waits = kept, true
			t.raw = el("div")
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
	var kept []any
	for _, t := range p.pieces {
		if t.kept != nil && !t.placed {
			kept = append(kept, t.raw, t.kept)
			t.placed = true
		}
	}
	if len(kept) > 0 {
		ui.Window().Call("sixwaysKeep", kept...)
	}
}

// showPieces draws anew what shows something else by now.
func (p *Page) showPieces() {
	p.trails = false
	p.showThose(func(*piece) bool { return true })
	p.foresee()
}

// showResult draws anew what a reader looks at who moves a control.
func (p *Page) showResult() {
	p.showThose(func(t *piece) bool { return !t.late })
}

// showThose draws anew by one call into the document, for each has its price.
func (p *Page) showThose(wanted func(*piece) bool) {
	var patches []any
	for _, t := range p.pieces {
		if wanted(t) {
			patches = append(patches, t.update(p)...)
		}
	}
	if len(patches) > 0 {
		ui.Window().Call("sixwaysPatch", patches...)
	}
}

// settleSoon settles a change once the frame that shows its result is painted.
func (p *Page) settleSoon() {
	if !p.settling {
		p.settling = true
		ui.Window().Call("sixwaysAfterFrame", p.settler)
	}
}

// settle does what a change has left for later: a step a frame, and at last
// what is go-app's.
func (p *Page) settle(ui.Value, []ui.Value) any {
	p.settling = false
	switch {
	case p.unnoted != note{}:
		p.note()
		p.settleSoon()
	case p.showNext():
		p.settleSoon()
	default:
		p.ctx.Dispatch(func(ui.Context) {})
	}
	return nil
}

// showNext draws one piece anew, and reports whether there was any to draw.
func (p *Page) showNext() bool {
	drawn := false
	p.showThose(func(t *piece) bool {
		wanted := !drawn && t.overtaken(p)
		drawn = drawn || wanted
		return wanted
	})
	return drawn
}

// overtaken reports whether a piece that can be seen shows something else by now.
func (t *piece) overtaken(p *Page) bool {
	if t.raw == nil || !t.raw.Mounted() || t.hidden != nil && t.hidden(p) {
		return false
	}
	is := t.of(p)
	if t.waits {
		return is != t.of(openingPage())
	}
	return is != t.shows
}

// update brings a piece up to the page, and returns its element and the patch
// that draws it so.
func (t *piece) update(p *Page) []any {
	if !t.overtaken(p) {
		return nil
	}
	is := t.of(p)
	next := t.foretell(is)
	t.shows, t.shown, t.foretold = is, next.node, nil
	return []any{t.element(), next.patch}
}
