package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take for anything.
const patience = 90 * time.Second

func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no chromium, chromium-browser or google-chrome; .ci/install installs one")
}

func browserVersion(ctx context.Context, browser string) (string, error) {
	out, err := exec.CommandContext(ctx, browser, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", browser, err)
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(out)), " built on")
	return name, nil
}

// flags are what a browser needs that root starts, and what keeps it from
// asking anybody but us.
var flags = []string{
	"headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run",
	"disable-background-networking", "disable-component-update", "disable-sync",
}

// settling is how long a browser is busy with its own start. Until then a page
// loads half as fast, and its first frame may come a second late.
const settling = 2 * time.Second

// newTab starts a browser with a new profile, where nothing is cached and no
// worker is installed, and waits until it has settled. The cancel function ends
// it, also after an error.
func newTab(ctx context.Context, browser string, more ...chromedp.ExecAllocatorOption) (context.Context, context.CancelFunc, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.WindowSize(1280, 900))
	for _, f := range flags {
		options = append(options, chromedp.Flag(f, true))
	}
	ctx, cancelTime := context.WithTimeout(ctx, patience)
	ctx, cancelBrowser := chromedp.NewExecAllocator(ctx, append(options, more...)...)
	ctx, cancelTab := chromedp.NewContext(ctx)
	err := chromedp.Do(ctx) // starts it
	if err == nil {
		err = pause(ctx, settling)
	}
	return ctx, func() {
		cancelTab()
		cancelBrowser()
		cancelTime()
	}, err
}

// A page is usable when this holds in it.
const (
	oursUsable  = `document.querySelector("button.primary:enabled") !== null`
	helloUsable = `document.documentElement.hasAttribute("data-live")`
)

// visit opens an address and returns how many milliseconds after the
// navigation the page became usable.
func visit(ctx context.Context, address, usable string) (float64, error) {
	watch := page.AddScriptToEvaluateOnNewDocumentParams{Source: `(() => {
		const observer = new MutationObserver(() => {
			if (!(` + usable + `)) return;
			observer.disconnect();
			window.usableAt = performance.now();
		});
		observer.observe(document, { subtree: true, childList: true, attributes: true });
	})()`}
	if _, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, watch); err != nil {
		return 0, err
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		return 0, err
	}
	for {
		at, err := chromedp.Run(ctx, chromedp.Evaluate[float64](`window.usableAt ?? 0`))
		if err != nil || at > 0 {
			return at, err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return 0, fmt.Errorf("%s never became usable: %w", address, err)
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// coldLoad visits an address with a browser that has never seen it.
func coldLoad(ctx context.Context, browser, address, usable string) (float64, error) {
	ctx, cancel, err := newTab(ctx, browser)
	defer cancel()
	if err != nil {
		return 0, err
	}
	return visit(ctx, address, usable)
}

// firstVisit returns how many bytes a first visit fetches in all, what a
// service worker lays in for later included.
func firstVisit(ctx context.Context, browser string, s *website, usable string) (int, error) {
	ctx, cancel, err := newTab(ctx, browser)
	defer cancel()
	if err != nil {
		return 0, err
	}
	before := s.sent.Load()
	if _, err := visit(ctx, s.URL, usable); err != nil {
		return 0, err
	}
	const quiet = 3 * time.Second
	for last := int64(-1); last != s.sent.Load(); {
		last = s.sent.Load()
		if err := pause(ctx, quiet); err != nil {
			return 0, err
		}
	}
	return int(s.sent.Load() - before), nil
}

// slowTab opens a page, and makes the CPU slower by a factor.
func slowTab(ctx context.Context, browser, address, usable string, slower float64) (context.Context, context.CancelFunc, error) {
	ctx, cancel, err := newTab(ctx, browser)
	if err == nil {
		_, err = visit(ctx, address, usable)
	}
	if err == nil {
		err = pause(ctx, 2*time.Second) // the worker installs itself meanwhile
	}
	if err == nil {
		_, err = chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: slower})
	}
	return ctx, cancel, err
}

//go:embed toggle.js
var toggleScript string

