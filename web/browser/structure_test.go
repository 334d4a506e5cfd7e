package browser_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/google/go-cmp/cmp"

	"sixways/app"
	"sixways/fixture"
	"sixways/policy"
)

// sections are the headings of the page below its title, in their order.
func sections() []string {
	names := []string{"Your experiment", "Event trace", "Computed data", "Final metrics"}
	for _, step := range fixture.WalkThrough() {
		names = append(names, step.Heading)
	}
	return names
}

// regions are the sections with the two that stand between the figures and the
// walk-through.
func regions() []string {
	return slices.Insert(sections(), 4, "All 48 settings", "Check your own policy")
}

// The names are fixed, and so they are written out here once more.
func TestStructure(t *testing.T) {
	p := open(t, serve(t, dist))

	p.test("the title is the one heading of the first level", func() {
		want := []string{"Agent sandboxing: deny outbound network from untrusted code"}
		got := evalTo[[]string](p, `[...document.querySelectorAll("h1")].map(h => h.innerText)`)
		if diff := cmp.Diff(want, got); diff != "" {
			p.t.Errorf("h1 (-want +got):\n%s", diff)
		}
	})

	p.test("the eyebrow stands above the title", func() {
		if text := p.bodyText(); !strings.HasPrefix(strings.TrimPrefix(text, "Skip to the experiment "), "SANDBOX · EGRESS POLICY Agent sandboxing:") {
			p.t.Errorf("the page begins with %.80q", text)
		}
	})

	p.test("the sections are regions named by their headings, in order", func() {
		want := []string{
			"Your experiment", "Event trace", "Computed data", "Final metrics",
			"Six ways out of a sandbox", "A denylist closes almost nothing", "Allowlist, resolver and namespace together",
			"Deny-all and the allowlist entry", "Inspecting the run and its limits",
		}
		if diff := cmp.Diff(want, sections()); diff != "" {
			p.t.Errorf("the fixture's headings (-want +got):\n%s", diff)
		}
		want = regions()
		if diff := cmp.Diff(want, p.names("region")); diff != "" {
			p.t.Errorf("regions (-want +got):\n%s", diff)
		}
		for _, name := range want {
			if h := p.get("region", name).get("heading", name); property(h.ax(), accessibility.PropertyNameLevel) != "2" {
				p.t.Errorf("%s is not a heading of the second level", h.what)
			}
		}
	})

	p.test("the controls carry their names and the opening state", func() {
		experiment := p.get("region", "Your experiment")
		choice := experiment.get("combobox", "Egress proxy policy")
		labels := choice.js("return [...this.options].map(o => o.label)")
		if diff := cmp.Diff([]any{"Denylist *.attacker.test", "Allowlist the task API only", "Deny all egress"}, labels); diff != "" {
			p.t.Errorf("policies (-want +got):\n%s", diff)
		}
		if got := choice.js("return this.selectedOptions[0].label"); got != "Denylist *.attacker.test" {
			p.t.Errorf("the policy opens at %v", got)
		}
		for _, box := range []struct {
			name    string
			checked bool
		}{
			{"Task API host is on the allowlist", true},
			{"Force DNS through the policy resolver", false},
			{"Block the link-local metadata address", false},
			{"Sandbox can reach the host loopback", true},
		} {
			if got := experiment.get("checkbox", box.name).js("return this.checked"); got != box.checked {
				p.t.Errorf("%s opens at %v", box.name, got)
			}
		}
		if n := len(experiment.all("checkbox", "")); n != 4 {
			p.t.Errorf("%d checkboxes, want 4", n)
		}
	})

	p.test("the replay's controls carry their names and the opening state", func() {
		trace := p.get("region", "Event trace")
		for _, name := range []string{"Play", "Next event", "Previous event", "Restart"} {
			trace.get("button", name)
		}
		speed := trace.get("combobox", "Speed")
		if diff := cmp.Diff([]any{"0.5×", "1×", "2×", "4×"}, speed.js("return [...this.options].map(o => o.label)")); diff != "" {
			p.t.Errorf("speeds (-want +got):\n%s", diff)
		}
		if got := speed.js("return this.selectedOptions[0].label"); got != "1×" {
			p.t.Errorf("the speed opens at %v", got)
		}
		got := trace.get("slider", "Inspection time").js("return [this.type, this.min, this.max, this.step, this.value]")
		if diff := cmp.Diff([]any{"range", "0", "60", "1", "0"}, got); diff != "" {
			p.t.Errorf("slider (-want +got):\n%s", diff)
		}
	})

	p.test("the live controls are all enabled", func() {
		if off := evalTo[[]string](p, `[...document.querySelectorAll(":disabled")].map(e => e.outerHTML)`); len(off) > 0 {
			p.t.Errorf("disabled: %q", off)
		}
	})

	p.test("the model is called one beside the figures", func() {
		model := fixture.Model
		if !strings.Contains(model, "policy model, not a sandbox") {
			p.t.Errorf("the notice of the model reads %q", model)
		}
		if !strings.Contains(p.get("region", "Computed data").text()+p.get("region", "Final metrics").text(), model) {
			p.t.Errorf("neither the data nor the metrics say %q", model)
		}
	})

	p.test("what is out of scope is named", func() {
		limits := p.get("region", "Inspecting the run and its limits").text()
		for _, what := range []string{"IPv6", "proxies inside the sandbox", "covert timing channels", "process and file-system isolation", "documentation examples"} {
			if !strings.Contains(limits, what) {
				p.t.Errorf("the limits do not name %s", what)
			}
		}
	})

	p.test("the metrics are a description list", func() {
		metrics := p.get("region", "Final metrics")
		var terms []string
		for _, term := range metrics.all("term", "") {
			terms = append(terms, term.text())
		}
		want := []string{"Unwanted egress", "Needed destinations reached", "Attempts blocked", "Containment", "Task"}
		if diff := cmp.Diff(want, terms); diff != "" {
			p.t.Errorf("terms (-want +got):\n%s", diff)
		}
		if strays := metrics.js(`return [...this.querySelectorAll("dt, dd")].filter(e => !e.closest("dl")).length`); strays != 0.0 {
			p.t.Errorf("%v terms or values outside a list", strays)
		}
	})

	p.test("the trace is an ordered list", func() {
		p.drag("24")
		list := p.get("region", "Event trace").get("list", "")
		if tag := list.js("return this.tagName"); tag != "OL" {
			p.t.Errorf("the trace is a %v", tag)
		}
		if n := len(list.all("listitem", "")); n != 3 {
			p.t.Errorf("%d events at 24 seconds, want 3", n)
		}
	})

	p.test("the table is a table to assistive technology, however it is laid out", func() {
		for _, width := range []int64{1280, 320} {
			p.size(width, 900, 1)
			table := p.get("table", "Computed data")
			for role, want := range map[string]int{"columnheader": 4, "row": 7, "rowheader": 6, "cell": 18} {
				if n := len(table.all(role, "")); n != want {
					p.t.Errorf("at %d px: %d of role %s, want %d", width, n, role, want)
				}
			}
		}
		p.size(1280, 900, 1)
	})

	p.test("the table is complete at any time", func() {
		for _, second := range []string{"0", "24", "60"} {
			p.drag(second)
			p.expectTable(fixture.Opening())
		}
		p.drag("23")
		p.get("button", "Play").click()
		p.expectTable(fixture.Opening())
	})
}

