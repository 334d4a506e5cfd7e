package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// flips says what would change an attempt's verdict. It is a component of its
// own so that the replay, which renders the table at each event, does not
// search for it again.
type flips struct {
	ui.Compo

	Settings fixture.Settings
	Attempt  int
}

func (f *flips) Render() ui.UI {
	return el("span").Class("flips").Text(FlipsText(f.Settings, f.Attempt))
}
