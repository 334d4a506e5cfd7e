package srt

import (
	"fmt"
	"slices"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/names"
)

// Policy is a settings file, read. The zero Policy blocks everything.
type Policy struct {
	name   string
	read   bool
	claude bool

	network  *document.Node // nil where the file has none
	allowKey document.Position
	// listed says that allowedDomains is there, if only as an empty list.
	listed  bool
	allowed names.Index
	denied  names.Index
	// ported holds what is allowed at one port, without the port; loopbacks what
	// is allowed of loopback.
	ported    names.Index
	loopbacks []loopback
	order     int

	// sandboxed says that the file turns the sandbox on at all.
	sandboxed bool
	sandboxAt document.Position
	// strict says that what is not on the list is refused, not asked about.
	strict bool
	// autoAllow says that Claude Code does not even ask.
	autoAllow bool
	// external are the keys that hand filtering to other proxies.
	external []*document.Field
	// unasked is where the file lets commands run outside the sandbox without a
	// question, or no place.
	unasked document.Position
	// localBinding is the key that opens loopback on macOS, or nil.
	localBinding *document.Field

	findings document.Findings
}

// loopback is an entry that allows it, and the host that it names.
type loopback struct {
	names.Entry
	host string
}

// Parse reads sandbox-runtime settings: the whole file, or what stands under its
// key "network". The error is a [*document.Error].
func Parse(name string, text []byte) (*Policy, error) {
	root, strict, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	p := &Policy{name: name, read: true, sandboxed: true, strict: true}
	if strict.Line > 0 {
		p.find(strict, policy.SeverityWarning,
			"The srt command reads plain JSON and refuses a file with a comment or a trailing comma; a program that embeds the runtime may not.",
			"remove the comment or the comma")
	}
	p.readRuntime(root)
	return p, nil
}

// ParseClaude reads a Claude Code settings file. The error is a
// [*document.Error].
func ParseClaude(name string, text []byte) (*Policy, error) {
	root, strict, err := parse(name, text)
	if err != nil {
		return nil, err
	}
	p := &Policy{name: name, read: true, claude: true, sandboxAt: root.Position}
	if strict.Line > 0 {
		p.find(strict, policy.SeverityWarning,
			"Claude Code may discard the whole file over a comment or a trailing comma, and then nothing of it holds (anthropics/claude-code#83190, #9906).",
			"remove the comment or the comma")
	}
	p.readClaude(root)
	return p, nil
}

func parse(name string, text []byte) (*document.Node, document.Position, error) {
	root, strict, err := document.JSON(name, text)
	if err != nil {
		return nil, strict, err
	}
	if root.Kind != document.Map {
		return nil, strict, document.Errorf(name, root.Position, "%s, where the settings are a map", root.Kind)
	}
	return root, strict, nil
}

// Findings returns what the reader found.
func (p *Policy) Findings() []policy.Finding { return p.findings.All() }

func (p *Policy) find(at document.Position, s policy.Severity, message, fix string) {
	p.findings.Add(at, s, message, fix)
}

// enforcer is who reads the file, as sentences name it.
func (p *Policy) enforcer() string {
	if p.claude {
		return "Claude Code"
	}
	return "sandbox-runtime"
}

// claudeKeys are those under "sandbox".
var claudeKeys = []string{"enabled", "network", "autoAllowBashIfSandboxed", "allowUnsandboxedCommands",
	"enabledPlatforms", "excludedCommands", "failIfUnavailable", "filesystem", "credentials", "ignoreViolations",
	"enableWeakerNestedSandbox", "allowNestedUserNamespaces", "enableWeakerNetworkIsolation", "allowAppleEvents",
	"allowPty", "ripgrep", "seccomp", "bwrapPath", "socatPath", "git"}

