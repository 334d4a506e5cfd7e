package harden

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
)

// step is one use of the action.
type step struct {
	job      string
	at       document.Position
	policyAt document.Position
	listAt   document.Position
	mode     string // audit, block, or what else is written
	list     endpoints
	findings document.Findings
}

// Policy is the use of harden-runner in one job. The zero Policy blocks
// everything.
type Policy struct {
	name     string
	steps    []step
	current  *step
	findings document.Findings // about the file as a whole
}

var inputs = []string{"egress-policy", "allowed-endpoints", "token", "disable-telemetry", "disable-sudo",
	"disable-sudo-and-containers", "disable-file-monitoring", "exempt-files", "policy", "api-key",
	"use-policy-store", "deploy-on-self-hosted-vm"}

// Parse reads a workflow, a list of steps, one step, or the inputs alone, and
// takes the first use of the action. The error is a [*document.Error].
func Parse(name string, text []byte) (*Policy, error) {
	root, err := document.YAML(name, text)
	if err != nil {
		return nil, err
	}
	p := &Policy{name: name}
	r := reader{policy: p, text: text}
	r.read(root)
	if len(p.steps) == 0 {
		return nil, document.Errorf(name, root.Position, "no step uses step-security/harden-runner, and there is neither egress-policy nor allowed-endpoints")
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
	if len(p.steps) > 1 {
		all = append(all, p.current.at.Finding(policy.SeverityNote,
			fmt.Sprintf("The file uses harden-runner %d times; what is decided here is decided for the use in job %q.", len(p.steps), p.current.job), ""))
	}
	return all
}

func (p *Policy) find(at document.Position, s policy.Severity, message, fix string) {
	p.findings.Add(at, s, message, fix)
}

func (s *step) find(at document.Position, severity policy.Severity, message, fix string) {
	s.findings.Add(at, severity, message, fix)
}

// reader finds the uses of the action in a document.
type reader struct {
	policy *Policy
	text   []byte
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
		r.readUse(root, "", true)
	case root.Get("with") != nil:
		r.readInputs(root.Get("with"), "", root.Position)
	case root.Get("egress-policy") != nil || root.Get("allowed-endpoints") != nil:
		r.readInputs(root, "", root.Position)
	}
}

func (r *reader) readJobs(jobs *document.Node) {
	for _, job := range jobs.Fields {
		before := len(r.policy.steps)
		r.readSteps(job.Value.Get("steps"), job.Key)
		if len(r.policy.steps) == before && job.Value.Get("steps") != nil {
			r.policy.find(job.Position, policy.SeverityWarning,
				fmt.Sprintf("The job %q does not use harden-runner, so nothing restricts it.", job.Key),
				"make step-security/harden-runner its first step")
		}
	}
}

func (r *reader) readSteps(steps *document.Node, job string) {
	if steps == nil {
		return
	}
	for i, s := range steps.Items {
		r.readUse(s, job, i == 0)
	}
}

const action = "step-security/harden-runner"

func (r *reader) readUse(s *document.Node, job string, first bool) {
	uses := s.Get("uses")
	if uses == nil {
		return
	}
	name, version, _ := strings.Cut(uses.Text, "@")
	if !strings.EqualFold(name, action) {
		return
	}
	with := s.Get("with")
	if with == nil {
		with = &document.Node{Position: uses.Position, Kind: document.Map}
	}
	step := r.readInputs(with, job, s.Position)
	if !first {
		step.find(s.Position, policy.SeverityWarning,
			"Steps before this one run without it.", "make it the first step of the job")
	}
	if old, known := older(version, 2, 16); known && old {
		step.find(uses.Position, policy.SeverityWarning,
			"Before 2.16.0 the community agent let DNS over TCP out to outside resolvers (GHSA-g699-3x6g-wm3g).", "use v2.16.0 or later")
	}
	if condition := s.Field("if"); condition != nil {
		step.find(condition.Position, policy.SeverityWarning,
			"The step has a condition; where it is not met, nothing restricts the job.", "remove the condition")
	}
	if carry := s.Field("continue-on-error"); carry != nil && !carry.Value.IsFalse() {
		step.find(carry.Position, policy.SeverityWarning,
			"The job goes on where the agent cannot be set up, and then nothing restricts it.", "remove continue-on-error")
	}
}

// older compares a version such as v2.15.1; known is false for what is no full
// version, such as a commit or v2.
func older(version string, major, minor int) (old, known bool) {
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	if len(parts) < 2 {
		return false, false
	}
	gotMajor, errMajor := strconv.Atoi(parts[0])
	gotMinor, errMinor := strconv.Atoi(parts[1])
	if errMajor != nil || errMinor != nil {
		return false, false
	}
	return gotMajor < major || gotMajor == major && gotMinor < minor, true
}

func (r *reader) readInputs(with *document.Node, job string, at document.Position) *step {
	r.policy.steps = append(r.policy.steps, step{job: job, at: at, policyAt: at, listAt: at, mode: "block"})
	s := &r.policy.steps[len(r.policy.steps)-1]
	s.findings.UnknownKeys(with, "the inputs", "harden-runner", inputs...)
	r.readMode(with, s)
	for _, text := range implicitEndpoints {
		s.list.add(endpoint{text: text, implicit: true})
	}
	if field := with.Field("allowed-endpoints"); field != nil {
		s.listAt = field.Position
		r.readEndpoints(field, s)
	} else if s.mode == "block" {
		s.find(with.Position, policy.SeverityNote, "allowed-endpoints is missing, so the agent opens nothing but its own endpoints.", "")
	}
	r.readStore(with, s)
	return s
}

