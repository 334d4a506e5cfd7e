package browser_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"sixways/app"
	"sixways/fixture"
	"sixways/policy"
)

// Every row says which single control would turn its verdict over, in states
// that close, open and do neither.
func TestFlips(t *testing.T) {
	p := open(t, serve(t, dist))
	for _, s := range []fixture.Settings{
		fixture.Opening(),
		{Policy: fixture.Denylist, ForceDNS: true, BlockMetadata: true, Loopback: true},
		{Policy: fixture.Allowlist, TaskAPI: true, BlockMetadata: true},
		{Policy: fixture.Allowlist, Loopback: true},
		{Policy: fixture.DenyAll, TaskAPI: true, BlockMetadata: true, ForceDNS: true},
	} {
		p.setTo(s)
		for i, row := range p.rows() {
			if want := app.FlipsText(s, i); !strings.HasSuffix(row[3], " "+want) {
				t.Errorf("%v: %s: reason %q, want it to end with %q", s, row[0], row[3], want)
			}
		}
	}
}

// previewed are the rows of the preview.
func (p *page) previewed() [][]string {
	p.t.Helper()
	return evalTo[[][]string](p, `[...document.querySelectorAll("#preview tbody tr")].map(tr => [...tr.cells].map(c => c.innerText.trim()))`)
}

func (p *page) focusedID() string {
	p.t.Helper()
	return evalTo[string](p, "document.activeElement.id")
}

// The preview shows what would move and what comes of it, and moves nothing.
func TestPreview(t *testing.T) {
	p := open(t, serve(t, dist))
	region := p.get("region", "Final metrics")
	if got, want := region.text(), "choose “Allowlist the task API only”; turn “Force DNS through the policy resolver” on; turn “Sandbox can reach the host loopback” off."; !strings.Contains(got, want) {
		t.Errorf("the metrics say %q, not %q", got, want)
	}
	button := region.get("button", "Preview the changes")
	length := p.historyLength()
	button.focus()
	p.press(kb.Enter)
	p.waitFor("the preview", func() bool { return len(p.previewed()) > 0 })

	want := [][]string{
		{"Unwanted egress", "5", "0"},
		{"Needed destinations reached", "1", "1"},
		{"Attempts blocked", "0", "5"},
		{"Containment", "Leaking", "Contained"},
		{"Task", "Works", "Works"},
	}
	for i, d := range slices.Backward(fixture.Run(fixture.Opening()).Decisions) {
		after := map[bool]string{true: "Allowed", false: "Blocked"}[i == 0]
		want = slices.Insert(want, 0, []string{d.Attempt.Destination.String(), "Allowed", after})
	}
	if diff := cmp.Diff(want, p.previewed()); diff != "" {
		t.Errorf("preview (-want +got):\n%s", diff)
	}
	region.get("table", "Preview of the changes")

	would := map[string]string{
		fixture.PolicyLabel:                     "Preview: Allowlist the task API only.",
		"Task API host is on the allowlist":     "",
		"Force DNS through the policy resolver": "Preview: on.",
		"Block the link-local metadata address": "",
		"Sandbox can reach the host loopback":   "Preview: off.",
	}
	for label, note := range would {
		role := "checkbox"
		if label == fixture.PolicyLabel {
			role = "combobox"
		}
		_, got, _ := strings.Cut(string(p.get(role, label).ax().Description.Value), "Preview:")
		got = strings.Trim(got, `" `)
		if got != strings.TrimSpace(strings.TrimPrefix(note, "Preview:")) {
			t.Errorf("%s: described with %q, want %q", label, got, note)
		}
	}
	if got := p.controls(); got != fixture.Opening() {
		t.Errorf("previewing has set %v", got)
	}
	p.press(kb.Enter)
	p.waitFor("the preview to close", func() bool { return len(p.previewed()) == 0 })
	if p.historyLength() != length || p.focusedID() != "goal-preview" {
		t.Errorf("previewing made history or lost the focus to %q", p.focusedID())
	}
}

