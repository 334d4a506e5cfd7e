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
