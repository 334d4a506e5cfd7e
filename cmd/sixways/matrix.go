package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"sixways/fixture"
	"sixways/policy"
)

const matrixSummary = "decide the six attempts under each of the 48 settings"

var matrixCommand = command{"matrix", matrixSummary, matrix}

const matrixHelp = "sixways matrix: " + matrixSummary + `

  --json            print a list of 48 objects like that of "run --json" (default 0)
`

func matrix(_ context.Context, args []string, stdout, _ io.Writer) error {
	o, err := parseOptions(args, []string{jsonKey})
	switch {
	case err != nil:
		return usage{fmt.Errorf("matrix: %w", err)}
	case o.help:
		_, err = io.WriteString(stdout, matrixHelp)
		return err
	case o.json:
		return fixture.WriteJSON(stdout, reports())
	}
	return writeMatrix(stdout)
}

func reports() []fixture.Report {
	var list []fixture.Report
	for _, s := range fixture.All() {
		list = append(list, fixture.NewReport(s))
	}
	return list
}

// Columns of the table for people, in the order of the controls and of the
// attempts. Each is explained in the legend, which keeps the table narrow.
var (
	controlColumns = []string{"policy", "listed", "dns", "meta", "loop"}
	attemptColumns = []string{"api", "pypi", "raw-ip", "metadata", "query", "sidecar"}
)

func writeMatrix(w io.Writer) error {
	var b bytes.Buffer
	if err := writeLegend(&b); err != nil {
		return err
	}
	table := newTable(&b)
	columns := append(append(append([]string{}, controlColumns...), attemptColumns...), "unwanted", "task")
	fmt.Fprintln(table, strings.Join(columns, "\t"))
	for _, s := range fixture.All() {
		fmt.Fprintln(table, strings.Join(matrixRow(s), "\t"))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := b.WriteTo(w)
	return err
}

func matrixRow(s fixture.Settings) []string {
	var row []string
	for _, key := range fixture.Keys() {
		row = append(row, s.Value(key))
	}
	run := fixture.Run(s)
	for _, d := range run.Decisions {
		mark := "-"
		if d.Verdict == policy.Allowed {
			mark = "out"
		}
		row = append(row, mark)
	}
	m := run.Metrics()
	task := "fails"
	if m.TaskWorks {
		task = "works"
	}
	return append(row, fmt.Sprint(m.Unwanted), task)
}

func writeLegend(w io.Writer) error {
	table := newTable(w)
	fmt.Fprintf(table, "policy\t%s: %s\n", fixture.PolicyLabel, strings.Join(policyNames(), ", "))
	for i, s := range fixture.Switches() {
		fmt.Fprintf(table, "%s\t%s: 1 on, 0 off\n", controlColumns[i+1], s.Label)
	}
	for i, a := range fixture.Scenario().Attempts {
		fmt.Fprintf(table, "%s\t%s\n", attemptColumns[i], a.Destination)
	}
	fmt.Fprint(table, "out\tThe attempt got out; - where it was blocked\n")
	fmt.Fprint(table, "unwanted\tHow many got out that the task does not need\n")
	fmt.Fprint(table, "task\tWorks where all that it needs got out\n\n")
	return table.Flush()
}
