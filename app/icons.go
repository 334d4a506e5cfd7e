package app

import ui "github.com/maxence-charriere/go-app/v10/pkg/app"

// Drawn on a grid of 16; each says the same as the word beside it.
var icons = map[string]string{
	"play":     `<path d="M4 2.5v11l9.5-5.5z" fill="currentColor"/>`,
	"pause":    `<path d="M4 2.5h3v11H4zm5 0h3v11H9z" fill="currentColor"/>`,
	"previous": `<path d="M3 3h2v10H3zm10 0v10L5.5 8z" fill="currentColor"/>`,
	"next":     `<path d="M11 3h2v10h-2zM3 3v10l7.5-5z" fill="currentColor"/>`,
	"restart":  `<path d="M3.5 3v3.5H7M3.8 6.3A5 5 0 1 1 3 8.5" fill="none" stroke="currentColor" stroke-width="1.6"/>`,
	"keyboard": `<path d="M1.8 4h12.4v8H1.8zM4 6.5h1m2 0h1m2 0h1m-7 3h7" fill="none" stroke="currentColor" stroke-width="1.4"/>`,
	"allowed":  `<path d="M9.5 2.5h4v4M13 3 7.5 8.5M7 3.5H2.8v9.7h9.7V9" fill="none" stroke="currentColor" stroke-width="1.7"/>`,
	"blocked":  `<circle cx="8" cy="8" r="5.8" fill="none" stroke="currentColor" stroke-width="1.7"/><path d="M4.6 8h6.8" stroke="currentColor" stroke-width="1.7"/>`,
}

func icon(name string) ui.UI {
	return ui.Raw(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">` + icons[name] + `</svg>`)
}

// verdictIcon shows whether something gets out.
func verdictIcon(out bool) ui.UI {
	if out {
		return icon("allowed")
	}
	return icon("blocked")
}
