// Command sixways-lab holds the model of sixways against real Linux.
//
// For each setting of the controls it builds a sandbox, a gateway and an
// outside world out of network namespaces, with a real packet filter, proxy
// and resolver; has the six attempts made over real sockets, each on the way
// that the model means and on the others that untrusted code would try; and
// compares what got through with what the engine says.
//
//	sandbox 10.77.0.2 ── 10.77.0.1 gateway 198.51.100.1 ── 198.51.100.2 world
//	  attempts, own user   proxy :3128                       .20 partner API
//	  sidecar on loopback  policy resolver :53               .30 package index
//	  where it is shared   sidecar on loopback               .53 outside resolver
//	                       where it is not                   .54 DNS over HTTPS
//	                                                         203.0.113.10
//	                                                         169.254.169.254
//
// The world has no way out. “Sandbox can reach the host loopback” puts sidecar
// and attempts into one namespace, with the enforcement one hop out; a build
// of its own puts the attempts into the gateway's namespace instead, policed
// by their user ID.
//
// # What counts
//
// Every try carries a nonce. A connection has got out if the right server saw
// the nonce and the answer came back; a DNS query, if it arrived. Whatever is
// refused is refused aloud, so that a try that ends in silence is an error of
// the lab. Each way is open in some build, or “blocked” would prove nothing.
//
// Faithful builds must agree with the model in all 288 cells, that is six
// attempts of 48 settings, on the way that the model means. All other
// differences, and all those of the builds that have a mistake in them on
// purpose, stand with their cause in trial/known.go. One that is not there
// fails the tests, and so does one there that does not occur.
//
// # Safety
//
// Before anything else the program executes itself once more inside an empty
// network namespace that has only loopback, in process and mount namespaces
// of its own; all other namespaces are made from there. It goes on nowhere
// else. The process that makes the attempts refuses to, unless it finds itself
// in the namespace that it was told, with the lab's interfaces and addresses
// and no others. When the program ends, however it ends, the kernel ends all
// its processes, and its namespaces, rules and files go with them.
//
// # Running it
//
// It needs nft, dnsmasq and squid, and root or unprivileged user namespaces.
// The build that tells users apart needs root.
//
//	sixways-lab run --policy allowlist --force-dns --loopback=0 --json
//	sixways-lab run --build goproxy --policy denylist
//	sixways-lab report --out ../../fixture/lab.json
//
// run fails where the setting differs from what is expected of the build. The
// exit status is 2 for a bad command line.
package main
