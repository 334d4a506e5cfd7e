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
}

// The roles are written out because the narrow form lays the cells out as
// blocks, and browsers then forget that this is a table.
func (t *data) Render() ui.UI {
	run := fixture.Run(t.Settings)
	return ui.Section().ID("data").Aria("labelledby", "data-heading").Body(
		ui.H2().ID("data-heading").Text("Computed data"),
		ui.P().Class("note").Text(fixture.Model),
		ui.Table().Role("table").Aria("labelledby", "data-heading").Body(
			ui.THead().Role("rowgroup").Body(ui.Tr().Role("row").Body(
				columnHeader("Destination"), columnHeader("Needed by the task"),
				columnHeader("Decision"), columnHeader("Reason"),
			)),
			ui.TBody().Role("rowgroup").Body(ui.Range(run.Decisions).Slice(func(i int) ui.UI {
				return t.renderRow(i, run.Decisions[i])
			})),
		),
	)
}

func columnHeader(text string) ui.UI {
	return ui.Th().Scope("col").Role("columnheader").Text(text)
}

func (t *data) renderRow(i int, d policy.Decision) ui.UI {
	row := ui.Tr().Role("row")
	if i == t.Seen-1 {
		row = row.Class("latest")
	}
	return row.Body(
		ui.Th().Scope("row").Role("rowheader").Body(
			ui.Code().Body(breakable(d.Attempt.Destination.String())...),
			ui.Text(" "),
			ui.Span().Class("way").Text(fixture.WayOf(i).Name),
		),
		ui.Td().Role("cell").Class("needed").Text(yesNo(d.Attempt.Needed)),
		ui.Td().Role("cell").Body(renderVerdict(d)),
		ui.Td().Role("cell").Class("reason").Body(
			ui.Span().Class("rule").Text(d.Layer.String()+" · "+d.Rule.Text),
			ui.Text(" "),
			ui.Span().Text(d.Reason()),
		),
	)
}
