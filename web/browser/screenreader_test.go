package browser_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

// What is spoken while the run plays is its events, once each, and no tick.
func TestSpeaksEventsNotTicks(t *testing.T) {
	p := open(t, serve(t, dist)+"#t=5&speed=4")
	p.eval(`(() => {
		window.spoken = [];
		const live = ":is([role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]):not([aria-live=off])";
		new MutationObserver((changes) => {
			for (const place of new Set(changes.map((c) => (c.target.nodeType === 1 ? c.target : c.target.parentElement)?.closest(live)))) {
				if (place && place.textContent !== place.heard) spoken.push(place.heard = place.textContent);
			}
		}).observe(document.body, {subtree: true, childList: true, characterData: true});
		window.values = [];
		const slider = document.querySelector("input[type=range]");
		new MutationObserver(() => values.push(slider.getAttribute("aria-valuetext"))).observe(slider, {attributes: true, attributeFilter: ["aria-valuetext"]});
	})()`)
	p.get("button", "Play").click()
	p.waitFor("two events and some ticks", func() bool { return p.second() >= 18 })
	spoken := evalTo[[]string](p, "spoken")
	if len(spoken) != 2 {
		t.Fatalf("spoken at two events: %q", spoken)
	}
	for i, destination := range []string{fixture.PartnerAPI, fixture.PackageIndex} {
		if !strings.Contains(spoken[i], destination) || !strings.Contains(spoken[i], "allowed") {
			t.Errorf("event %d is spoken as %q", i+1, spoken[i])
		}
	}
	// A screen reader in focus on the slider speaks each change of its value
	// text: while playing there is one an event.
	if diff := cmp.Diff([]string{"Playing, 0 of 7 events", "Playing, 1 of 7 events", "Playing, 2 of 7 events"}, evalTo[[]string](p, "values")); diff != "" {
		t.Errorf("the slider's value text (-want +got):\n%s", diff)
	}

	p.test("the slider says seconds and events when it stands", func() {
		p.get("button", "Pause").click()
		p.get("button", "Play")
		p.drag("24")
		slider := p.get("slider", "Inspection time")
		if got := slider.js(`return this.getAttribute("aria-valuetext")`); got != "24 seconds, 3 of 7 events" {
			p.t.Errorf("the value text is %q", got)
		}
	})

	p.test("the picture speaks of what it explains, while the keyboard is in it", func() {
		p.enter("t=20")
		p.eval("spoken.length = 0")
		p.eval(`document.getElementById("picture-wide-2").focus()`)
		p.waitFor("the explanation", func() bool {
			return strings.Join(evalTo[[]string](p, "spoken"), " ") == "Raw IP address: "+fixture.WayOf(2).What+". Not decided yet."
		})
		p.get("button", "Next event").js("this.focus()")
		p.eval("spoken.length = 0")
		p.get("button", "Next event").js("this.click()")
		p.waitFor("the event", func() bool { return p.second() == 24 })
		p.eval(frames)
		if spoken := evalTo[[]string](p, "spoken"); len(spoken) != 1 || !strings.HasPrefix(spoken[0], "Raw IP address: 203.0.113.10 allowed") {
			p.t.Errorf("spoken: %q", spoken)
		}
	})

	p.test("a changed control is answered by its outcome", func() {
		p.eval("spoken.length = 0")
		p.set(fixture.Change{Key: "policy", Value: "deny-all"})
		p.waitFor("the outcome", func() bool {
			return strings.Contains(strings.Join(evalTo[[]string](p, "spoken"), " "), "Leaking: 1 unwanted way out; the task fails.")
		})
	})

	p.test("the verdict is spoken at the end", func() {
		p.eval("spoken.length = 0")
		p.drag("48")
		p.get("button", "Next event").click()
		p.waitFor("the verdict", func() bool {
			return strings.Contains(strings.Join(evalTo[[]string](p, "spoken"), " "), "Verdict. Leaking: 1 unwanted way out")
		})
	})
}
