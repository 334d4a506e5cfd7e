package browser_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"sixways/app"
	"sixways/fixture"
	"sixways/policy"
)

// allowlisted is the setting of most of these tests: the first attempt gets
// out, three stay in, two get out.
var allowlisted = fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"})

func TestPredictFirst(t *testing.T) {
	p := open(t, serve(t, dist))
	run := fixture.Run(allowlisted)

	p.test("it is off, and turned on by its checkbox", func() {
		p.set(fixture.Change{Key: "policy", Value: "allowlist"})
		p.get("button", "Preview the changes").click()
		p.get("table", "Preview of the changes")
		p.drag("24")
		if len(p.all(nil, "group", "Your predictions")) > 0 || strings.Contains(p.hash(), "predict") {
			p.t.Fatalf("predictions are on, at %s", p.hash())
		}
		p.get("checkbox", "Predict first").click()
		p.get("group", "Your predictions")
		p.waitForHash("#v=1&policy=allowlist&task-api=1&force-dns=0&block-metadata=0&loopback=1&t=0&speed=1&predict=1")
	})

	p.test("nothing gives an answer away before its event", func() {
		p.expectCovered(allowlisted, 0)
		p.expectNoAnswer()
		for item := range 6 {
			// The picture explains what has the focus.
			p.eval(`document.getElementById("picture-wide-` + strconv.Itoa(item) + `").focus()`)
			p.expectNoAnswer()
		}
	})

	p.test("marks are made with the mouse", func() {
		p.predict("ooii  ")
		p.expectMarks("ooii  ")
	})

	p.test("and with the keyboard alone", func() {
		p.guess(0).get("radio", "gets out").focus()
		p.press(kb.ArrowDown)
		p.expectMarks("ioii  ")
		p.press(kb.ArrowDown)
		p.press(kb.Tab)
		p.press(kb.Tab)
		p.press(kb.Tab)
		p.press(kb.Tab)
		p.press(" ")
		p.expectMarks("ooiio ")
	})

	p.test("marks uncover nothing", func() {
		p.expectCovered(allowlisted, 0)
		p.expectNoAnswer()
	})

	p.test("Restart before the first event keeps the marks", func() {
		p.drag("5")
		p.get("button", "Restart").click()
		p.waitFor("the start", func() bool { return p.second() == 0 })
		p.expectMarks("ooiio ")
	})

	p.test("each event uncovers one answer, and says how the mark met it", func() {
		met := []string{
			"api.partner.example Partner API You: gets out Right",
			"pypi.org Package index You: gets out Wrong",
			"203.0.113.10 Raw IP address You: stays in Right",
			"169.254.169.254 Cloud metadata You: stays in Right",
			"onswg4tfoqwxi33lmvxa.exfil.attacker.test DNS query You: gets out Right",
			"127.0.0.1 Loopback sidecar You: no mark Not predicted",
		}
		spoken := []string{"Your prediction was right.", "Your prediction was wrong.", "Your prediction was right.",
			"Your prediction was right.", "Your prediction was right.", "You had not predicted it."}
		for i := range run.Decisions {
			p.get("button", "Next event").click()
			p.expectCovered(allowlisted, i+1)
			p.waitFor(met[i], func() bool { return p.met()[i] == met[i] })
			for j, covered := range p.met()[i+1:] {
				if want := " Covered until " + strconv.Itoa(run.EventAt(i+1+j)) + " s"; !strings.HasSuffix(covered, want) {
					p.t.Errorf("after %d events: %q, want it to end in %q", i+1, covered, want)
				}
			}
			if got := p.eval(`document.getElementById("said").textContent`).(string); !strings.HasSuffix(got, spoken[i]) {
				p.t.Errorf("event %d is told as %q, want it to end in %q", i, got, spoken[i])
			}
			everything := strings.Join(p.everything(), "\n")
			for _, d := range run.Decisions[i+1:] {
				if strings.Contains(everything, d.Reason()) || strings.Contains(everything, d.Attempt.Destination.String()+" "+d.Verdict.String()) {
					p.t.Errorf("after %d events the page holds what becomes of %s", i+1, d.Attempt.Destination)
				}
			}
			if p.score() != "" {
				p.t.Errorf("a score before the verdict: %q", p.score())
			}
		}
	})

	p.test("the marks are closed", func() {
		if n := len(p.all(nil, "radio", "")); n > 0 {
			p.t.Errorf("%d radio buttons after the first event", n)
		}
	})

	p.test("the verdict uncovers the whole, and scores", func() {
		p.get("button", "Next event").click()
		p.waitFor("the score", func() bool { return p.score() != "" })
		if got, want := p.score(), "Your score: 4 of 6 right, 1 wrong, 1 not predicted."; got != want {
			p.t.Errorf("score %q, want %q", got, want)
		}
		p.expectCovered(allowlisted, 7)
	})

	p.test("what was uncovered stays so when the reader goes back in time", func() {
		p.drag("8")
		p.expectCovered(allowlisted, 7)
		p.drag("0")
		p.expectCovered(allowlisted, 7)
		if n := len(p.all(nil, "radio", "")); n > 0 {
			p.t.Errorf("the marks are open again")
		}
	})

	p.test("the round prints", func() {
		call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		defer call(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
		text := p.bodyText()
		for _, want := range []string{"Your score: 4 of 6 right", "You: gets out Wrong"} {
			if !strings.Contains(text, want) {
				p.t.Errorf("paper does not say %q", want)
			}
		}
		if strings.Contains(text, "Predict first") || strings.Contains(text, "Download CSV") {
			p.t.Error("paper shows controls")
		}
	})

	p.test("Restart begins a new round", func() {
		p.get("button", "Restart").click()
		p.expectMarks("      ")
		p.expectCovered(allowlisted, 0)
		p.expectNoAnswer()
	})

	p.test("so does a changed control", func() {
		p.predict("oooooo")
		p.get("button", "Next event").click()
		p.expectCovered(allowlisted, 1)
		p.set(fixture.Change{Key: "loopback", Value: "0"})
		p.expectMarks("      ")
		p.expectCovered(allowlisted.With(fixture.Change{Key: "loopback", Value: "0"}), 0)
		p.expectNoAnswer()
	})

	p.test("the first event leaves the keyboard's focus at the predictions", func() {
		p.guess(2).get("radio", "stays in").focus()
		p.get("button", "Next event").js("this.click()")
		p.waitFor("the marks to close", func() bool { return len(p.all(nil, "radio", "")) == 0 })
		if got := p.eval("document.activeElement.id"); got != "predictions" {
			p.t.Errorf("the focus is at %q", got)
		}
	})
}

func TestPredictFirstAddress(t *testing.T) {
	address := serve(t, dist)
	p := open(t, address+"#policy=allowlist&predict=1&t=40")

	p.test("an address opens the mode, at the start of a round", func() {
		p.expectCovered(allowlisted, 0)
		p.expectNoAnswer()
		if p.second() != 0 || p.get("checkbox", "Predict first").js("return this.checked") != true {
			p.t.Errorf("at %d s, the checkbox %v", p.second(), p.get("checkbox", "Predict first").js("return this.checked"))
		}
		if !strings.Contains(p.hash(), "&t=0&") {
			p.t.Errorf("the address still says %s", p.hash())
		}
	})

	p.test("a speed is no new round", func() {
		p.predict("o     ")
		p.get("button", "Next event").click()
		p.expectCovered(allowlisted, 1)
		p.get("combobox", "Speed").choose("2×")
		p.do(chromedp.NavigateBack())
		p.waitFor("the speed before", func() bool { return p.get("combobox", "Speed").js("return this.value") == "1" })
		p.expectCovered(allowlisted, 1)
	})

	p.test("Back to where an earlier round came uncovers nothing", func() {
		p.get("button", "Next event").click()
		p.expectCovered(allowlisted, 2)
		p.get("combobox", "Speed").choose("2×")
		p.get("button", "Restart").click()
		p.expectCovered(allowlisted, 0)
		p.predict("  i   ")
		p.do(chromedp.NavigateBack())
		p.waitFor("the speed before", func() bool { return p.get("combobox", "Speed").js("return this.value") == "1" })
		p.expectCovered(allowlisted, 0)
		p.expectMarks("  i   ")
	})

	p.test("Back to other settings begins a round, and Forward another", func() {
		p.set(fixture.Change{Key: "loopback", Value: "0"})
		for _, step := range []string{"back", "forward", "back"} {
			before := p.controls()
			p.eval("history." + step + "()")
			p.waitFor("the other settings", func() bool { return p.controls() != before })
			if said := p.node(`document.getElementById("said")`).text(); !strings.HasPrefix(said, "A new round") {
				p.t.Errorf("said %q", said)
			}
		}
		p.expectCovered(allowlisted, 0)
	})

	p.test("turning it off uncovers everything, and Back begins a round", func() {
		p.get("checkbox", "Predict first").click()
		p.expectCovered(allowlisted, 7)
		if strings.Contains(p.hash(), "predict") {
			p.t.Errorf("the address still says %s", p.hash())
		}
		p.do(chromedp.NavigateBack())
		p.expectCovered(allowlisted, 0)
		p.expectMarks("      ")
		p.expectNoAnswer()
	})

	p.test("playing uncovers as the steps do", func() {
		p.get("combobox", "Speed").choose("4×")
		p.get("button", "Play").click()
		p.expectCovered(allowlisted, 1)
		p.get("button", "Pause").click()
	})

	p.test("a bad value is named, and the mode stays off", func() {
		p.visit(address + "#predict=maybe")
		p.waitFor("the notice", func() bool {
			return strings.Contains(p.bodyText(), `predict: "maybe" is no switch; want 1, 0, true or false; predict=0 is used.`)
		})
		p.expectCovered(fixture.Opening(), 7)
	})
}

// The buttons stay under the pointer while a round goes on, also where lines
// wrap.
func TestPredictFirstKeepsItsPlace(t *testing.T) {
	p := open(t, serve(t, dist)+"#policy=allowlist&predict=1")
	for _, width := range []int64{1280, 320} {
		p.test(strconv.FormatInt(width, 10)+" px", func() {
			p.size(width, 900, 1)
			p.get("button", "Restart").click()
			p.expectMarks("      ")
			p.predict("oo    ")
			height := func() any { return p.get("group", "Your predictions").js("return this.offsetHeight") }
			before := height()
			for n := range 7 {
				p.get("button", "Next event").click()
				p.expectCovered(allowlisted, n+1)
				if after := height(); after != before {
					p.t.Errorf("after %d events the predictions are %v px high, %v before", n+1, after, before)
				}
			}
			if wide := p.eval("document.documentElement.scrollWidth"); wide != float64(width) {
				p.t.Errorf("the page is %v px wide", wide)
			}
		})
	}
}

// guess is the pair of marks of an attempt.
func (p *page) guess(i int) *node {
	p.t.Helper()
	d := fixture.Run(fixture.Opening()).Decisions[i]
	return p.get("group", d.Attempt.Destination.String()+" "+fixture.WayOf(i).Name)
}

// predict marks the attempts with the mouse: o gets out, i stays in.
func (p *page) predict(marks string) {
	p.t.Helper()
	for i, m := range marks {
		if name := map[rune]string{'o': "gets out", 'i': "stays in"}[m]; name != "" {
			p.guess(i).get("radio", name).click()
		}
	}
}

func (p *page) expectMarks(want string) {
	p.t.Helper()
	got := ""
	p.waitFor("the marks "+want, func() bool {
		got = evalTo[string](p, `[...document.querySelectorAll("#predictions fieldset")].map(f => "oi"[[...f.querySelectorAll("input")].findIndex(r => r.checked)] ?? " ").join("")`)
		return got == want
	})
}

// met are the rows of the predictions after the first event.
func (p *page) met() []string {
	p.t.Helper()
	return texts[[]string](p.get("group", "Your predictions"), `[...this.querySelectorAll("li")].map(text)`)
}

// score is what the live region of the predictions says.
func (p *page) score() string {
	p.t.Helper()
	return p.get("group", "Your predictions").get("status", "").text()
}

// expectCovered waits until the table shows the first answers alone, and then
// wants the same of all the rest: the whole comes with the seventh event.
func (p *page) expectCovered(s fixture.Settings, events int) {
	p.t.Helper()
	run := fixture.Run(s)
	var want [][]string
	for i, d := range run.Decisions {
		decision, reason := "Covered", "Covered until its event at "+strconv.Itoa(d.Attempt.At)+" s."
		if i < events {
			decision, reason = verdict(d), d.Layer.String()+" · "+d.Rule.Text+" "+d.Reason()+" "+app.FlipsText(s, i)
		}
		want = append(want, []string{decision, reason})
	}
	var got [][]string
	for end := 0; end < 200; end++ {
		got = nil
		for _, row := range p.rows() {
			got = append(got, row[2:4])
		}
		if cmp.Equal(want, got) {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Fatalf("after %d events (-want +got):\n%s", events, diff)
	}
	covering := events < run.Events()
	for term, value := range p.metrics() {
		if (value == "Covered") != covering {
			p.t.Errorf("after %d events: %s is %q", events, term, value)
		}
	}
	if outcome := p.get("region", "Your experiment").js(`return this.querySelector(".outcome").innerText.trim()`); (outcome == "Covered until the verdict.") != covering {
		p.t.Errorf("after %d events the experiment says %q", events, outcome)
	}
	for _, name := range []string{"Download CSV", "Download JSON", "Copy as Markdown"} {
		if held := property(p.get("button", name).ax(), "disabled") == "true"; held != covering {
			p.t.Errorf("after %d events %s is held back: %v", events, name, held)
		}
	}
}

// answer is a word that no part of the page has to say before its event.
// "Attempts blocked" is a metric's name.
var answer = regexp.MustCompile(`(?i)\b(allowed|blocked|refuse[sd]?|leaking|contained|unwanted egress [0-9]|preview:|closed by|no single control|[0-9]+ of the 48|unwanted ways? out|task (works|fails)|` + layersThatDecide() + `)\b`)

// layersThatDecide are the layers' names as a decision bears them.
func layersThatDecide() string {
	var names []string
	for _, d := range []policy.Layer{policy.LayerNamespace, policy.LayerOutsideResolver, policy.LayerPolicyResolver, policy.LayerLinkLocal, policy.LayerProxy} {
		names = append(names, "by the "+d.String(), d.String()+" ·")
	}
	return strings.Join(names, "|")
}

// expectNoAnswer searches everything for what would be an answer.
func (p *page) expectNoAnswer() {
	p.t.Helper()
	for _, part := range p.everything() {
		if found := answer.FindString(strings.ReplaceAll(part, "Attempts blocked", "")); found != "" {
			p.t.Errorf("%q gives away %q", part, found)
		}
	}
}

// everything are the texts of the whole document, hidden parts and attributes
// too, and of the whole accessibility tree.
func (p *page) everything() []string {
	p.t.Helper()
	parts := evalTo[[]string](p, `(() => {
		const parts = [];
		for (const e of document.querySelectorAll("body, body *")) {
			for (const a of e.attributes) parts.push(a.value);
			for (const c of e.childNodes) if (c.nodeType === Node.TEXT_NODE) parts.push(c.data);
			if ("value" in e) parts.push(String(e.value));
		}
		return parts;
	})()`)
	for _, n := range call(p, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{}).Nodes {
		parts = append(parts, axText(n.Name), axText(n.Description), axText(n.Value))
	}
	if len(parts) < 500 {
		p.t.Fatalf("only %d texts to search", len(parts))
	}
	return parts
}