func (p *Policy) readRuntime(root *document.Node) {
	p.sandboxAt = root.Position
	p.network = root
	if field := root.Field("network"); field != nil {
		p.network = p.mapOf(field)
		p.unknown(root, "the settings", settingsShape.keys())
		p.checkMembers(root, "", &settingsShape)
		p.checkRules(root)
		p.readIsolation(root)
	}
	p.requireRest(root)
	p.unknown(p.network, "network", networkShape.keys())
	p.checkMembers(p.network, "", &networkShape)
	p.readNetwork()
	p.noteResolver()
	if p.network.Get("strictAllowlist").IsFalse() {
		p.find(p.network.Field("strictAllowlist").Position, policy.SeverityNote,
			"The srt command refuses what is not on the list all the same; a program that embeds the runtime may ask its user instead.",
			`set "strictAllowlist" to true`)
	}
}

// requireRest names what the command's schema asks for beside allowedDomains. A
// program that embeds the runtime may have it from elsewhere.
func (p *Policy) requireRest(root *document.Node) {
	if root.Get("network") == nil {
		p.require(root, `"network"`, `put what stands here under "network"`)
	}
	filesystem := root.Get("filesystem")
	if filesystem == nil {
		p.require(root, `"filesystem"`, `add "filesystem": {"denyRead": [], "allowWrite": [], "denyWrite": []}`)
	}
	for _, key := range []string{"denyRead", "allowWrite", "denyWrite"} {
		if filesystem != nil && filesystem.Kind == document.Map && filesystem.Get(key) == nil {
			p.require(filesystem, fmt.Sprintf(`%q in "filesystem"`, key), fmt.Sprintf(`add %q: [] to "filesystem"`, key))
		}
	}
	if p.network.Get("deniedDomains") == nil {
		p.require(p.network, `"deniedDomains"`, `add "deniedDomains": [] to "network"`)
	}
}

func (p *Policy) require(n *document.Node, what, fix string) {
	p.find(n.Position, policy.SeverityWarning,
		fmt.Sprintf("The srt command refuses a file without %s; a program that embeds the runtime may not.", what), fix)
}

// mapOf returns the map under a key; anything else is found and left out.
func (p *Policy) mapOf(f *document.Field) *document.Node {
	if f.Value.Kind == document.Map {
		return f.Value
	}
	p.wrongKind(f, document.Map)
	return &document.Node{Position: f.Position, Kind: document.Map}
}

// wantKind finds the keys of a map whose values are of another kind.
func (p *Policy) wantKind(n *document.Node, want document.Kind, keys ...string) {
	for _, key := range keys {
		if f := n.Field(key); f != nil && f.Value.Kind != want {
			p.wrongKind(f, want)
		}
	}
}

func (p *Policy) wrongKind(f *document.Field, want document.Kind) {
	p.find(f.Value.Position, policy.SeverityRefused,
		fmt.Sprintf("%q is %s, where %s reads %s.", f.Key, f.Value.Kind, p.enforcer(), want),
		fmt.Sprintf("write %q as %s", f.Key, want))
}

func (p *Policy) unknown(n *document.Node, where string, known []string) {
	p.findings.UnknownKeys(n, where, p.enforcer(), known...)
}

func (p *Policy) readNetwork() {
	p.readDomains("deniedDomains", &p.denied, true)
	p.listed = p.readDomains("allowedDomains", &p.allowed, false)
	if field := p.network.Field("allowedDomains"); field != nil {
		p.allowKey = field.Position
	} else if p.network != nil {
		p.allowKey = p.network.Position
	}
	p.readProxies()
	p.readSockets()
	p.localBinding = p.trueField(p.network, "allowLocalBinding")
	if p.localBinding != nil {
		p.find(p.localBinding.Position, policy.SeverityWarning,
			"On macOS and Windows allowLocalBinding opens every port of the host's loopback, past the proxy. On Linux the sandbox has a loopback of its own.",
			`set "allowLocalBinding" to false`)
	}
	if p.network.Field("allowedDomains") == nil && !p.claude {
		p.find(p.allowKey, policy.SeverityUnenforced,
			"allowedDomains is missing, which is no empty list: a program that embeds the runtime then restricts no network at all, and the srt command refuses the file.",
			`add "allowedDomains": [] to "network"`)
	}
}

