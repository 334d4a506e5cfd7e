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

	roles, findings, attempts, excerpt, trials drawn
}

// OnInit implements ui.Initializer.
func (c *checker) OnInit() { c.needed = fixture.PartnerAPI }

func (c *checker) Render() ui.UI {
	return el("section").ID("check").Aria("labelledby", "check-heading").Body(
		el("h2").ID("check-heading").Text("Check your own policy"),
		el("p").Class("note").Text("Paste, drop or choose a policy file: what still gets out? The file never leaves this page. What it does not speak of, DNS and loopback mostly, stays with the controls above."),
		c.renderForm(),
		el("div").ID("check-result").Class("check-result").OnClick(c.showLine).Body(c.renderResult()...),
	)
}

func (c *checker) renderForm() ui.UI {
	return el("div").Class("check-form").OnChange(c.change).OnClick(c.press).Body(
		c.Page.piece("check-fields"),
		c.renderRole(),
		el("div").Class("field whole").Body(
			el("label").Attr("for", "check-text").Text("Policy file"),
			el("textarea").ID("check-text").Attr("rows", 12).Attr("spellcheck", "false").Attr("autocapitalize", "none").
				Attr("wrap", "off").Attr("disabled", !ui.IsClient).Aria("describedby", "check-status").
				On("dragover", c.dragOver).OnDrop(c.drop).OnInput(c.edit),
			el("p").ID("check-status").Class("note").Role("status").Text(c.status()),
			c.renderLink(),
		),
	)
}

// checkFields ask for a file, and how to read it. What is chosen stands in them.
type checkFields struct{}

func (checkFields) node() node {
	examples := control("select").id("check-example").body(option(noOption, "None", true))
	formats := control("select").id("check-format").body(option(noOption, "What it looks like", true))
	for i, f := range format.Formats() {
		formats = formats.body(option(f.Key, f.Label, false))
		for j, e := range f.Examples {
			examples = examples.body(option(itoa(i)+"."+itoa(j), f.Label+": "+e.Title, false))
		}
	}
	return tag("div").id("check-fields").body(
		field("check-example", "Start from an example", examples),
		field("check-file", "Choose a file", control("input").attr("type", "file").id("check-file")),
		field("check-format", "Format", formats),
		field("check-needed", "Host that the task needs",
			control("input").attr("type", "text").id("check-needed").attr("value", fixture.PartnerAPI).
				attr("spellcheck", "false").attr("autocapitalize", "none")),
	)
}

func field(id, label string, control node) node {
	return tag("div").class("field").body(tag("label").attr("for", id).says(label), control)
}

// noOption is the value of an option that stands for none: go-app drops an
// empty one, and the option's text would take its place.
const noOption = "-"

// change serves all fields of the form; the field says which.
func (c *checker) change(ctx ui.Context, e ui.Event) {
	from := e.Get("target")
	value := from.Get("value").String()
	switch from.Get("id").String() {
	case "check-example":
		c.loadExample(value)
	case "check-file":
		if files := from.Get("files"); files.Length() > 0 {
			c.take(ctx, files.Index(0))
		}
	case "check-format":
		c.setFormat(strings.TrimPrefix(value, noOption))
		c.forgetLink()
		c.read()
	case "check-needed":
		c.need(strings.TrimSpace(value))
	case "check-role":
		c.role = value
		c.read()
	case "check-text":
		c.finish(value)
	}
}

// setFormat sets the format to read by, "" to recognise it.
func (c *checker) setFormat(key string) {
	c.key, c.role = key, ""
	if key == "" {
		key = noOption
	}
	ui.Window().GetElementByID("check-format").Set("value", key)
}

