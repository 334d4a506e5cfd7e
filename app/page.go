// Package app is the simulator's page: its component tree and the replay.
package app

import ui "github.com/maxence-charriere/go-app/v10/pkg/app"

// Page is the whole page below <body>.
type Page struct {
	ui.Compo
}

// Register makes every path show the page: the site is relocatable, so the
// path that it is served under is not known.
func Register() {
	ui.RouteWithRegexp(".*", func() ui.Composer { return &Page{} })
}

// Render implements ui.Composer.
func (p *Page) Render() ui.UI {
	return ui.Div().ID("page").Body(
		ui.Main().Body(
			ui.H1().Text("Agent sandboxing: deny outbound network from untrusted code"),
			ui.P().ID("boot-status").Body(ui.Text("Controls start once the simulator has loaded.")),
			ui.Button().Type("button").Disabled(!ui.IsClient).Text("Play"),
		),
	)
}
