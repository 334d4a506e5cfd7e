package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"sixways/fixture"
)

const openingFragment = "#v=1&policy=denylist&task-api=1&force-dns=0&block-metadata=0&loopback=1&t=0&speed=1"

// Each deliberate change writes the whole state into the fragment.
func TestAddressFollowsThePage(t *testing.T) {
	p := open(t, serve(t, dist))
	if hash := p.eval("location.hash"); hash != "" {
		t.Errorf("the address begins as %q", hash)
	}
	for _, step := range []struct {
		change string
		do     func()
		want   string
	}{
		{"policy", func() { p.set(fixture.Change{Key: "policy", Value: "allowlist"}) },
			"#v=1&policy=allowlist&task-api=1&force-dns=0&block-metadata=0&loopback=1&t=0&speed=1"},
		{"checkbox", func() { p.set(fixture.Change{Key: "task-api", Value: "0"}) },
			"#v=1&policy=allowlist&task-api=0&force-dns=0&block-metadata=0&loopback=1&t=0&speed=1"},
		{"speed", func() { p.get("combobox", "Speed").choose("4×") },
			"#v=1&policy=allowlist&task-api=0&force-dns=0&block-metadata=0&loopback=1&t=0&speed=4"},
		{"Next event", func() { p.get("button", "Next event").click() },
			"#v=1&policy=allowlist&task-api=0&force-dns=0&block-metadata=0&loopback=1&t=8&speed=4"},
		{"slider", func() { p.get("slider", "Inspection time").focus(); p.press(kb.End) },
			"#v=1&policy=allowlist&task-api=0&force-dns=0&block-metadata=0&loopback=1&t=60&speed=4"},
		{"Restart", func() { p.get("button", "Restart").click() },
			"#v=1&policy=allowlist&task-api=0&force-dns=0&block-metadata=0&loopback=1&t=0&speed=4"},
	} {
		step.do()
		p.waitForHash(step.want)
	}

	p.test("Pause and the end write where the replay stands", func() {
		p.enter("t=2&speed=4")
		p.get("button", "Play").click()
		p.waitFor("a second to pass", func() bool { return p.second() > 2 })
		p.get("button", "Pause").click()
		p.get("button", "Play")
		at := p.second()
		if state, _ := fixture.ParseAddress("", strings.TrimPrefix(p.hash(), "#")); state.Second != at {
			p.t.Errorf("paused at %d s, the address says %d", at, state.Second)
		}
		p.enter("t=59&speed=4")
		p.get("button", "Play").click()
		p.waitForHash("#v=1&policy=denylist&task-api=1&force-dns=0&block-metadata=0&loopback=1&t=60&speed=4")
	})
}

// A pasted address restores all that it carries, and does not play.
func TestAddressRestores(t *testing.T) {
	p := blank(t, serve(t, dist))
	for _, test := range []struct{ rule, rest, state string }{
		{"the fragment", "#v=1&policy=allowlist&task-api=0&force-dns=1&block-metadata=1&loopback=0&t=24&speed=2", ""},
		{"a part of it", "#policy=deny-all&t=60", ""},
		{"words for checkboxes", "#loopback=false&force-dns=true&t=8", "loopback=0&force-dns=1&t=8"},
		{"the query", "?policy=allowlist&t=16&speed=0.5", "policy=allowlist&t=16&speed=0.5"},
		{"the fragment wins over the query", "?policy=allowlist&force-dns=1&t=16#policy=deny-all&t=0", "policy=deny-all&force-dns=1&t=0"},
		{"a place in the page is no state", "?policy=deny-all#metrics", "policy=deny-all"},
	} {
		p.test(test.rule, func() {
			if test.state == "" {
				test.state = test.rest[1:]
			}
			want, problems := fixture.ParseAddress("", test.state)
			if len(problems) > 0 {
				p.t.Fatal(problems)
			}
			p.visit(p.address + test.rest)
			if got := p.controls(); got != want.Settings {
				p.t.Errorf("the controls stand at %v, want %v", got, want.Settings)
			}
			if got := p.get("combobox", "Speed").js("return this.value"); got != fixture.FormatSpeed(want.Speed) {
				p.t.Errorf("speed %v, want %v", got, want.Speed)
			}
			p.expectAt(want.Settings, want.Second)
			p.expectTable(want.Settings)
			p.get("button", "Play")
			p.expectStill()
			if n := len(p.all(nil, "alert", "")); n > 0 {
				p.t.Errorf("%d alerts over a good address", n)
			}
		})
	}
}

