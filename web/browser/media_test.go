package browser_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

// Nothing has to be scrolled sideways, at 320 px and at 200 % zoom.
func TestFitsItsWidth(t *testing.T) {
	p := open(t, serve(t, dist)+"#t=60")
	p.get("button", "Keyboard shortcuts").click()
	for _, view := range []struct {
		width int64
		scale float64
	}{{320, 1}, {640, 2}, {768, 1}, {1280, 1}, {1920, 1}} {
		for _, policy := range fixture.Policies() {
			p.size(view.width, 800, view.scale)
			p.eval(fmt.Sprintf(`location.hash = "unknown=1&t=60&policy=%v"`, policy))
			p.waitFor("the policy", func() bool { return p.controls().Policy == policy })
			p.eval(frames)
			over := evalTo[[]string](p, `document.scrollingElement.scrollWidth <= innerWidth ? [] :
				["the page is " + document.scrollingElement.scrollWidth + " wide", ...[...document.querySelectorAll("body *")]
					.filter(e => e.getBoundingClientRect().right > innerWidth + 0.5 && e.checkVisibility()).map(e => e.outerHTML.slice(0, 120))]`)
			if len(over) > 0 {
				t.Errorf("%d px at scale %v under %v: %q", view.width, view.scale, policy, over)
			}
			cut := evalTo[[]string](p, `[...document.querySelectorAll("#page :is(p, h1, h2, li, td, th, dt, dd, label, button, select)")]
				.filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && getComputedStyle(e).overflowX !== "visible").map(e => e.outerHTML.slice(0, 120))`)
			if len(cut) > 0 {
				t.Errorf("%d px at scale %v under %v: the text of these is cut off: %q", view.width, view.scale, policy, cut)
			}
		}
	}
}

// Who asks for less motion gets none; an event is marked all the same.
func TestReducedMotion(t *testing.T) {
	p := open(t, serve(t, dist))
	moving := `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => document.getAnimations().filter(a => a.playState === "running").map(a => a.animationName ?? a.transitionProperty ?? "animation"))`
	p.media("prefers-reduced-motion", "no-preference")
	p.waitFor("an event to arrive with an animation, without which this test sees nothing", func() bool {
		p.drag("0")
		p.get("button", "Next event").js("this.click()")
		return len(evalTo[[]string](p, moving)) > 0
	})
	p.media("prefers-reduced-motion", "reduce")
	p.enter("t=0&speed=4")
	for range 3 {
		p.get("button", "Next event").click()
		if names := evalTo[[]string](p, moving); len(names) > 0 {
			t.Errorf("these move: %q", names)
		}
	}
	p.get("button", "Play").click()
	p.waitFor("an event", func() bool { return p.second() >= 33 })
	if got := evalTo[float64](p, `60 * new DOMMatrix(getComputedStyle(document.getElementById("way")).transform).a`); math.Abs(got-math.Round(got)) > 0.01 || got < 33 {
		t.Errorf("the slider's way stands at %.2f s, between two seconds", got)
	}
	if names := evalTo[[]string](p, moving); len(names) > 0 {
		t.Errorf("these move while it plays: %q", names)
	}
	dot := func() string {
		return fmt.Sprint(p.eval(`JSON.stringify(document.getElementById("dot-wide").checkVisibility({ visibilityProperty: true }) && document.getElementById("dot-wide").style.transform)`))
	}
	p.enter("t=20")
	stands := dot()
	if p.enter("t=22"); stands == "false" || dot() != stands {
		t.Errorf("the dot of the attempt under way stands at %s at 20 s, at %s at 22 s", stands, dot())
	}
	if p.enter("t=60"); dot() != "false" {
		t.Errorf("with none under way the dot stands at %s", dot())
	}
	if p.eval(`getComputedStyle(document.documentElement).scrollBehavior`) == "smooth" {
		t.Error("the page scrolls smoothly")
	}
}

// The builds of the lab are a table where there is room for one, and cards that
// say what their figures are where there is not.
func TestNarrowBuildsNameTheirFigures(t *testing.T) {
	p := open(t, serve(t, dist))
	labels := func() []string {
		return evalTo[[]string](p, `[...document.querySelectorAll("#lab tbody tr:first-child td")].map((cell) => getComputedStyle(cell, "::before").content)`)
	}
	if diff := cmp.Diff([]string{"none", "none", "none"}, labels()); diff != "" {
		t.Errorf("wide (-want +got):\n%s", diff)
	}
	p.size(320, 800, 1)
	if diff := cmp.Diff([]string{"none", `"Agree: "`, `"With any other way: "`}, labels()); diff != "" {
		t.Errorf("narrow (-want +got):\n%s", diff)
	}
}

