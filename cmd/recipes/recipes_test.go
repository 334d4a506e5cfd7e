// Package recipes_test builds the smallest documentation site of each
// generator with the simulator in a page, and opens what comes out.
package recipes_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"sixways/web/site"
)

// elsewhere is where the recipes say that the simulator is.
const elsewhere = "https://sim.example/sixways/"

var recipes = []struct {
	name    string
	command []string
	out     string // the folder that the generator writes
}{
	{"mkdocs", []string{"mkdocs", "build", "--strict", "--quiet"}, "site"},
	{"hugo", []string{"hugo", "--quiet"}, "public"},
	{"sphinx", []string{"sphinx-build", "-W", "-q", "-b", "html", ".", "out"}, "out"},
	{"docusaurus", []string{"npm", "run", "build"}, "build"},
}

func TestRecipes(t *testing.T) {
	simulator := serveSimulator(t)
	browser := startBrowser(t)
	for _, r := range recipes {
		t.Run(r.name, func(t *testing.T) {
			dir := copyRecipe(t, r.name, simulator+"/")
			generate(t, dir, r.command)
			docs := serveDocs(t, filepath.Join(dir, r.out))
			for _, width := range []int64{1280, 390} {
				p := open(t, browser, docs, simulator, width)
				p.expectRunning()
				p.expectSized()
				p.expectQuiet()
			}
		})
	}
}

// serveSimulator builds the site and serves it as `sixways serve` does.
func serveSimulator(t *testing.T) string {
	t.Helper()
	root, err := site.FindRoot(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := site.Build(t.Context(), site.Options{Root: root, Out: dir}); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site.Handler(dir))
	t.Cleanup(server.Close)
	return server.URL
}

// copyRecipe copies a recipe, with the simulator's address in it. What npm has
// installed for one is large, and is lent.
func copyRecipe(t *testing.T, name, address string) string {
	t.Helper()
	dir := t.TempDir()
	replaced := 0
	err := fs.WalkDir(os.DirFS(name), ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "node_modules" {
				if err := lend(filepath.Join(name, file), filepath.Join(dir, file)); err != nil {
					return err
				}
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(dir, file), 0o755)
		}
		b, err := os.ReadFile(filepath.Join(name, file))
		if err != nil {
			return err
		}
		replaced += strings.Count(string(b), elsewhere)
		return os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(string(b), elsewhere, address)), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if replaced == 0 {
		t.Fatalf("the recipe does not name %s", elsewhere)
	}
	return dir
}

func lend(from, to string) error {
	from, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	return os.Symlink(from, to)
}

// generate runs a generator's command.
func generate(t *testing.T, dir string, command []string) {
	t.Helper()
	path, err := exec.LookPath(command[0])
	if _, e := os.Stat(filepath.Join(dir, "package.json")); e == nil && err == nil {
		_, err = exec.LookPath(filepath.Join(dir, "node_modules", ".bin", "docusaurus"))
	}
	if (errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)) && os.Getenv("CI") == "" {
		t.Skipf("%v; `.ci/install all` installs it", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, command[1:]...)
	cmd.Dir = dir
	// Its cache lies among the packages that are lent, and knows another folder.
	cmd.Env = append(os.Environ(), "DOCUSAURUS_NO_PERSISTENT_CACHE=true")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", command, err, out)
	}
}

// serveDocs serves what a generator has written. It has no icon to show, and
// a browser that asks for one is not to be told off for it.
func serveDocs(t *testing.T, dir string) string {
	t.Helper()
	files := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func startBrowser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") == "" {
			t.Skip("no Chromium; .ci/install installs one")
		}
		t.Fatal("no Chromium")
	}
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.UserDataDir(t.TempDir()),
	)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx
}

// page is a documentation page in a tab.
type page struct {
	t       *testing.T
	ctx     context.Context
	origins []string // that it may ask

	mu      sync.Mutex
	errors  []string
	foreign []string
}

