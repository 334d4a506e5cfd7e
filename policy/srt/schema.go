package srt

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"sixways/policy"
	"sixways/policy/document"
)

// shape is what the schema of sandbox-runtime 0.0.83 (SandboxRuntimeConfigSchema
// in sandbox-config) takes at a place.
type shape struct {
	// kind is the kind of value, or anything.
	kind document.Kind
	// takes tells the values that are taken, where not all of the kind are; want
	// says which, as the end of a sentence.
	takes func(*document.Node) bool
	want  string
	// high is the highest of the whole numbers from low that are taken; words are
	// the strings.
	low, high float64
	words     []string
	// items is the shape of a list's items, or of the values of a map whose keys
	// are free.
	items *shape
	// members are the keys of a map. A strict one refuses any other key.
	members []member
	strict  bool
}

type member struct {
	key string
	// needed members must be there. Those that a file may leave to the program
	// which embeds the runtime are not; see requireRest.
	needed bool
	// shape is nil where the value is read elsewhere.
	shape *shape
}

const anything document.Kind = 0xFF

var (
	flag          = shape{kind: document.Bool}
	anyText       = shape{kind: document.String}
	anyTexts      = shape{kind: document.List, items: &anyText}
	filled        = shape{kind: document.String, want: "a string that is not empty", takes: isFilled}
	filledList    = shape{kind: document.List, items: &filled}
	binary        = shape{kind: document.String, want: "an absolute path", takes: isAbsolute}
	domainPattern = shape{kind: document.String, takes: isDomainPattern,
		want: `a host such as "api.example.com", a wildcard such as "*.example.com" with two labels or more behind it, or an IPv6 address without brackets, each without a port`}
	domainPatterns = shape{kind: document.List, items: &domainPattern}
	addressRange   = shape{kind: document.String, want: `an address or a range such as "10.0.0.0/8", IPv6 without brackets`, takes: isAddressRange}
	service        = shape{kind: document.String, want: "a name with at most one asterisk, at its end", takes: isService}
	proxyURL       = shape{kind: document.String, want: `a URL such as "http://proxy.example:3128"`, takes: isURL}
	portNumber     = shape{kind: document.Number, low: 1, high: 65535}
	guid           = shape{kind: document.String, want: "a GUID of 8, 4, 4, 4 and 12 hexadecimal digits", takes: isGUID}
	account        = shape{kind: document.String, want: "a name of 1 to 20 characters", takes: isAccount}
	portRange      = shape{kind: document.List, want: "two ports, the lower one first and the other at most 64 above it", takes: isPortRange}
	variable       = shape{kind: document.String, want: "the name of a variable, of letters, digits and underscores", takes: isVariable}
	extract        = shape{kind: document.String, want: "a regular expression with a capturing group", takes: captures}
	pathEntry      = shape{kind: anything, want: `a path, or {"path": "…", "literal": true}`, takes: isPathEntry}
	pathEntries    = shape{kind: document.List, items: &pathEntry}
	credentialMode = shape{kind: document.String, words: []string{"deny", "mask"}}
	noMatch        = shape{kind: document.String, words: []string{"warn", "deny", "error"}}
	decoding       = shape{kind: document.String, words: []string{"jwt"}}
	signing        = shape{kind: document.String, words: []string{"deny", "passthrough"}}
)

