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
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is how long a test waits for the page to reach a state.
const patience = time.Minute

// page is one tab. Its methods fail the test instead of returning errors.
type page struct {
	t       *testing.T
	ctx     context.Context
	address string // of the site
	origin  string
	asks    []string // the other origins that it may ask

	mu       sync.Mutex
	errors   []string // console errors, exceptions, refused loads
	requests []string // every URL asked for
}

// open opens an address in a profile of its own. When the test ends the page
// must have logged no error and asked no other origin.
func open(t *testing.T, address string) *page {
	t.Helper()
	p := blank(t, address)
	p.visit(address)
	return p
}

// blank is the tab that open opens, before it goes anywhere.
func blank(t *testing.T, address string) *page {
	t.Helper()
	p := attach(t, profile(t), address)
	p.size(1280, 900, 1)
	return p
}

// attach makes a page of a context's tab or frame.
func attach(t *testing.T, ctx context.Context, address string) *page {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t: t, ctx: ctx, address: address, origin: u.Scheme + "://" + u.Host}
	if err := chromedp.Listen(ctx, p.listen); err != nil {
		t.Fatal(err)
	}
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	call(p, accessibility.Enable, cdp.Empty{})
	t.Cleanup(p.checkQuiet)
	return p
}

func (p *page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			var args []string
			for _, a := range e.Args {
				args = append(args, describe(a))
			}
			p.errors = append(p.errors, "console: "+strings.Join(args, " "))
		}
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, "exception: "+e.ExceptionDetails.Text+" "+describe(e.ExceptionDetails.Exception))
	case *log.EventEntryAdded:
		// For a file that is no page a browser may ask the host for an icon.
		if e.Entry.Level == log.EntryLevelError && !strings.HasSuffix(e.Entry.URL, "/favicon.ico") {
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
		ours := slices.ContainsFunc(append(p.asks, p.origin), func(origin string) bool { return strings.HasPrefix(r, origin) })
		if !ours && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") {
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

// test runs a subtest on the page.
func (p *page) test(name string, check func()) {
	whole := p.t
	defer func() { p.t = whole }()
	whole.Run(name, func(t *testing.T) {
		p.t = t
		check()
	})
}

func (p *page) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// call sends the browser a command and returns its answer.
func call[P, R any](p *page, command cdp.Command[P, R], params P) R {
	p.t.Helper()
	r, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (R, error) {
		return cdp.Call(ctx, t, command, params)
	})
	if err != nil {
		p.t.Fatalf("%s: %v", command.Method, err)
	}
	return r
}

// visit goes to an address and waits until the controls are live.
func (p *page) visit(address string) {
	p.t.Helper()
	p.load(address)
	p.waitLive()
}

// load goes to an address as a new document and waits until it has been
// parsed; what it loads may still be coming.
func (p *page) load(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate("about:blank"))
	call(p, cdppage.Navigate, cdppage.NavigateParams{URL: address})
	p.waitUntil("the page to be there to be read", `document.readyState !== "loading" && location.href !== "about:blank"`)
}

func (p *page) reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
}

func (p *page) waitLive() {
	p.t.Helper()
	p.waitUntil("the controls to be live", `document.documentElement.hasAttribute("data-live")`)
}

// waitUntil waits until a JavaScript condition holds, in whatever document the
// tab has by then.
func (p *page) waitUntil(what, condition string) {
	p.t.Helper()
	p.waitFor(what, func() bool {
		// A document that goes away meanwhile may leave the question open.
		ctx, cancel := context.WithTimeout(p.ctx, 3*time.Second)
		defer cancel()
		holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool](condition, chromedp.EvalAwaitPromise))
		return err == nil && holds
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
	return evalTo[any](p, js)
}

// evalTo evaluates JavaScript to a Go value.
func evalTo[T any](p *page, js string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%v, in %s", err, js)
	}
	return v
}

// size sets the viewport in CSS pixels at a scale.
func (p *page) size(width, height int64, scale float64) {
	p.t.Helper()
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: scale})
}

// media emulates media features such as prefers-color-scheme.
func (p *page) media(pairs ...string) {
	p.t.Helper()
	var features []*emulation.MediaFeature
	for pair := range slices.Chunk(pairs, 2) {
		features = append(features, &emulation.MediaFeature{Name: pair[0], Value: pair[1]})
	}
	call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}

