// Package web holds what the page ships besides WebAssembly: the page around
// the pre-rendered simulator, styles, icons, and the two small scripts that
// load the simulator and keep it for offline use.
package web

import "embed"

// Files are page.html, single.html and lost.html (html/template; package site
// says with what), boot.js, view.js, embed.js, worker.js, sixways.css, robots.txt and the icons folder.
//
//go:embed page.html single.html lost.html lost.css lost.js boot.js view.js embed.js worker.js sixways.css robots.txt icons
var Files embed.FS
