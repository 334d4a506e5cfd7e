package browser_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
	"sixways/policy/format"
)

const (
	strict = `{"network": {"allowedDomains": ["api.partner.example"], "deniedDomains": []}, "filesystem": {"denyRead": [], "allowWrite": [], "denyWrite": []}}`
	acl    = "version: v1\nservices: []\ndefault:\n  name: default\n  project: agents\n  action: enforce\n  allowed_domains:\n    - api.partner.example\n    - \"*.partner.example\"\n"
)

// paste puts a text into the field of the policy file, as the clipboard does.
func (p *page) paste(text string) {
	p.t.Helper()
	field := p.get("textbox", "Policy file")
	field.focus()
	field.js(fmt.Sprintf(`this.select(); document.execCommand("insertText", false, %q)`, text))
}

// chooseFile chooses a file as by hand, which begins with a click.
func (p *page) chooseFile(name string) {
	p.t.Helper()
	field := p.node(`document.getElementById("check-file")`)
	field.js(`this.addEventListener("click", (e) => e.preventDefault(), { once: true }); this.click()`)
	call(p, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{name}, BackendNodeID: field.id})
}

func (p *page) waitForStatus(want string) {
	p.t.Helper()
	p.waitFor(fmt.Sprintf("the status %q", want), func() bool { return p.checkStatus() == want })
}

func (p *page) checkStatus() string {
	p.t.Helper()
	return p.eval(`document.getElementById("check-status").textContent`).(string)
}

// decided are the destinations and decisions of the six attempts under the
// reader's policy.
func (p *page) decided() map[string]string {
	p.t.Helper()
	return texts[map[string]string](p.get("table", "The six attempts under your policy"),
		`Object.fromEntries([...this.querySelectorAll("tbody tr")].map(r => [r.cells[0].textContent.trim(), r.cells[1].textContent.trim()]))`)
}