// outline lists the elements of a tree with their attributes and texts, one a
// line, without what a JavaScript condition leaves out. What a reader sees of
// a control is its state, not the attribute that it began with.
func (p *page) outline(root, include string) []string {
	p.t.Helper()
	return evalTo[[]string](p, `(() => {
		const include = `+include+`;
		const lines = [];
		const walk = (node, indent) => {
			if (node.nodeType === Node.TEXT_NODE && node.data) lines.push(indent + JSON.stringify(node.data));
			if (node.nodeType !== Node.ELEMENT_NODE || !include(node)) return;
			const states = ["checked", "selected", "value"].filter((name) => name in node);
			const attributes = [...node.attributes].filter((a) => !states.includes(a.name) && (a.name !== "style" || a.value)).map((a) => a.name + "=" + JSON.stringify(a.value)).sort();
			lines.push(indent + [node.localName, ...attributes, ...states.map((name) => "." + name + "=" + node[name])].join(" "));
			node.childNodes.forEach((child) => walk(child, indent + "  "));
		};
		walk(`+root+`, "");
		return lines;
	})()`)
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
	q := accessibility.QueryAXTreeParams{Role: role, AccessibleName: name}
	if within != nil {
		q.BackendNodeID = within.id
	} else {
		q.BackendNodeID = call(p, dom.GetDocument, dom.GetDocumentParams{}).Root.BackendNodeID
	}
	var nodes []*node
	for _, f := range call(p, accessibility.QueryAXTree, q).Nodes {
		if !f.Ignored && f.BackendDOMNodeID != 0 && (within == nil || f.BackendDOMNodeID != within.id) {
			nodes = append(nodes, &node{p, fmt.Sprintf("%s %q", role, name), f.BackendDOMNodeID})
		}
	}
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

// node finds the element that an expression gives.
func (p *page) node(expression string) *node {
	p.t.Helper()
	object := call(p, runtime.Evaluate, runtime.EvaluateParams{Expression: expression}).Result
	id := call(p, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: object.ObjectID}).Node.BackendNodeID
	return &node{p, expression, id}
}

// js calls a function body with the element as this and returns its value.
func (n *node) js(body string) any {
	n.p.t.Helper()
	object := call(n.p, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: n.id}).Object
	yes := true
	r := call(n.p, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: "function(){" + body + "}",
		ObjectID:            object.ObjectID,
		ReturnByValue:       &yes,
		AwaitPromise:        &yes,
	})
	if r.ExceptionDetails != nil {
		n.p.t.Fatalf("%s: %v", n.what, r.ExceptionDetails)
	}
	var value any
	if len(r.Result.Value) > 0 {
		if err := json.Unmarshal(r.Result.Value, &value); err != nil {
			n.p.t.Fatalf("%s: %v", n.what, err)
		}
	}
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
	relatives := false
	return call(n.p, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{
		BackendNodeID: n.id, FetchRelatives: &relatives,
	}).Nodes[0]
}

// click presses the mouse on the middle of the element.
func (n *node) click() {
	n.p.t.Helper()
	call(n.p, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: n.id})
	quads := call(n.p, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: n.id}).Quads
	if len(quads) == 0 {
		n.p.t.Fatalf("%s has no place on the screen", n.what)
	}
	q := quads[0]
	n.p.do(chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2))
}

func (n *node) focus() {
	n.p.t.Helper()
	call(n.p, dom.Focus, dom.FocusParams{BackendNodeID: n.id})
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
func (p *page) press(keys string, modifiers ...chromedp.Modifier) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
}

// rows are the cells' texts of the table of computed data.
func (p *page) rows() [][]string {
	p.t.Helper()
	return texts[[][]string](p.get("table", "Computed data"), `[...this.tBodies].flatMap(b => [...b.rows]).map(r => [...r.cells].map(text))`)
}

// metrics are the terms and values of the description list.
func (p *page) metrics() map[string]string {
	p.t.Helper()
	return evalTo[map[string]string](p, `Object.fromEntries([...document.querySelectorAll("#metrics dt")].map(dt => [dt.innerText, dt.nextElementSibling.innerText]))`)
}

// events are the texts of the trace.
func (p *page) events() []string {
	p.t.Helper()
	return texts[[]string](p.get("region", "Event trace"), `[...this.querySelectorAll("ol:not([aria-hidden]) > li")].map(text)`)
}

// texts evaluates an expression about an element, in which text is what an
// element shows, with white space folded.
func texts[T any](n *node, expression string) T {
	n.p.t.Helper()
	var value T
	raw, err := json.Marshal(n.js(`const text = (e) => e.innerText.trim().replace(/\s+/g, " "); return ` + expression))
	if err == nil {
		err = json.Unmarshal(raw, &value)
	}
	if err != nil {
		n.p.t.Fatalf("%s: %v", n.what, err)
	}
	return value
}

// second is where the slider stands.
func (p *page) second() int {
	p.t.Helper()
	return int(p.get("slider", "Inspection time").js("return this.valueAsNumber").(float64))
}

func describe(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return string(o.Value) + o.Description
}

// before runs JavaScript in each document that the tab and its frames load,
// before any of theirs.
func (p *page) before(js string) {
	p.t.Helper()
	call(p, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: js})
}
