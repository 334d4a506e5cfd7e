package harden

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/host"
)

// step is one use of the action.
type step struct {
	job      string
	at       document.Position
	listAt   document.Position
	version  string         // of the action, as written, or as a comment behind a commit says
	with     *document.Node // its inputs
	mode     string         // audit, block, what else is written, or "" for what is not in the file
	list     endpoints
	opening  *opening
	findings document.Findings
}

// opening is why nothing is sure to be blocked in a job, whatever its list says.
type opening struct {
	document.Position
	text, because, fix string
}

// Policy is the use of harden-runner in one job. The zero Policy blocks
// everything.
type Policy struct {
	name     string
	steps    []step
	current  *step
	findings document.Findings // about the file as a whole
}

// Parse reads a workflow, a list of steps, one step, or the inputs alone, and
// takes the first use of the action. The error is a [*document.Error].
func Parse(name string, text []byte) (*Policy, error) {
	root, err := document.YAML(name, text)
	if err != nil {
		return nil, err
	}
	p := &Policy{name: name}
	r := reader{policy: p, text: text, lines: document.NewLines(text), checked: map[*document.Node]bool{}}
	if root.Next.Line > 0 {
		p.find(root.Next, policy.SeverityRefused, "GitHub refuses a workflow with a second document in its file.", "remove what stands from the second --- on")
	}
	r.checkYAML(root)
	r.read(root)
	if len(p.steps) == 0 {
		return nil, document.Errorf(name, root.Position, "no step uses step-security/harden-runner, and there is neither egress-policy nor allowed-endpoints")
	}
	for i := range p.steps {
		checkRoot(&p.steps[i])
	}
	p.current = &p.steps[0]
	return p, nil
}

// Roles returns the jobs that use the action, in their order.
func (p *Policy) Roles() []string {
	var all []string
	for _, s := range p.steps {
		if !slices.Contains(all, s.job) {
			all = append(all, s.job)
		}
	}
	return all
}

// Role returns the job that decisions are made for.
func (p *Policy) Role() string {
	if p.current == nil {
		return ""
	}
	return p.current.job
}

// As returns the same file for another job, or p where it has no such job.
func (p *Policy) As(job string) *Policy {
	for i := range p.steps {
		if p.steps[i].job == job {
			other := *p
			other.current = &p.steps[i]
			return &other
		}
	}
	return p
}

// Findings returns what the reader found about the file and the job.
func (p *Policy) Findings() []policy.Finding {
	all := p.findings.All()
	if p.current == nil {
		return all
	}
	all = append(all, p.current.findings.All()...)
	all = append(all, p.others()...)
	if len(p.steps) > 1 {
		all = append(all, p.current.at.Finding(policy.SeverityNote,
			fmt.Sprintf("The file uses harden-runner %d times; what is decided here is decided for the use in job %q.", len(p.steps), p.current.job), ""))
	}
	return all
}

// others returns what is not enforced in the other uses of the action.
func (p *Policy) others() []policy.Finding {
	var found document.Findings
	for i := range p.steps {
		s := &p.steps[i]
		if s == p.current {
			continue
		}
		where := fmt.Sprintf("Another job, %q", document.Clip(s.job))
		if s.job == p.current.job {
			where = "Another use in this job"
		}
		for _, f := range s.findings.All() {
			if f.Severity <= policy.SeverityUnenforced {
				found.Add(document.Position{Line: f.Line, Column: f.Column}, policy.SeverityUnenforced,
					where+": "+f.Message, f.Fix)
			}
		}
	}
	return found.All()
}

func (p *Policy) find(at document.Position, s policy.Severity, message, fix string) {
	p.findings.Add(at, s, message, fix)
}

func (s *step) find(at document.Position, severity policy.Severity, message, fix string) {
	s.findings.Add(at, severity, message, fix)
}

// open keeps the first reason why nothing is sure to be blocked.
func (s *step) open(at document.Position, text, because, fix string) {
	if s.opening == nil {
		s.opening = &opening{at, text, because, fix}
	}
}

