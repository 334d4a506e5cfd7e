package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// The page's frame is what an embedded page does without: what the header and
// the footer say. There a bar leads to the page with its frame.

func (p *Page) renderHeader() ui.UI {
	return el("header").Body(
		p.piece("masthead"),
		el("div").Class("tools").Body(
			el("details").ID("view").OnChange(p.chooseView).Body(
				el("summary").Text("View"),
				p.piece("view-choices"),
			),
			p.share.render(),
		),
	)
}

// masthead is the page's title, and what it is.
type masthead struct{}

func (masthead) node() node {
	return tag("div").id("masthead").body(
		tag("a").id("skip").class("skip").attr("href", "#experiment").says("Skip to the experiment"),
		tag("p").class("eyebrow").says(fixture.Eyebrow),
		tag("h1").says(fixture.Heading),
		tag("p").class("lead").says(fixture.Lead),
	)
}

type footer struct{}

// node ends with the bar of an embedded page. Its link's address follows the
// clock: see leadToFullPage.
func (footer) node() node {
	return tag("footer").id("footer").body(
		tag("p").says("sixways. "+fixture.Model+" It makes no request to any other host."),
		tag("p").class("embed-bar").body(
			tag("span").says(fixture.Model),
			tag("a").id("full").attr("target", "_blank").attr("rel", "noopener").says("Open the full page"),
		),
	)
}

// leadToFullPage lets the bar's link carry the present state.
func (p *Page) leadToFullPage() {
	if !p.view.Embed {
		return
	}
	s := p.state()
	s.View = fixture.View{Theme: s.View.Theme}
	if link := ui.Window().GetElementByID("full"); link.Truthy() {
		link.Set("href", pageAddress()+"#"+s.Fragment())
	}
}

// pageAddress is the page's address without query and fragment.
func pageAddress() string {
	location := ui.Window().Get("location")
	return location.Get("protocol").String() + "//" + location.Get("host").String() + location.Get("pathname").String()
}
