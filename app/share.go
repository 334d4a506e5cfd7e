package app

import (
	"slices"
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// share is the button and the dialog that hand out the page as it stands: as a
// link, and as two ways to embed it. It is a part of the header component.
type share struct {
	page *Page

	open bool
	// state is what is shared: the page's own when the dialog opened, embedded.
	state fixture.State
	// said is what has become of the last copy.
	said string

	choices drawn
}

func (s *share) render() ui.UI {
	var content []ui.UI
	if s.open { // a function that is not called at the start need not be compiled then
		content = s.renderContent()
	}
	return el("div").Class("share").Body(
		el("button").Attr("type", "button").ID("share-button").Attr("disabled", !ui.IsClient).
			Aria("haspopup", "dialog").OnClick(s.show).
			Body(draw(icon("share")), el("span").Text("Share")),
		el("dialog").ID("share").Aria("labelledby", "share-heading").On("close", s.closed).
			Body(content...),
	)
}

// show opens the dialog once what belongs in it is there.
func (s *share) show(ctx ui.Context, _ ui.Event) {
	s.open, s.said = true, ""
	s.state = s.page.state()
	s.state.View.Embed = true
	ctx.Defer(func(ui.Context) {
		ui.Window().GetElementByID("share").Call("showModal")
		s.preview()
	})
}

func (s *share) close(ui.Context, ui.Event) { ui.Window().GetElementByID("share").Call("close") }

func (s *share) closed(ui.Context, ui.Event) { s.open = false }

func (s *share) renderContent() []ui.UI {
	return []ui.UI{
		el("div").Class("share-head").Body(
			el("h2").ID("share-heading").Text("Share"),
			el("button").Attr("type", "button").OnClick(s.close).Body(draw(icon("cross")), el("span").Text("Close")),
		),
		el("p").Class("note").Text(s.note()),
		el("div").Class("share-choices").Body(
			el("div").OnChange(s.chooseView).Body(s.choices.show(viewChoices{s.state.View, "share"}.node())),
			el("p").Class("start").Body(
				el("label").Attr("for", "share-second").Text("Start second"),
				voidEl("input").Attr("type", "number").ID("share-second").Attr("min", 0).Attr("max", policy.Duration).
					Attr("step", 1).Attr("value", itoa(s.state.Second)).OnChange(s.chooseSecond),
			),
		),
		s.renderSnippet("link", "Link", "Copy link", s.link(), 2),
		s.renderSnippet("frame", "Frame for any page", "Copy frame", s.frame(), 4),
		s.renderElement(),
		el("p").ID("share-said").Class("note").Role("status").Text(s.said),
		el("figure").Class("share-preview").Body(
			el("figcaption").Text(s.previewText()),
			el("iframe").ID("share-preview").Attr("title", "Preview of the embedded simulator").Hidden(!previewable()),
		),
	}
}

func (s *share) note() string {
	if isFile() {
		return "This page is a file and has no public address: put it on a web server and write its address in place of " + noAddress + ", or send the file itself."
	}
	return "The settings, the speed and what is chosen here travel in the address. Nothing is stored anywhere."
}

func (s *share) renderSnippet(id, label, button, text string, rows int) ui.UI {
	return el("div").Class("snippet").Body(
		el("label").Attr("for", "share-"+id).Text(label),
		el("textarea").ID("share-"+id).Attr("readonly", true).Attr("rows", rows).Attr("spellcheck", "false").Text(text),
		el("button").Attr("type", "button").Attr("value", id).OnClick(s.copy).
			Body(draw(icon("copy")), el("span").Text(button)),
	)
}

// renderElement leaves the element out of the page that is one file, which does
// not bring its script.
func (s *share) renderElement() ui.UI {
	if !previewable() {
		return el("p").Class("note").Text("The element with an API needs the whole site, which has its script.")
	}
	return s.renderSnippet("element", "Element with an API", "Copy element", s.element(), 7)
}

// copy serves the three buttons; the button says of which text.
func (s *share) copy(ctx ui.Context, _ ui.Event) {
	area := ui.Window().GetElementByID("share-" + ctx.JSSrc().Get("value").String())
	copied := func(ui.Context) { s.said = "Copied." }
	copyText(ctx, area.Get("value").String(), copied, func(ctx ui.Context) {
		s.said = copyByHand
		if copyArea(area) {
			copied(ctx)
		}
	})
}

func (s *share) chooseView(_ ui.Context, e ui.Event) {
	s.state.View = viewChoices{view: s.state.View}.chosen(e.Get("target"))
	s.said = ""
	s.preview()
}

// chooseSecond keeps to the run's seconds, whatever is typed.
func (s *share) chooseSecond(ctx ui.Context, _ ui.Event) {
	second := ctx.JSSrc().Get("valueAsNumber").Float()
	if !(second >= 0) { // nor is NaN
		second = 0
	}
	s.state.Second = int(min(second, policy.Duration))
	ctx.JSSrc().Set("value", itoa(s.state.Second))
	s.said = ""
	s.preview()
}

// preview leads the frame to the state without a step in the history.
func (s *share) preview() {
	if frame := ui.Window().GetElementByID("share-preview"); previewable() && frame.Truthy() {
		// The query makes it another page than this one: browsers refuse a
		// page in itself.
		address := pageAddress() + "?embed=1#" + s.state.Fragment()
		frame.Get("contentWindow").Get("location").Call("replace", address)
	}
}

func (s *share) previewText() string {
	if previewable() {
		return "Preview of the frame and the element"
	}
	return "The site has a preview here; one file cannot frame itself."
}

// noAddress stands for the address of a page that has none.
const noAddress = "https://YOUR-HOST/sixways.html"

func isFile() bool { return ui.Window().Get("location").Get("protocol").String() == "file:" }

// previewable reports whether the page is the site's. The one that is all in
// one file allows no frames.
func previewable() bool { return !ui.Window().GetElementByID("wasm").Truthy() }

func publicAddress() string {
	if isFile() {
		return noAddress
	}
	return pageAddress()
}

func (s *share) link() string {
	full := s.state
	full.View = full.View.Framed()
	return publicAddress() + "#" + full.Fragment()
}

const frameTitle = "Six ways out of an agent sandbox"

// escape writes a text as an attribute's value. An address has no quotes.
func escape(text string) string { return strings.ReplaceAll(text, "&", "&amp;") }

func (s *share) frame() string {
	return `<iframe src="` + escape(publicAddress()+"#"+s.state.Fragment()) + `"
  title="` + frameTitle + `" loading="lazy"
  width="100%" height="900" style="border: 0"></iframe>`
}

func (s *share) element() string {
	folder := publicAddress()
	folder = folder[:strings.LastIndex(folder, "/")+1]
	return `<script src="` + escape(folder) + `embed.js" defer></script>
<sixways-sim` + s.attributes() + `>
  <a href="` + escape(s.link()) + `">
    <img src="` + escape(folder) + `icons/icon-192.png" alt="" width="96" height="96">
    ` + frameTitle + `</a>
</sixways-sim>`
}

// attributes are those of the element: what differs from an embedded page as
// it opens.
func (s *share) attributes() string {
	opening := fixture.OpeningState()
	opening.View.Embed = true
	usual := strings.Split(opening.Fragment(), "&")
	text := ""
	for pair := range strings.SplitSeq(s.state.Fragment(), "&") {
		if key, value, _ := strings.Cut(pair, "="); !slices.Contains(usual, pair) {
			text += " " + key + `="` + escape(value) + `"`
		}
	}
	return text
}