// readDomains reads one of the two lists, and tells whether it is there.
func (p *Policy) readDomains(key string, into *names.Index, denied bool) bool {
	field := p.network.Field(key)
	if field == nil {
		return false
	}
	if field.Value.Kind != document.List {
		p.wrongKind(field, document.List)
		return false
	}
	for i, item := range field.Value.Items {
		if item.Kind != document.String {
			p.wrongKind(&document.Field{Position: item.Position, Key: fmt.Sprintf("%s[%d]", key, i), Value: item}, document.String)
			continue
		}
		p.addDomain(item, item.Text, into, denied)
	}
	return true
}

func (p *Policy) addDomain(item *document.Node, text string, into *names.Index, denied bool) {
	if why := refusal(text, denied); why != "" {
		severity, what := policy.SeverityRefused, "The srt command refuses the file over"
		if p.claude {
			severity, what = policy.SeverityWarning, "The runtime's schema refuses"
		}
		p.find(item.Position, severity, fmt.Sprintf("%s the entry %q: %s.", what, document.Clip(item.Text), why), "write "+patternForms)
	} else if as := never(text); as != "" {
		p.findNever(item, as, denied)
	}
	p.add(into, text, item.Position)
}

// add puts an entry into one of the two lists.
func (p *Policy) add(into *names.Index, text string, at document.Position) {
	pattern, port := splitPort(text)
	e := names.Entry{Position: at, Text: document.Clip(text), Order: p.order, Port: port}
	p.order++
	addPattern(into, pattern, port, e)
	if into != &p.allowed {
		return
	}
	if port != 0 {
		addPattern(&p.ported, pattern, 0, e)
	}
	if host := strings.Replace(pattern, "*.", "any.", 1); validHost(host) && never(text) == "" {
		name, addr := canonical(host)
		if addr.IsLoopback() || addr.IsUnspecified() || name == "localhost" || strings.HasSuffix(name, ".localhost") {
			p.loopbacks = append(p.loopbacks, loopback{e, host})
		}
	}
}

// findNever finds an entry that matches nothing, which matters where it denies.
func (p *Policy) findNever(item *document.Node, as string, denied bool) {
	severity := policy.SeverityBroken
	if denied {
		severity = policy.SeverityUnenforced
	}
	p.find(item.Position, severity,
		fmt.Sprintf("The entry %q matches no host: %s.", document.Clip(item.Text), as), "write the host as it is compared")
}

// readProxies finds that somebody else filters.
func (p *Policy) readProxies() {
	for _, key := range []string{"httpProxyPort", "socksProxyPort"} {
		field := p.network.Field(key)
		if field == nil || field.Value.Kind == document.Null {
			continue
		}
		p.external = append(p.external, field)
		p.find(field.Position, policy.SeverityUnenforced,
			fmt.Sprintf("%s hands the traffic to a proxy that is not the runtime's. The lists of this file are not applied there; that proxy must filter.", key),
			fmt.Sprintf("remove %q", key))
	}
}

func (p *Policy) readSockets() {
	if all := p.trueField(p.network, "allowAllUnixSockets"); all != nil {
		p.find(all.Position, policy.SeverityWarning,
			"With every Unix socket open, a container engine or an agent on the host makes connections for the sandbox, past the proxy.",
			`remove "allowAllUnixSockets"`)
	}
	if some := p.network.Field("allowUnixSockets"); some != nil && len(some.Value.Items) > 0 {
		p.find(some.Position, policy.SeverityWarning,
			"Whoever listens on these Unix sockets makes connections for the sandbox, past the proxy (macOS; on Linux the key is ignored).",
			`remove from "allowUnixSockets" what the task does not need`)
	}
}

