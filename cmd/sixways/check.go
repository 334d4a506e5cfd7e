package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"sixways/fixture"
	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/format"
)

const checkSummary = "check a policy file: what does it leave open?"

var checkCommand = command{"check", checkSummary, func(_ context.Context, args []string, stdout, stderr io.Writer) error {
	if status := check(args, os.Stdin, stdout, stderr); status != 0 {
		return exit(status)
	}
	return nil
}}

// Exit statuses of check. Bad use has that of an unreadable file: a job in CI
// must not take either for a leak, nor for a policy that holds.
const (
	checkHolds  = 0
	checkLeaks  = 1
	checkFailed = 2
)

// check reads a policy file, prints what it leaves open, and returns the exit
// status: 0 where nothing unwanted gets out, the task works and the enforcer
// takes the file, 1 where not, 2 for a file that cannot be read and for bad use.
func check(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	status, err := runCheck(args, stdin, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "sixways: check: %v\n", err)
		return checkFailed
	}
	return status
}

func runCheck(args []string, stdin io.Reader, stdout io.Writer) (int, error) {
	o, err := parseCheck(args)
	switch {
	case err != nil:
		return checkFailed, err
	case o.help:
		_, err := io.WriteString(stdout, checkHelp())
		return checkHolds, err
	}
	c, err := o.check(stdin)
	if err != nil {
		return checkFailed, err
	}
	if o.json {
		err = fixture.WriteJSON(stdout, c.report())
	} else {
		err = c.write(stdout)
	}
	if err != nil || c.result.Ok() {
		return checkHolds, err
	}
	return checkLeaks, nil
}

// Flags of check beside the switches of the controls and --json.
const (
	formatKey = "format"
	destKey   = "dest"
	roleKey   = "role"
	neededKey = "needed"
)

// checkOptions are the flags of check, read.
type checkOptions struct {
	options
	file, format, role, needed string
	// given tells which of those flags were given.
	given        map[string]bool
	destinations []string
}

// checkSwitches are the controls for what no policy file speaks of. The other
// two are what the file takes the place of.
func checkSwitches() []fixture.Switch {
	return slices.DeleteFunc(fixture.Switches(), func(s fixture.Switch) bool { return s.Key == "task-api" })
}

func isCheckSwitch(key string) bool {
	return key == jsonKey || slices.ContainsFunc(checkSwitches(), func(s fixture.Switch) bool { return s.Key == key })
}

func parseCheck(args []string) (checkOptions, error) {
	o := checkOptions{options: options{settings: fixture.Opening()}, needed: fixture.PartnerAPI, given: map[string]bool{}}
	noFlags := false
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		key, value, hasValue := cutFlag(arg)
		if noFlags {
			key = ""
		}
		switch {
		case arg == "--" && !noFlags:
			noFlags = true
			continue
		case key == "h" || key == "help":
			return checkOptions{options: options{help: true}}, nil
		case key == "" && o.file != "":
			return o, fmt.Errorf("unexpected argument %q: %q is the file already; want one FILE", arg, o.file)
		case key == "":
			o.file = arg
			continue
		case isCheckSwitch(key) && !hasValue:
			value = "1"
		case !isCheckSwitch(key) && !hasValue && len(args) > 0 && !strings.HasPrefix(args[0], "--"):
			value, args, hasValue = args[0], args[1:], true
		}
		if err := o.setCheck(arg, key, value, hasValue); err != nil {
			return o, err
		}
	}
	if o.file == "" {
		return o, errors.New("no file; want FILE, or - for standard input")
	}
	return o, nil
}

func (o *checkOptions) setCheck(arg, key, value string, hasValue bool) error {
	target := map[string]*string{formatKey: &o.format, roleKey: &o.role, neededKey: &o.needed}[key]
	switch {
	case isCheckSwitch(key):
		if err := o.set(key, value); err != nil {
			return fmt.Errorf("--%w", err)
		}
		return nil
	case target == nil && key != destKey:
		return fmt.Errorf("unknown flag %q; want %s", arg, checkForms())
	case !hasValue:
		return fmt.Errorf("--%s lacks its value", key)
	case key == destKey:
		o.destinations = append(o.destinations, value)
		return nil
	case o.given[key]:
		return fmt.Errorf("--%s is given twice, as %q and %q; want one", key, *target, value)
	}
	o.given[key], *target = true, value
	return nil
}

func checkForms() string {
	var keys []string
	for _, s := range checkSwitches() {
		keys = append(keys, s.Key)
	}
	return "FILE, --format=" + strings.Join(format.Keys(), "|") + ", --dest=DESTINATION, --role=ROLE, --needed=HOST, " +
		flagForms(append(keys, jsonKey))
}

func checkHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "sixways check FILE: %s\n\n", checkSummary)
	describe := func(flag, text string) { fmt.Fprintf(&b, "  %-19s %s\n", flag, text) }
	describe("FILE", "the policy file, - for standard input")
	describe("--format FORMAT", strings.Join(format.Keys(), ", ")+" (default: what the file looks like)")
	describe("--dest DESTINATION", "try a host, host:port, URL or address too; may be given again")
	describe("--needed HOST", "what the task needs, or HOST:PORT (default "+fixture.PartnerAPI+")")
	describe("--role ROLE", "the service or job to decide for (default: the file's first)")
	for _, s := range checkSwitches() {
		describe("--"+s.Key, fmt.Sprintf("%s (default %s)", s.Label, fixture.Opening().Value(s.Key)))
	}
	describe("--"+jsonKey, "print one JSON object for programs (default 0)")
	b.WriteString(`
The switches stand for what the file does not speak of. A switch alone is on;
--loopback=0 turns it off. It takes 1, 0, true and false.

Exit status 0 where nothing unwanted gets out, the task works and the enforcer
takes the file, 1 where not, 2 for a file that cannot be read and for bad use.

  sixways check managed-settings.json --needed api.example.com --dest 2852039166
`)
	return b.String()
}

