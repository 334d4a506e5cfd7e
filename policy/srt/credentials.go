package srt

import (
	"fmt"
	"strconv"
	"strings"

	"sixways/policy/document"
	"sixways/policy/host"
)

// checkRules finds what the schema refuses beyond the shape of the settings:
// rules between one place and another.
func (p *Policy) checkRules(root *document.Node) {
	enforced := !root.Get("filesystem").Get("disabled").IsTrue()
	if enforced {
		for _, key := range []string{"denyRead", "denyWrite"} {
			for i, item := range itemsOf(root.Get("filesystem").Get(key)) {
				p.checkGlob(item, fmt.Sprintf("filesystem.%s[%d]", key, i))
			}
		}
	}
	credentials := root.Field("credentials")
	if credentials == nil {
		return
	}
	masked := false
	reach := reachOf(p.network)
	for _, key := range []string{"files", "envVars"} {
		for i, item := range itemsOf(credentials.Value.Get(key)) {
			at := fmt.Sprintf("credentials.%s[%d]", key, i)
			masked = masked || isMasked(item)
			p.checkCredential(item, at, reach)
			if path := item.Get("path"); path != nil && enforced && textOf(item.Get("mode")) == "deny" {
				p.checkGlob(path, at+".path")
			}
		}
	}
	p.checkPairs(credentials.Value)
	if masked && p.network.Get("tlsTerminate") == nil && !credentials.Value.Get("allowPlaintextInject").IsTrue() {
		p.contradiction(credentials.Position, "credentials", `a masked credential needs "tlsTerminate" in "network"`,
			`add "tlsTerminate": {} to "network"`)
	}
}

func (p *Policy) contradiction(at document.Position, place, why, fix string) {
	p.refuse(at, fmt.Sprintf("The srt command refuses the file over %q: %s.", place, why), fix)
}

func itemsOf(n *document.Node) []*document.Node {
	if n == nil {
		return nil
	}
	return n.Items
}

// textOf returns the text of a string, or "".
func textOf(n *document.Node) string {
	if n == nil || n.Kind != document.String {
		return ""
	}
	return n.Text
}

func isMasked(credential *document.Node) bool { return textOf(credential.Get("mode")) == "mask" }

// checkGlob finds a denial that matches no path: a pattern which ends in a slash
// and is not relative.
func (p *Policy) checkGlob(n *document.Node, at string) {
	pattern := textOf(n)
	bare := strings.TrimRight(pattern, "/")
	rooted := strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, "~")
	if bare == pattern || !rooted || !strings.ContainsAny(pattern, "*?[]") {
		return
	}
	p.contradiction(n.Position, at, fmt.Sprintf("the pattern %q ends in a slash and so matches no path", document.Clip(pattern)),
		fmt.Sprintf("write %q", document.Clip(bare)))
}

// checkCredential is about one entry of files or envVars.
func (p *Policy) checkCredential(n *document.Node, at string, reach reach) {
	if claims := n.Field("maskClaims"); claims != nil && (n.Get("decode") == nil || len(claims.Value.Items) == 0) {
		p.contradiction(claims.Position, at+".maskClaims", `it names claims of a token that "decode" opens, at least one`,
			`add "decode": "jwt" and a claim, or remove "maskClaims"`)
	}
	hosts := n.Field("injectHosts")
	if hosts != nil {
		for i, item := range hosts.Value.Items {
			if !reach.allowed.cover(item.Text) {
				p.contradiction(item.Position, fmt.Sprintf("%s.injectHosts[%d]", at, i),
					fmt.Sprintf("%q is not reachable by allowedDomains", document.Clip(item.Text)),
					fmt.Sprintf(`add %q to "allowedDomains", or remove it here`, document.Clip(item.Text)))
			}
		}
	}
	if !isMasked(n) {
		return
	}
	if path := n.Get("path"); strings.HasSuffix(textOf(path), "/") {
		p.contradiction(path.Position, at+".path", "a file can be masked, a directory cannot", `set "mode" to "deny"`)
	}
	if hosts != nil && len(hosts.Value.Items) == 0 {
		p.contradiction(hosts.Position, at+".injectHosts", "the list is empty, so the credential would go nowhere", `remove "injectHosts"`)
	}
	p.checkExcluded(n, at, reach)
}

