package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// built builds the site once for all tests and returns what is in its folder.
var built = sync.OnceValues(func() (files, error) {
	dir, err := os.MkdirTemp("", "sixways-test-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return buildInto(filepath.Join(dir, "dist"))
})

func buildInto(out string) (files, error) {
	root, err := FindRoot(context.Background(), ".")
	if err != nil {
		return nil, err
	}
	if _, err := Build(context.Background(), Options{Root: root, Out: out}); err != nil {
		return nil, err
	}
	return readAll(os.DirFS(out))
}

func readAll(dir fs.FS) (files, error) {
	all := files{}
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[name], err = fs.ReadFile(dir, name)
		return err
	})
	return all, err
}

func theSite(t *testing.T) files {
	t.Helper()
	site, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func TestSiteHoldsTheseFiles(t *testing.T) {
	want := []string{
		".nojekyll", "404.html", "app.wasm", "app.wasm.gz", "boot.js", "embed.js",
		"icons/apple-180.png", "icons/icon-192.png", "icons/icon-512.png", "icons/icon.svg", "icons/maskable-512.png",
		"index.html", "manifest.webmanifest", "robots.txt", "sixways.css", "sixways.html", "view.js", "wasm_exec.js", "worker.js",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(theSite(t)))); diff != "" {
		t.Error(diff)
	}
}

