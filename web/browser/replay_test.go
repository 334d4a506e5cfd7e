package browser_test

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
	"sixways/policy"
)

// A run under several settings, stepped through, shows at each event what the
// engine says.
func TestReplayFollowsTheEngine(t *testing.T) {
	p := open(t, serve(t, dist))
	states := []fixture.Settings{
		fixture.Opening(),
		fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"}, fixture.Change{Key: "force-dns", Value: "1"}, fixture.Change{Key: "loopback", Value: "0"}),
		fixture.Opening().With(fixture.Change{Key: "policy", Value: "deny-all"}, fixture.Change{Key: "block-metadata", Value: "1"}),
	}
	for _, s := range states {
		p.test("forwards under "+s.String(), func() {
			p.setTo(s)
			p.expectAt(s, 0)
			p.expectTable(s)
			for i := range 7 {
				p.get("button", "Next event").click()
				p.expectAt(s, 8*(i+1))
			}
			p.get("button", "Next event").click()
			p.expectAt(s, 60)
		})
	}
	s := states[len(states)-1]
	p.test("backwards", func() {
		for i := 7; i > 0; i-- {
			p.get("button", "Previous event").click()
			p.expectAt(s, 8*i)
		}
		p.get("button", "Previous event").click()
		p.expectAt(s, 0)
	})
}

func TestReplay(t *testing.T) {
	address := serve(t, dist)
	p := open(t, address)
	opening := fixture.Opening()
	at := func(second string) { p.enter("t=" + second + "&speed=4") }

	p.test("Play turns to Pause and back", func() {
		play := p.get("button", "Play")
		play.click()
		if pause := p.get("button", "Pause"); pause.id != play.id {
			p.t.Error("Pause is another element than Play was")
		}
		if n := len(p.all(nil, "button", "Play")); n != 0 {
			p.t.Errorf("%d buttons are still named Play", n)
		}
		p.get("button", "Pause").click()
		p.get("button", "Play")
		p.expectStill()
	})

	p.test("the position comes from elapsed time", func() {
		at("0")
		p.get("button", "Play").click()
		p.expectPace(4, 1500, "")
	})

	p.test("Speed changes the rate while it plays", func() {
		p.get("combobox", "Speed").choose("0.5×")
		p.get("button", "Pause")
		p.expectPace(0.5, 2500, "")
		p.get("combobox", "Speed").choose("4×")
		p.expectPace(4, 1500, "")
		for _, speed := range []string{"0.5×", "4×", "1×", "4×", "2×", "4×"} { // whatever happens between two frames
			p.get("combobox", "Speed").choose(speed)
		}
		p.get("button", "Pause")
	})

	p.test("a long gap between two frames is not replayed", func() {
		at("0")
		p.get("button", "Play").click()
		p.expectPace(4, 1500, "for (const end = performance.now() + 1500; performance.now() < end;);")
	})

	p.test("Next event and Previous event pause", func() {
		for button, want := range map[string]int{"Next event": 16, "Previous event": 8} {
			p.enter("t=9&speed=0.5")
			p.get("button", "Play").click()
			p.get("button", "Pause")
			p.get("button", button).click()
			p.expectAt(opening, want)
			p.get("button", "Play")
		}
	})

	p.test("Restart rewinds and pauses", func() {
		at("24")
		p.get("button", "Restart").click()
		p.expectAt(opening, 0)
		p.get("button", "Play").click()
		p.waitFor("a second to pass", func() bool { return p.second() > 0 })
		p.get("button", "Restart").click()
		p.expectAt(opening, 0)
		p.get("button", "Play")
		p.expectStill()
	})

	p.test("the run ends by itself at sixty seconds, and Play starts it over", func() {
		at("57")
		p.get("button", "Play").click()
		p.waitFor("the end", func() bool { return p.second() == policy.Duration && len(p.all(nil, "button", "Play")) == 1 })
		p.expectAt(opening, 60)
		p.get("button", "Play").click()
		p.waitFor("the run to begin anew", func() bool { return p.second() > 0 && p.second() < 50 })
		p.get("button", "Pause").click()
		if n := p.second(); n > 50 {
			p.t.Errorf("Play at the end went on at %d s", n)
		}
	})

	p.test("the slider moves by keyboard", func() {
		at("24")
		slider := p.get("slider", "Inspection time")
		slider.focus()
		for _, step := range []struct {
			name, key string
			want      int
		}{
			{"right", kb.ArrowRight, 25}, {"up", kb.ArrowUp, 26}, {"left", kb.ArrowLeft, 25}, {"down", kb.ArrowDown, 24},
			{"End", kb.End, 60}, {"Home", kb.Home, 0},
		} {
			p.press(step.key)
			p.waitFor(step.name+" to move the slider", func() bool { return p.second() == step.want })
			p.expectAt(opening, step.want)
		}
		p.press(kb.PageUp)
		p.waitFor("Page Up to move on", func() bool { return p.second() > 1 })
		p.press(kb.PageDown)
		p.waitFor("Page Down to move back", func() bool { return p.second() == 0 })
	})

	p.test("the slider follows the mouse", func() {
		at("0")
		p.dragTo(0.5)
		if n := p.second(); n < 28 || n > 32 {
			p.t.Errorf("dragged to the middle, the slider stands at %d", n)
		}
		p.expectAt(opening, p.second())
		p.dragTo(1)
		p.expectAt(opening, 60)
	})

	p.test("who scrubs while it plays pauses it", func() {
		at("20")
		p.get("button", "Play").click()
		p.get("button", "Pause")
		p.get("slider", "Inspection time").focus()
		p.press(kb.Home)
		p.get("button", "Play")
		p.expectAt(opening, 0)
		p.get("button", "Play").click()
		p.get("button", "Pause")
		p.dragTo(0.5)
		p.get("button", "Play")
		p.expectStill()
	})

	p.test("a changed control rewinds and does not play", func() {
		for _, change := range []fixture.Change{{Key: "policy", Value: "allowlist"}, {Key: "force-dns", Value: "1"}} {
			at("30")
			p.get("button", "Play").click()
			p.get("button", "Pause")
			p.set(change)
			p.get("button", "Play")
			p.expectAt(opening.With(change), 0)
			p.expectTable(opening.With(change))
			p.expectStill()
		}
	})
}

