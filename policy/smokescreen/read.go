package smokescreen

import (
	"fmt"
	"slices"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/host"
	"sixways/policy/names"
)

// action is what becomes of a host that no list names.
type action uint8

const (
	enforce action = iota
	report
	open
)

var actions = map[string]action{"enforce": enforce, "report": report, "open": open}

// role is one service, or the default.
type role struct {
	name     string
	at       document.Position // of the service
	actionAt document.Position
	action   action
	allowed  names.Index
}

// ACL is an access control list, read for one role. The zero ACL denies
// everything.
type ACL struct {
	name      string
	roles     []role
	isDefault bool // the last of roles is the default
	denied    names.Index
	allowed   names.Index
	findings  document.Findings
	current   *role
}

// Parse reads an ACL and takes its first role. The error is a
// [*document.Error].
func Parse(name string, text []byte) (*ACL, error) {
	root, err := document.YAML(name, text)
	if err != nil {
		return nil, err
	}
	if root.Kind != document.Map {
		return nil, document.Errorf(name, root.Position, "%s, where the list is a map", root.Kind)
	}
	a := &ACL{name: name}
	a.read(root)
	if len(a.roles) > 0 {
		a.current = &a.roles[0]
	}
	return a, nil
}

// Roles returns the names of the services in their order, and "default" last
// where the file has one.
func (a *ACL) Roles() []string {
	var all []string
	for _, r := range a.roles {
		all = append(all, r.name)
	}
	return all
}

// Role returns the name of the role that decisions are made for, "" for none.
func (a *ACL) Role() string {
	if a.current == nil {
		return ""
	}
	return a.current.name
}

// As returns the same list for a client of another role. A role that the file
// does not have falls to the default, and to denial where there is none.
func (a *ACL) As(name string) *ACL {
	other := *a
	other.current = nil
	for i := range a.roles {
		if a.roles[i].name == name {
			other.current = &a.roles[i]
			return &other
		}
	}
	if a.isDefault {
		other.current = &a.roles[len(a.roles)-1]
	}
	return &other
}

// Findings returns what the reader found.
func (a *ACL) Findings() []policy.Finding {
	all := a.findings.All()
	if len(a.roles) > 1 && a.current != nil {
		all = append(all, a.current.at.Finding(policy.SeverityNote,
			fmt.Sprintf("The file has %d roles; what is decided here is decided for %q.", len(a.roles), a.current.name), ""))
	}
	return all
}

func (a *ACL) find(at document.Position, s policy.Severity, message, fix string) {
	a.findings.Add(at, s, message, fix)
}

func (a *ACL) unknown(n *document.Node, where string, known ...string) {
	a.findings.UnknownKeys(n, where, "Smokescreen", known...)
}

func (a *ACL) read(root *document.Node) {
	a.unknown(root, "the list", "version", "services", "default", "global_deny_list", "global_allow_list")
	if version := root.Get("version"); version == nil || version.Text != "v1" {
		at := root.Position
		if version != nil {
			at = version.Position
		}
		a.find(at, policy.SeverityRefused, `Smokescreen refuses a list whose version is not "v1".`, "write version: v1")
	}
	a.readServices(root)
	switch value := a.defaultRole(root); {
	case !a.wants(root, "default", "a map", isMap):
	case value != nil && value.Kind == document.Map:
		a.readRole(value, "default")
		a.isDefault = true
	default:
		a.find(root.Position, policy.SeverityNote, "The file has no default, so a client of an unknown role is denied everything.", "")
	}
	a.readList(root, "global_deny_list", &a.denied)
	a.readList(root, "global_allow_list", &a.allowed)
	a.findApexes(root.Get("global_deny_list"))
}

// defaultRole returns the default. Where it is given twice Smokescreen's YAML
// reads the second into the first, key by key.
func (a *ACL) defaultRole(root *document.Node) *document.Node {
	var role *document.Node
	for _, f := range root.Fields {
		switch {
		case f.Key != "default":
		case role == nil || role.Kind != document.Map || f.Value.Kind != document.Map:
			role = f.Value
		default:
			a.find(f.Position, policy.SeverityWarning,
				fmt.Sprintf("Smokescreen reads this default into the one on line %d: what only that one says counts too.", role.Line), "write one default")
			both := *role
			both.Fields = nil
			for _, first := range role.Fields {
				first.Merged = true
				both.Fields = append(both.Fields, first)
			}
			both.Fields = append(both.Fields, f.Value.Fields...)
			role = &both
		}
	}
	return role
}