func (p *Policy) trueField(n *document.Node, key string) *document.Field {
	if field := n.Field(key); field != nil && field.Value.IsTrue() {
		return field
	}
	return nil
}

// readIsolation finds what weakens the sandbox around the proxy.
func (p *Policy) readIsolation(n *document.Node) {
	for _, weak := range []struct{ key, message string }{
		{"enableWeakerNetworkIsolation", "On macOS the sandbox may talk to the trust service, which fetches addresses for it: a way out past the proxy."},
		{"allowAppleEvents", "On macOS the sandbox may start and script other applications, which are not sandboxed."},
		{"enableWeakerNestedSandbox", "The sandbox inside a container is weaker than the runtime's usual one."},
	} {
		if field := p.trueField(n, weak.key); field != nil {
			p.find(field.Position, policy.SeverityWarning, weak.message, fmt.Sprintf("set %q to false", weak.key))
		}
	}
}

func (p *Policy) readClaude(root *document.Node) {
	sandbox := root.Field("sandbox")
	if sandbox == nil {
		p.find(root.Position, policy.SeverityUnenforced,
			"The file has no sandbox settings, so commands run without a sandbox.",
			`add "sandbox": {"enabled": true, "network": {"allowedDomains": [], "strictAllowlist": true}}`)
		return
	}
	settings := p.mapOf(sandbox)
	p.sandboxAt = sandbox.Position
	p.unknown(settings, "sandbox", claudeKeys)
	p.wantKind(settings, document.Bool, "enabled", "autoAllowBashIfSandboxed", "allowUnsandboxedCommands", "failIfUnavailable")
	p.wantKind(settings, document.List, "excludedCommands", "enabledPlatforms")
	p.wantKind(root.Get("permissions"), document.List, "allow", "deny")
	p.readEnabled(settings)
	p.autoAllow = !settings.Get("autoAllowBashIfSandboxed").IsFalse()
	if field := settings.Field("network"); field != nil {
		p.network = p.mapOf(field)
	}
	p.unknown(p.network, "sandbox.network", append(networkShape.keys(), "allowManagedDomainsOnly"))
	p.checkMembers(p.network, "", &networkShape)
	p.readNetwork()
	if p.network == nil {
		p.allowKey = sandbox.Position
	}
	p.findings.UnknownKeys(root, "the settings", "Claude Code", keysOf(root)...) // which are many: those given twice alone
	p.readPermissions(root.Get("permissions"))
	p.readStrict()
	p.readEscapes(settings, root.Get("permissions"))
	p.readIsolation(settings)
	p.noteResolver()
}

func keysOf(n *document.Node) (keys []string) {
	for _, f := range n.Fields {
		keys = append(keys, f.Key)
	}
	return keys
}

// noteResolver says where the decision on queries, which is that of Linux, does
// not hold (the runtime's README on Windows).
func (p *Policy) noteResolver() {
	if p.restricts() {
		p.find(p.allowKey, policy.SeverityWarning,
			"On Linux no DNS query leaves the sandbox. On Windows the system's resolver looks names up for it all the same, and the runtime's README says so of macOS too.",
			"run it on Linux where data in names matters")
	}
}

func (p *Policy) readEnabled(settings *document.Node) {
	p.sandboxed = settings.Get("enabled").IsTrue()
	if p.sandboxed {
		return
	}
	at := p.sandboxAt
	if field := settings.Field("enabled"); field != nil {
		at = field.Position
	}
	p.find(at, policy.SeverityUnenforced,
		"The sandbox is off unless sandbox.enabled is true, so nothing in this file restricts a command.",
		`set "enabled" to true in "sandbox"`)
}

