package site

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
)

// singleName is the page that is one file, in the site and alone.
const singleName = "sixways.html"

// BuildSingle compiles the simulator and writes its page as one file into the
// folder Out, which it leaves as it is otherwise. It opens without a server.
func BuildSingle(ctx context.Context, o Options) (Result, error) {
	site, version, err := render(ctx, o.Root)
	if err != nil {
		return Result{}, err
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return Result{}, fmt.Errorf("output folder: %w", err)
	}
	if err := replaceFile(filepath.Join(o.Out, singleName), site[singleName]); err != nil {
		return Result{}, fmt.Errorf("single file: %w", err)
	}
	return Result{Version: version, Sizes: map[string]int{singleName: len(site[singleName])}}, nil
}

// replaceFile writes beside the file and then in its place, so that nobody
// meets half of it.
func replaceFile(name string, b []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(b)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// single makes the page with everything inside. Its policy names each script
// and the style by their hashes, and lets it ask nobody for anything.
func single(site files, body string) ([]byte, error) {
	style, view, runtime, boot := site["sixways.css"], site["view.js"], site["wasm_exec.js"], site["boot.js"]
	return fill("single.html", map[string]any{
		"Policy": fmt.Sprintf("default-src 'none'; script-src 'wasm-unsafe-eval' '%s' '%s' '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
			integrity(view), integrity(runtime), integrity(boot), integrity(style)),
		"Title":       title,
		"Description": description,
		"Light":       lightGround,
		"Dark":        darkGround,
		"Icon":        template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(site["icons/icon.svg"])),
		"Style":       template.CSS(style),
		"Body":        template.HTML(body),
		"Packed":      template.HTML(base64.StdEncoding.EncodeToString(site["app.wasm.gz"])),
		"PackedBytes": len(site["app.wasm.gz"]),
		"View":        template.JS(view),
		"Runtime":     template.JS(runtime),
		"Boot":        template.JS(boot),
	})
}