// settingsShape is the whole file; networkShape is what stands under its key
// "network". They are data without a call, so that no code is needed to make
// them.
var settingsShape = shape{kind: document.Map, members: []member{
	{"network", false, nil},
	{"filesystem", false, &shape{kind: document.Map, members: []member{
		{"disabled", false, &flag},
		{"denyRead", false, &pathEntries},
		{"allowRead", false, &pathEntries},
		{"allowWrite", false, &pathEntries},
		{"denyWrite", false, &pathEntries},
		{"allowGitConfig", false, &flag},
	}}},
	{"credentials", false, &shape{kind: document.Map, strict: true, members: []member{
		{"files", false, &shape{kind: document.List, items: &shape{kind: document.Map, members: []member{
			{"path", true, &filled},
			{"mode", true, &credentialMode},
			{"extract", false, &extract},
			{"onExtractNoMatch", false, &noMatch},
			{"decode", false, &decoding},
			{"maskClaims", false, &filledList},
			{"maskDuplicates", false, &flag},
			{"injectHosts", false, &domainPatterns},
		}}}},
		{"envVars", false, &shape{kind: document.List, items: &shape{kind: document.Map, members: []member{
			{"name", true, &variable},
			{"mode", true, &credentialMode},
			{"extract", false, &extract},
			{"onExtractNoMatch", false, &noMatch},
			{"decode", false, &decoding},
			{"maskClaims", false, &filledList},
			{"injectHosts", false, &domainPatterns},
		}}}},
		{"allowPlaintextInject", false, &flag},
		{"awsPairs", false, &shape{kind: document.List, items: &shape{kind: document.Map, strict: true, members: []member{
			{"accessKeyIdVar", true, &variable},
			{"secretAccessKeyVar", true, &variable},
			{"sessionTokenVar", false, &variable},
		}}}},
		{"sigv4", false, &shape{kind: document.Map, strict: true, members: []member{
			{"streaming", false, &signing},
			{"presigned", false, &signing},
			{"sigv4a", false, &signing},
		}}},
	}}},
	{"ignoreViolations", false, &shape{kind: document.Map, items: &anyTexts}},
	{"enableWeakerNestedSandbox", false, &flag},
	{"allowNestedUserNamespaces", false, &flag},
	{"enableWeakerNetworkIsolation", false, &flag},
	{"allowAppleEvents", false, &flag},
	{"ripgrep", false, &shape{kind: document.Map, members: []member{
		{"command", true, &anyText},
		{"args", false, &anyTexts},
		{"argv0", false, &anyText},
	}}},
	{"mandatoryDenySearchDepth", false, &shape{kind: document.Number, low: 1, high: 10}},
	{"allowPty", false, &flag},
	{"seccomp", false, &shape{kind: document.Map, members: []member{
		{"applyPath", false, &anyText},
		{"argv0", false, &anyText},
	}}},
	{"bwrapPath", false, &binary},
	{"socatPath", false, &binary},
	{"javaAgentJarPath", false, &binary},
	{"windows", false, &shape{kind: document.Map, members: []member{
		{"backend", false, &shape{kind: document.String, words: []string{"mxc", "srt-win"}}},
		{"sandboxUser", false, &account},
		{"sublayerGuid", false, &guid},
		{"wfpSublayerGuid", false, &guid},
		{"proxyPortRange", false, &portRange},
		{"srtWin", false, &shape{kind: document.Map, members: []member{{"path", true, &filled}}}},
	}}},
	{"git", false, &shape{kind: document.Map, members: []member{{"safeDirectories", false, &anyTexts}}}},
}}

var networkShape = shape{kind: document.Map, members: []member{
	{"allowedDomains", false, nil},
	{"deniedDomains", false, nil},
	{"strictAllowlist", false, &flag},
	{"allowLocalBinding", false, &flag},
	{"allowUnixSockets", false, &anyTexts},
	{"allowAllUnixSockets", false, &flag},
	{"httpProxyPort", false, &portNumber},
	{"socksProxyPort", false, &portNumber},
	{"deniedDomainReasons", false, &shape{kind: document.Map, items: &filled}},
	{"deniedResolvedAddresses", false, &shape{kind: document.List, items: &addressRange}},
	{"allowMachLookup", false, &shape{kind: document.List, items: &service}},
	{"mitmProxy", false, &shape{kind: document.Map, members: []member{
		{"socketPath", true, &filled},
		{"domains", true, &shape{kind: document.List, items: &domainPattern, want: "a list that is not empty", takes: hasItems}},
	}}},
	{"parentProxy", false, &shape{kind: document.Map, members: []member{
		{"http", false, &proxyURL},
		{"https", false, &proxyURL},
		{"noProxy", false, &anyText},
	}}},
	{"tlsTerminate", false, &shape{kind: document.Map, want: `a map with both "caCertPath" and "caKeyPath" or neither`, takes: hasWholePair, members: []member{
		{"caCertPath", false, &filled},
		{"caKeyPath", false, &filled},
		{"excludeDomains", false, &domainPatterns},
		{"extraCaCertPaths", false, &filledList},
		{"maxTunnels", false, &shape{kind: document.Number, low: 1, high: 65536}},
		{"handshakeTimeoutMs", false, &shape{kind: document.Number, low: 100, high: 600000}},
	}}},
	{"allowPlaintextHeaderSet", false, &flag},
	{"stripResponseHeaders", false, &filledList},
	{"refuseOpaqueTunnels", false, &flag},
	{"requireHostMatch", false, &flag},
	{"ambiguousRequestTarget", false, &shape{kind: document.String, words: []string{"refuse", "asSpelled", "normalize"}}},
	{"filterRequest", false, &shape{kind: anything, want: "a function, which no file can hold", takes: isFunction}},
}}

