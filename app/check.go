package app

import (
	"strconv"
	"strings"
	"time"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
	"sixways/policy"
	"sixways/policy/document"
	"sixways/policy/format"
)

// checker reads a policy file of the reader's own and says what it leaves
// open. The text stays in its textarea; nothing of it leaves the page.
type checker struct {
	ui.Compo

	Page *Page
	// Settings are the controls, for what a file does not speak of.
	Settings fixture.Settings
	// File is what the address carries.
	File fixture.File

	// name and text are the file, needed is the host that its task needs.
	name, text, needed string
	// key is the format asked for, "" to recognise it; role whom to decide for.
	key, role string
	// tried are the destinations tried, the latest first.
	tried []string

	// What came of reading: a policy, or a problem.
	format  format.Format
	policy  format.Policy
	problem string
	// edits counts the changes of the text, to wait until it rests.
	edits int
	// linked is the file that the text was unpacked from, or packed to.
	linked fixture.File
	// link is the address that holds the file, once it is asked for.
	link string
}

// OnInit implements ui.Initializer.
func (c *checker) OnInit() { c.needed = fixture.PartnerAPI }

func (c *checker) Render() ui.UI {
	return el("section").ID("check").Aria("labelledby", "check-heading").Body(
		el("h2").ID("check-heading").Text("Check your own policy"),
		el("p").Class("note").Body(prose("Paste, drop or choose a policy file: what still gets out? The file never leaves this page. What it does not speak of, DNS and loopback mostly, stays with the controls above.")...),
		c.renderForm(),
		el("div").ID("check-result").Class("check-result").Body(c.renderResult()...),
	)
}

func (c *checker) renderForm() ui.UI {
	return el("div").Class("check-form").Body(
		c.field("check-example", "Start from an example", c.selectOf("check-example", c.loadExample, exampleOptions())),
		c.field("check-file", "Choose a file",
			voidEl("input").Attr("type", "file").ID("check-file").Attr("disabled", !ui.IsClient).OnChange(c.chooseFile)),
		c.field("check-format", "Format", c.selectOf("check-format", c.chooseFormat, c.formatOptions())),
		c.field("check-needed", "Host that the task needs",
			voidEl("input").Attr("type", "text").ID("check-needed").Attr("value", fixture.PartnerAPI).
				Attr("spellcheck", "false").Attr("autocapitalize", "none").Attr("disabled", !ui.IsClient).OnChange(c.need)),
		c.renderRole(),
		el("div").Class("field whole").Body(
			el("label").Attr("for", "check-text").Text("Policy file"),
			el("textarea").ID("check-text").Attr("rows", 12).Attr("spellcheck", "false").Attr("autocapitalize", "none").
				Attr("wrap", "off").Attr("disabled", !ui.IsClient).Aria("describedby", "check-status").
				On("dragover", c.dragOver).OnDrop(c.drop).OnInput(c.edit).OnChange(c.finish),
			el("p").ID("check-status").Class("note").Role("status").Text(c.status()),
			c.renderLink(),
		),
	)
}

func (c *checker) field(id, label string, control ui.UI) ui.UI {
	return el("div").Class("field").Body(el("label").Attr("for", id).Text(label), control)
}

func (c *checker) selectOf(id string, act ui.EventHandler, options []ui.UI) ui.UI {
	return el("select").ID(id).Attr("disabled", !ui.IsClient).OnChange(act).Body(options...)
}

// noOption is the value of an option that stands for none: go-app drops an
// empty one, and the option's text would take its place.
const noOption = "-"

func option(value, label string, selected bool) ui.UI {
	return el("option").Attr("value", value).Attr("selected", selected).Text(label)
}

func exampleOptions() []ui.UI {
	options := []ui.UI{option(noOption, "None", true)}
	for i, f := range format.Formats() {
		for j, e := range f.Examples {
			options = append(options, option(itoa(i)+"."+itoa(j), f.Label+": "+e.Title, false))
		}
	}
	return options
}

func (c *checker) formatOptions() []ui.UI {
	options := []ui.UI{option(noOption, "What it looks like", c.key == "")}
	for _, f := range format.Formats() {
		options = append(options, option(f.Key, f.Label, c.key == f.Key))
	}
	return options
}

