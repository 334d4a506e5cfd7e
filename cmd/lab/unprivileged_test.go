package main

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"sixways-lab/outer"
	"sixways-lab/trial"
)

// nobody is the user that is not root.
const nobody = 65534

// Without root the program makes a user namespace of its own. There is one
// user in it, and so the build that tells users apart is refused.
func TestUnprivileged(t *testing.T) {
	inside(t)
	why := userNamespacesForbidden()
	unless(t, why == "", why)
	for _, tt := range []struct {
		build string
		code  int
		want  string
	}{
		{trial.Smokescreen, 0, `"agree":true`},
		{trial.SquidDst, 0, `"agree":true`},
		{trial.Policed, 1, trial.ErrNeedsRoot.Error()},
	} {
		t.Run(tt.build, func(t *testing.T) {
			cmd := program("run", "--json", "--build", tt.build)
			if outer.Privileged() {
				cmd.SysProcAttr = &syscall.SysProcAttr{
					Credential: &syscall.Credential{Uid: nobody, Gid: nobody},
					Pdeathsig:  unix.SIGKILL,
				}
			}
			var output bytes.Buffer
			cmd.Stdout, cmd.Stderr = &output, &output
			err := cmd.Run()
			if cmd.ProcessState == nil {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(output.String(), tt.want) {
				t.Errorf("exit status %d, want %d; output %s; want %q in it", code, tt.code, &output, tt.want)
			}
		})
	}
}

// userNamespacesForbidden tells which kernel setting forbids what this test is
// about. Where none does, it has to work.
func userNamespacesForbidden() string {
	for file, forbidding := range map[string]string{
		"/proc/sys/kernel/unprivileged_userns_clone":             "0",
		"/proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1",
		"/proc/sys/user/max_user_namespaces":                     "0",
	} {
		text, err := os.ReadFile(file)
		if err == nil && strings.TrimSpace(string(text)) == forbidding {
			return file + " is " + forbidding + ": this kernel permits user namespaces to root only"
		}
	}
	return ""
}