// toggles returns the milliseconds from a click on a checkbox to the painted
// frame in which what it changes has changed, for each of n clicks.
func toggles(ctx context.Context, browser string, s *website, usable, checkbox, changes string, slower float64, n int) ([]float64, error) {
	ctx, cancel, err := slowTab(ctx, browser, s.URL, usable, slower)
	defer cancel()
	if err == nil {
		err = chromedp.Do(ctx, chromedp.Func(evaluate(toggleScript)))
	}
	if err != nil {
		return nil, err
	}
	var all []float64
	for range n {
		err := chromedp.Do(ctx,
			chromedp.Func(evaluate(fmt.Sprintf("watch(%q, %q)", checkbox, changes))),
			chromedp.Click(chromedp.CSS(checkbox)),
		)
		if err != nil {
			return nil, err
		}
		ms, err := chromedp.Run(ctx, chromedp.Evaluate[float64](`window.painted`, chromedp.EvalAwaitPromise))
		if err != nil {
			return nil, err
		}
		all = append(all, ms)
		if err := pause(ctx, 300*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func evaluate(script string) func(context.Context, *chromedp.Target) error {
	return func(ctx context.Context, t *chromedp.Target) error {
		_, err := chromedp.Evaluate[any](script+"; undefined")(ctx, t)
		return err
	}
}

//go:embed play.js
var playScript string

// playing is what fifteen seconds of movement cost a page.
type playing struct {
	// Longest is the longest task of the page's main thread, in milliseconds.
	longest float64
	// smooth is the share of gaps between frames under 20 ms.
	smooth float64
	frames int
}

// play measures a whole replay at the highest speed.
func play(ctx context.Context, browser string, s *website, slower float64) (playing, error) {
	ctx, cancel, err := slowTab(ctx, browser, s.URL+"/#speed=4", oursUsable, slower)
	defer cancel()
	if err != nil {
		return playing{}, err
	}
	return record(ctx, "replay()", chromedp.Click(chromedp.CSS("button.primary")))
}

// tick measures a clock alone, in hello world.
func tick(ctx context.Context, browser string, s *website, slower float64) (playing, error) {
	ctx, cancel, err := slowTab(ctx, browser, s.URL, helloUsable, slower)
	defer cancel()
	if err != nil {
		return playing{}, err
	}
	return record(ctx, "ticks()")
}

// record measures what a function of play.js watches, after some actions.
func record(ctx context.Context, watched string, before ...chromedp.Action[chromedp.Void]) (playing, error) {
	trace, err := startTrace(ctx)
	if err != nil {
		return playing{}, err
	}
	if err := chromedp.Do(ctx, append(before, chromedp.Func(evaluate(playScript)))...); err != nil {
		return playing{}, err
	}
	gaps, err := chromedp.Run(ctx, chromedp.Evaluate[[]float64](watched, chromedp.EvalAwaitPromise))
	if err != nil {
		return playing{}, err
	}
	if len(gaps) < 100 {
		return playing{}, fmt.Errorf("%s painted %d frames only", watched, len(gaps))
	}
	longest, err := trace.longestTask(ctx)
	if err != nil {
		return playing{}, err
	}
	return playing{longest: longest, smooth: shareBelow(gaps, 20), frames: len(gaps)}, nil
}

func shareBelow(values []float64, limit float64) float64 {
	n := 0
	for _, v := range values {
		if v < limit {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

// trace collects what the browser notes of its own work.
type trace struct {
	events []traceEvent
	done   chan error
}

// traceEvent is the part of Chromium's trace format that is used here; times
// are in microseconds.
type traceEvent struct {
	Name    string  `json:"name"`
	Process int     `json:"pid"`
	Thread  int     `json:"tid"`
	Start   float64 `json:"ts"`
	Length  float64 `json:"dur"`
}

func startTrace(ctx context.Context) (*trace, error) {
	t := &trace{done: make(chan error, 1)}
	if err := chromedp.Listen(ctx, t.listen); err != nil {
		return nil, err
	}
	_, err := chromedp.Call(ctx, tracing.Start, tracing.StartParams{
		TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{
			"disabled-by-default-devtools.timeline", "blink.user_timing",
		}, ExcludedCategories: []string{"*"}},
	})
	return t, err
}

func (t *trace) listen(event any) {
	switch e := event.(type) {
	case *tracing.EventDataCollected:
		for _, v := range e.Value {
			var one traceEvent
			if err := json.Unmarshal(v, &one); err != nil {
				t.done <- err
				return
			}
			t.events = append(t.events, one)
		}
	case *tracing.EventTracingComplete:
		t.done <- nil
	}
}

// longestTask ends the trace and returns the longest task of the page's main
// thread between the marks that play.js sets, in milliseconds.
func (t *trace) longestTask(ctx context.Context) (float64, error) {
	if _, err := chromedp.Call(ctx, tracing.End, cdp.Empty{}); err != nil {
		return 0, err
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case err := <-t.done:
		if err != nil {
			return 0, err
		}
	}
	return longestTask(t.events)
}

func longestTask(events []traceEvent) (float64, error) {
	marks := map[string]traceEvent{}
	for _, e := range events {
		if e.Name == "replay-starts" || e.Name == "replay-ends" {
			marks[e.Name] = e
		}
	}
	from, to := marks["replay-starts"], marks["replay-ends"]
	longest, tasks := 0.0, 0
	for _, e := range events {
		if e.Name == "RunTask" && e.Process == from.Process && e.Thread == from.Thread && e.Start > from.Start && e.Start+e.Length < to.Start {
			tasks++
			longest = max(longest, e.Length/1000)
		}
	}
	if tasks == 0 {
		return 0, fmt.Errorf("%d events in the trace, and no task between %+v and %+v", len(events), from, to)
	}
	return longest, nil
}
