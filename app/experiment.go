package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// experiment is the region of the five controls.
type experiment struct {
	ui.Compo

	Page       *Page
	Settings   fixture.Settings
	Previewing bool
	// Covering keeps the outcome back while predictions wait for it.
	Covering bool
}

func (e *experiment) Render() ui.UI {
	would := e.previewed()
	return el("section").ID("experiment").TabIndex(-1).Aria("labelledby", "experiment-heading").Body(
		el("h2").ID("experiment-heading").Text("Your experiment"),
		bootStatus(),
		el("div").Class("control").Class(wouldMove(would[fixture.PolicyKey])).Body(
			el("label").Attr("for", fixture.PolicyKey).Text(fixture.PolicyLabel),
			el("select").ID(fixture.PolicyKey).Attr("disabled", !ui.IsClient).
				Aria("describedby", fixture.PolicyKey+"-help").
				OnChange(e.choosePolicy).
				Body(ui.Range(fixture.Policies()).Slice(e.renderOption)),
			el("p").Class("help").ID(fixture.PolicyKey+"-help").Body(helpText(fixture.PolicyHelp, would[fixture.PolicyKey])...),
		),
		ui.Range(fixture.Switches()).Slice(func(i int) ui.UI {
			s := fixture.Switches()[i]
			return &toggle{Page: e.Page, Key: s.Key, Label: s.Label, Help: s.Help, On: *s.Of(&e.Settings), Would: would[s.Key]}
		}),
		&outcome{Settings: e.Settings, Covering: e.Covering},
	)
}

// bootStatus is filled by the boot script while the simulator loads, and keeps
// its place afterwards so that nothing moves.
func bootStatus() ui.UI {
	text := "The controls wait for the simulator. Without JavaScript they stay off, and the page shows its opening run."
	if ui.IsClient {
		text = "Ready. Everything on this page is computed here; nothing is sent anywhere."
	}
	return el("p").ID("boot-status").Class("boot").Role("status").Text(text)
}

func (e *experiment) renderOption(i int) ui.UI {
	p := fixture.Policies()[i]
	return el("option").Attr("value", p.String()).Attr("selected", p == e.Settings.Policy).Text(p.Label())
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
	// Would is where a preview would move it, empty for nowhere.
	Would string
}

func (t *toggle) Render() ui.UI {
	return el("div").Class("control toggle").Class(wouldMove(t.Would)).Body(
		voidEl("input").Attr("type", "checkbox").ID(t.Key).Attr("checked", t.On).Attr("disabled", !ui.IsClient).
			Aria("describedby", t.Key+"-help").OnChange(t.flip),
		el("label").Attr("for", t.Key).Text(t.Label),
		el("p").Class("help").ID(t.Key+"-help").Body(helpText(t.Help, t.Would)...),
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
	Covering bool
}

func (o *outcome) Render() ui.UI {
	if o.Covering {
		return el("p").Class("outcome").Body(icon("covered"), el("span").Text(coveredUntilVerdict))
	}
	m := fixture.Run(o.Settings).Metrics()
	return el("p").Class("outcome "+tone(m.Contained && m.TaskWorks)).Body(
		verdictIcon(!m.Contained),
		el("span").Text(Outcome(m)),
	)
}
