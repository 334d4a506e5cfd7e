package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// metrics are the figures of the whole run.
type metrics struct {
	ui.Compo

	Settings fixture.Settings
}

func (m *metrics) Render() ui.UI {
	run := fixture.Run(m.Settings)
	v := run.Metrics()
	attempts := len(run.Decisions)
	containment, leak := "Leaking", "something unwanted gets out"
	if v.Contained {
		containment, leak = "Contained", "nothing unwanted gets out"
	}
	task, why := "Fails", "what it needs is blocked"
	if v.TaskWorks {
		task, why = "Works", "what it needs gets out"
	}
	return ui.Section().ID("metrics").Aria("labelledby", "metrics-heading").Body(
		ui.H2().ID("metrics-heading").Text("Final metrics"),
		ui.Dl().Class("metrics").Body(
			metric("Unwanted egress", itoa(v.Unwanted), "of "+itoa(attempts-v.Needed)+" unwanted ways", tone(v.Contained)),
			metric("Needed destinations reached", itoa(v.NeededAllowed), "of "+itoa(v.Needed), tone(v.TaskWorks)),
			metric("Attempts blocked", itoa(v.Blocked), "of "+itoa(attempts), ""),
			metric("Containment", containment, leak, tone(v.Contained)),
			metric("Task", task, why, tone(v.TaskWorks)),
		),
	)
}

func metric(term, value, note, tone string) ui.UI {
	return ui.Div().Class("metric "+tone).Body(
		ui.Dt().Text(term),
		ui.Dd().Class("value").Text(value),
		ui.Dd().Class("note").Text(note),
	)
}
