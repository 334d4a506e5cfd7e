package host_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy/host"
)

// The spellings that inet_aton and browsers take for an address (WHATWG URL,
// "IPv4 parser").
func TestIPv4(t *testing.T) {
	const metadata = "169.254.169.254"
	tests := []struct {
		because, in, want string
		numeric           bool
	}{
		{"dotted decimal", metadata, metadata, true},
		{"one decimal number", "2852039166", metadata, true},
		{"one hexadecimal number", "0xa9fea9fe", metadata, true},
		{"a capital X", "0XA9FEA9FE", metadata, true},
		{"octal parts", "0251.0376.0251.0376", metadata, true},
		{"the last part fills three octets", "169.16689662", metadata, true},
		{"the last part fills two octets", "169.254.43518", metadata, true},
		{"mixed bases", "0xa9.254.0251.254", metadata, true},
		{"two parts", "127.1", "127.0.0.1", true},
		{"a trailing dot is no part", "127.0.0.1.", "127.0.0.1", true},
		{"a bare prefix is zero", "0x", "0.0.0.0", true},
		{"the highest", "4294967295", "255.255.255.255", true},
		{"one more than fits", "4294967296", "", true},
		{"a part that is too large", "169.254.169.256", "", true},
		{"the first part is too large", "256.1", "", true},
		{"five parts", "1.2.3.4.5", "", true},
		{"no octal digit", "0.0.0.08", "", true},
		{"an empty part", "1..2", "", true},
		{"more than fits 64 bits", "99999999999999999999", "", true},
		{"a name", "api.partner.example", "", false},
		{"a name that begins with a number", "1.partner", "", false},
		{"two trailing dots end in nothing", "1..", "", false},
		{"nothing", "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			addr, numeric := host.IPv4(tt.in)
			want, _ := netip.ParseAddr(tt.want)
			if addr != want || numeric != tt.numeric {
				t.Errorf("IPv4(%q) = %v, %v; want %v, %v", tt.in, addr, numeric, want, tt.numeric)
			}
		})
	}
}

const hyphens = "a label with a hyphen at its begin, at its end, or as third and fourth character"

