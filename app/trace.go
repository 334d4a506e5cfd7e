package app

import (
	"sixways/fixture"
	"sixways/policy"
)

// trace lists the events up to the present second.
type trace struct {
	settings fixture.Settings
	seen     int
	round    round
}

func (t trace) node() node {
	run := fixture.Run(t.settings)
	return tag("div").id("events").class("trace").body(
		tag("p").class("trace-empty").given(t.seen > 0, "hidden", "").says(
			"Nothing has happened yet. The first attempt meets its decision at "+itoa(run.EventAt(0))+" s."),
		tag("ol").class("events").body(renderEvents(run, t.seen)...),
		tag("ol").class("events print-only").aria("hidden", "true").body(t.renderRest(run)...),
	)
}

func renderEvents(run policy.Run, seen int) []node {
	var items []node
	for i := range seen {
		items = append(items, tag("li").class(class("latest", i == seen-1)).body(renderEvent(run, i)...))
	}
	return items
}

func renderAt(run policy.Run, i int) node {
	return tag("span").class("at").says(itoa(run.EventAt(i)) + " s")
}

func renderEvent(run policy.Run, i int) []node {
	at := renderAt(run, i)
	if i == len(run.Decisions) {
		m := run.Metrics()
		return []node{at,
			tag("span").class("verdict "+tone(m.Contained && m.TaskWorks)).body(verdictIcon(!m.Contained), tag("span").says("Verdict")),
			tag("span").class("what").says(Outcome(m)),
		}
	}
	d := run.Decisions[i]
	return []node{at, renderVerdict(d),
		tag("span").class("what").body(
			tag("code").body(breakable(d.Attempt.Destination.String())...),
			words(" "),
			tag("span").class("layer").says(layerText(d)),
		),
	}
}

// renderRest is what print adds: paper does not play. What has been seen is
// there too, and hidden, so that an event changes little.
func (t trace) renderRest(run policy.Run) []node {
	var rest []node
	for i := range run.Events() {
		event := []node{renderAt(run, i), coveredText(coveredWord)}
		if !t.round.covered(i) {
			event = renderEvent(run, i)
		}
		rest = append(rest, tag("li").given(i < t.seen, "hidden", "").body(event...))
	}
	return rest
}

// renderVerdict shows a decision by icon, word and colour.
func renderVerdict(d policy.Decision) node {
	return tag("span").class("verdict "+decisionTone(d)).body(
		verdictIcon(d.Verdict == policy.Allowed),
		tag("span").says(verdictWord(d.Verdict)),
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
