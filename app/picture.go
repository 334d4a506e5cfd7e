package app

import (
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// picture shows the boundary: the code, the layers that decide, and the six
// destinations, at one second of the run.
type picture struct {
	settings fixture.Settings
	// seen counts the events that have happened; travelling is the attempt
	// under way, or -1.
	seen, travelling int
	// chosen is the item that is explained, or -1; entry is the one that the
	// Tab key reaches.
	chosen, entry int
}

func (p *Page) picture() picture {
	return picture{p.settings, p.seen, p.travelling, p.chosen, p.entry}
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

func (p *Page) renderPicture() ui.UI {
	return el("figure").Class("picture").On("focusin", p.choose).On("focusout", p.leave).OnMouseOver(p.choose).OnClick(p.choose).
		OnMouseLeave(p.chooseNone).OnKeyDown(p.keyOnPicture).
		Body(p.piece("wide"), p.piece("tall"), p.piece("caption"))
}

// form is the picture in one of its two forms. The style sheet shows one.
type form struct {
	picture
	plan *plan
}

func (f form) node() node { return f.draw(f.plan, fixture.Run(f.settings)) }

// watchWidth follows which form is shown. Paper may be narrower than the
// screen: for that both are drawn.
func (p *Page) watchWidth() {
	p.narrower = ui.Window().Call("matchMedia", "(max-width: 44rem)")
	p.redraw = ui.FuncOf(func(_ ui.Value, args []ui.Value) any {
		p.printing = args[0].Get("type").String() == "beforeprint"
		p.showPieces()
		return nil
	})
	p.narrower.Call("addEventListener", "change", p.redraw)
	for _, event := range []string{"beforeprint", "afterprint"} {
		ui.Window().Call("addEventListener", event, p.redraw)
	}
}

func (p *Page) narrow() bool { return !p.printing && p.narrower.Get("matches").Bool() }

func (p *Page) wide() bool { return !p.printing && !p.narrower.Get("matches").Bool() }

// caption is what the picture says in words.
type caption struct {
	picture
	// focused tells that the keyboard is in the picture. Else who cannot see it is
	// told of events alone.
	focused bool
}

func (c caption) node() node {
	run := fixture.Run(c.settings)
	return tag("figcaption").id("caption").body(
		tag("p").id("picture-text").class("visually-hidden").says(pictureText(run, c.seen, c.travelling)),
		tag("p").class("explanation").role("status").aria("live", c.live()).says(c.explanation(run)),
	)
}

func (c caption) live() string {
	if c.focused {
		return "polite"
	}
	return "off"
}

// draw draws one form, and over it the dot, which moves without the drawing.
func (c picture) draw(p *plan, run policy.Run) node {
	drawing := tag("svg").class("drawing "+p.name).role("group").
		aria("label", "The sandbox and its ways out").aria("describedby", "picture-text").
		attr("viewBox", "0 0 "+itoa(p.width)+" "+itoa(p.height)).
		data("seen", itoa(c.seen)).data("travelling", itoa(c.travelling)).
		body(c.drawSandbox(p), c.drawRoads(p, run), c.drawOutside(p))
	below, above := []node{c.drawFilter(p), c.drawResolver(p), c.drawProxy(p)}, []node(nil)
	for i := range run.Decisions {
		above = append(above, c.drawAttempt(p, run, i))
	}
	if p.tall { // the ways would lie across what is written on the layers
		below, above = above, below
	}
	drawing = drawing.body(below...).body(above...)
	return tag("div").id(p.name).class("form "+p.name).body(
		drawing.body(c.drawLabels(p)),
		tag("div").class("over").aria("hidden", "true").body(tag("div").id(p.dotID()).class("dot")),
	)
}

// item makes a group that explains itself. One of them is reached by Tab, the
// arrow keys lead to the others.
func (c picture) item(p *plan, n int, class, label string) node {
	tab := "-1"
	if n == c.entry {
		tab = "0"
	}
	if n == c.chosen {
		class += " chosen"
	}
	return tag("g").id("picture-"+p.name+"-"+itoa(n)).class(class).
		role("img").attr("tabindex", tab).aria("label", label).data("item", itoa(n))
}

func (c picture) drawSandbox(p *plan) node {
	route := "closed"
	if c.hasRoute() {
		route = "open"
	}
	loopback := "closed"
	if c.settings.Loopback {
		loopback = "open"
	}
	return tag("g").body(
		c.item(p, itemRoute, "layer sandbox "+route, c.layerLabel(itemRoute)).body(
			p.drawBox(p.sandbox, "frame"),
			p.write(box{p.sandbox.along, p.sandbox.across, 20, 20}, "title corner", "sandbox"),
		),
		p.drawBox(p.code, "code"),
		p.write(p.code, "title", "untrusted", "code"),
		c.item(p, itemNamespace, "layer room "+loopback, c.layerLabel(itemNamespace)).body(
			p.drawBox(p.room, "frame"),
		),
	)
}

// drawLabels sets the labels that would lie below the ways.
func (c picture) drawLabels(p *plan) node {
	owner, state := "own", "empty"
	if c.settings.Loopback {
		owner, state = "host", "shared"
	}
	room := []string{owner + " loopback, " + state}
	if p.tall {
		room = []string{owner, "loopback"}
	}
	filter := "filter: off"
	if c.settings.BlockMetadata {
		filter = "filter: on"
	}
	return tag("g").class("labels").aria("hidden", "true").body(
		p.write(p.roomLabel, "", room...),
		p.write(p.filterLabel, "", "link-local", filter),
		p.write(p.outsideLabel, "", "outside", "resolver"),
		p.write(p.proxy, "sign", append([]string{"egress proxy"}, c.proxyRule()...)...),
	)
}

// drawRoads draws where each attempt would go if nothing stopped it. Without a
// route there is no road beyond the edge.
func (c picture) drawRoads(p *plan, run policy.Run) node {
	var roads []node
	for i, d := range run.Decisions {
		road := p.road(i, d.Attempt, c.settings.ForceDNS)
		if !c.reaches(d.Attempt) {
			road = until(road, c.roadEnd(p, d.Attempt))
		}
		roads = append(roads, tag("path").class("road").attr("d", p.path(road)))
	}
	return tag("g").aria("hidden", "true").body(roads...)
}

// reaches tells whether a road exists all the way.
func (c picture) reaches(a policy.Attempt) bool {
	if a.Destination.IsLoopback() {
		return c.settings.Loopback
	}
	return c.hasRoute()
}

func (c picture) roadEnd(p *plan, a policy.Attempt) float64 {
	if a.Destination.IsLoopback() {
		return p.room.along + p.room.length
	}
	return p.edge
}

func (c picture) hasRoute() bool { return c.settings.Policy != fixture.DenyAll }

func (c picture) drawFilter(p *plan) node {
	state := "off"
	if c.settings.BlockMetadata {
		state = "on"
	}
	return c.item(p, itemFilter, "layer filter "+state, c.layerLabel(itemFilter)).body(
		p.drawBox(p.filter, "frame"),
	)
}

func (c picture) drawResolver(p *plan) node {
	state, lines := "off", []string{"policy resolver", "not asked"}
	if c.settings.ForceDNS {
		state, lines = "on", []string{"policy resolver", "DNS is forced here"}
	}
	if p.tall {
		lines = []string{"policy", "resolver"}
	}
	return c.item(p, itemResolver, "layer resolver "+state, c.layerLabel(itemResolver)).body(
		p.drawBox(p.resolver, "frame"),
		p.write(p.resolver, "", lines...),
	)
}

func (c picture) drawOutside(p *plan) node {
	state := "on"
	if c.settings.ForceDNS || !c.hasRoute() {
		state = "off"
	}
	return tag("g").class("outside "+state).aria("hidden", "true").body(
		p.drawBox(p.outside, "frame"),
	)
}

func (c picture) drawProxy(p *plan) node {
	state := "on"
	if !c.hasRoute() {
		state = "off"
	}
	return c.item(p, itemProxy, "layer proxy "+state, c.layerLabel(itemProxy)).body(
		p.drawBox(p.proxy, "frame"),
	)
}

// proxyRule is what is written on the proxy.
func (c picture) proxyRule() []string {
	switch {
	case c.settings.Policy == fixture.Denylist:
		return []string{"denylist", "*.attacker.test"}
	case c.settings.Policy == fixture.DenyAll:
		return []string{"out of reach"}
	case c.settings.TaskAPI:
		return []string{"allowlist", fixture.PartnerAPI}
	}
	return []string{"allowlist", "(empty)"}
}

// drawAttempt draws one attempt's way as far as it is known, and its
// destination.
func (c picture) drawAttempt(p *plan, run policy.Run, i int) node {
	d := run.Decisions[i]
	name := fixture.WayOf(i).Name
	phase, class := c.phase(i), "ahead"
	if phase == policy.Decided {
		class = decisionTone(d)
	}
	if i == c.seen-1 {
		class += " latest"
	}
	g := c.item(p, i, "attempt "+class, c.attemptLabel(run, i)).
		data("attempt", itoa(i)).data("phase", phaseName(phase))
	// Before the decision they are there without a shape: fewer elements come and go
	// in the frame of an event.
	trip, stop, word := tag("path").class("trip"), tag("path"), ""
	if phase == policy.Decided {
		g = g.data("verdict", d.Verdict.String()).data("layer", d.Layer.String())
		way := until(p.road(i, d.Attempt, c.settings.ForceDNS), p.stop(d))
		trip = trip.attr("d", p.path(way))
		stop = p.drawStop(d, way[len(way)-1])
		word = d.Verdict.String()
	}
	x, y := p.xy(point{p.world, p.lanes[i]})
	destination := tag("circle").class("destination").attr("cx", coordinate(x)).attr("cy", coordinate(y)).attr("r", "6")
	return g.body(trip, stop, destination).body(p.writeDestination(i, name, d.Attempt.Destination.String(), word)...)
}

func (c picture) phase(i int) policy.Phase {
	switch {
	case i < c.seen:
		return policy.Decided
	case i == c.travelling:
		return policy.Travelling
	}
	return policy.Waiting
}

func phaseName(p policy.Phase) string {
	return [...]string{policy.Waiting: "waiting", policy.Travelling: "travelling", policy.Decided: "decided"}[p]
}

// drawStop marks where an attempt ended: a bar across the way, or an arrow head
// into the destination.
func (p *plan) drawStop(d policy.Decision, end point) node {
	if d.Verdict == policy.Blocked {
		return tag("path").class("bar").attr("d", p.path([]point{{end.along - 3, end.across - 11}, {end.along - 3, end.across + 11}}))
	}
	return tag("path").class("head").attr("d", p.path([]point{
		{end.along - 18, end.across - 7}, {end.along - 8, end.across}, {end.along - 18, end.across + 7}}))
}

// writeDestination names a destination and, once it is decided, says the word.
func (p *plan) writeDestination(i int, name, host, word string) []node {
	if p.tall {
		return p.writeBelow(i, name, word)
	}
	if data, zone, ok := strings.Cut(host, "."); ok && len(data) > 12 {
		host = "…." + zone
	}
	x, y := p.world+16, p.lanes[i]
	return []node{
		tag("text").class("name").attr("x", coordinate(x)).attr("y", coordinate(y-2)).body(
			tag("tspan").says(name), tag("tspan").class("word").attr("dx", "8").says(word)),
		tag("text").class("host").attr("x", coordinate(x)).attr("y", coordinate(y+15)).says(host),
	}
}

// writeBelow sets the names of the tall form in two rows, every other one on a
// leader, for they are wider than the lanes.
func (p *plan) writeBelow(i int, name, word string) []node {
	first, rest, _ := strings.Cut(name, " ")
	row := p.world + 10
	leader := row
	if i%2 == 1 {
		row += 3 * lineHeight
		leader = row - 4
	}
	lane := p.lanes[i]
	return []node{
		tag("path").class("leader").attr("d", p.path([]point{{p.world + 8, lane}, {leader, lane}})),
		p.write(box{row, lane - 22, 3 * lineHeight, 44}, "name", first, rest, word),
	}
}

func (p *plan) drawBox(b box, class string) node {
	x, y, w, h := p.rect(b)
	return tag("rect").class(class).attr("x", coordinate(x)).attr("y", coordinate(y)).
		attr("width", coordinate(w)).attr("height", coordinate(h)).attr("rx", "6")
}

// lineHeight is the distance of two lines of text in the picture.
const lineHeight = 16

// write sets lines of text around the middle of a box.
func (p *plan) write(b box, class string, lines ...string) node {
	x, y := p.middle(b)
	y -= lineHeight * float64(len(lines)-1) / 2
	text := tag("text").class(class).attr("x", coordinate(x)).attr("y", coordinate(y))
	var spans []node
	for i, line := range lines {
		spans = append(spans, tag("tspan").attr("x", coordinate(x)).attr("y", coordinate(y+lineHeight*float64(i))).attr("dy", "0.35em").says(line))
	}
	return text.body(spans...)
}

// attemptLabel is an attempt as it stands, for who cannot see the picture.
func (c picture) attemptLabel(run policy.Run, i int) string {
	switch c.phase(i) {
	case policy.Decided:
		return eventText(run, i)
	case policy.Travelling:
		return fixture.WayOf(i).Name + ": under way."
	}
	return fixture.WayOf(i).Name + ": has not left the code."
}

// layerLabel says what a layer does under the present settings.
func (c picture) layerLabel(item int) string {
	s := c.settings
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
func (c picture) explanation(run policy.Run) string {
	switch {
	case c.chosen < 0:
		return "Point at a destination or a layer, or move through them with the arrow keys, to read what it does."
	case c.chosen >= len(run.Decisions):
		return c.layerLabel(c.chosen)
	case c.phase(c.chosen) == policy.Decided:
		return fixture.WayOf(c.chosen).Name + ". " + run.Decisions[c.chosen].Reason()
	}
	return fixture.WayOf(c.chosen).Name + ": " + fixture.WayOf(c.chosen).What + ". Not decided yet."
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
func (p *Page) choose(ctx ui.Context, e ui.Event) {
	ctx.PreventUpdate() // the pieces are all that it changes
	item := e.Get("target").Call("closest", "[data-item]")
	if !item.Truthy() {
		return
	}
	p.chosen = mustAtoi(item.Get("dataset").Get("item").String())
	if e.Get("type").String() == "focusin" {
		p.entry, p.focused = p.chosen, true
	}
	p.showPieces()
}

func (p *Page) leave(ctx ui.Context, _ ui.Event) {
	ctx.PreventUpdate()
	p.focused = false
	p.showPieces()
}

func (p *Page) chooseNone(ctx ui.Context, _ ui.Event) {
	ctx.PreventUpdate()
	p.chosen = -1
	p.showPieces()
}

// keyOnPicture moves between the items.
func (p *Page) keyOnPicture(_ ui.Context, e ui.Event) {
	next := p.entry
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
		p.chosen = -1
		return
	default:
		return
	}
	e.PreventDefault()
	// Both forms have the item; the focus passes the hidden one over.
	for _, form := range []*plan{&wide, &tall} {
		ui.Window().GetElementByID("picture-" + form.name + "-" + itoa(next)).Call("focus")
	}
}