// What cannot be used is named, with what is used instead; nothing else is lost.
func TestAddressNamesBadValues(t *testing.T) {
	p := open(t, serve(t, dist)+"?colour=red#policy=open&t=99&speed=3&force-dns=maybe&loopback=0&block-metadata=1")
	alert := p.get("alert", "")
	text := alert.text()
	for _, want := range []string{
		`"colour" is not known`, `"open" is no policy`, "policy=denylist is used",
		`"99" is no inspection time`, "t=0 is used", `"3" is no speed`, "speed=1 is used",
		`"maybe"`, "force-dns=0 is used",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the notice does not say %s: %q", want, text)
		}
	}
	s := fixture.Opening().With(fixture.Change{Key: "loopback", Value: "0"}, fixture.Change{Key: "block-metadata", Value: "1"})
	if got := p.controls(); got != s {
		t.Errorf("the controls stand at %v, want %v", got, s)
	}
	p.expectAt(s, 0)

	alert.get("button", "Dismiss").click()
	p.waitFor("the notice to go", func() bool { return len(p.all(nil, "alert", "")) == 0 })
	if got := p.controls(); got != s {
		t.Errorf("Dismiss moved the controls to %v", got)
	}
	p.get("button", "Next event").click()
	p.expectAt(s, 8)

	p.test("text in an address is shown as text", func() {
		p.visit(p.address + "#policy=%3Cimg%20src%3Dx%3E")
		if text := p.get("alert", "").text(); !strings.Contains(text, "<img src=x>") {
			p.t.Errorf("the notice reads %q", text)
		}
	})

	p.test("a changed control takes the notice away", func() {
		p.set(fixture.Change{Key: "force-dns", Value: "1"})
		p.waitFor("the notice to go", func() bool { return len(p.all(nil, "alert", "")) == 0 })
	})

	p.test("what is no state and no place is named", func() {
		plain, _, _ := strings.Cut(p.address, "?")
		for _, junk := range []string{"junk", "allowlist", "%zz"} {
			p.visit(plain + "#" + junk)
			if text := p.get("alert", "").text(); !strings.Contains(text, fmt.Sprintf("%q is no part of this page, and no state", junk)) {
				p.t.Errorf("%s: the notice reads %q", junk, text)
			}
		}
		p.enter("policy=deny-all&t=16")
		p.eval(`location.hash = "junk"`)
		p.get("alert", "")
		p.expectAt(fixture.Opening().With(fixture.Change{Key: "policy", Value: "deny-all"}), 16)
	})

	p.test("the page's start is a place", func() {
		plain, _, _ := strings.Cut(p.address, "?")
		p.visit(plain + "#Top")
		p.expectAt(fixture.Opening(), 0)
		if notices := p.all(nil, "alert", ""); len(notices) > 0 {
			p.t.Errorf("a notice: %q", notices[0].text())
		}
	})

	// Go's parser of URLs takes no such address.
	p.test("a percent sign that begins no escape", func() {
		opening := fixture.Opening()
		for _, part := range []string{"policy=allowlist%", "policy=%E0%A4%A", "policy=%zz"} {
			p.visit(p.address + "#" + part + "&loopback=0")
			if text := p.get("alert", "").text(); !strings.Contains(text, "is no policy; want") {
				p.t.Errorf("%s: the notice reads %q", part, text)
			}
			if got, want := p.controls(), opening.With(fixture.Change{Key: "loopback", Value: "0"}); got != want {
				p.t.Errorf("%s: the controls stand at %v, want %v", part, got, want)
			}
		}
		p.eval(`location.hash = "#policy=deny-all%&force-dns=1"`)
		s := opening.With(fixture.Change{Key: "force-dns", Value: "1"})
		p.waitFor("the edited address", func() bool { return p.controls() == s })
		p.get("button", "Next event").click()
		p.expectAt(s, 8)
	})
}

