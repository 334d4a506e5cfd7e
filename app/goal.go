package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// goal says the smallest way from here to a state that is contained while the
// task works, shows what it would change, and goes there.
type goal struct {
	settings             fixture.Settings
	previewing, covering bool
}

func (g goal) node() node {
	box := tag("div").id("goal").class("goal")
	if g.covering {
		return box.body(tag("p").body(coveredText(coveredUntilVerdict)))
	}
	changes := g.settings.ToGoal()
	there := len(changes) == 0
	title, text := GoalText(changes)
	return box.body(
		tag("p").id("goal-text").class("goal-text").body(
			tag("strong").says(title), words(" "), tag("span").says(text)),
		tag("div").class("buttons").body(
			goalButton(previewID, "Preview the changes", there).
				aria("expanded", boolText(g.previewing)).aria("controls", "preview"),
			goalButton(applyID, "Apply the changes", there),
		),
		tag("div").id("preview").class("preview").given(!g.previewing, "hidden", "").body(g.renderPreview(changes)...),
	)
}

const (
	previewID = "goal-preview"
	applyID   = "goal-apply"
)

// GoalText says what leads to the goal, under a title of its own.
func GoalText(changes []fixture.Change) (title, text string) {
	if len(changes) == 0 {
		return "Contained, and the task works.", "Nothing is left to change."
	}
	return "From here to contained, with the task working:", Recipe(changes)
}

// goalButton stays enabled at the goal, so that applying does not take the
// keyboard's focus away.
func goalButton(id, label string, idle bool) node {
	return button().id(id).aria("describedby", "goal-text").given(idle, "aria-disabled", "true").says(label)
}

// pressGoal serves the two buttons. At the goal they have nothing to do.
func (p *Page) pressGoal(_ ui.Context, e ui.Event) {
	if p.settings.Goal() {
		return
	}
	switch pressed(e) {
	case previewID:
		p.previewing = !p.previewing
	case applyID:
		p.moveTo(p.settings.With(p.settings.ToGoal()...))
	}
}

// renderPreview compares the run with the one that the changes make.
func (g goal) renderPreview(changes []fixture.Change) []node {
	if !g.previewing {
		return nil
	}
	now, then := fixture.Run(g.settings), fixture.Run(g.settings.With(changes...))
	verdicts := tag("tbody").role("rowgroup")
	for i, d := range now.Decisions {
		verdicts = verdicts.body(compareVerdicts(d, then.Decisions[i]))
	}
	return []node{
		tag("p").says("Nothing has changed yet. " + count(len(changes), "control") + " would move, marked in “Your experiment”."),
		tag("table").role("table").aria("label", "Preview of the changes").body(
			tableHead("What", "Now", "After"),
			verdicts,
			tag("tbody").role("rowgroup").body(compareMetrics(now.Metrics(), then.Metrics())...),
		),
	}
}

func compareVerdicts(now, then policy.Decision) node {
	return comparison(now.Verdict != then.Verdict,
		tag("code").body(breakable(now.Attempt.Destination.String())...),
		renderVerdict(now), renderVerdict(then))
}

func compareMetrics(now, then policy.Metrics) []node {
	a, b := figuresOf(now), figuresOf(then)
	var rows []node
	for i, f := range a {
		rows = append(rows, comparison(f.value != b[i].value, words(f.term),
			tag("span").class("figure").class(f.tone).says(f.value),
			tag("span").class("figure").class(b[i].tone).says(b[i].value)))
	}
	return rows
}

// comparison is one row of the preview; what stays as it is stands back.
func comparison(changes bool, what, now, then node) node {
	class := "stays"
	if changes {
		class = "changes"
	}
	return tag("tr").role("row").class(class).body(rowHeader().body(what), cell().body(now), cell().body(then))
}

// previewed maps the keys of the controls that the previewed changes would
// move to where.
func (c controls) previewed() map[string]string {
	if !c.previewing {
		return nil
	}
	would := map[string]string{}
	for _, change := range c.settings.ToGoal() {
		_, value := spelled(change)
		would[change.Key] = value
	}
	return would
}

// wouldMove marks a control that the preview would move.
func wouldMove(to string) string {
	if to == "" {
		return ""
	}
	return "would-move"
}

// helpText is a control's help, and where a preview would move it.
func helpText(key, help, to string) node {
	text := tag("p").class("help").id(key + "-help").says(help)
	if to == "" {
		return text
	}
	return text.body(words(" "), tag("strong").class("would").says("Preview: "+to+"."))
}
