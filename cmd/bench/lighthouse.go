package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
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

// lighthouseOnce does not let Lighthouse start the browser: it would measure at
// once, while the browser is busy with itself.
func lighthouseOnce(ctx context.Context, browser string, s *website) (scores map[string]int, err error) {
	profile, err := os.MkdirTemp("", "sixways-lighthouse-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(profile)) }()
	ctx, cancel, err := newTab(ctx, browser, chromedp.UserDataDir(profile), remote.WebSocket)
	defer cancel()
	if err != nil {
		return nil, err
	}
	port, err := debuggingPort(profile)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, filepath.Join("node_modules", ".bin", "lighthouse"), s.URL,
		"--output=json", "--quiet", "--only-categories="+strings.Join(categories, ","), "--port="+port)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("lighthouse: %w", err)
	}
	// Closed in peace, it writes no more into its profile.
	if err := chromedp.Cancel(ctx); err != nil {
		return nil, err
	}
	return readScores(out)
}

// debuggingPort reads where a browser listens, which it writes into its profile.
func debuggingPort(profile string) (string, error) {
	text, err := os.ReadFile(filepath.Join(profile, "DevToolsActivePort"))
	if err != nil {
		return "", fmt.Errorf("the browser's debugging port: %w", err)
	}
	port, _, _ := strings.Cut(string(text), "\n")
	return port, nil
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
