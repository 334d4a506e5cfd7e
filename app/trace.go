package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// trace lists the events up to the present second.
type trace struct {
	ui.Compo

	Settings fixture.Settings
	Seen     int
	Round    round
}

func (t *trace) Render() ui.UI {
	run := fixture.Run(t.Settings)
	return el("div").Class("trace").Body(
		el("p").Class("trace-empty").Hidden(t.Seen > 0).Text(
			"Nothing has happened yet. The first attempt meets its decision at "+itoa(run.EventAt(0))+" s."),
		el("ol").Class("events").Body(renderEvents(run, t.Seen)...),
		el("div").Class("print-only").Aria("hidden", "true").Body(t.renderRest(run)...),
	)
}

func renderEvents(run policy.Run, seen int) []ui.UI {
	var items []ui.UI
	for i := range seen {
		item := el("li").Body(renderEvent(run, i)...)
		if i == seen-1 {
			item = item.Class("latest")
		}
		items = append(items, item)
	}
	return items
}

func renderEvent(run policy.Run, i int) []ui.UI {
	at := el("span").Class("at").Text(itoa(run.EventAt(i)) + " s")
	if i == len(run.Decisions) {
		m := run.Metrics()
		return []ui.UI{at,
			el("span").Class("verdict "+tone(m.Contained && m.TaskWorks)).Body(verdictIcon(!m.Contained), el("span").Text("Verdict")),
			el("span").Class("what").Text(Outcome(m)),
		}
	}
	d := run.Decisions[i]
	return []ui.UI{at, renderVerdict(d),
		el("span").Class("what").Body(
			el("code").Body(breakable(d.Attempt.Destination.String())...),
			ui.Text(" "),
			el("span").Class("layer").Text(layerText(d)),
		),
	}
}

// renderRest is what print adds: paper does not play.
func (t *trace) renderRest(run policy.Run) []ui.UI {
	var rest []ui.UI
	for i := t.Seen; i < run.Events(); i++ {
		text := itoa(run.EventAt(i)) + " s  " + coveredWord
		if !t.Round.covered(i) {
			text = itoa(run.EventAt(i)) + " s  " + eventText(run, i)
		}
		rest = append(rest, el("p").Text(text))
	}
	return rest
}

// renderVerdict shows a decision by icon, word and colour.
func renderVerdict(d policy.Decision) ui.UI {
	return el("span").Class("verdict "+decisionTone(d)).Body(
		verdictIcon(d.Verdict == policy.Allowed),
		el("span").Text(verdictWord(d.Verdict)),
	)
}

func verdictWord(v policy.Verdict) string {
	if v == policy.Allowed {
		return "Allowed"
	}
	return "Blocked"
}

// layerText says who decided.
func layerText(d policy.Decision) string {
	if d.Layer == policy.LayerNoRoute {
		return "no route"
	}
	return "by the " + d.Layer.String()
}

// eventText is an event as one sentence.
func eventText(run policy.Run, i int) string {
	if i == len(run.Decisions) {
		return "Verdict. " + Outcome(run.Metrics())
	}
	d := run.Decisions[i]
	return fixture.WayOf(i).Name + ": " + d.Attempt.Destination.String() + " " + d.Verdict.String() + ", " + layerText(d) + "."
}
