package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"

	"sixways/fixture"
)

// A host that sends the WebAssembly as something else is understood.
func TestWrongTypeOfWebAssembly(t *testing.T) {
	for _, kind := range []string{"text/plain", "text/html", "application/octet-stream", ""} {
		t.Run("as "+strconv.Quote(kind), func(t *testing.T) {
			p := open(t, serve(t, dist, sentAs(kind, "app.wasm.gz", "app.wasm")))
			p.expectUsable()
		})
	}
}

// A host that sends the page's own script as something that browsers refuse
// to run leaves the page to be read, which says why its controls are off.
func TestWrongTypeOfScripts(t *testing.T) {
	for _, name := range []string{"boot.js", "wasm_exec.js"} {
		t.Run(name, func(t *testing.T) {
			var wrong atomic.Bool
			wrong.Store(true)
			p := blank(t, serve(t, dist, func(next http.Handler) http.Handler {
				refused := sentAs("text/plain", name)(next)
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if wrong.Load() {
						refused.ServeHTTP(w, r)
						return
					}
					next.ServeHTTP(w, r)
				})
			}))
			p.load(p.address)
			p.waitFor("the script to be refused", func() bool { return len(p.expectErrors()) > 0 })
			if name == "boot.js" {
				p.expectReadable()
				if text := p.status(); !strings.Contains(text, "wait for the simulator") {
					t.Errorf("the status says %q", text)
				}
				wrong.Store(false)
				p.reload()
			} else {
				retry := p.get("button", "Retry")
				if text := p.status(); !strings.Contains(text, name) {
					t.Errorf("the status says %q", text)
				}
				wrong.Store(false)
				retry.click()
			}
			p.waitLive()
			p.expectUsable()
			p.expectErrors()
		})
	}
}

// sentAs makes a host send some files as another type, and tell browsers not
// to look into them. They are not to be kept either: a host that is mended
// says "not modified", and with that the browser keeps the wrong type.
func sentAs(kind string, names ...string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if slices.Contains(names, filepath.Base(r.URL.Path)) {
				w.Header()["Content-Type"] = []string{kind}
				w.Header().Set("X-Content-Type-Options", "nosniff")
				w.Header().Set("Cache-Control", "no-store")
				r.Header.Del("If-Modified-Since")
			}
			next.ServeHTTP(w, r)
		})
	}
}

// Without the browser's storage the simulator works all the same.
func TestStorageRefused(t *testing.T) {
	for _, fault := range []struct{ name, script string }{
		{"full", `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };`},
		{"denied", `for (const name of ["localStorage", "sessionStorage"])
			Object.defineProperty(window, name, {get() { throw new DOMException("denied", "SecurityError"); }, configurable: true});`},
		{"switched off", `for (const name of ["localStorage", "sessionStorage"])
			Object.defineProperty(window, name, {value: null, configurable: true});`},
		{"there, and refusing all", `for (const name of ["getItem", "setItem", "removeItem", "key", "clear"])
			Storage.prototype[name] = () => { throw new DOMException("denied", "SecurityError"); };`},
	} {
		t.Run(fault.name, func(t *testing.T) {
			p := blank(t, serve(t, dist))
			p.beforeAll(fault.script)
			p.visit(p.address)
			p.expectUsable()
			p.reload()
			p.waitLive()
			p.expectUsable()
		})
	}
}