// However a reader comes to a second, the page is the same there.
func TestReplayIsAFunctionOfTheSecond(t *testing.T) {
	p := open(t, serve(t, dist))
	picture := func() []string {
		// The status says how the reader came here, and the form of the picture
		// that nobody sees is not kept up.
		return p.outline(`document.getElementById("page")`, `(e) => !e.matches("[role=status], #tall")`)
	}
	p.drag("20")
	want := picture()
	for way, walk := range map[string]func(){
		"from below":         func() { p.drag("3"); p.drag("20") },
		"from above":         func() { p.drag("60"); p.drag("20") },
		"from its address":   func() { p.visit(p.address + "#t=20") },
		"after other things": func() { p.get("button", "Next event").click(); p.get("button", "Restart").click(); p.drag("20") },
	} {
		walk()
		p.waitFor("second 20", func() bool { return p.second() == 20 })
		if diff := cmp.Diff(want, picture()); diff != "" {
			t.Errorf("%s (-first +now):\n%s", way, diff)
		}
	}
}

// The latest event is marked, and its row keeps its place and its columns.
func TestLatestRowKeepsItsColumns(t *testing.T) {
	p := open(t, serve(t, dist))
	p.media("prefers-reduced-motion", "no-preference")
	// So laid out, one column too many takes its part of the width.
	p.eval(`document.getElementById("decisions").style.tableLayout = "fixed"`)
	for _, width := range []int64{1280, 400} {
		p.size(width, 900, 1)
		cells := func() []string {
			return evalTo[[]string](p, `[...document.querySelectorAll("#decisions tbody tr > *")].map((c) => {
				const r = c.getBoundingClientRect();
				return [r.left, r.top + scrollY, r.width, r.height].map(Math.round).join();
			}).concat(String(document.getElementById("decisions").scrollWidth))`)
		}
		p.get("button", "Restart").js("this.click()")
		before := cells()
		p.get("button", "Next event").js("this.click()")
		p.waitUntil("the first event", `document.querySelector("#decisions tr.latest") !== null`)
		if diff := cmp.Diff(before, cells()); diff != "" {
			t.Errorf("%d px (-before +after the first event):\n%s", width, diff)
		}
	}
}

