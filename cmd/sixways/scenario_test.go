package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

var update = flag.Bool("update", false, "write the golden files anew")

// transcript runs a command line as the shell would and returns what came of
// it.
func transcript(line string) string {
	var stdout, stderr bytes.Buffer
	words := strings.Fields(strings.TrimPrefix(line, "$ sixways"))
	status := dispatch(context.Background(), words, &stdout, &stderr)
	return fmt.Sprintf("%s\n-- stdout --\n%s-- stderr --\n%s-- exit status %d --\n", line, &stdout, &stderr, status)
}

// Each file is a scenario: a command line, and what it prints.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 6 {
		t.Fatalf("only %q", files)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			line, _, _ := strings.Cut(string(want), "\n")
			got := transcript(line)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("(-want +got; -update writes it anew):\n%s", diff)
			}
		})
	}
}

const (
	runTakes = "--policy=denylist|allowlist|deny-all, --task-api, --force-dns, --block-metadata, --loopback, --json (a switch also with =1, =0, =true or =false)"
	noSwitch = " is no switch; want 1, 0, true or false"
	policies = "want denylist, allowlist or deny-all"
)

// Bad use: one line on standard error that names what is accepted, exit status
// 2, nothing on standard output.
func TestBadUse(t *testing.T) {
	tests := []struct {
		because string
		args    []string
		want    string
	}{
		{"an unknown flag", []string{"run", "--dns"}, `run: unknown flag "--dns"; want ` + runTakes},
		{"an unknown flag with a value", []string{"run", "--t=8"}, `run: unknown flag "--t=8"; want ` + runTakes},
		{"a policy that is none", []string{"run", "--policy", "deny"}, `run: --policy: "deny" is no policy; ` + policies},
		{"an empty policy", []string{"run", "--policy="}, `run: --policy: "" is no policy; ` + policies},
		{"a policy left out at the end", []string{"run", "--json", "--policy"}, `run: --policy lacks its value; want denylist, allowlist, deny-all`},
		{"a policy left out before a flag", []string{"run", "--policy", "--json"}, `run: --policy: "--json" is no policy; ` + policies},
		{"another word for on", []string{"run", "--force-dns=on"}, `run: --force-dns: "on"` + noSwitch},
		{"a switch's case counts", []string{"run", "--loopback=TRUE"}, `run: --loopback: "TRUE"` + noSwitch},
		{"no t for true", []string{"run", "--task-api=t"}, `run: --task-api: "t"` + noSwitch},
		{"an empty switch", []string{"run", "--block-metadata="}, `run: --block-metadata: ""` + noSwitch},
		{"json is a switch", []string{"run", "--json=yes"}, `run: --json: "yes"` + noSwitch},
		{"a switch takes its value after =", []string{"run", "--force-dns", "1"}, `run: unexpected argument "1"; want only ` + runTakes},
		{"a stray argument", []string{"run", "allowlist"}, `run: unexpected argument "allowlist"; want only ` + runTakes},
		{"an empty argument", []string{"run", ""}, `run: unexpected argument ""; want only ` + runTakes},
		{"a lone dash", []string{"run", "-"}, `run: unexpected argument "-"; want only ` + runTakes},
		{"an error after good flags", []string{"run", "--json", "--force-dns", "x\ny"}, `run: unexpected argument "x\ny"; want only ` + runTakes},
		{"the matrix has all settings", []string{"matrix", "--policy=allowlist"}, `matrix: unknown flag "--policy=allowlist"; want --json`},
		{"a stray argument of matrix", []string{"matrix", "48"}, `matrix: unexpected argument "48"; want only --json`},
		{"json is a switch there too", []string{"matrix", "--json=2"}, `matrix: --json: "2"` + noSwitch},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := dispatch(context.Background(), tt.args, &stdout, &stderr)
			if diff := cmp.Diff("sixways: "+tt.want+"\n", stderr.String()); diff != "" {
				t.Errorf("standard error (-want +got):\n%s", diff)
			}
			if status != 2 || stdout.Len() > 0 {
				t.Errorf("exit status %d, standard output %q", status, &stdout)
			}
		})
	}
}

// A switch alone is on; flags may have one dash or two; the last one counts.
func TestSettingsOfFlags(t *testing.T) {
	tests := []struct {
		because string
		args    string
		want    string
	}{
		{"none", "", "policy=denylist&task-api=1&force-dns=0&block-metadata=0&loopback=1"},
		{"the documented ones", "--policy allowlist --force-dns --loopback=0", "policy=allowlist&task-api=1&force-dns=1&block-metadata=0&loopback=0"},
		{"words", "--policy=deny-all --task-api=false --block-metadata=true", "policy=deny-all&task-api=0&force-dns=0&block-metadata=1&loopback=1"},
		{"one dash", "-policy allowlist -force-dns=1", "policy=allowlist&task-api=1&force-dns=1&block-metadata=0&loopback=1"},
		{"twice", "--loopback=0 --loopback", "policy=denylist&task-api=1&force-dns=0&block-metadata=0&loopback=1"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := append([]string{"run", "--json"}, strings.Fields(tt.args)...)
			if status := dispatch(context.Background(), args, &stdout, &stderr); status != 0 {
				t.Fatalf("exit status %d: %s", status, &stderr)
			}
			var r fixture.Report
			if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
				t.Fatal(err)
			}
			if got := r.Settings.String(); got != tt.want {
				t.Errorf("got %s\nwant %s", got, tt.want)
			}
			if diff := cmp.Diff(fixture.NewReport(r.Settings), r); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMatrixJSON(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if status := dispatch(context.Background(), []string{"matrix", "--json"}, &stdout, &stderr); status != 0 {
		t.Fatalf("exit status %d: %s", status, &stderr)
	}
	var got []fixture.Report
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	var want []fixture.Report
	for _, s := range fixture.All() {
		want = append(want, fixture.NewReport(s))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is meant for people fits a terminal of 100 columns.
func TestWidth(t *testing.T) {
	for _, args := range [][]string{{"run"}, {"run", "--policy=allowlist", "--force-dns"}, {"run", "-h"}, {"matrix"}, {"matrix", "-h"}} {
		var stdout, stderr bytes.Buffer
		if status := dispatch(context.Background(), args, &stdout, &stderr); status != 0 {
			t.Fatalf("%v: exit status %d: %s", args, status, &stderr)
		}
		for line := range strings.Lines(stdout.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("%v: %d columns: %s", args, n, line)
			}
		}
	}
}

// A full disk or a closed pipe is told, and is no bad use.
func TestWriteError(t *testing.T) {
	for _, args := range [][]string{{"run"}, {"run", "--json"}, {"run", "-h"}, {"matrix"}, {"matrix", "--json"}, {"matrix", "-h"}} {
		var stderr bytes.Buffer
		status := dispatch(context.Background(), args, full{}, &stderr)
		if status != 1 || stderr.String() != "sixways: no space left\n" {
			t.Errorf("%v: exit status %d, %q", args, status, &stderr)
		}
	}
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left") }

func TestWrap(t *testing.T) {
	tests := []struct {
		because, text string
		want          []string
	}{
		{"nothing", "", []string{""}},
		{"fits exactly", "four five", []string{"four five"}},
		{"one too many", "four fives", []string{"four", "fives"}},
		{"a long word alone", "a verylongword b", []string{"a", "verylongword", "b"}},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, wrap(tt.text, 9)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
