package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// The page's frame is what an embedded page does without: what the header and
// the footer say. There a bar leads to the page with its frame.

// header is the page's title, what it is, and how it is shown and shared.
type header struct {
	ui.Compo

	Page *Page
	View fixture.View
}

func (h *header) Render() ui.UI {
	return el("header").Body(
		el("a").ID("skip").Class("skip").Attr("href", "#experiment").Text("Skip to the experiment"),
		el("p").Class("eyebrow").Text(fixture.Eyebrow),
		el("h1").Text(fixture.Heading),
		el("p").Class("lead").Text(fixture.Lead),
		el("div").Class("tools").Body(
			el("details").ID("view").Body(
				el("summary").Text("View"),
				viewChoices{h.Page, "view"}.render(),
			),
			h.Page.share.render(),
		),
	)
}

type footer struct {
	ui.Compo
}

func (f *footer) Render() ui.UI {
	return el("footer").Body(
		el("p").Text("sixways. "+fixture.Model+" It makes no request to any other host."),
		renderEmbedBar(),
	)
}

// renderEmbedBar ends an embedded page. The link's address is set from outside
// the tree, for it follows the clock.
func renderEmbedBar() ui.UI {
	return el("p").Class("embed-bar").Body(
		el("span").Text(fixture.Model),
		el("a").ID("full").Attr("target", "_blank").Attr("rel", "noopener").Text("Open the full page"),
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