// allows tells whether a value of the right kind is taken.
func (s *shape) allows(n *document.Node) bool {
	switch {
	case s.takes != nil:
		return s.takes(n)
	case s.words != nil:
		return slices.Contains(s.words, n.Text)
	case s.high > 0:
		f, ok := integer(n)
		return ok && s.low <= f && f <= s.high
	}
	return true
}

// wants says which values are taken.
func (s *shape) wants() string {
	switch {
	case s.words != nil:
		return "one of " + strings.Join(s.words, ", ")
	case s.high > 0:
		return fmt.Sprintf("a whole number from %v to %v", int(s.low), int(s.high))
	}
	return s.want
}

// keys are those of a map that has members.
func (s *shape) keys() []string {
	var all []string
	for _, m := range s.members {
		all = append(all, m.key)
	}
	return all
}

// checkMembers finds what the schema refuses in a map, which stands at a path
// such as "credentials.files[0]", or "" for the settings and the network.
func (p *Policy) checkMembers(n *document.Node, at string, s *shape) {
	for _, m := range s.members {
		f := n.Field(m.key)
		switch {
		case f == nil && m.needed:
			p.refuse(n.Position, fmt.Sprintf("%q has no %q, which %s requires.", at, m.key, p.schema()), fmt.Sprintf("add %q to %q", m.key, at))
		case f != nil && m.shape != nil:
			p.checkShape(f.Value, below(at, m.key), m.shape)
		}
	}
}

func (p *Policy) checkShape(n *document.Node, at string, s *shape) {
	switch {
	case s.kind != anything && n.Kind != s.kind:
		p.wrongKind(&document.Field{Position: n.Position, Key: document.Clip(at), Value: n}, s.kind)
	case !s.allows(n):
		at = document.Clip(at)
		p.refuse(n.Position, fmt.Sprintf("%q is %s, where %s takes %s.", at, describe(n), p.schema(), s.wants()), fmt.Sprintf("write %q as %s", at, s.wants()))
		return
	}
	if s.members != nil && n.Kind == document.Map {
		p.unknownMembers(n, at, s)
		p.checkMembers(n, at, s)
	}
	if s.items == nil || n.Kind != s.kind {
		return
	}
	for i, item := range n.Items {
		p.checkShape(item, at+"["+strconv.Itoa(i)+"]", s.items)
	}
	for _, f := range n.Fields {
		p.checkShape(f.Value, below(at, f.Key), s.items)
	}
}

// unknownMembers finds keys that are not known: passed over in silence, or in
// some maps refused.
func (p *Policy) unknownMembers(n *document.Node, at string, s *shape) {
	if !s.strict {
		p.unknown(n, at, s.keys())
		return
	}
	for _, f := range n.Fields {
		known := false
		for _, m := range s.members {
			known = known || m.key == f.Key
		}
		if !known {
			p.refuse(f.Position, fmt.Sprintf("The key %q is not known in %s, and %s refuses it there.", document.Clip(f.Key), at, p.schema()),
				fmt.Sprintf("remove the key %q", document.Clip(f.Key)))
		}
	}
}

