package engines_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

// firefoxEngine is driven over WebDriver BiDi, which it speaks itself.
type firefoxEngine struct {
	process
	bidi *bidi
}

// preferences keep the browser from asking anybody for anything.
const preferences = `
user_pref("app.normandy.enabled", false);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage", "about:blank");
user_pref("browser.startup.page", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("network.proxy.type", 0);
user_pref("services.settings.server", "data:,");
user_pref("toolkit.telemetry.server", "data:,");
`

func startFirefox(ctx context.Context, dir string) (engine, error) {
	path, err := look("firefox-esr", "firefox")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "user.js"), []byte(preferences), 0o600); err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	p, log, err := launch(ctx, dir, path, []string{"HOME=" + dir, "MOZ_CRASHREPORTER_DISABLE=1"},
		"--headless", "--no-remote", "--profile", dir, "--remote-debugging-port", strconv.Itoa(port))
	if err != nil {
		return nil, err
	}
	b, err := dialBiDi(ctx, fmt.Sprintf("ws://127.0.0.1:%d/session", port))
	if err != nil {
		said, _ := os.ReadFile(log)
		return nil, errors.Join(fmt.Errorf("firefox: %w: %s", err, said), p.stop())
	}
	_, err = b.call(ctx, "session.new", map[string]any{"capabilities": map[string]any{}})
	return &firefoxEngine{p, b}, err
}

func (e *firefoxEngine) close() error {
	return errors.Join(e.bidi.socket.CloseNow(), e.stop())
}

func (e *firefoxEngine) open(ctx context.Context) (tab, error) {
	raw, err := e.bidi.call(ctx, "browser.createUserContext", map[string]any{})
	if err != nil {
		return nil, err
	}
	var profile struct{ UserContext string }
	if err := json.Unmarshal(raw, &profile); err != nil {
		return nil, err
	}
	raw, err = e.bidi.call(ctx, "browsingContext.create", map[string]any{"type": "tab", "userContext": profile.UserContext})
	if err != nil {
		return nil, err
	}
	t := &firefoxTab{ctx: ctx, bidi: e.bidi, profile: profile.UserContext}
	return t, json.Unmarshal(raw, t)
}

// bidi is a connection that one command at a time goes over. No events are
// asked for, so what comes back is answers.
type bidi struct {
	socket  *websocket.Conn
	answers chan answer
	gone    chan error // what ended the connection
	last    int
}

// answer is what the browser says to the command of that number.
type answer struct {
	ID             int
	Result         json.RawMessage
	Error, Message string
}

func dialBiDi(ctx context.Context, address string) (*bidi, error) {
	b := bidi{answers: make(chan answer), gone: make(chan error, 1)}
	err := retry(ctx, time.Minute, func(ctx context.Context) error {
		socket, _, err := websocket.Dial(ctx, address, nil)
		b.socket = socket
		return err
	})
	if err != nil {
		return nil, err
	}
	b.socket.SetReadLimit(-1)
	go b.read(ctx)
	return &b, nil
}

// read reads apart from the calls: a read that is given up ends a connection,
// and a scenario that takes too long must not take the next ones with it.
func (b *bidi) read(ctx context.Context) {
	for {
		var a answer
		if err := wsjson.Read(ctx, b.socket, &a); err != nil {
			b.gone <- err
			return
		}
		select {
		case b.answers <- a:
		case <-ctx.Done():
			return
		}
	}
}

func (b *bidi) call(ctx context.Context, method string, params map[string]any) (json.RawMessage, error) {
	b.last++
	if err := wsjson.Write(context.WithoutCancel(ctx), b.socket, map[string]any{"id": b.last, "method": method, "params": params}); err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	for {
		select {
		case a := <-b.answers:
			switch {
			case a.ID != b.last: // a call that was given up
			case a.Error != "":
				return nil, fmt.Errorf("%s: %s: %s", method, a.Error, a.Message)
			default:
				return a.Result, nil
			}
		case err := <-b.gone:
			b.gone <- err
			return nil, fmt.Errorf("%s: %w", method, err)
		case <-ctx.Done():
			return nil, fmt.Errorf("%s: %w", method, ctx.Err())
		}
	}
}

type firefoxTab struct {
	ctx     context.Context
	bidi    *bidi
	profile string
	Context string
}

func (t *firefoxTab) do(method string, params map[string]any) (json.RawMessage, error) {
	params["context"] = t.Context
	return t.bidi.call(t.ctx, method, params)
}

