// Command hello is go-app's hello world, to measure the page beside: what
// every page made with go-app pays. A checkbox changes its words. Built for the browser it is the page; run
// as "hello DIR" it writes the static site around it.
package main

import ui "github.com/maxence-charriere/go-app/v10/pkg/app"

type hello struct {
	ui.Compo

	again bool
}

func (h *hello) Render() ui.UI {
	words := "Hello World!"
	if h.again {
		words = "Hello again!"
	}
	return ui.Div().Body(
		ui.H1().Text(words),
		ui.Input().Type("checkbox").Aria("label", "Again").OnChange(h.greet),
	)
}

func (h *hello) greet(ui.Context, ui.Event) { h.again = !h.again }

// OnMount marks the document once the content is the program's own: the same
// words stand in the page before.
func (h *hello) OnMount(ui.Context) {
	ui.Window().Get("document").Get("documentElement").Call("setAttribute", "data-live", "")
}

func main() {
	ui.Route("/", func() ui.Composer { return &hello{} })
	ui.RunWhenOnBrowser()
	generate()
}
