package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long a test waits for the page to reach a state.
const patience = 20 * time.Second

// page is one tab. Its methods fail the test instead of returning errors.
type page struct {
	t      *testing.T
	ctx    context.Context
	origin string

	mu       sync.Mutex
	errors   []string // console errors, exceptions, refused loads
	requests []string // every URL asked for
}

// open starts a browser and opens an address in it. When the test ends the
// page must have logged no error and asked no other origin.
func open(t *testing.T, address string, options ...chromedp.ExecAllocatorOption) *page {
	t.Helper()
	p := newPage(t, chromium(t, options...), address)
	p.visit(address)
	return p
}

func newPage(t *testing.T, ctx context.Context, address string) *page {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t: t, ctx: ctx, origin: u.Scheme + "://" + u.Host}
	chromedp.ListenTarget(ctx, p.listen)
	p.run(network.Enable(), log.Enable(), accessibility.Enable())
	t.Cleanup(p.checkQuiet)
	return p
}

func (p *page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			var args []string
			for _, a := range e.Args {
				args = append(args, string(a.Value)+a.Description)
			}
			p.errors = append(p.errors, "console: "+strings.Join(args, " "))
		}
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, "exception: "+e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.errors = append(p.errors, "log: "+e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	}
}

// checkQuiet fails the test for any error logged and any foreign request.
func (p *page) checkQuiet() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.errors {
		p.t.Errorf("the page logged an error: %s", e)
	}
	for _, r := range p.requests {
		if !strings.HasPrefix(r, p.origin) && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") {
			p.t.Errorf("the page asked another origin: %s", r)
		}
	}
}

// expectErrors takes the errors that have been logged, for a test that causes
// some.
func (p *page) expectErrors() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	errs := p.errors
	p.errors = nil
	return errs
}

func (p *page) run(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// visit goes to an address and waits until the controls are live.
func (p *page) visit(address string) {
	p.t.Helper()
	p.run(chromedp.Navigate("about:blank"), chromedp.Navigate(address))
	p.waitLive()
}

func (p *page) waitLive() {
	p.t.Helper()
	p.waitFor("the controls to be live", func() bool {
		return p.eval(`document.documentElement.hasAttribute("data-live")`) == true
	})
}

// waitFor waits until a condition holds.
func (p *page) waitFor(what string, holds func() bool) {
	p.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(15 * time.Millisecond) {
		if holds() {
			return
		}
	}
	p.t.Fatalf("waited %v in vain for %s; errors so far: %q", patience, what, p.errors)
}

// eval evaluates JavaScript and returns its JSON value.
func (p *page) eval(js string) any {
	p.t.Helper()
	var v any
	p.run(chromedp.Evaluate(js, &v, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	return v
}

// evalInto evaluates JavaScript into a Go value.
func (p *page) evalInto(js string, v any) {
	p.t.Helper()
	p.run(chromedp.Evaluate(js, v, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
}

// size sets the viewport in CSS pixels at a scale.
func (p *page) size(width, height int64, scale float64) {
	p.t.Helper()
	p.run(emulation.SetDeviceMetricsOverride(width, height, scale, false))
}

// media emulates media features such as prefers-color-scheme.
func (p *page) media(pairs ...string) {
	p.t.Helper()
	var features []*emulation.MediaFeature
	for pair := range slices.Chunk(pairs, 2) {
		features = append(features, &emulation.MediaFeature{Name: pair[0], Value: pair[1]})
	}
	p.run(emulation.SetEmulatedMedia().WithFeatures(features))
}

// node is an element of the page.
type node struct {
	p    *page
	what string
	id   cdp.BackendNodeID
}

// all finds the elements with a role and, where it isn't empty, a name, below
// an element or in the whole page.
func (p *page) all(within *node, role, name string) []*node {
	p.t.Helper()
	var nodes []*node
	p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		q := accessibility.QueryAXTree().WithRole(role)
		if name != "" {
			q = q.WithAccessibleName(name)
		}
		if within != nil {
			q = q.WithBackendNodeID(within.id)
		} else {
			root, err := dom.GetDocument().WithDepth(0).Do(ctx)
			if err != nil {
				return err
			}
			q = q.WithBackendNodeID(root.BackendNodeID)
		}
		found, err := q.Do(ctx)
		if err != nil {
			return err
		}
		for _, f := range found {
			if !f.Ignored && f.BackendDOMNodeID != 0 && (within == nil || f.BackendDOMNodeID != within.id) {
				nodes = append(nodes, &node{p, fmt.Sprintf("%s %q", role, name), f.BackendDOMNodeID})
			}
		}
		return nil
	}))
	return nodes
}

// get waits for the one element with a role and name.
func (p *page) get(role, name string) *node { p.t.Helper(); return p.getIn(nil, role, name) }

func (p *page) getIn(within *node, role, name string) *node {
	p.t.Helper()
	var found []*node
	p.waitFor(fmt.Sprintf("one %s %q", role, name), func() bool {
		found = p.all(within, role, name)
		return len(found) == 1
	})
	return found[0]
}

func (n *node) get(role, name string) *node   { n.p.t.Helper(); return n.p.getIn(n, role, name) }
func (n *node) all(role, name string) []*node { n.p.t.Helper(); return n.p.all(n, role, name) }

// js calls a function body with the element as this and returns its value.
func (n *node) js(body string) any {
	n.p.t.Helper()
	var value any
	n.p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		object, err := dom.ResolveNode().WithBackendNodeID(n.id).Do(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", n.what, err)
		}
		result, thrown, err := runtime.CallFunctionOn("function(){" + body + "}").
			WithObjectID(object.ObjectID).WithReturnByValue(true).WithAwaitPromise(true).Do(ctx)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", n.what, err)
		case thrown != nil:
			return fmt.Errorf("%s: %w", n.what, thrown)
		case len(result.Value) == 0:
			return nil
		}
		return json.Unmarshal(result.Value, &value)
	}))
	return value
}

