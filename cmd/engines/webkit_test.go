package engines_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// webkitEngine is driven over the classic WebDriver protocol by the driver
// that Debian packages, on a screen that only it sees.
type webkitEngine struct {
	screen, driver process
	address        string
	browser        string
}

func startWebKit(ctx context.Context, dir string) (engine, error) {
	driver, err := look("WebKitWebDriver")
	if err != nil {
		return nil, err
	}
	xvfb, err := look("Xvfb")
	if err != nil {
		return nil, err
	}
	browser, err := findMiniBrowser()
	if err != nil {
		return nil, err
	}
	screen, display, err := startScreen(ctx, dir, xvfb)
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, errors.Join(err, screen.stop())
	}
	p, _, err := launch(ctx, dir, driver, []string{
		"DISPLAY=" + display, "HOME=" + dir, "GDK_BACKEND=x11", "LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1",
		"WEBKIT_DISABLE_DMABUF_RENDERER=1",
	}, "--host=127.0.0.1", "--port="+strconv.Itoa(port))
	if err != nil {
		return nil, errors.Join(err, screen.stop())
	}
	e := &webkitEngine{screen, p, "http://127.0.0.1:" + strconv.Itoa(port), browser}
	err = retry(ctx, time.Minute, func(ctx context.Context) error {
		_, err := e.ask(ctx, http.MethodGet, "/status", nil)
		return err
	})
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

func findMiniBrowser() (string, error) {
	found, err := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("MiniBrowser: %w", exec.ErrNotFound)
	}
	if err != nil {
		return "", err
	}
	return found[len(found)-1], nil
}

// startScreen starts a display and returns its name.
func startScreen(ctx context.Context, dir, xvfb string) (process, string, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return process{}, "", err
	}
	defer read.Close()
	cmd := exec.CommandContext(ctx, xvfb, "-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	if err := errors.Join(cmd.Start(), write.Close()); err != nil {
		return process{}, "", fmt.Errorf("Xvfb: %w", err)
	}
	// Closed before the line has ended, the pipe would end the server.
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		return process{}, "", errors.Join(fmt.Errorf("Xvfb names no display: %w", err), process{cmd}.stop())
	}
	return process{cmd}, ":" + strings.TrimSpace(number), nil
}

func (e *webkitEngine) close() error { return errors.Join(e.driver.stop(), e.screen.stop()) }

func (e *webkitEngine) ask(ctx context.Context, method, path string, body any) (json.RawMessage, error) {
	var sent bytes.Buffer
	if method == http.MethodPost {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return nil, err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, e.address+path, &sent)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var answer struct{ Value json.RawMessage }
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s %s: %s", method, path, answer.Value)
	}
	return answer.Value, nil
}

func (e *webkitEngine) open(ctx context.Context) (tab, error) {
	raw, err := e.ask(ctx, http.MethodPost, "/session", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{
		"webkitgtk:browserOptions": map[string]any{"binary": e.browser, "args": []string{"--automation"}},
		"timeouts":                 map[string]any{"script": 60_000, "pageLoad": 120_000},
	}}})
	if err != nil {
		return nil, err
	}
	var session struct{ SessionID string }
	if err := json.Unmarshal(raw, &session); err != nil {
		return nil, err
	}
	return &webkitTab{ctx, e, "/session/" + session.SessionID, false}, nil
}

type webkitTab struct {
	ctx    context.Context
	engine *webkitEngine
	path   string
	framed bool
}

// webElement is how WebDriver writes a reference to an element.
const webElement = "element-6066-11e4-a52e-4f735466cecf"

func (t *webkitTab) post(path string, body any) (json.RawMessage, error) {
	return t.engine.ask(t.ctx, http.MethodPost, t.path+path, body)
}

func (t *webkitTab) ofElement(e element, what string) string {
	return "/element/" + e.(map[string]string)[webElement] + "/" + what
}

func (t *webkitTab) close() error {
	if t.framed {
		return nil
	}
	// The driver has one session at a time: without this the next scenario
	// would have none.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), time.Minute)
	defer cancel()
	_, err := t.engine.ask(ctx, http.MethodDelete, t.path, nil)
	return err
}

func (t *webkitTab) visit(address string) error {
	for _, url := range []string{"about:blank", address} {
		if _, err := t.post("/url", map[string]string{"url": url}); err != nil {
			return err
		}
	}
	return nil
}

func (t *webkitTab) call(function string, this element) (json.RawMessage, error) {
	raw, err := t.post("/execute/async", map[string]any{
		"script": `const [self, done] = arguments;
			(async () => (` + function + `).call(self))().then(
				(value) => done(JSON.stringify({value: value ?? null})),
				(err) => done(JSON.stringify({error: String(err)})));`,
		"args": []any{this},
	})
	if err != nil {
		return nil, err
	}
	var text string
	var answer struct {
		Value json.RawMessage
		Error string
	}
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return answer.Value, nil
}

// webkitRole is what a role is called here: a select is a button to assistive
// technology, one that opens a menu.
func webkitRole(role string) string {
	if role == "combobox" {
		return "button"
	}
	return role
}

// find asks the candidates for their roles and names: the protocol finds
// elements by selectors alone.
func (t *webkitTab) find(role, name string) ([]element, error) {
	raw, err := t.post("/execute/sync", map[string]any{"script": "return (" + mayBe + ")(...arguments)", "args": []string{candidates[role], name}})
	if err != nil {
		return nil, err
	}
	var all []map[string]string
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	var found []element
	for _, e := range all {
		if is, err := t.is(e, "computedlabel", name); err != nil || !is {
			if err != nil {
				return nil, err
			}
			continue
		}
		is, err := t.is(e, "computedrole", webkitRole(role))
		if err != nil {
			return nil, err
		}
		if is {
			found = append(found, e)
		}
	}
	return found, nil
}

// is tells whether an element has a role or a name.
func (t *webkitTab) is(e element, what, want string) (bool, error) {
	raw, err := t.engine.ask(t.ctx, http.MethodGet, t.path+t.ofElement(e, what), nil)
	if err != nil {
		return false, err
	}
	var got string
	err = json.Unmarshal(raw, &got)
	return got == want, err
}

func (t *webkitTab) click(e element) error {
	_, err := t.post(t.ofElement(e, "click"), map[string]any{})
	return err
}

func (t *webkitTab) press(e element, k key) error {
	_, err := t.post(t.ofElement(e, "value"), map[string]string{"text": string(k)})
	return err
}

// choose clicks the option, which is how the protocol works a select.
func (t *webkitTab) choose(e element, index int) error {
	raw, err := t.post(t.ofElement(e, "elements"), map[string]string{"using": "css selector", "value": "option"})
	if err != nil {
		return err
	}
	var options []map[string]string
	if err := json.Unmarshal(raw, &options); err != nil {
		return err
	}
	return t.click(options[index])
}

func (t *webkitTab) frame() (tab, error) {
	if _, err := t.post("/frame", map[string]any{"id": 0}); err != nil {
		return nil, err
	}
	return &webkitTab{t.ctx, t.engine, t.path, true}, nil
}
