package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"time"

	"sixways-lab/trial"
	"sixways-lab/world"
	"sixways/fixture"
)

func parseReport(args []string) (action, error) {
	set := flag.NewFlagSet("report", flag.ContinueOnError)
	out := set.String("out", "", "")
	if err := parseFlags(set, args); err != nil {
		return nil, err
	}
	return func(stdout io.Writer) error { return report(*out, stdout) }, nil
}

// report surveys all builds and writes the results to a file, or to stdout
// where it has no name. A survey that fails leaves the file as it is.
func report(out string, stdout io.Writer) error {
	identity, err := world.NewIdentity()
	if err != nil {
		return err
	}
	versions, err := trial.FindVersions()
	if err != nil {
		return err
	}
	results, err := trial.Survey(trial.Builds(), identity)
	if err != nil {
		return err
	}
	lab, err := trial.Report(results, versions, time.Now())
	if err != nil {
		return err
	}
	text, err := encode(lab)
	if err != nil {
		return err
	}
	if out == "" {
		_, err = stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644)
}

func encode(lab fixture.Lab) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(lab)
	return b.Bytes(), err
}