// expectTable checks the table of computed data against the engine.
func (p *page) expectTable(s fixture.Settings) {
	p.t.Helper()
	table := p.get("table", "Computed data")
	headers := texts[[]string](table, `[...this.tHead.rows[0].cells].map(text)`)
	if diff := cmp.Diff([]string{"Destination", "Needed by the task", "Decision", "Reason"}, headers); diff != "" {
		p.t.Errorf("columns (-want +got):\n%s", diff)
	}
	var want, got []string
	for _, d := range fixture.Run(s).Decisions {
		want = append(want, fmt.Sprintf("%s | %s | %s | %s", d.Attempt.Destination, map[bool]string{true: "Yes", false: "No"}[d.Attempt.Needed], verdict(d), d.Reason()))
	}
	for _, row := range p.rows() {
		if len(row) != 4 {
			p.t.Fatalf("a row of %d cells: %q", len(row), row)
		}
		// A cell says more: layer and rule before, what would change it after.
		reason := row[3]
		for _, d := range fixture.Run(s).Decisions {
			if strings.Contains(reason, " "+d.Reason()+" ") && strings.Contains(reason, d.Layer.String()) {
				reason = d.Reason()
			}
		}
		got = append(got, fmt.Sprintf("%s | %s | %s | %s", strings.Fields(row[0])[0], row[1], row[2], reason))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("rows under %v (-want +got):\n%s", s, diff)
	}
}

