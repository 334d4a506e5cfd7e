package app

import (
	"strings"
	"testing"

	"sixways/fixture"
)

// state moves controls from the opening state, written "key=value" as in an
// address.
func state(t *testing.T, pairs ...string) fixture.Settings {
	t.Helper()
	s := fixture.Opening()
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		if err := s.Set(key, value); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestFlipsText(t *testing.T) {
	const api, index, metadata, query, sidecar = 0, 1, 3, 4, 5
	tests := []struct {
		rule    string
		from    fixture.Settings
		attempt int
		want    string
	}{
		{"a policy goes by its own label", state(t), api,
			"Closed by: Deny all egress."},
		{"what breaks the task says so, and only that", state(t), index,
			"Closed by: Allowlist the task API only; or Deny all egress, which also blocks the partner API."},
		{"a switch to be turned on goes by its label", state(t), metadata,
			"Closed by: Allowlist the task API only; Deny all egress, which also blocks the partner API; or Block the link-local metadata address."},
		{"a switch to be turned off says so", state(t), sidecar,
			"Closed by: Sandbox can reach the host loopback, turned off."},
		{"where every way breaks the task it is said once", state(t, "task-api=0"), index,
			"Closed by: Allowlist the task API only; or Deny all egress. Closing this also blocks the partner API."},
		{"what is blocked is opened", state(t, "force-dns=1"), query,
			"Opened by: Force DNS through the policy resolver, turned off."},
		{"two locks on one door", state(t, "policy=allowlist", "block-metadata=1"), metadata,
			"No single control opens this."},
		{"an entry on the list", state(t, "policy=allowlist", "task-api=0"), api,
			"Opened by: Denylist *.attacker.test; or Task API host is on the allowlist."},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if got := FlipsText(test.from, test.attempt); got != test.want {
				t.Errorf("\ngot  %s\nwant %s", got, test.want)
			}
		})
	}
}

// Whatever the settings, the sentence names each control that flips and no
// other, and the partner API exactly where a flip breaks it.
func TestFlipsTextIsComplete(t *testing.T) {
	for _, s := range fixture.All() {
		for i := range fixture.Run(s).Decisions {
			text, flips := FlipsText(s, i), s.Flips(i)
			breaks := false
			names := 0
			for _, f := range flips {
				breaks = breaks || len(f.Breaks) > 0
				if !strings.Contains(text, flipText(f.Change)) {
					t.Errorf("%v, %d: %q does not name %v", s, i, text, f.Change)
				}
			}
			for _, c := range s.Changes() {
				label, value := spelled(c)
				if c.Key == fixture.PolicyKey {
					label = value
				}
				if strings.Contains(text, label) {
					names++
				}
			}
			if names != len(flips) {
				t.Errorf("%v, %d: %q names %d controls, not %d", s, i, text, names, len(flips))
			}
			if got := strings.Contains(text, "also blocks the partner API"); got != breaks {
				t.Errorf("%v, %d: %q, and a flip breaks the task: %v", s, i, text, breaks)
			}
		}
	}
}

func TestMovedText(t *testing.T) {
	for _, test := range []struct {
		from, to fixture.Settings
		want     string
	}{
		{state(t), state(t, "loopback=0"), "1 control moved: “Sandbox can reach the host loopback” off."},
		{state(t), state(t, "policy=deny-all", "force-dns=1"),
			"2 controls moved: “Egress proxy policy” to “Deny all egress”; “Force DNS through the policy resolver” on."},
	} {
		if got := MovedText(test.from.Difference(test.to)); got != test.want {
			t.Errorf("\ngot  %s\nwant %s", got, test.want)
		}
	}
}

func TestGoalText(t *testing.T) {
	for _, test := range []struct {
		from        fixture.Settings
		title, text string
	}{
		{state(t), "From here to contained, with the task working:",
			"choose “Allowlist the task API only”; turn “Force DNS through the policy resolver” on; turn “Sandbox can reach the host loopback” off."},
		{state(t, "policy=allowlist", "force-dns=1"), "From here to contained, with the task working:",
			"turn “Sandbox can reach the host loopback” off."},
		{state(t, "policy=allowlist", "force-dns=1", "loopback=0"), "Contained, and the task works.", "Nothing is left to change."},
	} {
		if title, text := GoalText(test.from.ToGoal()); title != test.title || text != test.text {
			t.Errorf("\ngot  %s %s\nwant %s %s", title, text, test.title, test.text)
		}
	}
}