func TestTwoBuildsAreAlike(t *testing.T) {
	first := theSite(t)
	second, err := buildInto(filepath.Join(t.TempDir(), "elsewhere", "dist"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range maps.Keys(first) {
		if !bytes.Equal(first[name], second[name]) {
			t.Errorf("%s differs: %d bytes, then %d", name, len(first[name]), len(second[name]))
		}
	}
	if len(first) != len(second) {
		t.Errorf("%d files, then %d", len(first), len(second))
	}
}

func TestBudgets(t *testing.T) {
	site := theSite(t)
	if got := len(site["app.wasm.gz"]); got > 2_500_000 {
		t.Errorf("app.wasm.gz has %d bytes, want at most 2500000", got)
	}
	total := 0
	for _, name := range []string{"index.html", "sixways.css", "wasm_exec.js", "view.js", "boot.js", "app.wasm.gz", "icons/icon.svg", "manifest.webmanifest", "worker.js"} {
		total += len(site[name])
	}
	if total > 2_650_000 {
		t.Errorf("the first visit fetches %d bytes from a host that does not compress, want at most 2650000", total)
	}
	if got := len(site["embed.js"]); got > 3000 {
		t.Errorf("embed.js has %d bytes, want at most 3000", got)
	}
}

func TestPackedUnpacksToPlain(t *testing.T) {
	site := theSite(t)
	r, err := gzip.NewReader(bytes.NewReader(site["app.wasm.gz"]))
	if err != nil {
		t.Fatal(err)
	}
	if r.Name != "" || !r.ModTime.IsZero() {
		t.Errorf("header has name %q and time %v, want neither", r.Name, r.ModTime)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, site["app.wasm"]) {
		t.Error("app.wasm.gz does not unpack to app.wasm")
	}
}

func TestManifest(t *testing.T) {
	site := theSite(t)
	var m struct {
		Name, Description, Lang, Display, Scope, ID string
		ShortName                                   string `json:"short_name"`
		StartURL                                    string `json:"start_url"`
		Icons                                       []struct{ Src, Sizes, Type, Purpose string }
	}
	if err := json.Unmarshal(site["manifest.webmanifest"], &m); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"sixways", "./", "./", "", "minimal-ui"}, []string{m.ShortName, m.StartURL, m.Scope, m.ID, m.Display}); diff != "" {
		t.Error(diff)
	}
	var icons []string
	for _, i := range m.Icons {
		name, _, _ := strings.Cut(i.Src, "?")
		icons = append(icons, name+" "+i.Sizes+" "+i.Type+" "+i.Purpose)
		if i.Type != "image/png" {
			continue
		}
		c, err := png.DecodeConfig(bytes.NewReader(site[name]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if size := fmt.Sprintf("%dx%d", c.Width, c.Height); size != i.Sizes {
			t.Errorf("%s is said to be %s, and is %s", name, i.Sizes, size)
		}
	}
	want := []string{
		"icons/icon.svg any image/svg+xml any",
		"icons/icon-192.png 192x192 image/png any",
		"icons/icon-512.png 512x512 image/png any",
		"icons/maskable-512.png 512x512 image/png maskable",
	}
	if diff := cmp.Diff(want, icons); diff != "" {
		t.Error(diff)
	}
}

var reference = regexp.MustCompile(`([\w./-]+)\?v=([0-9a-f]+)`)

func TestReferencesCarryTheHashOfTheirFile(t *testing.T) {
	site := theSite(t)
	for _, in := range []string{"index.html", "manifest.webmanifest", "worker.js"} {
		found := reference.FindAllStringSubmatch(string(site[in]), -1)
		if len(found) == 0 {
			t.Errorf("%s refers to nothing", in)
		}
		for _, m := range found {
			sum := sha256.Sum256(site[m[1]])
			if len(site[m[1]]) == 0 || m[2] != hex.EncodeToString(sum[:6]) {
				t.Errorf("%s refers to %s, which is not that file", in, m[0])
			}
		}
	}
}

// Nothing in the site may know where it is served: an address with a leading
// slash or an origin would tie it to one place, or ask somebody else.
func TestRelocatable(t *testing.T) {
	origin := regexp.MustCompile(`[a-z]+://[\w.-]+`)
	rooted := regexp.MustCompile("[\"'`=(]/[\\w/][^\"'`)> ]*")
	comment := regexp.MustCompile(`(?m)//.*$`)
	for name, b := range theSite(t) {
		switch filepath.Ext(name) {
		case ".wasm", ".gz", ".png":
			continue
		}
		// Go's own file, whose comments name an issue.
		runtime := theSite(t)["wasm_exec.js"]
		b = bytes.ReplaceAll(b, runtime, comment.ReplaceAll(runtime, nil))
		b = bytes.ReplaceAll(b, dense(theSite(t)["app.wasm.gz"]), nil)
		for _, m := range origin.FindAllString(string(b), -1) {
			if m != "http://www.w3.org" {
				t.Errorf("%s names the origin %s", name, m)
			}
		}
		for _, m := range rooted.FindAllString(string(b), -1) {
			t.Errorf("%s has an address from the root: %s", name, m)
		}
	}
}

func TestWorkerKeepsWhatThePageLoads(t *testing.T) {
	site := theSite(t)
	_, rest, ok := strings.Cut(string(site["worker.js"]), "const site = ")
	if !ok {
		t.Fatal("worker.js does not begin with its list")
	}
	var list struct {
		Version string
		Files   []keep
	}
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&list); err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	for _, k := range list.Files {
		name, _, versioned := strings.Cut(k.URL, "?v=")
		if name == "./" {
			name = "index.html"
		}
		kept[name] = true
		if addressed := name == "index.html" || name == "manifest.webmanifest"; versioned == addressed {
			t.Errorf("%s: only the page and the manifest have an address without a hash", k.URL)
		}
		if first, _, _ := strings.Cut(k.Integrity, " "); first != integrity(site[name]) {
			t.Errorf("%s: integrity %s is not the file's", k.URL, k.Integrity)
		}
	}
	if !kept["index.html"] || !kept["manifest.webmanifest"] || kept["app.wasm"] {
		t.Errorf("kept are %v, want the page and the manifest, not the plain WebAssembly", slices.Sorted(maps.Keys(kept)))
	}
	for _, m := range reference.FindAllStringSubmatch(string(site["index.html"]), -1) {
		// The one is the other's stand-in, and the icon is for installing.
		if name := m[1]; !kept[name] && name != "app.wasm" && name != "icons/apple-180.png" {
			t.Errorf("the page loads %s, which the worker does not keep", name)
		}
	}
	before := maps.Clone(site)
	delete(before, "worker.js")
	if want := before.version(); list.Version != want {
		t.Errorf("version %s, want %s", list.Version, want)
	}
}

func TestVersionFollowsEveryFile(t *testing.T) {
	site := files{"a": []byte("1"), "b": []byte("2")}
	before := site.version()
	site["b"] = []byte("3")
	if site.version() == before {
		t.Error("a changed file left the version as it was")
	}
}

// The page stands alone, with nothing inline; the page for wrong addresses has
// all inline, under hashes.
func TestPolicies(t *testing.T) {
	site := theSite(t)
	index, lost := string(site["index.html"]), string(site["404.html"])
	for _, inline := range []string{"<style", " style=", "javascript:", " onclick="} {
		if strings.Contains(index, inline) {
			t.Errorf("index.html has %s", inline)
		}
	}
	if n, m := strings.Count(index, "<script"), strings.Count(index, "<script src="); n != m || n != 3 {
		t.Errorf("index.html has %d scripts, %d of them files; want 3 files", n, m)
	}
	lost = strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(lost)
	for _, tag := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(lost, "<"+tag+">")
		content, _, ok := strings.Cut(rest, "</"+tag+">")
		if want := tag + "-src '" + integrity([]byte(content)) + "'"; !ok || !strings.Contains(lost, want) {
			t.Errorf("404.html does not allow its own %s: want %s", tag, want)
		}
	}
}