// reader finds the uses of the action in a document.
type reader struct {
	policy  *Policy
	text    []byte
	lines   *document.Lines
	checked map[*document.Node]bool // maps and lists that checkYAML has seen
}

func (r *reader) read(root *document.Node) {
	switch {
	case root.Kind == document.List:
		r.readSteps(root, "")
	case root.Get("jobs") != nil:
		r.readJobs(root.Get("jobs"))
	case root.Get("steps") != nil:
		r.readSteps(root.Get("steps"), "")
	case root.Get("runs").Get("steps") != nil:
		r.readSteps(root.Get("runs").Get("steps"), "")
	case root.Get("uses") != nil:
		r.readUse(root, "", false)
	case root.Get("with") != nil:
		r.readInputs(root.Get("with"), "", root.Position)
	case input(root, "egress-policy") != nil || input(root, "allowed-endpoints") != nil:
		r.readInputs(root, "", root.Position)
	}
}

func (r *reader) readJobs(jobs *document.Node) {
	for _, job := range jobs.Fields {
		before := len(r.policy.steps)
		r.readSteps(job.Value.Get("steps"), job.Key)
		for i := before; i < len(r.policy.steps); i++ {
			checkRunner(job.Value, &r.policy.steps[i])
		}
		if len(r.policy.steps) == before {
			r.findUnused(job)
		}
	}
}

// findUnused finds a job that nothing here restricts.
func (r *reader) findUnused(job document.Field) {
	switch name := document.Clip(job.Key); {
	case job.Value.Get("steps") != nil:
		r.policy.find(job.Position, policy.SeverityWarning,
			fmt.Sprintf("The job %q does not use harden-runner, so nothing restricts it.", name),
			"make step-security/harden-runner its first step")
	case job.Value.Get("uses") != nil:
		r.policy.find(job.Position, policy.SeverityWarning,
			fmt.Sprintf("The job %q runs another workflow, and nothing in this file restricts it.", name),
			"check that workflow too")
	}
}

func (r *reader) readSteps(steps *document.Node, job string) {
	if steps == nil {
		return
	}
	preceded := false
	for _, s := range steps.Items {
		r.readUse(s, job, preceded)
		preceded = preceded || remote(s)
	}
}

const action = "step-security/harden-runner"

// readUse reads a step; preceded tells that one above it may have a pre step.
// The runner sets the agent up in the action's own pre step, which runs before
// the steps of the job, whatever the condition of its step says.
func (r *reader) readUse(s *document.Node, job string, preceded bool) {
	uses := s.Get("uses")
	if uses == nil {
		return
	}
	name, version, _ := strings.Cut(uses.Text, "@")
	if !strings.EqualFold(name, action) {
		return
	}
	r.checkStep(s, version)
	if _, known := older(version, 3, 0); !known {
		version = r.comment(uses.Line)
	}
	with := s.Get("with")
	if with == nil {
		with = &document.Node{Position: uses.Position, Kind: document.Map}
	}
	step := r.readInputs(with, job, s.Position)
	step.version = version
	if preceded {
		step.find(s.Position, policy.SeverityWarning,
			"The agent is set up before the steps of the job, but an action above this step may do something in a pre step of its own, which comes first.", "make it the first step of the job")
	}
	if old, known := older(version, 2, 16); known && old {
		step.find(uses.Position, policy.SeverityWarning,
			"Before 2.16.0 the community agent let DNS over TCP out to outside resolvers (GHSA-g699-3x6g-wm3g), and DNS over HTTPS to those that it asks itself (GHSA-46g3-37rh-v698).", "use v2.16.0 or later")
	}
	if condition := s.Field("if"); condition != nil {
		step.find(condition.Position, policy.SeverityNote,
			"The condition does not keep the agent out: the action sets it up before the steps of the job, whether the condition is met or not.", "")
	}
	if carry := s.Field("continue-on-error"); carry != nil && !carry.Value.IsFalse() {
		step.find(carry.Position, policy.SeverityWarning,
			"The job goes on where the agent cannot be set up, and then nothing restricts it.", "remove continue-on-error")
	}
}

