package site

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is the path of the module that the site is built from.
const module = "sixways"

// FindRoot returns the folder of the module's go.mod, looking in dir and
// above: the site is compiled from source.
func FindRoot(ctx context.Context, dir string) (string, error) {
	mod, err := run(ctx, dir, nil, "env", "GOMOD")
	if err != nil {
		return "", err
	}
	if mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("no go.mod in %s or above: run it in a clone of %s, which the site is compiled from", dir, module)
	}
	path, err := run(ctx, dir, nil, "list", "-m")
	if err != nil {
		return "", err
	}
	if path != module {
		return "", fmt.Errorf("%s is of module %s: run it in a clone of %s, which the site is compiled from", mod, path, module)
	}
	return filepath.Dir(mod), nil
}

// compile builds the simulator for the browser, without what would differ
// from one machine to another. The pre-rendered page that it keeps the pieces
// of is known to it by a hash: another one may be there, from a cache.
func compile(ctx context.Context, root, preRendered string) (p parts, err error) {
	dir, err := os.MkdirTemp("", "sixways-")
	if err != nil {
		return parts{}, fmt.Errorf("compile: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	out := filepath.Join(dir, "app.wasm")
	_, err = run(ctx, root, []string{"GOOS=js", "GOARCH=wasm", "GOWASM=", "GOEXPERIMENT="},
		"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid= -X "+module+"/app.preRendered="+preRendered,
		// The page's code runs once an event: inlined, it is only larger.
		"-gcflags="+module+"/...=-l", "-gcflags=github.com/maxence-charriere/...=-l",
		"-gcflags=go.yaml.in/...=-l", "-gcflags=github.com/tailscale/...=-l",
		"-o", out, "./cmd/wasm")
	if err != nil {
		return parts{}, err
	}
	if p.wasm, err = os.ReadFile(out); err != nil {
		return parts{}, fmt.Errorf("compile: %w", err)
	}
	goroot, err := run(ctx, root, nil, "env", "GOROOT")
	if err != nil {
		return parts{}, err
	}
	if p.runtime, err = os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")); err != nil {
		return parts{}, fmt.Errorf("the Go installation's browser support: %w", err)
	}
	return p, nil
}

// run runs the go command in dir and returns what it prints. GOFLAGS and
// workspaces of the caller must not change the site.
func run(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOWORK=off"), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s in %s: %w\n%s", strings.Join(args, " "), dir, err, strings.TrimSpace(stderr.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
