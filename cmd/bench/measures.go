package main

import (
	"context"
	"fmt"
	"os"
	"slices"
)

// none stands where hello world has nothing to compare.
const none = "–"

// measures collects the rows of the table; each method adds its own.
type measures struct {
	ctx         context.Context
	browser     string
	ours, hello *website
	// single is the address of the page that is one file.
	single string
	// slowness is how many times slower this machine is than the budgets' own.
	slowness float64
	rows     []row
}

func (m *measures) add(what, ours, theirs, budget, verdict string) {
	fmt.Fprintf(os.Stderr, "%s: %s, hello world %s\n", what, ours, theirs)
	m.rows = append(m.rows, row{what, ours, theirs, budget, verdict})
}

func (m *measures) sizes() error {
	m.add("WebAssembly", megabytes(len(m.ours.wasm)), megabytes(len(m.hello.wasm)), "", "")
	ours, err := compress(m.ours.wasm)
	if err != nil {
		return err
	}
	hello, err := compress(m.hello.wasm)
	if err != nil {
		return err
	}
	m.add("WebAssembly, gzip -9", megabytes(len(ours)), megabytes(len(hello)), "≤ 2.5 MB", verdict(len(ours) <= 2_500_000))
	return nil
}

func (m *measures) visits() error {
	ours, err := firstVisit(m.ctx, m.browser, m.ours, oursUsable)
	if err != nil {
		return err
	}
	hello, err := firstVisit(m.ctx, m.browser, m.hello, helloUsable)
	if err != nil {
		return err
	}
	m.add("everything that the first visit fetches", megabytes(ours), megabytes(hello), "≤ 2.65 MB", verdict(ours <= 2_650_000))
	return nil
}

// loads takes turns, so that whatever else the machine does meets all alike.
func (m *measures) loads(n int) error {
	var ours, hello, single []float64
	for range n {
		ms, err := coldLoad(m.ctx, m.browser, m.ours.URL, oursUsable)
		if err != nil {
			return err
		}
		ours = append(ours, ms)
		if ms, err = coldLoad(m.ctx, m.browser, m.hello.URL, helloUsable); err != nil {
			return err
		}
		hello = append(hello, ms)
		if ms, err = coldLoad(m.ctx, m.browser, m.single, oursUsable); err != nil {
			return err
		}
		single = append(single, ms)
	}
	ratio := median(ours) / median(hello)
	m.add(fmt.Sprintf("navigation to usable controls, median of %d cold loads", n),
		fmt.Sprintf("%s (%.2f ×)", milliseconds(median(ours)), ratio), milliseconds(median(hello)),
		"≤ 1.15 × hello world", verdict(ratio <= 1.15))
	ratio = median(single) / median(ours)
	m.add("the same of the one file, opened from the disk",
		fmt.Sprintf("%s (%.2f × served)", milliseconds(median(single)), ratio), none,
		"≤ 1.15 × served", verdict(ratio <= 1.15))
	return nil
}

// throttle is how many times slower the CPU is made for the timings of an older
// phone.
const throttle = 4

// throttled measures with the CPU throttled, and then so that it is as slow as
// the machine of the budgets is with that throttle. No machine is made faster.
func (m *measures) throttled(measure func(slower float64, how string) error) error {
	if err := measure(throttle, fmt.Sprintf("%d× CPU throttle", throttle)); err != nil {
		return err
	}
	slower := max(1, throttle/m.slowness)
	return measure(slower, fmt.Sprintf("%.1f× (as slow as the budgets' machine at %d×)", slower, throttle))
}

func (m *measures) toggles(n int) error {
	return m.throttled(func(slower float64, how string) error {
		ours, err := toggles(m.ctx, m.browser, m.ours, oursUsable, "#force-dns", "#data table", slower, n)
		if err != nil {
			return err
		}
		hello, err := toggles(m.ctx, m.browser, m.hello, helloUsable, "input", "h1", slower, n)
		if err != nil {
			return err
		}
		m.add(fmt.Sprintf("toggle to painted result, %d clicks, %s", n, how),
			spread(ours), spread(hello), "≤ 50 ms", verdict(slices.Max(ours) <= 50))
		return nil
	})
}

func spread(all []float64) string {
	return fmt.Sprintf("median %s, worst %s", milliseconds(median(all)), milliseconds(slices.Max(all)))
}

func (m *measures) play() error {
	return m.throttled(func(slower float64, how string) error {
		ours, err := play(m.ctx, m.browser, m.ours, slower)
		if err != nil {
			return err
		}
		hello, err := tick(m.ctx, m.browser, m.hello, slower)
		if err != nil {
			return err
		}
		m.add("longest task of a replay at speed 4×, "+how, fmt.Sprintf("%.1f ms", ours.longest), fmt.Sprintf("%.1f ms", hello.longest),
			"≤ 16 ms", verdict(ours.longest <= 16))
		m.add(fmt.Sprintf("gaps under 20 ms between its %d frames", ours.frames), fmt.Sprintf("%.1f %%", 100*ours.smooth), fmt.Sprintf("%.1f %%", 100*hello.smooth),
			"≥ 99 %", verdict(ours.smooth >= 0.99))
		return nil
	})
}

func (m *measures) lighthouse(n int) error {
	if n == 0 {
		return nil
	}
	ours, err := lighthouse(m.ctx, m.browser, m.ours, n)
	if err != nil {
		return err
	}
	hello, err := lighthouse(m.ctx, m.browser, m.hello, n)
	if err != nil {
		return err
	}
	for _, c := range categories {
		budget, kept := "100", ours[c] == 100
		if c == "performance" {
			budget, kept = "> hello world", ours[c] > hello[c]
		}
		m.add("Lighthouse, "+c, fmt.Sprint(ours[c]), fmt.Sprint(hello[c]), budget, verdict(kept))
	}
	return nil
}
