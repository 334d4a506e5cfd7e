package app

import (
	"bytes"
	"time"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// takeaway hands the run out: as files, through the clipboard, on paper.
type takeaway struct {
	ui.Compo

	Page     *Page
	Settings fixture.Settings
	// Covering holds back what would give answers away. Print does not: paper
	// shows what the page does.
	Covering bool

	// said is what has become of the last button pressed.
	said string
	// byHand is the Markdown that the reader has to copy.
	byHand string
}

// OnUpdate implements ui.Updater: what was said belongs to the run before.
func (t *takeaway) OnUpdate(ui.Context) { t.said, t.byHand = "", "" }

func (t *takeaway) Render() ui.UI {
	return el("div").ID("takeaway").Class("takeaway").Role("group").Aria("label", "Take it away").OnClick(t.press).Body(
		t.Page.piece("takeaway-buttons"),
		el("p").ID("takeaway-said").Class("note").Role("status").Body(draw(tag("span").body(prose(t.note())...))),
		el("div").Class("by-hand").Hidden(t.byHand == "").Body(t.renderByHand()...),
	)
}

// takeawayButtons are its buttons.
type takeawayButtons struct{ covering bool }

// The ids of the buttons.
const (
	csvID      = "save-csv"
	jsonID     = "save-json"
	markdownID = "copy-markdown"
	printID    = "print"
)

func (t takeawayButtons) node() node {
	return tag("div").id("takeaway-buttons").class("buttons").body(
		t.button(csvID, "save", "Download CSV", t.covering),
		t.button(jsonID, "save", "Download JSON", t.covering),
		t.button(markdownID, "copy", "Copy as Markdown", t.covering),
		t.button(printID, "print", "Print", false),
	)
}

// button is dimmed rather than disabled while the answers are covered: the
// keyboard reaches it and finds the reason.
func (t takeawayButtons) button(id, iconName, label string, held bool) node {
	b := button().id(id).body(icon(iconName), tag("span").says(label))
	if held {
		b = b.aria("disabled", "true").aria("describedby", "takeaway-said")
	}
	return b
}

// press goes by the page, which may be a frame ahead of what is rendered.
func (t *takeaway) press(ctx ui.Context, e ui.Event) {
	switch id := pressed(e); {
	case id == printID:
		ui.Window().Call("print")
	case t.Page.round.covering():
	case id == csvID:
		t.save(ctx, "csv", "text/csv", fixture.NewReport(t.Page.settings).CSV())
	case id == jsonID:
		t.saveJSON(ctx)
	case id == markdownID:
		t.copyMarkdown(ctx)
	}
}

func (t *takeaway) note() string {
	switch {
	case t.Covering:
		return "Files and the copy hold the answers, and are held back until the verdict."
	case t.said != "":
		return t.said
	}
	return "The JSON is what `sixways run --json` prints for these settings."
}

func (t *takeaway) renderByHand() []ui.UI {
	if t.byHand == "" {
		return nil
	}
	return []ui.UI{
		el("label").Attr("for", "markdown").Text("The table as Markdown"),
		el("textarea").ID("markdown").Attr("readonly", true).Attr("rows", 6).Attr("spellcheck", "false").Text(t.byHand),
	}
}

func (t *takeaway) saveJSON(ctx ui.Context) {
	var b bytes.Buffer
	if err := fixture.WriteJSON(&b, fixture.NewReport(t.Page.settings)); err != nil {
		panic(err) // a report has a JSON form
	}
	t.save(ctx, "json", "application/json", b.String())
}

// save hands the browser a file. It cannot know whether the browser keeps it.
func (t *takeaway) save(ctx ui.Context, extension, mime, content string) {
	name := t.Page.settings.FileName() + "." + extension
	blob := ui.Window().Get("Blob").New([]any{content}, map[string]any{"type": mime})
	url := ui.Window().Get("URL").Call("createObjectURL", blob)
	link := ui.Window().Get("document").Call("createElement", "a")
	link.Set("href", url)
	link.Set("download", name)
	link.Call("click")
	// Some browsers read the file only after a while.
	ctx.After(time.Minute, func(ui.Context) { ui.Window().Get("URL").Call("revokeObjectURL", url) })
	t.said = "The browser saves it as `" + name + "`."
}

const copied = "Copied the table as Markdown."

// copyMarkdown uses the clipboard where the page may, else a selected text.
func (t *takeaway) copyMarkdown(ctx ui.Context) {
	text := fixture.NewReport(t.Page.settings).Markdown()
	copyText(ctx, text,
		func(ui.Context) { t.said, t.byHand = copied, "" },
		func(ctx ui.Context) { t.copySelected(ctx, text) })
}

// copySelected shows the text, selects it and asks the browser to copy it. If
// that does not work either, the reader is told to.
func (t *takeaway) copySelected(ctx ui.Context, text string) {
	t.byHand = text
	ctx.Defer(func(ctx ui.Context) {
		area := ui.Window().GetElementByID("markdown")
		if !area.Truthy() {
			return // the settings have changed meanwhile
		}
		t.said = copyByHand
		if copyArea(area) {
			t.said, t.byHand = copied, ""
		}
		ctx.Update()
	})
}