// remote tells a step whose action the runner fetches beforehand, which may have
// a pre step: that of an action in the repository itself does not run, and an
// image has none.
func remote(step *document.Node) bool {
	uses := step.Get("uses")
	return uses != nil && uses.Text != "" && !strings.HasPrefix(uses.Text, "./") && !strings.HasPrefix(uses.Text, "docker://")
}

// older compares a version such as v2.15.1; known is false where it does not
// decide, such as a commit, or v2 beside 2.16.
func older(version string, major, minor int) (old, known bool) {
	first, rest, full := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	gotMajor, err := strconv.Atoi(first)
	if err != nil || !full && gotMajor == major {
		return false, false
	}
	if gotMajor != major {
		return gotMajor < major, true
	}
	second, _, _ := strings.Cut(rest, ".")
	gotMinor, err := strconv.Atoi(second)
	return gotMinor < minor, err == nil
}

// comment returns the first word of the comment on a line: by custom it is the
// version of a commit, as in "@0123abc # v2.15.1".
func (r *reader) comment(line int) string {
	rest, _, _ := bytes.Cut(r.text[lineStart(r.text, line):], []byte("\n"))
	_, comment, _ := strings.Cut(string(rest), " #")
	word, _, _ := strings.Cut(strings.TrimSpace(comment), " ")
	// Tools that pin commits write one of these before the version.
	return strings.TrimPrefix(strings.TrimPrefix(word, "tag="), "pin@")
}

// lineStart is where a line begins in a text, in octets.
func lineStart(text []byte, line int) int {
	offset := 0
	for range line - 1 {
		i := bytes.IndexByte(text[offset:], '\n')
		if i < 0 {
			break
		}
		offset += i + 1
	}
	return offset
}

func (r *reader) readInputs(with *document.Node, job string, at document.Position) *step {
	r.policy.steps = append(r.policy.steps, step{job: job, at: at, listAt: at, with: with, mode: "block"})
	s := &r.policy.steps[len(r.policy.steps)-1]
	r.checkInputs(with, s)
	if !readStore(with, s) {
		readMode(with, s)
	}
	for _, text := range implicitEndpoints {
		s.list.add(endpoint{text: text, implicit: true})
	}
	if field := input(with, "allowed-endpoints"); field != nil {
		s.listAt = field.Position
		r.readEndpoints(field, s)
	} else if s.mode == "block" {
		s.find(with.Position, policy.SeverityNote, "allowed-endpoints is missing, so the agent opens nothing but its own endpoints.", "")
	}
	checkDenied(with, s)
	return s
}

const toBlock = "write egress-policy: block"

func readMode(with *document.Node, s *step) {
	field := input(with, "egress-policy")
	if field == nil {
		s.find(with.Position, policy.SeverityNote, "egress-policy is missing; the default is block.", "")
		return
	}
	if field.Value.Kind == document.List || field.Value.Kind == document.Map {
		return // refused, see checkInputs
	}
	s.mode = strings.TrimSpace(field.Value.Text)
	switch {
	case s.mode == "block":
		return
	case s.mode == "audit":
		s.find(field.Position, policy.SeverityUnenforced,
			"In audit mode the agent logs and lets everything out, allowed-endpoints or not.", toBlock)
		s.open(field.Position, "egress-policy: audit",
			fmt.Sprintf("egress-policy is audit (line %d), so {destination} is logged and let out.", field.Line), toBlock)
		return
	case expression(s.mode):
		s.find(field.Position, policy.SeverityUnenforced,
			"An expression decides whether the agent blocks; what it gives is not in this file.", toBlock)
	default:
		s.find(field.Position, policy.SeverityUnenforced,
			fmt.Sprintf("%q is neither audit nor block: the step fails, and the agent adds no rule that blocks.", document.Clip(s.mode)), toBlock)
	}
	s.open(field.Position, "egress-policy: "+document.Clip(s.mode),
		fmt.Sprintf("egress-policy on line %d does not say block, so nothing is sure to stop {destination}.", field.Line), toBlock)
}

