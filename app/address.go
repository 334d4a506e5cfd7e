package app

import (
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// takeOverLinks gives links, Back and Forward back to the browser: go-app's
// handlers would open links in new windows and would miss a Back to the
// address that it saw first.
func takeOverLinks() {
	ui.Window().Set("onclick", nil)
	ui.Window().Set("onpopstate", nil)
}

// readAddress puts the page into the state that its address carries.
func (p *Page) readAddress() {
	u := ui.Window().URL()
	query, fragment := u.RawQuery, u.EscapedFragment()
	place := isPlace(fragment)
	lost := place && !hasPlace(u.Fragment)
	if kept, ok := keptState(); ok && place {
		query, fragment = "", kept
	}
	state, problems := fixture.ParseAddress(query, fragment)
	if lost {
		problems = append(problems, fixture.NoPlace(u.Fragment))
	}
	p.restore(state)
	p.showView(state.View)
	p.problems = problems
	p.amends = !place && len(problems) == 0 && p.state().Second != state.Second
}

// amendAddress lets the address say that a round of predictions has begun at its
// start, where it names another second.
func (p *Page) amendAddress() {
	if p.amends {
		p.amends = false
		p.replaceAddress()
	}
}

// hasPlace reports whether the page has a part of that name. "top" is its start
// (HTML, section 7.4.6.4, "find the indicated part of the document").
func hasPlace(id string) bool {
	return strings.EqualFold(id, "top") || ui.Window().GetElementByID(id).Truthy()
}

// isPlace tells the address of a place in the page. It carries no state: the
// history keeps that beside it, for Back and for a reload.
func isPlace(fragment string) bool { return fragment != "" && fixture.IsAnchor(fragment) }

// keptState is the state that the history keeps beside the present address.
func keptState() (string, bool) {
	state := ui.Window().Get("history").Get("state")
	if state.Type() != ui.TypeString {
		return "", false
	}
	return state.String(), true
}

// keepState keeps the state beside the address of a place.
func (p *Page) keepState() {
	if p.view.Embed {
		return // the history is the embedder's
	}
	if _, kept := keptState(); !kept && isPlace(ui.Window().URL().EscapedFragment()) {
		p.callHistory("replaceState", p.state().Fragment(), "")
	}
}

// popped follows Back, Forward and an address that the reader edits. A jump to
// a place in the page is no change of state.
func (p *Page) popped(ui.Value, []ui.Value) any {
	u := ui.Window().URL()
	if _, kept := keptState(); !kept && isPlace(u.EscapedFragment()) {
		p.keepState()
		if hasPlace(u.Fragment) {
			return nil
		}
	}
	p.ctx.Dispatch(func(ui.Context) {
		before, settings := p.round, p.settings
		p.unnoted = note{} // gone with the way back
		p.readAddress()
		p.amendAddress()
		p.said = p.outcomeText()
		if before.on && p.round == before && p.settings == settings {
			p.said = "The round goes on."
		}
		p.paint()
	})
	return nil
}

// pushAddress records a deliberate change: Back returns to what was before.
func (p *Page) pushAddress() { p.writeAddress("pushState") }

// replaceAddress notes the time at which the replay stands, for a reload or a
// copied link.
func (p *Page) replaceAddress() { p.writeAddress("replaceState") }

func (p *Page) writeAddress(method string) {
	p.writeAddressSoon(method)
	p.note()
}

// writeAddressSoon leaves that to settle: the browser takes its time for it. An
// embedded page's address stays: its history is that of the page around it, which
// is told instead.
func (p *Page) writeAddressSoon(method string) {
	p.leadToFullPage()
	if p.view.Embed {
		p.tellChange()
		return
	}
	p.noteSoon(method)
}

// note is a state, as an address has it, that the history has yet to be told.
type note struct{ method, fragment string }

func (p *Page) noteSoon(method string) {
	p.note()
	p.unnoted = note{method, p.state().Fragment()}
}

func (p *Page) note() {
	if n := p.unnoted; n != (note{}) {
		p.unnoted = note{}
		p.callHistory(n.method, n.fragment, "", "#"+n.fragment)
	}
}

func (p *Page) callHistory(method string, args ...any) {
	defer func() {
		// Browsers refuse when an address changes too often, and in some
		// sandboxed frames; the page is right without it.
		if err := recover(); err != nil {
			ui.Log("the address was not updated:", err)
		}
	}()
	ui.Window().Get("history").Call(method, args...)
}
