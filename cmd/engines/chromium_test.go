package engines_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// chromiumEngine is driven over the DevTools protocol.
type chromiumEngine struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func startChromium(ctx context.Context, dir string) (engine, error) {
	path, err := look("chromium", "chromium-browser", "google-chrome")
	if err != nil {
		return nil, err
	}
	ctx, stop := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.UserDataDir(dir),
	)...)
	ctx, cancel := chromedp.NewContext(ctx)
	return &chromiumEngine{ctx, func() { cancel(); stop() }}, chromedp.Do(ctx)
}

func (e *chromiumEngine) close() error {
	e.cancel()
	return nil
}

func (e *chromiumEngine) open(ctx context.Context) (tab, error) {
	own, cancel := chromedp.NewContext(e.ctx, chromedp.WithNewBrowserContext())
	context.AfterFunc(ctx, cancel)
	t := &chromiumTab{own, cancel}
	return t, errors.Join(chromedp.Do(own), t.enable())
}

type chromiumTab struct {
	ctx    context.Context
	cancel context.CancelFunc
}

func (t *chromiumTab) enable() error {
	_, err := command(t, accessibility.Enable, cdp.Empty{})
	return err
}

// command sends the browser a command and returns its answer.
func command[P, R any](t *chromiumTab, c cdp.Command[P, R], params P) (R, error) {
	r, err := chromedp.Run(t.ctx, func(ctx context.Context, target *chromedp.Target) (R, error) {
		return cdp.Call(ctx, target, c, params)
	})
	if err != nil {
		return r, fmt.Errorf("%s: %w", c.Method, err)
	}
	return r, nil
}

func (t *chromiumTab) close() error {
	t.cancel()
	return nil
}

func (t *chromiumTab) visit(address string) error {
	return chromedp.Do(t.ctx, chromedp.Navigate("about:blank"), chromedp.Navigate(address))
}

func (t *chromiumTab) call(function string, this element) (json.RawMessage, error) {
	if this == nil {
		return chromedp.Run(t.ctx, chromedp.Evaluate[json.RawMessage]("("+function+")()", chromedp.EvalAwaitPromise))
	}
	id := this.(cdp.BackendNodeID)
	object, err := command(t, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id})
	if err != nil {
		return nil, err
	}
	yes := true
	r, err := command(t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, ObjectID: object.Object.ObjectID, ReturnByValue: &yes, AwaitPromise: &yes,
	})
	if err == nil && r.ExceptionDetails != nil {
		err = errors.New(r.ExceptionDetails.Text)
	}
	if err != nil {
		return nil, err
	}
	if r.Result.Value == nil { // undefined
		return json.RawMessage("null"), nil
	}
	return json.RawMessage(r.Result.Value), nil
}

func (t *chromiumTab) find(role, name string) ([]element, error) {
	document, err := command(t, dom.GetDocument, dom.GetDocumentParams{})
	if err != nil {
		return nil, err
	}
	r, err := command(t, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{
		BackendNodeID: document.Root.BackendNodeID, Role: role, AccessibleName: name,
	})
	var found []element
	for _, n := range r.Nodes {
		if !n.Ignored && n.BackendDOMNodeID != 0 {
			found = append(found, n.BackendDOMNodeID)
		}
	}
	return found, err
}

func (t *chromiumTab) click(e element) error {
	id := e.(cdp.BackendNodeID)
	if _, err := command(t, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: id}); err != nil {
		return err
	}
	r, err := command(t, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: id})
	if err != nil {
		return err
	}
	if len(r.Quads) == 0 {
		return errors.New("the element has no place on the screen")
	}
	q := r.Quads[0]
	return chromedp.Do(t.ctx, chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2))
}

var chromiumKeys = map[key]string{arrowUp: kb.ArrowUp, arrowRight: kb.ArrowRight, arrowDown: kb.ArrowDown, end: kb.End, home: kb.Home}

func (t *chromiumTab) press(e element, k key) error {
	if _, err := command(t, dom.Focus, dom.FocusParams{BackendNodeID: e.(cdp.BackendNodeID)}); err != nil {
		return err
	}
	return chromedp.Do(t.ctx, chromedp.KeyEvent(chromiumKeys[k]))
}

func (t *chromiumTab) choose(e element, index int) error { return chooseByKeyboard(t, e, index) }

// frame is a target of its own: a sandboxed frame has its own process.
func (t *chromiumTab) frame() (tab, error) {
	var found *chromiumTab
	err := retry(t.ctx, 10*time.Second, func(ctx context.Context) error {
		targets, err := chromedp.Targets(ctx)
		if err != nil {
			return err
		}
		for _, info := range targets {
			if info.Type == "iframe" {
				ctx, cancel := chromedp.NewContext(t.ctx, chromedp.WithTargetID(info.TargetID))
				found = &chromiumTab{ctx, cancel}
				return nil
			}
		}
		return errors.New("no frame")
	})
	if err != nil {
		return nil, err
	}
	return found, found.enable()
}

// chooseByKeyboard moves a select's choice with the arrow keys.
func chooseByKeyboard(t tab, e element, index int) error {
	for range 20 {
		raw, err := t.call("function() { return this.selectedIndex }", e)
		if err != nil {
			return err
		}
		var at int
		if err := json.Unmarshal(raw, &at); err != nil {
			return err
		}
		if at == index {
			return nil
		}
		k := arrowDown
		if at > index {
			k = arrowUp
		}
		if err := t.press(e, k); err != nil {
			return err
		}
	}
	return fmt.Errorf("the select does not come to option %d by keyboard", index)
}