// readStore reads the inputs that let StepSecurity's policy store give the mode,
// and tells whether one does (setup.ts and mergeConfigs in policy-utils.ts).
func readStore(with *document.Node, s *step) bool {
	use, name := input(with, "use-policy-store"), input(with, "policy")
	switch text := strings.ToLower(inputText(with, "use-policy-store")); {
	case text == "true" && inputText(with, "api-key") == "":
		s.withoutKey(use.Position)
	case text == "true":
		s.elsewhere(use, "use-policy-store takes the mode from StepSecurity's policy store, and the endpoints too where allowed-endpoints is empty; neither is in this file, and without a policy there the mode is audit.")
	case expression(text):
		s.elsewhere(use, "An expression decides whether StepSecurity's policy store gives the mode; what it gives is not in this file.")
	case inputText(with, "policy") != "":
		s.elsewhere(name, "policy takes the mode from StepSecurity's policy store, and the endpoints too where allowed-endpoints is empty; neither is in this file.")
	default:
		return false
	}
	return true
}

func (s *step) withoutKey(at document.Position) {
	const fix = "give api-key, or remove use-policy-store"
	s.mode = "audit"
	s.find(at, policy.SeverityUnenforced,
		"use-policy-store is true and there is no api-key, so the action falls back to audit mode: the agent logs and lets everything out, whatever egress-policy says.", fix)
	s.open(at, "use-policy-store without api-key",
		fmt.Sprintf("use-policy-store without api-key means audit (line %d), so {destination} is logged and let out.", at.Line), fix)
}

// elsewhere finds that the mode is not in the file.
func (s *step) elsewhere(field *document.Field, message string) {
	s.mode = ""
	fix := "remove " + document.Clip(field.Key)
	s.find(field.Position, policy.SeverityUnenforced, message, fix)
	s.open(field.Position, document.Clip(field.Key),
		fmt.Sprintf("Whether the agent blocks is not in this file (line %d), so nothing is sure to stop {destination}.", field.Line), fix)
}

// checkDenied finds a list of denials, which counts in the enterprise tier alone,
// and there only without allowed-endpoints (setup.ts).
func checkDenied(with *document.Node, s *step) {
	field := input(with, "denied-endpoints")
	switch {
	case inputText(with, "denied-endpoints") == "" || s.mode == "audit":
	case inputText(with, "allowed-endpoints") != "":
		s.find(field.Position, policy.SeverityWarning, "Beside allowed-endpoints the action ignores denied-endpoints.", "remove denied-endpoints")
	default:
		s.find(field.Position, policy.SeverityWarning,
			"Without allowed-endpoints the enterprise tier lets everything out that denied-endpoints does not name. The community agent, for which this is decided, ignores it.", "write allowed-endpoints instead")
	}
}

// readEndpoints splits the list as the agent does: at spaces alone.
func (r *reader) readEndpoints(field *document.Field, s *step) {
	text, expressions := emptyExpressions(strings.TrimSpace(field.Value.Text))
	if expressions {
		s.find(field.Position, policy.SeverityUnenforced,
			"An expression gives endpoints that are not in this file.", "write the endpoints out")
		s.open(field.Position, "endpoints from an expression",
			fmt.Sprintf("An expression gives endpoints that are not in this file (line %d), so nothing is sure to stop {destination}.", field.Line), "write the endpoints out")
	}
	locate := newLocator(r.text, r.lines, field.Value.Position)
	for word := range strings.SplitSeq(text, " ") {
		if word == "" || expression(word) {
			continue
		}
		at, ok := locate.next(word)
		if !ok {
			at = field.Value.Position
		}
		e := endpoint{Position: at, text: word}
		if strings.ContainsAny(word, "\n\t\r") {
			e.mend = "part the endpoints by spaces alone"
			if field.Value.Literal {
				e.mend = "write allowed-endpoints: > instead of |"
			}
		}
		checkEndpoint(e, s)
		s.list.add(e)
	}
}