// text is what the element shows, with white space folded.
func (n *node) text() string {
	n.p.t.Helper()
	s, _ := n.js("return this.innerText").(string)
	return strings.Join(strings.Fields(s), " ")
}

// ax returns the element as assistive technology gets it.
func (n *node) ax() *accessibility.Node {
	n.p.t.Helper()
	var found *accessibility.Node
	n.p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		nodes, err := accessibility.GetPartialAXTree().WithBackendNodeID(n.id).WithFetchRelatives(false).Do(ctx)
		if err == nil {
			found = nodes[0]
		}
		return err
	}))
	return found
}

// click presses the mouse on the middle of the element.
func (n *node) click() {
	n.p.t.Helper()
	n.p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		if err := dom.ScrollIntoViewIfNeeded().WithBackendNodeID(n.id).Do(ctx); err != nil {
			return fmt.Errorf("%s: %w", n.what, err)
		}
		quads, err := dom.GetContentQuads().WithBackendNodeID(n.id).Do(ctx)
		if err != nil || len(quads) == 0 {
			return fmt.Errorf("%s has no place on the screen: %v", n.what, err)
		}
		q := quads[0]
		return chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2).Do(ctx)
	}))
}

func (n *node) focus() {
	n.p.t.Helper()
	n.p.run(chromedp.ActionFunc(func(ctx context.Context) error {
		return dom.Focus().WithBackendNodeID(n.id).Do(ctx)
	}))
}

// choose picks an option of a select by keyboard.
func (n *node) choose(label string) {
	n.p.t.Helper()
	n.focus()
	label = strings.ReplaceAll(label, `"`, `\"`)
	index, ok := n.js(`return [...this.options].findIndex(o => o.label === "` + label + `")`).(float64)
	if !ok || index < 0 {
		n.p.t.Fatalf("%s has no option %q", n.what, label)
	}
	for range 20 {
		at := n.js("return this.selectedIndex").(float64)
		switch {
		case at == index:
			return
		case at < index:
			n.p.press(kb.ArrowDown)
		default:
			n.p.press(kb.ArrowUp)
		}
	}
	n.p.t.Fatalf("%s does not move to %q by keyboard", n.what, label)
}

// press types keys into whatever has the focus.
func (p *page) press(keys string) {
	p.t.Helper()
	p.run(chromedp.KeyEvent(keys))
}

func (p *page) pressShiftTab() {
	p.t.Helper()
	p.run(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(input.ModifierShift)))
}

// offline cuts the page's network, or restores it.
func (p *page) offline(on bool) {
	p.t.Helper()
	p.run(network.OverrideNetworkState(on, 0, -1, -1))
}

// rows are the cells' texts of the table of computed data.
func (p *page) rows() [][]string {
	p.t.Helper()
	var rows [][]string
	table := p.get("table", "Computed data")
	for _, row := range table.all("row", "") {
		var cells []string
		for _, role := range []string{"rowheader", "cell"} {
			for _, cell := range row.all(role, "") {
				cells = append(cells, cell.text())
			}
		}
		if len(cells) > 0 {
			rows = append(rows, cells)
		}
	}
	return rows
}

// metrics are the terms and values of the description list.
func (p *page) metrics() map[string]string {
	p.t.Helper()
	metrics := map[string]string{}
	p.evalInto(`Object.fromEntries([...document.querySelectorAll("#metrics dt")].map(dt => [dt.innerText, dt.nextElementSibling.innerText]))`, &metrics)
	return metrics
}

// events are the texts of the trace.
func (p *page) events() []string {
	p.t.Helper()
	var events []string
	for _, item := range p.get("region", "Event trace").all("listitem", "") {
		events = append(events, item.text())
	}
	return events
}

// second is where the slider stands.
func (p *page) second() int {
	p.t.Helper()
	return int(p.get("slider", "Inspection time").js("return this.valueAsNumber").(float64))
}
