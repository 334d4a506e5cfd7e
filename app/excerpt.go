package app

import (
	"slices"
	"strings"

	"sixways/fixture"
	"sixways/policy"
)

// renderExcerpt shows the lines of the file that decide an attempt, marked,
// between their neighbours.
func (c *checker) renderExcerpt(run policy.Run) node {
	box := tag("div")
	decides := decidingLines(run)
	if len(decides) == 0 {
		return box
	}
	list := tag("ol").class("excerpt").aria("labelledby", "excerpt-heading")
	last := 0
	for number, line := range numberedLines(c.text) {
		if decides[number] == nil && decides[number-1] == nil && decides[number+1] == nil {
			continue
		}
		list = list.body(renderLine(number, line, decides[number]).class(class("gap", last != 0 && number > last+1)))
		last = number
	}
	return box.body(tag("h3").id("excerpt-heading").says("The lines that decide"), list)
}

// decidingLines returns, by the lines of the file, the names of the attempts
// that each decides.
func decidingLines(run policy.Run) map[int][]string {
	lines := map[int][]string{}
	for i, d := range run.Decisions {
		if o := d.Rule.Origin; o.Kind == policy.OriginFile && o.Line > 0 {
			lines[o.Line] = append(lines[o.Line], fixture.WayOf(i).Name)
		}
	}
	return lines
}

// numberedLines yields the lines of a text, counted from 1.
func numberedLines(text string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if !yield(number, strings.TrimRight(line, "\r\n")) {
				return
			}
		}
	}
}

func renderLine(number int, line string, attempts []string) node {
	item := tag("li").attr("value", itoa(number))
	code := tag("code").says(cut(line, 160))
	if attempts == nil {
		return item.body(code)
	}
	attempts = slices.Clone(attempts)
	for i := 1; i < len(attempts); i++ {
		attempts[i] = lowerFirst(attempts[i])
	}
	return item.body(tag("mark").body(code), words(" "),
		tag("span").class("layer").says("decides: "+strings.Join(attempts, ", ")))
}

// cut returns a text with at most so many characters.
func cut(text string, most int) string {
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}
