package app

import (
	"sixways/fixture"
	"sixways/policy"
)

// figures are the metrics of the whole run.
type figures struct {
	settings fixture.Settings
	// covering keeps them back while predictions wait for them.
	covering bool
}

func (f figures) node() node {
	list := tag("dl").id("figures").class("metrics")
	for _, one := range figuresOf(fixture.Run(f.settings).Metrics()) {
		list = list.body(one.cover(f.covering).node())
	}
	return list
}

// figure is one of the metrics as the page words it.
type figure struct{ term, value, note, tone string }

func figuresOf(m policy.Metrics) []figure {
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

func (f figure) node() node {
	return tag("div").class("metric").class(f.tone).body(
		tag("dt").says(f.term),
		tag("dd").class("value").says(f.value),
		tag("dd").class("note").says(f.note),
	)
}
