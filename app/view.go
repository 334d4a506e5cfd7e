package app

import (
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// showView shows the page as a view says. The style sheet does it, by three
// attributes of the document that the boot has set before the first paint.
func (p *Page) showView(v fixture.View) {
	p.view = v
	if !ui.IsClient {
		return
	}
	setDocument("data-embed", v.Embed, "")
	setDocument("data-theme", v.Theme != fixture.AutoTheme, v.Theme.String())
	hidden := hiddenParts(v)
	setDocument("data-hide", hidden != "", hidden)
}

func setDocument(attribute string, set bool, value string) {
	root := ui.Window().Get("document").Get("documentElement")
	if set {
		root.Call("setAttribute", attribute, value)
	} else {
		root.Call("removeAttribute", attribute)
	}
}

const controlsPart = "controls"

func hiddenParts(v fixture.View) string {
	var names []string
	if v.NoControls {
		names = append(names, controlsPart)
	}
	for _, p := range fixture.PageParts() {
		if !v.Shows(p) {
			names = append(names, p.String())
		}
	}
	return strings.Join(names, " ")
}

// chooseView is a deliberate change of the page's own view. The compact page has
// no such choices, nor an address that follows it: Back leads out of it.
func (p *Page) chooseView(_ ui.Context, e ui.Event) {
	v := viewChoices{view: p.view}.chosen(e.Get("target"))
	p.showView(v)
	p.noteSoon("pushState")
	p.note()
	p.leadToFullPage()
	if v.Embed {
		ui.Window().GetElementByID("experiment").Call("focus")
	}
}

// viewChoices are a theme and the parts to show.
type viewChoices struct {
	view fixture.View
	// prefix tells the elements of one set of choices from another's.
	prefix string
}

func (c viewChoices) node() node {
	theme := control("select").id(c.prefix + "-theme")
	for _, t := range fixture.Themes() {
		theme = theme.body(option(t.String(), t.Label(), t == c.view.Theme))
	}
	parts := tag("fieldset").body(
		tag("legend").says("Parts"),
		c.part(controlsPart, "Controls", !c.view.NoControls))
	for _, p := range fixture.PageParts() {
		parts = parts.body(c.part(p.String(), p.Label(), c.view.Shows(p)))
	}
	choices := tag("div").id(c.prefix+"-choices").class("view-choices").body(
		tag("p").class("theme").body(tag("label").attr("for", c.prefix+"-theme").says("Theme"), theme),
		parts)
	if c.prefix == pageView {
		choices = choices.body(c.part(embedChoice, "Compact, as in another page’s frame", c.view.Embed))
	}
	return choices
}

// pageView is the prefix of the page's own choices; what is shared is embedded
// anyway.
const pageView = "view"

const embedChoice = "embed"

func (c viewChoices) part(name, label string, on bool) node {
	id := c.prefix + "-" + name
	return tag("span").class("choice").body(
		control("input").attr("type", "checkbox").id(id).attr("value", name).given(on, "checked", ""),
		tag("label").attr("for", id).says(label),
	)
}

// chosen returns the view after a choice: the control says which.
func (c viewChoices) chosen(control ui.Value) fixture.View {
	v := c.view
	value := control.Get("value").String()
	if control.Get("tagName").String() == "SELECT" {
		theme, err := fixture.ParseTheme(value)
		if err != nil {
			panic(err) // the select offers no other themes
		}
		v.Theme = theme
		return v
	}
	on := control.Get("checked").Bool()
	switch value {
	case controlsPart:
		v.NoControls = !on
	case embedChoice:
		v.Embed = on
	}
	for _, p := range fixture.PageParts() {
		if p.String() == value {
			v = v.With(p, on)
		}
	}
	return v
}
