// Package format knows the policy file formats: it tells which one a text is
// in, reads it, and checks what it leaves open.
package format

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/harden"
	"sixways/policy/smokescreen"
	"sixways/policy/srt"
)

// Policy is a policy file, read for one role.
type Policy interface {
	// Findings returns what the reader found.
	Findings() []policy.Finding
	// Boundary compiles the file; what it does not speak of stays with the
	// boundary of the controls.
	Boundary(controls *policy.Boundary) *policy.Boundary
	// Normalise returns what the enforcer compares a host as, or says why it
	// takes the host for malformed.
	Normalise(host string) (policy.Destination, error)
	// Roles returns whom the file has rules for, where it has more than one
	// set: services, or jobs. Role is the one that is read.
	Roles() []string
	Role() string
}

// Format is a policy file format.
type Format struct {
	// Key names it in flags, addresses and JSON; Label on the page.
	Key, Label string
	// Syntax is the language of the text, "json" or "yaml".
	Syntax string
	// Examples are files to begin with.
	Examples []Example

	parse func(name string, text []byte, role string) (Policy, error)
	// names matches the usual file names.
	names func() *regexp.Regexp
}

// Example is a built-in file.
type Example struct {
	// Title says in a few words what it shows.
	Title string
	// Name is a file name that the format is recognised by.
	Name string
	Text string
}

// The examples. An embed.FS would bring a file system into the WebAssembly.
var (
	//go:embed examples/srt-settings.json
	strictRuntime string
	//go:embed examples/open.srt-settings.json
	openRuntime string
	//go:embed examples/settings.json
	userSettings string
	//go:embed examples/managed-settings.json
	managedSettings string
	//go:embed examples/smokescreen-acl.yaml
	enforcedACL string
	//go:embed examples/report.smokescreen-acl.yaml
	reportedACL string
	//go:embed examples/block.workflow.yml
	blockWorkflow string
	//go:embed examples/audit.workflow.yml
	auditWorkflow string
)

// pattern returns a regular expression that is compiled when it is first asked
// for: most who open the page ask for none.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// formats are made when first asked for.
var formats = sync.OnceValue(func() []Format {
	return []Format{
		{
			Key: "srt", Label: "sandbox-runtime settings", Syntax: "json",
			Examples: []Example{
				{"An allowlist that holds", "srt-settings.json", strictRuntime},
				{"Loopback open, a list too broad", "open.srt-settings.json", openRuntime},
			},
			parse: parseSrt, names: pattern(`(?i)srt-settings\.json$`),
		},
		{
			Key: "claude-code", Label: "Claude Code sandbox settings", Syntax: "json",
			Examples: []Example{
				{"An allowlist that is no boundary", "settings.json", userSettings},
				{"Managed settings that are one", "managed-settings.json", managedSettings},
			},
			parse: parseClaude, names: pattern(`(?i)(^|/)(managed-)?settings(\.local)?\.json$`),
		},
		{
			Key: "smokescreen", Label: "Smokescreen access control list", Syntax: "yaml",
			Examples: []Example{
				{"One role enforced", "smokescreen-acl.yaml", enforcedACL},
				{"A role in report mode", "report.smokescreen-acl.yaml", reportedACL},
			},
			parse: parseSmokescreen, names: pattern(`(?i)(smokescreen|acl)[^/]*\.ya?ml$`),
		},
		{
			Key: "harden-runner", Label: "harden-runner in a workflow", Syntax: "yaml",
			Examples: []Example{
				{"A job that blocks", "block.workflow.yml", blockWorkflow},
				{"A job in audit mode", "audit.workflow.yml", auditWorkflow},
			},
			parse: parseHarden, names: pattern(`(?i)(\.github/workflows/[^/]*|workflow)\.ya?ml$`),
		},
	}
})

// Formats returns all formats in the order in which they are offered.
func Formats() []Format { return slices.Clone(formats()) }

// Keys returns the keys of all formats.
func Keys() []string {
	var keys []string
	for _, f := range formats() {
		keys = append(keys, f.Key)
	}
	return keys
}

