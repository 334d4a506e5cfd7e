package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// types are the media types of what a site holds. The packed WebAssembly is a
// file of its own, not an encoding of another one: the page unpacks it.
var types = map[string]string{
	".html":        "text/html; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".wasm":        "application/wasm",
	".gz":          "application/gzip",
	".webmanifest": "application/manifest+json",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".txt":         "text/plain; charset=utf-8",
}

// Handler serves the site in a folder. The folder may be built anew meanwhile.
func Handler(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-cache")
		h.Set("X-Content-Type-Options", "nosniff")
		// A sandboxed frame has no origin, and asks across origins.
		h.Set("Access-Control-Allow-Origin", "*")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "want GET or HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		// A folder has no page of its own, so its slash leads nowhere.
		if r.URL.Path == "/" || !strings.HasSuffix(r.URL.Path, "/") {
			if serveFile(w, r, dir, name) {
				return
			}
		}
		serveLost(w, r, dir)
	})
}

// serveFile reports whether there was such a file.
func serveFile(w http.ResponseWriter, r *http.Request, dir, name string) bool {
	// No link or .. leads out of the folder.
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	w.Header().Set("Content-Type", typeOf(name))
	http.ServeContent(w, r, "", info.ModTime(), f)
	return true
}

func typeOf(name string) string {
	if t, ok := types[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}

func serveLost(w http.ResponseWriter, r *http.Request, dir string) {
	b, err := fs.ReadFile(os.DirFS(dir), "404.html")
	if err != nil {
		http.Error(w, "no site here: build it again", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", types[".html"])
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(http.StatusNotFound)
	if r.Method == http.MethodGet {
		// A reader who has gone away is none of the server's errors.
		_, _ = io.Copy(w, bytes.NewReader(b))
	}
}

// Built reports why a folder cannot be served, and what to do then.
func Built(dir string) error {
	_, err := os.Stat(filepath.Join(dir, "index.html"))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("no built site in %s: run `sixways build --out %s` first, or name its folder with --dir", dir, dir)
	}
	return err
}

// ports is how many ports after a taken one are tried.
const ports = 20

// Listen listens on addr or, where its port is taken, on the next free one,
// and then says that it moved.
func Listen(addr string) (l net.Listener, moved bool, err error) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, false, fmt.Errorf("address %q: want host:port, such as 127.0.0.1:8080: %w", addr, err)
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return nil, false, fmt.Errorf("address %q: want a port from 0 to 65535", addr)
	}
	for p := int(port); p <= min(int(port)+ports, 65535); p++ {
		l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(p)))
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			return l, p != int(port), err
		}
	}
	return nil, false, fmt.Errorf("address %q: this port and the %d after it are taken; name another with --addr, or port 0 for any", addr, ports)
}

// URL is the address of a listener as a browser on this machine can open it.
func URL(l net.Listener) string {
	a, ok := l.Addr().(*net.TCPAddr)
	if !ok {
		return l.Addr().String()
	}
	host := a.IP.String()
	if a.IP.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(a.Port)) + "/"
}

// Serve serves the site in dir until ctx is done, and then lets what is being
// sent come to its end.
func Serve(ctx context.Context, l net.Listener, dir string) error {
	server := &http.Server{Handler: Handler(dir), ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve %s: %w", dir, err)
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return errors.Join(fmt.Errorf("serve %s: %w", dir, err), server.Close())
	}
	return nil
}
