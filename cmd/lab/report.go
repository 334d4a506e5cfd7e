package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"sixways-lab/trial"
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
	lab, err := trial.New()
	if err != nil {
		return err
	}
	versions, err := trial.FindVersions()
	if err != nil {
		return err
	}
	results, err := lab.Survey(trial.Builds())
	if err != nil {
		return err
	}
	sum, err := trial.Report(results, versions, time.Now())
	if err != nil {
		return err
	}
	text, err := encode(sum)
	if err != nil {
		return err
	}
	if out == "" {
		_, err = stdout.Write(text)
		return err
	}
	return os.WriteFile(out, text, 0o644)
}

// encode writes one line for each field, and for each entry of a list, so that
// the file stays small and its changes readable.
func encode(lab fixture.Lab) ([]byte, error) {
	var b bytes.Buffer
	v := reflect.ValueOf(lab)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		fmt.Fprintf(&b, "%s\n%q: ", []string{"{", ","}[min(i, 1)], name)
		if err := encodeField(&b, v.Field(i)); err != nil {
			return nil, fmt.Errorf("results: %s: %w", name, err)
		}
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

func encodeField(b *bytes.Buffer, field reflect.Value) error {
	if field.Kind() != reflect.Slice {
		text, err := json.Marshal(field.Interface())
		b.Write(text)
		return err
	}
	b.WriteString("[")
	for i := range field.Len() {
		text, err := json.Marshal(field.Index(i).Interface())
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "%s\n%s", []string{"", ","}[min(i, 1)], text)
	}
	b.WriteString("\n]")
	return nil
}