// Back and Forward follow what the reader did, and not the clock.
func TestAddressHistory(t *testing.T) {
	p := open(t, serve(t, dist))
	opening := fixture.Opening()
	allowlist := opening.With(fixture.Change{Key: "policy", Value: "allowlist"})
	contained := allowlist.With(fixture.Change{Key: "force-dns", Value: "1"})

	p.test("Back and Forward follow the controls", func() {
		p.set(fixture.Change{Key: "policy", Value: "allowlist"})
		p.set(fixture.Change{Key: "force-dns", Value: "1"})
		p.waitForSettings(contained)
		p.do(chromedp.NavigateBack())
		p.waitForSettings(allowlist)
		p.do(chromedp.NavigateBack())
		p.waitForSettings(opening)
		p.do(chromedp.NavigateForward())
		p.waitForSettings(allowlist)
		p.do(chromedp.NavigateForward())
		p.waitForSettings(contained)
		p.expectTable(contained)
	})

	p.test("two changes before a frame comes are two steps back", func() {
		p.enter("policy=denylist")
		before := p.historyLength()
		p.eval(`document.getElementById("force-dns").click(); document.getElementById("block-metadata").click()`)
		p.settle()
		one := opening.With(fixture.Change{Key: "force-dns", Value: "1"})
		p.waitForSettings(one.With(fixture.Change{Key: "block-metadata", Value: "1"}))
		if n := p.historyLength() - before; n != 2 {
			p.t.Errorf("%d entries of history", n)
		}
		p.do(chromedp.NavigateBack())
		p.waitForSettings(one)
		p.do(chromedp.NavigateBack())
		p.waitForSettings(opening)
	})

	p.test("ticks, steps and scrubs add nothing to go back through", func() {
		entries := p.eval("history.length")
		p.enter("v=1&policy=allowlist&task-api=1&force-dns=1&block-metadata=0&loopback=1&t=5&speed=4")
		before := p.eval("history.length")
		if before == entries {
			p.t.Error("history.length cannot tell: it did not grow with a new address")
		}
		p.get("button", "Play").click()
		p.waitFor("an event", func() bool { return p.second() > 8 })
		p.get("button", "Pause").click()
		p.get("button", "Next event").click()
		p.drag("30")
		p.get("button", "Restart").click()
		p.expectAt(contained, 0)
		if after := p.eval("history.length"); after != before {
			p.t.Errorf("history grew from %v to %v", before, after)
		}
	})

	p.test("Back while it plays returns to before, and pauses", func() {
		p.enter("policy=deny-all&t=3")
		p.set(fixture.Change{Key: "policy", Value: "allowlist"})
		p.waitForSettings(allowlist)
		p.get("button", "Play").click()
		p.get("button", "Pause")
		p.do(chromedp.NavigateBack())
		p.waitForSettings(opening.With(fixture.Change{Key: "policy", Value: "deny-all"}))
		p.get("button", "Play")
		p.expectAt(opening.With(fixture.Change{Key: "policy", Value: "deny-all"}), 3)
		p.expectStill()
	})

	p.test("an edited fragment is followed, bad values and all", func() {
		p.eval(`location.hash = "policy=nothing&loopback=0"`)
		p.waitForSettings(opening.With(fixture.Change{Key: "loopback", Value: "0"}))
		p.get("alert", "")
		p.eval(`location.hash = "policy=allowlist"`)
		p.waitForSettings(allowlist)
		p.waitFor("the notice to go", func() bool { return len(p.all(nil, "alert", "")) == 0 })
	})

	p.test("a link to a place in the page keeps the state", func() {
		p.enter("policy=allowlist&force-dns=1&t=24")
		p.eval(`location.hash = "metrics"`)
		p.eval(frames)
		p.expectAt(contained, 24)
		if got := p.controls(); got != contained {
			p.t.Errorf("the controls moved to %v", got)
		}
	})

	p.test("and Back to that place returns to its state", func() {
		p.set(fixture.Change{Key: "policy", Value: "deny-all"})
		p.waitForSettings(contained.With(fixture.Change{Key: "policy", Value: "deny-all"}))
		p.do(chromedp.NavigateBack())
		p.waitForSettings(contained)
		p.expectAt(contained, 24)
	})

	p.test("and a reload there keeps it", func() {
		p.reload()
		p.waitLive()
		p.waitForSettings(contained)
	})

	p.test("the page that opened at a place is what Back returns to", func() {
		p.visit(p.address + "#metrics")
		p.set(fixture.Change{Key: "policy", Value: "allowlist"})
		p.waitForSettings(allowlist)
		p.do(chromedp.NavigateBack())
		p.waitForSettings(opening)
	})
}

func (p *page) hash() string { p.t.Helper(); return p.eval("location.hash").(string) }

func (p *page) waitForHash(want string) {
	p.t.Helper()
	p.waitFor("the address to end in "+want, func() bool { return p.hash() == want })
}

func (p *page) waitForSettings(want fixture.Settings) {
	p.t.Helper()
	p.waitFor("the controls to stand at "+want.String(), func() bool { return p.controls() == want })
}
