package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"

	"sixways/web"
)

const (
	title       = "sixways: six ways out of an agent sandbox"
	description = "A simulator of egress policy for agent sandboxes: set the proxy policy, the resolver and the loopback, and see which of six ways out are really closed, and why."
	// The browser's own frame takes these colours; they are the page's grounds.
	lightGround = "#f7f6f3"
	darkGround  = "#131619"
)

// policy lets the page load its own files, compile WebAssembly, and show itself
// in a frame, and nothing else. A frame around the page is welcome, so frame-ancestors is not wanted
// (and has no effect in a page).
const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; object-src 'none'; frame-src 'self'; base-uri 'none'; form-action 'none'"

func manifest(site files) ([]byte, error) {
	type icon struct {
		Src     string `json:"src"`
		Sizes   string `json:"sizes"`
		Type    string `json:"type"`
		Purpose string `json:"purpose"`
	}
	// There is no id: it would be resolved against the origin, which other
	// copies share; without one, it is start_url.
	b, err := json.MarshalIndent(struct {
		Name        string `json:"name"`
		ShortName   string `json:"short_name"`
		Description string `json:"description"`
		Lang        string `json:"lang"`
		StartURL    string `json:"start_url"`
		Scope       string `json:"scope"`
		Display     string `json:"display"`
		Background  string `json:"background_color"`
		Theme       string `json:"theme_color"`
		Icons       []icon `json:"icons"`
	}{
		title, "sixways", description, "en", "./", "./", "minimal-ui", darkGround, darkGround,
		[]icon{
			{site.url("icons/icon.svg"), "any", "image/svg+xml", "any"},
			{site.url("icons/icon-192.png"), "192x192", "image/png", "any"},
			{site.url("icons/icon-512.png"), "512x512", "image/png", "any"},
			{site.url("icons/maskable-512.png"), "512x512", "image/png", "maskable"},
		},
	}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	return append(b, '\n'), nil
}

// download is a file that the boot script loads and shows the progress of.
type download struct {
	URL   string
	Bytes int
}

func page(site files, body string) ([]byte, error) {
	of := func(name string) download { return download{site.url(name), len(site[name])} }
	return fill("page.html", map[string]any{
		"Policy":      policy,
		"Title":       title,
		"Description": description,
		"Light":       lightGround,
		"Dark":        darkGround,
		"Style":       site.url("sixways.css"),
		"Runtime":     site.url("wasm_exec.js"),
		"Boot":        site.url("boot.js"),
		"View":        site.url("view.js"),
		"Packed":      of("app.wasm.gz"),
		"Plain":       of("app.wasm"),
		"Icon":        site.url("icons/icon.svg"),
		"AppleIcon":   site.url("icons/apple-180.png"),
		"Single":      singleName,
		"SingleSize":  megabytes(len(site[singleName])),
		"Body":        template.HTML(body),
		"Hash":        contentHash([]byte(body)),
	})
}

func megabytes(n int) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// lost makes 404.html. A host answers with it at any depth, where no relative
// address of another file holds, so everything is in it.
func lost() ([]byte, error) {
	style, script := embedded("lost.css"), embedded("lost.js")
	return fill("lost.html", map[string]any{
		"Policy": fmt.Sprintf("default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'", integrity(script), integrity(style)),
		"Style":  template.CSS(style),
		"Script": template.JS(script),
	})
}

func fill(name string, data map[string]any) ([]byte, error) {
	t, err := template.New(name).Option("missingkey=error").ParseFS(web.Files, name)
	if err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("template %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// integrity is a hash as Subresource Integrity and the policy write it.
func integrity(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// keep is a file that the worker keeps for offline use.
type keep struct {
	URL       string `json:"url"`
	Integrity string `json:"integrity"`
}

// worker puts the list of files before the worker's code. Kept is what the
// page asks for; the plain WebAssembly is not, for the packed one does.
func worker(site files, version string) ([]byte, error) {
	kept := []keep{
		{URL: "./", Integrity: integrity(site["index.html"])},
		{URL: "manifest.webmanifest", Integrity: integrity(site["manifest.webmanifest"])},
		// A host may send it with Content-Encoding: unpacked, it is app.wasm.
		{URL: site.url("app.wasm.gz"), Integrity: integrity(site["app.wasm.gz"]) + " " + integrity(site["app.wasm"])},
	}
	for _, name := range []string{"boot.js", "view.js", "wasm_exec.js", "sixways.css", "icons/icon.svg"} {
		kept = append(kept, keep{URL: site.url(name), Integrity: integrity(site[name])})
	}
	list, err := json.MarshalIndent(struct {
		Version string `json:"version"`
		Files   []keep `json:"files"`
	}{version, kept}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	return fmt.Appendf(nil, "\"use strict\";\nconst site = %s;\n\n%s", list, embedded("worker.js")), nil
}