// refuse finds what the schema refuses. The srt command refuses the file over
// it; what Claude Code does has not been compared.
func (p *Policy) refuse(at document.Position, message, fix string) {
	severity := policy.SeverityRefused
	if p.claude {
		severity = policy.SeverityWarning
	}
	p.find(at, severity, message, fix)
}

// schema is who refuses, as sentences name it.
func (p *Policy) schema() string {
	if p.claude {
		return "the runtime's schema"
	}
	return "the srt command"
}

func below(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

// describe says what a value is: itself, or its kind.
func describe(n *document.Node) string {
	switch {
	case n.Kind == document.String:
		return strconv.Quote(document.Clip(n.Text))
	case n.Kind == document.Number || n.Kind == document.Bool:
		return document.Clip(n.Text)
	case n.Kind == document.List && len(n.Items) == 0:
		return "an empty list"
	}
	return n.Kind.String()
}

// integer is the value of a number that is whole, as JavaScript has it: 1.0 and
// 1e3 are.
func integer(n *document.Node) (float64, bool) {
	f, err := strconv.ParseFloat(n.Text, 64)
	return f, err == nil && n.Kind == document.Number && f == float64(int64(f))
}

func isFilled(n *document.Node) bool { return n.Text != "" }

func isAbsolute(n *document.Node) bool { return strings.HasPrefix(n.Text, "/") }

func isService(n *document.Node) bool { return !strings.Contains(strings.TrimSuffix(n.Text, "*"), "*") }

func isFunction(*document.Node) bool { return false }

func hasItems(n *document.Node) bool { return len(n.Items) > 0 }

func hasWholePair(n *document.Node) bool {
	return (n.Get("caCertPath") == nil) == (n.Get("caKeyPath") == nil)
}

func isDomainPattern(n *document.Node) bool {
	addr, err := netip.ParseAddr(n.Text)
	return err == nil && addr.Is6() || patternRefusal(n.Text) == ""
}

// isAddressRange takes an address or a range; of IPv4 in IPv6 it takes no more
// than all of IPv4.
func isAddressRange(n *document.Node) bool {
	text, bits, isRange := strings.Cut(n.Text, "/")
	addr, err := netip.ParseAddr(dropZone(text))
	if err != nil {
		return false
	}
	if !isRange {
		return true
	}
	prefix, err := strconv.ParseUint(bits, 10, 8)
	return err == nil && len(bits) <= 3 && int(prefix) <= addr.BitLen() && (!addr.Is4In6() || prefix >= 96)
}

func isGUID(n *document.Node) bool {
	groups := strings.Split(n.Text, "-")
	if len(groups) != 5 {
		return false
	}
	for i, want := range []int{8, 4, 4, 4, 12} {
		if len(groups[i]) != want || strings.Trim(groups[i], "0123456789abcdefABCDEF") != "" {
			return false
		}
	}
	return true
}

// isAccount counts as JavaScript does, in units of UTF-16.
func isAccount(n *document.Node) bool {
	units := len(utf16.Encode([]rune(n.Text)))
	return 1 <= units && units <= 20
}

func isPortRange(n *document.Node) bool {
	if len(n.Items) != 2 {
		return false
	}
	low, ok := integer(n.Items[0])
	high, also := integer(n.Items[1])
	return ok && also && 1 <= low && low <= high && high <= 65535 && high-low <= 64
}

func isVariable(n *document.Node) bool {
	for i := range len(n.Text) {
		c := n.Text[i]
		if c != '_' && (!isAlphanumeric(c) || i == 0 && c <= '9') {
			return false
		}
	}
	return n.Text != ""
}

func isPathEntry(n *document.Node) bool {
	if n.Kind == document.String {
		return n.Text != ""
	}
	for _, f := range n.Fields {
		if f.Key != "path" && f.Key != "literal" {
			return false
		}
	}
	path := n.Get("path")
	return path != nil && path.Kind == document.String && path.Text != "" && n.Get("literal").IsTrue()
}
