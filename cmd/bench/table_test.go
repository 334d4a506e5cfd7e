package main

import "testing"

func TestTable(t *testing.T) {
	const want = `| | sixways | other | budget | |
|---|---|---|---|---|
| size | 2.09 MB | 1.89 MB | ≤ 2.15 MB | ok |
| speed | 61 ms | – | ≤ 50 ms | **over** |
`
	got := table("other", []row{
		{"size", megabytes(2_087_737), megabytes(1_890_000), "≤ 2.15 MB", verdict(true)},
		{"speed", milliseconds(61.4), "–", "≤ 50 ms", verdict(false)},
	})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{9, 1, 5}); got != 5 {
		t.Errorf("of three: %v", got)
	}
	if got := median([]float64{9, 1, 5, 3}); got != 4 {
		t.Errorf("of four: %v", got)
	}
}
