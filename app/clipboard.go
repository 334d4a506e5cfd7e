package app

import ui "github.com/maxence-charriere/go-app/v10/pkg/app"

// copyByHand is said where the browser refuses.
const copyByHand = "The browser does not let the page copy. The text is selected: copy it with Ctrl+C, or ⌘C on a Mac."

// copyText uses the clipboard where the page may, and else calls refused.
func copyText(ctx ui.Context, text string, copied, refused func(ui.Context)) {
	clipboard := ui.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() { // as on a page that is not served securely
		refused(ctx)
		return
	}
	settle(ctx, clipboard.Call("writeText", text),
		func(ctx ui.Context, _ ui.Value) { copied(ctx) },
		func(ctx ui.Context, _ ui.Value) { refused(ctx) })
}

// settle calls one of two functions when a promise is settled, with what it
// gives or with why it gives nothing.
func settle(ctx ui.Context, promise ui.Value, kept, broken func(ui.Context, ui.Value)) {
	var onKept, onBroken ui.Func
	then := func(f func(ui.Context, ui.Value)) ui.Func {
		return ui.FuncOf(func(_ ui.Value, args []ui.Value) any {
			onKept.Release()
			onBroken.Release()
			ctx.Dispatch(func(ctx ui.Context) { f(ctx, args[0]) })
			return nil
		})
	}
	onKept, onBroken = then(kept), then(broken)
	promise.Call("then", onKept, onBroken)
}

// copyArea selects the text of an area and asks the browser to copy it, which
// needs no permission. Where that does not work either, the text is left
// selected for the reader.
func copyArea(area ui.Value) bool {
	document := ui.Window().Get("document")
	button := document.Get("activeElement")
	area.Call("select")
	if !document.Call("execCommand", "copy").Bool() {
		area.Call("focus")
		return false
	}
	button.Call("focus")
	return true
}
