package browser_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	devtools "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/target"
	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

// reportOf is what the page should hand out as files, by extension.
func reportOf(t *testing.T, s fixture.Settings) map[string]string {
	t.Helper()
	var b bytes.Buffer
	r := fixture.NewReport(s)
	if err := fixture.WriteJSON(&b, r); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"csv": r.CSV(), "json": b.String()}
}

func TestDownloads(t *testing.T) {
	p := open(t, serve(t, dist))
	dir := t.TempDir()
	tab := call(p, target.GetTargetInfo, target.GetTargetInfoParams{}).TargetInfo
	call(p, devtools.SetDownloadBehavior, devtools.SetDownloadBehaviorParams{
		Behavior: devtools.SetDownloadBehaviorBehaviorAllow, BrowserContextID: tab.BrowserContextID, DownloadPath: dir,
	})
	for _, s := range []fixture.Settings{fixture.Opening(), allowlisted.With(fixture.Change{Key: "force-dns", Value: "1"})} {
		p.setTo(s)
		for extension, want := range reportOf(t, s) {
			name := s.FileName() + "." + extension
			p.test(name, func() {
				p.takeaway("Download " + strings.ToUpper(extension)).click()
				p.waitFor("the page to name the file", func() bool {
					return p.takenAway() == "The browser saves it as "+name+"."
				})
				var got []byte
				p.waitFor(name+" to arrive", func() bool {
					var err error
					got, err = os.ReadFile(filepath.Join(dir, name))
					return err == nil && len(got) >= len(want)
				})
				if diff := cmp.Diff(want, string(got)); diff != "" {
					p.t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// What was said of one run does not stay beside the next.
func TestTakeawayForgets(t *testing.T) {
	p := open(t, serve(t, dist))
	p.eval(`window.print = () => { window.printed = (window.printed ?? 0) + 1 }`)
	p.eval(noClipboard + noExecCommand)
	p.takeaway("Copy as Markdown").click()
	p.get("textbox", "The table as Markdown")
	p.set(fixture.Change{Key: "policy", Value: "deny-all"})
	p.waitFor("the text to go", func() bool { return len(p.all(nil, "textbox", "The table as Markdown")) == 0 })
	if got, want := p.takenAway(), "The JSON is what sixways run --json prints for these settings."; got != want {
		t.Errorf("the note says %q, want %q", got, want)
	}

	p.takeaway("Print").click()
	p.waitFor("the print dialogue", func() bool { return p.eval("window.printed") == 1.0 })
}

const (
	noClipboard   = `Object.defineProperty(navigator, "clipboard", {value: undefined, configurable: true});`
	noExecCommand = `document.execCommand = () => false;`
)

func TestCopyAsMarkdown(t *testing.T) {
	p := open(t, serve(t, dist))
	want := fixture.NewReport(fixture.Opening()).Markdown()
	const copied = "Copied the table as Markdown."

	p.test("through the clipboard", func() {
		p.eval(`navigator.clipboard.writeText = async (text) => { window.copied = text }`)
		p.takeaway("Copy as Markdown").click()
		p.waitFor("word of it", func() bool { return p.takenAway() == copied })
		if diff := cmp.Diff(want, p.eval("window.copied")); diff != "" {
			p.t.Errorf("(-want +got):\n%s", diff)
		}
	})

	for name, broken := range map[string]string{
		"refused": `navigator.clipboard.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));`,
		"missing": noClipboard,
	} {
		p.test("through a selection where the clipboard is "+name, func() {
			p.visit(p.address)
			p.eval(broken + `document.addEventListener("copy", () => { window.copied = document.activeElement.value })`)
			p.takeaway("Copy as Markdown").click()
			p.waitFor("word of it", func() bool { return p.takenAway() == copied })
			if diff := cmp.Diff(want, p.eval("window.copied")); diff != "" {
				p.t.Errorf("(-want +got):\n%s", diff)
			}
			if len(p.all(nil, "textbox", "The table as Markdown")) > 0 {
				p.t.Error("the text stays on the page")
			}
			if got := p.eval("document.activeElement.innerText"); got != "Copy as Markdown" {
				p.t.Errorf("the focus is at %q", got)
			}
		})
	}

	p.test("by hand where nothing else works", func() {
		p.visit(p.address)
		p.eval(noClipboard + noExecCommand)
		p.takeaway("Copy as Markdown").click()
		area := p.get("textbox", "The table as Markdown")
		p.waitFor("word of what to do", func() bool { return strings.Contains(p.takenAway(), "copy it with Ctrl+C") })
		got := area.js(`return [document.activeElement === this, this.value.slice(this.selectionStart, this.selectionEnd)]`)
		if diff := cmp.Diff([]any{true, want}, got); diff != "" {
			p.t.Errorf("focus and selection (-want +got):\n%s", diff)
		}
	})
}

// While answers are covered the buttons that hold them do nothing but say why.
func TestTakeawayIsHeldBack(t *testing.T) {
	p := open(t, serve(t, dist)+"#predict=1")
	p.eval(`URL.createObjectURL = () => { window.handedOut = true; return "" };
		navigator.clipboard.writeText = async () => { window.handedOut = true }`)
	const why = "Files and the copy hold the answers, and are held back until the verdict."
	for _, name := range []string{"Download CSV", "Download JSON", "Copy as Markdown"} {
		button := p.takeaway(name)
		if got := axText(button.ax().Description); got != why {
			t.Errorf("%s is described as %q, want %q", name, got, why)
		}
		button.click()
	}
	p.eval("new Promise(done => setTimeout(done, 200))")
	if p.eval("window.handedOut === true") == true || p.takenAway() != why {
		t.Errorf("the answers were handed out; the note says %q", p.takenAway())
	}
	for range 7 {
		p.get("button", "Next event").click()
	}
	p.waitFor("the reason to go", func() bool { return p.takenAway() != why })
	p.takeaway("Copy as Markdown").click()
	p.waitFor("the copy", func() bool { return p.eval("window.handedOut === true") == true })
}

func (p *page) takeaway(button string) *node {
	p.t.Helper()
	return p.get("group", "Take it away").get("button", button)
}

// takenAway is what the group's live region says.
func (p *page) takenAway() string {
	p.t.Helper()
	return p.get("group", "Take it away").get("status", "").text()
}
