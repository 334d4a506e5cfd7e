package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// claim is one claim of the walk-through: how to see it, what it says, and
// whether the engine agrees.
type claim struct {
	ui.Compo

	Page *Page
	// ID begins the ids of its parts.
	ID    string
	Claim fixture.Claim
	// Current tells that the page is in the state that it speaks of.
	Current bool

	// moved says which controls its button has moved, until others do.
	moved string
}

// OnUpdate implements ui.Updater: once the page has left the state, what led
// there is over.
func (c *claim) OnUpdate(ui.Context) {
	if !c.Current {
		c.moved = ""
	}
}

func (c *claim) Render() ui.UI {
	return el("li").Class(class("current", c.Current)).Aria("current", boolText(c.Current)).Body(
		el("p").ID(c.ID+"-recipe").Class("recipe").Body(
			el("strong").Text("From the opening state: "), ui.Text(Recipe(c.Claim.Changes))),
		el("p").Body(prose(c.Claim.Says)...),
		el("p").Class("expect").Body(
			el("span").Class("figure "+tone(c.Claim.Unwanted == 0)).Text("Unwanted egress "+itoa(c.Claim.Unwanted)),
			el("span").Class("figure "+tone(c.Claim.TaskWorks)).Text(taskWord(c.Claim.TaskWorks)),
			renderHolds(c.Claim.Holds()),
		),
		el("div").Class("claim-set").Body(
			el("button").Attr("type", "button").ID(c.ID+"-set").Attr("disabled", !ui.IsClient).
				Aria("labelledby", c.ID+"-set "+c.ID+"-recipe").OnClick(c.set).Text("Set this state"),
			el("p").Class("moved").Role("status").Text(c.status()),
		),
	)
}

// renderHolds is computed at each rendering: a claim that the engine does not
// keep must not go unseen.
func renderHolds(holds bool) ui.UI {
	if holds {
		return el("span").Class("holds").Body(icon("check"), el("span").Text("Holds in the engine"))
	}
	return el("strong").Class("holds not").Body(icon("cross"), el("span").Text("Does not hold in the engine"))
}

func (c *claim) status() string {
	if c.moved == "" && c.Current {
		return "The page is in this state."
	}
	return c.moved
}

// set puts the page into the state that the claim speaks of. The focus stays
// on the button, from where the next Tab reaches the next claim's.
func (c *claim) set(ui.Context, ui.Event) {
	there := c.Claim.Settings()
	changes := c.Page.settings.Difference(there)
	if len(changes) == 0 {
		c.moved = "Nothing to move: the page is in this state already."
		return
	}
	c.moved = MovedText(changes)
	c.Page.moveTo(there)
}

// class returns a name where it applies.
func class(name string, applies bool) string {
	if applies {
		return name
	}
	return ""
}
