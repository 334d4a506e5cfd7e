package app

import (
	"slices"
	"testing"

	"sixways/fixture"
)

func TestEverySettingHasItsPlace(t *testing.T) {
	ids := map[string]fixture.Settings{}
	for _, s := range fixture.All() {
		p := placeOf(s)
		if got := p.settings(); got != s {
			t.Errorf("%v stands at %v, where %v is", s, p, got)
		}
		if other, taken := ids[p.id()]; taken {
			t.Errorf("%v and %v are both %s", s, other, p.id())
		}
		ids[p.id()] = s
	}
	if p := placeOf(fixture.Opening()); p != (place{}) {
		t.Errorf("the opening state stands at %v, not first", p)
	}
}

// On the torus each key moves one control, and one of its own two: columns are
// DNS and loopback, rows the task API and metadata.
func TestEachKeyMovesOneControl(t *testing.T) {
	columns, rows, maps := []string{"force-dns", "loopback"}, []string{"task-api", "block-metadata"}, []string{"policy"}
	tests := []struct {
		key, back string
		moves     []string
		round     int
	}{
		{"ArrowRight", "ArrowLeft", columns, 4},
		{"ArrowLeft", "ArrowRight", columns, 4},
		{"ArrowDown", "ArrowUp", rows, 4},
		{"ArrowUp", "ArrowDown", rows, 4},
		{"PageDown", "PageUp", maps, 3},
		{"PageUp", "PageDown", maps, 3},
	}
	for _, test := range tests {
		for _, s := range fixture.All() {
			from := placeOf(s)
			to, ok := from.moved(test.key)
			changes := s.Difference(to.settings())
			if !ok || len(changes) != 1 || !slices.Contains(test.moves, changes[0].Key) {
				t.Errorf("%s from %v: %v; want one of %v", test.key, s, changes, test.moves)
			}
			if back, _ := to.moved(test.back); back != from {
				t.Errorf("%s and %s from %v lead to %v", test.key, test.back, from, back)
			}
			at := from
			for range test.round {
				at, _ = at.moved(test.key)
			}
			if at != from {
				t.Errorf("%d times %s from %v lead to %v", test.round, test.key, from, at)
			}
		}
	}
}

func TestOtherKeysOfTheMap(t *testing.T) {
	from := place{1, 2, 2}
	for key, want := range map[string]place{"Home": {1, 2, 0}, "End": {1, 2, 3}} {
		if got, ok := from.moved(key); !ok || got != want {
			t.Errorf("%s: %v, %v; want %v", key, got, ok, want)
		}
	}
	for _, key := range []string{"Tab", "a", "Escape"} {
		if got, ok := from.moved(key); ok || got != from {
			t.Errorf("%s moves to %v", key, got)
		}
	}
}

func TestStateText(t *testing.T) {
	for _, test := range []struct {
		s    fixture.Settings
		want string
	}{
		{state(t), "Denylist *.attacker.test; task API on the list; metadata open; DNS not forced; loopback shared: 5 unwanted ways out, the task works"},
		{state(t, "policy=allowlist", "force-dns=1", "block-metadata=1"), "Allowlist the task API only; task API on the list; metadata blocked; DNS forced; loopback shared: 1 unwanted way out, the task works"},
		{state(t, "policy=allowlist", "force-dns=1", "loopback=0"), "Allowlist the task API only; task API on the list; metadata open; DNS forced; loopback not shared: contained, 0 unwanted ways out, the task works"},
		{state(t, "policy=deny-all", "task-api=0", "loopback=0"), "Deny all egress; task API off the list; metadata open; DNS not forced; loopback not shared: contained, 0 unwanted ways out, the task fails"},
	} {
		if got := StateText(test.s); got != test.want {
			t.Errorf("\ngot  %s\nwant %s", got, test.want)
		}
	}
}

func TestCountText(t *testing.T) {
	goals := 0
	for _, s := range fixture.All() {
		if m := fixture.Run(s).Metrics(); m != metricsOf()[s] {
			t.Errorf("%v: the map has %v, the run %v", s, metricsOf()[s], m)
		}
		if s.Goal() {
			goals++
		}
	}
	want := itoa(goals) + " of the 48 settings contain the fixture with the task still working."
	if got := CountText(); got != want || goals != 2 {
		t.Errorf("got %q, want %q with 2", got, want)
	}
}
