package browser_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"sixways/fixture"
)

// The site works at any path, under the page's name, and with a query.
func TestRelocatable(t *testing.T) {
	address := serve(t, dist)
	p := blank(t, address)
	for _, rest := range []string{"", "index.html", "?from=a-link", "index.html?policy=allowlist"} {
		p.test("at "+base+rest, func() {
			p.load(address + rest)
			p.waitLive()
			p.get("button", "Next event").click()
			p.waitFor("an event", func() bool { return p.second() == 8 })
		})
	}
}

// The first visit fetches nothing twice, and little in all.
func TestFirstVisit(t *testing.T) {
	count := &counter{seen: map[string]int{}}
	p := open(t, serve(t, dist, count.wrap))
	p.waitKept()
	count.mu.Lock()
	defer count.mu.Unlock()
	for path, n := range count.seen {
		// The worker asks for the page once more: it must be this version's.
		if n > 1 && path != base {
			t.Errorf("%s was fetched %d times", path, n)
		}
	}
	if n := count.seen[base+"app.wasm.gz"]; n != 1 {
		t.Errorf("the packed WebAssembly was fetched %d times", n)
	}
	const most = 2_650_000 // the budget of the WebAssembly, and 150 kB
	if count.bytes > most {
		t.Errorf("the first visit fetches %d bytes, want %d at most: %v", count.bytes, most, count.seen)
	}
	t.Logf("the first visit fetches %d bytes", count.bytes)
}

// counter counts what a server sends.
type counter struct {
	mu    sync.Mutex
	seen  map[string]int // answers with a body, by path
	bytes int
}

func (c *counter) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		counted := &countingWriter{ResponseWriter: w}
		next.ServeHTTP(counted, r)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bytes += counted.bytes
		if counted.bytes > 0 {
			c.seen[r.URL.Path]++
		}
	})
}

type countingWriter struct {
	http.ResponseWriter
	bytes int
}

func (w *countingWriter) Write(b []byte) (int, error) {
	n, err := w.ResponseWriter.Write(b)
	w.bytes += n
	return n, err
}

// waitKept waits until the worker has all that the page needs offline.
func (p *page) waitKept() {
	p.t.Helper()
	p.waitUntil("the worker to be ready", `navigator.serviceWorker.ready.then((r) => r.active.state === "activated")`)
}

// After the first visit the page needs no server.
func TestOffline(t *testing.T) {
	for _, host := range []struct {
		name   string
		wrap   func(http.Handler) http.Handler
		visits []string
	}{
		{"a plain host", func(h http.Handler) http.Handler { return h },
			[]string{"", "#policy=allowlist&t=24", "?policy=allowlist&from=mail", "index.html"}},
		{"a host that sends the packed file with Content-Encoding", encodeContent, []string{""}},
	} {
		t.Run(host.name, func(t *testing.T) {
			server := httptest.NewServer(host.wrap(siteHandler(dist)))
			p := open(t, server.URL+base)
			p.waitKept()
			server.CloseClientConnections()
			server.Close()
			if p.eval(`fetch("robots.txt").then(() => "answered", () => "gone")`) != "gone" {
				t.Fatal("the server is still there")
			}
			p.expectErrors()
			for _, rest := range host.visits {
				p.visit(p.address + rest)
				want, _ := fixture.ParseAddress("", "")
				if strings.Contains(rest, "policy=allowlist") {
					want.Settings.Policy = fixture.Allowlist
				}
				if got := p.controls(); got != want.Settings {
					t.Errorf("%s: the controls stand at %v", rest, got)
				}
				p.get("button", "Next event").click()
				p.waitFor("an event", func() bool { return p.second() > 0 })
			}
			p.reload()
			p.waitLive()
		})
	}
}

// encodeContent sends the packed WebAssembly as some hosts do, and the browser
// then unpacks it before the page sees it.
func encodeContent(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".gz") {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "application/wasm")
		}
		next.ServeHTTP(w, r)
	})
}