// expectAt checks all that depends on settings and time against the engine.
func (p *page) expectAt(s fixture.Settings, second int) {
	p.t.Helper()
	run := fixture.Run(s)
	seen := run.Seen(float64(second))
	p.waitFor(fmt.Sprintf("%d events under %v at %d s", seen, s, second), func() bool {
		return p.second() == second && len(p.events()) == seen
	})
	for i, text := range p.events() {
		for _, part := range eventParts(run, i) {
			if !strings.Contains(text, part) {
				p.t.Errorf("event %d reads %q, want %q in it", i+1, text, part)
			}
		}
	}
	latest := -1
	if seen > 0 && seen <= len(run.Decisions) {
		latest = seen - 1
	}
	got := evalTo[[]int](p, `[...document.querySelectorAll("#data tbody tr")].flatMap((r, i) => r.classList.contains("latest") ? i : [])`)
	if want := []int{latest}; latest >= 0 && !slices.Equal(got, want) || latest < 0 && len(got) > 0 {
		p.t.Errorf("rows %v are marked as the latest at %d s, want %d", got, second, latest)
	}
	m := run.Metrics()
	want := map[string]string{
		"Unwanted egress":             strconv.Itoa(m.Unwanted),
		"Needed destinations reached": strconv.Itoa(m.NeededAllowed),
		"Attempts blocked":            strconv.Itoa(m.Blocked),
		"Containment":                 map[bool]string{true: "Contained", false: "Leaking"}[m.Contained],
		"Task":                        map[bool]string{true: "Works", false: "Fails"}[m.TaskWorks],
	}
	if diff := cmp.Diff(want, p.metrics()); diff != "" {
		p.t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// eventParts is what the text of an event must hold.
func eventParts(run policy.Run, i int) []string {
	at := strconv.Itoa(run.EventAt(i)) + " s"
	if i == len(run.Decisions) {
		return []string{at, app.Outcome(run.Metrics())}
	}
	d := run.Decisions[i]
	return []string{at, verdict(d), d.Attempt.Destination.String(), d.Layer.String()}
}

func verdict(d policy.Decision) string {
	return map[policy.Verdict]string{policy.Allowed: "Allowed", policy.Blocked: "Blocked"}[d.Verdict]
}

// names are the names of all elements with a role, in the order of the page.
func (p *page) names(role string) []string {
	p.t.Helper()
	var names []string
	for _, n := range p.all(nil, role, "") {
		names = append(names, name(n.ax()))
	}
	return names
}

func name(n *accessibility.Node) string { return axText(n.Name) }

func axText(v *accessibility.Value) string {
	var s string
	if v == nil || json.Unmarshal(v.Value, &s) != nil {
		return ""
	}
	return s
}

// property is a property of a node as text, "" where it has none.
func property(n *accessibility.Node, name accessibility.PropertyName) string {
	for _, p := range n.Properties {
		if p.Name == name {
			return strings.Trim(string(p.Value.Value), `"`)
		}
	}
	return ""
}

// bodyText is all that the page shows, with white space folded.
func (p *page) bodyText() string {
	p.t.Helper()
	return strings.Join(strings.Fields(p.eval("document.body.innerText").(string)), " ")
}

// drag moves the slider to a second, as a drag of its thumb there would.
func (p *page) drag(second string) {
	p.t.Helper()
	p.get("slider", "Inspection time").js(`
		this.value = "` + second + `";
		this.dispatchEvent(new Event("input", {bubbles: true}));
		this.dispatchEvent(new Event("change", {bubbles: true}))`)
	p.waitFor("the trace to follow the slider", func() bool {
		return strconv.Itoa(p.second()) == second && len(p.events()) == fixture.Run(fixture.Opening()).Seen(float64(p.second()))
	})
}