// Where the page cannot be kept for offline use it says so, works, and tries
// again when it is asked to.
func TestNotKept(t *testing.T) {
	for _, fault := range []struct {
		name   string
		script string                          // run in the page before its own
		host   func(http.Handler) http.Handler // while the fault is there
		says   string
	}{
		{name: "the worker is missing", host: instead("worker.js", http.NotFound), says: "404"},
		{name: "the worker has the wrong type", host: sentAs("text/plain", "worker.js"), says: "MIME type"},
		{name: "the browser refuses workers", script: `
			const register = navigator.serviceWorker.register.bind(navigator.serviceWorker);
			navigator.serviceWorker.register = async (...args) => {
				if (window.allowed) return register(...args);
				throw new DOMException("The operation is insecure.", "SecurityError");
			}`, says: "insecure"},
		{name: "the caches are closed", host: workerAfter(`caches.open = async () => { throw new DOMException("denied", "SecurityError"); };`), says: "storage is full or closed"},
		{name: "the caches are full", host: workerAfter(`Cache.prototype.put = async () => { throw new DOMException("full", "QuotaExceededError"); };`), says: "storage is full or closed"},
		{name: "a file of the site is missing", host: instead("manifest.webmanifest", http.NotFound), says: "a file did not come"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			var faulty atomic.Bool
			faulty.Store(true)
			p := blank(t, serve(t, dist, func(next http.Handler) http.Handler {
				if fault.host == nil {
					return next
				}
				broken := fault.host(next)
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if faulty.Load() {
						broken.ServeHTTP(w, r)
						return
					}
					next.ServeHTTP(w, r)
				})
			}))
			if fault.script != "" {
				p.beforeAll(fault.script)
			}
			p.visit(p.address)
			again := p.get("button", "Try again")
			if text := p.status(); !strings.Contains(text, "not kept for offline use") || !strings.Contains(text, fault.says) {
				t.Errorf("the status says %q, not %q", text, fault.says)
			}
			if keys := evalTo[[]string](p, "caches.keys()"); len(keys) > 0 {
				t.Errorf("these half-filled caches are left: %q", keys)
			}
			p.expectUsable()

			faulty.Store(false)
			p.eval("window.allowed = true")
			again.click()
			p.waitKept()
			if text := p.status(); !strings.HasPrefix(text, "Ready. ") || len(p.all(nil, "button", "Try again")) > 0 {
				t.Errorf("kept, the page says %q", text)
			}
			p.expectErrors() // of the worker or the file that was refused
		})
	}
}

// The browser's own quota, not a stand-in for it.
func TestQuotaExceeded(t *testing.T) {
	p := blank(t, serve(t, dist))
	quota := 100_000.0
	call(p, storage.OverrideQuotaForOrigin, storage.OverrideQuotaForOriginParams{Origin: p.origin, QuotaSize: &quota})
	p.visit(p.address)
	p.get("button", "Try again")
	p.expectUsable()
	if keys := evalTo[[]string](p, "caches.keys()"); len(keys) > 0 {
		t.Errorf("these half-filled caches are left: %q", keys)
	}
	p.expectErrors()
}

