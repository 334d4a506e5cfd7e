package site

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// small is a folder that looks like a site.
func small(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dist")
	site := files{}
	for _, name := range []string{"index.html", "404.html", "app.wasm", "app.wasm.gz", "boot.js", "sixways.css", "manifest.webmanifest", "icons/icon.svg", "icons/icon-192.png", "robots.txt", "other.bin"} {
		site[name] = []byte("content of " + name)
	}
	if err := write(dir, site); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "secret"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestHandler(t *testing.T) {
	type answer struct {
		Status     int
		Type, Body string
	}
	lost := answer{404, "text/html; charset=utf-8", "content of 404.html"}
	handler := Handler(small(t))
	for target, want := range map[string]answer{
		"GET /":                     {200, "text/html; charset=utf-8", "content of index.html"},
		"GET /?policy=allowlist":    {200, "text/html; charset=utf-8", "content of index.html"},
		"GET /index.html":           {200, "text/html; charset=utf-8", "content of index.html"},
		"HEAD /":                    {200, "text/html; charset=utf-8", ""},
		"GET /app.wasm":             {200, "application/wasm", "content of app.wasm"},
		"GET /app.wasm.gz?v=0":      {200, "application/gzip", "content of app.wasm.gz"},
		"GET /boot.js":              {200, "text/javascript; charset=utf-8", "content of boot.js"},
		"GET /sixways.css":          {200, "text/css; charset=utf-8", "content of sixways.css"},
		"GET /manifest.webmanifest": {200, "application/manifest+json", "content of manifest.webmanifest"},
		"GET /icons/icon.svg":       {200, "image/svg+xml", "content of icons/icon.svg"},
		"GET /icons/icon-192.png":   {200, "image/png", "content of icons/icon-192.png"},
		"GET /robots.txt":           {200, "text/plain; charset=utf-8", "content of robots.txt"},
		"GET /other.bin":            {200, "application/octet-stream", "content of other.bin"},
		"GET /icons":                lost,
		"GET /icons/":               lost,
		"GET /boot.js/":             lost,
		"GET /no/such":              lost,
		"GET /../secret":            lost,
		"GET /..%2fsecret":          lost,
		"GET /link":                 lost,
		"HEAD /no/such":             {404, "text/html; charset=utf-8", ""},
		"POST /":                    {405, "text/plain; charset=utf-8", "want GET or HEAD\n"},
	} {
		t.Run(target, func(t *testing.T) {
			method, address, _ := strings.Cut(target, " ")
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(method, address, nil))
			h := w.Header()
			if diff := cmp.Diff(want, answer{w.Code, h.Get("Content-Type"), w.Body.String()}); diff != "" {
				t.Error(diff)
			}
			for name, want := range map[string]string{"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff", "Access-Control-Allow-Origin": "*", "Content-Encoding": ""} {
				if got := h.Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestHandlerWithoutASite(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(filepath.Join(t.TempDir(), "none")).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	if w.Code != 404 || w.Body.String() != "no site here: build it again\n" {
		t.Errorf("got %d %q", w.Code, w.Body.String())
	}
}

func TestListenTakesTheNextFreePort(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	first := taken.Addr().(*net.TCPAddr).Port
	l, moved, err := Listen(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := l.Addr().(*net.TCPAddr).Port; !moved || got <= first || got > first+ports {
		t.Errorf("got port %d, moved %v; want one of the %d after %d", got, moved, ports, first)
	}
}

func TestListenRefuses(t *testing.T) {
	for addr, want := range map[string]string{
		"8080":            `address "8080": want host:port, such as 127.0.0.1:8080: address 8080: missing port in address`,
		"127.0.0.1:http":  `address "127.0.0.1:http": want a port from 0 to 65535`,
		"127.0.0.1:70000": `address "127.0.0.1:70000": want a port from 0 to 65535`,
	} {
		if _, _, err := Listen(addr); err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", addr, err, want)
		}
	}
}

func TestURLCanBeOpened(t *testing.T) {
	for addr, want := range map[string]string{"127.0.0.1:0": "http://127.0.0.1:", ":0": "http://localhost:", "0.0.0.0:0": "http://localhost:"} {
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if got := URL(l); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "/") {
			t.Errorf("%s: %s, want %s…/", addr, got, want)
		}
		l.Close()
	}
}

func TestServeStopsCleanly(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, l, small(t)) }()
	response, err := http.Get(URL(l))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if err != nil || string(body) != "content of index.html" {
		t.Errorf("got %q, %v", body, err)
	}
	response.Body.Close()
	stop()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("still serving 5 s after it was stopped")
	}
}

func TestBuiltTellsHowToBuild(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "dist")
	err := Built(dir)
	want := "no built site in " + dir + ": run `sixways build --out " + dir + "` first, or name its folder with --dir"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := Built(small(t)); err != nil {
		t.Error(err)
	}
}