// renderRole asks whom to decide for where the file has rules for several. Its
// place is always there, so that what follows keeps its own.
func (c *checker) renderRole() ui.UI {
	var roles []string
	if c.policy != nil {
		roles = c.policy.Roles()
	}
	if len(roles) < 2 {
		return el("div").Hidden(true)
	}
	var options []ui.UI
	for _, r := range roles {
		options = append(options, option(r, r, r == c.policy.Role()))
	}
	return el("div").Class("field").Body(
		el("label").Attr("for", "check-role").Text("Service or job"),
		c.selectOf("check-role", c.chooseRole, options),
	)
}

// status says in one sentence how the file was read, and what it comes to.
func (c *checker) status() string {
	switch {
	case c.problem != "":
		return c.problem
	case c.policy == nil:
		return "No file yet."
	}
	r := c.result()
	text := "Read as " + c.format.Label + ": " + count(len(r.Findings), "finding") + ". " + Outcome(r.Run.Metrics())
	if !r.Ok() && r.Run.Metrics().Contained && r.Run.Metrics().TaskWorks {
		text += " But it is not enforced as written."
	}
	return text
}

// result decides the attempts by the file and, for the rest, by the controls.
func (c *checker) result() format.Result {
	scenario, err := fixture.ScenarioNeeding(c.needed)
	if err != nil {
		panic(err) // need has refused any other
	}
	return format.Check(c.policy, format.Options{
		Controls:     c.Settings.Boundary(),
		Scenario:     scenario,
		Destinations: c.tried,
	})
}

func (c *checker) renderResult() []ui.UI {
	if c.policy == nil {
		return nil
	}
	r := c.result()
	return []ui.UI{
		c.renderFindings(r.Findings),
		c.renderAttempts(r.Run),
		c.renderTry(r.Trials),
	}
}

func (c *checker) renderFindings(findings []policy.Finding) ui.UI {
	if len(findings) == 0 {
		return el("div").Body(el("h3").Text("Findings"), el("p").Text("None."))
	}
	return el("div").Body(
		el("h3").ID("findings-heading").Text("Findings"),
		el("ol").Class("findings").Aria("labelledby", "findings-heading").OnClick(c.showLine).
			Body(ui.Range(findings).Slice(func(i int) ui.UI { return c.renderFinding(findings[i]) })),
	)
}

func (c *checker) renderFinding(f policy.Finding) ui.UI {
	parts := []ui.UI{
		el("p").Body(
			el("strong").Class("severity").Text(f.Severity.String()), ui.Text(" "),
			el("span").Text(f.Message), ui.Text(" "), c.lineButton(f.Line)),
	}
	if f.Fix != "" {
		parts = append(parts, el("p").Class("fix").Body(append([]ui.UI{el("strong").Text("Fix: ")}, prose(f.Fix)...)...))
	}
	return el("li").Class("finding " + f.Severity.String()).Body(parts...)
}

// lineButton leads to a line of the text; line 0 is no line.
func (c *checker) lineButton(line int) ui.UI {
	if line == 0 {
		return el("span")
	}
	return el("button").Attr("type", "button").Class("line-button").DataSet("line", line).Text("Line " + itoa(line))
}

func (c *checker) renderAttempts(run policy.Run) ui.UI {
	return el("div").Body(
		el("h3").ID("check-attempts").Text("The six attempts under your policy"),
		el("table").Role("table").Aria("labelledby", "check-attempts").OnClick(c.showLine).Body(
			el("thead").Role("rowgroup").Body(el("tr").Role("row").Body(
				columnHeader("Destination"), columnHeader("Decision"), columnHeader("Decided by"), columnHeader("Reason"),
			)),
			el("tbody").Role("rowgroup").Body(ui.Range(run.Decisions).Slice(func(i int) ui.UI {
				return c.renderAttempt(run.Decisions[i])
			})),
		),
	)
}

func (c *checker) renderAttempt(d policy.Decision) ui.UI {
	return el("tr").Role("row").Body(
		el("th").Attr("scope", "row").Role("rowheader").Body(
			el("code").Body(breakable(d.Attempt.Destination.String())...)),
		el("td").Role("cell").Body(renderVerdict(d)),
		el("td").Role("cell").Body(c.renderOrigin(d.Rule.Origin)...),
		el("td").Role("cell").Class("reason").Body(
			el("span").Class("rule").Text(d.Layer.String()+" · "+d.Rule.Text), ui.Text(" "),
			el("span").Text(d.Reason())),
	)
}

