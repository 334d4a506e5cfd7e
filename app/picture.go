package app

import (
	"strconv"
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// picture shows the boundary: the code, the layers that decide, and the six
// destinations, at one second of the run.
type picture struct {
	ui.Compo

	Page     *Page
	Settings fixture.Settings
	// Seen counts the events that have happened; Travelling is the attempt
	// under way, or -1.
	Seen, Travelling int
	// Chosen is the item that is explained, or -1.
	Chosen int
	// Entry is the item that the Tab key reaches.
	Entry int
}

// The items of the picture that explain themselves: the six attempts, then the
// layers.
const (
	itemNamespace = 6 + iota
	itemRoute
	itemFilter
	itemResolver
	itemProxy
	items
)

func (c *picture) Render() ui.UI {
	run := fixture.Run(c.Settings)
	return el("figure").Class("picture").Body(
		c.draw(&wide, run),
		c.draw(&tall, run),
		el("figcaption").Body(
			el("p").ID("picture-text").Class("visually-hidden").Text(pictureText(run, c.Seen, c.Travelling)),
			el("p").Class("explanation").Role("status").Text(c.explanation(run)),
		),
	)
}

func (c *picture) draw(p *plan, run policy.Run) ui.UI {
	parts := []ui.UI{
		c.drawSandbox(p),
		c.drawRoads(p, run),
		c.drawFilter(p), c.drawResolver(p), c.drawProxy(p), c.drawOutside(p),
	}
	for i := range run.Decisions {
		parts = append(parts, c.drawAttempt(p, run, i))
	}
	parts = append(parts, c.drawLabels(p), svg("circle").ID("dot-"+p.name).Class("dot").Attr("r", "7").Attr("visibility", "hidden"))
	return svg("svg").Class("drawing "+p.name).Role("group").
		Aria("label", "The sandbox and its ways out").Aria("describedby", "picture-text").
		Attr("viewBox", "0 0 "+itoa(p.width)+" "+itoa(p.height)).
		DataSet("seen", c.Seen).DataSet("travelling", c.Travelling).
		On("focusin", c.choose).OnMouseOver(c.choose).OnClick(c.choose).OnMouseLeave(c.leave).
		OnKeyDown(c.onKey).
		Body(parts...)
}

// item makes a group that explains itself. One of them is reached by Tab, the
// arrow keys lead to the others.
func (c *picture) item(p *plan, n int, class, label string) ui.HTMLElem {
	tab := -1
	if n == c.Entry {
		tab = 0
	}
	if n == c.Chosen {
		class += " chosen"
	}
	return svg("g").ID("picture-"+p.name+"-"+itoa(n)).Class(class).
		Role("img").TabIndex(tab).Aria("label", label).DataSet("item", n)
}

func (c *picture) drawSandbox(p *plan) ui.UI {
	route := "closed"
	if c.hasRoute() {
		route = "open"
	}
	loopback := "closed"
	if c.Settings.Loopback {
		loopback = "open"
	}
	return svg("g").Body(
		c.item(p, itemRoute, "layer sandbox "+route, c.layerLabel(itemRoute)).Body(
			p.drawBox(p.sandbox, "frame"),
			p.write(box{p.sandbox.along, p.sandbox.across, 20, 20}, "title corner", "sandbox"),
		),
		p.drawBox(p.code, "code"),
		p.write(p.code, "title", "untrusted", "code"),
		c.item(p, itemNamespace, "layer room "+loopback, c.layerLabel(itemNamespace)).Body(
			p.drawBox(p.room, "frame"),
		),
	)
}

// drawLabels sets the labels that would lie below the ways.
func (c *picture) drawLabels(p *plan) ui.UI {
	room := "own loopback, empty"
	if c.Settings.Loopback {
		room = "host loopback, shared"
	}
	filter := "filter: off"
	if c.Settings.BlockMetadata {
		filter = "filter: on"
	}
	return svg("g").Class("labels").Aria("hidden", "true").Body(
		p.write(p.roomLabel, "", room),
		p.write(p.filterLabel, "", "link-local", filter),
		p.write(p.outsideLabel, "", "outside", "resolver"),
	)
}

// drawRoads draws where each attempt would go if nothing stopped it. Without a
// route there is no road beyond the edge.
func (c *picture) drawRoads(p *plan, run policy.Run) ui.UI {
	var roads []ui.UI
	for i, d := range run.Decisions {
		road := p.road(i, d.Attempt, c.Settings.ForceDNS)
		if !c.reaches(d.Attempt) {
			road = until(road, c.roadEnd(p, d.Attempt))
		}
		roads = append(roads, svg("path").Class("road").Attr("d", p.path(road)))
	}
	return svg("g").Aria("hidden", "true").Body(roads...)
}

// reaches tells whether a road exists all the way.
func (c *picture) reaches(a policy.Attempt) bool {
	if a.Destination.IsLoopback() {
		return c.Settings.Loopback
	}
	return c.hasRoute()
}

func (c *picture) roadEnd(p *plan, a policy.Attempt) float64 {
	if a.Destination.IsLoopback() {
		return p.room.along + p.room.length
	}
	return p.edge
}

func (c *picture) hasRoute() bool { return c.Settings.Policy != fixture.DenyAll }

func (c *picture) drawFilter(p *plan) ui.UI {
	state := "off"
	if c.Settings.BlockMetadata {
		state = "on"
	}
	return c.item(p, itemFilter, "layer filter "+state, c.layerLabel(itemFilter)).Body(
		p.drawBox(p.filter, "frame"),
	)
}

func (c *picture) drawResolver(p *plan) ui.UI {
	state, lines := "off", []string{"policy resolver", "not asked"}
	if c.Settings.ForceDNS {
		state, lines = "on", []string{"policy resolver", "DNS is forced here"}
	}
	if p.tall {
		lines = []string{"policy", "resolver"}
	}
	return c.item(p, itemResolver, "layer resolver "+state, c.layerLabel(itemResolver)).Body(
		p.drawBox(p.resolver, "frame"),
		p.write(p.resolver, "", lines...),
	)
}

func (c *picture) drawOutside(p *plan) ui.UI {
	state := "on"
	if c.Settings.ForceDNS || !c.hasRoute() {
		state = "off"
	}
	return svg("g").Class("outside "+state).Aria("hidden", "true").Body(
		p.drawBox(p.outside, "frame"),
	)
}

func (c *picture) drawProxy(p *plan) ui.UI {
	state := "on"
	if !c.hasRoute() {
		state = "off"
	}
	return c.item(p, itemProxy, "layer proxy "+state, c.layerLabel(itemProxy)).Body(
		p.drawBox(p.proxy, "frame"),
		p.write(p.proxy, "sign", append([]string{"egress proxy"}, c.proxyRule()...)...),
	)
}

// proxyRule is what is written on the proxy.
func (c *picture) proxyRule() []string {
	switch {
	case c.Settings.Policy == fixture.Denylist:
		return []string{"denylist", "*.attacker.test"}
	case c.Settings.Policy == fixture.DenyAll:
		return []string{"out of reach"}
	case c.Settings.TaskAPI:
		return []string{"allowlist", fixture.PartnerAPI}
	}
	return []string{"allowlist", "(empty)"}
}

// drawAttempt draws one attempt's way as far as it is known, and its
// destination.
func (c *picture) drawAttempt(p *plan, run policy.Run, i int) ui.UI {
	d := run.Decisions[i]
	name := fixture.WayOf(i).Name
	phase, class := c.phase(i), "ahead"
	if phase == policy.Decided {
		class = decisionTone(d)
	}
	if i == c.Seen-1 {
		class += " latest"
	}
	g := c.item(p, i, "attempt "+class, c.attemptLabel(run, i)).
		DataSet("attempt", i).DataSet("phase", phaseName(phase))
	var marks []ui.UI
	if phase == policy.Decided {
		g = g.DataSet("verdict", d.Verdict.String()).DataSet("layer", d.Layer.String())
		way := until(p.road(i, d.Attempt, c.Settings.ForceDNS), p.stop(d))
		marks = append(marks, svg("path").Class("trip").Attr("d", p.path(way)), p.drawStop(d, way[len(way)-1]))
	}
	x, y := p.xy(point{p.world, p.lanes[i]})
	marks = append(marks, svg("circle").Class("destination").Attr("cx", coordinate(x)).Attr("cy", coordinate(y)).Attr("r", "6"))
	word := ""
	if phase == policy.Decided {
		word = d.Verdict.String()
	}
	return g.Body(append(marks, p.writeDestination(i, name, d.Attempt.Destination.String(), word)...)...)
}

func (c *picture) phase(i int) policy.Phase {
	switch {
	case i < c.Seen:
		return policy.Decided
	case i == c.Travelling:
		return policy.Travelling
	}
	return policy.Waiting
}

func phaseName(p policy.Phase) string {
	return [...]string{policy.Waiting: "waiting", policy.Travelling: "travelling", policy.Decided: "decided"}[p]
}

// drawStop marks where an attempt ended: a bar across the way, or an arrow head
// into the destination.
func (p *plan) drawStop(d policy.Decision, end point) ui.UI {
	if d.Verdict == policy.Blocked {
		return svg("path").Class("bar").Attr("d", p.path([]point{{end.along - 3, end.across - 11}, {end.along - 3, end.across + 11}}))
	}
	return svg("path").Class("head").Attr("d", p.path([]point{
		{end.along - 18, end.across - 7}, {end.along - 8, end.across}, {end.along - 18, end.across + 7}}))
}

// writeDestination names a destination and, once it is decided, says the word.
func (p *plan) writeDestination(i int, name, host, word string) []ui.UI {
	if p.tall {
		return p.writeBelow(i, name, word)
	}
	if data, zone, ok := strings.Cut(host, "."); ok && len(data) > 12 {
		host = "…." + zone
	}
	x, y := p.world+16, p.lanes[i]
	return []ui.UI{
		svg("text").Class("name").Attr("x", coordinate(x)).Attr("y", coordinate(y-2)).Body(
			svg("tspan").Text(name), svg("tspan").Class("word").Attr("dx", "8").Text(word)),
		svg("text").Class("host").Attr("x", coordinate(x)).Attr("y", coordinate(y+15)).Text(host),
	}
}

// writeBelow sets the names of the tall form in two rows, every other one on a
// leader, for they are wider than the lanes.
func (p *plan) writeBelow(i int, name, word string) []ui.UI {
	first, rest, _ := strings.Cut(name, " ")
	row := p.world + 10
	leader := row
	if i%2 == 1 {
		row += 3 * lineHeight
		leader = row - 4
	}
	lane := p.lanes[i]
	return []ui.UI{
		svg("path").Class("leader").Attr("d", p.path([]point{{p.world + 8, lane}, {leader, lane}})),
		p.write(box{row, lane - 22, 3 * lineHeight, 44}, "name", first, rest, word),
	}
}

func (p *plan) drawBox(b box, class string) ui.UI {
	x, y, w, h := p.rect(b)
	return svg("rect").Class(class).Attr("x", coordinate(x)).Attr("y", coordinate(y)).
		Attr("width", coordinate(w)).Attr("height", coordinate(h)).Attr("rx", "6")
}

// lineHeight is the distance of two lines of text in the picture.
const lineHeight = 16

// write sets lines of text around the middle of a box.
func (p *plan) write(b box, class string, lines ...string) ui.UI {
	x, y := p.middle(b)
	y -= lineHeight * float64(len(lines)-1) / 2
	text := svg("text").Class(class).Attr("x", coordinate(x)).Attr("y", coordinate(y))
	var spans []ui.UI
	for i, line := range lines {
		spans = append(spans, svg("tspan").Attr("x", coordinate(x)).Attr("y", coordinate(y+lineHeight*float64(i))).Attr("dy", "0.35em").Text(line))
	}
	return text.Body(spans...)
}

// attemptLabel is an attempt as it stands, for who cannot see the picture.
func (c *picture) attemptLabel(run policy.Run, i int) string {
	switch c.phase(i) {
	case policy.Decided:
		return eventText(run, i)
	case policy.Travelling:
		return fixture.WayOf(i).Name + ": under way."
	}
	return fixture.WayOf(i).Name + ": has not left the code."
}

// layerLabel says what a layer does under the present settings.
func (c *picture) layerLabel(item int) string {
	s := c.Settings
	switch item {
	case itemNamespace:
		if s.Loopback {
			return "Network namespace: the sandbox shares the host's loopback, and what listens there answers."
		}
		return "Network namespace: the sandbox has a loopback of its own, an empty room."
	case itemRoute:
		if c.hasRoute() {
			return "Route: the sandbox has a way out."
		}
		return "Route: deny all egress has taken the way out away; loopback needs none."
	case itemFilter:
		if s.BlockMetadata {
			return "Link-local filter: drops packets to " + fixture.Metadata + ", whatever the proxy says."
		}
		return "Link-local filter: off; " + fixture.Metadata + " is an address as any other."
	case itemResolver:
		if s.ForceDNS {
			return "Policy resolver: every query is led here, and judged by its name."
		}
		return "Policy resolver: not asked; queries pass it by, and the proxy too, to an outside resolver."
	}
	return "Egress proxy: " + strings.Join(c.proxyRule(), " ") + ". It sees neither queries nor loopback."
}

// explanation is what stands below the picture.
func (c *picture) explanation(run policy.Run) string {
	switch {
	case c.Chosen < 0:
		return "Point at a destination or a layer, or move through them with the arrow keys, to read what it does."
	case c.Chosen >= len(run.Decisions):
		return c.layerLabel(c.Chosen)
	case c.phase(c.Chosen) == policy.Decided:
		return fixture.WayOf(c.Chosen).Name + ". " + run.Decisions[c.Chosen].Reason()
	}
	return fixture.WayOf(c.Chosen).Name + ": " + fixture.WayOf(c.Chosen).What + ". Not decided yet."
}

// pictureText tells the whole picture in words.
func pictureText(run policy.Run, seen, travelling int) string {
	var b strings.Builder
	for i := range min(seen, len(run.Decisions)) {
		b.WriteString(eventText(run, i) + " ")
	}
	if travelling >= 0 {
		b.WriteString(fixture.WayOf(travelling).Name + " is under way. ")
	}
	switch waiting := len(run.Decisions) - max(seen, travelling+1); {
	case waiting == 1:
		b.WriteString("One attempt has not left the code.")
	case waiting > 1:
		b.WriteString(itoa(waiting) + " attempts have not left the code.")
	case seen == run.Events():
		b.WriteString("Verdict: " + Outcome(run.Metrics()))
	}
	return strings.TrimSpace(b.String())
}

// choose explains the item that the pointer, the focus or a tap is on.
func (c *picture) choose(_ ui.Context, e ui.Event) {
	item := e.Get("target").Call("closest", "[data-item]")
	if !item.Truthy() {
		return
	}
	n, err := strconv.Atoi(item.Get("dataset").Get("item").String())
	if err != nil {
		panic(err) // item writes numbers
	}
	c.Page.chosen = n
	if e.Get("type").String() == "focusin" {
		c.Page.entry = n
	}
}

func (c *picture) leave(ui.Context, ui.Event) { c.Page.chosen = -1 }

// onKey moves between the items.
func (c *picture) onKey(_ ui.Context, e ui.Event) {
	next := c.Entry
	switch e.Get("key").String() {
	case "ArrowRight", "ArrowDown":
		next = (next + 1) % items
	case "ArrowLeft", "ArrowUp":
		next = (next + items - 1) % items
	case "Home":
		next = 0
	case "End":
		next = items - 1
	case "Escape":
		c.Page.chosen = -1
		return
	default:
		return
	}
	e.PreventDefault()
	// Both forms have the item; the focus passes the hidden one over.
	for _, p := range []*plan{&wide, &tall} {
		ui.Window().GetElementByID("picture-" + p.name + "-" + itoa(next)).Call("focus")
	}
}