// readPermissions merges the WebFetch rules, as Claude Code does
// (anthropics/claude-code#53511).
func (p *Policy) readPermissions(permissions *document.Node) {
	for _, list := range []struct {
		key  string
		into *names.Index
	}{{"deny", &p.denied}, {"allow", &p.allowed}} {
		rules := permissions.Get(list.key)
		if rules == nil {
			continue
		}
		for _, item := range rules.Items {
			domain, ok := strings.CutPrefix(item.Text, "WebFetch(domain:")
			if !ok {
				continue
			}
			domain, closed := strings.CutSuffix(domain, ")")
			if !closed {
				p.findNever(item, "the rule does not end with a bracket", list.key == "deny")
				continue
			}
			p.addDomain(item, domain, list.into, list.key == "deny")
		}
	}
}

// readStrict finds whether the allowlist is a boundary or a list of answers
// given beforehand (anthropics/claude-code#84833).
func (p *Policy) readStrict() {
	strict := p.trueField(p.network, "strictAllowlist")
	managed := p.trueField(p.network, "allowManagedDomainsOnly")
	if managed != nil && p.isUserFile() {
		p.find(managed.Position, policy.SeverityUnenforced,
			"allowManagedDomainsOnly counts in managed settings alone, and this file's name is that of user or project settings.",
			`move it to the managed settings, or set "strictAllowlist" to true in the user's settings`)
		managed = nil
	}
	whose := p.owner()
	if strict != nil && whose == ofRepository {
		p.find(strict.Position, policy.SeverityUnenforced,
			"Claude Code drops strictAllowlist from a repository's settings without a word (anthropics/claude-code#90355), and by its path this file is a repository's. Of .claude/settings.json only the one in a home directory is the user's.",
			`move "strictAllowlist" to ~/.claude/settings.json or the managed settings`)
		strict = nil
	}
	p.strict = strict != nil || managed != nil
	switch {
	case strict != nil && managed == nil && whose == ofUser:
		p.find(strict.Position, policy.SeverityNote,
			"By its path this file is the user's, where strictAllowlist counts; from a repository's settings Claude Code drops it without a word (anthropics/claude-code#90355).",
			"keep it in the user's or the managed settings")
	case strict != nil && managed == nil && whose == ofNobody:
		p.find(strict.Position, policy.SeverityWarning,
			"Claude Code drops strictAllowlist from a project's settings without a word (anthropics/claude-code#90355); it counts in user and managed settings.",
			"keep it in the user's or the managed settings")
	case !p.strict && p.sandboxed:
		p.find(p.allowKey, policy.SeverityUnenforced,
			"allowedDomains is a list of hosts that need no question, no boundary: other hosts are asked about, or in auto-allow mode pass in silence (anthropics/claude-code#84833).",
			`add "strictAllowlist": true to "network" in the user's or the managed settings`)
	}
}

// isUserFile tells a file by its name from managed settings.
func (p *Policy) isUserFile() bool {
	segments := p.segments()
	base := segments[len(segments)-1]
	return p.owner() != ofManaged && (base == "settings.json" || base == "settings.local.json")
}

