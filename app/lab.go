package app

import (
	"slices"
	"strings"

	"sixways/fixture"
)

// lab says how the model fared against real Linux, what it assumes, and which
// ways beside the ones that it means got through.
type lab struct {
	// covering keeps it back while predictions wait for what it says.
	covering bool
}

func (l lab) node() node {
	section := tag("section").id("lab").aria("labelledby", "lab-heading").
		body(tag("h2").id("lab-heading").says("Held against real Linux"))
	if l.covering {
		return section.body(tag("p").body(coveredText(coveredUntilVerdict)))
	}
	r := fixture.LabResults()
	assumptions := tag("ol").class("assumptions")
	for _, a := range r.Assumptions {
		assumptions = assumptions.body(tag("li").says(a.Text))
	}
	return section.body(
		tag("p").body(tag("strong").says(HeldText(r)), words(" "+ranText(r))),
		tag("h3").says("What the model assumes"),
		assumptions,
		tag("h3").says("Other ways that got through"),
		tag("p").says("The model speaks of one way to each destination. The lab tried others too, and builds with a mistake in them. Where the page says closed, these were open:"),
		tag("div").class("beside").body(renderBeside(r)...),
		tag("h3").says("The builds"),
		renderBuilds(r),
	)
}

// HeldText says in how many decisions the faithful builds agree with the model.
func HeldText(r fixture.Lab) string {
	least, builds := r.Cells, 0
	for _, b := range r.Builds {
		if b.Faithful {
			least, builds = min(least, b.Agree), builds+1
		}
	}
	return "Held against a real Linux build: " + itoa(least) + " of " + itoa(r.Cells) +
		" decisions agree, in each of " + count(builds, "build") + " that do what the model means."
}

func ranText(r fixture.Lab) string {
	var programs []string
	for name, version := range r.Programs {
		programs = append(programs, name+" "+version)
	}
	slices.Sort(programs)
	return "Real network namespaces, packet filters, proxies, resolvers and sockets, on " + r.Date +
		", with Linux " + r.Kernel + ", " + strings.Join(programs, ", ") + "."
}

// renderBeside lists for each attempt what the lab saw beside the model.
func renderBeside(r fixture.Lab) []node {
	var parts []node
	for i, a := range fixture.Scenario().Attempts {
		beside := r.Beside(a.Destination.String())
		if len(beside) == 0 {
			parts = append(parts, tag("p").class("none").says(fixture.WayOf(i).Name+": nothing else was seen."))
			continue
		}
		list := tag("ul")
		for _, d := range beside {
			list = list.body(renderDifference(d))
		}
		parts = append(parts, tag("details").body(
			tag("summary").says(fixture.WayOf(i).Name+": "+count(len(beside), "difference")),
			list,
		))
	}
	return parts
}

func renderDifference(d fixture.LabDifference) node {
	state := "Open "
	if d.Shut {
		state = "Shut "
	}
	return tag("li").body(
		tag("p").body(tag("strong").says(state+strings.Join(d.Ways, "; ")+".")),
		tag("p").says(d.Cause),
		tag("p").class("note").says("In "+count(d.Cells, "cell")+whereText(d.Where)+"; builds: "+strings.Join(d.Builds, ", ")+"."),
	)
}

func whereText(where string) string {
	if where == "" {
		return " of all settings"
	}
	return " with " + where
}

func renderBuilds(r fixture.Lab) node {
	rows := tag("tbody").role("rowgroup")
	for _, b := range r.Builds {
		rows = rows.body(tag("tr").role("row").body(
			rowHeader().body(tag("code").says(b.Name)),
			cell().says(b.Title),
			cell().says(itoa(b.Agree)+" of "+itoa(r.Cells)),
			cell().says(itoa(b.AgreeAnyWay)+" of "+itoa(r.Cells)),
		))
	}
	return tag("table").role("table").aria("label", "The builds").body(
		tableHead("Build", "What it is", "Agree", "With any other way"), rows)
}
