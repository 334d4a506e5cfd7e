package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"sixways-lab/attempt"
	"sixways-lab/gateway"
	"sixways-lab/space"
	"sixways-lab/world"
	"sixways/fixture"
)

// machine is a namespace with the look of a machine on a network: an interface
// with an address and a default route, and somebody at the other end.
func machine(t *testing.T, link, address, peer string) (here, there *space.Space) {
	t.Helper()
	for _, s := range []**space.Space{&here, &there} {
		var err error
		if *s, err = space.New(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup((*s).Close)
	}
	err := space.Connect(
		space.End{Space: here, Name: link, Address: address + "/24"},
		space.End{Space: there, Name: "peer", Address: peer + "/24"})
	if err != nil {
		t.Fatal(err)
	}
	if err := here.AddRoute("0.0.0.0/0", peer); err != nil {
		t.Fatal(err)
	}
	return here, there
}

// The attempting process sends nothing where it does not belong, and says so.
// Somebody at the other end of the cable counts what arrives.
func TestAttemptsRefuseToSend(t *testing.T) {
	inside(t)
	const own = "own"
	lo := attempt.LinkLoopback
	identity, err := world.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name                string
		link, address, peer string
		space               string // own for the right ID
		links               []string
		refusal             string // "" where it must send
	}{
		{"no namespace named", attempt.LinkSandbox, world.SandboxAddress, world.GatewayAddress,
			"", []string{lo, attempt.LinkSandbox}, `want ""`},
		{"another namespace named", attempt.LinkSandbox, world.SandboxAddress, world.GatewayAddress,
			"net:[1]", []string{lo, attempt.LinkSandbox}, `want "net:[1]"`},
		{"an interface too many", "eth0", world.SandboxAddress, world.GatewayAddress,
			own, []string{lo}, "interface eth0 is here"},
		{"an interface that is not the lab's", "eth0", world.SandboxAddress, world.GatewayAddress,
			own, []string{lo, "eth0"}, "interface eth0 is here"},
		{"an address that is not the lab's", attempt.LinkSandbox, "192.0.2.2", "192.0.2.1",
			own, []string{lo, attempt.LinkSandbox}, "has address 192.0.2.2/24"},
		{"the sandbox", attempt.LinkSandbox, world.SandboxAddress, world.GatewayAddress,
			own, []string{lo, attempt.LinkSandbox}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			here, there := machine(t, tt.link, tt.address, tt.peer)
			order := attempt.Order{Space: tt.space, Links: tt.links, Root: identity.Root}
			if tt.space == own {
				order.Space = here.ID()
			}
			for _, w := range attempt.Ways() {
				// Nobody answers here but for the proxy's address.
				if tt.refusal != "" || w.ID == attempt.Meant && w.Destination == fixture.PartnerAPI {
					order.Tries = append(order.Tries, w.Try("nonce"))
				}
			}
			before := received(t, there)
			_, err := attempt.Run(here, order)
			packets := received(t, there) - before
			switch {
			case tt.refusal == "" && (err != nil || packets == 0):
				t.Errorf("%d packets arrived, error %v; want some and none", packets, err)
			case tt.refusal != "" && packets != 0:
				t.Errorf("%d packets arrived", packets)
			case tt.refusal != "" && (err == nil || !strings.Contains(err.Error(), "refused to send") || !strings.Contains(err.Error(), tt.refusal)):
				t.Errorf("error %v; want a refusal to send with %q", err, tt.refusal)
			}
		})
	}
}

func received(t *testing.T, s *space.Space) uint64 {
	t.Helper()
	n, err := s.Received("peer")
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A proxy of the lab's own serves nobody where it does not belong.
func TestProxiesRefuseToServe(t *testing.T) {
	inside(t)
	here, there := machine(t, "eth0", world.SandboxAddress, world.GatewayAddress)
	for _, id := range []string{"", there.ID(), here.ID()} {
		order, err := json.Marshal(map[string]any{"Space": id, "Proxy": gateway.Proxy{Kind: gateway.Goproxy}})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("/proc/self/exe")
		cmd.Args, cmd.Stdin = []string{gateway.ProcessName}, bytes.NewReader(order)
		wantRefusal(t, here, cmd, "refused to serve")
	}
}

// The program goes on nowhere but in the empty namespace that it made: not
// when it is called as if it were there, and not as the first process of a
// namespace with somebody else's network.
func TestProgramRefusesToGoOn(t *testing.T) {
	inside(t)
	here, there := machine(t, "eth0", world.SandboxAddress, world.GatewayAddress)
	before := received(t, there)
	for name, flags := range map[string]uintptr{
		"not the first process":  0,
		"interface eth0 is here": unix.CLONE_NEWPID | unix.CLONE_NEWNS,
	} {
		cmd := exec.Command("/proc/self/exe")
		cmd.Args = []string{"sixways-lab/inside", "run"}
		cmd.Env = append(cmd.Environ(), asProgram+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags, Pdeathsig: unix.SIGKILL}
		wantRefusal(t, here, cmd, name)
	}
	if n := received(t, there) - before; n != 0 {
		t.Errorf("%d packets arrived", n)
	}
}

func wantRefusal(t *testing.T, s *space.Space, cmd *exec.Cmd, refusal string) {
	t.Helper()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := s.Do(cmd.Start); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	if err == nil || !strings.Contains(output.String(), "refused") || !strings.Contains(output.String(), refusal) {
		t.Errorf("%v: %s; want a refusal with %q", err, &output, refusal)
	}
}
