//go:build !wasm

package main

import (
	"log"
	"os"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"
)

// generate leaves everything to go-app but the icons, which it would have the
// page ask an outside host for.
func generate() {
	if len(os.Args) != 2 {
		log.Fatal("usage: hello DIR")
	}
	err := ui.GenerateStaticWebsite(os.Args[1], &ui.Handler{
		Name:        "Hello",
		Description: "A hello world",
		Icon: ui.Icon{
			Default:  "/web/icon-192.png",
			Large:    "/web/icon-512.png",
			SVG:      "/web/icon.svg",
			Maskable: "/web/maskable-512.png",
		},
	})
	if err != nil {
		log.Fatal(err)
	}
}
