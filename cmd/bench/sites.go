package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"

	"sixways/web/site"
)

// website is a built site, served on this machine.
type website struct {
	*httptest.Server
	// wasm is the uncompressed WebAssembly.
	wasm []byte
	// sent counts the bytes of all answers' bodies.
	sent atomic.Int64

	files map[string]file
}

// file is a file as it is sent, compressed where that helps.
type file struct {
	plain, gzipped []byte
	mediaType      string
}

func openWebsite(dir, wasm string) (*website, error) {
	s := &website{files: map[string]file{}}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		s.files[name], err = readFile(filepath.Join(dir, name))
		return err
	})
	if err != nil {
		return nil, err
	}
	s.wasm = s.files[wasm].plain
	s.Server = httptest.NewServer(s)
	return s, nil
}

func readFile(name string) (file, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return file{}, err
	}
	f := file{plain: text, mediaType: mediaType(name)}
	switch filepath.Ext(name) {
	case ".gz", ".png":
		return f, nil
	}
	f.gzipped, err = compress(text)
	return f, err
}

func mediaType(name string) string {
	if filepath.Ext(name) == ".webmanifest" {
		return "application/manifest+json"
	}
	return mime.TypeByExtension(filepath.Ext(name))
}

func compress(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ServeHTTP answers as GitHub Pages does: gzipped, and fresh for ten minutes.
func (s *website) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	f, ok := s.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", f.mediaType)
	w.Header().Set("Cache-Control", "max-age=600")
	w.Header().Set("Vary", "Accept-Encoding")
	body := f.plain
	if f.gzipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		body = f.gzipped
	}
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	n, _ := w.Write(body) // a browser that hangs up has not been sent the rest
	s.sent.Add(int64(n))
}

// buildOurs builds the simulator's site into dir.
func buildOurs(ctx context.Context, dir string) (*website, error) {
	root, err := site.FindRoot(ctx, filepath.Join("..", ".."))
	if err != nil {
		return nil, err
	}
	if _, err := site.Build(ctx, site.Options{Root: root, Out: dir}); err != nil {
		return nil, err
	}
	return openWebsite(dir, "app.wasm")
}

// buildHello builds go-app's hello world into dir, without symbols as ours is.
func buildHello(ctx context.Context, dir string) (*website, error) {
	wasm := filepath.Join(dir, "web", "app.wasm")
	err := runGo(ctx, []string{"GOOS=js", "GOARCH=wasm"}, "build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "./hello")
	if err != nil {
		return nil, err
	}
	if err := runGo(ctx, nil, "run", "./hello", dir); err != nil {
		return nil, err
	}
	icons := os.DirFS(filepath.Join("..", "..", "web", "icons"))
	if err := os.CopyFS(filepath.Join(dir, "web"), icons); err != nil {
		return nil, err
	}
	return openWebsite(dir, "web/app.wasm")
}

func runGo(ctx context.Context, env []string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}
