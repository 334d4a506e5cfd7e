package browser_test

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/google/go-cmp/cmp"

	"sixways/app"
	"sixways/fixture"
)

// Without JavaScript the whole page can be read, with the opening run, and
// says why its controls are off.
func TestWithoutJavaScript(t *testing.T) {
	p := blank(t, serve(t, dist))
	call(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	p.load(p.address)
	p.expectReadable()
	if text := p.get("region", "Your experiment").text(); !strings.Contains(text, "Without JavaScript they stay off") {
		t.Errorf("the experiment does not say why its controls are off: %q", text)
	}
}

// expectReadable checks the page as it is before, or without, WebAssembly.
func (p *page) expectReadable() {
	p.t.Helper()
	if diff := cmp.Diff(regions(), p.names("region")); diff != "" {
		p.t.Errorf("regions (-want +got):\n%s", diff)
	}
	p.expectTable(fixture.Opening())
	want := map[string]string{"Unwanted egress": "5", "Needed destinations reached": "1", "Attempts blocked": "0", "Containment": "Leaking", "Task": "Works"}
	if diff := cmp.Diff(want, p.metrics()); diff != "" {
		p.t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if text := p.bodyText(); !strings.Contains(text, app.Outcome(fixture.Run(fixture.Opening()).Metrics())) {
		p.t.Error("the outcome of the opening run is not shown")
	}
	if got := p.controls(); got != fixture.Opening() {
		p.t.Errorf("the controls stand at %v", got)
	}
	if on := evalTo[[]string](p, `[...document.querySelectorAll("#page :is(input, select, button):enabled")].map(e => e.outerHTML)`); len(on) > 0 {
		p.t.Errorf("these controls are enabled and do nothing: %q", on)
	}
	if n := evalTo[int](p, `document.querySelectorAll("#page :is(input, select, button):disabled").length`); n < 11 {
		p.t.Errorf("%d controls, want 11 or more", n)
	}
	// Wherever the reader looks there is the page, and nothing on top of it.
	if over := evalTo[[]string](p, `[0.1, 0.3, 0.5, 0.7, 0.9].flatMap(x => [0.1, 0.3, 0.5, 0.7, 0.9].map(y => document.elementFromPoint(x * innerWidth, y * innerHeight)))
		.filter(e => e && !e.closest("#page") && e !== document.body && e !== document.documentElement).map(e => e.outerHTML)`); len(over) > 0 {
		p.t.Errorf("on top of the page: %q", over)
	}
}

// While WebAssembly loads the page can be read and says truly how far it is;
// when WebAssembly takes over, nothing that the reader has is lost.
func TestTakeOver(t *testing.T) {
	held := hold(t, "app.wasm.gz")
	p := blank(t, serve(t, dist, held.wrap))
	p.load(p.address + "#policy=allowlist&t=24")
	status := func() string { return p.node(`document.getElementById("boot-status")`).text() }

	for _, percent := range []int{5, 25, 60} {
		held.sendUpTo(percent)
		p.waitFor("the status to say how much has come", func() bool {
			digits := strings.Map(func(r rune) rune {
				if r < '0' || r > '9' {
					return -1
				}
				return r
			}, status())
			n, err := strconv.Atoi(digits)
			return err == nil && n >= percent-1 && n <= percent
		})
	}
	p.expectReadable()

	p.test("the skip link keeps the state that WebAssembly will read", func() {
		address := p.hash()
		p.get("link", "Skip to the experiment").focus()
		p.press("\r")
		if got := p.hash(); got != address {
			p.t.Errorf("the address went from %s to %s", address, got)
		}
	})

	p.eval("scrollTo(0, 300)")
	held.sendUpTo(100)
	p.waitLive()
	p.waitForSettings(fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"}))
	if got := name(p.focused().ax()); got != "Your experiment" {
		t.Errorf("the focus went from the experiment to %q", got)
	}
	if got := p.eval("scrollY"); got != 300.0 {
		t.Errorf("the page scrolled from 300 to %v", got)
	}
	if got := status(); !strings.HasPrefix(got, "Ready") {
		t.Errorf("the status says %q", got)
	}
}

// held is a file of the site that a server sends piece by piece.
type held struct {
	name  string
	bytes []byte
	mu    sync.Mutex
	more  *sync.Cond
	upTo  int
}

func hold(t *testing.T, name string) *held {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dist, name))
	if err != nil {
		t.Fatal(err)
	}
	h := &held{name: name, bytes: b}
	h.more = sync.NewCond(&h.mu)
	return h
}

func (h *held) sendUpTo(percent int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.upTo = len(h.bytes) * percent / 100
	h.more.Broadcast()
}

func (h *held) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/"+h.name) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/gzip")
		w.Header().Set("Content-Length", strconv.Itoa(len(h.bytes)))
		w.WriteHeader(http.StatusOK)
		out := http.NewResponseController(w)
		context.AfterFunc(r.Context(), h.more.Broadcast)
		for sent := 0; ; {
			if err := out.Flush(); err != nil || sent == len(h.bytes) {
				return
			}
			h.mu.Lock()
			for h.upTo <= sent && r.Context().Err() == nil {
				h.more.Wait()
			}
			upTo := h.upTo
			h.mu.Unlock()
			if r.Context().Err() != nil {
				return
			}
			n, err := bytes.NewReader(h.bytes[sent:upTo]).WriteTo(w)
			if err != nil {
				return
			}
			sent += int(n)
		}
	})
}

