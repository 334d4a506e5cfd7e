package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"sixways/fixture"
	"sixways/policy"
)

const runSummary = "decide the six attempts under one setting of the controls"

var runCommand = command{"run", runSummary, run}

func run(_ context.Context, args []string, stdout, _ io.Writer) error {
	o, err := parseOptions(args, append(fixture.Keys(), jsonKey))
	switch {
	case err != nil:
		return usage{fmt.Errorf("run: %w", err)}
	case o.help:
		_, err = io.WriteString(stdout, runHelp())
		return err
	case o.json:
		return fixture.WriteJSON(stdout, fixture.NewReport(o.settings))
	}
	return writeRun(stdout, o.settings)
}

func runHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sixways run: %s\n\n", runSummary)
	describe := func(flag, text, opening string) {
		fmt.Fprintf(&b, "  %-17s %s (default %s)\n", flag, text, opening)
	}
	opening := fixture.Opening()
	describe("--policy POLICY", fixture.PolicyLabel+": "+strings.Join(policyNames(), ", "), opening.Value(fixture.PolicyKey))
	for _, s := range fixture.Switches() {
		describe("--"+s.Key, s.Label, opening.Value(s.Key))
	}
	describe("--"+jsonKey, "print one JSON object for programs", "0")
	b.WriteString(`
A switch alone is on; --loopback=0 turns it off. It takes 1, 0, true and false.

  sixways run --policy allowlist --force-dns --loopback=0
`)
	return b.String()
}

// lineWidth is what the reasons are broken at, in columns.
const lineWidth = 80

// writeRun writes a run for people: the attempts, the metrics, the settings.
func writeRun(w io.Writer, s fixture.Settings) error {
	var b bytes.Buffer
	run := fixture.Run(s)
	if err := writeAttempts(&b, run, policy.Decision.Reason); err != nil {
		return err
	}
	b.WriteString("\n")
	if err := writeMetrics(&b, run); err != nil {
		return err
	}
	b.WriteString("\n")
	if err := writeSettings(&b, s); err != nil {
		return err
	}
	fmt.Fprintf(&b, "\n%s\n", fixture.Model)
	_, err := b.WriteTo(w)
	return err
}

// writeAttempts sets what is said of each attempt below it: beside it, it would
// not fit a terminal.
func writeAttempts(w io.Writer, run policy.Run, say func(policy.Decision) string) error {
	var rows bytes.Buffer
	table := newTable(&rows)
	fmt.Fprintln(table, "Destination\tNeeded\tDecision\tLayer")
	for _, d := range run.Decisions {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", d.Attempt.Destination.Endpoint(), yesNo(d.Attempt.Needed), d.Verdict, d.Layer)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	head, body, _ := strings.Cut(rows.String(), "\n")
	fmt.Fprintln(w, head)
	for i, line := range strings.Split(strings.TrimSuffix(body, "\n"), "\n") {
		fmt.Fprintln(w, line)
		for _, part := range wrap(say(run.Decisions[i]), lineWidth-2) {
			fmt.Fprintln(w, "  "+part)
		}
	}
	return nil
}

func writeMetrics(w io.Writer, run policy.Run) error {
	m := run.Metrics()
	attempts := len(run.Decisions)
	containment, task := "leaking", "fails"
	if m.Contained {
		containment = "contained"
	}
	if m.TaskWorks {
		task = "works"
	}
	table := newTable(w)
	fmt.Fprintf(table, "Unwanted egress\t%d of %d\n", m.Unwanted, attempts-m.Needed)
	fmt.Fprintf(table, "Needed destinations reached\t%d of %d\n", m.NeededAllowed, m.Needed)
	fmt.Fprintf(table, "Attempts blocked\t%d of %d\n", m.Blocked, attempts)
	fmt.Fprintf(table, "Containment\t%s\n", containment)
	fmt.Fprintf(table, "Task\t%s\n", task)
	return table.Flush()
}

func writeSettings(w io.Writer, s fixture.Settings) error {
	table := newTable(w)
	fmt.Fprintf(table, "%s\t--%s=%s\n", fixture.PolicyLabel, fixture.PolicyKey, s.Policy)
	for _, sw := range fixture.Switches() {
		fmt.Fprintf(table, "%s\t--%s=%s\n", sw.Label, sw.Key, s.Value(sw.Key))
	}
	return table.Flush()
}

func newTable(w io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// wrap breaks text between words into lines of at most width columns; a longer
// word stands alone.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
