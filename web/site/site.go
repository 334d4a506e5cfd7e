// Package site builds the static site and serves it.
//
// Everything in the site refers to everything else by relative addresses, so
// that it works at any path of any host, and nothing in it depends on the time
// or the machine, so that one commit always gives the same bytes.
package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/app"
	"sixways/web"
)

// Options says what Build builds from, and where to.
type Options struct {
	// Root is the folder of the module's go.mod; see FindRoot.
	Root string
	// Out is the folder to write. An earlier site in it is replaced.
	Out string
}

// Result says what Build wrote.
type Result struct {
	// Version is a hash over the whole site.
	Version string
	// Sizes holds the bytes of each file by its name.
	Sizes map[string]int
}

// files is a site in memory: contents by name, slash-separated.
type files map[string][]byte

// Build compiles the simulator, renders its page and writes the site.
func Build(ctx context.Context, o Options) (Result, error) {
	if err := replaceable(o.Out); err != nil {
		return Result{}, err
	}
	site, version, err := render(ctx, o.Root)
	if err != nil {
		return Result{}, err
	}
	if err := write(o.Out, site); err != nil {
		return Result{}, err
	}
	sizes := make(map[string]int, len(site))
	for name, b := range site {
		sizes[name] = len(b)
	}
	return Result{Version: version, Sizes: sizes}, nil
}

// render compiles the simulator and makes its site.
func render(ctx context.Context, root string) (files, string, error) {
	body, err := Normalize(ui.HTMLString(app.NewPage()))
	if err != nil {
		return nil, "", err
	}
	parts, err := compile(ctx, root, contentHash([]byte(body)))
	if err != nil {
		return nil, "", err
	}
	parts.body = body
	return assemble(parts)
}

// parts is what a site is made of besides the embedded files.
type parts struct {
	wasm    []byte // the compiled simulator
	runtime []byte // wasm_exec.js of the Go version that compiled it
	body    string // the pre-rendered page
}

// assemble makes the site. The order is that of the references: a file's
// address carries a hash of its content, so what refers to it comes later.
func assemble(p parts) (files, string, error) {
	site := files{
		"app.wasm":     p.wasm,
		"wasm_exec.js": p.runtime,
		".nojekyll":    {},
	}
	var err error
	if site["app.wasm.gz"], err = pack(p.wasm); err != nil {
		return nil, "", err
	}
	if err := site.copy("boot.js", "view.js", "embed.js", "sixways.css", "robots.txt", "icons"); err != nil {
		return nil, "", err
	}
	for _, name := range []string{"boot.js", "view.js", "sixways.css"} { // what the first visit fetches
		site[name] = bare(site[name])
	}
	if site["manifest.webmanifest"], err = manifest(site); err != nil {
		return nil, "", err
	}
	if site[singleName], err = single(site, p.body); err != nil {
		return nil, "", err
	}
	if site["index.html"], err = page(site, p.body); err != nil {
		return nil, "", err
	}
	if site["404.html"], err = lost(); err != nil {
		return nil, "", err
	}
	version := site.version()
	if site["worker.js"], err = worker(site, version); err != nil {
		return nil, "", err
	}
	return site, version, site.complete()
}

// copy takes embedded files, or folders of them, over as they are.
func (f files) copy(names ...string) error {
	for _, name := range names {
		err := fs.WalkDir(web.Files, name, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			f[name], err = web.Files.ReadFile(name)
			return err
		})
		if err != nil {
			return fmt.Errorf("site: %w", err)
		}
	}
	return nil
}

// commentLines are comments of CSS and JavaScript that have their lines to
// themselves.
var commentLines = regexp.MustCompile(`(?m)^[ \t]*(//.*|/\*(?s:.*?)\*/)\n`)

// bare leaves such comments out.
func bare(text []byte) []byte { return commentLines.ReplaceAll(text, nil) }

// complete reports an empty file; all but .nojekyll have something to say.
func (f files) complete() error {
	for name, b := range f {
		if len(b) == 0 && name != ".nojekyll" {
			return fmt.Errorf("site: %s is empty", name)
		}
	}
	return nil
}

// url is the address of a file relative to the page. The hash makes a changed
// file a new one to every cache on the way.
func (f files) url(name string) string {
	b, ok := f[name]
	if !ok {
		// Only the code of this package names files.
		panic("site: no file " + name + " to refer to")
	}
	return name + "?v=" + contentHash(b)
}

// contentHash tells one content from another.
func contentHash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6])
}

// version is a hash over the names and contents of all files, and over the
// worker's own code, which is not among them yet.
func (f files) version() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(f)) {
		fmt.Fprintf(h, "%s\x00%d\x00", name, len(f[name]))
		h.Write(f[name])
	}
	h.Write(embedded("worker.js"))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// embedded is a file that the compiler has put into this program.
func embedded(name string) []byte {
	b, err := web.Files.ReadFile(name)
	if err != nil {
		panic("site: " + err.Error())
	}
	return b
}

// pack gzips without name and time, which would differ from build to build.
func pack(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	if _, err := w.Write(b); err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("gzip: %w", err)
	}
	return out.Bytes(), nil
}

// replaceable refuses a folder that holds something else than a site.
func replaceable(out string) error {
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || (err == nil && len(entries) == 0) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	if len(entries) == 1 && entries[0].Name() == singleName {
		return nil
	}
	for _, name := range []string{"app.wasm", "worker.js", ".nojekyll"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			return fmt.Errorf("output folder %s holds other files than a built site: name an empty, a new or an earlier site's folder", out)
		}
	}
	return nil
}

// write puts the site into a new folder beside out and then in its place, so
// that no half-written site is ever served.
func write(out string, site files) (err error) {
	if out, err = filepath.Abs(out); err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	next, err := os.MkdirTemp(filepath.Dir(out), "."+filepath.Base(out)+"-")
	if err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(next)) }()
	if err := os.Chmod(next, 0o755); err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	for name, b := range site {
		file := filepath.Join(next, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return fmt.Errorf("output folder: %w", err)
		}
		if err := os.WriteFile(file, b, 0o644); err != nil {
			return fmt.Errorf("output folder: %w", err)
		}
	}
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	if err := os.Rename(next, out); err != nil {
		return fmt.Errorf("output folder: %w", err)
	}
	return nil
}
