package main

import (
	"fmt"
	"slices"
	"strings"

	"sixways/fixture"
)

// jsonKey is the flag beside those of the controls.
const jsonKey = "json"

// options are the flags of a command that decides the scenario, read.
type options struct {
	settings   fixture.Settings
	json, help bool
}

// parseOptions reads flags that have one of the keys. It is not the flag
// package, which takes t, T and TRUE for a switch: the page's address does not.
func parseOptions(args, keys []string) (options, error) {
	o := options{settings: fixture.Opening()}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		key, value, hasValue := cutFlag(arg)
		switch {
		case key == "h" || key == "help":
			return options{help: true}, nil
		case key == "":
			return o, fmt.Errorf("unexpected argument %q; want only %s", arg, flagForms(keys))
		case !slices.Contains(keys, key):
			return o, fmt.Errorf("unknown flag %q; want %s", arg, flagForms(keys))
		case !hasValue && key == fixture.PolicyKey:
			if len(args) == 0 {
				return o, fmt.Errorf("--%s lacks its value; want %s", key, strings.Join(policyNames(), ", "))
			}
			value, args = args[0], args[1:]
		case !hasValue:
			value = "1"
		}
		if err := o.set(key, value); err != nil {
			return o, fmt.Errorf("--%w", err)
		}
	}
	return o, nil
}

// cutFlag takes --key, -key and --key=value apart; the key of anything else is
// empty.
func cutFlag(arg string) (key, value string, hasValue bool) {
	text, ok := strings.CutPrefix(arg, "-")
	if !ok {
		return "", "", false
	}
	return strings.Cut(strings.TrimPrefix(text, "-"), "=")
}

func (o *options) set(key, value string) error {
	if key != jsonKey {
		return o.settings.Set(key, value)
	}
	on, err := fixture.ParseSwitch(value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	o.json = on
	return nil
}

// flagForms names the flags with their values, in one line: the end of an
// error.
func flagForms(keys []string) string {
	var flags []string
	for _, key := range keys {
		if key == fixture.PolicyKey {
			key += "=" + strings.Join(policyNames(), "|")
		}
		flags = append(flags, "--"+key)
	}
	if len(flags) == 1 {
		return flags[0]
	}
	return strings.Join(flags, ", ") + " (a switch also with =1, =0, =true or =false)"
}

func policyNames() []string {
	var names []string
	for _, p := range fixture.Policies() {
		names = append(names, p.String())
	}
	return names
}
