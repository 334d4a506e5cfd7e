package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// data is the table of all decisions, complete at any time.
type data struct {
	ui.Compo

	Settings fixture.Settings
	Seen     int
	Round    round
}

// The roles are written out because the narrow form lays the cells out as
// blocks, and browsers then forget that this is a table.
func (t *data) Render() ui.UI {
	run := fixture.Run(t.Settings)
	return el("section").ID("data").Aria("labelledby", "data-heading").Body(
		el("h2").ID("data-heading").Text("Computed data"),
		el("p").Class("note").Text(fixture.Model),
		el("table").Role("table").Aria("labelledby", "data-heading").Body(
			el("thead").Role("rowgroup").Body(el("tr").Role("row").Body(
				columnHeader("Destination"), columnHeader("Needed by the task"),
				columnHeader("Decision"), columnHeader("Reason"),
			)),
			el("tbody").Role("rowgroup").Body(ui.Range(run.Decisions).Slice(func(i int) ui.UI {
				return t.renderRow(i, run.Decisions[i])
			})),
		),
		&takeaway{Settings: t.Settings, Covering: t.Round.covering()},
	)
}

func columnHeader(text string) ui.UI {
	return el("th").Attr("scope", "col").Role("columnheader").Text(text)
}

func (t *data) renderRow(i int, d policy.Decision) ui.UI {
	row := el("tr").Role("row")
	if i == t.Seen-1 {
		row = row.Class("latest")
	}
	return row.Body(
		el("th").Attr("scope", "row").Role("rowheader").Body(
			el("code").Body(breakable(d.Attempt.Destination.String())...),
			ui.Text(" "),
			el("span").Class("way").Text(fixture.WayOf(i).Name),
		),
		el("td").Role("cell").Class("needed").Text(yesNo(d.Attempt.Needed)),
		el("td").Role("cell").Body(t.renderDecision(i, d)),
		el("td").Role("cell").Class("reason").Body(t.renderReason(i, d)...),
	)
}

func (t *data) renderDecision(i int, d policy.Decision) ui.UI {
	if t.Round.covered(i) {
		return coveredText(coveredWord)
	}
	return renderVerdict(d)
}

func (t *data) renderReason(i int, d policy.Decision) []ui.UI {
	if t.Round.covered(i) {
		return []ui.UI{coveredText(coveredUntil(d.Attempt.At))}
	}
	return []ui.UI{
		el("span").Class("rule").Text(d.Layer.String() + " · " + d.Rule.Text),
		ui.Text(" "),
		el("span").Text(d.Reason()),
		&flips{Settings: t.Settings, Attempt: i},
	}
}
