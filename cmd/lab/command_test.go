package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways-lab/trial"
	"sixways/fixture"
	"sixways/policy"
)

func TestBadCommandLine(t *testing.T) {
	for _, tt := range []struct {
		args string
		want []string // all in the one line on stderr
	}{
		{"", []string{"no command", "run or report"}},
		{"walk", []string{`"walk"`, "run or report"}},
		{"run --policy=maybe", []string{"policy", `"maybe"`, "denylist, allowlist or deny-all"}},
		{"run --loopback=2", []string{"loopback", `"2"`, "1, 0, true or false"}},
		{"run --force-dns=yes", []string{"force-dns", `"yes"`, "1, 0, true or false"}},
		{"run --colour", []string{"colour", "--policy", "--task-api", "--force-dns", "--block-metadata", "--loopback", "--json"}},
		{"run --build=castle", []string{`"castle"`, "smokescreen", "goproxy", "squid-dst"}},
		{"run allowlist", []string{`"allowlist"`, "--policy"}},
		{"report --in=x", []string{"in", "--out"}},
	} {
		t.Run(tt.args, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			if code := command(strings.Fields(tt.args), &stdout, &stderr); code != 2 {
				t.Errorf("exit status %d, want 2", code)
			}
			if stdout.Len() > 0 {
				t.Errorf("stdout: %s", &stdout)
			}
			line := stderr.String()
			if strings.Count(line, "\n") != 1 {
				t.Errorf("stderr %q; want one line", line)
			}
			for _, part := range tt.want {
				if !strings.Contains(line, part) {
					t.Errorf("stderr %q; want %q in it", line, part)
				}
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := command([]string{"--help"}, &stdout, &stderr); code != 0 || stdout.String() != usage || stderr.Len() > 0 {
		t.Errorf("exit status %d, stdout %q, stderr %q; want the usage on stdout", code, &stdout, &stderr)
	}
}

// Flags that are not given keep the opening state, as everywhere.
func TestRunFlags(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want fixture.Settings
	}{
		{nil, fixture.Opening()},
		{[]string{"--policy", "allowlist", "--force-dns", "--loopback=0"},
			fixture.Settings{Policy: fixture.Allowlist, TaskAPI: true, ForceDNS: true}},
		{[]string{"--policy=deny-all", "--task-api=false", "--block-metadata=true"},
			fixture.Settings{Policy: fixture.DenyAll, BlockMetadata: true, Loopback: true}},
	} {
		o, err := readRun(tt.args)
		if err != nil {
			t.Errorf("%q: %v", tt.args, err)
		}
		if diff := cmp.Diff(tt.want, o.settings); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.args, diff)
		}
	}
}

// program runs the program itself in a process of its own.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Env = append(cmd.Environ(), asProgram+"=1")
	return cmd
}

func TestRunJSON(t *testing.T) {
	inside(t)
	output, err := program("run", "--policy", "denylist", "--build", "goproxy", "--force-dns", "--loopback=0", "--json").Output()
	if err != nil {
		t.Fatal(err)
	}
	var r runReport
	d := json.NewDecoder(bytes.NewReader(output))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		t.Errorf("more than one JSON value: %s", output)
	}
	if !r.Agree || r.Build != trial.Goproxy {
		t.Errorf("build %s, agree %v; want goproxy, true", r.Build, r.Agree)
	}
	got := map[string]policy.Verdict{}
	others := map[string]int{}
	for _, a := range r.Attempts {
		got[a.Destination] = a.Lab
		for _, w := range a.Ways {
			if !w.Meant && w.Verdict == policy.Allowed && a.Model == policy.Blocked {
				others[a.Destination]++
			}
		}
	}
	want := map[string]policy.Verdict{}
	for _, d := range fixture.Run(r.Settings).Decisions {
		want[d.Attempt.Destination.String()] = d.Verdict
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the lab saw (-model +lab):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]int{fixture.ExfilQuery: 2, fixture.Sidecar: 3}, others); diff != "" {
		t.Errorf("other ways (-want +got):\n%s", diff)
	}
}