// A new version is offered by a button, and comes in by nothing else.
func TestUpdate(t *testing.T) {
	newer := edition(t, "newer")
	var dir atomic.Value
	dir.Store(dist)
	p := open(t, serve(t, dist, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			siteHandler(dir.Load().(string)).ServeHTTP(w, r)
		})
	}))
	p.waitKept()
	version := func() string { return p.eval(`document.querySelector("meta[name=description]").content`).(string) }
	old := version()
	if n := len(p.all(nil, "button", "Update now")); n > 0 {
		t.Error("the first visit is offered an update")
	}

	// Caches that are none of the worker's business, and one that is.
	ours := p.eval(`caches.keys().then((keys) => keys.find((key) => key.startsWith("sixways:")))`).(string)
	scope := strings.TrimSuffix(ours[:strings.LastIndex(ours, ":")], "/deep/er/")
	neighbours := []string{"neighbour-v1", scope + "/deep/:0123456789abcdef", scope + "/deep/er/too/:0123456789abcdef"}
	for _, name := range append(neighbours, scope+"/deep/er/:0123456789abcdef") {
		p.eval(`caches.open("` + name + `").then((cache) => cache.put("/x", new Response("x")))`)
	}

	dir.Store(newer)
	p.visit(p.address + "#policy=allowlist&t=24")
	if got := version(); got != old {
		t.Errorf("the new version came in by itself: %q", got)
	}
	p.get("button", "Update now")
	p.test("the notice is accessible", func() { p.expectNoViolations(axeSource(p.t)) })
	if got := version(); got != old {
		t.Errorf("the new version came in by itself: %q", got)
	}
	p.reload()
	p.waitLive()
	if got := version(); got != old {
		t.Errorf("the new version came in with a reload: %q", got)
	}

	p.get("button", "Update now").click()
	p.waitUntil("the new version", `document.querySelector("meta[name=description]").content !== "`+old+`"`)
	p.waitLive()
	if got := p.controls().Policy; got != fixture.Allowlist {
		t.Errorf("the update lost the state: the policy is %v", got)
	}
	if n := len(p.all(nil, "button", "Update now")); n > 0 {
		t.Error("the new version offers itself")
	}

	keys := evalTo[[]string](p, "caches.keys()")
	for _, name := range neighbours {
		if !slices.Contains(keys, name) {
			t.Errorf("the worker deleted the cache %s of a neighbour", name)
		}
	}
	keys = slices.DeleteFunc(keys, func(name string) bool { return slices.Contains(neighbours, name) })
	if len(keys) != 1 || keys[0] == ours {
		t.Errorf("of its own caches the worker keeps %q, want the new version's alone", keys)
	}
}

// edition is the site of another version: its page's description begins with
// a word, and its boot script is another file.
func edition(t *testing.T, word string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(dist)); err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	boot, page, worker := read("boot.js"), read("index.html"), read("worker.js")
	bootBefore, pageBefore := boot, page
	replace := func(in *string, old, new string) {
		t.Helper()
		if strings.Count(*in, old) != 1 {
			t.Fatalf("%q is there %d times", old, strings.Count(*in, old))
		}
		*in = strings.Replace(*in, old, new, 1)
	}
	boot += "// " + word + "\n"
	replace(&page, `name="description" content="`, `name="description" content="`+word+`. `)
	replace(&page, versioned("boot.js", bootBefore), versioned("boot.js", boot))
	replace(&worker, versioned("boot.js", bootBefore), versioned("boot.js", boot))
	replace(&worker, integrity(bootBefore), integrity(boot))
	replace(&worker, integrity(pageBefore), integrity(page))
	replace(&worker, `"version": "`, `"version": "`+word)
	for name, text := range map[string]string{"boot.js": boot, "index.html": page, "worker.js": worker} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// versioned is the address of a file of the site.
func versioned(name, content string) string {
	sum := sha256.Sum256([]byte(content))
	return name + "?v=" + hex.EncodeToString(sum[:6])
}

