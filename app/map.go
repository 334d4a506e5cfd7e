package app

import (
	"slices"
	"sync"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// A place on the map: for each policy four rows and four columns, of two
// switches each. They are in the order of the Gray code, so that neighbours
// differ in one switch, and so do the last and the first.
type place struct{ policy, row, column int }

var gray = [4][2]bool{{false, false}, {false, true}, {true, true}, {true, false}}

// The opening state stands in the first row and column: its switches are those
// of a Gray code that begins with them.
func (p place) settings() fixture.Settings {
	row, column := gray[p.row], gray[p.column]
	return fixture.Settings{
		Policy:        fixture.Policies()[p.policy],
		TaskAPI:       !row[0],
		BlockMetadata: row[1],
		ForceDNS:      column[0],
		Loopback:      !column[1],
	}
}

func placeOf(s fixture.Settings) place {
	return place{
		policy: slices.Index(fixture.Policies(), s.Policy),
		row:    slices.Index(gray[:], [2]bool{!s.TaskAPI, s.BlockMetadata}),
		column: slices.Index(gray[:], [2]bool{s.ForceDNS, !s.Loopback}),
	}
}

// id is the place's element.
func (p place) id() string { return "map-" + itoa(p.policy) + itoa(p.row) + itoa(p.column) }

// moved returns where a key leads; the map has no edge. Home and End go to the
// ends of the row.
func (p place) moved(key string) (place, bool) {
	size, policies := len(gray), len(fixture.Policies())
	switch key {
	case "ArrowLeft":
		p.column = (p.column + size - 1) % size
	case "ArrowRight":
		p.column = (p.column + 1) % size
	case "ArrowUp":
		p.row = (p.row + size - 1) % size
	case "ArrowDown":
		p.row = (p.row + 1) % size
	case "PageUp":
		p.policy = (p.policy + policies - 1) % policies
	case "PageDown":
		p.policy = (p.policy + 1) % policies
	case "Home":
		p.column = 0
	case "End":
		p.column = size - 1
	default:
		return p, false
	}
	return p, true
}

// metricsOf holds what each of the 48 settings comes to, computed once.
var metricsOf = sync.OnceValue(func() map[fixture.Settings]policy.Metrics {
	all := map[fixture.Settings]policy.Metrics{}
	for _, s := range fixture.All() {
		all[s] = fixture.Run(s).Metrics()
	}
	return all
})

// CountText says how many of all settings contain the fixture with the task
// still working.
func CountText() string { return countText() }

var countText = sync.OnceValue(func() string {
	n := 0
	for _, m := range metricsOf() {
		if m.Contained && m.TaskWorks {
			n++
		}
	}
	return itoa(n) + " of the " + itoa(len(metricsOf())) + " settings contain the fixture with the task still working."
})

// StateText says in one sentence what the settings are and come to.
func StateText(s fixture.Settings) string {
	return s.Policy.Label() + "; " + rowText(s) + "; " + columnText(s) + ": " + comesTo(metricsOf()[s])
}

func rowText(s fixture.Settings) string {
	return "task API " + taskAPIWord(s.TaskAPI) + "; metadata " + metadataWord(s.BlockMetadata)
}

func columnText(s fixture.Settings) string {
	return "DNS " + dnsWord(s.ForceDNS) + "; loopback " + loopbackWord(s.Loopback)
}

// comesTo says the count that the place shows, so that who speaks to the page
// can call the place by it.
func comesTo(m policy.Metrics) string {
	text := count(m.Unwanted, "unwanted way") + " out, the task fails"
	if m.TaskWorks {
		text = count(m.Unwanted, "unwanted way") + " out, the task works"
	}
	if m.Contained {
		return "contained, " + text
	}
	return text
}

func taskAPIWord(on bool) string {
	if on {
		return "on the list"
	}
	return "off the list"
}

func metadataWord(blocked bool) string {
	if blocked {
		return "blocked"
	}
	return "open"
}

func dnsWord(forced bool) string {
	if forced {
		return "forced"
	}
	return "not forced"
}

func loopbackWord(shared bool) string {
	if shared {
		return "shared"
	}
	return "not shared"
}

// settingsMap shows all settings, and goes to any of them.
type settingsMap struct {
	settings fixture.Settings
	// stop is the one place that the Tab key reaches.
	stop     place
	covering bool
}

// mapStop is the current setting, until the keyboard has gone on from there.
func (p *Page) mapStop() place {
	if p.roams {
		return p.roamed
	}
	return placeOf(p.settings)
}

// node draws one table whose bodies, one a policy, stand side by side: one
// grid, so that it is one stop of the Tab key.
func (m settingsMap) node() node {
	section := tag("section").id("map").aria("labelledby", "map-heading").
		body(tag("h2").id("map-heading").says("All 48 settings"))
	if m.covering {
		return section.body(tag("p").body(coveredText(coveredUntilVerdict)))
	}
	table := tag("table").role("grid").class("map").aria("labelledby", "map-heading").aria("describedby", "map-help")
	here := placeOf(m.settings)
	for i := range fixture.Policies() {
		body := quietPolicies()[i]
		if i == here.policy || i == m.stop.policy {
			body = renderPolicy(i, here, m.stop)
		}
		table = table.body(body)
	}
	return section.body(
		tag("p").class("note").body(tag("strong").says(CountText()), words(" "),
			tag("span").id("map-help").says(mapHelp)),
		renderLegend(),
		table,
		tag("p").class("map-at").says(StateText(m.stop.settings())+"."),
	)
}

const mapHelp = "Neighbours differ in one control, across the edges too: arrow keys move through the switches, Page Up and Page Down through the policies; Enter or a click goes there."

// quietPolicies holds what the map shows of each policy while neither the
// current setting nor the keyboard is there.
var quietPolicies = sync.OnceValue(func() []node {
	nowhere := place{policy: -1}
	var all []node
	for i := range fixture.Policies() {
		all = append(all, renderPolicy(i, nowhere, nowhere))
	}
	return all
})

// renderPolicy draws the places of one policy. Here is the current setting; the
// Tab key reaches the stop.
func renderPolicy(i int, here, stop place) node {
	label := fixture.Policies()[i].Label()
	rows := []node{
		tag("tr").role("row").body(heading("colgroup", "columnheader", label).class("policy").attr("colspan", "6")),
		tag("tr").role("row").body(
			heading("row", "rowheader", "DNS").class("axis").attr("colspan", "2"),
			heading("colgroup", "columnheader", dnsWord(false)).attr("colspan", "2"),
			heading("colgroup", "columnheader", dnsWord(true)).attr("colspan", "2"),
		),
		tag("tr").role("row").body(
			heading("row", "rowheader", "Loopback").class("axis").attr("colspan", "2"),
			heading("col", "columnheader", loopbackWord(true)),
			heading("colgroup", "columnheader", loopbackWord(false)).attr("colspan", "2"),
			heading("col", "columnheader", loopbackWord(true)),
		),
	}
	for row := range gray {
		rows = append(rows, renderRow(i, row, here, stop))
	}
	return tag("tbody").role("rowgroup").aria("label", label).body(rows...)
}

func heading(scope, role, text string) node {
	return tag("th").attr("scope", scope).role(role).says(text)
}

func renderRow(policy, row int, here, stop place) node {
	s := place{policy, row, 0}.settings()
	var cells []node
	if row%2 == 0 {
		cells = append(cells, heading("rowgroup", "rowheader", "Task API "+taskAPIWord(s.TaskAPI)).attr("rowspan", "2"))
	}
	switch row {
	case 1:
		cells = append(cells, heading("rowgroup", "rowheader", "Metadata "+metadataWord(true)).attr("rowspan", "2"))
	case 0, 3:
		cells = append(cells, heading("row", "rowheader", "Metadata "+metadataWord(false)))
	}
	for column := range gray {
		cells = append(cells, renderPlace(place{policy, row, column}, here, stop))
	}
	return tag("tr").role("row").body(cells...)
}

func renderPlace(p, here, stop place) node {
	tab := "-1"
	if p == stop {
		tab = "0"
	}
	s := p.settings()
	v := metricsOf()[s]
	return tag("td").role("gridcell").id(p.id()).class(placeClass(v)).
		aria("label", StateText(s)).aria("current", boolText(p == here)).attr("tabindex", tab).
		body(tag("span").class("count").says(itoa(v.Unwanted)), taskMark(v.TaskWorks))
}

// placeClass names the shade, and the mark of what is contained and works.
func placeClass(m policy.Metrics) string {
	if m.Contained && m.TaskWorks {
		return "place reached"
	}
	return "place leaks-" + itoa(m.Unwanted)
}

func taskMark(works bool) node {
	if works {
		return icon("check")
	}
	return icon("cross")
}

// renderLegend explains the marks; each stands beside its words.
func renderLegend() node {
	return tag("ul").class("legend").body(
		legend(tag("span").class("place reached sample").body(words("0"), icon("check")), "contained, and the task works"),
		legend(tag("span").class("place leaks-3 sample").says("3"), "unwanted ways out, more in a stronger shade"),
		legend(icon("check"), "the task works"),
		legend(icon("cross"), "the task fails"),
		legend(tag("span").class("place here sample").says(" "), "the current setting"),
	)
}

func legend(mark node, text string) node {
	return tag("li").body(tag("span").class("key").aria("hidden", "true").body(mark), tag("span").says(text))
}

// placeAt returns the place that an event is about.
func placeAt(e ui.Event) (place, bool) {
	cell := e.Get("target").Call("closest", "[role=gridcell]")
	if !cell.Truthy() {
		return place{}, false
	}
	id := cell.Get("id").String()
	for _, s := range fixture.All() {
		if p := placeOf(s); p.id() == id {
			return p, true
		}
	}
	return place{}, false
}

func (p *Page) clickMap(_ ui.Context, e ui.Event) {
	if at, ok := placeAt(e); ok {
		p.goTo(at)
	}
}

func (p *Page) keyOnMap(_ ui.Context, e ui.Event) {
	for _, modifier := range []string{"ctrlKey", "altKey", "metaKey", "shiftKey"} {
		if e.Get(modifier).Bool() {
			return
		}
	}
	from, ok := placeAt(e)
	if !ok {
		return
	}
	key := e.Get("key").String()
	to, ok := from.moved(key)
	switch {
	case key == "Enter" || key == " ":
		p.goTo(from)
	case ok:
		p.roamTo(to)
	default:
		return
	}
	e.PreventDefault()
}

// roamTo puts the keyboard's focus on a place of the map.
func (p *Page) roamTo(at place) {
	p.roamed, p.roams = at, true
	ui.Window().GetElementByID(at.id()).Call("focus")
}

// goTo makes a place the current setting, and leaves the focus there.
func (p *Page) goTo(at place) {
	p.roamTo(at)
	if s := at.settings(); s != p.settings {
		p.moveTo(s)
	}
}
