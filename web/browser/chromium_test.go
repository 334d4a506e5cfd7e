// Package browser_test drives the built site in a real browser, as its readers
// meet it: served by a plain file server under a sub-path, its parts found by
// role and name.
package browser_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
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
	defer func() {
		for _, end := range slices.Backward(closing) {
			end()
		}
	}()
	return m.Run()
}

// serve serves a built site under base and returns the page's address.
func serve(t *testing.T, dir string, wrap ...func(http.Handler) http.Handler) string {
	t.Helper()
	h := siteHandler(dir)
	for _, w := range wrap {
		h = w(h)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL + base
}

// siteHandler is a plain file server with a site under base.
func siteHandler(dir string) http.Handler {
	return http.StripPrefix(strings.TrimSuffix(base, "/"), http.FileServer(http.Dir(dir)))
}

// profile returns a context for tabs of a profile of their own, as a private
// window has, in the one browser that the tests share. It ends with the test.
func profile(t *testing.T) context.Context {
	t.Helper()
	shared, err := browser()
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skipf("no browser: %v; .ci/install installs one", err)
	}
	if err != nil {
		t.Fatalf("no browser: %v", err)
	}
	ctx, cancel := chromedp.NewContext(shared, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	limited, cancel := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	return limited
}

// closing is what ends the shared browser, once it has been started.
var closing []func()

var browser = sync.OnceValues(func() (context.Context, error) {
	path, err := findChromium()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sixways-browser")
	if err != nil {
		return nil, err
	}
	closing = append(closing, func() { os.RemoveAll(dir) })
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// Nothing but the tests' own servers is there to be asked.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.UserDataDir(dir),
	)...)
	closing = append(closing, cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	closing = append(closing, cancel)
	return ctx, chromedp.Do(ctx)
})

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