// Applying is one step of history to the goal, from any distance; there the
// page says so, and the focus stays where it was.
func TestApply(t *testing.T) {
	p := open(t, serve(t, dist))
	for _, s := range []fixture.Settings{
		fixture.Opening(),
		{Policy: fixture.DenyAll, Loopback: true},
		{Policy: fixture.Allowlist, TaskAPI: true, BlockMetadata: true, ForceDNS: true, Loopback: true},
	} {
		p.setTo(s)
		length := p.historyLength()
		p.get("button", "Apply the changes").focus()
		p.press(kb.Enter)
		want := s.With(s.ToGoal()...)
		p.waitFor("the controls to move", func() bool { return p.controls() == want })
		m := p.metrics()
		if m["Containment"] != "Contained" || m["Task"] != "Works" {
			t.Errorf("from %v: %v", s, m)
		}
		if n := p.historyLength() - length; n != 1 {
			t.Errorf("from %v: %d entries of history", s, n)
		}
		if got := p.get("region", "Final metrics").text(); !strings.Contains(got, "Contained, and the task works. Nothing is left to change.") {
			t.Errorf("at the goal the metrics say %q", got)
		}
		if got := p.focusedID(); got != "goal-apply" {
			t.Errorf("the focus went to %q", got)
		}
		for _, name := range []string{"Preview the changes", "Apply the changes"} {
			if got := p.get("button", name).js(`return this.getAttribute("aria-disabled")`); got != "true" {
				t.Errorf("%s: aria-disabled %v at the goal", name, got)
			}
			p.get("button", name).js("this.click()")
		}
		if p.historyLength() != length+1 || p.controls() != want || len(p.previewed()) != 0 {
			t.Error("a button that has nothing to do did something")
		}
		p.eval("history.back()")
		p.waitFor("Back to return", func() bool { return p.controls() == s })
	}
}

// Each claim sets exactly its state, says what moved, and keeps the focus; the
// next Tab is the next claim's button. Back goes the same way.
func TestClaimsSetThemselves(t *testing.T) {
	p := open(t, serve(t, dist))
	start := fixture.Settings{Policy: fixture.DenyAll, BlockMetadata: true}
	p.setTo(start)
	var claims []fixture.Claim
	for _, step := range fixture.WalkThrough() {
		claims = append(claims, step.Claims...)
	}
	p.eval(`document.querySelector(".claim-set button").focus()`)
	at := start
	for i, c := range claims {
		if i > 0 {
			p.press(kb.Tab)
		}
		id := p.focusedID()
		length := p.historyLength()
		p.press(kb.Enter)
		p.waitFor("the controls to move", func() bool { return p.controls() == c.Settings() })
		if got, want := p.claimStatus(), app.MovedText(at.Difference(c.Settings())); got != want {
			t.Errorf("claim %d: %q, want %q", i, got, want)
		}
		if got := p.focusedID(); got != id {
			t.Errorf("claim %d: the focus went from %q to %q", i, id, got)
		}
		if n := p.historyLength() - length; n != 1 {
			t.Errorf("claim %d: %d entries of history", i, n)
		}
		if got := evalTo[[]bool](p, `[...document.querySelectorAll(".claims li")].map(li => li.getAttribute("aria-current") === "true")`); !slices.Equal(got, only(i, len(claims))) {
			t.Errorf("claim %d: current are %v", i, got)
		}
		p.press(kb.Enter)
		p.waitFor("word that nothing moves", func() bool {
			return p.claimStatus() == "Nothing to move: the page is in this state already."
		})
		if p.historyLength() != length+1 {
			t.Errorf("claim %d: setting it again makes history", i)
		}
		at = c.Settings()
	}
	for i := len(claims) - 2; i >= 0; i-- {
		p.eval("history.back()")
		p.waitFor("Back to the claim before", func() bool { return p.controls() == claims[i].Settings() })
	}
}

// claimStatus is the status line beside the button that has the focus.
func (p *page) claimStatus() string {
	p.t.Helper()
	return evalTo[string](p, `document.activeElement.parentElement.querySelector("[role=status]").innerText`)
}

func only(i, n int) []bool {
	list := make([]bool, n)
	list[i] = true
	return list
}

// The marks and names of the claims: each button is called after its recipe,
// and each claim is seen to hold.
func TestClaimsHold(t *testing.T) {
	p := open(t, serve(t, dist))
	n := 0
	for _, step := range fixture.WalkThrough() {
		for _, c := range step.Claims {
			n++
			p.get("region", step.Heading).get("button", "Set this state From the opening state: "+app.Recipe(c.Changes))
			run := fixture.Run(c.Settings())
			if c.Unwanted != run.Metrics().Unwanted || len(c.Blocked) != blockedIn(run) {
				t.Errorf("%s does not hold", c.Says)
			}
		}
	}
	if got := strings.Count(evalTo[string](p, "document.body.innerText"), "Holds in the engine"); got != n {
		t.Errorf("%d of %d claims are marked as holding", got, n)
	}
}

func blockedIn(run policy.Run) int {
	n := 0
	for _, d := range run.Decisions {
		if d.Verdict == policy.Blocked {
			n++
		}
	}
	return n
}
