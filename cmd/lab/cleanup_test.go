package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"sixways-lab/attempt"
	"sixways-lab/gateway"
	"sixways-lab/outer"
)

// TestKilled kills the program in the middle of a run, when it has namespaces,
// rules, daemons and files, and looks for what is left.
func TestKilled(t *testing.T) {
	inside(t)
	for _, tt := range []struct {
		name   string
		victim func(program int) int
	}{
		{"the program", func(program int) int { return program }},
		{"the program inside", func(program int) int { return children(program)[0] }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			work, err := os.MkdirTemp(outer.Scratch, "work")
			if err != nil {
				t.Fatal(err)
			}
			before := lookAround(t, work)
			cmd := program("report")
			cmd.Dir = work
			cmd.Env = append(cmd.Env, "TMPDIR="+work)
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			waitFor(t, "the run to have everything", func() bool { return inFullSwing(cmd.Process.Pid) })
			if err := unix.Kill(tt.victim(cmd.Process.Pid), unix.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err == nil {
				t.Errorf("the killed program ends well: %s", &output)
			}
			var diff string
			waitFor(t, "everything to be gone", func() bool {
				diff = cmp.Diff(before, lookAround(t, work))
				return diff == ""
			})
			if diff != "" {
				t.Errorf("left behind (+):\n%s", diff)
			}
		})
	}
}

// waitFor leaves it to the caller to say what is wrong when the time is up.
func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Errorf("waited in vain for %s", what)
			return
		}
	}
}

// inFullSwing reports whether a proxy, a resolver and attempts run below a
// process at once.
func inFullSwing(pid int) bool {
	names := map[string]bool{}
	for _, p := range descendants(pid) {
		names[commandName(p)] = true
	}
	return names["dnsmasq"] && names[gateway.ProcessName] && names[attempt.ProcessName]
}

// surroundings are what a run could leave behind.
type surroundings struct {
	// Processes, Namespaces and Mounts are seen from here, where those of a
	// namespace below are seen too. Files are those in the program's working
	// directory, which is its temporary one too, in memory, and where its
	// programs are known to leave some. Rules are nft's.
	Processes, Namespaces, Mounts, Files []string
	Rules                                string
}

func lookAround(t *testing.T, work string) surroundings {
	t.Helper()
	var s surroundings
	for _, pid := range processes() {
		s.Processes = append(s.Processes, fmt.Sprint(pid, " ", commandName(pid)))
		for _, kind := range []string{"net", "mnt", "pid", "ipc", "user"} {
			if id, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", pid, kind)); err == nil {
				s.Namespaces = append(s.Namespaces, id)
			}
		}
	}
	slices.Sort(s.Namespaces)
	s.Namespaces = slices.Compact(s.Namespaces)
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	s.Mounts = strings.Split(string(mounts), "\n")
	for _, pattern := range []string{work + "/*", outer.Scratch + "/*", "/run/netns/*", "/run/squid*", "/var/log/squid/*", "/var/spool/squid/*"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		s.Files = append(s.Files, files...)
	}
	rules, err := exec.Command("nft", "list", "ruleset").Output()
	if err != nil {
		t.Fatal(err)
	}
	s.Rules = string(rules)
	return s
}

// processes lists those that live; one that waits for its parent to notice its
// end does not.
func processes() []int {
	entries, _ := filepath.Glob("/proc/[0-9]*")
	var list []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(filepath.Base(entry))
		if err == nil && state(pid) != "Z" && state(pid) != "" {
			list = append(list, pid)
		}
	}
	slices.Sort(list)
	return list
}

// stat returns the fields of /proc/PID/stat after the name: state and parent.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
}

func state(pid int) string {
	if fields := stat(pid); len(fields) > 0 {
		return fields[0]
	}
	return ""
}

func children(pid int) []int {
	return slices.DeleteFunc(processes(), func(p int) bool {
		fields := stat(p)
		return len(fields) < 2 || fields[1] != strconv.Itoa(pid)
	})
}

func descendants(pid int) []int {
	list := children(pid)
	for _, child := range list {
		list = append(list, descendants(child)...)
	}
	return list
}

func commandName(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return ""
	}
	name, _, _ := strings.Cut(string(text), "\x00")
	return name
}
