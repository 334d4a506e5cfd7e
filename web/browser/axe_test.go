package browser_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"sixways/fixture"
)

// axe finds nothing to say about the page in any of its states.
func TestAxe(t *testing.T) {
	axe := axeSource(t)
	p := open(t, serve(t, dist))
	check := func(state string, reach func()) {
		p.test(state, func() {
			reach()
			p.eval(frames)
			p.expectNoViolations(axe)
		})
	}
	check("start", func() {})
	check("help open", func() { p.get("button", "Keyboard shortcuts").click(); p.waitFor("the help", p.helpShown) })
	check("mid-run", func() { p.get("button", "Keyboard shortcuts").click(); p.drag("24") })
	check("end", func() { p.drag("60") })
	check("playing", func() { p.enter("t=20&speed=0.5"); p.get("button", "Play").click(); p.get("button", "Pause") })
	check("a notice shown", func() { p.eval(`location.hash = "policy=nothing"`); p.get("alert", "") })
	for _, policy := range fixture.Policies() {
		check(policy.String(), func() { p.enter("t=60&policy=" + policy.String()) })
	}
	check("a preview shown", func() {
		p.enter("t=0")
		p.get("button", "Preview the changes").click()
		p.waitFor("the preview", func() bool { return len(p.previewed()) > 0 })
	})
	check("dark, a preview shown", func() { p.media("prefers-color-scheme", "dark") })
	check("at the goal, set by a claim", func() { p.media(); p.eval(`document.getElementById("together-2-set").click()`) })
	check("dark", func() {
		p.enter("t=40")
		p.media("prefers-color-scheme", "dark")
	})
	check("dark, a notice shown", func() { p.eval(`location.hash = "policy=nothing"`); p.get("alert", "") })
	check("forced colours", func() { p.enter("t=40"); p.media("forced-colors", "active") })
	check("320 px", func() { p.media(); p.size(320, 640, 1) })
	check("320 px, dark, all open", func() {
		p.media("prefers-color-scheme", "dark")
		p.get("button", "Keyboard shortcuts").click()
		p.eval(`location.hash = "policy=nothing&t=60"`)
		p.get("alert", "")
	})
}

// Nor about the ways to show, share and embed it, in both themes.
func TestAxeOfViews(t *testing.T) {
	axe := axeSource(t)
	p := open(t, serve(t, dist))
	for _, theme := range []string{"light", "dark"} {
		p.test("the choices of the view, "+theme, func() {
			p.visit(p.address + "#t=60&theme=" + theme)
			p.eval(`document.querySelector("#view summary").click()`)
			p.eval(frames)
			p.expectNoViolations(axe)
		})
		p.test("sharing, "+theme, func() {
			shared(p)
			p.expectNoViolations(axe)
		})
		p.test("embedded, "+theme, func() {
			p.visit(p.address + "#embed=1&t=60&theme=" + theme)
			p.expectNoViolations(axe)
		})
	}
}

func TestAxeBeforeWebAssembly(t *testing.T) {
	axe := axeSource(t)
	held := hold(t, "app.wasm.gz")
	p := blank(t, serve(t, dist, held.wrap))
	p.load(p.address)
	held.sendUpTo(30)
	p.expectNoViolations(axe)
}

// axeSource is axe-core, which .ci/install puts beside the tests.
func axeSource(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if errors.Is(err, fs.ErrNotExist) && os.Getenv("CI") == "" {
		t.Skip("no axe-core; .ci/install installs it")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (p *page) expectNoViolations(axe string) {
	p.t.Helper()
	p.eval(axe + "; true")
	r := evalTo[struct {
		Violations []struct {
			ID, Help string
			Nodes    []struct {
				HTML, FailureSummary string
				Target               []any
			}
		}
		Passes int
	}](p, `axe.run({
		runOnly: {type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]},
		rules: {"td-has-header": {enabled: true}, "label-content-name-mismatch": {enabled: true}},
	}).then((r) => ({violations: r.violations, passes: r.passes.length}))`)
	if r.Passes < 12 {
		p.t.Errorf("axe passed %d rules: it has not seen the page", r.Passes)
	}
	for _, v := range r.Violations {
		var places []string
		for _, n := range v.Nodes {
			places = append(places, fmt.Sprintf("%v\n%s\n%s", n.Target, n.HTML, n.FailureSummary))
		}
		p.t.Errorf("%s: %s\n%s", v.ID, v.Help, strings.Join(places, "\n"))
	}
}
