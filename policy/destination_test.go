package policy_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
)

func TestParseDestination(t *testing.T) {
	label63 := strings.Repeat("a", 63)
	name253 := strings.Repeat(label63+".", 3) + strings.Repeat("b", 61)
	tests := []struct {
		because  string
		in       string
		name     string
		addr     string
		loopback bool
	}{
		{because: "a host name", in: "api.partner.example", name: "api.partner.example"},
		{because: "names compare without case (RFC 4343)", in: "API.Partner.Example", name: "api.partner.example"},
		{because: "the root's dot is no part of it", in: "pypi.org.", name: "pypi.org"},
		{because: "one label is a name", in: "proxy", name: "proxy"},
		{because: "a label may begin with a digit (RFC 1123)", in: "3com.example", name: "3com.example"},
		{because: "queries carry underscores", in: "_dmarc.pypi.org", name: "_dmarc.pypi.org"},
		{because: "a label of 63 octets", in: label63 + ".test", name: label63 + ".test"},
		{because: "a name of 253 octets", in: name253, name: name253},
		{because: "digits at the end of the last label are no number", in: "host.x1", name: "host.x1"},
		{because: "an IPv4 address", in: "203.0.113.10", addr: "203.0.113.10"},
		{because: "an IPv6 address", in: "2001:db8::1", addr: "2001:db8::1"},
		{because: "a mapped address is what it maps", in: "::ffff:203.0.113.10", addr: "203.0.113.10"},
		{because: "loopback begins", in: "127.0.0.0", addr: "127.0.0.0", loopback: true},
		{because: "loopback ends", in: "127.255.255.255", addr: "127.255.255.255", loopback: true},
		{because: "IPv6 has one loopback address", in: "::1", addr: "::1", loopback: true},
		{because: "localhost is loopback", in: "localhost", name: "localhost", loopback: true},
		{because: "so are names below it", in: "api.localhost.", name: "api.localhost", loopback: true},
		{because: "a name below another is not", in: "localhost.example", name: "localhost.example"},
	}
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			d, err := policy.ParseDestination(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			var addr netip.Addr
			if tt.addr != "" {
				addr = netip.MustParseAddr(tt.addr)
			}
			if d.String() != tt.in || d.Name() != tt.name || d.Addr() != addr || d.IsLoopback() != tt.loopback {
				t.Errorf("got %q: name %q, address %v, loopback %v", d, d.Name(), d.Addr(), d.IsLoopback())
			}
			if !d.IsValid() {
				t.Error("not valid")
			}
		})
	}
}

// An endpoint is written as in a URL, in brackets where the address has colons.
func TestEndpoint(t *testing.T) {
	tests := []struct {
		host string
		port uint16
		want string
	}{
		{"db.example", 0, "db.example"},
		{"db.example", 5432, "db.example:5432"},
		{"203.0.113.10", 443, "203.0.113.10:443"},
		{"2001:db8::1", 0, "2001:db8::1"},
		{"2001:db8::1", 443, "[2001:db8::1]:443"},
	}
	for _, tt := range tests {
		if got := policy.MustParseDestination(tt.host).WithPort(tt.port).Endpoint(); got != tt.want {
			t.Errorf("%s at port %d: %q, want %q", tt.host, tt.port, got, tt.want)
		}
	}
}

func TestParseDestinationErrors(t *testing.T) {
	label64 := strings.Repeat("a", 64)
	name254 := strings.Repeat(strings.Repeat("a", 63)+".", 3) + strings.Repeat("b", 62)
	tests := []struct {
		because string
		in      string
		want    string // between the input and what is accepted
	}{
		{"nothing", "", "empty"},
		{"the root alone", ".", "empty"},
		{"an empty label in between", "a..test", "an empty label"},
		{"two dots at the end", "a.test..", "an empty label"},
		{"64 octets in a label", label64 + ".test", `label "` + label64 + `" is 64 octets long, over 63`},
		{"254 octets in all", name254, "254 octets long, over 253"},
		{"a hyphen first", "-a.test", `label "-a" begins or ends with a hyphen`},
		{"a hyphen last", "a-.test", `label "a-" begins or ends with a hyphen`},
		{"a port", "pypi.org:443", `character ':' at 4 of label "org:443"`},
		{"a scheme", "https://pypi.org", `character ':' at 6 of label "https://pypi"`},
		{"brackets", "[::1]", `character '[' at 1 of label "[::1]"`},
		{"a space", "pypi .org", `character ' ' at 5 of label "pypi "`},
		{"a wildcard", "*.attacker.test", `character '*' at 1 of label "*"`},
		{"a letter that is not ASCII", "pypí.org", `character 'í' at 4 of label "pypí"`},
		{"the Kelvin sign, whose lower case is an ASCII k", "\u212a.test", "character '\u212a' at 1 of label \"\u212a\""},
		{"a zone", "fe80::1%eth0", "an address with a zone"},
		{"an address in octal", "0177.0.0.1", "ends in a number but is no address in its usual spelling"},
		{"an address as one number", "2130706433", "ends in a number but is no address in its usual spelling"},
		{"an address in hexadecimal", "0x7F000001", "ends in a number but is no address in its usual spelling"},
		{"an address that ends in hexadecimal", "127.0.0.0x1", "ends in a number but is no address in its usual spelling"},
		{"an address that is too short", "127.1", "ends in a number but is no address in its usual spelling"},
	}
	const accepted = "; want a host name such as api.partner.example or an address such as 203.0.113.10"
	for _, tt := range tests {
		t.Run(name(t, tt.because), func(t *testing.T) {
			d, err := policy.ParseDestination(tt.in)
			if err == nil {
				t.Fatalf("parsed as name %q, address %v", d.Name(), d.Addr())
			}
			want := "destination " + quoted(tt.in) + ": " + tt.want + accepted
			if diff := cmp.Diff(want, err.Error()); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
			if d.IsValid() {
				t.Error("an error, and yet a valid destination")
			}
		})
	}
}

func quoted(s string) string { return `"` + s + `"` }

func TestZeroDestinationIsNotValid(t *testing.T) {
	if (policy.Destination{}).IsValid() {
		t.Error("the zero Destination is valid")
	}
}

func TestMustParseDestinationPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	policy.MustParseDestination("")
}

// A destination is a name or an address, and its canonical form parses to
// itself.
func FuzzParseDestination(f *testing.F) {
	for _, s := range []string{
		"api.partner.example", "PyPI.org.", "203.0.113.10", "::ffff:127.0.0.1", "localhost",
		"_x.test", "127.1", "0x7f000001", "\u212a.test", "a..b", "fe80::1%eth0", "[::1]", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := policy.ParseDestination(s)
		if err != nil {
			if d.IsValid() {
				t.Fatalf("%q: %v, and yet a valid destination", s, err)
			}
			return
		}
		if (d.Name() == "") != d.Addr().IsValid() || d.String() != s {
			t.Fatalf("%q: name %q, address %v, written %q", s, d.Name(), d.Addr(), d)
		}
		canonical := d.Name()
		if canonical == "" {
			canonical = d.Addr().String()
		}
		again, err := policy.ParseDestination(canonical)
		if err != nil {
			t.Fatalf("%q: its canonical form: %v", s, err)
		}
		if again.Name() != d.Name() || again.Addr() != d.Addr() || again.IsLoopback() != d.IsLoopback() {
			t.Fatalf("%q and its canonical form %q differ", s, canonical)
		}
	})
}
