package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

// shared opens the dialog in a state and returns it.
func shared(p *page) *node {
	p.t.Helper()
	p.get("button", "Share").click()
	dialog := p.get("dialog", "Share")
	dialog.get("textbox", "Link")
	return dialog
}

func (n *node) value() string { n.p.t.Helper(); return n.js("return this.value").(string) }

// The three texts carry the state that the page shows.
func TestShareTexts(t *testing.T) {
	p := open(t, serve(t, dist)+"#policy=allowlist&force-dns=1&loopback=0&t=24&speed=2&theme=dark")
	dialog := shared(p)
	const state = "#v=1&policy=allowlist&task-api=1&force-dns=1&block-metadata=0&loopback=0&t=24&speed=2"
	site, _, _ := strings.Cut(p.address, "#")
	escaped := strings.ReplaceAll(state, "&", "&amp;")

	p.test("the texts carry the state", func() {
		want := map[string]string{
			"Link": site + state + "&theme=dark",
			"Frame for any page": `<iframe src="` + site + escaped + `&amp;embed=1&amp;theme=dark"
  title="Six ways out of an agent sandbox" loading="lazy"
  width="100%" height="900" style="border: 0"></iframe>`,
			"Element with an API": `<script src="` + site + `embed.js" defer></script>
<sixways-sim policy="allowlist" force-dns="1" loopback="0" t="24" speed="2" theme="dark">
  <a href="` + site + escaped + `&amp;theme=dark">
    <img src="` + site + `icons/icon-192.png" alt="" width="96" height="96">
    Six ways out of an agent sandbox</a>
</sixways-sim>`,
		}
		for name, text := range want {
			if diff := cmp.Diff(text, dialog.get("textbox", name).value()); diff != "" {
				p.t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	})

	p.test("they follow the choices", func() {
		dialog.get("checkbox", "Computed data").click()
		dialog.get("checkbox", "Controls").click()
		dialog.get("combobox", "Theme").choose("Light")
		second := dialog.get("spinbutton", "Start second")
		second.js(`this.value = "80"; this.dispatchEvent(new Event("change"))`)
		rest := "&t=60&speed=2&show=player,picture,trace,metrics&controls=0&theme=light"
		want := site + strings.Replace(state, "&t=24&speed=2", rest, 1)
		p.waitFor("the link to become "+want, func() bool { return dialog.get("textbox", "Link").value() == want })
		if got := second.value(); got != "60" {
			p.t.Errorf("the second reads %s", got)
		}
		if got := dialog.get("textbox", "Element with an API").value(); !strings.Contains(got, ` show="player,picture,trace,metrics" controls="0" theme="light">`) {
			p.t.Errorf("the element is %s", got)
		}
	})

	p.test("the preview shows them, and makes no history", func() {
		length := p.historyLength()
		p.waitJS("the preview", `((d) => d?.documentElement?.dataset.theme === "light" && "live" in d.documentElement.dataset
			&& d.getElementById("time").value === "60" && !d.getElementById("data").getClientRects().length)(document.getElementById("share-preview").contentDocument)`)
		dialog.get("combobox", "Theme").choose("Dark")
		p.waitJS("the preview to darken", `document.getElementById("share-preview").contentDocument?.documentElement?.dataset.theme === "dark"`)
		if got := p.historyLength(); got != length {
			p.t.Errorf("history grew from %d to %d", length, got)
		}
	})

	p.test("the page itself stays as it was", func() {
		if got := p.eval("document.documentElement.dataset.theme"); got != "dark" || p.hash() != "#policy=allowlist&force-dns=1&loopback=0&t=24&speed=2&theme=dark" {
			p.t.Errorf("theme %v, address %s", got, p.hash())
		}
	})

	p.test("Escape closes it and returns the focus", func() {
		p.press(kb.Escape)
		p.waitFor("the dialog to close", func() bool { return len(p.all(nil, "dialog", "Share")) == 0 })
		p.waitFor("the focus to return", func() bool { return p.focusedID() == "share-button" })
	})
}

// Each text can be copied, with the clipboard's permission, without it, and
// where nothing is allowed.
func TestShareCopies(t *testing.T) {
	for name, way := range map[string]struct{ before, said string }{
		"with a clipboard":  {`navigator.clipboard.writeText = async (text) => { window.copied = text };`, "Copied."},
		"refused":           {`navigator.clipboard.writeText = async () => { throw new Error("no") }; document.addEventListener("copy", () => { window.copied = document.activeElement.value });`, "Copied."},
		"without one":       {noClipboard + `document.addEventListener("copy", () => { window.copied = document.activeElement.value });`, "Copied."},
		"by hand, selected": {noClipboard + noExecCommand, "The browser does not let the page copy. The text is selected: copy it with Ctrl+C, or ⌘C on a Mac."},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, serve(t, dist))
			p.eval(way.before)
			dialog := shared(p)
			for button, box := range map[string]string{"Copy link": "Link", "Copy frame": "Frame for any page", "Copy element": "Element with an API"} {
				p.eval(`window.copied = undefined; document.getElementById("share-said").textContent`)
				dialog.get("button", button).click()
				p.waitJS("word of it", `document.getElementById("share-said").textContent === `+fmt.Sprintf("%q", way.said))
				got := p.eval(`window.copied ?? document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)`)
				if want := dialog.get("textbox", box).value(); got != want {
					t.Errorf("%s: got %v, want %s", button, got, want)
				}
			}
		})
	}
}

