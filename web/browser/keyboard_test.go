package browser_test

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sixways/fixture"
)

// Tab reaches every control, in the order of the page, and shows where it is.
func TestKeyboardReachesEverything(t *testing.T) {
	for _, width := range []int64{1280, 320} {
		p := open(t, serve(t, dist))
		p.size(width, 900, 1)
		var stops []string
		for range 40 {
			p.press(kb.Tab)
			if p.eval("document.activeElement === document.body") == true {
				break // round the browser's own frame
			}
			n := p.focused()
			stops = append(stops, name(n.ax()))
			if seen := n.js(`
				const r = this.getBoundingClientRect(), style = getComputedStyle(this);
				if (r.bottom <= 0 || r.top >= innerHeight || r.right <= 0 || r.left >= innerWidth) return "out of sight";
				const ringed = [this, ...this.querySelectorAll("*")].some((e) => {
					const s = getComputedStyle(e);
					return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
				});
				return ringed ? "" : "without a ring";`); seen != "" {
				t.Errorf("%d px: the focus on %q is %v", width, name(n.ax()), seen)
			}
		}
		rest := stops
		for _, want := range []string{
			"Skip to the experiment",
			fixture.PolicyLabel,
			"Task API host is on the allowlist", "Force DNS through the policy resolver",
			"Block the link-local metadata address", "Sandbox can reach the host loopback",
			"Play", "Previous event", "Next event", "Restart", "Speed", "Keyboard shortcuts", "Inspection time",
		} {
			i := slices.Index(rest, want)
			if i < 0 {
				t.Fatalf("%d px: Tab does not reach %q in its place: %q", width, want, stops)
			}
			rest = rest[i+1:]
		}
		if stops[0] != "Skip to the experiment" {
			t.Errorf("%d px: the first stop is %q", width, stops[0])
		}
		p.press(kb.Tab, chromedp.ModifierShift)
		if p.eval("document.activeElement === document.body") == true {
			t.Errorf("%d px: Shift and Tab do not come back", width)
		}
	}
}

// A lesson can be given without a mouse.
func TestKeyboardAlone(t *testing.T) {
	p := open(t, serve(t, dist))
	tabTo := func(want string) {
		p.t.Helper()
		for range 40 {
			if name(p.focused().ax()) == want {
				return
			}
			p.press(kb.Tab)
		}
		p.t.Fatalf("Tab does not reach %q", want)
	}
	expectFocus := func(want string) {
		p.t.Helper()
		p.eval(frames)
		if got := name(p.focused().ax()); got != want {
			p.t.Errorf("the focus is on %q, want %q", got, want)
		}
	}
	s := fixture.Opening()

	p.test("the skip link moves the focus and leaves the state in the address", func() {
		p.enter("policy=allowlist&t=24&speed=2")
		address := p.hash()
		p.get("link", "Skip to the experiment").focus()
		p.press(kb.Enter)
		expectFocus("Your experiment")
		if got := p.hash(); got != address {
			p.t.Errorf("the address went from %s to %s", address, got)
		}
		p.press(kb.Tab)
		expectFocus(fixture.PolicyLabel)
		p.enter("t=0")
	})

	p.test("the policy is chosen by typing, and keeps the focus", func() {
		tabTo(fixture.PolicyLabel)
		p.press("A")
		s = s.With(fixture.Change{Key: "policy", Value: "allowlist"})
		p.waitForSettings(s)
		expectFocus(fixture.PolicyLabel)
		p.expectAt(s, 0)
	})

	p.test("checkboxes turn with the space bar, and keep the focus", func() {
		for _, sw := range fixture.Switches() {
			tabTo(sw.Label)
			p.press(" ")
			on := sw.Of(&s)
			*on = !*on
			p.waitForSettings(s)
			expectFocus(sw.Label)
			p.expectTable(s)
		}
	})

	p.test("Play and Pause are one button to the focus", func() {
		tabTo("Play")
		p.press(kb.Enter)
		p.get("button", "Pause")
		expectFocus("Pause")
		p.press(" ")
		p.get("button", "Play")
		expectFocus("Play")
	})

	p.test("a button that becomes idle keeps the focus", func() {
		p.drag("0")
		for _, step := range []struct {
			button string
			times  int
			second int
		}{{"Next event", 8, 60}, {"Previous event", 8, 0}} {
			button := p.get("button", step.button)
			button.focus()
			for range step.times {
				p.press(kb.Enter)
			}
			p.expectAt(s, step.second)
			expectFocus(step.button)
			p.waitFor(step.button+" to be idle", func() bool { return property(button.ax(), "disabled") == "true" })
			p.press(kb.Enter)
			p.expectAt(s, step.second)
		}
		p.drag("24")
		restart := p.get("button", "Restart")
		restart.focus()
		p.press(kb.Enter)
		p.expectAt(s, 0)
		expectFocus("Restart")
		p.waitFor("Restart to be idle", func() bool { return property(restart.ax(), "disabled") == "true" })
	})

	p.test("a select keeps its keys", func() {
		speed := p.get("combobox", "Speed")
		speed.focus()
		p.press("4")
		p.waitFor("4×", func() bool { return speed.js("return this.value") == "4" })
		expectFocus("Speed")
		p.press("knpr?")
		p.expectAt(s, 0)
		p.expectStill()
		if p.helpShown() {
			p.t.Error("a key that was typed into a select opened the help")
		}
	})

	p.test("Dismiss hands the focus on", func() {
		p.eval(`location.hash = "policy=nothing"`)
		p.get("button", "Dismiss").focus()
		p.press(kb.Enter)
		p.waitFor("the notice to go", func() bool { return len(p.all(nil, "alert", "")) == 0 })
		expectFocus("Your experiment")
	})

	p.test("a notice that comes or goes leaves the focus where it is", func() {
		box := p.get("checkbox", "Force DNS through the policy resolver")
		box.focus()
		p.eval(`location.hash = "policy=nothing&t=8"`)
		p.get("alert", "")
		expectFocus("Force DNS through the policy resolver")
		p.press(" ")
		p.waitFor("the notice to go", func() bool { return len(p.all(nil, "alert", "")) == 0 })
		expectFocus("Force DNS through the policy resolver")
		p.expectAt(fixture.Opening().With(fixture.Change{Key: "force-dns", Value: "1"}), 0)
	})
}

