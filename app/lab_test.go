package app

import (
	"testing"

	"sixways/fixture"
)

// The page boasts of no more than the worst of the faithful builds.
func TestHeldText(t *testing.T) {
	r := fixture.Lab{Cells: 288, Builds: []fixture.LabBuild{
		{Name: "a", Faithful: true, Agree: 288},
		{Name: "b", Faithful: true, Agree: 287},
		{Name: "c", Agree: 3},
	}}
	const want = "Held against a real Linux build: 287 of 288 decisions agree, in each of 2 builds that do what the model means."
	if got := HeldText(r); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