func TestToASCII(t *testing.T) {
	tests := []struct{ because, in, want, err string }{
		{"ASCII in lower case", "API.Partner.Example.", "api.partner.example.", ""},
		{"full-width digits and dots", "１６９．254。169｡254", "169.254.169.254", ""},
		{"full-width letters", "ＰＡＲＴＮＥＲ.example", "partner.example", ""},
		{"letters become Punycode (RFC 3492 §7.1 forms)", "Bücher.example", "xn--bcher-kva.example", ""},
		{"a script without case", "ひとりだけ.example", "xn--08j3ax3b4h.example", ""},
		{"sharp s stays, not transitional", "straße.example", "xn--strae-oqa.example", ""},
		{"Punycode stays", "xn--bcher-kva.example", "xn--bcher-kva.example", ""},
		{"a bare prefix stands for nothing", "xn--.example", ".example", ""},
		{"no Punycode", "xn--a.example", "", `label "xn--a": no Punycode`},
		{"Punycode of a capital", "xn--BCHER-kva.example", "xn--bcher-kva.example", ""},
		{"a hyphen begins", "-a.example", "", hyphens},
		{"a hyphen ends", "a-.example", "", hyphens},
		{"hyphens third and fourth", "ab--c.example", "", hyphens},
		{"what needs the tables", "☃.example", "", "character '☃' (U+2603) needs Unicode tables that this page does not carry"},
		{"the Kelvin sign does too", "\u212a.example", "", "character '\u212a' (U+212A) needs Unicode tables that this page does not carry"},
		{"a null character stays, for the caller to refuse", "a\x00.example", "a\x00.example", ""},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			got, err := host.ToASCII(tt.in)
			if message := text(err); message != tt.err || err == nil && got != tt.want {
				t.Errorf("ToASCII(%q) = %q, %q; want %q, %q", tt.in, got, message, tt.want, tt.err)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestParseTarget(t *testing.T) {
	tests := []struct {
		because, in string
		want        host.Target
		err         string
	}{
		{"a host", "api.partner.example", host.Target{Host: "api.partner.example"}, ""},
		{"white space around it", " api.partner.example\n", host.Target{Host: "api.partner.example"}, ""},
		{"a host and port", "api.partner.example:8443", host.Target{Host: "api.partner.example", Port: 8443}, ""},
		{"a URL", "https://api.partner.example/v1?q=a:b#c", host.Target{Host: "api.partner.example", Port: 443, Scheme: "https"}, ""},
		{"its scheme in capitals", "HTTP://pypi.org", host.Target{Host: "pypi.org", Port: 80, Scheme: "http"}, ""},
		{"its port wins over the scheme's", "http://pypi.org:8080/", host.Target{Host: "pypi.org", Port: 8080, Scheme: "http"}, ""},
		{"its port may be empty", "https://pypi.org:/", host.Target{Host: "pypi.org", Port: 443, Scheme: "https"}, ""},
		{"behind brackets too", "http://[::1]:", host.Target{Host: "::1", Port: 80, Scheme: "http"}, ""},
		{"a colon is not enough", "https://:/", host.Target{Scheme: "https"}, "no host"},
		{"what stands before @ is no host", "https://api.partner.example@evil.test/", host.Target{Host: "evil.test", Port: 443, Scheme: "https"}, ""},
		{"an IPv4 address", "203.0.113.10:443", host.Target{Host: "203.0.113.10", Port: 443}, ""},
		{"a bare IPv6 address", "::ffff:169.254.169.254", host.Target{Host: "::ffff:169.254.169.254"}, ""},
		{"a bracketed one", "[fd00:ec2::254]:80", host.Target{Host: "fd00:ec2::254", Port: 80}, ""},
		{"a null character is the enforcer's to refuse", "evil.test\x00.partner.example", host.Target{Host: "evil.test\x00.partner.example"}, ""},
		{"brackets around a name", "[example.com]", host.Target{}, `"example.com" in brackets, where only an IPv6 address may stand`},
		{"brackets around IPv4", "[127.0.0.1]", host.Target{}, `"127.0.0.1" in brackets, where only an IPv6 address may stand`},
		{"an open bracket", "[::1", host.Target{}, "a bracket that is not closed"},
		{"junk behind the brackets", "[::1]x", host.Target{}, `"x" after the brackets, where only a port may stand`},
		{"bare in a URL", "https://2001:db8::1/", host.Target{}, "more than one colon; a URL has its IPv6 address in brackets"},
		{"or with an end like an empty port", "https://2001:db8::/", host.Target{}, "more than one colon; a URL has its IPv6 address in brackets"},
		{"two colons", "a:b:c", host.Target{}, "more than one colon, and no IPv6 address"},
		{"no host", ":443", host.Target{}, "no host"},
		{"nothing", "", host.Target{}, "no host"},
		{"port 0", "pypi.org:0", host.Target{Host: "pypi.org"}, `port "0"; want 1 to 65535`},
		{"a port too high", "pypi.org:65536", host.Target{Host: "pypi.org"}, `port "65536"; want 1 to 65535`},
		{"a port with a sign", "pypi.org:+80", host.Target{Host: "pypi.org"}, `port "+80"; want 1 to 65535`},
		{"a scheme unknown", "gopher://pypi.org", host.Target{}, `scheme "gopher" is not one of https, http, wss, ws, ftp, ssh, git or dns`},
		{"a backslash", `https://api.partner.example\@evil.test`, host.Target{}, "a backslash, which parsers of URLs read differently"},
		{"too long", strings.Repeat("a", 9000), host.Target{}, "9000 octets long, over 8192"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			got, err := host.ParseTarget(tt.in)
			if message := text(err); message != tt.err {
				t.Fatalf("error %q, want %q", message, tt.err)
			}
			if diff := cmp.Diff(tt.want, got); err == nil && diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
