package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// metrics are the figures of the whole run.
type metrics struct {
	ui.Compo

	Page       *Page
	Settings   fixture.Settings
	Previewing bool
	Covering   bool
}

func (m *metrics) Render() ui.UI {
	all := figures(fixture.Run(m.Settings).Metrics())
	return el("section").ID("metrics").Aria("labelledby", "metrics-heading").Body(
		el("h2").ID("metrics-heading").Text("Final metrics"),
		el("dl").Class("metrics").Body(ui.Range(all).Slice(func(i int) ui.UI { return all[i].cover(m.Covering).render() })),
		&goal{Page: m.Page, Settings: m.Settings, Previewing: m.Previewing, Covering: m.Covering},
	)
}

// figure is one of the metrics as the page words it.
type figure struct{ term, value, note, tone string }

func figures(m policy.Metrics) []figure {
	attempts := m.Unwanted + m.NeededAllowed + m.Blocked
	containment, leak := "Leaking", "something unwanted gets out"
	if m.Contained {
		containment, leak = "Contained", "nothing unwanted gets out"
	}
	task, why := "Fails", "what it needs is blocked"
	if m.TaskWorks {
		task, why = "Works", "what it needs gets out"
	}
	return []figure{
		{"Unwanted egress", itoa(m.Unwanted), "of " + itoa(attempts-m.Needed) + " unwanted ways", tone(m.Contained)},
		{"Needed destinations reached", itoa(m.NeededAllowed), "of " + itoa(m.Needed), tone(m.TaskWorks)},
		{"Attempts blocked", itoa(m.Blocked), "of " + itoa(attempts), ""},
		{"Containment", containment, leak, tone(m.Contained)},
		{"Task", task, why, tone(m.TaskWorks)},
	}
}

// cover keeps the figure back while predictions wait for it.
func (f figure) cover(covering bool) figure {
	if covering {
		return figure{f.term, coveredWord, "until the verdict", "covered"}
	}
	return f
}

func (f figure) render() ui.UI {
	return el("div").Class("metric "+f.tone).Body(
		el("dt").Text(f.term),
		el("dd").Class("value").Text(f.value),
		el("dd").Class("note").Text(f.note),
	)
}
