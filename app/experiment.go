package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// experiment is the region of the five controls.
type experiment struct {
	ui.Compo

	Page     *Page
	Settings fixture.Settings
}

func (e *experiment) Render() ui.UI {
	return ui.Section().ID("experiment").TabIndex(-1).Aria("labelledby", "experiment-heading").Body(
		ui.H2().ID("experiment-heading").Text("Your experiment"),
		bootStatus(),
		ui.Div().Class("control").Body(
			ui.Label().For(fixture.PolicyKey).Text(fixture.PolicyLabel),
			ui.Select().ID(fixture.PolicyKey).Disabled(!ui.IsClient).
				Aria("describedby", fixture.PolicyKey+"-help").
				OnChange(e.choosePolicy).
				Body(ui.Range(fixture.Policies()).Slice(e.renderOption)),
			ui.P().Class("help").ID(fixture.PolicyKey+"-help").Text(fixture.PolicyHelp),
		),
		ui.Range(fixture.Switches()).Slice(func(i int) ui.UI {
			s := fixture.Switches()[i]
			return &toggle{Page: e.Page, Key: s.Key, Label: s.Label, Help: s.Help, On: *s.Of(&e.Settings)}
		}),
		&outcome{Settings: e.Settings},
	)
}

// bootStatus is filled by the boot script while the simulator loads, and keeps
// its place afterwards so that nothing moves.
func bootStatus() ui.UI {
	text := "The controls wait for the simulator. Without JavaScript they stay off, and the page shows its opening run."
	if ui.IsClient {
		text = "Ready. Everything on this page is computed here; nothing is sent anywhere."
	}
	return ui.P().ID("boot-status").Class("boot").Role("status").Text(text)
}

func (e *experiment) renderOption(i int) ui.UI {
	p := fixture.Policies()[i]
	return ui.Option().Value(p.String()).Selected(p == e.Settings.Policy).Text(p.Label())
}

func (e *experiment) choosePolicy(ctx ui.Context, _ ui.Event) {
	e.Page.change(fixture.PolicyKey, ctx.JSSrc().Get("value").String())
}

// toggle is one checkbox with its label and help.
type toggle struct {
	ui.Compo

	Page             *Page
	Key, Label, Help string
	On               bool
}

func (t *toggle) Render() ui.UI {
	return ui.Div().Class("control toggle").Body(
		ui.Input().Type("checkbox").ID(t.Key).Checked(t.On).Disabled(!ui.IsClient).
			Aria("describedby", t.Key+"-help").OnChange(t.flip),
		ui.Label().For(t.Key).Text(t.Label),
		ui.P().Class("help").ID(t.Key+"-help").Text(t.Help),
	)
}

func (t *toggle) flip(ctx ui.Context, _ ui.Event) {
	value := "0"
	if ctx.JSSrc().Get("checked").Bool() {
		value = "1"
	}
	t.Page.change(t.Key, value)
}

// outcome sums the run up beside the controls.
type outcome struct {
	ui.Compo

	Settings fixture.Settings
}

func (o *outcome) Render() ui.UI {
	m := fixture.Run(o.Settings).Metrics()
	return ui.P().Class("outcome "+tone(m.Contained && m.TaskWorks)).Body(
		verdictIcon(!m.Contained),
		ui.Span().Text(Outcome(m)),
	)
}
