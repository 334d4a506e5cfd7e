package harden

import (
	"fmt"
	"slices"
	"strings"

	"sixways/policy"
	"sixways/policy/document"
)

// checkRunner finds where the action sets up no agent, or another than the
// community agent for Linux, which is decided for here (setup.ts and
// install-agent.ts in the action).
func checkRunner(job *document.Node, s *step) {
	field := job.Field("runs-on")
	labels := runnerLabels(field)
	if slices.Contains(labels, "self-hosted") {
		s.find(field.Position, policy.SeverityWarning,
			"On a self-hosted runner the community tier sets up no agent; where the machine has none already, nothing restricts the job.",
			"run it on a runner of GitHub's, or make sure that the machine has the agent")
		return
	}
	checkContainer(job.Field("container"), s)
	switch {
	case field == nil:
	case slices.Contains(labels, "ubuntu-slim"):
		s.uninstalled(field.Position, "on ubuntu-slim", "run the job on ubuntu-latest")
	case slices.ContainsFunc(labels, otherSystem):
		s.find(field.Position, policy.SeverityWarning,
			"On Windows and macOS the action has other agents, and whether they block was not verified; what is decided here is decided for Linux.",
			"run the job on ubuntu-latest")
	case slices.ContainsFunc(labels, arm):
		checkArm(field.Position, s)
	case !slices.ContainsFunc(labels, ubuntu):
		s.find(field.Position, policy.SeverityNote,
			"It cannot be told from runs-on where the job runs; what is decided here is decided for a Linux runner of GitHub's.", "")
	}
}

// runnerLabels returns the labels of runs-on, which have no case: one, a list
// of them, or either under the key labels.
func runnerLabels(runsOn *document.Field) []string {
	if runsOn == nil {
		return nil
	}
	n := runsOn.Value
	if n.Kind == document.Map {
		n = n.Get("labels")
	}
	if n == nil {
		return nil
	}
	labels := []string{strings.ToLower(n.Text)}
	for _, item := range n.Items {
		labels = append(labels, strings.ToLower(item.Text))
	}
	return labels
}

func ubuntu(label string) bool {
	return strings.HasPrefix(label, "ubuntu-") && !expression(label)
}

func otherSystem(label string) bool {
	return strings.HasPrefix(label, "windows") || strings.HasPrefix(label, "macos")
}

func arm(label string) bool {
	return !expression(label) && (strings.HasSuffix(label, "-arm") || strings.HasSuffix(label, "arm64"))
}

// checkArm goes by the notes of release 2.22.0.
func checkArm(at document.Position, s *step) {
	old, known := older(s.version, 2, 22)
	switch {
	case known && old:
		s.uninstalled(at, "on Arm in the community tier before 2.22.0", "use v2.22.0 or later, or run the job on ubuntu-latest")
	case !known:
		s.find(at, policy.SeverityWarning,
			"Before 2.22.0 the community tier sets up no agent on Arm, so that nothing restricts the job; which version this is cannot be told.",
			"use v2.22.0 or later, or run the job on ubuntu-latest")
	}
}

func checkContainer(container *document.Field, s *step) {
	if container == nil {
		return
	}
	image := container.Value
	if image.Kind == document.Map {
		image = image.Get("image")
	}
	switch {
	case image == nil || image.Text == "":
	case strings.HasPrefix(image.Text, "${{"):
		s.find(container.Position, policy.SeverityWarning,
			"An expression decides whether the job runs in a container, where the action sets up no agent on GitHub's runners.",
			"run the job without a container")
	default:
		s.uninstalled(container.Position, "in a job's container on GitHub's runners", "run the job without a container")
	}
}

// uninstalled finds that there is no agent at a place.
func (s *step) uninstalled(at document.Position, where, fix string) {
	s.find(at, policy.SeverityUnenforced, fmt.Sprintf("The action sets up no agent %s, so nothing restricts the job.", where), fix)
	s.open(at, "no agent", fmt.Sprintf("The action sets up no agent %s (line %d), so nothing stops {destination}.", where, at.Line), fix)
}
