// Command sixways builds the simulator's site, serves it, decides the scenario in
// a terminal, and checks policy files.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// command is a sub-command: run gets what stands after its name.
type command struct {
	name    string
	summary string
	run     func(ctx context.Context, args []string, stdout, stderr io.Writer) error
}

// commands returns all sub-commands in the order of the help text.
func commands() []command {
	return []command{buildCommand, serveCommand, runCommand, matrixCommand, checkCommand}
}

// usage is an error in how the command was called.
type usage struct{ error }

// exit is the exit status of a command that has said on its own what there is
// to say.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := dispatch(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// dispatch runs a sub-command and returns the exit status: 0, 1 for what went
// wrong, 2 for bad use.
func dispatch(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := find(ctx, args, stdout, stderr)
	var bad usage
	var done exit
	switch {
	case err == nil:
		return 0
	case errors.As(err, &done):
		return int(done)
	case errors.As(err, &bad):
		fmt.Fprintf(stderr, "sixways: %s\n", strings.ReplaceAll(err.Error(), "\n", " "))
		return 2
	default:
		fmt.Fprintf(stderr, "sixways: %v\n", err)
		return 1
	}
}

func find(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return help(stdout)
	}
	switch args[0] {
	case "help", "-h", "-help", "--help":
		return help(stdout)
	}
	var names []string
	for _, c := range commands() {
		if c.name == args[0] {
			return c.run(ctx, args[1:], stdout, stderr)
		}
		names = append(names, c.name)
	}
	return usage{fmt.Errorf("unknown command %q: want %s or help", args[0], strings.Join(names, ", "))}
}

func help(w io.Writer) error {
	var b strings.Builder
	b.WriteString("sixways simulates egress policy for agent sandboxes.\n\nUsage:\n\n  sixways COMMAND [FLAGS]\n\nCommands:\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-8s %s\n", c.name, c.summary)
	}
	b.WriteString("\n`sixways COMMAND --help` lists a command's flags.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// parse reads a command's flags; it takes no other arguments. It reports
// whether help was asked for, which is then printed.
func parse(f *flag.FlagSet, args []string, summary string, stdout io.Writer) (helped bool, err error) {
	f.SetOutput(io.Discard)
	err = f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		_, err := fmt.Fprintf(stdout, "sixways %s: %s\n\n%s", f.Name(), summary, flags(f))
		return true, err
	}
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err != nil {
		return false, usage{fmt.Errorf("%s: %w: want %s", f.Name(), err, accepted(f))}
	}
	return false, nil
}

// flags describes each flag.
func flags(f *flag.FlagSet) string {
	var b strings.Builder
	f.VisitAll(func(f *flag.Flag) {
		_, text := flag.UnquoteUsage(f)
		fmt.Fprintf(&b, "  %s\n      %s (default %s)\n", form(f), text, f.DefValue)
	})
	return b.String()
}

// accepted names the flags in one line.
func accepted(f *flag.FlagSet) string {
	var names []string
	f.VisitAll(func(f *flag.Flag) {
		names = append(names, form(f))
	})
	return strings.Join(names, ", ")
}

// form is how a flag is written. A switch needs no value.
func form(f *flag.Flag) string {
	value, _ := flag.UnquoteUsage(f)
	return strings.TrimSpace("--" + f.Name + " " + value)
}
