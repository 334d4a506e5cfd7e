package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy/document"
)

const checkTakes = "FILE, --format=srt|claude-code|smokescreen|harden-runner, --dest=DESTINATION, --role=ROLE, --needed=HOST, --force-dns, --block-metadata, --loopback, --json (a switch also with =1, =0, =true or =false)"

// Bad use of check, and files that cannot be read: one line on standard error,
// exit status 2, nothing on standard output.
func TestCheckFails(t *testing.T) {
	const acl = "testdata/policy/acl.yaml"
	tests := []struct {
		because string
		args    []string
		stdin   string
		want    string
	}{
		{"no file", nil, "", "no file; want FILE, or - for standard input"},
		{"two files", []string{acl, "b"}, "", `unexpected argument "b": "testdata/policy/acl.yaml" is the file already; want one FILE`},
		{"an unknown flag", []string{acl, "--dns"}, "", `unknown flag "--dns"; want ` + checkTakes},
		{"a control that the file takes the place of", []string{acl, "--policy=allowlist"}, "", `unknown flag "--policy=allowlist"; want ` + checkTakes},
		{"another", []string{acl, "--task-api"}, "", `unknown flag "--task-api"; want ` + checkTakes},
		{"a switch that is none", []string{acl, "--force-dns=on"}, "", `--force-dns: "on" is no switch; want 1, 0, true or false`},
		{"a value left out", []string{acl, "--dest"}, "", "--dest lacks its value"},
		{"a value too many", []string{acl, "--needed=a.test", "--needed", "b.test"}, "", `--needed is given twice, as "a.test" and "b.test"; want one`},
		{"before another flag", []string{acl, "--dest", "--json"}, "", "--dest lacks its value"},
		{"no flags from here on", []string{"--", "--json", "b"}, "", `unexpected argument "b": "--json" is the file already; want one FILE`},
		{"an unknown role", []string{acl, "--role", "x"}, "", acl + `: no role "x"; want one of agent, default`},
		{"what the task needs is no host", []string{acl, "--needed", "a b"}, "", `--needed: destination "a b": character ' ' at 2 of label "a b"; want a host name such as api.partner.example or an address such as 203.0.113.10`},
		{"a text of no format", []string{"-"}, "hello", "standard input: the format is not recognised; say --format=srt|claude-code|smokescreen|harden-runner"},
		{"an empty text", []string{"-", "--format=srt"}, "", "standard input: the file is empty"},
		{"a text that is too long", []string{"-", "--format=srt"}, strings.Repeat(" ", document.MaxBytes+1), "standard input: the file has 4194305 octets; at most 4194304 are read"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			status := check(tt.args, strings.NewReader(tt.stdin), &stdout, &stderr)
			want := "sixways: check: " + tt.want + "\n"
			if diff := cmp.Diff(want, stderr.String()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if status != checkFailed || stdout.Len() > 0 {
				t.Errorf("exit status %d and output %q, want %d and none", status, &stdout, checkFailed)
			}
		})
	}
}

// A policy from standard input, for a pipe.
func TestCheckStandardInput(t *testing.T) {
	var stdout, stderr bytes.Buffer
	status := check([]string{"--json", "-"}, strings.NewReader(`{"network": {"allowedDomains": ["api.partner.example"]}}`), &stdout, &stderr)
	var got struct {
		Format  string
		Metrics struct{ Contained, TaskWorks bool }
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if status != checkHolds || got.Format != "srt" || !got.Metrics.Contained || stderr.Len() > 0 {
		t.Errorf("exit status %d, %+v, %q", status, got, &stderr)
	}
}

// The JSON has every key of the object of run, and beside them what the file
// says; lists are there when they are empty.
func TestCheckJSONKeys(t *testing.T) {
	var stdout, stderr bytes.Buffer
	check([]string{"--json", "testdata/policy/contained.srt-settings.json"}, nil, &stdout, &stderr)
	var got map[string]json.RawMessage
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"settings", "attempts", "metrics", "format", "findings", "destinations"} {
		if len(got[key]) == 0 || string(got[key]) == "null" {
			t.Errorf("%s is %q", key, got[key])
		}
	}
}

// A writer that fails is not taken for a policy that holds.
func TestCheckWriteError(t *testing.T) {
	for _, args := range [][]string{{"testdata/policy/acl.yaml"}, {"testdata/policy/acl.yaml", "--json"}, {"--help"}} {
		var stderr bytes.Buffer
		if status := check(args, nil, full{}, &stderr); status != checkFailed || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%q: exit status %d, %q", args, status, &stderr)
		}
	}
}

// What check takes for a switch is what stands for the world around the file.
func TestCheckSwitches(t *testing.T) {
	var keys []string
	for _, s := range checkSwitches() {
		keys = append(keys, s.Key)
	}
	if !slices.Equal(keys, []string{"force-dns", "block-metadata", "loopback"}) {
		t.Errorf("%q", keys)
	}
}
