package engines_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
	"sixways/policy"
)

// scenario is what a reader does, in any engine.
type scenario struct {
	name string
	run  func(*page)
}

var scenarios = []scenario{
	{"the walk-through's claims", claims},
	{"the replay", replay},
	{"the slider over 30 loads", slider},
	{"controls after a reload", reloaded},
	{"a sandboxed frame", sandboxed},
	{"the single file from file://", single},
	{"offline", offline},
}

// claims does what the walk-through says, claim by claim.
func claims(p *page) {
	p.visit(p.serve().URL + base)
	for _, step := range fixture.WalkThrough() {
		for _, claim := range step.Claims {
			p.setTo(claim.Settings())
			p.waitFor("the page to follow the controls", func() bool {
				return p.metrics()["Unwanted egress"] == strconv.Itoa(claim.Unwanted)
			})
			if diff := cmp.Diff(claim.Blocked, p.blocked()); diff != "" {
				p.t.Errorf("%s, %v: blocked destinations (-want +got):\n%s", step.ID, claim.Settings(), diff)
			}
			if diff := cmp.Diff(metricsOf(claim.Settings()), p.metrics()); diff != "" {
				p.t.Errorf("%s, %v: metrics (-want +got):\n%s", step.ID, claim.Settings(), diff)
			}
		}
	}
}

// replay steps, plays, pauses, scrubs and rewinds.
func replay(p *page) {
	p.visit(p.serve().URL + base)
	s := fixture.Opening()
	p.expectAt(s, 0)
	for i := range fixture.Run(s).Events() {
		p.click("button", "Next event")
		p.expectAt(s, fixture.Run(s).EventAt(i))
	}
	p.click("button", "Restart")
	p.expectAt(s, 0)

	p.choose("Speed", "4×")
	p.click("button", "Play")
	p.waitFor("the replay to move", func() bool { return p.second() >= 2 })
	p.click("button", "Pause")
	p.get("button", "Play")
	still := p.second()
	p.do(`function() { return new Promise((done) => { let n = 6; (function f() { n-- ? requestAnimationFrame(f) : done(); })(); }) }`)
	if now := p.second(); now != still {
		p.t.Errorf("paused, the replay moves from %d to %d", still, now)
	}

	for _, step := range []struct {
		key  key
		want int
	}{{home, 0}, {arrowRight, 1}, {end, policy.Duration}} {
		p.press("slider", "Inspection time", step.key)
		p.expectAt(s, step.want)
	}
	p.click("button", "Play")
	p.waitFor("Play at the end to start over", func() bool { n := p.second(); return n > 0 && n < 50 })
	p.set(fixture.Change{Key: fixture.PolicyKey, Value: "deny-all"})
	p.get("button", "Play")
	p.expectAt(s.With(fixture.Change{Key: fixture.PolicyKey, Value: "deny-all"}), 0)
}

// slider loads the page again and again at a second that it must show.
func slider(p *page) {
	address := p.serve().URL + base
	for i := range 30 {
		second := 7 + i
		p.visit(fmt.Sprintf("%s#t=%d", address, second))
		if got := p.second(); got != second {
			p.t.Errorf("load %d: the slider stands at %d, want %d", i+1, got, second)
		}
	}
}

// reloaded loads the page again whose address carries no state. An engine may
// give a control back the value that it had.
func reloaded(p *page) {
	p.visit(p.serve().URL + base + "?embed=1")
	s := fixture.Opening()
	p.set(fixture.Change{Key: fixture.PolicyKey, Value: "deny-all"})
	p.set(fixture.Change{Key: "force-dns", Value: "1"})
	p.choose("Speed", "4×")
	p.press("slider", "Inspection time", end)
	p.expectAt(s.With(fixture.Change{Key: fixture.PolicyKey, Value: "deny-all"}).With(fixture.Change{Key: "force-dns", Value: "1"}), policy.Duration)
	p.do(`function() { window.left = true; setTimeout(() => location.reload()) }`)
	clear(p.known)
	p.waitFor("the page to come again", func() bool {
		again, err := p.tab.call(`function() { return !window.left && document.readyState === "complete" && document.documentElement.hasAttribute("data-live") }`, nil)
		return err == nil && string(again) == "true" // between two documents there is nobody to ask
	})
	p.expectAt(s, 0)
	if got := p.controls(); got != s {
		p.t.Errorf("the controls show %v, want %v", got, s)
	}
	if got := callOn[string](p, p.get("combobox", "Speed"), `function() { return this.selectedOptions[0].label }`); got != "1×" {
		p.t.Errorf("the speed shows %s, want 1×", got)
	}
}

// sandboxed runs the page in a frame that may run scripts and nothing else.
func sandboxed(p *page) {
	f := p.inSandbox()
	f.waitLive()
	s := fixture.Opening().With(fixture.Change{Key: fixture.PolicyKey, Value: "allowlist"})
	f.expectAt(s, 8)
	f.call("button", "Next event", `function() { this.click() }`)
	f.expectAt(s, 16)
	f.call("checkbox", "Force DNS through the policy resolver", `function() { this.click() }`)
	f.expectAt(s.With(fixture.Change{Key: "force-dns", Value: "1"}), 0)
}

