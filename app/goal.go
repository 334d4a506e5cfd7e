package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
)

// goal says the smallest way from here to a state that is contained while the
// task works, shows what it would change, and goes there.
type goal struct {
	ui.Compo

	Page       *Page
	Settings   fixture.Settings
	Previewing bool
	Covering   bool
}

func (g *goal) Render() ui.UI {
	if g.Covering {
		return el("div").ID("goal").Class("goal").Body(el("p").Body(coveredText(coveredUntilVerdict)))
	}
	changes := g.Settings.ToGoal()
	there := len(changes) == 0
	title, text := GoalText(changes)
	return el("div").ID("goal").Class("goal").Body(
		el("p").ID("goal-text").Class("goal-text").Body(
			el("strong").Text(title), ui.Text(" "), el("span").Text(text)),
		el("div").Class("buttons").Body(
			g.button("goal-preview", "Preview the changes", there, g.preview).
				Aria("expanded", boolText(g.Previewing)).Aria("controls", "preview"),
			g.button("goal-apply", "Apply the changes", there, g.apply),
		),
		el("div").ID("preview").Class("preview").Hidden(!g.Previewing).Body(g.renderPreview(changes)...),
	)
}

// GoalText says what leads to the goal, under a title of its own.
func GoalText(changes []fixture.Change) (title, text string) {
	if len(changes) == 0 {
		return "Contained, and the task works.", "Nothing is left to change."
	}
	return "From here to contained, with the task working:", Recipe(changes)
}

// button stays enabled at the goal, so that applying does not take the
// keyboard's focus away.
func (g *goal) button(id, label string, idle bool, act ui.EventHandler) ui.HTMLElem {
	b := el("button").Attr("type", "button").ID(id).Attr("disabled", !ui.IsClient).
		Aria("describedby", "goal-text").OnClick(act).Text(label)
	if idle {
		b = b.Aria("disabled", "true")
	}
	return b
}

func (g *goal) preview(ui.Context, ui.Event) {
	g.Page.previewing = !g.Page.previewing && !g.Page.settings.Goal()
}

func (g *goal) apply(ui.Context, ui.Event) {
	if s := g.Page.settings; !s.Goal() {
		g.Page.moveTo(s.With(s.ToGoal()...))
	}
}

// renderPreview compares the run with the one that the changes make.
func (g *goal) renderPreview(changes []fixture.Change) []ui.UI {
	if !g.Previewing {
		return nil
	}
	now, then := fixture.Run(g.Settings), fixture.Run(g.Settings.With(changes...))
	return []ui.UI{
		el("p").Text("Nothing has changed yet. " + count(len(changes), "control") + " would move, marked in “Your experiment”."),
		el("table").Role("table").Aria("label", "Preview of the changes").Body(
			el("thead").Role("rowgroup").Body(el("tr").Role("row").Body(
				columnHeader("What"), columnHeader("Now"), columnHeader("After"),
			)),
			el("tbody").Role("rowgroup").Body(ui.Range(now.Decisions).Slice(func(i int) ui.UI {
				return compareVerdicts(now.Decisions[i], then.Decisions[i])
			})),
			el("tbody").Role("rowgroup").Body(compareMetrics(now.Metrics(), then.Metrics())...),
		),
	}
}

func compareVerdicts(now, then policy.Decision) ui.UI {
	return comparison(now.Verdict != then.Verdict,
		el("code").Body(breakable(now.Attempt.Destination.String())...),
		renderVerdict(now), renderVerdict(then))
}

func compareMetrics(now, then policy.Metrics) []ui.UI {
	a, b := figures(now), figures(then)
	var rows []ui.UI
	for i, f := range a {
		rows = append(rows, comparison(f.value != b[i].value, ui.Text(f.term),
			el("span").Class("figure "+f.tone).Text(f.value),
			el("span").Class("figure "+b[i].tone).Text(b[i].value)))
	}
	return rows
}

// comparison is one row of the preview; what stays as it is stands back.
func comparison(changes bool, what, now, then ui.UI) ui.UI {
	class := "stays"
	if changes {
		class = "changes"
	}
	return el("tr").Role("row").Class(class).Body(
		el("th").Attr("scope", "row").Role("rowheader").Body(what),
		el("td").Role("cell").Body(now),
		el("td").Role("cell").Body(then),
	)
}

// previewed maps the keys of the controls that the previewed changes would
// move to where.
func (e *experiment) previewed() map[string]string {
	if !e.Previewing {
		return nil
	}
	would := map[string]string{}
	for _, c := range e.Settings.ToGoal() {
		_, value := spelled(c)
		would[c.Key] = value
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
func helpText(help, to string) []ui.UI {
	parts := []ui.UI{ui.Text(help)}
	if to != "" {
		parts = append(parts, ui.Text(" "), el("strong").Class("would").Text("Preview: "+to+"."))
	}
	return parts
}