// renderOrigin says whose rule it was, and quotes the line of the file.
func (c *checker) renderOrigin(o policy.Origin) []ui.UI {
	if o.Kind != policy.OriginFile {
		return []ui.UI{el("span").Text(o.String())}
	}
	return []ui.UI{
		el("span").Text("your file"), ui.Text(" "), c.lineButton(o.Line),
		el("mark").Class("quoted").Text(lineOf(c.text, o.Line)),
	}
}

// lineOf returns a line of a text, counted from 1, without its indent and not
// longer than a table bears.
func lineOf(text string, line int) string {
	const most = 60
	from, _ := lineSpan(text, line)
	rest, _, _ := strings.Cut(text[from:], "\n")
	rest = strings.TrimSpace(rest)
	if r := []rune(rest); len(r) > most {
		return string(r[:most]) + "…"
	}
	return rest
}

// lineSpan returns where a line begins and ends in a text, in octets.
func lineSpan(text string, line int) (from, to int) {
	for range line - 1 {
		i := strings.IndexByte(text[from:], '\n')
		if i < 0 {
			return len(text), len(text)
		}
		from += i + 1
	}
	if i := strings.IndexByte(text[from:], '\n'); i >= 0 {
		return from, from + i
	}
	return from, len(text)
}

func (c *checker) renderTry(trials []format.Trial) ui.UI {
	return el("div").Body(
		el("h3").ID("try-heading").Text("Try a destination"),
		el("form").Class("try").OnSubmit(c.try).Body(
			el("label").Attr("for", "try-input").Text("Host, host:port, URL or address, in any spelling"),
			el("div").Class("buttons").Body(
				voidEl("input").Attr("type", "text").ID("try-input").Attr("spellcheck", "false").Attr("autocapitalize", "none"),
				el("button").Attr("type", "submit").Text("Try"),
			),
		),
		el("ul").Class("trials").Aria("label", "Destinations tried").OnClick(c.showLine).
			Body(ui.Range(trials).Slice(func(i int) ui.UI { return c.renderTrial(trials[i]) })),
	)
}

func (c *checker) renderTrial(t format.Trial) ui.UI {
	word, out := strings.ToUpper(t.Decision[:1])+t.Decision[1:], t.Decision == policy.Allowed.String()
	parts := []ui.UI{
		el("p").Body(
			el("code").Text(t.Input), ui.Text(" "),
			el("span").Class("verdict").Body(verdictIcon(out), el("span").Text(word)), ui.Text(" "),
			el("span").Class("layer").Text(comparedAs(t)), ui.Text(" "), c.lineButton(t.Line)),
		el("p").Text(t.Reason),
	}
	if t.Query != nil {
		parts = append(parts, el("p").Class("note").Text("Its DNS query: "+t.Query.Decision.String()+", "+t.Query.Layer.String()+". "+t.Query.Reason))
	}
	return el("li").Body(parts...)
}

// comparedAs says what the enforcer makes of a destination.
func comparedAs(t format.Trial) string {
	if t.Decision == format.Malformed {
		return "no valid host"
	}
	return "compared as " + t.Normalised + ", " + t.Layer.String()
}

// most is the longest file that the page reads, in octets.
const most = document.MaxBytes

// read reads the text anew. What was typed stays, whatever comes of it.
func (c *checker) read() {
	c.policy, c.problem = nil, ""
	text := []byte(c.text)
	if len(strings.TrimSpace(c.text)) == 0 {
		return
	}
	if len(text) > most {
		c.problem = "The file is " + itoa(len(text)) + " octets long; this page reads up to " + itoa(most) + "."
		return
	}
	f, ok := format.Recognise(c.name, text)
	if c.key != "" {
		var err error
		if f, err = format.ByKey(c.key); err != nil {
			panic(err) // the select offers no other formats
		}
		ok = true
	}
	if !ok {
		c.problem = "The format is not recognised. Choose one under “Format”: " + formatLabels() + "."
		return
	}
	p, err := f.Parse(c.title(), text, c.role)
	if err != nil {
		c.problem = "Not read as " + f.Label + ". " + err.Error()
		return
	}
	c.format, c.policy = f, p
}

func formatLabels() string {
	var labels []string
	for _, f := range format.Formats() {
		labels = append(labels, f.Label)
	}
	return strings.Join(labels, ", ")
}

