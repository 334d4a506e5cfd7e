package app

import ui "github.com/maxence-charriere/go-app/v10/pkg/app"

// el returns an element with a tag. go-app's constructors for the single tags
// have a type each, and every type that is used brings some eighty methods into
// the WebAssembly: with them this page is a tenth larger.
func el(tag string) ui.HTMLElem { return ui.Elem(tag) }

// voidEl returns an element that has no content and no end tag.
func voidEl(tag string) ui.HTMLElemSelfClosing { return ui.ElemSelfClosing(tag) }
