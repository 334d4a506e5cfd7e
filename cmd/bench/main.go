// Command bench measures the simulator beside go-app's own hello world, built
// and served in the same run, and its engine beside Smokescreen's, and prints
// Markdown tables. Run it in its own folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

func main() {
	loads := flag.Int("loads", 15, "cold loads of each site; the median counts")
	clicks := flag.Int("clicks", 21, "clicks on a checkbox")
	audits := flag.Int("audits", 3, "Lighthouse runs of each site; the median counts; 0 leaves them out")
	flag.Parse()
	if flag.NArg() > 0 || *loads < 1 || *clicks < 1 || *audits < 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := bench(ctx, *loads, *clicks, *audits); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, loads, clicks, audits int) error {
	browser, err := findBrowser()
	if err != nil {
		return err
	}
	version, err := browserVersion(ctx, browser)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "sixways-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ours, err := buildOurs(ctx, filepath.Join(dir, "ours"))
	if err != nil {
		return err
	}
	defer ours.Close()
	hello, err := buildHello(ctx, filepath.Join(dir, "hello"))
	if err != nil {
		return err
	}
	defer hello.Close()

	single := "file://" + filepath.ToSlash(filepath.Join(dir, "ours", "sixways.html"))
	engine, slowness := engineRows()
	m := measures{ctx: ctx, browser: browser, ours: ours, hello: hello, single: single, slowness: slowness}
	steps := []func() error{
		m.sizes,
		m.visits,
		func() error { return m.loads(loads) },
		func() error { return m.toggles(clicks) },
		m.play,
		func() error { return m.lighthouse(audits) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	fmt.Printf("%s\n%s\n", table("go-app hello world", m.rows), table("Smokescreen acl/v1", engine))
	fmt.Println("Measured", machine(version)+".")
	fmt.Printf("By Smokescreen's decision, %d ns where the budgets were set, this machine is %.1f times slower than that one.\n",
		referenceDecision, slowness)
	return nil
}
