// Package space makes network namespaces that have no name: they end with
// what uses them, so that a crash leaves nothing behind.
package space

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"

	"github.com/vishvananda/netlink"
	"github.com/vishvananda/netns"
	"golang.org/x/sys/unix"
)

// Space is one network namespace and the thread that lives in it.
type Space struct {
	calls  chan func()
	handle netns.NsHandle
	links  *netlink.Handle
	id     string
}

// New makes an empty namespace with its loopback up, IPv6 off and no limit on
// the rate of ICMP errors: a limited reject would look like a slow drop.
func New() (*Space, error) {
	s := &Space{calls: make(chan func())}
	born := make(chan error)
	go s.live(born)
	if err := <-born; err != nil {
		return nil, fmt.Errorf("network namespace: %w", err)
	}
	if err := s.settle(); err != nil {
		s.Close()
		return nil, fmt.Errorf("network namespace: %w", err)
	}
	return s, nil
}

// live never unlocks its thread: the thread ends with the goroutine, and
// nothing else ever runs on it.
func (s *Space) live(born chan<- error) {
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		born <- err
		return
	}
	var err error
	if s.handle, err = netns.Get(); err != nil {
		born <- err
		return
	}
	if s.id, err = ID(); err != nil {
		born <- err
		return
	}
	born <- nil
	for call := range s.calls {
		call()
	}
}

func (s *Space) settle() error {
	var err error
	if s.links, err = netlink.NewHandleAt(s.handle, unix.NETLINK_ROUTE); err != nil {
		return err
	}
	if err := s.Set("net/ipv6/conf/all/disable_ipv6", "1"); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := s.Set("net/ipv4/icmp_ratelimit", "0"); err != nil {
		return err
	}
	lo, err := s.links.LinkByName("lo")
	if err != nil {
		return err
	}
	return s.links.LinkSetUp(lo)
}

// ID names the network namespace of the calling thread, as the kernel does.
func ID() (string, error) { return os.Readlink("/proc/thread-self/ns/net") }

// ID names the namespace.
func (s *Space) ID() string { return s.id }

// Do calls f on the namespace's thread: sockets and processes that it makes
// are born inside.
func (s *Space) Do(f func() error) error {
	done := make(chan error)
	s.calls <- func() { done <- f() }
	return <-done
}

// Start starts a command inside, in a process group of its own. It ends with
// the namespace's thread at the latest.
func (s *Space) Start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.SysProcAttr.Pdeathsig = unix.SIGKILL
	return s.Do(cmd.Start)
}

// Set writes a kernel setting of the namespace, such as net/ipv4/ip_forward.
func (s *Space) Set(key, value string) error {
	return s.Do(func() error { return os.WriteFile("/proc/sys/"+key, []byte(value), 0) })
}

// Close ends the namespace's thread, and with it what was started there.
func (s *Space) Close() {
	close(s.calls)
	if s.links != nil {
		s.links.Close()
	}
	s.handle.Close()
}
