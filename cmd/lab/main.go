package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"sixways-lab/attempt"
	"sixways-lab/gateway"
	"sixways-lab/outer"
)

func main() {
	if code, ok := play(os.Args[0]); ok {
		os.Exit(code)
	}
	os.Exit(command(os.Args[1:], os.Stdout, os.Stderr))
}

// play runs the process that argument zero names, where it names one of the
// program's own.
func play(process string) (code int, ok bool) {
	switch process {
	case attempt.ProcessName:
		return attempt.Main(os.Stdin, os.Stdout, os.Stderr), true
	case gateway.ProcessName:
		return gateway.Main(os.Stdin, os.Stderr), true
	}
	return 0, false
}

// Exit statuses.
const (
	exitFailed = 1 // the lab could not run, or saw what it did not expect
	exitUsage  = 2
)

const usage = `sixways-lab holds the model of sixways against real Linux.

  sixways-lab run [flags]       build one setting, make the attempts, compare
  sixways-lab report [flags]    do so for all settings of all builds and write
                                the results
`

// command runs a command line and returns the exit status.
func command(args []string, stdout, stderr io.Writer) int {
	act, err := parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "sixways-lab:", err)
		return exitUsage
	}
	code, err := outer.Run(func() int {
		if err := act(stdout); err != nil {
			fmt.Fprintln(stderr, "sixways-lab:", err)
			return exitFailed
		}
		return 0
	})
	if err != nil {
		fmt.Fprintln(stderr, "sixways-lab:", err)
	}
	return code
}

// action is a command that has been read and waits to be run inside.
type action func(stdout io.Writer) error

func parse(args []string) (action, error) {
	if len(args) == 0 {
		return nil, errors.New("no command; want run or report")
	}
	switch args[0] {
	case "run":
		return parseRun(args[1:])
	case "report":
		return parseReport(args[1:])
	case "help", "-h", "-help", "--help":
		return nil, flag.ErrHelp
	}
	return nil, fmt.Errorf("command %q is unknown; want run or report", args[0])
}

// parseFlags adds to an error what would be accepted.
func parseFlags(set *flag.FlagSet, args []string) error {
	set.SetOutput(io.Discard)
	var known []string
	set.VisitAll(func(f *flag.Flag) { known = append(known, "--"+f.Name) })
	err := set.Parse(args)
	if err == nil && set.NArg() > 0 {
		err = fmt.Errorf("%q is no flag", set.Arg(0))
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		return fmt.Errorf("%s: %w; the flags are %s", set.Name(), err, strings.Join(known, " "))
	}
	return err
}