// sandboxedToRead is what remains of the page in such a frame where its scripts
// are refused: the opening run.
func sandboxedToRead(p *page) {
	f := p.inSandbox()
	f.waitFor("the frame to be loaded", func() bool {
		return evaluate[bool](f, `function() { return document.readyState === "complete" && document.getElementById("metrics") !== null }`)
	})
	if evaluate[bool](f, `function() { return "sixwaysPatch" in window }`) {
		p.t.Error("the boot script runs in a sandboxed frame: this engine can do it by now")
	}
	if diff := cmp.Diff(metricsOf(fixture.Opening()), f.metrics()); diff != "" {
		p.t.Errorf("the metrics to be read (-want +got):\n%s", diff)
	}
}

// inSandbox opens the page in a sandboxed frame, and returns the frame.
func (p *page) inSandbox() *page {
	p.t.Helper()
	address := p.serve().URL + base
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>host</title><iframe sandbox="allow-scripts" width="1200" height="800" src="%s#policy=allowlist&amp;t=8"></iframe>`, address)
	}))
	p.t.Cleanup(host.Close)
	if err := p.tab.visit(host.URL); err != nil {
		p.t.Fatal(err)
	}
	frame, err := p.tab.frame()
	if err != nil {
		p.t.Fatal(err)
	}
	f := newPage(p.t, frame)
	if origin := evaluate[string](f, `function() { return origin }`); origin != "null" {
		p.t.Fatalf("the frame has the origin %s: it is not sandboxed", origin)
	}
	return f
}

// single opens the page that is one file, by no server.
func single(p *page) {
	p.visit("file://" + filepath.ToSlash(filepath.Join(dist, "sixways.html")) + "#policy=allowlist&t=8")
	s := fixture.Opening().With(fixture.Change{Key: fixture.PolicyKey, Value: "allowlist"})
	p.expectAt(s, 8)
	p.click("button", "Next event")
	p.expectAt(s, 16)
	p.set(fixture.Change{Key: "force-dns", Value: "1"})
	p.expectAt(s.With(fixture.Change{Key: "force-dns", Value: "1"}), 0)
}

// offline comes back when the server is gone.
func offline(p *page) {
	server := p.serve()
	address := server.URL + base
	p.visit(address)
	p.waitFor("the page to be kept", func() bool {
		return evaluate[bool](p, `function() { return navigator.serviceWorker?.getRegistration().then((r) => r?.active?.state === "activated") ?? false }`)
	})
	server.CloseClientConnections()
	server.Close()
	if got := evaluate[string](p, `function() { return fetch("robots.txt", {cache: "no-store"}).then(() => "answered", () => "gone") }`); got != "gone" {
		p.t.Fatal("the server is still there")
	}
	p.visit(address + "#policy=allowlist")
	s := fixture.Opening().With(fixture.Change{Key: fixture.PolicyKey, Value: "allowlist"})
	p.expectAt(s, 0)
	p.click("button", "Next event")
	p.expectAt(s, 8)
}

// page is a tab with the simulator. Its methods fail the test.
type page struct {
	t   *testing.T
	tab tab
	// known are elements of the present document that were found before: an
	// engine may take seconds to ask every element for its role and name.
	known map[string]element
}

func newPage(t *testing.T, tab tab) *page { return &page{t, tab, map[string]element{}} }

// patience is how long a test waits for the page to reach a state.
const patience = time.Minute

func (p *page) waitFor(what string, holds func() bool) {
	p.t.Helper()
	for limit := time.Now().Add(patience); time.Now().Before(limit); time.Sleep(30 * time.Millisecond) {
		if holds() {
			return
		}
	}
	p.t.Fatalf("waited %v in vain for %s", patience, what)
}

// visit goes to an address as a new document and waits for live controls.
func (p *page) visit(address string) {
	p.t.Helper()
	if err := p.tab.visit(address); err != nil {
		p.t.Fatal(err)
	}
	p.waitLive()
	clear(p.known)
}

func (p *page) waitLive() {
	p.t.Helper()
	p.waitFor("the controls to be live", func() bool {
		return evaluate[bool](p, `function() { return document.documentElement.hasAttribute("data-live") }`)
	})
}

func (p *page) do(function string) { p.t.Helper(); evaluate[any](p, function) }

// evaluate calls a function in the page and returns its value.
func evaluate[T any](p *page, function string) T {
	p.t.Helper()
	return callOn[T](p, nil, function)
}

func callOn[T any](p *page, this element, function string) T {
	p.t.Helper()
	var value T
	raw, err := p.tab.call(function, this)
	if err == nil {
		err = json.Unmarshal(raw, &value)
	}
	if err != nil {
		p.t.Fatalf("%v, in %s", err, function)
	}
	return value
}

// get waits for the one element with a role and name.
func (p *page) get(role, name string) element {
	p.t.Helper()
	if e, ok := p.known[role+name]; ok {
		return e
	}
	var found []element
	p.waitFor(fmt.Sprintf("one %s %q", role, name), func() bool {
		var err error
		if found, err = p.tab.find(role, name); err != nil {
			p.t.Fatal(err)
		}
		return len(found) == 1
	})
	// Play is not always called so.
	if role != "button" {
		p.known[role+name] = found[0]
	}
	return found[0]
}

func (p *page) click(role, name string) {
	p.t.Helper()
	if err := p.tab.click(p.get(role, name)); err != nil {
		p.t.Fatalf("%s %q: %v", role, name, err)
	}
}

func (p *page) press(role, name string, k key) {
	p.t.Helper()
	if err := p.tab.press(p.get(role, name), k); err != nil {
		p.t.Fatalf("%s %q: %v", role, name, err)
	}
}

// call calls a function with an element as this.
func (p *page) call(role, name, function string) {
	p.t.Helper()
	callOn[any](p, p.get(role, name), function)
}

func (p *page) choose(name, label string) {
	p.t.Helper()
	e := p.get("combobox", name)
	labels := callOn[[]string](p, e, `function() { return [...this.options].map((o) => o.label) }`)
	index := slices.Index(labels, label)
	if index < 0 {
		p.t.Fatalf("%s has no option %q but %q", name, label, labels)
	}
	if err := p.tab.choose(e, index); err != nil {
		p.t.Fatalf("%s: %v", name, err)
	}
}

// set gives one control a value, by hand.
func (p *page) set(c fixture.Change) {
	p.t.Helper()
	s := fixture.Opening().With(c)
	if c.Key == fixture.PolicyKey {
		p.choose(fixture.PolicyLabel, s.Policy.Label())
		return
	}
	for _, sw := range fixture.Switches() {
		if sw.Key == c.Key && callOn[bool](p, p.get("checkbox", sw.Label), `function() { return this.checked }`) != *sw.Of(&s) {
			p.click("checkbox", sw.Label)
		}
	}
}

// controls returns what the controls show.
func (p *page) controls() fixture.Settings {
	p.t.Helper()
	var s fixture.Settings
	if err := s.Set(fixture.PolicyKey, callOn[string](p, p.get("combobox", fixture.PolicyLabel), `function() { return this.value }`)); err != nil {
		p.t.Fatal(err)
	}
	for _, sw := range fixture.Switches() {
		*sw.Of(&s) = callOn[bool](p, p.get("checkbox", sw.Label), `function() { return this.checked }`)
	}
	return s
}

// setTo moves the controls that differ from the settings, by hand.
func (p *page) setTo(want fixture.Settings) {
	p.t.Helper()
	for _, change := range p.controls().Difference(want) {
		p.set(change)
	}
}

func (p *page) second() int {
	p.t.Helper()
	return callOn[int](p, p.get("slider", "Inspection time"), `function() { return this.valueAsNumber }`)
}

// metrics are the terms and values of the description list.
func (p *page) metrics() map[string]string {
	p.t.Helper()
	return evaluate[map[string]string](p, `function() {
		return Object.fromEntries([...document.querySelectorAll("#metrics dt")].map((dt) => [dt.innerText, dt.nextElementSibling.innerText]));
	}`)
}

func metricsOf(s fixture.Settings) map[string]string {
	m := fixture.Run(s).Metrics()
	return map[string]string{
		"Unwanted egress":             strconv.Itoa(m.Unwanted),
		"Needed destinations reached": strconv.Itoa(m.NeededAllowed),
		"Attempts blocked":            strconv.Itoa(m.Blocked),
		"Containment":                 map[bool]string{true: "Contained", false: "Leaking"}[m.Contained],
		"Task":                        map[bool]string{true: "Works", false: "Fails"}[m.TaskWorks],
	}
}

// blocked lists the destinations whose row says that they are blocked.
func (p *page) blocked() []string {
	p.t.Helper()
	rows := callOn[[][]string](p, p.get("table", "Computed data"), `function() {
		return [...this.tBodies].flatMap((b) => [...b.rows]).map((r) => [...r.cells].map((c) => c.innerText.trim()));
	}`)
	var blocked []string
	for _, row := range rows {
		if row[2] == "Blocked" {
			blocked = append(blocked, strings.Fields(row[0])[0])
		}
	}
	return blocked
}

// expectAt checks the page at a second of the run against the engine.
func (p *page) expectAt(s fixture.Settings, second int) {
	p.t.Helper()
	seen := fixture.Run(s).Seen(float64(second))
	var at, events int
	p.waitFor(fmt.Sprintf("%d events under %v at %d s", seen, s, second), func() bool {
		at = p.second()
		events = evaluate[int](p, `function() { return document.querySelectorAll("#trace ol:not([aria-hidden]) > li").length }`)
		return at == second && events == seen
	})
	if diff := cmp.Diff(metricsOf(s), p.metrics()); diff != "" {
		p.t.Errorf("metrics under %v (-want +got):\n%s", s, diff)
	}
}
