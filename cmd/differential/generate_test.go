package differential

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// generator makes names that meet often: few labels, and hosts that are made
// from the entries of the policy at hand.
type generator struct{ *rand.Rand }

func newGenerator(seed uint64) generator { return generator{rand.New(rand.NewPCG(seed, 6))} }

func pick[T any](g generator, from ...T) T { return from[g.IntN(len(from))] }

// chance is true once in n.
func (g generator) chance(n int) bool { return g.IntN(n) == 0 }

var labels = []string{"a", "b", "api", "partner", "example", "test", "com", "evil", "x1", "_dmarc", "a-b", "xn--bcher-kva", "0a", "deadbeef"}

func (g generator) name() string {
	parts := make([]string, 2+g.IntN(3))
	for i := range parts {
		parts[i] = pick(g, labels...)
	}
	return strings.Join(parts, ".")
}

// address is an IPv4 or IPv6 address, often one that matters, often in a rare
// spelling.
func (g generator) address() string {
	octets := pick(g, [4]byte{127, 0, 0, 1}, [4]byte{169, 254, 169, 254}, [4]byte{203, 0, 113, 10}, [4]byte{10, 1, 2, 3}, [4]byte{0, 0, 0, 0})
	a, b, c, d := octets[0], octets[1], octets[2], octets[3]
	n := uint32(a)<<24 | uint32(b)<<16 | uint32(c)<<8 | uint32(d)
	return pick(g,
		fmt.Sprintf("%d.%d.%d.%d", a, b, c, d),
		fmt.Sprintf("%d", n),
		fmt.Sprintf("0x%x", n),
		fmt.Sprintf("0%o", n),
		fmt.Sprintf("%d.%d", a, n&0xffffff),
		fmt.Sprintf("%d.%d.%d", a, b, n&0xffff),
		fmt.Sprintf("0%o.0%o.0%o.0%o", a, b, c, d),
		fmt.Sprintf("0X%X.%d.0x%x.0%o", a, b, c, d),
		fmt.Sprintf("%d.%d.%d.%d.", a, b, c, d),
		fmt.Sprintf("%03d.%d.%d.%d", a, b, c, d),
		fmt.Sprintf("%d.%d.%d.%d.5", a, b, c, d),
		fmt.Sprintf("%d.%d.%d.300", a, b, c),
		fmt.Sprintf("::ffff:%d.%d.%d.%d", a, b, c, d),
		fmt.Sprintf("::FFFF:%x:%x", n>>16, n&0xffff),
		fmt.Sprintf("::%d.%d.%d.%d", a, b, c, d),
		"::1", "::", "2001:DB8::0:1", "2001:db8:0:0:0:0:0:1", "fe80::1%eth0", "::ffff:1.2.3.4%x.example.com", "fd00:ec2::254", "0x", "08.1", "1.0x", "99999999999999999999",
	)
}

// disguise writes a host in another way, which may or may not be the same host
// to an enforcer.
func (g generator) disguise(host string) string {
	switch g.IntN(16) {
	case 0:
		return strings.ToUpper(host)
	case 1:
		return host + strings.Repeat(".", 1+g.IntN(3))
	case 2:
		return "evil" + host
	case 3:
		return host + ".evil.test"
	case 4:
		return pick(g, labels...) + "." + host
	case 5:
		return pick(g, labels...) + "." + pick(g, labels...) + "." + host
	case 6:
		return "[" + host + "]"
	case 7:
		return host + "\x00.example.com"
	case 8:
		return wide(host, g)
	case 9:
		return "." + host
	case 10:
		return strings.Replace(host, ".", "..", 1)
	case 11:
		return strings.Replace(host, ".", pick(g, "。", "．", "｡"), 1)
	case 12:
		return pick(g, "-", "a-", "ab--c", "xn--", "xn--a", "xn--99999999", "bücher", "BÜCHER", "пример", "ß", "ς", " ", "%2e", "a/b", "a@b", "é", "☃", "\u212a", "İ", "\u00ad", "\u200d", "א", "①", "e\u0301") + "." + host
	}
	return host
}

// wide writes some ASCII at full width.
func wide(host string, g generator) string {
	var b strings.Builder
	for _, r := range host {
		if r > ' ' && r < 0x7f && g.chance(3) {
			r += 0xfee0
		}
		b.WriteRune(r)
	}
	return b.String()
}

// host makes a destination near the entries of a policy.
func (g generator) host(entries []string) string {
	host := g.name()
	switch {
	case len(entries) > 0 && !g.chance(5):
		host = strings.TrimPrefix(pick(g, entries...), "*.")
	case g.chance(2):
		host = g.address()
	}
	for g.chance(2) {
		host = g.disguise(host)
	}
	return host
}

// accepted is a disagreement that stands, and why.
type accepted struct {
	because string
	covers  func(host string) bool
}

// ledger sorts disagreements: those that are accepted are counted, so that one
// that no longer occurs can be found; others are failures.
type ledger struct {
	accepted []accepted
	seen     []int
}

func newLedger(a ...accepted) *ledger { return &ledger{accepted: a, seen: make([]int, len(a))} }

// covers counts a disagreement and reports whether it is an accepted one.
func (l *ledger) covers(host string) bool {
	for i, a := range l.accepted {
		if a.covers(host) {
			l.seen[i]++
			return true
		}
	}
	return false
}

// report fails for what is accepted and did not occur.
func (l *ledger) report(t *testing.T) {
	t.Helper()
	for i, a := range l.accepted {
		if l.seen[i] == 0 {
			t.Errorf("accepted, and did not occur: %s", a.because)
			continue
		}
		t.Logf("%d disagreements: %s", l.seen[i], a.because)
	}
}
