package main

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// row is a measure: of us, of what stands beside us, its budget, and whether
// it is kept.
type row struct{ what, ours, theirs, budget, verdict string }

// verdict is empty where there is no budget.
func verdict(kept bool) string {
	if kept {
		return "ok"
	}
	return "**over**"
}

// table writes rows in Markdown, under the name of what stands beside us.
func table(beside string, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | sixways | %s | budget | |\n|---|---|---|---|---|\n", beside)
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.what, r.ours, r.theirs, r.budget, r.verdict)
	}
	return b.String()
}

// median sorts its argument.
func median[T int | float64](values []T) T {
	slices.Sort(values)
	if n := len(values); n%2 == 0 {
		return (values[n/2-1] + values[n/2]) / 2
	}
	return values[len(values)/2]
}

func megabytes(n int) string { return fmt.Sprintf("%.2f MB", float64(n)/1e6) }

func milliseconds(ms float64) string { return fmt.Sprintf("%.0f ms", ms) }

// machine says when and on what the figures were taken, and how busy it was:
// beyond one process a core, timings tell little.
func machine(browser string) string {
	return fmt.Sprintf("%s, %s, %d cores, load average %s, %s, %s",
		time.Now().Format(time.DateOnly), cpu(), runtime.NumCPU(), load(), runtime.Version(), browser)
}

// load is the average over the last five minutes, as Linux tells it.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[1]
}

// cpu is the model as Linux names it.
func cpu() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
