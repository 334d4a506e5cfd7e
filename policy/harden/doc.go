// Package harden reads the settings of StepSecurity's harden-runner, from a
// GitHub Actions workflow or bare.
//
// What is said here of it was read in its action and in its community agent
// (github.com/step-security/harden-runner and /agent), and in GitHub's runner
// (github.com/actions/runner), which hands the action its inputs. The agent answers DNS
// itself: names on the list it looks up, others get the address of a sinkhole.
// What the looked-up names resolve to it opens in iptables, IPv4 alone, each at
// its port. A pattern is cut at its first two stars, and a name matches that
// begins with the first piece and ends with the second, case and all.
package harden