func (r *reader) readMode(with *document.Node, s *step) {
	field := with.Field("egress-policy")
	if field == nil {
		s.find(with.Position, policy.SeverityNote, "egress-policy is missing; the default is block.", "")
		return
	}
	s.policyAt, s.mode = field.Position, strings.TrimSpace(field.Value.Text)
	switch {
	case s.mode == "block":
	case s.mode == "audit":
		s.find(field.Position, policy.SeverityUnenforced,
			"In audit mode the agent logs and lets everything out, allowed-endpoints or not.", "write egress-policy: block")
	case strings.Contains(s.mode, "${{"):
		s.find(field.Position, policy.SeverityUnenforced,
			"An expression decides whether the agent blocks; what it gives is not in this file.", "write egress-policy: block")
	default:
		s.find(field.Position, policy.SeverityUnenforced,
			fmt.Sprintf("%q is neither audit nor block: the step fails, and the agent adds no rule that blocks.", document.Clip(s.mode)), "write egress-policy: block")
	}
}

func (r *reader) readStore(with *document.Node, s *step) {
	for _, key := range []string{"policy", "use-policy-store"} {
		field := with.Field(key)
		if field == nil || field.Value.Text == "" || field.Value.IsFalse() || field.Value.Text == "false" {
			continue
		}
		s.find(field.Position, policy.SeverityUnenforced,
			fmt.Sprintf("%s fetches a policy that takes the place of what is written here.", key), fmt.Sprintf("remove %s", key))
	}
}

// readEndpoints splits the list as the agent does: at spaces alone.
func (r *reader) readEndpoints(field *document.Field, s *step) {
	text, expressions := cutExpressions(strings.TrimSpace(field.Value.Text))
	if expressions {
		s.find(field.Position, policy.SeverityUnenforced,
			"An expression gives endpoints that are not in this file.", "write the endpoints out")
	}
	locate := newLocator(r.text, field.Value.Position)
	for word := range strings.SplitSeq(text, " ") {
		if word == "" {
			continue
		}
		at, ok := locate.next(word)
		if !ok {
			at = field.Value.Position
		}
		e := endpoint{Position: at, text: word}
		checkEndpoint(e, s)
		s.list.add(e)
	}
	if s.mode == "block" && s.list.reverts != nil {
		e := s.list.reverts
		s.find(e.Position, policy.SeverityUnenforced,
			fmt.Sprintf("The community agent cannot look up %q, and an allowed endpoint that it cannot look up makes it take back its firewall and its DNS: nothing is blocked then. Addresses need the enterprise agent.", e.text),
			"remove it, or write a host name")
	}
}

// checkEndpoint finds what the agent reads otherwise than it looks.
func checkEndpoint(e endpoint, s *step) {
	name, port, _ := strings.Cut(e.text, ":")
	switch {
	case strings.ContainsAny(e.text, "\n\t\r"):
		s.find(e.Position, policy.SeverityBroken,
			"The agent splits the list at spaces alone, so these lines are one endpoint to it, of which the first name counts, with port 0.",
			"write allowed-endpoints: > instead of |")
		return
	case strings.Contains(e.text, "://"):
		s.find(e.Position, policy.SeverityWarning,
			fmt.Sprintf("The agent cuts %q at its colons and takes %q for the host.", document.Clip(e.text), name), "leave the scheme out")
		return
	case port != "" && atoi(port) == 0 || atoi(port) > 65535:
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

func checkPattern(e endpoint, name string, s *step) {
	name = document.Clip(name)
	before, after, _ := strings.Cut(name, "*")
	switch {
	case strings.Trim(after, ".") == "" && before == "":
		s.find(e.Position, policy.SeverityOpen, fmt.Sprintf("%q matches every name.", name), "write the host names out")
	case before == "" && !strings.HasPrefix(after, "."):
		s.find(e.Position, policy.SeverityOpen,
			fmt.Sprintf("%q matches every name that ends so, evil%s as well.", name, strings.TrimPrefix(after, "*")), "put a dot behind the star")
	case before != "":
		s.find(e.Position, policy.SeverityWarning,
			fmt.Sprintf("The star in %q stands for any number of labels, so it matches %sevil%s too.", name, before, after), "write the host names out")
	}
}

// cutExpressions takes out what GitHub puts values in for.
func cutExpressions(text string) (rest string, found bool) {
	for {
		before, inside, open := strings.Cut(text, "${{")
		if !open {
			return rest + text, found
		}
		_, after, _ := strings.Cut(inside, "}}")
		rest, text, found = rest+before, after, true
	}
}

// locator finds the words of a scalar in the text, in their order.
type locator struct {
	text   []byte
	offset int
	lines  *document.Lines
}

func newLocator(text []byte, from document.Position) *locator {
	l := &locator{text: text, lines: document.NewLines(text)}
	for range from.Line - 1 {
		i := bytes.IndexByte(text[l.offset:], '\n')
		if i < 0 {
			break
		}
		l.offset += i + 1
	}
	return l
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
