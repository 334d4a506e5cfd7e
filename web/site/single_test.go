package site

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func theSingleFile(t *testing.T) string {
	t.Helper()
	return string(theSite(t)[singleName])
}

// theMarkup is the file without the WebAssembly, in which any text may stand.
func theMarkup(t *testing.T) string {
	t.Helper()
	page, found := theSingleFile(t), string(dense(theSite(t)["app.wasm.gz"]))
	if !strings.Contains(page, found) {
		t.Fatal("the file does not hold the packed WebAssembly")
	}
	return strings.Replace(page, found, "", 1)
}

// A mail takes it, and so does a messenger.
func TestSingleFileIsSmall(t *testing.T) {
	if n := len(theSingleFile(t)); n > 3_000_000 {
		t.Errorf("%d bytes, want at most 3000000", n)
	}
}

// The build of the file alone gives the very bytes that the site offers.
func TestSingleFileIsTheOneOfTheSite(t *testing.T) {
	root, err := FindRoot(context.Background(), ".")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "dist")
	result, err := BuildSingle(context.Background(), Options{Root: root, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(out, singleName))
	if err != nil {
		t.Fatal(err)
	}
	if want := theSingleFile(t); string(got) != want || result.Sizes[singleName] != len(want) {
		t.Errorf("%d bytes, said to be %d, differ from the %d of the site", len(got), result.Sizes[singleName], len(want))
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v (%v), want the file alone", entries, err)
	}
	if err := replaceable(out); err != nil {
		t.Errorf("a site cannot be built where the file was: %v", err)
	}
}

var attributes = regexp.MustCompile(`\s(?:src|href|srcset|action|poster|data)="([^"]*)"`)

// Nothing in the file is elsewhere: every address in its markup is a place in
// it or holds what it stands for.
func TestSingleFileRefersToNothingElse(t *testing.T) {
	site := theSite(t)
	page := strings.NewReplacer(string(site["wasm_exec.js"]), "", string(site["boot.js"]), "").Replace(theMarkup(t))
	found := attributes.FindAllStringSubmatch(page, -1)
	if len(found) < 2 {
		t.Fatalf("%d addresses, want the icon's and the skip link's at least", len(found))
	}
	for _, m := range found {
		if !strings.HasPrefix(m[1], "#") && !strings.HasPrefix(m[1], "data:") {
			t.Errorf("refers to %s", m[1])
		}
	}
	for _, what := range []string{"@import", "url(", "manifest", "worker.js"} {
		if strings.Contains(page, what) {
			t.Errorf("has %s", what)
		}
	}
}

// The policy lets in what is in the file, by its hash, and nothing else.
func TestSingleFilePolicy(t *testing.T) {
	page := theMarkup(t)
	meta := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if meta == nil {
		t.Fatal("no policy")
	}
	policy := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(meta[1])
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "'self'") {
		t.Errorf("policy %s", policy)
	}
	inline := regexp.MustCompile(`(?s)<(script|style)(?: data-[^>]*)?>(.*?)</(?:script|style)>`).FindAllStringSubmatch(page, -1)
	if n := strings.Count(policy, "'sha256-"); len(inline) != n || n < 3 {
		t.Errorf("%d hashes for %d scripts and styles", n, len(inline))
	}
	for _, m := range inline {
		if !strings.Contains(policy, "'"+integrity([]byte(m[2]))+"'") {
			t.Errorf("a %s of %d bytes is not in the policy", m[1], len(m[2]))
		}
	}
}

func TestSingleFileHoldsTheSimulator(t *testing.T) {
	_, rest, _ := strings.Cut(theSingleFile(t), `id="wasm">`)
	text, _, ok := strings.Cut(rest, "</script>")
	want := theSite(t)["app.wasm.gz"]
	if got := thin(text, len(want)); !ok || !bytes.Equal(got, want) {
		t.Errorf("%d octets of text are not the packed WebAssembly", len(text))
	}
}

// Whatever the bytes, the text is one that a script of HTML keeps as it is.
func TestDense(t *testing.T) {
	every := make([]byte, 0, 2<<16)
	for i := range 1 << 16 {
		every = append(every, byte(i>>8), byte(i))
	}
	for _, b := range [][]byte{nil, {0}, {0xff}, {0, 0, 0, 0, 0, 0, 0, 0}, []byte("\r\n<!--</script>"), every} {
		text := string(dense(b))
		if !utf8.ValidString(text) || strings.ContainsAny(text, absent) {
			t.Errorf("the text of %d bytes is not fit for a script", len(b))
		}
		if got := thin(text, len(b)); !bytes.Equal(got, b) {
			t.Errorf("%d bytes come back as others", len(b))
		}
		if most := len(b)*8/7 + 2; len(text) > most {
			t.Errorf("%d bytes make %d octets of text, want at most %d", len(b), len(text), most)
		}
	}
}

// thin undoes dense, as the boot script does.
func thin(text string, length int) []byte {
	b := make([]byte, 0, length)
	held, bits := 0, 0
	for _, r := range text {
		if r < 0x80 {
			held, bits = held<<7|int(r), bits+7
		} else {
			pair := int(r) - 0x80
			held, bits = held<<14|int(absent[pair>>7])<<7|pair&0x7f, bits+14
		}
		for bits >= 8 && len(b) < length {
			bits -= 8
			b = append(b, byte(held>>bits))
			held &= 1<<bits - 1
		}
	}
	return b
}

// A first visit to the site, and its offline copy, do without the file.
func TestSingleFileIsFetchedOnDemandAlone(t *testing.T) {
	site := theSite(t)
	if strings.Contains(string(site["worker.js"]), singleName) {
		t.Error("the worker keeps it")
	}
	index := string(site["index.html"])
	if n, links := strings.Count(index, singleName), strings.Count(index, `<a href="sixways.html" download="sixways.html">Download as one file</a> (`); n != 2 || links != 1 {
		t.Errorf("the page names it %d times, in %d links; want the one link that downloads it", n, links)
	}
	size := regexp.MustCompile(`one file</a> \(([\d.]+ MB)\)`).FindStringSubmatch(index)
	if size == nil || size[1] != megabytes(len(site[singleName])) {
		t.Errorf("the link says %q, the file has %d bytes", size, len(site[singleName]))
	}
}
