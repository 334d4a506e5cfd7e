package app

import (
	"strings"

	"sixways/fixture"
	"sixways/policy"
)

// Recipe says in the labels' own words how to make some changes.
func Recipe(changes []fixture.Change) string {
	if len(changes) == 0 {
		return "change nothing."
	}
	return listed(changes, recipeStep) + "."
}

func recipeStep(c fixture.Change) string {
	label, value := spelled(c)
	if c.Key == fixture.PolicyKey {
		return "choose “" + value + "”"
	}
	return "turn “" + label + "” " + value
}

// MovedText says which controls some changes have moved, and where to.
func MovedText(changes []fixture.Change) string {
	return count(len(changes), "control") + " moved: " + listed(changes, movedTo) + "."
}

func movedTo(c fixture.Change) string {
	label, value := spelled(c)
	if c.Key == fixture.PolicyKey {
		return "“" + label + "” to “" + value + "”"
	}
	return "“" + label + "” " + value
}

// listed writes one phrase for each change.
func listed(changes []fixture.Change, phrase func(fixture.Change) string) string {
	var phrases []string
	for _, c := range changes {
		phrases = append(phrases, phrase(c))
	}
	return strings.Join(phrases, "; ")
}

// spelled returns the label of a change's control and its new value as the
// page shows them.
func spelled(c fixture.Change) (label, value string) {
	s := fixture.Opening().With(c)
	if c.Key == fixture.PolicyKey {
		return fixture.PolicyLabel, s.Policy.Label()
	}
	for _, sw := range fixture.Switches() {
		if sw.Key == c.Key {
			return sw.Label, onOff(*sw.Of(&s))
		}
	}
	panic("no control " + c.Key)
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return itoa(n) + " " + noun + "s"
}

// The words for turning an attempt over, either way.
var (
	closing = turning{"Closed by: ", "closes", "Closing"}
	opening = turning{"Opened by: ", "opens", "Opening"}
)

type turning struct{ by, present, doing string }

// FlipsText says which single control would turn attempt i over, and what
// that breaks.
func FlipsText(s fixture.Settings, i int) string {
	run := fixture.Run(s)
	words := opening
	if run.Decisions[i].Verdict == policy.Allowed {
		words = closing
	}
	flips := s.Flips(i)
	if len(flips) == 0 {
		return "No single control " + words.present + " this."
	}
	if lost := alwaysLost(run, flips); lost != "" {
		return words.by + either(flips, func(f fixture.Flip) string { return flipText(f.Change) }) +
			". " + words.doing + " this also blocks " + lost + "."
	}
	return words.by + either(flips, func(f fixture.Flip) string {
		text := flipText(f.Change)
		if lost := lostText(run, f.Breaks); lost != "" {
			text += ", which also blocks " + lost
		}
		return text
	}) + "."
}

// alwaysLost names what every flip breaks alike, and is empty where they
// differ.
func alwaysLost(run policy.Run, flips []fixture.Flip) string {
	lost := lostText(run, flips[0].Breaks)
	for _, f := range flips[1:] {
		if lostText(run, f.Breaks) != lost {
			return ""
		}
	}
	return lost
}

// either lists flips of which any one is enough.
func either(flips []fixture.Flip, phrase func(fixture.Flip) string) string {
	text := ""
	for i, f := range flips {
		switch {
		case i == 0:
		case i == len(flips)-1:
			text += "; or "
		default:
			text += "; "
		}
		text += phrase(f)
	}
	return text
}

// flipText names a change by its control; a policy by its own label.
func flipText(c fixture.Change) string {
	label, value := spelled(c)
	switch {
	case c.Key == fixture.PolicyKey:
		return value
	case value == "off":
		return label + ", turned off"
	}
	return label
}

// lostText names needed attempts, and is empty where there are none.
func lostText(run policy.Run, lost []int) string {
	var names []string
	for _, i := range lost {
		names = append(names, "the "+lowerFirst(fixture.WayOf(i).Name))
	}
	return strings.Join(names, " and ")
}

// lowerFirst lets a name stand inside a sentence; an abbreviation stays.
func lowerFirst(name string) string {
	if len(name) > 1 && name[1] >= 'A' && name[1] <= 'Z' {
		return name
	}
	return strings.ToLower(name[:1]) + name[1:]
}
