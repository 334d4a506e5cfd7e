package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// walkThrough is the text below the experiment.
type walkThrough struct {
	ui.Compo

	Page     *Page
	Settings fixture.Settings
	Covering bool
}

func (w *walkThrough) Render() ui.UI {
	steps := fixture.WalkThrough()
	return el("div").Class("walk").Body(ui.Range(steps).Slice(func(i int) ui.UI {
		// What makes claims gives answers away.
		if w.Covering && len(steps[i].Claims) > 0 {
			return renderCoveredStep(steps[i])
		}
		return w.renderStep(steps[i])
	}))
}

func (w *walkThrough) renderStep(s fixture.Step) ui.UI {
	return el("section").ID(s.ID).Aria("labelledby", s.ID+"-heading").Body(
		el("h2").ID(s.ID+"-heading").Text(s.Heading),
		ui.Range(s.Paragraphs).Slice(func(i int) ui.UI {
			return el("p").Body(prose(s.Paragraphs[i])...)
		}),
		ui.If(len(s.Claims) > 0, func() ui.UI {
			return el("ul").Class("claims").Body(ui.Range(s.Claims).Slice(func(i int) ui.UI {
				c := s.Claims[i]
				return &claim{Page: w.Page, ID: s.ID + "-" + itoa(i+1), Claim: c, Current: c.Settings() == w.Settings}
			}))
		}),
	)
}

func renderCoveredStep(s fixture.Step) ui.UI {
	return el("section").ID(s.ID).Aria("labelledby", s.ID+"-heading").Body(
		el("h2").ID(s.ID+"-heading").Text(s.Heading),
		el("p").Body(coveredText(coveredUntilVerdict)),
	)
}

func taskWord(works bool) string {
	if works {
		return "Task works"
	}
	return "Task fails"
}

// header is the page's title and what it is.
type header struct {
	ui.Compo
}

func (h *header) Render() ui.UI {
	return el("header").Body(
		el("a").ID("skip").Class("skip").Attr("href", "#experiment").Text("Skip to the experiment"),
		el("p").Class("eyebrow").Text(fixture.Eyebrow),
		el("h1").Text(fixture.Heading),
		el("p").Class("lead").Text(fixture.Lead),
	)
}

type footer struct {
	ui.Compo
}

func (f *footer) Render() ui.UI {
	return el("footer").Body(
		el("p").Text("sixways. " + fixture.Model + " It makes no request to any other host."),
	)
}