// open opens a page of the docs in a profile of its own.
func open(t *testing.T, browser context.Context, docs, simulator string, width int64) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx, origins: []string{docs, simulator, "data:", "blob:", "about:"}}
	p.must(chromedp.Do(ctx))
	p.must(chromedp.Listen(ctx, p.listen))
	call(p, network.Enable, network.EnableParams{})
	call(p, log.Enable, cdp.Empty{})
	call(p, cdppage.Enable, cdppage.EnableParams{})
	call(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1})
	call(p, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{
		Source: `if (window.top === window) { window.told = []; addEventListener("message", (e) => { if (e.data?.sixways === 1) told.push(e.data); }); }`,
	})
	p.must(chromedp.Do(ctx, chromedp.Navigate(docs)))
	return p
}

func (p *page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func call[P, R any](p *page, command cdp.Command[P, R], params P) {
	p.t.Helper()
	_, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) (R, error) {
		return cdp.Call(ctx, t, command, params)
	})
	p.must(err)
}

func (p *page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			for _, arg := range e.Args {
				p.errors = append(p.errors, string(arg.Value)+arg.Description)
			}
		}
	case *runtime.EventExceptionThrown:
		p.errors = append(p.errors, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			p.errors = append(p.errors, e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if !slices.ContainsFunc(p.origins, func(o string) bool { return strings.HasPrefix(e.Request.URL, o) }) {
			p.foreign = append(p.foreign, e.Request.URL)
		}
	}
}

// waitFor waits until a JavaScript condition holds.
func (p *page) waitFor(what, condition string) {
	p.t.Helper()
	for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(30 * time.Millisecond) {
		holds, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](condition))
		p.must(err)
		if holds {
			return
		}
	}
	told, err := chromedp.Run(p.ctx, chromedp.Evaluate[json.RawMessage]("told"))
	p.must(err)
	p.t.Fatalf("waited in vain for %s; errors: %q; the simulator told %s", what, p.errors, told)
}

// expectRunning checks that the simulator is alive in the page, in the state
// that the recipe asks for, and does what it is told.
func (p *page) expectRunning() {
	p.t.Helper()
	p.waitFor("the recipe's state", `told.some((m) => m.type === "change" && m.state.policy === "allowlist" && m.state.t === 24)`)
	_, err := chromedp.Run(p.ctx, chromedp.Evaluate[any](`document.querySelector("sixways-sim").seek(32)`))
	p.must(err)
	p.waitFor("second 32", `told.some((m) => m.type === "change" && m.state.policy === "allowlist" && m.state.t === 32)`)
}

// expectSized checks that the frame is as wide as its place and as tall as
// what is in it, and that the page has not become wider for it.
func (p *page) expectSized() {
	p.t.Helper()
	p.waitFor("the frame to be as tall as what is in it", `(() => {
		const frame = document.querySelector("sixways-sim").shadowRoot.querySelector("iframe");
		const height = told.filter((m) => m.type === "height").at(-1)?.height;
		return height > 250 && frame.clientHeight === height;
	})()`)
	type box struct{ Frame, Place, Page, Window float64 }
	b, err := chromedp.Run(p.ctx, chromedp.Evaluate[box](`(() => {
		const element = document.querySelector("sixways-sim");
		return {
			Frame: element.shadowRoot.querySelector("iframe").getBoundingClientRect().width,
			Place: element.parentElement.clientWidth,
			Page: document.documentElement.scrollWidth,
			Window: innerWidth,
		};
	})()`))
	p.must(err)
	if b.Frame < 250 || b.Frame > b.Place+1 || b.Frame < b.Place-60 {
		p.t.Errorf("the frame is %v px wide in a place of %v px", b.Frame, b.Place)
	}
	if b.Page > b.Window {
		p.t.Errorf("the page is %v px wide in a window of %v px", b.Page, b.Window)
	}
}

// expectQuiet checks that nothing has complained, and nobody else was asked.
func (p *page) expectQuiet() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.errors {
		p.t.Errorf("the page logged an error: %s", e)
	}
	for _, url := range p.foreign {
		p.t.Errorf("the page asked another origin: %s", url)
	}
}
