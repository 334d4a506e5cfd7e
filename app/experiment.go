package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// controls are the five controls, and what the run comes to.
type controls struct {
	settings   fixture.Settings
	previewing bool
	// covering keeps the outcome back while predictions wait for it.
	covering bool
}

func (c controls) node() node {
	would := c.previewed()
	policy := control("select").id(fixture.PolicyKey).aria("describedby", fixture.PolicyKey+"-help")
	for _, p := range fixture.Policies() {
		policy = policy.body(option(p.String(), p.Label(), p == c.settings.Policy))
	}
	all := tag("div").id("controls").body(
		tag("div").class("control").class(wouldMove(would[fixture.PolicyKey])).body(
			tag("label").attr("for", fixture.PolicyKey).says(fixture.PolicyLabel),
			policy,
			helpText(fixture.PolicyKey, fixture.PolicyHelp, would[fixture.PolicyKey]),
		))
	for _, s := range fixture.Switches() {
		all = all.body(tag("div").class("control toggle").class(wouldMove(would[s.Key])).body(
			control("input").attr("type", "checkbox").id(s.Key).given(*s.Of(&c.settings), "checked", "").
				aria("describedby", s.Key+"-help"),
			tag("label").attr("for", s.Key).says(s.Label),
			helpText(s.Key, s.Help, would[s.Key]),
		))
	}
	return all.body(c.renderOutcome())
}

func option(value, label string, selected bool) node {
	return tag("option").attr("value", value).given(selected, "selected", "").says(label)
}

// renderOutcome sums the run up beside the controls.
func (c controls) renderOutcome() node {
	box := tag("p").class("outcome")
	if c.covering {
		return box.body(icon("covered"), tag("span").says(coveredUntilVerdict))
	}
	m := fixture.Run(c.settings).Metrics()
	return box.class(tone(m.Contained && m.TaskWorks)).body(verdictIcon(!m.Contained), tag("span").says(Outcome(m)))
}

// changeControl serves the five controls; the control says which.
func (p *Page) changeControl(ctx ui.Context, e ui.Event) {
	ctx.PreventUpdate() // see settle
	from := e.Get("target")
	value := from.Get("value").String()
	if from.Get("type").String() == "checkbox" {
		value = "0"
		if from.Get("checked").Bool() {
			value = "1"
		}
	}
	p.change(from.Get("id").String(), value)
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
