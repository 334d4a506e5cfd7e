package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

func TestEncodeKeepsEverything(t *testing.T) {
	want := fixture.LabResults()
	text, err := encode(want)
	if err != nil {
		t.Fatal(err)
	}
	var got fixture.Lab
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results after a round trip (-want +got):\n%s", diff)
	}
}
