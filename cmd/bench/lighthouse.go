package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// categories are what Lighthouse scores, as its report names them.
var categories = []string{"performance", "accessibility", "best-practices", "seo"}

// lighthouse scores a site n times and returns the median of each category,
// 0 to 100.
func lighthouse(ctx context.Context, browser string, s *website, n int) (map[string]int, error) {
	scores := map[string][]int{}
	for range n {
		once, err := lighthouseOnce(ctx, browser, s)
		if err != nil {
			return nil, err
		}
		for _, c := range categories {
			scores[c] = append(scores[c], once[c])
		}
	}
	medians := map[string]int{}
	for c, list := range scores {
		medians[c] = median(list)
	}
	return medians, nil
}

func lighthouseOnce(ctx context.Context, browser string, s *website) (map[string]int, error) {
	cmd := exec.CommandContext(ctx, filepath.Join("node_modules", ".bin", "lighthouse"), s.URL,
		"--output=json", "--quiet", "--only-categories="+strings.Join(categories, ","),
		"--chrome-flags=--"+strings.Join(flags, " --"))
	cmd.Env = append(os.Environ(), "CHROME_PATH="+browser)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("lighthouse: %w", err)
	}
	return readScores(out)
}

func readScores(report []byte) (map[string]int, error) {
	var r struct {
		Categories map[string]struct {
			Score *float64 `json:"score"`
		} `json:"categories"`
	}
	if err := json.Unmarshal(report, &r); err != nil {
		return nil, fmt.Errorf("lighthouse's report: %w", err)
	}
	scores := map[string]int{}
	for _, c := range categories {
		score := r.Categories[c].Score
		if score == nil {
			return nil, fmt.Errorf("lighthouse gave no score for %s", c)
		}
		scores[c] = int(math.Round(*score * 100))
	}
	return scores, nil
}
