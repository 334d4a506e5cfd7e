package host_test

import (
	"strings"
	"testing"

	"sixways/policy/host"
)

var seeds = []string{
	"api.partner.example", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376", "127.1", "１６９.254.169.254",
	"[::ffff:169.254.169.254]:80", "https://a@b.test:443/x", "xn--bcher-kva.test", "BÜCHER。test", "a\x00.b", "xn--", "[", ":", "..",
}

// Whatever is typed: no panic, and what is read is stable when read again.
func FuzzHost(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if addr, numeric := host.IPv4(s); addr.IsValid() {
			again, _ := host.IPv4(addr.String())
			if !numeric || again != addr {
				t.Errorf("IPv4(%q) = %v, read again %v", s, addr, again)
			}
		}
		if ascii, err := host.ToASCII(s); err == nil {
			if strings.ContainsFunc(ascii, func(r rune) bool { return r >= 0x80 }) {
				t.Errorf("ToASCII(%q) = %q", s, ascii)
			}
			// The dot of a bare prefix may make a new first label, no more.
			if again, err := host.ToASCII(ascii); err == nil && again != ascii {
				t.Errorf("ToASCII(%q) = %q, then %q", s, ascii, again)
			}
		}
		if target, err := host.ParseTarget(s); err == nil && target.Host == "" {
			t.Errorf("ParseTarget(%q) gives no host", s)
		}
	})
}
