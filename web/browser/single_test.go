package browser_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sixways/fixture"
)

// singleFile is the address of the page that is one file, as a double click
// opens it.
func singleFile(t *testing.T) string {
	t.Helper()
	return "file://" + filepath.ToSlash(filepath.Join(dist, "sixways.html"))
}

func TestSingleFile(t *testing.T) {
	p := open(t, singleFile(t))

	p.test("the controls work and the address follows them", func() {
		p.set(fixture.Change{Key: "policy", Value: "allowlist"})
		p.waitForHash("#v=1&policy=allowlist&task-api=1&force-dns=0&block-metadata=0&loopback=1&t=0&speed=1")
		p.get("button", "Next event").click()
		p.expectAt(fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"}), 8)
	})

	p.test("an address restores the state, and Back returns", func() {
		p.visit(p.address + "#policy=deny-all&loopback=0&t=24")
		s := fixture.Opening().With(fixture.Change{Key: "policy", Value: "deny-all"}, fixture.Change{Key: "loopback", Value: "0"})
		p.waitForSettings(s)
		p.expectAt(s, 24)
		p.set(fixture.Change{Key: "force-dns", Value: "1"})
		p.waitForHash("#v=1&policy=deny-all&task-api=1&force-dns=1&block-metadata=0&loopback=0&t=0&speed=1")
		p.eval("history.back()")
		p.waitForSettings(s)
	})

	p.test("it is styled", func() {
		if got := p.eval(`getComputedStyle(document.body).margin`); got != "0px" {
			p.t.Errorf("the margin is %v", got)
		}
	})

	p.test("it asks for no file but itself, and has no worker", func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if others := slices.DeleteFunc(slices.Clone(p.requests), func(r string) bool {
			return strings.HasPrefix(r, p.address) || strings.HasPrefix(r, "data:")
		}); len(others) > 0 {
			p.t.Errorf("it asked for %q", others)
		}
	})
}

// Served, it is one file too, and leaves the worker to the site.
func TestSingleFileServed(t *testing.T) {
	p := open(t, serve(t, dist)+"sixways.html#policy=allowlist")
	p.waitForSettings(fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"}))
	if n := p.eval(`new Promise((done) => setTimeout(done, 500)).then(() => navigator.serviceWorker.getRegistrations()).then((r) => r.length)`); n != 0.0 {
		t.Errorf("%v workers are registered", n)
	}
}
