package app

import (
	"slices"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"
)

// A reader begins with the experiment. What stays go-app's own and lies below
// it, with the reader's own input, is mounted a frame after the page is live:
// that would be most of what go-app mounts at the start.

// standIn is a part of the pre-rendered page in the place of one to come.
type standIn struct {
	id      string
	element ui.Value
}

// later returns a part of the tree or, while the page is partial, an empty place
// for what it looks like, which is switched off.
func (p *Page) later(id string, part ui.UI) ui.UI {
	if !p.partial {
		return part
	}
	if !slices.ContainsFunc(p.standIns, func(s standIn) bool { return s.id == id }) {
		p.standIns = append(p.standIns, standIn{id, ui.Window().GetElementByID(id)})
	}
	return el("div").Class("place").ID(id + "-place")
}

// completeSoon mounts what is still to come once the page has been painted.
func (p *Page) completeSoon() {
	p.completes = ui.FuncOf(p.complete)
	if !p.partial {
		p.live()
		return
	}
	for _, s := range p.standIns {
		ui.Window().GetElementByID(s.id+"-place").Call("append", s.element)
	}
	ui.Window().Call("sixwaysAfterFrame", p.completes)
}

func (p *Page) complete(ui.Value, []ui.Value) any {
	p.ctx.Dispatch(func(ctx ui.Context) {
		p.partial, p.standIns = false, nil
		ctx.Defer(func(ui.Context) {
			p.keepPieces()
			p.showPieces()
			p.live()
		})
	})
	return nil
}

// live tells everybody that all of the page is.
func (p *Page) live() { setDocument("data-live", true, "") }
