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
func CountText() string {
	n := 0
	for _, m := range metricsOf() {
		if m.Contained && m.TaskWorks {
			n++
		}
	}
	return itoa(n) + " of the " + itoa(len(metricsOf())) + " settings contain the fixture with the task still working."
}

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
	ui.Compo

	Page     *Page
	Settings fixture.Settings
	Covering bool

	// at is where the keyboard has gone from the current setting.
	at    place
	roams bool
}

// OnUpdate implements ui.Updater: the keyboard enters the map at the current
// setting.
func (m *settingsMap) OnUpdate(ui.Context) { m.roams = false }

// stop is the one place that the Tab key reaches.
func (m *settingsMap) stop() place {
	if m.roams {
		return m.at
	}
	return placeOf(m.Settings)
}

// Render draws one table whose bodies, one a policy, stand side by side: one
// grid, so that it is one stop of the Tab key.
func (m *settingsMap) Render() ui.UI {
	if m.Covering {
		return el("section").ID("map").Aria("labelledby", "map-heading").Body(
			el("h2").ID("map-heading").Text("All 48 settings"),
			el("p").Body(coveredText(coveredUntilVerdict)),
		)
	}
	return el("section").ID("map").Aria("labelledby", "map-heading").Body(
		el("h2").ID("map-heading").Text("All 48 settings"),
		el("p").Class("note").Body(el("strong").Text(CountText()), ui.Text(" "),
			el("span").ID("map-help").Text(mapHelp)),
		renderLegend(),
		el("table").Role("grid").Class("map").Aria("labelledby", "map-heading").Aria("describedby", "map-help").
			OnClick(m.onClick).OnKeyDown(m.onKey).
			Body(ui.Range(fixture.Policies()).Slice(m.renderPolicy)),
		el("p").Class("map-at").Body(ui.Text(StateText(m.stop().settings())+".")),
	)
}

const mapHelp = "Neighbours differ in one control, across the edges too: arrow keys move through the switches, Page Up and Page Down through the policies; Enter or a click goes there."

func (m *settingsMap) renderPolicy(i int) ui.UI {
	label := fixture.Policies()[i].Label()
	rows := []ui.UI{
		el("tr").Role("row").Body(heading("colgroup", "columnheader", label).Class("policy").Attr("colspan", 6)),
		el("tr").Role("row").Body(
			heading("row", "rowheader", "DNS").Class("axis").Attr("colspan", 2),
			heading("colgroup", "columnheader", dnsWord(false)).Attr("colspan", 2),
			heading("colgroup", "columnheader", dnsWord(true)).Attr("colspan", 2),
		),
		el("tr").Role("row").Body(
			heading("row", "rowheader", "Loopback").Class("axis").Attr("colspan", 2),
			heading("col", "columnheader", loopbackWord(true)),
			heading("colgroup", "columnheader", loopbackWord(false)).Attr("colspan", 2),
			heading("col", "columnheader", loopbackWord(true)),
		),
	}
	for row := range gray {
		rows = append(rows, m.renderRow(i, row))
	}
	return el("tbody").Role("rowgroup").Aria("label", label).Body(rows...)
}

func heading(scope, role, text string) ui.HTMLElem {
	return el("th").Attr("scope", scope).Role(role).Text(text)
}

func (m *settingsMap) renderRow(policy, row int) ui.UI {
	s := place{policy, row, 0}.settings()
	var cells []ui.UI
	if row%2 == 0 {
		cells = append(cells, heading("rowgroup", "rowheader", "Task API "+taskAPIWord(s.TaskAPI)).Attr("rowspan", 2))
	}
	switch row {
	case 1:
		cells = append(cells, heading("rowgroup", "rowheader", "Metadata "+metadataWord(true)).Attr("rowspan", 2))
	case 0, 3:
		cells = append(cells, heading("row", "rowheader", "Metadata "+metadataWord(false)))
	}
	for column := range gray {
		cells = append(cells, m.renderPlace(place{policy, row, column}))
	}
	return el("tr").Role("row").Body(cells...)
}

func (m *settingsMap) renderPlace(p place) ui.UI {
	s := p.settings()
	v := metricsOf()[s]
	cell := el("td").Role("gridcell").ID(p.id()).Class(placeClass(v)).
		Aria("label", StateText(s)).Aria("current", boolText(s == m.Settings)).
		Body(el("span").Class("count").Text(itoa(v.Unwanted)), taskMark(v.TaskWorks))
	if p == m.stop() {
		return cell.TabIndex(0)
	}
	return cell.TabIndex(-1)
}

// placeClass names the shade, and the mark of what is contained and works.
func placeClass(m policy.Metrics) string {
	if m.Contained && m.TaskWorks {
		return "place reached"
	}
	return "place leaks-" + itoa(m.Unwanted)
}

func taskMark(works bool) ui.UI {
	if works {
		return icon("check")
	}
	return icon("cross")
}

// renderLegend explains the marks; each stands beside its words.
func renderLegend() ui.UI {
	return el("ul").Class("legend").Body(
		legend(el("span").Class("place reached sample").Body(ui.Text("0"), icon("check")), "contained, and the task works"),
		legend(el("span").Class("place leaks-3 sample").Text("3"), "unwanted ways out, more in a stronger shade"),
		legend(icon("check"), "the task works"),
		legend(icon("cross"), "the task fails"),
		legend(el("span").Class("place here sample").Text(" "), "the current setting"),
	)
}

func legend(mark ui.UI, words string) ui.UI {
	return el("li").Body(el("span").Class("key").Aria("hidden", "true").Body(mark), el("span").Text(words))
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

func (m *settingsMap) onClick(_ ui.Context, e ui.Event) {
	if p, ok := placeAt(e); ok {
		m.goTo(p)
	}
}

func (m *settingsMap) onKey(_ ui.Context, e ui.Event) {
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
		m.goTo(from)
	case ok:
		m.rest(to)
	default:
		return
	}
	e.PreventDefault()
}

// rest puts the keyboard's focus on a place.
func (m *settingsMap) rest(p place) {
	m.at, m.roams = p, true
	ui.Window().GetElementByID(p.id()).Call("focus")
}

// goTo makes a place the current setting, and leaves the focus there.
func (m *settingsMap) goTo(p place) {
	m.rest(p)
	if s := p.settings(); s != m.Page.settings {
		m.Page.moveTo(s)
	}
}
