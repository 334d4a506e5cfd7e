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
	return el("section").ID("metrics").Aria("labelledby", "metrics-heading").Body(
		el("h2").ID("metrics-heading").Text("Final metrics"),
		el("dl").Class("metrics").Body(
			metric("Unwanted egress", itoa(v.Unwanted), "of "+itoa(attempts-v.Needed)+" unwanted ways", tone(v.Contained)),
			metric("Needed destinations reached", itoa(v.NeededAllowed), "of "+itoa(v.Needed), tone(v.TaskWorks)),
			metric("Attempts blocked", itoa(v.Blocked), "of "+itoa(attempts), ""),
			metric("Containment", containment, leak, tone(v.Contained)),
			metric("Task", task, why, tone(v.TaskWorks)),
		),
	)
}

func metric(term, value, note, tone string) ui.UI {
	return el("div").Class("metric "+tone).Body(
		el("dt").Text(term),
		el("dd").Class("value").Text(value),
		el("dd").Class("note").Text(note),
	)
}
