package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"

	"sixways-lab/trial"
	"sixways/fixture"
	"sixways/policy"
)

// control is a flag that sets a control of the fixture.
type control struct {
	settings *fixture.Settings
	key      string
}

// String returns "" for the zero control, which package flag asks.
func (c control) String() string {
	if c.settings == nil {
		return ""
	}
	return c.settings.Value(c.key)
}

func (c control) Set(value string) error { return c.settings.Set(c.key, value) }

// IsBoolFlag lets a switch stand without a value.
func (c control) IsBoolFlag() bool { return c.key != fixture.PolicyKey }

// runOrder is a command line of run.
type runOrder struct {
	build    trial.Build
	settings fixture.Settings
	asJSON   bool
}

func parseRun(args []string) (action, error) {
	o, err := readRun(args)
	if err != nil {
		return nil, err
	}
	return o.run, nil
}

func readRun(args []string) (runOrder, error) {
	set := flag.NewFlagSet("run", flag.ContinueOnError)
	o := runOrder{settings: fixture.Opening()}
	for _, key := range fixture.Keys() {
		set.Var(control{&o.settings, key}, key, "")
	}
	name := set.String("build", trial.Smokescreen, "")
	set.BoolVar(&o.asJSON, "json", false, "")
	if err := parseFlags(set, args); err != nil {
		return o, err
	}
	var ok bool
	if o.build, ok = trial.Find(*name); !ok {
		return o, fmt.Errorf("run: build %q is unknown; want one of %s", *name, buildNames())
	}
	return o, nil
}

func buildNames() string {
	var names []string
	for _, b := range trial.Builds() {
		names = append(names, b.Name)
	}
	return strings.Join(names, " ")
}

// run shows one setting and fails where it differs from what is expected.
func (o runOrder) run(stdout io.Writer) error {
	lab, err := trial.New()
	if err != nil {
		return err
	}
	result, err := lab.Run(o.build, o.settings)
	if err != nil {
		return err
	}
	if o.asJSON {
		err = json.NewEncoder(stdout).Encode(newRunReport(result))
	} else {
		_, err = io.WriteString(stdout, table(result))
	}
	if err != nil {
		return err
	}
	return o.build.Check(result)
}

type runReport struct {
	Build    string           `json:"build"`
	Settings fixture.Settings `json:"settings"`
	Attempts []attemptReport  `json:"attempts"`
	// Agree says that each attempt came out as the model says, on the way
	// that it means.
	Agree bool `json:"agree"`
}

type attemptReport struct {
	Destination string `json:"destination"`
	// Model is the engine's decision and Lab what really came of the way that
	// it means.
	Model policy.Verdict `json:"model"`
	Lab   policy.Verdict `json:"lab"`
	Ways  []wayReport    `json:"ways"`
}

type wayReport struct {
	Way     string         `json:"way"`
	Meant   bool           `json:"meant"`
	Verdict policy.Verdict `json:"verdict"`
}

func newRunReport(r trial.Result) runReport {
	report := runReport{Build: r.Build, Settings: r.Settings, Agree: true}
	for _, c := range r.Cells {
		a := attemptReport{Destination: c.Destination, Model: c.Model, Lab: c.Meant().Verdict}
		for _, p := range c.Ways {
			a.Ways = append(a.Ways, wayReport{p.Text, p.Meant, p.Verdict})
		}
		report.Attempts = append(report.Attempts, a)
		report.Agree = report.Agree && a.Lab == a.Model
	}
	return report
}

func table(r trial.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "build %s at %s\n", r.Build, r.Settings)
	for _, c := range r.Cells {
		fmt.Fprintf(&b, "%s: the model says %s, the lab saw it %s\n", c.Destination, c.Model, c.Meant().Verdict)
		for _, p := range c.Ways {
			fmt.Fprintf(&b, "  %-7s %s\n", p.Verdict, p.Text)
		}
	}
	return b.String()
}
