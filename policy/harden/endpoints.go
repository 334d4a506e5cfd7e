package harden

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"sixways/policy/document"
	"sixways/policy/host"
)

// defaultPort is that of an endpoint without one.
const defaultPort = 443

// endpoint is one word of allowed-endpoints.
type endpoint struct {
	document.Position
	text string
	// mend makes several endpoints of what is one to the agent, or is "".
	mend string
	// implicit marks what the agent adds by itself.
	implicit bool
	order    int
	port     int
}

// endpoints are the allowed ones as the agent looks them up.
type endpoints struct {
	exact map[string]endpoint // the first of each name, with its dot
	ports map[portKey]endpoint
	// wild holds patterns by what stands before the first star and between it
	// and the second.
	wild  map[string]map[string]endpoint
	count int
}

// portKey is a name with its dot and a port.
type portKey struct {
	name string
	port int
}

// cutPort reads a word as the agent does: whatever follows a second colon is
// dropped, and a port that is no number is 0.
func cutPort(word string) (name string, port int) {
	parts := strings.Split(word, ":")
	if len(parts) == 1 {
		return word, defaultPort
	}
	return parts[0], atoi(parts[1])
}

func (e *endpoints) add(p endpoint) {
	name, port := cutPort(p.text)
	name = fqdn(name)
	p.port = port
	p.order = e.count
	e.count++
	p.text = document.Clip(p.text)
	if strings.Contains(name, "*") {
		e.addWild(name, p)
		return
	}
	if e.exact == nil {
		e.exact, e.ports = map[string]endpoint{}, map[portKey]endpoint{}
	}
	if _, known := e.exact[name]; !known {
		e.exact[name] = p
	}
	if k := (portKey{name, p.port}); e.ports[k].text == "" {
		e.ports[k] = p
	}
}

// atoi is strconv.Atoi with its error passed over, as the agent has it: letters
// are 0, and a number that is too large is the largest.
func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// cutPattern returns what the agent takes of a pattern: what stands before its
// first star, and what follows up to the next.
func cutPattern(pattern string) (before, after string) {
	pieces := strings.SplitN(pattern, "*", 3)
	return pieces[0], pieces[1]
}

// addWild keeps the first endpoint of a pattern, the only one whose port the
// agent opens.
func (e *endpoints) addWild(pattern string, p endpoint) {
	before, after := cutPattern(pattern)
	if e.wild == nil {
		e.wild = map[string]map[string]endpoint{}
	}
	if e.wild[before] == nil {
		e.wild[before] = map[string]endpoint{}
	}
	if _, known := e.wild[before][after]; !known {
		e.wild[before][after] = p
	}
}

// isAddress tells an address, in any spelling.
func isAddress(fqdn string) bool {
	name := strings.TrimSuffix(fqdn, ".")
	_, numeric := host.IPv4(name)
	_, err := netip.ParseAddr(name)
	return numeric || err == nil
}

// unresolvable tells what no look-up answers: an address, what is no name, a
// single label, and names that are not for DNS (RFC 6761, section 6; RFC 6762,
// section 3). Of those, .test and .example stand for real ones here.
func unresolvable(fqdn string) bool {
	return isAddress(fqdn) || unasked(fqdn) || single(fqdn) ||
		strings.HasSuffix(fqdn, ".invalid.") || strings.HasSuffix(fqdn, ".localhost.") || strings.HasSuffix(fqdn, ".local.")
}

// unasked tells what is no host name, so that no client asks for it.
func unasked(fqdn string) bool {
	name := strings.TrimSuffix(fqdn, ".")
	return len(name) > 253 || slices.ContainsFunc(strings.Split(name, "."), badLabel)
}

func badLabel(label string) bool {
	return label == "" || len(label) > 63 ||
		strings.Trim(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != ""
}

func fqdn(name string) string {
	if strings.HasSuffix(name, ".") {
		return name
	}
	return name + "."
}

// find returns the endpoint that allows a name to be looked up.
func (e *endpoints) find(name string) (endpoint, bool) {
	name = fqdn(name)
	if p, ok := e.exact[name]; ok {
		return p, true
	}
	if wild := e.findWild(name); len(wild) > 0 {
		return wild[0], true
	}
	return endpoint{}, false
}

// opens returns the endpoint that opens a port of a name. A name that is
// listed itself is never held against the wildcards. Where more than one
// wildcard matches, the agent opens the port of whichever its map gives first;
// the port counts as open if it may be.
func (e *endpoints) opens(name string, port uint16) (endpoint, bool) {
	name = fqdn(name)
	if _, ok := e.exact[name]; ok {
		p, open := e.ports[portKey{name, int(port)}]
		return p, open
	}
	wild := e.findWild(name)
	i := slices.IndexFunc(wild, func(p endpoint) bool { return p.port == int(port) })
	if i < 0 {
		return endpoint{}, false
	}
	return wild[i], true
}

// findWild returns the endpoints whose patterns match, in the order of the list.
func (e *endpoints) findWild(name string) []endpoint {
	var found []endpoint
	for i := range len(name) + 1 {
		afters := e.wild[name[:i]]
		for j := 0; len(afters) > 0 && j <= len(name); j++ {
			if p, ok := afters[name[j:]]; ok {
				at := 0
				for at < len(found) && found[at].order < p.order {
					at++
				}
				found = slices.Insert(found, at, p)
			}
		}
	}
	return found
}

// implicitEndpoints are what the agent adds to every list.
var implicitEndpoints = []string{
	"agent.api.stepsecurity.io:443",
	"*.actions.githubusercontent.com:443",
	"codeload.github.com:443",
	"productionresultssa*.blob.core.windows.net:443",
}
