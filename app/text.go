package app

import (
	"strconv"
	"strings"

	"sixways/policy"
)

func itoa(n int) string { return strconv.Itoa(n) }

func boolText(b bool) string { return strconv.FormatBool(b) }

func yesNo(b bool) string {
	if b {
		return "Yes"
	}
	return "No"
}

// tone names the colour of something good or bad.
func tone(good bool) string {
	if good {
		return "good"
	}
	return "bad"
}

// decisionTone is good where a decision is what the owner of the sandbox
// wants: the needed out, the rest in.
func decisionTone(d policy.Decision) string {
	return tone((d.Verdict == policy.Allowed) == d.Attempt.Needed)
}

// prose sets what stands between backquotes in code type.
func prose(text string) []node {
	var parts []node
	for i, part := range strings.Split(text, "`") {
		switch {
		case part == "":
		case i%2 == 1:
			parts = append(parts, tag("code").body(breakable(part)...))
		default:
			parts = append(parts, words(part))
		}
	}
	return parts
}

// breakable lets a long name break after its dots, where a reader expects it. A
// short one has room for itself on the narrowest screen.
func breakable(name string) []node {
	const short = 24
	if len(name) <= short {
		return []node{words(name)}
	}
	var parts []node
	labels := strings.SplitAfter(name, ".")
	for i, label := range labels {
		if i > 0 {
			parts = append(parts, tag("wbr"))
		}
		parts = append(parts, words(label))
	}
	return parts
}
