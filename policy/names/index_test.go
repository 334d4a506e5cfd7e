package names_test

import (
	"fmt"
	"testing"

	"sixways/policy/document"
	"sixways/policy/names"
)

func entry(order int) names.Entry {
	return names.Entry{Position: document.Position{Line: order + 1, Column: 1}, Order: order}
}

// The first entry in the order of the list is named, whichever kind it is of.
func TestFind(t *testing.T) {
	var x names.Index
	x.AddExact("pypi.org", 443, entry(0))
	x.AddBelow("partner.example", 0, entry(1))
	x.AddExact("api.partner.example", 0, entry(2))
	x.AddBelow("example", 8443, entry(3))
	x.AddAll(22, entry(4))
	x.AddExact("pypi.org", 443, entry(5))
	tests := []struct {
		because, name string
		port          uint16
		wild          bool
		want          int // the entry's order, -1 for none
	}{
		{"an exact name at its port", "pypi.org", 443, true, 0},
		{"not at another", "pypi.org", 80, true, -1},
		{"below a parent", "a.b.partner.example", 1, true, 1},
		{"the earlier of two that match", "api.partner.example", 443, true, 1},
		{"an exact name where no wildcard may match", "api.partner.example", 443, false, 2},
		{"not the parent itself", "partner.example", 443, true, -1},
		{"a wildcard with a port", "partner.example", 8443, true, 3},
		{"not a name that ends alike", "notpartner.example", 443, true, -1},
		{"everything at a port", "attacker.test", 22, true, 4},
		{"an empty name", "", 443, true, -1},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			got := -1
			if e, ok := x.Find(tt.name, tt.port, tt.wild); ok {
				got = e.Order
			}
			if got != tt.want {
				t.Errorf("entry %d, want %d", got, tt.want)
			}
		})
	}
	if got := x.Len(); got != 5 {
		t.Errorf("%d entries, want 5 that differ", got)
	}
}

// An empty index matches nothing.
func TestFindInNothing(t *testing.T) {
	var x names.Index
	if e, ok := x.Find("api.partner.example", 443, true); ok {
		t.Errorf("found %v", e)
	}
}

// One look-up does not allocate, however long the list.
func TestFindDoesNotAllocate(t *testing.T) {
	var x names.Index
	for i := range 1000 {
		x.AddExact(fmt.Sprintf("h%d.example", i), 0, entry(i))
		x.AddBelow(fmt.Sprintf("w%d.example", i), 0, entry(1000+i))
	}
	n := testing.AllocsPerRun(100, func() {
		if _, ok := x.Find("a.b.w999.example", 443, true); !ok {
			t.Error("not found")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