// findApexes finds denials that leave the name above them open, where some role
// lets out what no list names.
func (a *ACL) findApexes(denials *document.Node) {
	if denials == nil || !slices.ContainsFunc(a.roles, func(r role) bool { return r.action != enforce }) {
		return
	}
	for _, item := range denials.Items {
		base, wildcard := cutWildcard(item.Text)
		if !wildcard {
			continue
		}
		if _, denied := a.denied.Find(comparable(base), 0, true); !denied {
			a.find(item.Position, policy.SeverityWarning,
				fmt.Sprintf("%q denies what is below %s, and not %s itself.", document.Clip(item.Text), document.Clip(base), document.Clip(base)),
				fmt.Sprintf("add %s to global_deny_list", document.Clip(base)))
		}
	}
}

func (a *ACL) readServices(root *document.Node) {
	services := root.Get("services")
	if !a.wants(root, "services", "a list", isList) {
		return
	}
	if services == nil || services.Kind == document.Null {
		at := root.Position
		if services != nil {
			at = services.Position
		}
		a.find(at, policy.SeverityRefused, "Smokescreen refuses a list without the list services.", "add services: []")
		return
	}
	seen := map[string]int{}
	for _, s := range services.Items {
		name := ""
		if n := s.Get("name"); n != nil {
			name = n.Text
		}
		if line, twice := seen[name]; twice {
			a.find(s.Position, policy.SeverityRefused,
				fmt.Sprintf("Smokescreen refuses a second service %q; the first is on line %d.", document.Clip(name), line), "give it another name, or merge the two")
			continue
		}
		seen[name] = s.Line
		a.readRole(s, name)
	}
}

func (a *ACL) readRole(n *document.Node, name string) {
	a.unknown(n, fmt.Sprintf("the service %q", document.Clip(name)), "name", "project", "action", "allowed_domains", "mitm_domains", "allowed_external_proxies")
	a.roles = append(a.roles, role{name: name, at: n.Position, actionAt: n.Position})
	r := &a.roles[len(a.roles)-1]
	a.wants(n, "name", "a string", isScalar)
	a.wants(n, "project", "a string", isScalar)
	a.readAction(n, r)
	a.readList(n, "allowed_domains", &r.allowed)
	a.readList(n, "allowed_external_proxies", &names.Index{})
	a.readMitm(n)
}

// readMitm holds mitm_domains of a role against what Smokescreen loads. They
// allow nothing: each must stand in allowed_domains too.
func (a *ACL) readMitm(role *document.Node) {
	field := role.Field("mitm_domains")
	if !a.wants(role, "mitm_domains", "a list", isList) || field == nil || len(field.Value.Items) == 0 {
		return
	}
	a.find(field.Position, policy.SeverityNote, "For these domains the proxy ends TLS itself, and judges the requests inside anew.", "")
	for _, item := range field.Value.Items {
		if item.Kind != document.Map {
			a.find(item.Position, policy.SeverityRefused, fmt.Sprintf("Smokescreen refuses the list over an entry of mitm_domains that is %s.", item.Kind),
				"write it as a map with a domain")
			continue
		}
		a.unknown(item, "an entry of mitm_domains", "domain", "add_headers", "detailed_http_logs", "detailed_http_logs_full_headers")
		a.wants(item, "add_headers", "a map of strings", isMapOfScalars)
		a.wants(item, "detailed_http_logs", "true or false", isBool)
		a.wants(item, "detailed_http_logs_full_headers", "a list of strings", isListOfScalars)
		a.readMitmDomain(item, role.Get("allowed_domains"))
	}
}

func (a *ACL) readMitmDomain(item, allowed *document.Node) {
	domain := item.Get("domain")
	if domain == nil {
		domain = &document.Node{Position: item.Position}
	}
	if !a.takesGlob(domain) {
		return
	}
	if allowed == nil || !slices.ContainsFunc(allowed.Items, func(n *document.Node) bool { return n.Text == domain.Text }) {
		a.find(domain.Position, policy.SeverityRefused,
			fmt.Sprintf("Smokescreen refuses the list over %q in mitm_domains, which allowed_domains does not hold.", document.Clip(domain.Text)),
			"add it to allowed_domains, or remove it here")
	}
}

