package harden

import (
	"fmt"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
)

// checkYAML finds what GitHub refuses in a workflow, before any action runs: a
// key given twice in a map, case aside, and a merge key (TemplateReader.cs in
// actions/runner). It looks at no key that is an expression.
func (r *reader) checkYAML(n *document.Node) {
	if n.Kind != document.List && n.Kind != document.Map || r.checked[n] {
		return
	}
	r.checked[n] = true // an alias has the same node again
	if n.Merge.Line > 0 {
		r.policy.find(n.Merge, policy.SeverityRefused, "GitHub takes anchors and aliases, but no merge key, and refuses the workflow over <<.", "write out what it merges")
	} else {
		r.checkKeys(n)
	}
	for _, item := range n.Items {
		r.checkYAML(item)
	}
	for _, f := range n.Fields {
		r.checkYAML(f.Value)
	}
}

func (r *reader) checkKeys(n *document.Node) {
	lines := make(map[string]int, len(n.Fields))
	for _, f := range n.Fields {
		folded := strings.ToLower(f.Key)
		if first, twice := lines[folded]; twice {
			key := document.Clip(f.Key)
			r.policy.find(f.Position, policy.SeverityRefused,
				fmt.Sprintf("The key %q is given a second time, the first is on line %d, and GitHub refuses the workflow over it.", key, first),
				fmt.Sprintf("remove one of the two keys %q", key))
		} else if !expression(f.Key) {
			lines[folded] = f.Line
		}
	}
}

func expression(text string) bool { return strings.Contains(text, "${{") }

var (
	// booleans are the inputs that the action reads with getBooleanInput.
	booleans = []string{"disable-telemetry", "disable-sudo", "disable-sudo-and-containers", "disable-file-monitoring",
		"use-policy-store", "deploy-on-self-hosted-vm"}
	inputs     = append([]string{"egress-policy", "allowed-endpoints", "denied-endpoints", "token", "exempt-files", "policy", "api-key"}, booleans...)
	inputNames = strings.Join(inputs, ", ")
)

// input returns an input of the action, whose names have no case.
func input(with *document.Node, name string) *document.Field {
	for i := len(with.Fields) - 1; i >= 0; i-- {
		if strings.EqualFold(with.Fields[i].Key, name) {
			return &with.Fields[i]
		}
	}
	return nil
}

// inputText is the value of an input as the action gets it, "" for none.
func inputText(with *document.Node, name string) string {
	if field := input(with, name); field != nil {
		return strings.TrimSpace(field.Value.Text)
	}
	return ""
}

func named(names []string, key string) bool {
	for _, name := range names {
		if strings.EqualFold(name, key) {
			return true
		}
	}
	return false
}

// stepKeys are those of a step that uses an action (regular-step in GitHub's
// workflow-v1.0.json).
var stepKeys = []string{"name", "id", "if", "timeout-minutes", "uses", "continue-on-error", "env", "with"}

// checkStep finds what GitHub refuses in a step that uses the action.
func (r *reader) checkStep(s *document.Node, version string) {
	if version == "" {
		r.policy.find(s.Get("uses").Position, policy.SeverityRefused, "GitHub refuses an action without a version.",
			"write uses: "+action+"@v2, or a commit behind the @")
	}
	for _, f := range s.Fields {
		if !named(stepKeys, f.Key) && !expression(f.Key) {
			key := document.Clip(f.Key)
			r.policy.find(f.Position, policy.SeverityRefused,
				fmt.Sprintf("A step that uses an action has no key %q, and GitHub refuses the workflow over it.", key),
				fmt.Sprintf("remove %q; what the action is given stands under with", key))
		}
	}
	with := s.Field("with")
	if with != nil && with.Value.Kind != document.Map && with.Value.Kind != document.Null && !expression(with.Value.Text) {
		r.policy.find(with.Position, policy.SeverityRefused,
			fmt.Sprintf("with is %s, and GitHub, which takes a map of inputs, refuses the workflow over it.", with.Value.Kind), "write with as a map")
	}
}

// checkInputs finds inputs that do not arrive at the action as written.
func (r *reader) checkInputs(with *document.Node, s *step) {
	if with.Kind == document.String && expression(with.Text) {
		s.unknownInputs(with.Position)
	}
	for _, f := range with.Fields {
		key := document.Clip(f.Key)
		switch {
		case expression(f.Key):
			s.unknownInputs(f.Position)
		case f.Value.Kind == document.List || f.Value.Kind == document.Map:
			r.policy.find(f.Value.Position, policy.SeverityRefused,
				fmt.Sprintf("%s is %s, and GitHub, which takes one string for an input, refuses the workflow over it.", key, f.Value.Kind),
				fmt.Sprintf("write %s as one string", key))
		case !named(inputs, f.Key):
			s.find(f.Position, policy.SeverityWarning,
				fmt.Sprintf("harden-runner has no input %q; the runner warns of it in its log (“Unexpected input(s)”), and it does nothing.", key),
				fmt.Sprintf("remove %q, or spell it as one of %s", key, inputNames))
		case named(booleans, f.Key) && !boolean(f.Value.Text) && !expression(f.Value.Text):
			s.find(f.Position, policy.SeverityRefused,
				fmt.Sprintf("The action takes true or false for %s, and fails over %q before it sets up the agent, so nothing is enforced.", key, document.Clip(f.Value.Text)),
				fmt.Sprintf("write %s: true or %s: false", key, key))
		}
	}
}

// checkRoot finds that the job may take away what the agent has set up.
func checkRoot(s *step) {
	const fix = "write disable-sudo-and-containers: true"
	sudo, containers := inputText(s.with, "disable-sudo"), inputText(s.with, "disable-sudo-and-containers")
	switch {
	case s.opening != nil || strings.EqualFold(containers, "true") || expression(containers):
	case strings.EqualFold(sudo, "true") || expression(sudo):
		s.find(s.at, policy.SeverityWarning,
			"disable-sudo leaves the job its containers, by which it can become root and take the agent's rules away (CVE-2025-32955).", fix)
	default:
		s.find(s.at, policy.SeverityWarning,
			"The job can become root by sudo, without a password, and take the agent's rules away.", fix)
	}
}

func (s *step) unknownInputs(at document.Position) {
	const fix = "write the inputs out"
	s.find(at, policy.SeverityUnenforced, "An expression gives inputs that are not in this file.", fix)
	s.open(at, "inputs from an expression",
		fmt.Sprintf("An expression gives inputs that are not in this file (line %d), so nothing is sure to stop {destination}.", at.Line), fix)
}

// boolean tells what getBooleanInput of @actions/core takes.
func boolean(text string) bool {
	switch strings.TrimSpace(text) {
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return true
	}
	return false
}
