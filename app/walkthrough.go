package app

import (
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// walkThrough is the text below the experiment.
type walkThrough struct {
	ui.Compo
}

func (w *walkThrough) Render() ui.UI {
	steps := fixture.WalkThrough()
	return el("div").Class("walk").Body(ui.Range(steps).Slice(func(i int) ui.UI {
		return renderStep(steps[i])
	}))
}

func renderStep(s fixture.Step) ui.UI {
	return el("section").ID(s.ID).Aria("labelledby", s.ID+"-heading").Body(
		el("h2").ID(s.ID+"-heading").Text(s.Heading),
		ui.Range(s.Paragraphs).Slice(func(i int) ui.UI {
			return el("p").Body(prose(s.Paragraphs[i])...)
		}),
		ui.If(len(s.Claims) > 0, func() ui.UI {
			return el("ul").Class("claims").Body(ui.Range(s.Claims).Slice(func(i int) ui.UI {
				return renderClaim(s.Claims[i])
			}))
		}),
	)
}

func renderClaim(c fixture.Claim) ui.UI {
	return el("li").Body(
		el("p").Class("recipe").Body(el("strong").Text("From the opening state: "), ui.Text(Recipe(c.Changes))),
		el("p").Body(prose(c.Says)...),
		el("p").Class("expect").Body(
			el("span").Class("figure "+tone(c.Unwanted == 0)).Text("Unwanted egress "+itoa(c.Unwanted)),
			ui.Text(" "),
			el("span").Class("figure "+tone(c.TaskWorks)).Text(taskWord(c.TaskWorks)),
		),
	)
}

func taskWord(works bool) string {
	if works {
		return "Task works"
	}
	return "Task fails"
}

// Recipe says in the labels' own words how to make some changes.
func Recipe(changes []fixture.Change) string {
	if len(changes) == 0 {
		return "change nothing."
	}
	var steps []string
	for _, c := range changes {
		steps = append(steps, recipeStep(c))
	}
	return strings.Join(steps, "; ") + "."
}

func recipeStep(c fixture.Change) string {
	s := fixture.Opening()
	if err := s.Set(c.Key, c.Value); err != nil {
		panic(err) // changes come from the fixture, where they are tested
	}
	if c.Key == fixture.PolicyKey {
		return "choose “" + s.Policy.Label() + "”"
	}
	for _, sw := range fixture.Switches() {
		if sw.Key == c.Key {
			if *sw.Of(&s) {
				return "turn “" + sw.Label + "” on"
			}
			return "turn “" + sw.Label + "” off"
		}
	}
	panic("no control " + c.Key)
}

// header is the page's title and what it is.
type header struct {
	ui.Compo
}

func (h *header) Render() ui.UI {
	return el("header").Body(
		el("a").Class("skip").Attr("href", "#experiment").Text("Skip to the experiment").OnClick(skipToExperiment),
		el("p").Class("eyebrow").Text(fixture.Eyebrow),
		el("h1").Text(fixture.Heading),
		el("p").Class("lead").Text(fixture.Lead),
	)
}

// skipToExperiment moves the focus without touching the address, which carries
// the state.
func skipToExperiment(_ ui.Context, e ui.Event) {
	e.PreventDefault()
	ui.Window().GetElementByID("experiment").Call("focus")
}

type footer struct {
	ui.Compo
}

func (f *footer) Render() ui.UI {
	return el("footer").Body(
		el("p").Text("sixways. " + fixture.Model + " It makes no request to any other host."),
	)
}