// instead answers for one file of the site in another way.
func instead(name string, answer http.HandlerFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if filepath.Base(r.URL.Path) == name {
				answer(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// workerAfter runs a script in the worker before the worker's own.
func workerAfter(script string) func(http.Handler) http.Handler {
	return instead("worker.js", func(w http.ResponseWriter, _ *http.Request) {
		own, err := os.ReadFile(filepath.Join(dist, "worker.js"))
		if err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprintf(w, "%s\n%s", script, own)
	})
}

// On a slow network the progress only grows, and says that all is there when
// it is.
func TestSlowNetwork(t *testing.T) {
	for _, encoded := range []bool{false, true} {
		t.Run(fmt.Sprintf("Content-Encoding %v", encoded), func(t *testing.T) {
			var done atomic.Bool
			p := blank(t, serve(t, dist, instead("app.wasm.gz", func(w http.ResponseWriter, r *http.Request) {
				if encoded {
					w.Header().Set("Content-Encoding", "gzip")
				}
				w.Header().Set("Content-Type", "application/wasm")
				trickle(w, r, filepath.Join(dist, "app.wasm.gz"), &done)
			})))
			p.beforeAll(`window.said = [];
				const watch = () => {
					const text = document.getElementById("boot-status")?.textContent;
					if (text && text !== said.at(-1)) said.push(text);
				};
				new MutationObserver(watch).observe(document, {childList: true, subtree: true, characterData: true});`)
			p.load(p.address)
			sawWhole := false
			p.waitFor("the controls to be live", func() bool {
				starting := strings.HasPrefix(p.status(), "Starting")
				if starting && !done.Load() {
					sawWhole = true
				}
				return p.eval(`document.documentElement.hasAttribute("data-live")`) == true
			})
			if sawWhole {
				t.Error("the page said that all had come before the last piece was sent")
			}
			said := evalTo[[]string](p, "said")
			if percents := percents(t, said); len(percents) < 4 || !slices.IsSorted(percents) || slices.Max(percents) > 99 {
				t.Errorf("the progress went %v", percents)
			}
			if !slices.ContainsFunc(said, func(s string) bool { return strings.HasPrefix(s, "Starting") }) {
				t.Errorf("the page said %q", said)
			}
			p.expectUsable()
		})
	}
}

// trickle sends a file in pieces, and notes when it sends the last one.
func trickle(w http.ResponseWriter, r *http.Request, file string, done *atomic.Bool) {
	b, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	out := http.NewResponseController(w)
	const pieces = 12
	for piece := range slices.Chunk(b, len(b)/pieces+1) {
		select {
		case <-r.Context().Done():
			return
		case <-time.After(150 * time.Millisecond):
		}
		if len(piece) < len(b)/pieces+1 {
			done.Store(true)
		}
		if _, err := w.Write(piece); err != nil {
			return // the reader has gone
		}
		if err := out.Flush(); err != nil {
			return
		}
	}
}

// percents are the figures of the progress, in the order they were shown.
func percents(t *testing.T, said []string) []int {
	t.Helper()
	var percents []int
	for _, text := range said {
		if m := regexp.MustCompile(`: (\d+) %`).FindStringSubmatch(text); m != nil {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			percents = append(percents, n)
		}
	}
	return percents
}

// An update that comes while a lesson plays is offered, and disturbs nothing.
func TestUpdateWhilePlaying(t *testing.T) {
	address, deploy := serveInTurn(t)
	p := open(t, address)
	p.waitKept()
	p.set(fixture.Change{Key: "policy", Value: "allowlist"})
	p.get("combobox", "Speed").choose("0.5×")
	play := p.get("button", "Play")
	play.click()
	play.focus()
	p.waitFor("a second to pass", func() bool { return p.second() > 0 })

	before := p.second()
	p.eval("window.lesson = true")
	deploy(edition(t, "newer"))
	p.eval("navigator.serviceWorker.ready.then((r) => r.update()).then(() => true)")
	p.get("button", "Update now")
	expectUndisturbed := func(when string) {
		t.Helper()
		if p.eval("window.lesson") != true {
			t.Errorf("%s, the page was loaded anew", when)
		}
		if got := p.controls().Policy; got != fixture.Allowlist {
			t.Errorf("%s, the policy is %v", when, got)
		}
		if len(p.all(nil, "button", "Pause")) != 1 {
			t.Errorf("%s, the replay stands", when)
		}
		if now := p.second(); now < before {
			t.Errorf("%s, the replay went back from %d to %d", when, before, now)
		}
	}
	expectUndisturbed("with the update offered")
	if p.eval(`document.activeElement.textContent.includes("Pause")`) != true {
		t.Errorf("the offer took the focus: %v", p.eval("document.activeElement.outerHTML"))
	}
	before = p.second()
	p.waitFor("the replay to go on", func() bool { return p.second() > before })
	p.get("button", "Later").click()
	p.waitFor("the offer to go", func() bool { return len(p.all(nil, "button", "Update now")) == 0 })
	expectUndisturbed("with the update put off")
}

// Whoever comes back with the worker of an earlier version has a page that
// works, whatever has become of that version's files, and can move on.
func TestWorkerOfAnEarlierVersion(t *testing.T) {
	for _, state := range []struct {
		name string
		find string // what the reader comes back to
		lose string // what has happened to the old cache meanwhile
	}{
		{"its files are gone from the host", "older", ""},
		{"the browser has dropped its cache", "", `caches.keys().then((keys) => Promise.all(keys.map((key) => caches.delete(key)))).then(() => true)`},
		{"the browser has dropped a part of its cache", "", `caches.keys().then(async (keys) => {
			const cache = await caches.open(keys[0]);
			for (const request of await cache.keys()) if (/wasm|boot/.test(request.url)) await cache.delete(request);
			return true;
		})`},
	} {
		t.Run(state.name, func(t *testing.T) {
			address, deploy := serveInTurn(t)
			deploy(edition(t, "older"))
			p := open(t, address)
			p.waitKept()
			old := p.eval("caches.keys().then((keys) => keys[0])").(string)
			if state.lose != "" {
				p.eval(state.lose)
			}

			deploy(dist)
			p.visit(p.address + "#policy=allowlist&t=8")
			if got := p.edition(); got != state.find {
				t.Errorf("the reader comes back to the edition %q, want %q", got, state.find)
			}
			p.expectAt(fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"}), 8)
			p.eval("window.left = true")
			p.get("button", "Update now").click()
			p.waitUntil("the new version", `!window.left && document.documentElement.hasAttribute("data-live") &&
				document.querySelector("meta[name=description]").content.startsWith("A simulator") &&
				navigator.serviceWorker.getRegistration().then((r) => !r.waiting && r.active?.state === "activated")`)
			if keys := evalTo[[]string](p, "caches.keys()"); len(keys) != 1 || keys[0] == old {
				t.Errorf("these caches are left: %q", keys)
			}
			p.expectUsable()
		})
	}
}

// The replay takes its time from the frames, and no jump of that clock moves
// it by more than a moment, or stops it.
func TestClockJumps(t *testing.T) {
	p := blank(t, serve(t, dist))
	p.beforeAll(`window.jump = 0;
		const ask = window.requestAnimationFrame.bind(window);
		window.requestAnimationFrame = (f) => ask((now) => f(now + window.jump));
		const date = Date.now;
		Date.now = () => date() + window.jump;`)
	p.visit(p.address + "#speed=2")
	p.get("button", "Play").click()
	p.waitFor("a second to pass", func() bool { return p.second() > 0 })
	for _, jump := range []struct{ name, by string }{
		{"an hour forwards", "3600e3"}, {"an hour back", "-3600e3"}, {"a minute back", "-60e3"}, {"back to the start", "-1e9"}, {"for ever forwards", "1e12"},
	} {
		// Two frames after the jump the page shows what has become of it.
		moved := evalTo[[]float64](p, `new Promise((done) => {
			const slider = document.getElementById("time");
			const before = slider.valueAsNumber, start = performance.now();
			window.jump += `+jump.by+`;
			requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() =>
				done([before, slider.valueAsNumber, (performance.now() - start) / 1000]))));
		})`)
		if before, after, took := moved[0], moved[1], moved[2]; after < before || after > before+1+2*took {
			t.Errorf("%s: the replay jumped from %v to %v in %v s", jump.name, before, after, took)
		}
		before := p.second()
		p.waitFor("the replay to go on after a jump "+jump.name, func() bool { return p.second() > before })
		if before > 45 {
			p.get("button", "Restart").click()
			p.get("button", "Play").click()
		}
	}
	if len(p.all(nil, "button", "Pause")) != 1 {
		t.Error("the replay stands")
	}
}

// beforeAll runs a script in every document before the document's own.
func (p *page) beforeAll(script string) {
	p.t.Helper()
	call(p, cdppage.Enable, cdppage.EnableParams{})
	call(p, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: "{" + script + "}"})
}

// status is what the page says of its own start.
func (p *page) status() string {
	p.t.Helper()
	return strings.Join(strings.Fields(evalTo[string](p, `document.getElementById("boot-status")?.textContent ?? ""`)), " ")
}

// expectUsable uses the page: a control decides anew, and the replay steps.
func (p *page) expectUsable() {
	p.t.Helper()
	s := p.controls()
	change := fixture.Change{Key: "loopback", Value: "0"}
	if !s.Loopback {
		change.Value = "1"
	}
	p.set(change)
	s = s.With(change)
	p.expectAt(s, 0)
	p.get("button", "Next event").click()
	p.expectAt(s, 8)
}

// serveInTurn serves the built site, and then whatever is deployed. Of a file
// that another version asks for it has nothing.
func serveInTurn(t *testing.T) (address string, deploy func(dir string)) {
	t.Helper()
	var dir atomic.Value
	dir.Store(dist)
	address = serve(t, dist, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// Editions differ by content, whenever they were written.
			r.Header.Del("If-Modified-Since")
			dir := dir.Load().(string)
			if r.URL.Query().Has("v") {
				name := strings.TrimPrefix(r.URL.Path, base)
				b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
				if err != nil || versioned(name, string(b)) != name+"?"+r.URL.RawQuery {
					http.NotFound(w, r)
					return
				}
			}
			siteHandler(dir).ServeHTTP(w, r)
		})
	})
	return address, func(to string) { dir.Store(to) }
}

// edition is the word that the page's description begins with, if it is of
// another version than the built site.
func (p *page) edition() string {
	p.t.Helper()
	description := p.eval(`document.querySelector("meta[name=description]").content`).(string)
	word, _, found := strings.Cut(description, ". ")
	if !found {
		return ""
	}
	return word
}
