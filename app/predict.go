package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// What stands in place of an answer that is covered. The answer itself is then
// nowhere in the document.
const (
	coveredWord         = "Covered"
	coveredUntilVerdict = "Covered until the verdict."
)

// coveredUntil says when the answer of an event comes.
func coveredUntil(second int) string {
	return "Covered until its event at " + itoa(second) + " s."
}

func coveredText(text string) node { return tag("span").class("covered").says(text) }

// Parts of the page that show something of a run ask the Page's round what of
// it they may show, and take that as an exported field, so that they are
// rendered anew when it changes: Round where single answers can be told apart
// (Round.covered(i) for event i, the verdict being the last), Covering, from
// Round.covering(), where only the whole can be shown or not. With the mode
// turned off nothing is covered.

// setPredict turns predict first on or off. A round begins at its start: else
// the seconds before the present one would have given their answers away.
func (p *Page) setPredict(on bool) {
	p.round = newRound(on)
	p.said = "Predict first is off."
	if on {
		p.previewing = false // it, too, would give answers away
		p.rewind()
		p.said = "Predict first is on: the answers are covered."
	}
	p.pushAddress()
	p.paint()
}

// rewind goes back to the beginning, paused.
func (p *Page) rewind() {
	p.clock.seek(0)
	p.follow()
}

// restart goes back to the beginning, and begins a new round there.
func (p *Page) restart() {
	p.round.restart()
	p.seek(0)
	if p.round.open() {
		p.said = p.outcomeText()
	}
}

// leaveMarks keeps the keyboard's place when the first event takes the marks
// away from under it.
func leaveMarks() {
	place := ui.Window().GetElementByID("predictions")
	active := ui.Window().Get("document").Get("activeElement")
	if place.Truthy() && place.Call("contains", active).Bool() {
		place.Call("focus")
	}
}

// outcomeText is what screen readers are told when the settings have changed
// or a new round begins.
func (p *Page) outcomeText() string {
	if p.round.covering() {
		return "A new round: the answers are covered, and the attempts wait for your marks."
	}
	return Outcome(p.run().Metrics())
}

// happened is event i as screen readers are told it.
func (p *Page) happened(i int) string {
	text := eventText(p.run(), i)
	if !p.round.on || i >= len(p.run().Decisions) {
		return text
	}
	switch p.round.judge(i, p.run().Decisions[i].Verdict) {
	case right:
		return text + " Your prediction was right."
	case wrong:
		return text + " Your prediction was wrong."
	}
	return text + " You had not predicted it."
}

// renderPredictSwitch turns predict first on and off.
func (p *Page) renderPredictSwitch() ui.UI {
	return el("div").Class("predict-switch").Body(
		voidEl("input").Attr("type", "checkbox").ID("predict").Attr("checked", p.round.on).Attr("disabled", !ui.IsClient).
			Aria("describedby", "predict-help").OnChange(p.flipPredict),
		el("label").Attr("for", "predict").Text("Predict first"),
		el("span").ID("predict-help").Class("help").Text("Mark what gets out, then play."),
	)
}

func (p *Page) flipPredict(ctx ui.Context, _ ui.Event) {
	p.setPredict(ctx.JSSrc().Get("checked").Bool())
}

// predictions are the marks of a round, and what becomes of them. The element
// is always there, so that the player beside it is never mounted anew.
type predictions struct {
	ui.Compo

	Page     *Page
	Settings fixture.Settings
	Round    round

	met drawn
}

func (p *predictions) Render() ui.UI {
	box := el("div").ID("predictions").Class("predictions").Role("group").TabIndex(-1).
		Aria("label", "Your predictions").Hidden(!p.Round.on)
	if !p.Round.on {
		return box
	}
	return box.Body(
		el("p").Class("note").Text(p.note()),
		p.renderMarks(),
		el("p").Class("score").Role("status").Body(p.renderScore()...),
	)
}

func (p *predictions) note() string {
	switch {
	case p.Round.open():
		return "Mark what each attempt will do, then press Play or Next event. Every answer is covered until its event. Without a mark an attempt counts as not predicted, not as wrong."
	case p.Round.covering():
		return "The marks are closed. Each event uncovers one answer."
	}
	return "The round is over. Restart begins a new one, and so does any change of a control."
}

func (p *predictions) renderMarks() ui.UI {
	if p.Round.open() {
		return el("div").Class("guesses").Body(ui.Range(p.Round.marks[:]).Slice(func(i int) ui.UI {
			return &guess{Page: p.Page, Attempt: i, Mark: p.Round.marks[i]}
		}))
	}
	list := tag("ul").class("guesses")
	for i := range p.Round.marks {
		list = list.body(p.renderMet(i))
	}
	return p.met.show(list)
}

// renderMet shows a mark that is closed, and how it has met its verdict.
func (p *predictions) renderMet(i int) node {
	d := fixture.Run(p.Settings).Decisions[i]
	met := coveredText(coveredWord + " until " + itoa(d.Attempt.At) + " s")
	if !p.Round.covered(i) {
		how := p.Round.judge(i, d.Verdict)
		met = tag("span").class("met "+meetings[how].tone).body(
			icon(meetings[how].icon),
			tag("span").says(meetings[how].word),
		)
	}
	return tag("li").class("guess").body(
		tag("span").class("guess-of").body(renderDestination(i)...),
		tag("span").class("guess-was").says("You: "+p.Round.marks[i].String()),
		met,
	)
}

var meetings = [...]struct{ word, icon, tone string }{
	missing: {"Not predicted", "missing", "soft"},
	right:   {"Right", "right", "good"},
	wrong:   {"Wrong", "wrong", "bad"},
}

// renderScore is empty until the verdict; filled, it is read out.
func (p *predictions) renderScore() []ui.UI {
	if p.Round.covering() {
		return nil
	}
	return []ui.UI{el("strong").Text("Your score: "), ui.Text(p.Round.score(fixture.Run(p.Settings).Decisions).String())}
}

func renderDestination(i int) []node {
	return []node{
		tag("code").body(breakable(fixture.Scenario().Attempts[i].Destination.String())...),
		words(" "),
		tag("span").class("way").says(fixture.WayOf(i).Name),
	}
}

// guess is the pair of marks of one attempt.
type guess struct {
	ui.Compo

	Page    *Page
	Attempt int
	Mark    mark
}

func (g *guess) Render() ui.UI {
	return el("fieldset").Class("guess").Body(
		draw(tag("legend").class("guess-of").body(renderDestination(g.Attempt)...)),
		g.renderChoice(getsOut, g.markGetsOut),
		g.renderChoice(staysIn, g.markStaysIn),
	)
}

func (g *guess) renderChoice(m mark, choose ui.EventHandler) ui.UI {
	name := "guess-" + itoa(g.Attempt)
	id := name + "-" + itoa(int(m))
	return el("span").Class("choice").Body(
		voidEl("input").Attr("type", "radio").Attr("name", name).ID(id).
			Attr("checked", g.Mark == m).OnChange(choose),
		el("label").Attr("for", id).Text(m.String()),
	)
}

func (g *guess) markGetsOut(ui.Context, ui.Event) { g.Page.round.mark(g.Attempt, getsOut) }
func (g *guess) markStaysIn(ui.Context, ui.Event) { g.Page.round.mark(g.Attempt, staysIn) }
