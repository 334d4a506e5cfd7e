// Package outer runs a program in a place of its own: an empty network
// namespace with nothing but loopback, in its own process and mount
// namespaces, and in its own user namespace where the caller is not root.
//
// Nothing that runs there can reach a network. And nothing there outlives the
// program: the kernel ends every process of a process namespace with its
// first, and with them go the other namespaces, their rules and their mounts.
package outer

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// ErrNotPermitted tells that this kernel, or this container, does not permit
// the namespaces.
var ErrNotPermitted = errors.New("namespaces are not permitted here; run as root, or allow unprivileged user namespaces")

// Scratch is a directory in memory that is private to the program.
const Scratch = "/dev/shm"

const (
	// insideName is the program's argument zero once it is inside.
	insideName = "sixways-lab/inside"
	// exitNotPermitted is how the inner program says ErrNotPermitted.
	exitNotPermitted = 77
)

// Run calls inside in the place that the package describes and returns what it
// returns as exit status. To get there it executes the running program once
// more with the same arguments, and so it belongs at the very beginning.
func Run(inside func() int) (int, error) {
	if os.Args[0] == insideName {
		return runInside(inside)
	}
	// The kernel ends the child with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return wait(command())
}

// Privileged reports whether the caller is root, and not just called so in a
// user namespace that has a single user.
func Privileged() bool {
	var first, outside, count uint32
	text, err := os.ReadFile("/proc/self/uid_map")
	if err != nil {
		return false
	}
	if _, err := fmt.Sscan(string(text), &first, &outside, &count); err != nil {
		return false
	}
	return os.Geteuid() == 0 && count > 1
}

func command() *exec.Cmd {
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = append([]string{insideName}, os.Args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWIPC,
		Pdeathsig:  unix.SIGKILL,
	}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	}
	return cmd
}

func wait(cmd *exec.Cmd) (int, error) {
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0, nil
	case errors.As(err, &exit) && exit.ExitCode() == exitNotPermitted:
		return 1, ErrNotPermitted
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return exit.ExitCode(), nil
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return 1, fmt.Errorf("%w (%v)", ErrNotPermitted, err)
	}
	return 1, fmt.Errorf("the program inside its own namespaces: %w", err)
}

func runInside(inside func() int) (int, error) {
	if err := checkEmpty(); err != nil {
		return 1, err
	}
	if err := mounts(); errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		fmt.Fprintln(os.Stderr, err)
		return exitNotPermitted, nil
	} else if err != nil {
		return 1, err
	}
	if err := os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin"); err != nil {
		return 1, err
	}
	return inside(), nil
}

// checkEmpty refuses to go on anywhere but where Run itself has led.
func checkEmpty() error {
	if os.Getpid() != 1 {
		return errors.New("refused: this is not the first process of a namespace of its own")
	}
	links, err := net.Interfaces()
	if err != nil {
		return fmt.Errorf("refused: the interfaces cannot be listed: %w", err)
	}
	for _, link := range links {
		if link.Flags&net.FlagLoopback == 0 {
			return fmt.Errorf("refused: interface %s is here; want an empty network namespace with only loopback", link.Name)
		}
	}
	return nil
}

func mounts() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make the mounts private: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", 0, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if err := unix.Mount("tmpfs", Scratch, "tmpfs", 0, "mode=1777,size=64m"); err != nil {
		return fmt.Errorf("mount %s: %w", Scratch, err)
	}
	return hideResolver()
}

// hideResolver keeps programs from waiting for the machine's own resolver,
// which nobody answers for in here.
func hideResolver() error {
	const file, stand = "/etc/resolv.conf", Scratch + "/resolv.conf"
	if _, err := os.Stat(file); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err := os.WriteFile(stand, []byte("nameserver 127.0.0.1\n"), 0o644); err != nil {
		return err
	}
	if err := unix.Mount(stand, file, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mount %s: %w", file, err)
	}
	return nil
}
