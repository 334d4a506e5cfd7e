// Command wasm is the page's WebAssembly entry.
package main

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/app"
)

func main() {
	app.Register()
	ui.RunWhenOnBrowser()
}