// ByKey returns the format with a key. The error names the keys that there are.
func ByKey(key string) (Format, error) {
	for _, f := range formats() {
		if f.Key == key {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("format %q is not known; want one of %s", key, strings.Join(Keys(), ", "))
}

// String returns the format's key.
func (f Format) String() string { return f.Key }

// Parse reads a text that is named name in messages. An empty role takes the
// file's first. The error is a [*document.Error], with line and column where
// there is a place, or names the roles where the file has not the one asked for.
func (f Format) Parse(name string, text []byte, role string) (Policy, error) {
	if f.parse == nil {
		return nil, errors.New("no format")
	}
	p, err := f.parse(name, text, role)
	if err != nil {
		return nil, err
	}
	if role != "" && p.Role() != role {
		return nil, roleError(name, role, p.Roles())
	}
	return p, nil
}

func roleError(name, role string, known []string) error {
	known = slices.DeleteFunc(slices.Clone(known), func(r string) bool { return r == "" }) // steps of no job
	if len(known) == 0 {
		return fmt.Errorf("%s: no role %q; the file has no roles", name, role)
	}
	var all []string
	for _, r := range known {
		all = append(all, document.Clip(r))
	}
	return fmt.Errorf("%s: no role %q; want one of %s", name, role, strings.Join(all, ", "))
}

// The typed results must not become a Policy that holds a nil pointer.

func parseSrt(name string, text []byte, _ string) (Policy, error) {
	p, err := srt.Parse(name, text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func parseClaude(name string, text []byte, _ string) (Policy, error) {
	p, err := srt.ParseClaude(name, text)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func parseSmokescreen(name string, text []byte, role string) (Policy, error) {
	p, err := smokescreen.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if role != "" {
		p = p.As(role)
	}
	return p, nil
}

func parseHarden(name string, text []byte, role string) (Policy, error) {
	p, err := harden.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if role != "" {
		p = p.As(role)
	}
	return p, nil
}

// Recognise tells the format of a text from what it holds and, where that
// leaves more than one, from its name. It looks at words and not at syntax, so that a
// text with a mistake is recognised too.
func Recognise(name string, text []byte) (Format, bool) {
	key := ""
	text = bytes.TrimPrefix(text, []byte(document.ByteOrderMark))
	if isJSON(text) {
		key = recogniseJSON(text)
	} else {
		key = recogniseYAML(text)
	}
	if key == "" {
		key = recogniseName(name)
	}
	f, err := ByKey(key)
	return f, err == nil
}

var leading = pattern(`^(?:\s|//[^\n]*|/\*(?s:.*?)\*/)*`)

func isJSON(text []byte) bool {
	rest := text[len(leading().Find(text)):]
	return bytes.HasPrefix(rest, []byte("{"))
}

func recogniseJSON(text []byte) string {
	switch {
	case claudeKeys().Match(text):
		return "claude-code"
	case bytes.Contains(text, []byte(`"network"`)), bytes.Contains(text, []byte(`"allowedDomains"`)),
		bytes.Contains(text, []byte(`"deniedDomains"`)):
		return "srt"
	}
	return ""
}

var (
	claudeKeys       = pattern(`"(?:sandbox|permissions)"\s*:`)
	hardenWords      = pattern(`(?mi)step-security/harden-runner|^\s*(?:egress-policy|allowed-endpoints)\s*:`)
	smokescreenWords = pattern(`(?m)^(?:global_deny_list|global_allow_list)\s*:|^\s*(?:- )?allowed_domains\s*:`)
	// Other files have services too: workflows, and those of Docker Compose.
	services = pattern(`(?m)^services\s*:\s*(?:\[|#|$)`)
	version1 = pattern(`(?m)^version\s*:\s*["']?v1\b`)
)

func recogniseYAML(text []byte) string {
	switch {
	case hardenWords().Match(text):
		return "harden-runner"
	case smokescreenWords().Match(text), services().Match(text) && version1().Match(text):
		return "smokescreen"
	}
	return ""
}

func recogniseName(name string) string {
	name = strings.ReplaceAll(name, `\`, "/")
	for _, f := range formats() {
		if f.names().MatchString(name) {
			return f.Key
		}
	}
	return ""
}
