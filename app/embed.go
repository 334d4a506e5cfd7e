package app

import (
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// The messages of an embedded page pass a script, which says whose they are.
// It is there only where there is a page around this one.

// attach begins to take the embedder's commands.
func (p *Page) attach() {
	p.obey = ui.FuncOf(func(_ ui.Value, args []ui.Value) any {
		command, argument := args[0].String(), args[1].String()
		p.ctx.Dispatch(func(ui.Context) {
			if message := p.command(command, argument); message != "" {
				p.tell("error", map[string]any{"message": command + ": " + message})
			}
		})
		return nil
	})
	if script := ui.Window().Get("sixways"); script.Truthy() {
		script.Call("attach", p.obey)
	}
}

// tell sends the embedder an event. Before its hello nobody is told.
func (p *Page) tell(event string, values map[string]any) {
	if !p.view.Embed {
		return
	}
	if script := ui.Window().Get("sixways"); script.Truthy() {
		message := map[string]any{"type": event}
		for key, value := range values {
			message[key] = value
		}
		script.Call("tell", message)
	}
}

func (p *Page) tellChange() {
	values := map[string]any{
		fixture.PolicyKey: p.settings.Policy.String(),
		"t":               p.clock.second(),
		"speed":           p.clock.speed,
		"predict":         p.round.on,
	}
	for _, s := range fixture.Switches() {
		values[s.Key] = *s.Of(&p.settings)
	}
	p.tell("change", map[string]any{"state": values, "playing": p.clock.playing})
}

// tellVerdict uses the words of the reports.
func (p *Page) tellVerdict() {
	m := p.run().Metrics()
	p.tell("verdict", map[string]any{"metrics": map[string]any{
		"unwanted":       m.Unwanted,
		"needed_allowed": m.NeededAllowed,
		"needed":         m.Needed,
		"blocked":        m.Blocked,
		"contained":      m.Contained,
		"task_works":     m.TaskWorks,
	}})
}

// command does what the embedder asks for, and returns what is wrong with it.
func (p *Page) command(name, argument string) string {
	switch name {
	case "hello":
		p.tellChange()
		for _, problem := range p.problems {
			p.tell("error", map[string]any{"message": problem.Message})
		}
	case "play", "pause":
		if p.clock.playing != (name == "play") {
			p.playOrPause()
		}
	case "seek":
		s, problems := p.state().Change("t=" + argument)
		if len(problems) > 0 {
			return problems[0].Message
		}
		p.seek(s.Second)
	case "set":
		return p.set(argument)
	}
	return ""
}

// set changes keys of the state. All are good, or nothing changes.
func (p *Page) set(text string) string {
	before := p.state()
	before.Second = unsaid
	s, problems := before.Change(text)
	if len(problems) > 0 {
		return problems[0].Message
	}
	if s.View.Embed != p.view.Embed {
		return "an embedded page stays one"
	}
	p.adopt(s)
	return ""
}

// unsaid is the second of a state that is to stay at its own.
const unsaid = -1

// adopt moves the page to a state. As by hand, another input rewinds the run;
// another second pauses it; and speed and view do neither.
func (p *Page) adopt(s fixture.State) {
	before := p.state()
	switch {
	case s.Settings != before.Settings || s.Predict != before.Predict:
		s.Second = max(s.Second, 0)
		p.restore(s)
		p.problems = nil
		p.said = p.outcomeText()
		p.paint()
	case s.Second != unsaid && s.Second != before.Second:
		p.scrub(float64(s.Second))
	}
	p.hasten(s.Speed)
	p.file = s.File
	p.showView(s.View)
	p.pushAddress()
}