func isMap(n *document.Node) bool    { return n.Kind == document.Map }
func isList(n *document.Node) bool   { return n.Kind == document.List }
func isScalar(n *document.Node) bool { return !isMap(n) && !isList(n) }

func isMapOfScalars(n *document.Node) bool {
	return isMap(n) && !slices.ContainsFunc(n.Fields, func(f document.Field) bool { return !isScalar(f.Value) })
}

func isListOfScalars(n *document.Node) bool {
	return isList(n) && !slices.ContainsFunc(n.Items, func(i *document.Node) bool { return !isScalar(i) })
}

// isBool goes by YAML 1.1, which Smokescreen reads.
func isBool(n *document.Node) bool {
	return n.Kind == document.Bool || n.Kind == document.String && n.Plain &&
		slices.Contains(strings.Fields("y Y yes Yes YES on On ON n N no No NO off Off OFF"), n.Text)
}

// wants finds a value that Smokescreen cannot load, and refuses the file over,
// also where the same key is given again. It takes one that is missing or null.
func (a *ACL) wants(n *document.Node, key, want string, fits func(*document.Node) bool) bool {
	for _, f := range n.Fields {
		if f.Key == key && f.Value.Kind != document.Null && !fits(f.Value) {
			a.find(f.Value.Position, policy.SeverityRefused, fmt.Sprintf("%s is %s, where Smokescreen reads %s.", key, f.Value.Kind, want),
				fmt.Sprintf("write %s as %s", key, want))
			return false
		}
	}
	return true
}

func (a *ACL) readAction(n *document.Node, r *role) {
	field := n.Field("action")
	text := ""
	if field != nil {
		r.actionAt, text = field.Position, field.Value.Text
	}
	known := false
	if r.action, known = actions[text]; !known {
		a.find(r.actionAt, policy.SeverityRefused,
			fmt.Sprintf("Smokescreen refuses the action %q of %q.", document.Clip(text), document.Clip(r.name)), "write action: enforce")
		return
	}
	switch r.action {
	case report:
		a.find(r.actionAt, policy.SeverityUnenforced,
			fmt.Sprintf("The role %q is in report mode: what its list does not hold is logged and let out.", document.Clip(r.name)), "write action: enforce")
	case open:
		a.find(r.actionAt, policy.SeverityUnenforced,
			fmt.Sprintf("The role %q is open: its list restricts nothing, and global denials by name do not stop a raw address.", document.Clip(r.name)), "write action: enforce")
	}
}

// readList puts the globs of a list into an index. One that Smokescreen refuses
// is found and left out.
func (a *ACL) readList(n *document.Node, key string, into *names.Index) {
	list := n.Get(key)
	if !a.wants(n, key, "a list", isList) || list == nil {
		return
	}
	for i, item := range list.Items {
		if a.takesGlob(item) {
			if base, wildcard := cutWildcard(item.Text); wildcard && key != "global_deny_list" && !strings.Contains(base, ".") && !host.SpecialUse(base) {
				a.find(item.Position, policy.SeverityOpen,
					fmt.Sprintf("%q matches evil.%s, and so a name of anybody's.", document.Clip(item.Text), document.Clip(base)), "write the host names out")
			}
			addGlob(into, item.Text, names.Entry{Position: item.Position, Text: document.Clip(item.Text), Order: i})
		}
	}
}

// takesGlob finds what is no glob that Smokescreen loads.
func (a *ACL) takesGlob(item *document.Node) bool {
	err := globRefusal(item.Text)
	if err == nil && isScalar(item) {
		return true
	}
	a.find(item.Position, policy.SeverityRefused, globMessage(item, err), `write a host such as api.example.com or *.example.com, in lower case`)
	return false
}

func globMessage(item *document.Node, err error) string {
	if !isScalar(item) {
		return fmt.Sprintf("Smokescreen refuses the list over an entry that is %s.", item.Kind)
	}
	return fmt.Sprintf("Smokescreen refuses the list over the entry %q: %v.", document.Clip(item.Text), err)
}

func addGlob(into *names.Index, glob string, e names.Entry) {
	if base, wildcard := cutWildcard(glob); wildcard {
		into.AddBelow(comparable(base), 0, e)
	} else {
		into.AddExact(comparable(base), 0, e)
	}
}