// renderRole asks whom to decide for where the file has rules for several. Its
// place is always there, so that what follows keeps its own.
func (c *checker) renderRole() ui.UI {
	var roles []string
	if c.policy != nil {
		roles = c.policy.Roles()
	}
	if len(roles) < 2 {
		return c.roles.show(tag("div").attr("hidden", ""))
	}
	choices := control("select").id("check-role")
	for _, r := range roles {
		choices = choices.body(option(r, r, r == c.policy.Role()))
	}
	return c.roles.show(field("check-role", "Service or job", choices))
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
	switch m := r.Run.Metrics(); {
	case !m.Contained || !m.TaskWorks:
	case r.Refused():
		text += " But it is not enforced as written."
	case r.Open():
		text += " But it opens a way that is none of these."
	}
	return text
}

// result decides the attempts by the file and, for the rest, by the controls.
func (c *checker) result() format.Result {
	scenario, err := fixture.ScenarioNeeding(c.needed)
	if err != nil {
		panic(err) // read has refused any other
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
		c.findings.show(c.renderFindings(r.Findings)),
		c.attempts.show(c.renderAttempts(r.Run)),
		c.excerpt.show(c.renderExcerpt(r.Run)),
		c.renderTry(r.Trials),
	}
}

func (c *checker) renderFindings(findings []policy.Finding) node {
	if len(findings) == 0 {
		return tag("div").body(tag("h3").says("Findings"), tag("p").says("None."))
	}
	list := tag("ol").class("findings").aria("labelledby", "findings-heading")
	for _, f := range findings {
		list = list.body(renderFinding(f))
	}
	return tag("div").body(tag("h3").id("findings-heading").says("Findings"), list)
}

func renderFinding(f policy.Finding) node {
	finding := tag("li").class("finding " + f.Severity.String()).body(tag("p").body(
		tag("strong").class("severity").says(f.Severity.String()), words(" "),
		tag("span").says(f.Message), words(" "), lineButton(f.Line)))
	if f.Fix == "" {
		return finding
	}
	return finding.body(tag("p").class("fix").body(tag("strong").says("Fix: ")).body(prose(f.Fix)...))
}

// lineButton leads to a line of the text; line 0 is no line.
func lineButton(line int) node {
	if line == 0 {
		return tag("span")
	}
	return button().class("line-button").data("line", itoa(line)).says("Line " + itoa(line))
}

func (c *checker) renderAttempts(run policy.Run) node {
	rows := tag("tbody").role("rowgroup")
	for _, d := range run.Decisions {
		rows = rows.body(c.renderAttempt(d))
	}
	return tag("div").body(
		tag("h3").id("check-attempts").says("The six attempts under your policy"),
		tag("table").role("table").aria("labelledby", "check-attempts").body(
			tableHead("Destination", "Decision", "Decided by", "Reason"), rows),
	)
}

func (c *checker) renderAttempt(d policy.Decision) node {
	return tag("tr").role("row").body(
		rowHeader().body(tag("code").body(breakable(d.Attempt.Destination.Endpoint())...)),
		cell().body(renderVerdict(d)),
		cell().body(c.renderOrigin(d.Rule.Origin)...),
		cell().class("reason").body(
			tag("span").class("rule").says(d.Layer.String()+" · "+d.Rule.Text), words(" "),
			tag("span").says(d.Reason())),
	)
}

// renderOrigin says whose rule it was, and quotes the line of the file.
func (c *checker) renderOrigin(o policy.Origin) []node {
	if o.Kind != policy.OriginFile {
		return []node{tag("span").says(o.String())}
	}
	return []node{
		tag("span").says("your file"), words(" "), lineButton(o.Line),
		tag("mark").class("quoted").says(lineOf(c.text, o.Line)),
	}
}

// lineOf returns a line of a text, counted from 1, without its indent and not
// longer than a table bears.
func lineOf(text string, line int) string {
	const most = 60
	from, _ := lineSpan(text, line)
	rest, _, _ := strings.Cut(text[from:], "\n")
	return cut(strings.TrimSpace(rest), most)
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
	list := tag("ul").class("trials").aria("label", "Destinations tried")
	for _, t := range trials {
		list = list.body(renderTrial(t))
	}
	return el("div").Body(
		el("h3").ID("try-heading").Text("Try a destination"),
		el("form").Class("try").OnSubmit(c.try).Body(
			el("label").Attr("for", "try-input").Text("Host, host:port, URL or address, in any spelling"),
			el("div").Class("buttons").Body(
				voidEl("input").Attr("type", "text").ID("try-input").Attr("spellcheck", "false").Attr("autocapitalize", "none"),
				el("button").Attr("type", "submit").Text("Try"),
			),
		),
		c.trials.show(list),
	)
}

