package app

import (
	"strings"
	"sync"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// walkThrough is the text below the experiment. Each of its claims has a button
// that sets the state it speaks of.
type walkThrough struct {
	// current is the id of the claim in whose state the page is, if there is one.
	current string
	// set is what the last of its buttons has done.
	set      setClaim
	covering bool
}

// setClaim is a claim that has been set, and what that has moved.
type setClaim struct{ id, moved string }

// currentClaim returns the id of the claim in whose state the page is.
func (p *Page) currentClaim() string {
	for _, s := range fixture.WalkThrough() {
		for i, c := range s.Claims {
			if c.Settings() == p.settings {
				return claimID(s, i)
			}
		}
	}
	return ""
}

func (w walkThrough) node() node {
	text := tag("div").id("walk").class("walk")
	for i, s := range fixture.WalkThrough() {
		step := quietSteps()[i]
		if w.covering || w.speaksOf(s) {
			step = w.renderStep(s)
		}
		text = text.body(step)
	}
	return text
}

// quietSteps holds what the steps show while the page is in the state of none
// of their claims.
var quietSteps = sync.OnceValue(func() []node {
	var all []node
	for _, s := range fixture.WalkThrough() {
		all = append(all, walkThrough{}.renderStep(s))
	}
	return all
})

// speaksOf reports whether one of a step's claims is current, or was set.
func (w walkThrough) speaksOf(s fixture.Step) bool {
	for i := range s.Claims {
		if id := claimID(s, i); id == w.current || id == w.set.id {
			return true
		}
	}
	return false
}

func (w walkThrough) renderStep(s fixture.Step) node {
	step := tag("section").id(s.ID).aria("labelledby", s.ID+"-heading").
		body(tag("h2").id(s.ID + "-heading").says(s.Heading))
	// What makes claims gives answers away.
	if w.covering && len(s.Claims) > 0 {
		return step.body(tag("p").body(coveredText(coveredUntilVerdict)))
	}
	for _, p := range s.Paragraphs {
		step = step.body(tag("p").body(prose(p)...))
	}
	if len(s.Claims) == 0 {
		return step
	}
	list := tag("ul").class("claims")
	for i, c := range s.Claims {
		list = list.body(w.renderClaim(claimID(s, i), c))
	}
	return step.body(list)
}

// claimID begins the ids of a claim's parts.
func claimID(s fixture.Step, i int) string { return s.ID + "-" + itoa(i+1) }

// claimOf finds a claim by its id.
func claimOf(id string) (fixture.Claim, bool) {
	for _, s := range fixture.WalkThrough() {
		for i, c := range s.Claims {
			if claimID(s, i) == id {
				return c, true
			}
		}
	}
	return fixture.Claim{}, false
}

// renderClaim says how to see a claim, what it says, and whether the engine
// agrees.
func (w walkThrough) renderClaim(id string, c fixture.Claim) node {
	current := id == w.current
	return tag("li").class(class("current", current)).aria("current", boolText(current)).body(
		tag("p").id(id+"-recipe").class("recipe").body(
			tag("strong").says("From the opening state: "), words(Recipe(c.Changes))),
		tag("p").body(prose(c.Says)...),
		tag("p").class("expect").body(
			tag("span").class("figure "+tone(c.Unwanted == 0)).says("Unwanted egress "+itoa(c.Unwanted)),
			tag("span").class("figure "+tone(c.TaskWorks)).says(taskWord(c.TaskWorks)),
			renderHolds(c.Holds()),
		),
		tag("div").class("claim-set").body(
			button().id(id+setSuffix).aria("labelledby", id+setSuffix+" "+id+"-recipe").says("Set this state"),
			tag("p").class("moved").role("status").says(w.status(id, current)),
		),
	)
}

const setSuffix = "-set"

func taskWord(works bool) string {
	if works {
		return "Task works"
	}
	return "Task fails"
}

// renderHolds is computed: a claim that the engine does not keep must not go
// unseen.
func renderHolds(holds bool) node {
	if holds {
		return tag("span").class("holds").body(icon("check"), tag("span").says("Holds in the engine"))
	}
	return tag("strong").class("holds not").body(icon("cross"), tag("span").says("Does not hold in the engine"))
}

func (w walkThrough) status(id string, current bool) string {
	switch {
	case id == w.set.id:
		return w.set.moved
	case current:
		return "The page is in this state."
	}
	return ""
}

// pressClaim puts the page into the state that a claim speaks of. The focus
// stays on the button, from where the next Tab reaches the next claim's.
func (p *Page) pressClaim(_ ui.Context, e ui.Event) {
	id := strings.TrimSuffix(pressed(e), setSuffix)
	c, ok := claimOf(id)
	if !ok {
		return
	}
	there := c.Settings()
	changes := p.settings.Difference(there)
	if len(changes) == 0 {
		p.claimed = setClaim{id, "Nothing to move: the page is in this state already."}
		return
	}
	p.moveTo(there)
	p.claimed = setClaim{id, MovedText(changes)}
	p.paint()
}