// A reader pastes a file and reads what it leaves open.
func TestCheck(t *testing.T) {
	p := open(t, serve(t, dist))

	p.test("nothing is said before there is a file", func() { p.waitForStatus("No file yet.") })

	p.test("a pasted file is recognised, read and decides", func() {
		p.paste(acl)
		p.waitFor("the attempts", func() bool { return len(p.all(nil, "table", "The six attempts under your policy")) == 1 })
		if got := p.checkStatus(); !strings.HasPrefix(got, "Read as Smokescreen access control list: ") {
			p.t.Errorf("status %q", got)
		}
		want := map[string]string{}
		f, ok := format.Recognise("", []byte(acl))
		if !ok {
			p.t.Fatal("not recognised")
		}
		file, err := f.Parse("", []byte(acl), "")
		if err != nil {
			p.t.Fatal(err)
		}
		r := format.Check(file, format.Options{Controls: fixture.Opening().Boundary(), Scenario: fixture.Scenario()})
		for _, d := range r.Run.Decisions {
			want[d.Attempt.Destination.String()] = map[string]string{"allowed": "Allowed", "blocked": "Blocked"}[d.Verdict.String()]
		}
		if diff := cmp.Diff(want, p.decided()); diff != "" {
			p.t.Errorf("decisions (-engine +page):\n%s", diff)
		}
	})

	p.test("the controls decide what the file does not speak of", func() {
		p.set(fixture.Change{Key: "loopback", Value: "0"})
		p.waitFor("the sidecar to stay in", func() bool { return p.decided()[fixture.Sidecar] == "Blocked" })
		p.set(fixture.Change{Key: "loopback", Value: "1"})
		p.waitFor("the sidecar to get out", func() bool { return p.decided()[fixture.Sidecar] == "Allowed" })
	})

	p.test("a line that decides is led to in the text", func() {
		p.get("table", "The six attempts under your policy").get("button", "Line 8").click()
		field := p.get("textbox", "Policy file")
		p.waitFor("the line to be selected", func() bool {
			return field.js(`return this.value.slice(this.selectionStart, this.selectionEnd)`) == "    - api.partner.example"
		})
	})

	p.test("the lines that decide are marked in the text", func() {
		got := texts[[]string](p.get("list", "The lines that decide"),
			`[...this.querySelectorAll("li")].map(li => li.value + (li.querySelector("mark") ? " marked: " : ": ") + li.textContent)`)
		want := []string{
			"5:   project: agents",
			"6 marked:   action: enforce decides: Package index, raw IP address, cloud metadata",
			"7:   allowed_domains:",
			"8 marked:     - api.partner.example decides: Partner API",
			`9:     - "*.partner.example"`,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			p.t.Errorf("(-want +got):\n%s", diff)
		}
	})

	p.test("a destination is tried, in any spelling", func() {
		field := p.get("textbox", "Host, host:port, URL or address, in any spelling")
		for _, input := range []string{"https://a.partner.example/x", "2852039166", "partner.example.attacker.test", "[bad"} {
			field.focus()
			field.js(`this.select()`)
			p.press(input + kb.Enter)
		}
		p.waitFor("four trials", func() bool { return len(p.trials()) == 4 })
		for i, want := range []string{"[bad Malformed", "partner.example.attacker.test Blocked", "2852039166 Blocked", "https://a.partner.example/x Allowed"} {
			if got := p.trials()[i]; !strings.HasPrefix(got, want) {
				p.t.Errorf("trial %d reads %q, want %q first", i+1, got, want)
			}
		}
	})

	p.test("a file that cannot be read keeps its text, and the place is named", func() {
		const broken = "{\n  \"network\": [\n}"
		p.paste(broken)
		p.waitFor("the place", func() bool {
			return strings.Contains(p.checkStatus(), ":3:") || strings.Contains(p.checkStatus(), "line 3")
		})
		if got := p.get("textbox", "Policy file").value(); got != broken {
			p.t.Errorf("the text is now %q", got)
		}
		if n := len(p.all(nil, "table", "The six attempts under your policy")); n != 0 {
			p.t.Error("the decisions of the file before still stand")
		}
	})

	p.test("the format can be chosen", func() {
		p.paste(strict)
		p.waitFor("srt", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as sandbox-runtime settings: ") })
		p.get("combobox", "Format").choose("Smokescreen access control list")
		p.waitFor("another reading", func() bool { return strings.Contains(p.checkStatus(), "Smokescreen access control list") })
		p.get("combobox", "Format").choose("What it looks like")
		p.waitFor("srt again", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as sandbox-runtime settings: ") })
	})

	p.test("what the task needs can be another host", func() {
		field := p.get("textbox", "Host that the task needs")
		field.focus()
		field.js(`this.select()`)
		p.press("api.other.example" + kb.Tab)
		p.waitFor("the other host", func() bool { return p.decided()["api.other.example"] == "Blocked" })
	})

	const file = `const files = new DataTransfer(); files.items.add(new File([text], name));`
	p.test("a file is chosen", func() {
		p.eval(`(() => { const [name, text] = ["srt.json", ` + fmt.Sprintf("%q", strict) + `]; ` + file + `
			const field = document.getElementById("check-file");
			field.files = files.files;
			field.dispatchEvent(new Event("change", { bubbles: true }));
		})()`)
		p.waitFor("the chosen file", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as sandbox-runtime settings: ") })
		if got := p.get("textbox", "Policy file").value(); got != strict {
			p.t.Errorf("the text is %q", got)
		}
	})

	p.test("a file is dropped", func() {
		kept := p.eval(`(() => { const [name, text] = ["acl.yaml", ` + fmt.Sprintf("%q", acl) + `]; ` + file + `
			const field = document.getElementById("check-text");
			const over = new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: files });
			const drop = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: files });
			return !field.dispatchEvent(over) && !field.dispatchEvent(drop);
		})()`)
		if kept != true {
			p.t.Error("the browser opens the file in place of the page")
		}
		p.waitFor("the dropped file", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as Smokescreen access control list: ") })
	})

	p.test("a file that is too long is named, and the text stays", func() {
		before := p.get("textbox", "Policy file").value()
		p.eval(`(() => { const [name, text] = ["long.json", " ".repeat(5e6)]; ` + file + `
			const field = document.getElementById("check-file");
			field.files = files.files;
			field.dispatchEvent(new Event("change", { bubbles: true }));
		})()`)
		p.waitFor("the refusal", func() bool {
			return strings.HasPrefix(p.checkStatus(), "long.json is 5000000 octets long; this page reads up to ")
		})
		if got := p.get("textbox", "Policy file").value(); got != before {
			p.t.Errorf("the text is now %q", got)
		}
	})

	p.test("a file on the disk is read, and again where it has changed", func() {
		name := filepath.Join(p.t.TempDir(), "acl.yaml")
		for _, text := range []string{acl, acl + "# changed\n"} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				p.t.Fatal(err)
			}
			p.chooseFile(name)
			p.waitFor("the file", func() bool { return p.get("textbox", "Policy file").value() == text })
		}
	})

	p.test("what a textarea cannot hold is named all the same", func() {
		for text, want := range map[string]string{
			"\ufeff" + strict:   "Not read as sandbox-runtime settings. bad.json:1:1: a byte order mark (U+FEFF)",
			"{\"a\": \"\xff\"}": "Not read as sandbox-runtime settings. bad.json:1:8: octet 0xFF is no UTF-8",
		} {
			name := filepath.Join(p.t.TempDir(), "bad.json")
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				p.t.Fatal(err)
			}
			p.get("combobox", "Format").choose("sandbox-runtime settings")
			p.chooseFile(name)
			p.waitFor("what is wrong", func() bool { return strings.HasPrefix(p.checkStatus(), want) })
		}
		p.get("combobox", "Format").choose("What it looks like")
	})

	p.test("a file that cannot be read is named, and the text stays", func() {
		before := p.get("textbox", "Policy file").value()
		p.chooseFile(filepath.Join(p.t.TempDir(), "gone.json"))
		p.waitFor("the refusal", func() bool { return strings.HasPrefix(p.checkStatus(), "gone.json cannot be read: ") })
		if got := p.get("textbox", "Policy file").value(); got != before {
			p.t.Errorf("the text is now %q", got)
		}
	})

	p.test("a host that is none stays named, whatever comes of the text", func() {
		p.paste(strict)
		needed := p.get("textbox", "Host that the task needs")
		needed.js(`this.value = "a..b"; this.dispatchEvent(new Event("change", { bubbles: true }))`)
		named := func() bool { return strings.HasPrefix(p.checkStatus(), "Host that the task needs: ") }
		p.waitFor("its name", named)
		p.paste(acl)
		p.get("textbox", "Policy file").js(`this.dispatchEvent(new Event("change", { bubbles: true }))`)
		p.settle()
		if !named() {
			p.t.Errorf("the status is now %q", p.checkStatus())
		}
		needed.js(`this.value = "api.partner.example"; this.dispatchEvent(new Event("change", { bubbles: true }))`)
		p.waitFor("the file to be read", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as Smokescreen") })
	})

	p.test("no nesting stops the simulator", func() {
		for _, f := range format.Formats() {
			p.get("combobox", "Format").choose(f.Label)
			for _, text := range []string{strings.Repeat("[", 9000), strings.Repeat("[", 20000), strings.Repeat("{a: ", 9000), strings.Repeat("- ", 20000)} {
				p.paste(text)
				p.waitFor("the refusal", func() bool { return strings.HasPrefix(p.checkStatus(), "Not read as "+f.Label) })
			}
		}
		p.set(fixture.Change{Key: "force-dns", Value: "1"})
		p.set(fixture.Change{Key: "force-dns", Value: "0"})
		p.get("combobox", "Format").choose("What it looks like")
	})

	p.test("every example is read", func() {
		for _, f := range format.Formats() {
			for _, e := range f.Examples {
				p.get("combobox", "Start from an example").choose(f.Label + ": " + e.Title)
				p.waitFor(e.Title, func() bool { return strings.HasPrefix(p.checkStatus(), "Read as "+f.Label+": ") })
			}
		}
		p.get("combobox", "Start from an example").choose("None")
		p.get("combobox", "Format").choose("What it looks like")
	})

	p.test("axe finds nothing", func() { p.expectNoViolations(axeSource(t)) })
}

func (p *page) trials() []string {
	p.t.Helper()
	var trials []string
	for _, item := range p.get("list", "Destinations tried").all("listitem", "") {
		trials = append(trials, item.text())
	}
	return trials
}

// The file is in the address only when the reader asks for a link, and the link
// brings it back.
func TestCheckLink(t *testing.T) {
	p := open(t, serve(t, dist))
	p.paste(acl)
	p.waitFor("the file to be read", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as Smokescreen") })
	p.set(fixture.Change{Key: "force-dns", Value: "1"})
	p.waitForHash("#v=1&policy=denylist&task-api=1&force-dns=1&block-metadata=0&loopback=1&t=0&speed=1")

	p.get("button", "Make a link with this file").click()
	p.waitFor("the file in the address", func() bool { return strings.Contains(p.hash(), "&file=1.") })
	if got, want := p.get("textbox", "The link").value(), p.eval("location.href"); got != want {
		t.Errorf("the link is %q, the address %q", got, want)
	}
	p.visit(p.eval("location.href").(string))
	p.waitFor("the file to be read", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as Smokescreen") })
	if got := p.get("textbox", "Policy file").value(); got != acl {
		t.Errorf("the text came back as %q", got)
	}

	p.do(chromedp.NavigateBack())
	p.waitFor("the way back", func() bool { return !strings.Contains(p.hash(), "file=") })

	p.do(chromedp.NavigateForward())
	p.paste(strict)
	p.waitFor("the file to leave the address", func() bool { return !strings.Contains(p.hash(), "file=") })

	p.test("the note goes by the address", func() {
		note := func() string { return p.eval(`document.querySelector(".check-link .note").textContent`).(string) }
		p.get("button", "Make a link with this file").click()
		p.waitFor("the link", func() bool { return strings.HasSuffix(note(), "It is in the address too.") })
		p.do(chromedp.NavigateBack())
		p.waitFor("the file to be out of it", func() bool { return strings.HasSuffix(note(), "holds the whole file.") })
		p.do(chromedp.NavigateForward())
	})

	p.test("a format that is none is named", func() {
		p.waitFor("the file in the address", func() bool { return strings.Contains(p.hash(), "&file=1.") })
		p.visit(p.eval("location.href").(string) + "&format=toml")
		p.waitForStatus(`Not read: format "toml" is not known; want one of srt, claude-code, smokescreen, harden-runner.`)
		p.get("combobox", "Format").choose("What it looks like")
		p.waitFor("the file to be read", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as sandbox-runtime settings: ") })
	})
}

// A list of a hundred thousand names is read, and one more destination decided.
func TestCheckLongList(t *testing.T) {
	p := open(t, serve(t, dist))
	p.eval(`(() => {
		const names = Array.from({length: 100000}, (_, i) => "h" + i + ".example");
		const field = document.getElementById("check-text");
		field.value = JSON.stringify({network: {allowedDomains: names, deniedDomains: []}});
		field.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
	p.waitFor("the list to be read", func() bool { return strings.HasPrefix(p.checkStatus(), "Read as sandbox-runtime settings: ") })
	field := p.get("textbox", "Host, host:port, URL or address, in any spelling")
	field.focus()
	p.press("h99999.example" + kb.Enter)
	p.waitFor("the trial", func() bool { return len(p.trials()) == 1 && strings.HasPrefix(p.trials()[0], "h99999.example Allowed") })
}
