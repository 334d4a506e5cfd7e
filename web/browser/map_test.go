package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"sixways/app"
	"sixways/fixture"
)

// focusedPlace returns the accessible name of the place that has the focus, empty
// where none has.
func (p *page) focusedPlace() string {
	p.t.Helper()
	name, _ := p.eval(`document.activeElement.closest("[role=gridcell]")?.getAttribute("aria-label") ?? ""`).(string)
	return name
}

// named returns the settings that a place of the map is called after.
func named(t *testing.T, name string) fixture.Settings {
	t.Helper()
	for _, s := range fixture.All() {
		if app.StateText(s) == name {
			return s
		}
	}
	t.Fatalf("no settings are called %q", name)
	panic("not reached")
}

func unquote(v *accessibility.Value) string { return strings.Trim(string(v.Value), `"`) }

// current returns the names of the places marked as the current setting.
func (p *page) current() []string {
	p.t.Helper()
	return evalTo[[]string](p, `[...document.querySelectorAll("#map [role=gridcell][aria-current=true]")].map(e => e.getAttribute("aria-label"))`)
}

func (p *page) historyLength() int {
	p.t.Helper()
	return evalTo[int](p, `history.length`)
}

// Where there is room, no change of the controls moves what stands below.
func TestChangesMoveNothing(t *testing.T) {
	p := open(t, serve(t, dist))
	p.size(1280, 900, 1)
	tops := func() []float64 {
		return evalTo[[]float64](p, `[...document.querySelectorAll("section:not(#experiment), #decisions tr")].map((e) => e.getBoundingClientRect().top + scrollY)`)
	}
	before := tops()
	for i := range fixture.All() {
		p.eval(fmt.Sprintf(`document.querySelectorAll("#map td.place")[%d].click()`, i))
		p.settle()
		if diff := cmp.Diff(before, tops()); diff != "" {
			t.Fatalf("place %d of the map (-opening +there):\n%s", i, diff)
		}
	}
}

