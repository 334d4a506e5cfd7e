package main

import (
	"context"
	"flag"
	"fmt"
	"io"

	"sixways/web/site"
)

const serveSummary = "serve a built site on this machine"

var serveCommand = command{"serve", serveSummary, serve}

func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	addr := f.String("addr", "127.0.0.1:8080", "the address `HOST:PORT` to listen on; where the port is taken, the next free one is used")
	dir := f.String("dir", "dist", "the folder `DIR` of the built site")
	if helped, err := parse(f, args, serveSummary, stdout); helped || err != nil {
		return err
	}
	if err := site.Built(*dir); err != nil {
		return err
	}
	l, moved, err := site.Listen(*addr)
	if err != nil {
		return usage{fmt.Errorf("serve: --addr: %w", err)}
	}
	if moved {
		fmt.Fprintf(stderr, "sixways: the port of %s is taken; using the next free one\n", *addr)
	}
	fmt.Fprintf(stdout, "Serving %s at %s (stop it with Ctrl-C)\n", *dir, site.URL(l))
	return site.Serve(ctx, l, *dir)
}
