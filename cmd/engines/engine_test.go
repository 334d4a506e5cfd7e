package engines_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"time"
)

// engine is a browser that the scenarios drive.
type engine interface {
	// open opens a tab of a profile of its own. It lives no longer than ctx.
	open(ctx context.Context) (tab, error)
	close() error
}

// tab is a page in an engine, or a frame of a page.
type tab interface {
	visit(address string) error
	// call calls a function, given as its source, on an element or on nothing,
	// awaits what it returns and gives it as JSON.
	call(function string, this element) (json.RawMessage, error)
	// find finds the elements that assistive technology knows by a role and a
	// name.
	find(role, name string) ([]element, error)
	// click presses the pointer on the middle of an element.
	click(element) error
	// press focuses an element and presses a key there.
	press(element, key) error
	// choose picks an option of a select.
	choose(e element, index int) error
	// frame is the one frame of the page.
	frame() (tab, error)
	close() error
}

// element is an engine's own reference to an element.
type element any

// key is a key as WebDriver encodes it.
type key string

const (
	arrowUp    key = "\uE013"
	arrowRight key = "\uE014"
	arrowDown  key = "\uE015"
	end        key = "\uE010"
	home       key = "\uE011"
)

// candidates are the elements that may have a role, and mayBe finds those that
// may have a name too: to ask every element of the page takes minutes. What is
// not shown has neither, and WebKit's driver fails when it is asked for them.
var candidates = map[string]string{
	"button":   "button",
	"checkbox": "input[type=checkbox]",
	"combobox": "select",
	"slider":   "input[type=range]",
	"table":    "table[role=table]",
}

const mayBe = `(selector, name) => [...document.querySelectorAll(selector)].filter(
	(e) => e.getClientRects().length && (e.localName !== "button" || e.textContent.includes(name) || e.getAttribute("aria-label") === name))`

// names of the engines, in the order they are driven.
const (
	chromium = "Chromium"
	firefox  = "Firefox"
	webkit   = "WebKit"
)

// start starts an engine of a stock browser that is installed.
var start = map[string]func(ctx context.Context, dir string) (engine, error){
	chromium: startChromium,
	firefox:  startFirefox,
	webkit:   startWebKit,
}

// look finds the first of some programs that is installed.
func look(names ...string) (string, error) {
	var err error
	for _, name := range names {
		path, e := exec.LookPath(name)
		if e == nil {
			return path, nil
		}
		err = e
	}
	return "", err
}

// process is a program that a test has started.
type process struct{ cmd *exec.Cmd }

// launch starts a program whose output goes to a file, and returns that.
func launch(ctx context.Context, dir, path string, env []string, args ...string) (process, string, error) {
	log, err := os.CreateTemp(dir, "log")
	if err != nil {
		return process{}, "", err
	}
	defer log.Close()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdout, cmd.Stderr = log, log
	// What the program has started may keep its output open.
	cmd.WaitDelay = 5 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		return process{}, "", err
	}
	return process{cmd}, log.Name(), nil
}

// stop ends the program. It was told to go: how it goes is of no interest.
func (p process) stop() error {
	err := p.cmd.Process.Signal(os.Interrupt)
	gone := time.AfterFunc(10*time.Second, func() { err = errors.Join(err, p.cmd.Process.Kill()) })
	defer gone.Stop()
	if waited := p.cmd.Wait(); waited != nil {
		if exit := (*exec.ExitError)(nil); !errors.As(waited, &exit) {
			err = errors.Join(err, waited)
		}
	}
	if errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// retry tries until it works or the time is up.
func retry(ctx context.Context, limit time.Duration, try func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		err := try(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w after %v: %w", ctx.Err(), limit, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// freePort is a port of the loopback that nobody listens on.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}
