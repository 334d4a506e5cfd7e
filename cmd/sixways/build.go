package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"sixways/web/site"
)

const buildSummary = "build the static site from source"

var buildCommand = command{"build", buildSummary, build}

func build(ctx context.Context, args []string, stdout, _ io.Writer) error {
	f := flag.NewFlagSet("build", flag.ContinueOnError)
	out := f.String("out", "dist", "the folder `DIR` to write the site to; an earlier site in it is replaced")
	single := f.Bool("single", false, "write sixways.html alone: the page as one file that opens without a server")
	if helped, err := parse(f, args, buildSummary, stdout); helped || err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	root, err := site.FindRoot(ctx, dir)
	if err != nil {
		return err
	}
	write := site.Build
	if *single {
		write = site.BuildSingle
	}
	result, err := write(ctx, site.Options{Root: root, Out: *out})
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(result.Sizes)) {
		fmt.Fprintf(stdout, "%9d  %s\n", result.Sizes[name], name)
	}
	_, err = fmt.Fprintf(stdout, "Built version %s in %s\n", result.Version, *out)
	return err
}
