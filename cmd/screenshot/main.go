// Command screenshot renews the README's picture: it builds the site, opens it
// in a browser in the middle of a run, and writes what a reader sees.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"

	"sixways/fixture"
	"sixways/web/site"
)

// The picture, in CSS pixels, and how many of its own stand for one.
const (
	width, height = 1200, 800
	density       = 2
)

// moment is the state in the picture: the allowlist that people think is
// enough, at the second at which the sidecar has got out past it.
var moment = fixture.State{
	Settings: fixture.Settings{Policy: fixture.Allowlist, TaskAPI: true, Loopback: true},
	Second:   48,
	Speed:    1,
}

func main() {
	out := flag.String("out", ".github/screenshot.png", "`FILE` to write")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintf(os.Stderr, "screenshot: %v\n", err)
		os.Exit(1)
	}
	fmt.Println("Wrote", *out)
}

func run(ctx context.Context, out string) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	dir, err := os.MkdirTemp("", "sixways-screenshot-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root, err := site.FindRoot(ctx, ".")
	if err != nil {
		return err
	}
	if _, err := site.Build(ctx, site.Options{Root: root, Out: dir}); err != nil {
		return err
	}
	server := httptest.NewServer(site.Handler(dir))
	defer server.Close()
	picture, err := capture(ctx, server.URL+"/#"+moment.Fragment())
	if err != nil {
		return err
	}
	return os.WriteFile(out, picture, 0o644)
}

func capture(ctx context.Context, address string) ([]byte, error) {
	browser, err := findBrowser()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browser),
		chromedp.NoSandbox, // which a browser that root starts lacks anyway
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
	)
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	err = chromedp.Do(ctx,
		chromedp.EmulateViewport(width, height, chromedp.EmulateScale(density)),
		chromedp.Navigate(address),
		chromedp.WaitEnabled(chromedp.CSS("#policy")),
	)
	if err != nil {
		return nil, err
	}
	return chromedp.Run(ctx, chromedp.CaptureScreenshot())
}

func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no chromium, chromium-browser or google-chrome; .ci/install installs one")
}