// Forced colours take the page's colours away: word and icon tell the verdicts
// apart all the same.
func TestForcedColours(t *testing.T) {
	p := open(t, serve(t, dist)+"#policy=allowlist&t=60")
	p.media("forced-colors", "active")
	if p.eval(`matchMedia("(forced-colors: active)").matches`) != true {
		t.Fatal("the browser does not force colours")
	}
	type seen struct{ Word, Icon, Ink, Paper string }
	icons := map[string]map[string]bool{}
	for _, v := range evalTo[[]seen](p, `[...document.querySelectorAll("#data td .verdict")].map((v) => {
		const icon = v.querySelector("svg"), box = icon.getBoundingClientRect();
		return {
			Word: v.innerText.trim(),
			Icon: box.width > 4 && box.height > 4 && icon.checkVisibility() ? icon.innerHTML : "",
			Ink: getComputedStyle(icon).stroke,
			Paper: getComputedStyle(document.documentElement).backgroundColor,
		};
	})`) {
		if v.Icon == "" || v.Ink == v.Paper || v.Ink == "none" {
			t.Errorf("the icon of %q does not show: %+v", v.Word, v)
		}
		if icons[v.Word] == nil {
			icons[v.Word] = map[string]bool{}
		}
		icons[v.Word][v.Icon] = true
	}
	if len(icons) != 2 || len(icons["Allowed"]) != 1 || len(icons["Blocked"]) != 1 || cmp.Equal(icons["Allowed"], icons["Blocked"]) {
		t.Errorf("icons by word: %v", icons)
	}
}

// Print shows everything, once, wherever the replay stands, and nothing that
// needs a hand.
func TestPrint(t *testing.T) {
	p := open(t, serve(t, dist))
	p.get("button", "Keyboard shortcuts").click()
	p.waitFor("the help", p.helpShown)
	for _, second := range []string{"0", "24", "60"} {
		p.eval(`location.hash = "unknown=1&policy=allowlist&t=` + second + `"`)
		p.waitFor("second "+second, func() bool { return fmt.Sprint(p.second()) == second })
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		p.eval(frames)
		s := fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"})
		run := fixture.Run(s)
		trace := strings.ToLower(p.node(`document.getElementById("trace")`).text())
		for i := range run.Events() {
			for _, part := range eventParts(run, i) {
				if !strings.Contains(trace, strings.ToLower(part)) {
					t.Errorf("at %s s: event %d is not printed: no %q in %q", second, i+1, part, trace)
				}
			}
			once := 1
			if fmt.Sprint(run.EventAt(i)) == second {
				once = 2 // the clock says it too
			}
			if n := strings.Count(" "+trace, fmt.Sprintf(" %d s ", run.EventAt(i))); n != once {
				t.Errorf("at %s s: the event of second %d is printed %d times: %q", second, run.EventAt(i), n, trace)
			}
		}
		text := p.bodyText()
		for _, d := range run.Decisions {
			if !strings.Contains(text, d.Reason()) {
				t.Errorf("at %s s: %q is not printed", second, d.Reason())
			}
		}
		for _, want := range append(regions(), "Unwanted egress", "Containment", fixture.Model) {
			if !strings.Contains(text, want) && want != "Check your own policy" { // no file is given
				t.Errorf("at %s s: %q is not printed", second, want)
			}
		}
		for _, step := range fixture.WalkThrough() {
			for _, claim := range step.Claims {
				if !strings.Contains(text, strings.ReplaceAll(claim.Says, "`", "")) {
					t.Errorf("at %s s: %q is not printed", second, claim.Says)
				}
			}
		}
		if junk := evalTo[[]string](p, `[...document.querySelectorAll("button, kbd, #skip, #boot-status, #notice:not(:empty), .explanation, #map-help, #check")].filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80))`); len(junk) > 0 {
			t.Errorf("at %s s: these are printed and of no use on paper: %q", second, junk)
		}
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	}
}
