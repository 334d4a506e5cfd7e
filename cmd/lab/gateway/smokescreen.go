package gateway

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/stripe/smokescreen/cmd"
	"github.com/stripe/smokescreen/pkg/smokescreen"

	"sixways-lab/outer"
)

// serveSmokescreen runs Smokescreen as its own program does, on configuration
// files in its own form.
func serveSmokescreen(p Proxy, listener net.Listener, ready func()) error {
	dir, err := os.MkdirTemp(outer.Scratch, "smokescreen")
	if err != nil {
		return err
	}
	config, rules := dir+"/config.yaml", dir+"/rules.yaml"
	if err := os.WriteFile(rules, []byte(smokescreenRules(p.List)), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(config, []byte(smokescreenConfig(p, rules)), 0o600); err != nil {
		return err
	}
	conf, err := cmd.NewConfiguration([]string{"smokescreen", "--config-file", config}, nil)
	if err != nil {
		return fmt.Errorf("smokescreen: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	conf.Listener = listener
	conf.Log.SetOutput(io.Discard)
	ready() // the listener holds whoever comes before the next line
	smokescreen.StartWithConfig(conf, nil)
	return errors.New("smokescreen ended")
}

func smokescreenConfig(p Proxy, rules string) string {
	text := "allow_missing_role: true\nnetwork: ip4\nacl_file: " + rules + "\nresolver_addresses: ['" + p.Resolver + "']\n"
	if p.LinkLocal {
		text += "allow_ranges: ['169.254.0.0/16']\n"
	}
	return text
}

func smokescreenRules(l List) string {
	action, allowed, denied := "enforce", "", ""
	if l.Deny {
		action = "open"
		denied = "'*." + strings.Join(l.Domains, "', '*.") + "'"
	} else if len(l.Domains) > 0 {
		allowed = "'" + strings.Join(l.Domains, "', '") + "'"
	}
	return fmt.Sprintf(`version: v1
services: []
default:
  name: default
  project: lab
  action: %s
  allowed_domains: [%s]
global_deny_list: [%s]
`, action, allowed, denied)
}