// checkEndpoint finds what the agent reads otherwise than it looks.
func checkEndpoint(e endpoint, s *step) {
	if e.mend != "" {
		counts := "of which the first name counts, with port 0"
		if !strings.Contains(e.text, ":") {
			counts = "and no name"
		}
		s.find(e.Position, policy.SeverityBroken,
			"The agent splits the list at spaces alone, so these lines are one endpoint to it, "+counts+".", e.mend)
	}
	if s.mode != "audit" && checkRevert(e, s) || e.mend != "" {
		return
	}
	name, port := cutPort(e.text)
	if port < 1 || port > 65535 {
		if strings.Contains(e.text, ",") {
			s.find(e.Position, policy.SeverityWarning,
				fmt.Sprintf("The agent parts endpoints at spaces alone, so %q has no port and nothing is opened for it.", document.Clip(e.text)), "part the endpoints with spaces, without commas")
			return
		}
		s.find(e.Position, policy.SeverityWarning,
			fmt.Sprintf("The port of %q is no port, so nothing is opened for it.", document.Clip(e.text)), "write a port from 1 to 65535")
	}
	if strings.ToLower(name) != name {
		s.find(e.Position, policy.SeverityBroken,
			fmt.Sprintf("The agent compares names with their case, and %q does not match the lower case that clients ask for.", document.Clip(name)),
			"write the host in lower case")
	}
	if strings.Contains(name, "*") {
		checkPattern(e, name, s)
	}
}

// checkRevert finds an endpoint over which the agent takes back its rules, and
// tells whether it is one (RevertChanges in agent.go): it cannot look the name
// up (getIPByDomain in dnsproxy.go), or iptables refuses the port. Patterns are
// not looked up beforehand.
func checkRevert(e endpoint, s *step) bool {
	const takesBack = "an allowed endpoint that it cannot look up makes it take back its firewall and its DNS: nothing is blocked then."
	name, port := cutPort(e.text)
	text := document.Clip(e.text)
	switch {
	case strings.Contains(name, "*"):
		return false
	case strings.Contains(e.text, "://"):
		s.revert(e, fmt.Sprintf("The community agent cuts %q at its colons and takes %q for the host, and %s", text, document.Clip(name), takesBack), "leave the scheme out")
	case strings.HasSuffix(fqdn(name), internalSuffix):
		s.revert(e, fmt.Sprintf("The community agent looks up no name under .internal, %q neither, and %s", text, takesBack), "remove it")
	case isAddress(fqdn(name)):
		s.revert(e, fmt.Sprintf("The community agent cannot look up %q, and %s Addresses need the enterprise agent.", text, takesBack), "remove it, or write a host name")
	case strings.ContainsAny(name, "\n\t\r"):
		s.revert(e, fmt.Sprintf("The community agent cannot look up %q, and %s", text, takesBack), e.mend)
	case unresolvable(fqdn(name)):
		s.revert(e, fmt.Sprintf("The community agent cannot look up %q, and %s", text, takesBack), "remove it, or write the name of a public host")
	case port < 0 || port > 65535:
		s.revert(e, fmt.Sprintf("iptables refuses the port of %q, and then the community agent takes back its firewall and its DNS: nothing is blocked.", text), "write a port from 1 to 65535")
	default:
		return false
	}
	return true
}

func (s *step) revert(e endpoint, message, fix string) {
	text := document.Clip(e.text)
	s.find(e.Position, policy.SeverityUnenforced, message, fix)
	if e.mend == "" {
		fix = fmt.Sprintf("remove %q on line %d", text, e.Line)
	}
	s.open(e.Position, "taken back: "+text,
		fmt.Sprintf("Over %q on line %d the agent takes back its rules, so {destination} gets out.", text, e.Line), fix)
}

