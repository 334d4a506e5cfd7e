package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"sixways/fixture"
)

// The tests of this file are for what go-app does otherwise than a reader
// would think; each trap that touches the page is stepped on once.

// go-app compares an input with its own tree and not with the page: a checkbox
// must not come to stand otherwise than the model.
func TestCheckboxAndModelAgree(t *testing.T) {
	p := open(t, serve(t, dist))
	s := fixture.Opening()
	for _, sw := range fixture.Switches() {
		box := p.get("checkbox", sw.Label)
		for _, clicks := range []int{2, 3, 5} {
			// In one task, so that no rendering comes between.
			for range clicks {
				on := sw.Of(&s)
				*on = !*on
			}
			box.js("for (let i = 0; i < " + string(rune('0'+clicks)) + "; i++) this.click()")
			p.waitForHash("#" + fixture.State{Settings: s, Speed: 1}.Fragment())
			p.eval(frames)
			if got := p.controls(); got != s {
				t.Errorf("%q after %d clicks at once: the controls stand at %v, want %v", sw.Label, clicks, got, s)
			}
			p.expectTable(s)
		}
	}
}

// So must a select that is moved faster than the page renders.
func TestSelectAndModelAgree(t *testing.T) {
	p := open(t, serve(t, dist))
	s := fixture.Opening()
	choice := p.get("combobox", fixture.PolicyLabel)
	choice.focus()
	p.press(kb.ArrowDown + kb.ArrowDown + kb.ArrowUp + kb.ArrowDown + kb.ArrowUp)
	s.Policy = fixture.Allowlist
	p.waitForHash("#" + fixture.State{Settings: s, Speed: 1}.Fragment())
	p.eval(frames)
	if got := choice.js("return this.value"); got != "allowlist" {
		t.Errorf("the select stands at %v", got)
	}
	p.expectTable(s)

	// What the reader has chosen and then takes back with the browser's
	// button is not what go-app's tree had before.
	choice.js(`this.value = "deny-all"; this.dispatchEvent(new Event("change", {bubbles: true}))`)
	s.Policy = fixture.DenyAll
	p.waitForSettings(s)
	p.eval("history.back()")
	s.Policy = fixture.Allowlist
	p.waitForSettings(s)
	p.expectTable(s)
	speed := p.get("combobox", "Speed")
	for _, value := range []string{"4", "0.5", "1", "4"} {
		speed.js(`this.value = "` + value + `"; this.dispatchEvent(new Event("change", {bubbles: true}))`)
	}
	p.waitForHash("#" + fixture.State{Settings: s, Speed: 4}.Fragment())
	p.eval("history.back()")
	p.waitForHash("#" + fixture.State{Settings: s, Speed: 1}.Fragment())
	p.waitFor("the select to follow", func() bool { return speed.js("return this.value") == "1" })
}

// go-app tells handlers apart by their code alone: a button must do what its
// name says after any number of renderings.
func TestButtonsDoWhatTheySay(t *testing.T) {
	p := open(t, serve(t, dist))
	s := fixture.Opening()
	for round := range 3 {
		for _, step := range []struct {
			button string
			want   int
		}{{"Next event", 8}, {"Next event", 16}, {"Previous event", 8}, {"Next event", 16}, {"Restart", 0}} {
			p.get("button", step.button).click()
			p.expectAt(s, step.want)
		}
		for range 3 {
			p.get("button", "Play").click()
			p.get("button", "Pause").click()
			p.get("button", "Play")
		}
		p.get("button", "Keyboard shortcuts").click()
		p.waitFor("the help", p.helpShown)
		p.get("button", "Keyboard shortcuts").click()
		p.waitFor("the help to go", func() bool { return !p.helpShown() })
		for _, sw := range fixture.Switches() {
			p.get("checkbox", sw.Label).click()
			on := sw.Of(&s)
			*on = !*on
			p.waitForSettings(s)
		}
		p.expectAt(s, 0)
		if round == 1 {
			p.eval(`location.hash = "unknown=1"`)
			p.get("button", "Dismiss").click()
			p.waitForSettings(fixture.Opening())
			s = fixture.Opening()
		}
	}
}

// go-app opens links in windows of its own and routes those of its origin;
// here they are the browser's.
func TestLinksAreTheBrowsers(t *testing.T) {
	p := open(t, serve(t, dist)+"#policy=allowlist&t=24")
	link := func(href string) {
		p.eval(`(() => {
			const a = document.createElement("a");
			a.href = "` + href + `"; a.textContent = "A link"; a.style = "position: fixed; inset: 0 auto auto 0; background: #fff";
			document.querySelectorAll("#the-link").forEach((e) => e.remove());
			a.id = "the-link";
			document.body.append(a);
		})()`)
		p.get("link", "A link").click()
	}
	s := fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"})
	link("#metrics")
	p.waitForHash("#metrics")
	p.waitFor("the metrics to come into sight", func() bool {
		return p.eval(`document.getElementById("metrics").getBoundingClientRect().top < innerHeight`) == true
	})
	p.expectAt(s, 24)

	link("robots.txt")
	p.waitUntil("the browser to follow a link to another file", `location.pathname.endsWith("/robots.txt") && document.contentType === "text/plain"`)
	p.eval("history.back()")
	p.waitLive()
	p.waitForSettings(s)
	p.expectAt(s, 24)
}

// Attributes that are either there or not are so in the page, too: no
// checked="false", which is checked, and no disabled="false".
func TestBooleanAttributes(t *testing.T) {
	p := open(t, serve(t, dist)+"#task-api=0&loopback=0")
	for _, where := range []string{`document`, `new DOMParser().parseFromString(await (await fetch("./")).text(), "text/html")`} {
		odd := evalTo[[]string](p, `(async () => [...(`+where+`).querySelectorAll("*")].flatMap((e) => [...e.attributes]
			.filter((a) => ["checked", "disabled", "hidden", "selected"].includes(a.name) && /false/.test(a.value)
				|| a.name.startsWith("aria-") && a.value === ""
				|| /^(undefined|null|NaN)$/.test(a.value))
			.map((a) => e.localName + " " + a.name + "=" + a.value)))()`)
		if len(odd) > 0 {
			t.Errorf("%s: %q", where, odd)
		}
	}
	for _, label := range []string{"Task API host is on the allowlist", "Sandbox can reach the host loopback"} {
		if got := property(p.get("checkbox", label).ax(), "checked"); got != "false" {
			t.Errorf("%q is checked: %s", label, got)
		}
	}
	// While the help is hidden, its text is not there for anybody.
	if n := len(p.all(nil, "StaticText", "show or hide this list")); n > 0 {
		t.Error("the hidden help is read out")
	}
	if p.helpShown() {
		t.Error("the help is shown from the start")
	}
}