// title is what messages call the file.
func (c *checker) title() string {
	if c.name == "" {
		return "your file"
	}
	return c.name
}

// load puts another file into the place of the text.
func (c *checker) load(name, text string) {
	c.name, c.role = name, ""
	place := ui.Window().GetElementByID("check-text")
	place.Set("value", text)
	c.text = place.Get("value").String() // line ends as the textarea has them
	c.read()
}

func (c *checker) loadExample(ctx ui.Context, _ ui.Event) {
	value := ctx.JSSrc().Get("value").String()
	if value == noOption {
		return
	}
	i, j, _ := strings.Cut(value, ".")
	e := format.Formats()[mustAtoi(i)].Examples[mustAtoi(j)]
	c.key = ""
	c.forgetLink()
	c.load(e.Name, e.Text)
}

// mustAtoi reads a number that this page has written.
func mustAtoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func (c *checker) chooseFormat(ctx ui.Context, _ ui.Event) {
	c.key, c.role = strings.TrimPrefix(ctx.JSSrc().Get("value").String(), noOption), ""
	c.forgetLink()
	c.read()
}

func (c *checker) chooseRole(ctx ui.Context, _ ui.Event) {
	c.role = ctx.JSSrc().Get("value").String()
	c.read()
}

func (c *checker) need(ctx ui.Context, _ ui.Event) {
	host := strings.TrimSpace(ctx.JSSrc().Get("value").String())
	if _, err := fixture.ScenarioNeeding(host); err != nil {
		c.problem = "Host that the task needs: " + err.Error() + "."
		c.policy = nil
		return
	}
	c.needed = host
	c.forgetLink()
	c.read()
}

// edit waits until the text rests before it is read.
func (c *checker) edit(ctx ui.Context, _ ui.Event) {
	const rest = 400 * time.Millisecond
	c.text = ctx.JSSrc().Get("value").String()
	c.forgetLink()
	c.edits++
	edit := c.edits
	ctx.After(rest, func(ui.Context) {
		if edit == c.edits {
			c.read()
		}
	})
}

// finish reads a text that is left before it has rested.
func (c *checker) finish(ctx ui.Context, _ ui.Event) {
	c.text = ctx.JSSrc().Get("value").String()
	c.edits++
	c.read()
}

func (c *checker) dragOver(_ ui.Context, e ui.Event) { e.PreventDefault() }

func (c *checker) drop(ctx ui.Context, e ui.Event) {
	files := e.Get("dataTransfer").Get("files")
	if files.Length() == 0 {
		return // dropped text is the textarea's own business
	}
	e.PreventDefault()
	c.take(ctx, files.Index(0))
}

func (c *checker) chooseFile(ctx ui.Context, _ ui.Event) {
	if files := ctx.JSSrc().Get("files"); files.Length() > 0 {
		c.take(ctx, files.Index(0))
	}
}

// take reads a file that the reader has chosen or dropped.
func (c *checker) take(ctx ui.Context, file ui.Value) {
	name := file.Get("name").String()
	if size := file.Get("size").Int(); size > most {
		c.policy = nil
		c.problem = name + " is " + itoa(size) + " octets long; this page reads up to " + itoa(most) + "."
		return
	}
	file.Call("text").Then(func(text ui.Value) {
		ctx.Dispatch(func(ui.Context) {
			c.forgetLink()
			c.load(name, text.String())
		})
	})
}

func (c *checker) try(_ ui.Context, e ui.Event) {
	e.PreventDefault()
	input := ui.Window().GetElementByID("try-input").Get("value").String()
	if strings.TrimSpace(input) != "" {
		c.tried = append([]string{input}, c.tried...)
	}
}

// showLine selects in the text the line of a button that was pressed.
func (c *checker) showLine(_ ui.Context, e ui.Event) {
	button := e.Get("target").Call("closest", "[data-line]")
	if !button.Truthy() {
		return
	}
	line := mustAtoi(button.Get("dataset").Get("line").String())
	from, to := lineSpan(c.text, line)
	area := ui.Window().GetElementByID("check-text")
	area.Call("focus")
	area.Call("setSelectionRange", utf16Length(c.text[:from]), utf16Length(c.text[:to]))
	lines := strings.Count(c.text, "\n") + 1
	area.Set("scrollTop", area.Get("scrollHeight").Int()*max(line-3, 0)/lines)
}

// utf16Length is the length of a text as JavaScript counts it.
func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}
