// Package engines_test drives the built site in three browser engines, each a
// stock browser: one list of scenarios, and for each engine a small driver.
package engines_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"sixways/web/site"
)

// base is the path that the site is served under.
const base = "/deep/er/"

// limit is what an engine cannot do: why, and what happens instead, which fails
// the day that the engine has learnt it.
type limit struct {
	reason  string
	instead func(*page)
}

// cannot lists what an engine cannot do, by scenario. The README carries the same
// list.
var cannot = map[string]map[string]limit{
	webkit: {
		"a sandboxed frame": {
			"a frame without an origin has no 'self' in a content security policy, and so the page's scripts are refused",
			sandboxedToRead,
		},
	},
}

var dist string

func TestMain(m *testing.M) { os.Exit(runTests(m)) }

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sixways-site")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	root, err := site.FindRoot(context.Background(), "../..")
	if err != nil {
		panic(err)
	}
	if _, err := site.Build(context.Background(), site.Options{Root: root, Out: dir}); err != nil {
		panic(err)
	}
	dist = dir
	return m.Run()
}

func TestEngines(t *testing.T) {
	for _, name := range []string{chromium, firefox, webkit} {
		t.Run(name, func(t *testing.T) {
			e := started(t, name)
			for _, s := range scenarios {
				t.Run(s.name, func(t *testing.T) {
					run := s.run
					if limit, ok := cannot[name][s.name]; ok {
						run = limit.instead
					}
					ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
					defer cancel()
					tab, err := e.open(ctx)
					if err != nil {
						t.Fatal(err)
					}
					defer func() {
						if err := tab.close(); err != nil {
							t.Error(err)
						}
					}()
					run(newPage(t, tab))
				})
			}
		})
	}
}

// What an engine cannot do is not for the tests alone to know.
func TestReadmeNamesWhatAnEngineCannot(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(readme)), " ")
	for engine, missing := range cannot {
		for name, limit := range missing {
			if !strings.Contains(text, fmt.Sprintf("| %s | %s | %s |", engine, name, limit.reason)) {
				t.Errorf("the README does not say that %s cannot: %s: %s", engine, name, limit.reason)
			}
			if !slices.ContainsFunc(scenarios, func(s scenario) bool { return s.name == name }) {
				t.Errorf("there is no scenario %q", name)
			}
		}
	}
}

// started starts an engine for the test.
func started(t *testing.T, name string) engine {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	e, err := start[name](ctx, t.TempDir())
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("CI") == "" {
		t.Skipf("%s is not installed: %v; `.ci/install all` installs it", name, err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// serve serves the built site under base, until the test ends.
func (p *page) serve() *httptest.Server {
	files := http.StripPrefix(strings.TrimSuffix(base, "/"), http.FileServer(http.Dir(dist)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A sandboxed frame has no origin, and asks across origins.
		w.Header().Set("Access-Control-Allow-Origin", "*")
		files.ServeHTTP(w, r)
	}))
	p.t.Cleanup(server.Close)
	return server
}
