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
	return ui.Div().Class("walk").Body(ui.Range(steps).Slice(func(i int) ui.UI {
		return renderStep(steps[i])
	}))
}

func renderStep(s fixture.Step) ui.UI {
	return ui.Section().ID(s.ID).Aria("labelledby", s.ID+"-heading").Body(
		ui.H2().ID(s.ID+"-heading").Text(s.Heading),
		ui.Range(s.Paragraphs).Slice(func(i int) ui.UI {
			return ui.P().Body(prose(s.Paragraphs[i])...)
		}),
		ui.If(len(s.Claims) > 0, func() ui.UI {
			return ui.Ul().Class("claims").Body(ui.Range(s.Claims).Slice(func(i int) ui.UI {
				return renderClaim(s.Claims[i])
			}))
		}),
	)
}

func renderClaim(c fixture.Claim) ui.UI {
	return ui.Li().Body(
		ui.P().Class("recipe").Body(ui.Strong().Text("From the opening state: "), ui.Text(Recipe(c.Changes))),
		ui.P().Body(prose(c.Says)...),
		ui.P().Class("expect").Body(
			ui.Span().Class("figure "+tone(c.Unwanted == 0)).Text("Unwanted egress "+itoa(c.Unwanted)),
			ui.Text(" "),
			ui.Span().Class("figure "+tone(c.TaskWorks)).Text(taskWord(c.TaskWorks)),
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
	return ui.Header().Body(
		ui.A().Class("skip").Href("#experiment").Text("Skip to the experiment").OnClick(skipToExperiment),
		ui.P().Class("eyebrow").Text(fixture.Eyebrow),
		ui.H1().Text(fixture.Heading),
		ui.P().Class("lead").Text(fixture.Lead),
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
	return ui.Footer().Body(
		ui.P().Text("sixways. " + fixture.Model + " It makes no request to any other host."),
	)
}
