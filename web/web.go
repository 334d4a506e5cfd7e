// Package web holds what the page ships besides WebAssembly: the page around
// the pre-rendered simulator, styles, icons, and the scripts that load the
// simulator, embed it elsewhere and keep it for offline use.
package web

import "embed"

// Files are what a site is made of. The HTML is html/template; package site says
// with what.
//
//go:embed page.html single.html lost.html lost.css lost.js boot.js view.js embed.js worker.js sixways.css robots.txt icons
var Files embed.FS