// segments are those of the file's path, cleaned: there is one at least, and an
// absolute path begins with "".
func (p *Policy) segments() []string {
	var all []string
	for i, s := range strings.Split(strings.ReplaceAll(p.name, `\`, "/"), "/") {
		switch {
		case i == 0 && len(s) == 2 && s[1] == ':':
			all = append(all, "") // a drive of Windows
		case i > 0 && (s == "" || s == "."):
		case s == ".." && len(all) > 1:
			all = all[:len(all)-1]
		default:
			all = append(all, s)
		}
	}
	return all
}

// owner is whose settings of Claude Code a file holds.
type owner uint8

const (
	ofNobody owner = iota // the path does not tell
	ofRepository
	ofUser
	ofManaged
)

// owner tells by the file's path whose settings it holds. What stands in no home
// directory is taken for a repository's, where less counts.
func (p *Policy) owner() owner {
	segments := append([]string{"."}, p.segments()...)
	last := len(segments) - 1
	switch base, folder := segments[last], segments[last-1]; {
	case base == "settings.local.json":
		return ofRepository
	case base == "managed-settings.json" || folder == "managed-settings.d":
		return ofManaged
	case base != "settings.json" || folder != ".claude":
		return ofNobody
	case isHome(segments[1 : last-1]):
		return ofUser
	}
	return ofRepository
}

// isHome knows where the systems keep home directories.
func isHome(dir []string) bool {
	switch strings.Join(dir, "/") {
	case "~", "/root":
		return true
	}
	return len(dir) == 3 && dir[0] == "" && (dir[1] == "home" || dir[1] == "Users")
}

// placeOf is the place of a key in "sandbox", or of that where the key is missing.
func (p *Policy) placeOf(f *document.Field) document.Position {
	if f == nil {
		return p.sandboxAt
	}
	return f.Position
}

// unaskedFix closes what readEscapes finds.
const unaskedFix = `set "allowUnsandboxedCommands" to false in "sandbox", without "excludedCommands"`

// readEscapes finds the ways in which a command runs without the sandbox.
func (p *Policy) readEscapes(settings, permissions *document.Node) {
	if !p.sandboxed {
		return
	}
	escapes := false
	if allow := settings.Field("allowUnsandboxedCommands"); allow == nil || !allow.Value.IsFalse() {
		escapes = true
		p.find(p.placeOf(allow), policy.SeverityWarning,
			"A command that the sandbox stops may be run again without it, which allowUnsandboxedCommands permits unless it is false.",
			`set "allowUnsandboxedCommands" to false in "sandbox"`)
	}
	if fail := settings.Field("failIfUnavailable"); fail == nil || !fail.Value.IsTrue() {
		p.find(p.placeOf(fail), policy.SeverityWarning,
			"Where the sandbox cannot start, as on Linux without bubblewrap or socat, commands run without it, unless failIfUnavailable is true.",
			`set "failIfUnavailable" to true in "sandbox"`)
	}
	if platforms := settings.Field("enabledPlatforms"); platforms != nil {
		p.find(platforms.Position, policy.SeverityWarning,
			"On systems that enabledPlatforms does not name, commands run without the sandbox.", `remove "enabledPlatforms"`)
	}
	if excluded := settings.Field("excludedCommands"); excluded != nil && len(excluded.Value.Items) > 0 {
		escapes = true
		p.find(excluded.Position, policy.SeverityWarning,
			"These commands run without the sandbox, and so past every rule of this file.",
			`remove from "excludedCommands" what can reach the network`)
	}
	if at, ok := approved(permissions, settings.Get("excludedCommands")); ok && escapes {
		p.unasked = at
		p.find(at, policy.SeverityUnenforced,
			"Commands run here without a question, those outside the sandbox with them, and so past every rule of this file.", unaskedFix)
	}
}

// approved tells where permissions let every command run without a question, or
// one that is excluded from the sandbox.
func approved(permissions, excluded *document.Node) (at document.Position, ok bool) {
	if mode := permissions.Field("defaultMode"); mode != nil && mode.Value.Text == "bypassPermissions" {
		return mode.Position, true
	}
	if allow := permissions.Get("allow"); allow != nil {
		for _, rule := range allow.Items {
			if rule.Text == "Bash" || rule.Text == "Bash(*)" || excludes(excluded, rule.Text) {
				return rule.Position, true
			}
		}
	}
	return document.Position{}, false
}

// excludes tells that a rule such as "Bash(curl:*)" is for a program that is run
// outside the sandbox.
func excludes(excluded *document.Node, rule string) bool {
	command, ok := strings.CutPrefix(rule, "Bash(")
	if !ok || excluded == nil {
		return false
	}
	return slices.ContainsFunc(excluded.Items, func(item *document.Node) bool { return program(item.Text) == program(command) })
}

// program is the first word of a pattern of commands, such as "curl" of "curl:*".
func program(pattern string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(pattern), " ")
	return strings.TrimRight(word, ":*)")
}

// Roles returns nothing: settings have one set of rules.
func (p *Policy) Roles() []string { return nil }

// Role returns "".
func (p *Policy) Role() string { return "" }