// What moves by itself between two events moves at the clock's pace, through
// another speed, and stands where the clock does.
func TestMovement(t *testing.T) {
	p := open(t, serve(t, dist))
	// moved returns the seconds that the slider's way has covered, and the way of
	// the dot in percent of the picture, 0 where there is none.
	moved := func() [2]float64 {
		return evalTo[[2]float64](p, `(() => {
			const way = new DOMMatrix(getComputedStyle(document.getElementById("way")).transform).a;
			const dot = document.getElementById("dot-wide");
			if (getComputedStyle(dot).visibility === "hidden") return [60 * way, 0];
			return [60 * way, 100 * new DOMMatrix(getComputedStyle(dot).transform).e / dot.offsetWidth];
		})()`)
	}
	// pace returns how many seconds a second the slider's way goes.
	pace := func() float64 {
		ends := evalTo[[2]float64](p, `(async () => {
			const at = () => [performance.now(), new DOMMatrix(getComputedStyle(document.getElementById("way")).transform).a];
			const [begun, from] = at();
			await new Promise((r) => setTimeout(r, 1000));
			const [ended, to] = at();
			return [60 * (to - from), (ended - begun) / 1000];
		})()`)
		return ends[0] / ends[1]
	}
	p.enter("t=4&speed=1")
	if got, want := moved()[0], 4.0; math.Abs(got-want) > 0.1 {
		t.Errorf("before Play the way is at %.2f s, want %v", got, want)
	}
	from := moved()[1]
	p.get("button", "Play").click()
	p.get("button", "Pause")
	for _, speed := range []float64{1, 2} {
		p.get("combobox", "Speed").choose(fixture.FormatSpeed(speed) + "×")
		if got := pace(); math.Abs(got-speed) > 0.3*speed {
			t.Errorf("at %v× the way covers %.2f s a second", speed, got)
		}
	}
	p.get("button", "Pause").click()
	p.get("button", "Play")
	stands := moved()
	if got, second := stands[0], float64(p.second()); got < second-0.1 || got > second+1.1 {
		t.Errorf("paused, the way is at %.2f s and the clock at %v s", got, second)
	}
	if p.second() < 8 && stands[1] <= from {
		t.Errorf("the dot went from %.1f to %.1f percent", from, stands[1])
	}
	if got := pace(); math.Abs(got) > 0.01 {
		t.Errorf("paused, the way covers %.2f s a second", got)
	}
	p.enter("t=8&speed=1")
	if got := moved()[1]; got != 0 {
		t.Errorf("after the event the dot is at %.1f percent", got)
	}
}

// enter goes to a state, given as in the page's address.
func (p *page) enter(fragment string) {
	p.t.Helper()
	state, problems := fixture.ParseAddress("", fragment)
	if len(problems) > 0 {
		p.t.Fatal(problems)
	}
	p.eval("location.hash = " + strconv.Quote(fragment))
	p.waitFor("the page to follow its address", func() bool {
		return p.second() == state.Second && len(p.all(nil, "button", "Play")) == 1
	})
}

// frames resolves after some frames have been painted.
const frames = `new Promise((done) => { let n = 6; (function f() { n-- ? requestAnimationFrame(f) : done(); })(); })`

// expectStill checks that the replay does not move.
func (p *page) expectStill() {
	p.t.Helper()
	before := p.second()
	p.eval(frames)
	if after := p.second(); after != before {
		p.t.Errorf("the replay moves from %d to %d", before, after)
	}
}

// expectPace watches a playing replay and runs some JavaScript meanwhile. It
// takes the time from the page's own frames, so that a slow machine, whose
// long gaps the clock leaves out, gives the same.
func (p *page) expectPace(speed float64, milliseconds int, meanwhile string) {
	p.t.Helper()
	r := evalTo[struct{ From, To, Moved, Gap float64 }](p, fmt.Sprintf(`new Promise((done) => {
		const slider = document.querySelector("input[type=range]");
		let from, first, last, moved = 0, gap = 0;
		requestAnimationFrame(function frame(now) {
			if (first === undefined) {
				first = now;
				from = slider.valueAsNumber;
				setTimeout(() => { %s }, 100);
			} else {
				if (now - last <= 500) moved += now - last;
				gap = Math.max(gap, now - last);
			}
			last = now;
			if (moved < %d) requestAnimationFrame(frame);
			else done({From: from, To: slider.valueAsNumber, Moved: moved / 1000, Gap: gap});
		});
	})`, meanwhile, milliseconds))
	if meanwhile != "" && r.Gap <= 500 {
		p.t.Fatalf("no gap to speak of: %v ms", r.Gap)
	}
	// The slider shows whole seconds, and its frame callback may run before
	// or after this one. With a gap goes what had passed since the last tick.
	limit := 1.3
	if meanwhile != "" {
		limit += speed / 4
	}
	if moved, want := r.To-r.From, r.Moved*speed; math.Abs(moved-want) > limit {
		p.t.Errorf("at %v× the replay moved by %v in %v s", speed, moved, r.Moved)
	}
}

// dragTo drags the slider's thumb to a share of its way with the mouse.
func (p *page) dragTo(share float64) {
	p.t.Helper()
	slider := p.get("slider", "Inspection time")
	call(p, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: slider.id})
	box := slider.js("const r = this.getBoundingClientRect(); return [r.left, r.top + r.height / 2, r.width]").([]any)
	left, y, width := box[0].(float64), box[1].(float64), box[2].(float64)
	thumb := evalTo[float64](p, `parseFloat(getComputedStyle(document.documentElement).fontSize) * 1.125`)
	place := func(share float64) float64 { return left + thumb/2 + share*(width-thumb) }
	from := place(float64(p.second()) / policy.Duration)
	p.do(
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, from, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, place(share/2), y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, place(share), y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, place(share), y, chromedp.ButtonLeft),
	)
	want := int(math.Round(share * policy.Duration))
	p.waitFor("the slider to come to "+strconv.Itoa(want), func() bool { return math.Abs(float64(p.second()-want)) <= 2 })
}
