package app

import (
	"slices"
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// lab says how the model fared against real Linux, what it assumes, and which
// ways beside the ones that it means got through.
type lab struct {
	ui.Compo

	// Covering keeps it back while predictions wait for what it says.
	Covering bool
}

func (l *lab) Render() ui.UI {
	if l.Covering {
		return el("section").ID("lab").Aria("labelledby", "lab-heading").Body(
			el("h2").ID("lab-heading").Text("Held against real Linux"),
			el("p").Body(coveredText(coveredUntilVerdict)),
		)
	}
	r := fixture.LabResults()
	return el("section").ID("lab").Aria("labelledby", "lab-heading").Body(
		el("h2").ID("lab-heading").Text("Held against real Linux"),
		el("p").Body(el("strong").Text(HeldText(r)), ui.Text(" "+ranText(r))),
		el("h3").Text("What the model assumes"),
		el("ol").Class("assumptions").Body(ui.Range(r.Assumptions).Slice(func(i int) ui.UI {
			return el("li").Text(r.Assumptions[i].Text)
		})),
		el("h3").Text("Other ways that got through"),
		el("p").Text("The model speaks of one way to each destination. The lab tried others too, and builds with a mistake in them. Where the page says closed, these were open:"),
		el("div").Class("beside").Body(l.renderAttempts(r)...),
		el("h3").Text("The builds"),
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

// renderAttempts lists for each attempt what the lab saw beside the model.
func (l *lab) renderAttempts(r fixture.Lab) []ui.UI {
	var parts []ui.UI
	for i, a := range fixture.Scenario().Attempts {
		beside := r.Beside(a.Destination.String())
		if len(beside) == 0 {
			parts = append(parts, el("p").Class("none").Text(fixture.WayOf(i).Name+": nothing else was seen."))
			continue
		}
		parts = append(parts, el("details").Body(
			el("summary").Text(fixture.WayOf(i).Name+": "+count(len(beside), "difference")),
			el("ul").Body(ui.Range(beside).Slice(func(j int) ui.UI { return renderDifference(beside[j]) })),
		))
	}
	return parts
}

func renderDifference(d fixture.LabDifference) ui.UI {
	state := "Open "
	if d.Shut {
		state = "Shut "
	}
	return el("li").Body(
		el("p").Body(el("strong").Text(state+strings.Join(d.Ways, "; ")+".")),
		el("p").Text(d.Cause),
		el("p").Class("note").Text("In "+count(d.Cells, "cell")+whereText(d.Where)+"; builds: "+strings.Join(d.Builds, ", ")+"."),
	)
}

func whereText(where string) string {
	if where == "" {
		return " of all settings"
	}
	return " with " + where
}

func renderBuilds(r fixture.Lab) ui.UI {
	return el("table").Role("table").Aria("label", "The builds").Body(
		el("thead").Role("rowgroup").Body(el("tr").Role("row").Body(
			columnHeader("Build"), columnHeader("What it is"), columnHeader("Agree"), columnHeader("With any other way"),
		)),
		el("tbody").Role("rowgroup").Body(ui.Range(r.Builds).Slice(func(i int) ui.UI {
			b := r.Builds[i]
			return el("tr").Role("row").Body(
				el("th").Attr("scope", "row").Role("rowheader").Body(el("code").Text(b.Name)),
				el("td").Role("cell").Text(b.Title),
				el("td").Role("cell").Text(itoa(b.Agree)+" of "+itoa(r.Cells)),
				el("td").Role("cell").Text(itoa(b.AgreeAnyWay)+" of "+itoa(r.Cells)),
			)
		})),
	)
}