// The link that the dialog gives opens the state that it was made in.
func TestShareLinkOpens(t *testing.T) {
	p := open(t, serve(t, dist)+"#policy=allowlist&loopback=0&t=16")
	link := shared(p).get("textbox", "Link").value()
	p.visit(link)
	p.expectAt(allowlisted.With(fixture.Change{Key: "loopback", Value: "0"}), 16)
}

// One file opened from a disk has no address to give, and says so.
func TestShareFromAFile(t *testing.T) {
	p := open(t, singleFile(t)+"#policy=allowlist")
	dialog := shared(p)
	if got := dialog.text(); !strings.Contains(got, "This page is a file and has no public address") {
		t.Errorf("the dialog says %q", got)
	}
	if n := len(dialog.all("textbox", "Element with an API")); n != 0 {
		t.Error("the file offers an element whose script it does not bring")
	}
	for _, box := range []string{"Link", "Frame for any page"} {
		got := dialog.get("textbox", box).value()
		if strings.Contains(got, "file:") || !strings.Contains(got, "https://YOUR-HOST/") || !strings.Contains(got, "policy=") {
			t.Errorf("%s: %s", box, got)
		}
	}
	if n := len(p.all(nil, "Iframe", "")); n != 0 {
		t.Errorf("%d previews, which the file does not allow", n)
	}
}

// The view of the page can be chosen in the page, and travels in its address.
func TestViewChoices(t *testing.T) {
	p := open(t, serve(t, dist))
	p.eval(`document.querySelector("#view summary").click()`)
	view := p.get("group", "Parts")
	for _, part := range fixture.PageParts() {
		if part == fixture.MapPart {
			continue
		}
		view.get("checkbox", part.Label()).click()
	}
	p.get("combobox", "Theme").choose("Dark")
	p.waitForHash(openingFragment + "&show=map&theme=dark")
	if diff := cmp.Diff([]string{"Your experiment"}, p.names("region")[:1]); diff != "" {
		t.Error(diff)
	}
	if got := p.eval(`[getComputedStyle(document.documentElement).colorScheme, document.querySelector("#map").getClientRects().length, document.querySelector("#data").getClientRects().length]`); !cmp.Equal(got, []any{"dark", 1.0, 0.0}) {
		t.Errorf("colours, map and data are %v", got)
	}
	view.get("checkbox", "Controls").click()
	p.waitForHash(openingFragment + "&show=map&controls=0&theme=dark")

	p.test("the compact page is chosen here too, and Back leads out of it", func() {
		at := p.hash()
		p.get("checkbox", "Compact, as in another page’s frame").click()
		p.waitForHash(openingFragment + "&embed=1&show=map&controls=0&theme=dark")
		if n := len(p.all(nil, "button", "Share")); n != 0 {
			p.t.Error("the page's frame is still there")
		}
		p.get("link", "Open the full page")
		p.eval("history.back()")
		p.waitForHash(at)
		p.get("button", "Share")
		if !p.eval(`document.querySelector("#view").open`).(bool) {
			p.eval(`document.querySelector("#view summary").click()`)
		}
		if p.get("checkbox", "Compact, as in another page’s frame").js("return this.checked") != false {
			p.t.Error("the choice stays checked")
		}
	})

	p.test("Back returns, and a reload keeps it", func() {
		p.eval("history.back()")
		p.waitForHash(openingFragment + "&show=map&theme=dark")
		p.waitJS("the controls", `document.querySelector("#experiment").getClientRects().length`)
		p.reload()
		p.waitLive()
		if got := p.eval("document.documentElement.dataset.hide"); got != "player picture trace data metrics check walk-through" {
			p.t.Errorf("hidden are %v", got)
		}
	})

	p.test("paper is light", func() {
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		if got := p.eval(`getComputedStyle(document.documentElement).colorScheme`); got != "light" {
			p.t.Errorf("printed, the colours are %v", got)
		}
	})
}
