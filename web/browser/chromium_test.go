// Package browser_test drives the built site in a real browser, as its readers
// meet it: served by a plain file server under a sub-path, its parts found by
// role and name.
package browser_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"sixways/web/site"
)

// base is the path that the site is served under. It is two levels deep so
// that a URL which begins with a slash or climbs a level is found out.
const base = "/deep/er/"

// dist is where the site is built, once for all tests.
var dist string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sixways-site")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	root, err := site.FindRoot(context.Background(), ".")
	if err != nil {
		panic(err)
	}
	if _, err := site.Build(context.Background(), site.Options{Root: root, Out: dir}); err != nil {
		panic(err)
	}
	dist = dir
	return m.Run()
}

// serve serves a built site under base and returns the page's address.
func serve(t *testing.T, dir string, wrap ...func(http.Handler) http.Handler) string {
	t.Helper()
	var h http.Handler = http.StripPrefix(strings.TrimSuffix(base, "/"), http.FileServer(http.Dir(dir)))
	for _, w := range wrap {
		h = w(h)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL + base
}

// chromium returns a context in which a browser with a profile of its own
// runs until the test ends.
func chromium(t *testing.T, options ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path, err := findChromium()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("no browser: %v", err)
		}
		t.Skipf("no browser: %v; .ci/install installs one", err)
	}
	all := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(1280, 900),
	)
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(all, options...)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("starting %s: %v", path, err)
	}
	return ctx
}

func findChromium() (string, error) {
	var err error
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		path, e := exec.LookPath(name)
		if e == nil {
			return path, nil
		}
		err = e
	}
	return "", err
}
