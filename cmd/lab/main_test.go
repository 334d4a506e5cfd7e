package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"testing"

	"sixways-lab/outer"
	"sixways-lab/trial"
)

// notPermitted is why the namespaces are missing; nil where they are not.
var notPermitted error

// asProgram is a variable of the environment that makes the test binary the
// program itself.
const asProgram = "SIXWAYS_LAB_AS_PROGRAM"

// TestMain runs the tests where the program itself runs: inside.
func TestMain(m *testing.M) {
	if code, ok := play(os.Args[0]); ok {
		os.Exit(code)
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
	}
	// Unless the command line says otherwise. They wait more than they work.
	if err := flag.Set("test.parallel", fmt.Sprint(trial.Parallel())); err != nil {
		panic(err)
	}
	code, err := outer.Run(m.Run)
	if errors.Is(err, outer.ErrNotPermitted) && os.Getenv("CI") == "" {
		notPermitted = err
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// privileged skips a test that needs root where there is none, and in CI fails
// it.
func privileged(t *testing.T) {
	t.Helper()
	unless(t, outer.Privileged(), trial.ErrNeedsRoot)
}

// unless skips a test for a reason, and in CI fails it.
func unless(t *testing.T, possible bool, reason any) {
	t.Helper()
	switch {
	case possible:
	case os.Getenv("CI") != "":
		t.Fatal(reason)
	default:
		t.Skip(reason)
	}
}

// inside skips a test that needs namespaces, where there are none. In CI it
// never comes to that.
func inside(t *testing.T) {
	t.Helper()
	if notPermitted != nil {
		t.Skip(notPermitted)
	}
}