// Shortcuts work while the player has the focus, and nowhere else.
func TestShortcuts(t *testing.T) {
	p := open(t, serve(t, dist))
	s := fixture.Opening()

	p.test("elsewhere they do nothing", func() {
		p.enter("t=24")
		address := p.hash()
		for _, where := range []string{"body", "#skip", "#experiment", "#task-api"} {
			p.eval(`document.activeElement.blur(); document.querySelector("` + where + `").focus()`)
			p.press("knprsf?")
		}
		p.expectAt(s, 24)
		p.expectStill()
		if got := p.hash(); got != address {
			p.t.Errorf("the address went from %s to %s", address, got)
		}
		if p.helpShown() {
			p.t.Error("? opened the help from outside of the player")
		}
	})

	speed := func() string { return p.get("combobox", "Speed").js("return this.value").(string) }
	for _, from := range []string{"button Play", "slider Inspection time"} {
		p.test("from the "+from, func() {
			p.enter("t=24")
			focus := func() {
				if from == "button Play" {
					p.get("button", "Play").focus()
				} else {
					p.get("slider", "Inspection time").focus()
				}
			}
			focus()
			p.press("n")
			p.expectAt(s, 32)
			p.press("p")
			p.expectAt(s, 24)
			p.press("P")
			p.expectAt(s, 16)
			p.press("f")
			p.waitFor("faster", func() bool { return speed() == "2" })
			p.press("s")
			p.press("s")
			p.waitFor("slower", func() bool { return speed() == "0.5" })
			p.press("s")
			p.press("k")
			p.get("button", "Pause")
			p.press("k")
			p.get("button", "Play")
			p.press("r")
			p.expectAt(s, 0)
			if speed() != "0.5" {
				p.t.Errorf("slower than the slowest is %s", speed())
			}
		})
	}

	p.test("? shows and hides the list of them all", func() {
		button := p.get("button", "Keyboard shortcuts")
		button.focus()
		p.press("?")
		p.waitFor("the help", p.helpShown)
		if got := property(button.ax(), "expanded"); got != "true" {
			p.t.Errorf("the button is expanded: %s", got)
		}
		keys := evalTo[[]string](p, `[...document.querySelectorAll("kbd")].filter(e => e.checkVisibility()).map(e => e.innerText)`)
		for _, key := range []string{"K", "N", "P", "R", "S", "F", "?"} {
			if !slices.Contains(keys, key) {
				p.t.Errorf("the help does not list %s: %q", key, keys)
			}
		}
		p.press("?")
		p.waitFor("the help to go", func() bool { return !p.helpShown() })
		button.click()
		p.waitFor("the help", p.helpShown)
		button.click()
		p.waitFor("the help to go", func() bool { return !p.helpShown() })
	})

	p.test("with Ctrl, Alt or Meta they are the browser's", func() {
		p.enter("t=24")
		p.get("slider", "Inspection time").focus()
		for _, m := range []chromedp.Modifier{chromedp.ModifierCtrl, chromedp.ModifierAlt, chromedp.ModifierMeta} {
			p.eval(`window.kept = 0; addEventListener("keydown", (e) => { kept += e.defaultPrevented; e.preventDefault(); }, {once: true})`)
			p.press("k", m)
			if p.eval("kept") != 0.0 {
				p.t.Errorf("the page took the key with modifier %v", m)
			}
		}
		p.expectAt(s, 24)
		p.get("button", "Play")
	})
}

func (p *page) helpShown() bool {
	p.t.Helper()
	return p.eval(`document.getElementById(document.querySelector("[aria-controls]").getAttribute("aria-controls")).checkVisibility()`) == true
}

// focused is the element that has the focus.
func (p *page) focused() *node {
	p.t.Helper()
	return p.node("document.activeElement")
}