// WebAssembly builds the very tree that the reader already has, so that
// nothing moves and nothing is read twice.
func TestPrerenderedTreeIsTheLiveTree(t *testing.T) {
	p := open(t, serve(t, dist))
	p.eval(`(async () => { window.parsed = new DOMParser().parseFromString(await (await fetch("./")).text(), "text/html") })()`)
	// The boot script and the replay own these; being off is the one thing
	// that the two trees are to differ in.
	include := `(e) => {
		e.removeAttribute("disabled");
		e.removeAttribute("aria-valuetext");
		if (e.id === "boot-status") e.replaceChildren();
		if (["way", "dot-wide", "dot-tall"].includes(e.id)) e.removeAttribute("style");
		return true;
	}`
	before := p.outline(`parsed.getElementById("page")`, include)
	after := p.outline(`document.getElementById("page")`, include)
	if len(before) < 200 {
		t.Fatalf("the pre-rendered page has %d lines", len(before))
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("tree (-prerendered +live):\n%s", diff)
	}
}

// Nothing moves while the page loads, comes alive and runs.
func TestNothingShifts(t *testing.T) {
	for _, width := range []int64{1280, 768, 320} {
		held := hold(t, "app.wasm.gz")
		p := blank(t, serve(t, dist, held.wrap))
		p.size(width, 900, 1)
		p.load(p.address)
		held.sendUpTo(50)
		p.waitFor("the progress to show", func() bool {
			return strings.Contains(p.node(`document.getElementById("boot-status")`).text(), " %")
		})
		p.waitUntil("all of the page to be laid out", `!("boot" in document.documentElement.dataset)`)
		p.eval(frames)
		height := p.eval("document.documentElement.scrollHeight")
		held.sendUpTo(100)
		p.waitLive()
		p.eval(frames)
		if shifts := p.shifts(); len(shifts) > 0 {
			t.Errorf("%d px: these move: %q", width, shifts)
		}
		if got := p.eval("document.documentElement.scrollHeight"); got != height {
			t.Errorf("%d px: the page's height goes from %v to %v when it comes alive", width, height, got)
		}
		for range 7 {
			p.get("button", "Next event").js("this.click()")
			p.eval(frames)
		}
		for _, shift := range p.shifts() {
			// A figure that gets longer moves its own left edge.
			if shift >= "0.0005" {
				t.Errorf("%d px: during the run these move: %s", width, shift)
			}
		}
	}
}

// shifts are the layout shifts so far, each by its weight and what moved.
func (p *page) shifts() []string {
	p.t.Helper()
	return evalTo[[]string](p, `new Promise((done) => {
		const seen = [];
		const note = (list) => list.getEntries().forEach((e) => seen.push(e.value.toFixed(4) + " " +
			e.sources.map((s) => (s.node?.outerHTML ?? s.node?.data ?? "?").slice(0, 80) + " " + JSON.stringify([s.previousRect, s.currentRect])).join("; ")));
		const watch = new PerformanceObserver(note);
		watch.observe({type: "layout-shift", buffered: true});
		setTimeout(() => { note({getEntries: () => watch.takeRecords()}); done(seen); }, 100);
	})`)
}
