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

func (p *Page) chosenView() fixture.View { return p.view }

// chooseView is a deliberate change of the page's own view.
func (p *Page) chooseView(v fixture.View) {
	p.showView(v)
	p.pushAddress()
}

// viewOwner is what the choices of a view are for.
type viewOwner interface {
	chosenView() fixture.View
	chooseView(fixture.View)
}

// viewChoices are a theme and the parts to show. They are no component, which
// would weigh more than all that they do, and so they hold nothing that
// changes: go-app keeps the handlers of the first rendering.
type viewChoices struct {
	owner viewOwner
	// prefix tells the elements of one set of choices from another's.
	prefix string
}

func (c viewChoices) render() ui.UI {
	view := c.owner.chosenView()
	return el("div").Class("view-choices").Body(
		el("p").Class("theme").Body(
			el("label").Attr("for", c.prefix+"-theme").Text("Theme"),
			el("select").ID(c.prefix+"-theme").Attr("disabled", !ui.IsClient).OnChange(c.chooseTheme).
				Body(ui.Range(fixture.Themes()).Slice(c.renderTheme)),
		),
		el("fieldset").Body(
			el("legend").Text("Parts"),
			c.renderPart(controlsPart, "Controls", !view.NoControls),
			ui.Range(fixture.PageParts()).Slice(func(i int) ui.UI {
				part := fixture.PageParts()[i]
				return c.renderPart(part.String(), part.Label(), view.Shows(part))
			}),
		),
	)
}

func (c viewChoices) renderTheme(i int) ui.UI {
	t := fixture.Themes()[i]
	return el("option").Attr("value", t.String()).Attr("selected", t == c.owner.chosenView().Theme).Text(t.Label())
}

func (c viewChoices) renderPart(name, label string, on bool) ui.UI {
	id := c.prefix + "-" + name
	return el("span").Class("choice").Body(
		voidEl("input").Attr("type", "checkbox").ID(id).Attr("value", name).Attr("checked", on).
			Attr("disabled", !ui.IsClient).OnChange(c.choosePart),
		el("label").Attr("for", id).Text(label),
	)
}

func (c viewChoices) chooseTheme(ctx ui.Context, _ ui.Event) {
	v := c.owner.chosenView()
	theme, err := fixture.ParseTheme(ctx.JSSrc().Get("value").String())
	if err != nil {
		panic(err) // the select offers no other themes
	}
	v.Theme = theme
	c.owner.chooseView(v)
}

// choosePart serves all the checkboxes; the box says which part it is.
func (c viewChoices) choosePart(ctx ui.Context, _ ui.Event) {
	v := c.owner.chosenView()
	name, on := ctx.JSSrc().Get("value").String(), ctx.JSSrc().Get("checked").Bool()
	if name == controlsPart {
		v.NoControls = !on
	}
	for _, part := range fixture.PageParts() {
		if part.String() == name {
			v = v.With(part, on)
		}
	}
	c.owner.chooseView(v)
}
