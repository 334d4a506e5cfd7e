package browser_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
)

// tree lists the page's elements, attributes, states and texts, one a line. It
// leaves out what depends on how a state was reached: what screen readers were
// told, the status of the loading, and the form of the picture that is hidden.
const tree = `(() => {
	const lines = [];
	const hidden = matchMedia("(max-width: 44rem)").matches ? "wide" : "tall";
	const walk = (node, depth) => {
		const line = (text) => lines.push("  ".repeat(depth) + text);
		if (node.nodeType === Node.TEXT_NODE) return line(JSON.stringify(node.data));
		if (["said", "boot-status", "notice", hidden].includes(node.id)) return;
		const attributes = [...node.attributes].filter((a) => !["style", "checked", "selected"].includes(a.name))
			.map((a) => a.name + "=" + JSON.stringify(a.value)).sort();
		for (const state of ["checked", "selected", "disabled"]) if (node[state] !== undefined) attributes.push(state + ": " + node[state]);
		if (node.value !== undefined) attributes.push("value: " + node.value);
		line(node.localName + " " + attributes.join(" "));
		for (const child of node.childNodes) walk(child, depth + 1);
	};
	walk(document.getElementById("page"), 0);
	return lines;
})()`

// settled returns how two tabs differ once go-app has rendered both.
func settled(p, fresh *page) (diff string) {
	for range 20 {
		if diff = cmp.Diff(evalTo[[]string](fresh, tree), evalTo[[]string](p, tree)); diff == "" {
			return ""
		}
		time.Sleep(50 * time.Millisecond)
	}
	return diff
}

// However a state is reached, from the pre-rendered page, from another state or
// at once, the page that shows it is the same, element for element.
func TestThePageIsAFunctionOfItsState(t *testing.T) {
	address := serve(t, dist)
	random := rand.New(rand.NewPCG(6, 48))
	all := fixture.All()
	var states []fixture.State
	for range 10 {
		states = append(states, fixture.State{
			Settings: all[random.IntN(len(all))],
			Second:   random.IntN(61),
			Speed:    fixture.Speeds()[random.IntN(len(fixture.Speeds()))],
		})
	}
	states = append(states, fixture.State{Settings: fixture.Opening(), Speed: 1, Predict: true}, fixture.OpeningState())

	// That of a fresh page without a state is the pre-rendered one, kept.
	kept := evalTo[[]string](open(t, address), tree)

	p := open(t, address)
	fresh := open(t, address)
	for _, s := range states {
		fragment := s.Fragment()
		p.eval(fmt.Sprintf(`location.hash = %q`, fragment))
		p.waitUntil("the page to take "+fragment+" over", fmt.Sprintf(`document.getElementById("time").value === "%d"
			&& document.getElementById("predict").checked === %t`, s.Second, s.Predict))
		fresh.visit(address + "#" + fragment)
		for _, narrow := range []bool{false, true} {
			for _, tab := range []*page{p, fresh} {
				if narrow {
					tab.size(400, 900, 1)
				} else {
					tab.size(1280, 900, 1)
				}
			}
			if diff := settled(p, fresh); diff != "" {
				t.Errorf("%s, narrow %t (-loaded +reached from another state):\n%s", fragment, narrow, diff)
			}
		}
	}
	p.size(1280, 900, 1)
	if diff := cmp.Diff(kept, evalTo[[]string](p, tree)); diff != "" {
		t.Errorf("the opening state (-kept +reached from another state):\n%s", diff)
	}

	fresh.size(1280, 900, 1)
	// By hand, at once and after the page has had time to foresee the change.
	here := fixture.Opening()
	for i := range 8 {
		changes := here.Changes()
		change := changes[random.IntN(len(changes))]
		here = here.With(change)
		p.set(change)
		if i%2 == 0 {
			time.Sleep(300 * time.Millisecond)
		}
		fragment := fixture.State{Settings: here, Speed: 1}.Fragment()
		fresh.visit(address + "#" + fragment)
		if diff := settled(p, fresh); diff != "" {
			t.Errorf("%s (-loaded +changed to by hand):\n%s", fragment, diff)
		}
	}
	p.get("combobox", "Speed").choose("4×")
	p.get("button", "Play").click()
	p.waitFor("two events", func() bool { return p.second() > 16 })
	p.get("button", "Pause").click()
	p.get("button", "Play")
	fragment := fixture.State{Settings: here, Speed: 4, Second: p.second()}.Fragment()
	fresh.visit(address + "#" + fragment)
	if diff := settled(p, fresh); diff != "" {
		t.Errorf("%s (-loaded +played to):\n%s", fragment, diff)
	}
}
