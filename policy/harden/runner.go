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
	labels := runnerLabels(job)
	if slices.Contains(labels, "self-hosted") {
		s.unrestricted(field.Position, "self-hosted runner",
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
		checkOtherSystem(field.Position, s)
	case slices.ContainsFunc(labels, arm):
		checkArm(field.Position, s)
	case slices.ContainsFunc(labels, expression):
		s.unrestricted(field.Position, "runs-on is an expression",
			"An expression decides where the job runs, and not on every runner does the action set up an agent.", "run the job on ubuntu-latest")
	case !slices.ContainsFunc(labels, ubuntu):
		s.find(field.Position, policy.SeverityWarning,
			"It cannot be told from runs-on where the job runs; what is decided here is decided for a Linux runner of GitHub's.",
			"run the job on ubuntu-latest")
	}
}

// runnerLabels returns the labels of runs-on, which have no case: one, a list
// of them, or either under the key labels; and where the job's matrix gives them,
// all that it gives.
func runnerLabels(job *document.Node) []string {
	runsOn := job.Get("runs-on")
	if labels := runsOn.Get("labels"); labels != nil {
		runsOn = labels
	}
	var labels []string
	for _, label := range scalars(runsOn) {
		given := matrixValues(job.Get("strategy").Get("matrix"), label)
		if given == nil {
			given = []string{label}
		}
		for _, g := range given {
			labels = append(labels, strings.ToLower(g))
		}
	}
	return labels
}

// scalars returns the texts of a scalar, or of a list's elements, however deep.
func scalars(n *document.Node) (all []string) {
	if n == nil {
		return nil
	}
	if n.Kind != document.List {
		return []string{n.Text}
	}
	for _, item := range n.Items {
		all = append(all, scalars(item)...)
	}
	return all
}

// matrixValues returns what a matrix gives for an expression such as
// ${{ matrix.os }}, and nothing where that is not in the file.
func matrixValues(matrix *document.Node, text string) []string {
	inside, ok := strings.CutPrefix(text, "${{")
	inside, closed := strings.CutSuffix(inside, "}}")
	key, named := strings.CutPrefix(strings.TrimSpace(inside), "matrix.")
	if !ok || !closed || !named {
		return nil
	}
	all := scalars(matrix.Get(key))
	if include := matrix.Get("include"); include != nil {
		for _, more := range include.Items {
			all = append(all, scalars(more.Get(key))...)
		}
	}
	return all
}

func ubuntu(label string) bool { return strings.HasPrefix(label, "ubuntu-") }

func otherSystem(label string) bool {
	return strings.HasPrefix(label, "windows") || strings.HasPrefix(label, "macos")
}

func arm(label string) bool {
	return !expression(label) && (strings.HasSuffix(label, "-arm") || strings.HasSuffix(label, "arm64"))
}

// checkOtherSystem goes by the notes of release 2.15.0.
func checkOtherSystem(at document.Position, s *step) {
	if old, known := older(s.version, 2, 15); known && old {
		s.uninstalled(at, "on Windows and macOS before 2.15.0", "run the job on ubuntu-latest")
		return
	}
	s.unrestricted(at, "other than Linux",
		"On Windows and macOS the action has other agents since 2.15.0, and whether they block was not verified.", "run the job on ubuntu-latest")
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
		s.unrestricted(container.Position, "container is an expression",
			"An expression decides whether the job runs in a container, where the action sets up no agent on GitHub's runners.",
			"run the job without a container")
	default:
		s.uninstalled(container.Position, "in a job's container on GitHub's runners", "run the job without a container")
	}
}

// unrestricted finds why it is not sure that anything restricts the job.
func (s *step) unrestricted(at document.Position, text, why, fix string) {
	s.find(at, policy.SeverityUnenforced, why, fix)
	s.open(at, text, fmt.Sprintf("It is not sure that the job has an agent (line %d), so nothing is sure to stop {destination}.", at.Line), fix)
}

// uninstalled finds that there is no agent at a place.
func (s *step) uninstalled(at document.Position, where, fix string) {
	s.find(at, policy.SeverityUnenforced, fmt.Sprintf("The action sets up no agent %s, so nothing restricts the job.", where), fix)
	s.open(at, "no agent", fmt.Sprintf("The action sets up no agent %s (line %d), so nothing stops {destination}.", where, at.Line), fix)
}