func (t *firefoxTab) close() error {
	if t.profile == "" {
		return nil // a frame goes with its page
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), time.Minute)
	defer cancel()
	_, err := t.bidi.call(ctx, "browser.removeUserContext", map[string]any{"userContext": t.profile})
	return err
}

func (t *firefoxTab) visit(address string) error {
	for _, url := range []string{"about:blank", address} {
		if _, err := t.do("browsingContext.navigate", map[string]any{"url": url, "wait": "complete"}); err != nil {
			return err
		}
	}
	return nil
}

func (t *firefoxTab) call(function string, this element) (json.RawMessage, error) {
	params := map[string]any{
		"functionDeclaration": "async function() { return JSON.stringify((await (" + function + ").call(this)) ?? null) }",
		"target":              map[string]any{"context": t.Context},
		"awaitPromise":        true,
	}
	if this != nil {
		params["this"] = this
	}
	raw, err := t.bidi.call(t.ctx, "script.callFunction", params)
	if err != nil {
		return nil, err
	}
	var answer struct {
		Result           struct{ Value string }
		ExceptionDetails struct{ Text string }
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	if answer.ExceptionDetails.Text != "" {
		return nil, errors.New(answer.ExceptionDetails.Text)
	}
	return json.RawMessage(answer.Result.Value), nil
}

// find has the browser locate the role and the name in each candidate, which
// is itself the first that is looked at.
func (t *firefoxTab) find(role, name string) ([]element, error) {
	starts, err := t.candidates(role, name)
	if err != nil {
		return nil, err
	}
	var found []element
	for _, start := range starts {
		raw, err := t.do("browsingContext.locateNodes", map[string]any{
			"locator":      map[string]any{"type": "accessibility", "value": map[string]string{"role": role, "name": name}},
			"startNodes":   []any{start},
			"maxNodeCount": 1,
		})
		if err != nil {
			return nil, err
		}
		var answer struct{ Nodes []node }
		if err := json.Unmarshal(raw, &answer); err != nil {
			return nil, err
		}
		for _, n := range answer.Nodes {
			found = append(found, n)
		}
	}
	return found, nil
}

// node is how BiDi writes a reference to an element.
type node struct {
	SharedID string `json:"sharedId"`
}

func (t *firefoxTab) candidates(role, name string) ([]node, error) {
	raw, err := t.bidi.call(t.ctx, "script.callFunction", map[string]any{
		"functionDeclaration": mayBe,
		"arguments":           []any{map[string]string{"type": "string", "value": candidates[role]}, map[string]string{"type": "string", "value": name}},
		"target":              map[string]any{"context": t.Context},
		"awaitPromise":        false,
	})
	if err != nil {
		return nil, err
	}
	var answer struct{ Result struct{ Value []node } }
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, err
	}
	return answer.Result.Value, nil
}

func (t *firefoxTab) click(e element) error {
	if _, err := t.call("function() { this.scrollIntoView({block: 'center', behavior: 'instant'}) }", e); err != nil {
		return err
	}
	return t.perform("pointer", []map[string]any{
		{"type": "pointerMove", "x": 0, "y": 0, "origin": map[string]any{"type": "element", "element": e}},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerUp", "button": 0},
	})
}

func (t *firefoxTab) press(e element, k key) error {
	if _, err := t.call("function() { this.focus() }", e); err != nil {
		return err
	}
	return t.perform("key", []map[string]any{{"type": "keyDown", "value": k}, {"type": "keyUp", "value": k}})
}

func (t *firefoxTab) perform(device string, actions []map[string]any) error {
	_, err := t.do("input.performActions", map[string]any{"actions": []map[string]any{{"type": device, "id": device, "actions": actions}}})
	return err
}

func (t *firefoxTab) choose(e element, index int) error { return chooseByKeyboard(t, e, index) }

func (t *firefoxTab) frame() (tab, error) {
	raw, err := t.bidi.call(t.ctx, "browsingContext.getTree", map[string]any{"root": t.Context})
	if err != nil {
		return nil, err
	}
	var tree struct {
		Contexts []struct{ Children []struct{ Context string } }
	}
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, err
	}
	if len(tree.Contexts) != 1 || len(tree.Contexts[0].Children) != 1 {
		return nil, fmt.Errorf("the page has not one frame: %s", raw)
	}
	return &firefoxTab{ctx: t.ctx, bidi: t.bidi, Context: tree.Contexts[0].Children[0].Context}, nil
}