// go-app replaces the first element of the body.
func TestPageComesFirstInTheBody(t *testing.T) {
	if index := string(theSite(t)["index.html"]); !regexp.MustCompile(`<body[^>]*>\n<div id="page">`).MatchString(index) {
		t.Error("index.html's body does not begin with the page's root")
	}
}

func TestBuildRefusesAFolderWithSomethingElse(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "thesis.txt"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Build(context.Background(), Options{Root: ".", Out: out})
	want := "output folder " + out + " holds other files than a built site: name an empty, a new or an earlier site's folder"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestWriteReplacesAnEarlierSite(t *testing.T) {
	out := filepath.Join(t.TempDir(), "dist")
	first := files{"app.wasm": {1}, "worker.js": {1}, ".nojekyll": {}, "icons/old.png": {1}}
	second := files{"app.wasm": {2}, "worker.js": {2}, ".nojekyll": {}}
	for _, site := range []files{first, second} {
		if err := replaceable(out); err != nil {
			t.Fatal(err)
		}
		if err := write(out, site); err != nil {
			t.Fatal(err)
		}
	}
	got, err := readAll(os.DirFS(filepath.Dir(out)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(files{"dist/app.wasm": {2}, "dist/worker.js": {2}, "dist/.nojekyll": {}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestCompleteNamesAnEmptyFile(t *testing.T) {
	err := files{".nojekyll": {}, "boot.js": {}}.complete()
	if err == nil || err.Error() != "site: boot.js is empty" {
		t.Errorf("got %v, want site: boot.js is empty", err)
	}
}

func TestFindRootNeedsTheSource(t *testing.T) {
	empty, other := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "go.mod"), []byte("module other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		empty: "no go.mod in " + empty + " or above: run it in a clone of sixways, which the site is compiled from",
		other: filepath.Join(other, "go.mod") + " is of module other: run it in a clone of sixways, which the site is compiled from",
	} {
		if _, err := FindRoot(context.Background(), dir); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestBuildTellsWhatTheCompilerSaid(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "go.mod"), []byte("module sixways\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "dist")
	_, err := Build(context.Background(), Options{Root: root, Out: out})
	if err == nil || !strings.Contains(err.Error(), "./cmd/wasm in "+root+": exit status 1\n") || !strings.Contains(err.Error(), "directory not found") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed build left a folder")
	}
}

// The visitor's copy of our scripts and style has no lines that are comments
// alone; what shares a line with code stays.
func TestBare(t *testing.T) {
	const text = "// one\n\t// two\nlet a = \"//\"; // three\n/* four\n   five */\nb { c: d } /* six */\n"
	const want = "let a = \"//\"; // three\nb { c: d } /* six */\n"
	if diff := cmp.Diff(want, string(bare([]byte(text)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