func renderTrial(t format.Trial) node {
	word, out := strings.ToUpper(t.Decision[:1])+t.Decision[1:], t.Decision == policy.Allowed.String()
	trial := tag("li").body(
		tag("p").body(
			tag("code").says(t.Input), words(" "),
			tag("span").class("verdict").body(verdictIcon(out), tag("span").says(word)), words(" "),
			tag("span").class("layer").says(comparedAs(t)), words(" "), lineButton(t.Line)),
		tag("p").says(t.Reason),
	)
	if t.Query != nil {
		trial = trial.body(tag("p").class("note").says("Its DNS query: " + t.Query.Decision.String() + ", " + t.Query.Layer.String() + ". " + t.Query.Reason))
	}
	return trial
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
	c.policy, c.problem = nil, c.needless()
	text := []byte(c.text)
	if c.problem != "" || len(strings.TrimSpace(c.text)) == 0 {
		return
	}
	if len(text) > most {
		c.problem = "The file is " + itoa(len(text)) + " octets long; this page reads up to " + itoa(most) + "."
		return
	}
	f, ok := format.Recognise(c.name, text)
	if c.key != "" {
		var err error
		if f, err = format.ByKey(c.key); err != nil { // from an address
			c.problem = "Not read: " + err.Error() + "."
			return
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
	// Line ends become what a textarea makes of them. What it cannot show, a byte
	// order mark or octets that are no UTF-8, stays to be read.
	c.text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	ui.Window().GetElementByID("check-text").Set("value", text)
	c.read()
}

func (c *checker) loadExample(value string) {
	if value == noOption {
		return
	}
	i, j, _ := strings.Cut(value, ".")
	e := format.Formats()[mustAtoi(i)].Examples[mustAtoi(j)]
	c.setFormat("")
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

// needless says what is wrong with the host that the task needs.
func (c *checker) needless() string {
	if _, err := fixture.ScenarioNeeding(c.needed); err != nil {
		return "Host that the task needs: " + err.Error() + "."
	}
	return ""
}

func (c *checker) need(host string) {
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
func (c *checker) finish(text string) {
	c.text = text
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

// take reads a file that the reader has chosen or dropped.
func (c *checker) take(ctx ui.Context, file ui.Value) {
	name := file.Get("name").String()
	if size := file.Get("size").Int(); size > most {
		c.policy = nil
		c.problem = name + " is " + itoa(size) + " octets long; this page reads up to " + itoa(most) + "."
		return
	}
	settle(ctx, file.Call("arrayBuffer"),
		func(_ ui.Context, buffer ui.Value) {
			octets := ui.Window().Get("Uint8Array").New(buffer)
			text := make([]byte, octets.Length())
			ui.CopyBytesToGo(text, octets)
			c.forgetLink()
			c.load(name, string(text))
		},
		func(_ ui.Context, reason ui.Value) {
			c.policy = nil
			c.problem = name + " cannot be read: " + reason.Get("message").String()
		})
}

// press forgets which file was chosen: a browser says nothing where the same is
// chosen again, and it may have changed.
func (c *checker) press(ctx ui.Context, e ui.Event) {
	ctx.PreventUpdate()
	if from := e.Get("target"); from.Get("id").String() == "check-file" {
		from.Set("value", "")
	}
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
	text := strings.TrimPrefix(c.text, document.ByteOrderMark)
	from, to := lineSpan(text, line)
	area := ui.Window().GetElementByID("check-text")
	area.Call("focus")
	area.Call("setSelectionRange", utf16Length(text[:from]), utf16Length(text[:to]))
	lines := strings.Count(text, "\n") + 1
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
