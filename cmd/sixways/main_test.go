package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type outcome struct {
	Status         int
	Stdout, Stderr string
}

func call(ctx context.Context, args ...string) outcome {
	var stdout, stderr strings.Builder
	status := dispatch(ctx, args, &stdout, &stderr)
	return outcome{status, stdout.String(), stderr.String()}
}

const helpText = "sixways simulates egress policy for agent sandboxes.\n\nUsage:\n\n  sixways COMMAND [FLAGS]\n\nCommands:\n\n" +
	"  build    build the static site from source\n" +
	"  serve    serve a built site on this machine\n" +
	"  run      decide the six attempts under one setting of the controls\n" +
	"  matrix   decide the six attempts under each of the 48 settings\n" +
	"  check    check a policy file: what does it leave open?\n" +
	"\n`sixways COMMAND --help` lists a command's flags.\n"

func TestDispatch(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for line, want := range map[string]outcome{
		"":       {0, helpText, ""},
		"help":   {0, helpText, ""},
		"-h":     {0, helpText, ""},
		"--help": {0, helpText, ""},
		"biuld":  {2, "", "sixways: unknown command \"biuld\": want build, serve, run, matrix, check or help\n"},
		"build --help": {0, "sixways build: build the static site from source\n\n" +
			"  --out DIR\n      the folder DIR to write the site to; an earlier site in it is replaced (default dist)\n" +
			"  --single\n      write sixways.html alone: the page as one file that opens without a server (default false)\n", ""},
		"serve -h": {0, "sixways serve: serve a built site on this machine\n\n" +
			"  --addr HOST:PORT\n      the address HOST:PORT to listen on; where the port is taken, the next free one is used (default 127.0.0.1:8080)\n" +
			"  --dir DIR\n      the folder DIR of the built site (default dist)\n", ""},
		"build --dist x":      {2, "", "sixways: build: flag provided but not defined: -dist: want --out DIR, --single\n"},
		"build x":             {2, "", "sixways: build: unexpected argument \"x\": want --out DIR, --single\n"},
		"serve --port 1":      {2, "", "sixways: serve: flag provided but not defined: -port: want --addr HOST:PORT, --dir DIR\n"},
		"serve --dir " + none: {1, "", "sixways: no built site in " + none + ": run `sixways build --out " + none + "` first, or name its folder with --dir\n"},
	} {
		t.Run(line, func(t *testing.T) {
			if diff := cmp.Diff(want, call(context.Background(), strings.Fields(line)...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestServeSaysWhereUntilItIsStopped(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	ctx, stop := context.WithCancel(context.Background())
	// Stopped before it starts, it still says where it would have served.
	stop()
	got := call(ctx, "serve", "--dir", dir, "--addr", taken.Addr().String())
	if want := "sixways: the port of " + taken.Addr().String() + " is taken; using the next free one\n"; got.Status != 0 || got.Stderr != want {
		t.Errorf("got %d %q, want 0 %q", got.Status, got.Stderr, want)
	}
	if want := "Serving " + dir + " at http://127.0.0.1:"; !strings.HasPrefix(got.Stdout, want) {
		t.Errorf("got %q, want %s…", got.Stdout, want)
	}
}