func checkPattern(e endpoint, name string, s *step) {
	const fix = "write the host names out"
	before, after := cutPattern(fqdn(name))
	name, before = document.Clip(name), document.Clip(before)
	ending := document.Clip(strings.TrimSuffix(after, "."))
	switch {
	case after != "" && ending == after:
		s.find(e.Position, policy.SeverityBroken,
			fmt.Sprintf("The agent takes what stands around the first star alone, up to the second, so %q matches no name.", name), fix)
	case ending == "" && before == "":
		s.find(e.Position, policy.SeverityOpen, fmt.Sprintf("%q matches every name.", name), fix)
	case ending == "":
		s.find(e.Position, policy.SeverityOpen, fmt.Sprintf("%q matches every name that begins so, %s.evil.test as well.", name, strings.TrimSuffix(before, ".")), fix)
	case before == "" && !strings.HasPrefix(after, "."):
		s.find(e.Position, policy.SeverityOpen,
			fmt.Sprintf("%q matches every name that ends so, evil%s as well.", name, ending), "put a dot behind the star")
	case before == "" && strings.LastIndexByte(ending, '.') <= 0 && !host.SpecialUse(ending):
		s.find(e.Position, policy.SeverityOpen, fmt.Sprintf("%q matches evil%s, and so a name of anybody's.", name, ending), fix)
	case before != "" && strings.LastIndexByte(ending, '.') <= 0:
		s.find(e.Position, policy.SeverityOpen, fmt.Sprintf("%q matches %sevil%s, and so a name of anybody's.", name, before, ending), fix)
	case before != "":
		s.find(e.Position, policy.SeverityWarning,
			fmt.Sprintf("The star in %q stands for any number of labels, so it matches %sevil%s too.", name, before, ending), fix)
	}
}

// emptyExpressions takes out what stands in expressions, where a space parts no
// endpoints.
func emptyExpressions(text string) (rest string, found bool) {
	var b strings.Builder
	for {
		before, inside, open := strings.Cut(text, "${{")
		b.WriteString(before)
		if !open {
			return b.String(), found
		}
		b.WriteString("${{}}")
		_, text, _ = strings.Cut(inside, "}}")
		found = true
	}
}

// locator finds the words of a scalar in the text, in their order.
type locator struct {
	text   []byte
	offset int
	lines  *document.Lines
}

func newLocator(text []byte, lines *document.Lines, from document.Position) *locator {
	offset := lineStart(text, from.Line)
	for range from.Column - 1 {
		_, size := utf8.DecodeRune(text[offset:])
		offset += size
	}
	if offset < len(text) && (text[offset] == '|' || text[offset] == '>') {
		offset = lineStart(text, from.Line+1) // a block scalar begins below its mark
	}
	return &locator{text: text, offset: offset, lines: lines}
}

// next returns the place of a word behind the last one. A word that the text
// spells otherwise, with an escape, is not found, and none behind it.
func (l *locator) next(word string) (document.Position, bool) {
	word, _, _ = strings.Cut(word, "\n")
	for l.offset < len(l.text) {
		i := bytes.Index(l.text[l.offset:], []byte(word))
		if i < 0 {
			l.offset = len(l.text)
			break
		}
		start := l.offset + i
		l.offset = start + len(word)
		if l.bounds(start, l.offset) {
			return l.lines.Place(start), true
		}
	}
	return document.Position{}, false
}

// bounds reports whether a word ends where the text's words do.
func (l *locator) bounds(start, end int) bool {
	const around = " \t\r\n\"'"
	return (start == 0 || strings.IndexByte(around, l.text[start-1]) >= 0) &&
		(end == len(l.text) || strings.IndexByte(around, l.text[end]) >= 0)
}