// The map is one grid of the 48 settings, each called by its controls and what
// they come to, and says how many reach the goal.
func TestMapNamesEverySetting(t *testing.T) {
	p := open(t, serve(t, dist))
	region := p.get("region", "All 48 settings")
	if want := "2 of the 48 settings contain the fixture with the task still working."; !strings.Contains(region.text(), want) {
		t.Errorf("the map does not say %q", want)
	}
	grid := region.get("grid", "All 48 settings")
	var want, got []string
	for _, s := range fixture.All() {
		mark := ""
		if s.Goal() {
			mark = " (reached)"
		}
		want = append(want, fmt.Sprintf("%s shows %d%s", app.StateText(s), fixture.Run(s).Metrics().Unwanted, mark))
	}
	for _, place := range grid.all("gridcell", "") {
		shows := place.js(`return this.innerText.trim() + (this.classList.contains("reached") ? " (reached)" : "")`)
		got = append(got, fmt.Sprintf("%s shows %s", unquote(place.ax().Name), shows))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	for _, policy := range fixture.Policies() {
		grid.get("rowgroup", policy.Label()).get("columnheader", policy.Label())
	}
	for role, words := range map[string][]string{
		"columnheader": {"forced", "not forced", "shared", "not shared"},
		"rowheader":    {"DNS", "Loopback", "Task API on the list", "Task API off the list", "Metadata open", "Metadata blocked"},
	} {
		for _, word := range words {
			if len(grid.all(role, word)) < 3 {
				t.Errorf("not every policy has a %s %q", role, word)
			}
		}
	}
	if diff := cmp.Diff([]string{app.StateText(fixture.Opening())}, p.current()); diff != "" {
		t.Errorf("current (-want +got):\n%s", diff)
	}
}

// With the keyboard alone: one Tab stop, any setting within reach, one control
// a key and across the edges, and nothing set by looking.
func TestMapByKeyboard(t *testing.T) {
	p := open(t, serve(t, dist))
	p.get("button", "Apply the changes").focus()
	p.press(kb.Tab)
	if got := p.focusedPlace(); got != app.StateText(fixture.Opening()) {
		t.Fatalf("Tab leads to %q, not to the current setting", got)
	}
	p.press(kb.Tab)
	if got := p.focusedPlace(); got != "" {
		t.Errorf("a second Tab is still in the map, at %q", got)
	}
	p.press(kb.Tab, chromedp.ModifierShift)

	at, seen := fixture.Opening(), map[fixture.Settings]bool{}
	step := func(key string, controls ...string) {
		t.Helper()
		seen[at] = true
		p.press(key)
		to := named(t, p.focusedPlace())
		changes := at.Difference(to)
		if len(changes) != 1 || !strings.Contains(strings.Join(controls, " "), changes[0].Key) {
			t.Errorf("from %v to %v: want one of %v moved", at, to, controls)
		}
		at = to
	}
	for range 3 {
		for range 4 {
			for range 4 {
				step(kb.ArrowRight, "force-dns", "loopback")
			}
			step(kb.ArrowDown, "task-api", "block-metadata")
		}
		step(kb.PageDown, "policy")
	}
	if len(seen) != 48 || at != fixture.Opening() {
		t.Errorf("%d of 48 settings seen, and the way round ends at %v", len(seen), at)
	}
	step(kb.ArrowLeft, "force-dns", "loopback")
	step(kb.ArrowUp, "task-api", "block-metadata")
	step(kb.PageUp, "policy")
	if got := p.controls(); got != fixture.Opening() {
		t.Errorf("looking around has set %v", got)
	}
	if n := p.eval(`document.querySelectorAll("#map [role=gridcell][tabindex='0']").length`); n != 1.0 {
		t.Errorf("%v Tab stops", n)
	}
}

// Enter, Space and a click go to a setting: one step of history each, and the
// focus stays.
func TestMapGoesThere(t *testing.T) {
	p := open(t, serve(t, dist))
	at := fixture.Opening()
	goes := func(how string, to fixture.Settings, act func()) {
		t.Helper()
		before := p.historyLength()
		act()
		p.waitFor("the map to follow "+how, func() bool {
			return cmp.Equal([]string{app.StateText(to)}, p.current())
		})
		if got := p.controls(); got != to {
			t.Errorf("%s: the controls are %v, want %v", how, got, to)
		}
		if got := p.focusedPlace(); got != app.StateText(to) {
			t.Errorf("%s: the focus is on %q", how, got)
		}
		if n := p.historyLength() - before; n != 1 {
			t.Errorf("%s: %d entries of history", how, n)
		}
		if want := "Final metrics"; !strings.Contains(p.get("region", want).text(), map[bool]string{true: "Contained", false: "Leaking"}[fixture.Run(to).Metrics().Contained]) {
			t.Errorf("%s: %s did not follow", how, want)
		}
		at = to
	}
	p.get("gridcell", app.StateText(at)).focus()
	p.press(kb.ArrowLeft)
	goes("Enter", named(t, p.focusedPlace()), func() { p.press(kb.Enter) })
	p.press(kb.PageUp)
	goes("Space", named(t, p.focusedPlace()), func() { p.press(" ") })
	goal := fixture.Settings{Policy: fixture.Allowlist, TaskAPI: true, ForceDNS: true}
	before := at
	goes("a click", goal, func() { p.get("gridcell", app.StateText(goal)).click() })

	length := p.historyLength()
	p.press(kb.Enter)
	if p.historyLength() != length {
		t.Error("going where one is makes history")
	}
	p.eval(`history.back()`)
	p.waitFor("Back to return", func() bool { return p.controls() == before })
	if diff := cmp.Diff([]string{app.StateText(before)}, p.current()); diff != "" {
		t.Errorf("current after Back (-want +got):\n%s", diff)
	}
}

// The map does not slip away under the pointer, however the text above it
// changes.
func TestMapHoldsStill(t *testing.T) {
	p := open(t, serve(t, dist))
	for _, width := range []int64{1280, 768, 320} {
		p.size(width, 900, 1)
		moved := evalTo[map[string]float64](p, `(async () => {
			const frame = () => new Promise((f) => requestAnimationFrame(f));
			const top = (e) => e.getBoundingClientRect().top;
			const moved = {};
			document.getElementById("map").scrollIntoView({block: "end"});
			for (const place of document.querySelectorAll("#map [role=gridcell]")) {
				place.scrollIntoView({block: "nearest"});
				const before = top(place);
				place.click();
				while (place.getAttribute("aria-current") !== "true") await frame();
				await frame();
				moved[place.ariaLabel] = top(place) - before;
			}
			return moved;
		})()`)
		if len(moved) != 48 {
			t.Errorf("%d px wide: %d places were chosen", width, len(moved))
		}
		for name, by := range moved {
			if by < -2 || by > 2 {
				t.Errorf("%d px wide: %s moved by %v px as it was chosen", width, name, by)
			}
		}
	}
}

// Every place is a target of at least 24 by 24 pixels, and the map fits.
func TestMapFits(t *testing.T) {
	p := open(t, serve(t, dist))
	for _, width := range []int64{320, 768, 1280} {
		p.size(width, 900, 1)
		small := p.eval(`[...document.querySelectorAll("#map [role=gridcell]")].filter(e => { const r = e.getBoundingClientRect(); return r.width < 24 || r.height < 24 }).length`)
		if small != 0.0 {
			t.Errorf("%d px wide: %v places are too small", width, small)
		}
		if wide := p.eval(`document.documentElement.scrollWidth`).(float64); int64(wide) > width {
			t.Errorf("%d px wide: the page is %v px", width, wide)
		}
	}
}

// The map costs nothing while the replay plays.
func TestMapRestsWhilePlaying(t *testing.T) {
	p := open(t, serve(t, dist)+"#speed=4")
	p.eval(`window.changes = 0; new MutationObserver(m => changes += m.length).observe(document.getElementById("map"), {subtree: true, childList: true, attributes: true, characterData: true})`)
	p.get("button", "Play").click()
	p.waitFor("two events", func() bool { return len(p.events()) >= 2 })
	if n := p.eval("changes"); n != 0.0 {
		t.Errorf("%v changes of the map", n)
	}
	p.get("gridcell", app.StateText(fixture.Settings{})).js("this.click()")
	p.waitFor("the map to follow a click, so that the measure measures", func() bool { return p.eval("changes") != 0.0 })
}
