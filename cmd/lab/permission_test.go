package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"sixways-lab/outer"
)

// Where namespaces are not permitted the tests skip and say why, but in CI they
// fail. The kernel permits them to nobody under another root directory.
func TestWithoutNamespaces(t *testing.T) {
	inside(t)
	unless(t, outer.Privileged(), "it takes root to take permissions away")
	root, err := os.MkdirTemp(outer.Scratch, "root")
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("/", root, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(root, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
		if err := os.Remove(root); err != nil {
			t.Error(err)
		}
	})
	for _, tt := range []struct {
		ci   string
		code int
		want []string
	}{
		{"", 0, []string{"SKIP: TestRunJSON", outer.ErrNotPermitted.Error()}},
		{"1", 1, []string{outer.ErrNotPermitted.Error()}},
	} {
		cmd := exec.Command("/proc/self/exe", "-test.v", "-test.run=^TestRunJSON$")
		cmd.Env = append(cmd.Environ(), "CI="+tt.ci)
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Chroot:     root,
			Credential: &syscall.Credential{Uid: nobody, Gid: nobody},
			Pdeathsig:  unix.SIGKILL,
		}
		var output bytes.Buffer
		cmd.Stdout, cmd.Stderr = &output, &output
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		if code := cmd.ProcessState.ExitCode(); code != tt.code {
			t.Errorf("CI=%s: exit status %d, want %d: %s", tt.ci, code, tt.code, &output)
		}
		for _, want := range tt.want {
			if !strings.Contains(output.String(), want) {
				t.Errorf("CI=%s: %s; want %q in it", tt.ci, &output, want)
			}
		}
	}
}