func integrity(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// In a frame that is allowed scripts and nothing else the page comes alive.
func TestSandboxedFrame(t *testing.T) {
	address := serve(t, dist, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Access-Control-Allow-Origin", "*")
			next.ServeHTTP(w, r)
		})
	})
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>host</title><link rel="icon" href="data:,"><iframe sandbox="allow-scripts" width="1200" height="800" src="%s#policy=allowlist&amp;t=8"></iframe>`, address)
	}))
	t.Cleanup(host.Close)
	outer := blank(t, address)
	outer.load(host.URL)
	outer.asks = append(outer.asks, host.URL)

	var frame *target.Info
	outer.waitFor("the frame", func() bool {
		targets, err := chromedp.Targets(outer.ctx)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(targets, func(info *target.Info) bool { return strings.HasPrefix(info.URL, address) })
		if i >= 0 {
			frame = targets[i]
		}
		return i >= 0
	})
	ctx, cancel := chromedp.NewContext(outer.ctx, chromedp.WithTargetID(frame.TargetID))
	t.Cleanup(cancel)
	p := attach(t, ctx, address)
	p.waitLive()
	if p.eval(`origin`) != "null" {
		t.Fatalf("the frame has the origin %v: it is not sandboxed", p.eval("origin"))
	}
	s := fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"})
	p.expectAt(s, 8)
	p.get("button", "Next event").js("this.click()")
	p.expectAt(s, 16)
	p.get("checkbox", "Force DNS through the policy resolver").js("this.click()")
	s = s.With(fixture.Change{Key: "force-dns", Value: "1"})
	p.expectAt(s, 0)
	p.expectTable(s)
	p.get("button", "Play").js("this.click()")
	p.waitFor("a second to pass", func() bool { return p.second() > 0 })
}

// The slider stands where the address says, load after load.
func TestSliderOverManyLoads(t *testing.T) {
	p := blank(t, serve(t, dist)+"#t=24")
	p.visit(p.address)
	wrong := 0
	for range 30 {
		p.reload()
		p.waitLive()
		if got := p.eval(`[document.getElementById("time").value, document.getElementById("clock").textContent].join()`); got != "24,24 s" {
			t.Logf("the slider and the clock say %v", got)
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("wrong on %d of 30 loads", wrong)
	}
}

// A WebAssembly file that does not come, or not whole, is a message that can
// be read and a button that tries again.
func TestBrokenWebAssembly(t *testing.T) {
	for _, fault := range []struct {
		name  string
		serve func(w http.ResponseWriter, r *http.Request, whole []byte)
	}{
		{"not found", func(w http.ResponseWriter, r *http.Request, _ []byte) { http.NotFound(w, r) }},
		{"cut short", func(w http.ResponseWriter, _ *http.Request, whole []byte) { w.Write(whole[:len(whole)/2]) }},
		{"wrong bytes", func(w http.ResponseWriter, _ *http.Request, _ []byte) { fmt.Fprint(w, "<!doctype html>Not here") }},
		{"empty", func(http.ResponseWriter, *http.Request, []byte) {}},
	} {
		t.Run(fault.name, func(t *testing.T) {
			var broken atomic.Bool
			broken.Store(true)
			p := blank(t, serve(t, dist, func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if name := filepath.Base(r.URL.Path); broken.Load() && strings.HasPrefix(name, "app.wasm") {
						whole, err := os.ReadFile(filepath.Join(dist, name))
						if err != nil {
							panic(err)
						}
						fault.serve(w, r, whole)
						return
					}
					next.ServeHTTP(w, r)
				})
			}))
			p.load(p.address + "#policy=allowlist")
			retry := p.get("button", "Retry")
			status := p.node(`document.getElementById("boot-status")`).text()
			if !strings.Contains(status, "could not be loaded") || !strings.Contains(status, "app.wasm") && fault.name != "cut short" {
				t.Errorf("the status says %q", status)
			}
			p.expectTable(fixture.Opening())
			for _, e := range p.expectErrors() {
				if !strings.Contains(e, "404") {
					t.Errorf("the page logged an error: %s", e)
				}
			}
			broken.Store(false)
			retry.focus()
			p.press("\r")
			p.waitLive()
			p.waitForSettings(fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"}))
			if got := name(p.focused().ax()); got != "Your experiment" {
				t.Errorf("Retry left the focus on %q", got)
			}
		})
	}
}

// Where only the packed file is broken, the plain one does.
func TestPlainWebAssemblyStandsIn(t *testing.T) {
	address := serve(t, dist, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, ".gz") {
				fmt.Fprint(w, "not it")
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	open(t, address).expectAt(fixture.Opening(), 0)
}

// Browsers that cannot unpack load the plain file.
func TestWithoutDecompressionStream(t *testing.T) {
	p := blank(t, serve(t, dist))
	call(p, cdppage.Enable, cdppage.EnableParams{})
	call(p, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: "delete window.DecompressionStream"})
	p.visit(p.address)
	if p.eval("window.DecompressionStream === undefined") != true {
		t.Fatal("the browser can still unpack")
	}
	p.get("button", "Next event").click()
	p.expectAt(fixture.Opening(), 8)
}

// A wrong address is answered by a page that leads to the right one.
func TestLost(t *testing.T) {
	axe := axeSource(t)
	p := blank(t, serve(t, dist, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if name := strings.TrimPrefix(r.URL.Path, base); name != "" {
				if _, err := os.Stat(filepath.Join(dist, name)); err != nil {
					b, err := os.ReadFile(filepath.Join(dist, "404.html"))
					if err != nil {
						panic(err)
					}
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					w.WriteHeader(http.StatusNotFound)
					w.Write(b)
					return
				}
			}
			next.ServeHTTP(w, r)
		})
	}))
	p.load(p.address + "a/b/c.html#policy=allowlist")
	p.waitUntil("the link to the page", `document.getElementById("home").href === "`+p.address+`#policy=allowlist"`)
	p.expectNoViolations(axe)
	p.get("link", "Go to the simulator").click()
	p.waitLive()
	p.waitForSettings(fixture.Opening().With(fixture.Change{Key: "policy", Value: "allowlist"}))
	p.expectErrors() // of the addresses that were asked for and are none
}
