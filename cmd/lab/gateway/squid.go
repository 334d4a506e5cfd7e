package gateway

import (
	"crypto/rand"
	"fmt"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"sixways-lab/outer"
	"sixways-lab/space"
	"sixways-lab/world"
	"sixways/fixture"
)

// startSquid gives each Squid a name of its own: by it they name their shared
// memory, and one that is still ending would be in the next one's way.
func startSquid(s *space.Space, p Proxy) (*daemon, error) {
	cmd := exec.Command("squid", "-N", "-n", "lab"+rand.Text()[:8], "-d", "1", "-f", "/dev/stdin")
	cmd.Stdin = strings.NewReader(squidConfig(p))
	if !outer.Privileged() {
		cmd.SysProcAttr = asNobody()
	}
	return start(s, cmd, "Accepting HTTP Socket connections")
}

// asNobody names the only user there is nobody: Squid does not run as root, and
// as root it looks for a user to become.
func asNobody() *syscall.SysProcAttr {
	const nobody = 65534
	return &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: nobody, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: nobody, Size: 1}},
	}
}

// squidConfig writes the list in Squid's language. The metadata address is
// refused by a dst rule, of the kind of Squid's predefined to_linklocal: for it
// Squid must know the address of whatever name it is asked for.
func squidConfig(p Proxy) string {
	var rules []string
	if p.RefuseMetadata {
		rules = append(rules, "acl metadata dst "+fixture.Metadata, "http_access deny metadata")
	}
	if p.List.Deny {
		rules = append(rules, "acl listed dstdomain ."+strings.Join(p.List.Domains, " ."), "http_access deny listed", "http_access allow all")
	} else if len(p.List.Domains) > 0 {
		rules = append(rules, "acl listed dstdomain "+strings.Join(p.List.Domains, " "), "http_access allow listed")
	}
	host, _, _ := strings.Cut(p.Resolver, ":")
	return fmt.Sprintf(`http_port %s:%s
dns_nameservers %s
%s
http_access deny all
access_log none
cache_log /dev/null
pinger_enable off
cache_store_log none
cache deny all
pid_filename none
visible_hostname gateway
coredump_dir /
shutdown_lifetime 0 seconds
forwarded_for delete
`, world.GatewayAddress, proxyPort, host, strings.Join(rules, "\n"))
}