// checked is a file with what came of it.
type checked struct {
	name     string
	settings fixture.Settings
	format   format.Format
	policy   format.Policy
	result   format.Result
}

func (o checkOptions) check(stdin io.Reader) (checked, error) {
	name, text, err := readPolicy(o.file, stdin)
	if err != nil {
		return checked{}, err
	}
	scenario, err := fixture.ScenarioNeeding(o.needed)
	if err != nil {
		return checked{}, fmt.Errorf("--%s: %w", neededKey, err)
	}
	c := checked{name: name, settings: o.settings}
	if c.format, err = chooseFormat(o.format, name, text); err != nil {
		return c, err
	}
	if c.policy, err = c.format.Parse(name, text, o.role); err != nil {
		return c, err
	}
	c.result = format.Check(c.policy, format.Options{
		Controls:     o.settings.Boundary(),
		Scenario:     scenario,
		Destinations: o.destinations,
	})
	return c, nil
}

// readPolicy reads one octet more than is read of any format, so that the
// reader can say that the file is too long.
func readPolicy(file string, stdin io.Reader) (name string, text []byte, err error) {
	name, source := "standard input", stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return file, nil, err
		}
		defer f.Close()
		name, source = file, f
	}
	text, err = io.ReadAll(io.LimitReader(source, document.MaxBytes+1))
	return name, text, err
}

func chooseFormat(key, name string, text []byte) (format.Format, error) {
	if key != "" {
		f, err := format.ByKey(key)
		if err != nil {
			return f, fmt.Errorf("--%s: %w", formatKey, err)
		}
		return f, nil
	}
	f, ok := format.Recognise(name, text)
	if !ok {
		return f, fmt.Errorf("%s: the format is not recognised; say --format=%s", name, strings.Join(format.Keys(), "|"))
	}
	return f, nil
}

// checkReport is what --json prints: the object of run, and beside it what the
// file says. Of its settings policy and task-api stand as the page opens, since
// the file takes their place.
type checkReport struct {
	fixture.Report
	Format       string           `json:"format"`
	Role         string           `json:"role,omitempty"`
	Findings     []policy.Finding `json:"findings"`
	Destinations []format.Trial   `json:"destinations"`
}

func (c checked) report() checkReport {
	return checkReport{
		Report:       fixture.ReportRun(c.settings, c.result.Run),
		Format:       c.format.Key,
		Role:         c.policy.Role(),
		Findings:     append([]policy.Finding{}, c.result.Findings...),
		Destinations: append([]format.Trial{}, c.result.Trials...),
	}
}

func (c checked) write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %s", c.name, c.format.Label)
	if role := c.policy.Role(); role != "" {
		fmt.Fprintf(&b, ", %s", document.Clip(role))
	}
	b.WriteString("\n\n")
	for _, f := range c.result.Findings {
		c.writeFinding(&b, f)
	}
	if err := writeAttempts(&b, c.result.Run, withOrigin); err != nil {
		return err
	}
	b.WriteString("\n")
	for _, t := range c.result.Trials {
		c.writeTrial(&b, t)
	}
	if err := writeMetrics(&b, c.result.Run); err != nil {
		return err
	}
	switch m := c.result.Run.Metrics(); {
	case c.result.Refused():
		b.WriteString("\nThe enforcer refuses the file, so that none of this is sure to hold.\n")
	case m.Contained && c.result.Open():
		b.WriteString("\nThe file opens a way that is none of these: see the findings.\n")
	}
	fmt.Fprintf(&b, "\n%s\n", fixture.Model)
	_, err := b.WriteTo(w)
	return err
}

// withOrigin gives the reason for a decision, and whose rule it was.
func withOrigin(d policy.Decision) string {
	return fmt.Sprintf("%s Decided by %s.", d.Reason(), d.Rule.Origin)
}

func (c checked) writeFinding(b *bytes.Buffer, f policy.Finding) {
	place := c.name
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", c.name, f.Line, f.Column)
	}
	fmt.Fprintf(b, "%s: %s: %s\n", place, f.Severity, f.Message)
	if f.Fix != "" {
		fmt.Fprintf(b, "  fix: %s\n", f.Fix)
	}
	b.WriteString("\n")
}

func (c checked) writeTrial(b *bytes.Buffer, t format.Trial) {
	fmt.Fprintf(b, "%q: %s", t.Input, t.Decision)
	if t.Decision != format.Malformed {
		fmt.Fprintf(b, " as %s (%s)", t.Normalised, t.Layer)
	}
	b.WriteString("\n")
	writeWrapped(b, t.Reason)
	if origin := t.Rule.Origin.String(); origin != "" {
		writeWrapped(b, "Decided by "+origin+".")
	}
	if t.Query != nil {
		writeWrapped(b, fmt.Sprintf("DNS query: %s (%s). %s", t.Query.Decision, t.Query.Layer, t.Query.Reason))
	}
	b.WriteString("\n")
}

func writeWrapped(b *bytes.Buffer, text string) {
	for _, line := range wrap(text, lineWidth-2) {
		fmt.Fprintln(b, "  "+line)
	}
}
