package app

import (
	"sixways/fixture"
	"sixways/policy"
)

// table is the table of all decisions, complete at any time.
type table struct {
	settings fixture.Settings
	seen     int
	round    round
}

// The roles are written out because the narrow form lays the cells out as
// blocks, and browsers then forget that this is a table.
func (t table) node() node {
	rows := tag("tbody").role("rowgroup")
	for i, d := range fixture.Run(t.settings).Decisions {
		rows = rows.body(t.renderRow(i, d))
	}
	return tag("table").id("decisions").role("table").aria("labelledby", "data-heading").body(
		tableHead("Destination", "Needed by the task", "Decision", "Reason"), rows)
}

func tableHead(columns ...string) node {
	row := tag("tr").role("row")
	for _, c := range columns {
		row = row.body(tag("th").attr("scope", "col").role("columnheader").says(c))
	}
	return tag("thead").role("rowgroup").body(row)
}

func rowHeader() node { return tag("th").attr("scope", "row").role("rowheader") }

func cell() node { return tag("td").role("cell") }

func (t table) renderRow(i int, d policy.Decision) node {
	return tag("tr").role("row").class(class("latest", i == t.seen-1)).body(
		rowHeader().body(
			tag("code").body(breakable(d.Attempt.Destination.String())...),
			words(" "),
			tag("span").class("way").says(fixture.WayOf(i).Name),
		),
		cell().class("needed").says(yesNo(d.Attempt.Needed)),
		cell().body(t.renderDecision(i, d)),
		cell().class("reason").body(t.renderReason(i, d)...),
	)
}

func (t table) renderDecision(i int, d policy.Decision) node {
	if t.round.covered(i) {
		return coveredText(coveredWord)
	}
	return renderVerdict(d)
}

func (t table) renderReason(i int, d policy.Decision) []node {
	if t.round.covered(i) {
		return []node{coveredText(coveredUntil(d.Attempt.At))}
	}
	return []node{
		tag("span").class("rule").says(d.Layer.String() + " · " + d.Rule.Text),
		words(" "),
		tag("span").says(d.Reason()),
		tag("span").class("flips").says(FlipsText(t.settings, i)),
	}
}

// class returns a name where it applies.
func class(name string, applies bool) string {
	if applies {
		return name
	}
	return ""
}