// checkExcluded finds a masked credential that would go to hosts alone whose TLS
// stays closed to the runtime.
func (p *Policy) checkExcluded(n *document.Node, at string, reach reach) {
	const why, fix = "excludeDomains of tlsTerminate covers %s, so no credential is put in there", `remove one of the two`
	hosts := n.Get("injectHosts")
	if hosts == nil && reach.nowhere {
		p.contradiction(n.Position, at, fmt.Sprintf(why, "every host of allowedDomains"), fix)
	}
	for i, item := range itemsOf(hosts) {
		if reach.excluded.cover(item.Text) {
			p.contradiction(item.Position, fmt.Sprintf("%s.injectHosts[%d]", at, i),
				fmt.Sprintf(why, strconv.Quote(document.Clip(item.Text))), fix)
		}
	}
}

// reach is where a credential can go: what allowedDomains allows without what
// excludeDomains takes out. Nowhere says that nothing is left of it.
type reach struct {
	allowed, excluded patterns
	nowhere           bool
}

func reachOf(network *document.Node) reach {
	allowed := itemsOf(network.Get("allowedDomains"))
	r := reach{
		allowed:  patternsOf(allowed),
		excluded: patternsOf(itemsOf(network.Get("tlsTerminate").Get("excludeDomains"))),
		nowhere:  len(allowed) > 0,
	}
	for pattern := range r.allowed {
		r.nowhere = r.nowhere && r.excluded.cover(pattern)
	}
	return r
}

// patterns are entries of a list in lower case and without their ports, which do
// not count here.
type patterns map[string]bool

func patternsOf(items []*document.Node) patterns {
	all := patterns{}
	for _, item := range items {
		pattern, _ := splitPort(item.Text)
		all[lower(pattern)] = true
	}
	return all
}

// cover tells whether every host that a pattern matches is matched by one of
// these. A longer one than a host can be is covered by none.
func (all patterns) cover(pattern string) bool {
	pattern = lower(pattern)
	base, wildcard := strings.CutPrefix(pattern, "*.")
	switch _, isAddress := host.Literal(stripBrackets(base)); {
	case len(base) > 255:
		return false
	case all[pattern]:
		return true
	case isAddress && !wildcard:
		return false
	}
	for more := true; more; {
		if _, base, more = strings.Cut(base, "."); more && all["*."+base] {
			return true
		}
	}
	return false
}

// checkPairs is about AWS keys: each name is that of a variable which is masked
// whole, and stands in one place.
func (p *Policy) checkPairs(credentials *document.Node) {
	whole := maskedWhole(credentials.Get("envVars"))
	seen := map[string]bool{}
	for i, pair := range itemsOf(credentials.Get("awsPairs")) {
		for _, key := range []string{"accessKeyIdVar", "secretAccessKeyVar", "sessionTokenVar"} {
			name := pair.Get(key)
			if name == nil {
				continue
			}
			at, quoted := fmt.Sprintf("credentials.awsPairs[%d].%s", i, key), strconv.Quote(document.Clip(name.Text))
			switch {
			case seen[name.Text]:
				p.contradiction(name.Position, at, quoted+" stands in awsPairs a second time", "name another variable")
			case !whole[name.Text]:
				p.contradiction(name.Position, at, quoted+" is no variable that envVars masks whole",
					fmt.Sprintf(`add {"name": %s, "mode": "mask"} to "envVars"`, quoted))
			}
			seen[name.Text] = true
		}
	}
}

// maskedWhole tells of variables by their names whether they are masked whole.
// Of two with one name the first counts.
func maskedWhole(variables *document.Node) map[string]bool {
	whole := map[string]bool{}
	for _, v := range itemsOf(variables) {
		name := textOf(v.Get("name"))
		if _, known := whole[name]; !known {
			whole[name] = isMasked(v) && v.Get("extract") == nil && v.Get("decode") == nil
		}
	}
	return whole
}
