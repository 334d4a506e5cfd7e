package browser_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

// Every claim of the walk-through holds when a reader does what it says.
func TestClaims(t *testing.T) {
	p := open(t, serve(t, dist))
	for _, step := range fixture.WalkThrough() {
		for _, claim := range step.Claims {
			p.test(step.ID+"/"+claim.Settings().String(), func() {
				p.setTo(fixture.Opening())
				for _, change := range claim.Changes {
					p.set(change)
				}
				p.waitFor("the page to follow the controls", func() bool {
					return p.metrics()["Unwanted egress"] == strconv.Itoa(claim.Unwanted)
				})
				if diff := cmp.Diff(claim.Blocked, p.blocked()); diff != "" {
					p.t.Errorf("blocked destinations (-want +got):\n%s", diff)
				}
				want := map[string]string{
					"Unwanted egress":             strconv.Itoa(claim.Unwanted),
					"Needed destinations reached": map[bool]string{true: "1", false: "0"}[claim.TaskWorks],
					"Attempts blocked":            strconv.Itoa(len(claim.Blocked)),
					"Containment":                 map[bool]string{true: "Contained", false: "Leaking"}[claim.Unwanted == 0],
					"Task":                        map[bool]string{true: "Works", false: "Fails"}[claim.TaskWorks],
				}
				if diff := cmp.Diff(want, p.metrics()); diff != "" {
					p.t.Errorf("metrics (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// blocked lists the destinations whose row says that they are blocked.
func (p *page) blocked() []string {
	p.t.Helper()
	var blocked []string
	for _, row := range p.rows() {
		if row[2] == "Blocked" {
			blocked = append(blocked, strings.Fields(row[0])[0])
		}
	}
	return blocked
}

// setTo moves the controls that differ from the settings, by hand.
func (p *page) setTo(s fixture.Settings) {
	p.t.Helper()
	for _, change := range p.controls().Difference(s) {
		p.set(change)
	}
}

// set gives one control a value, by hand.
func (p *page) set(c fixture.Change) {
	p.t.Helper()
	s := fixture.Opening().With(c)
	defer p.settle()
	if c.Key == fixture.PolicyKey {
		p.get("combobox", fixture.PolicyLabel).choose(s.Policy.Label())
		return
	}
	for _, sw := range fixture.Switches() {
		if sw.Key == c.Key && p.get("checkbox", sw.Label).js("return this.checked") != *sw.Of(&s) {
			p.get("checkbox", sw.Label).click()
		}
	}
}

// settle waits for what a change leaves for the frames after that of its result.
func (p *page) settle() {
	p.t.Helper()
	p.eval(`(async () => {
		for (let i = 0; i < 10; i++) await new Promise((r) => requestAnimationFrame(() => setTimeout(r)));
	})()`)
}

// controls reads the five controls.
func (p *page) controls() fixture.Settings {
	p.t.Helper()
	var s fixture.Settings
	value := p.get("combobox", fixture.PolicyLabel).js("return this.value").(string)
	if err := s.Set(fixture.PolicyKey, value); err != nil {
		p.t.Fatal(err)
	}
	for _, sw := range fixture.Switches() {
		*sw.Of(&s) = p.get("checkbox", sw.Label).js("return this.checked").(bool)
	}
	return s
}
