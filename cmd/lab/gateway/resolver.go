package gateway

import (
	"os/exec"

	"sixways-lab/attempt"
	"sixways-lab/space"
	"sixways-lab/world"
)

// OutsideResolver is the address and port of the resolver in the world.
const OutsideResolver = world.ResolverAddress + ":53"

const policyResolver = world.GatewayAddress + ":53"

// startResolver runs dnsmasq as the policy resolver: a denied domain is
// answered here, a name outside an allowlist has no server and is refused.
func startResolver(s *space.Space, l List) (*daemon, error) {
	var args []string
	if l.Deny {
		args = append(args, "--server="+world.ResolverAddress)
	}
	for _, domain := range l.Domains {
		if l.Deny {
			args = append(args, "--address=/"+domain+"/")
		} else {
			args = append(args, "--server=/"+domain+"/"+world.ResolverAddress)
		}
	}
	return startDnsmasq(s, world.GatewayAddress, args)
}

// startHostStub runs a resolver that has no list.
func startHostStub(s *space.Space) (*daemon, error) {
	return startDnsmasq(s, attempt.HostStub, []string{"--server=" + world.ResolverAddress})
}

func startDnsmasq(s *space.Space, address string, upstream []string) (*daemon, error) {
	args := append([]string{
		"--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--cache-size=0",
		"--bind-interfaces", "--except-interface=lo", "--listen-address=" + address,
	}, upstream...)
	return start(s, exec.Command("dnsmasq", args...), "started, version")
}
