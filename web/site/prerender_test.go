package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestNormalizeReadsWhatGoAppPrints(t *testing.T) {
	for name, c := range map[string]struct {
		tree ui.UI
		want string
	}{
		"no space between inline elements": {
			ui.P().Body(ui.Strong().Text("5"), ui.Text(" of "), ui.Em().Text("5"), ui.Text(" got out")),
			`<p><strong>5</strong> of <em>5</em> got out</p>`,
		},
		"spaces at the ends of a text stay": {
			ui.P().Body(ui.Text("  two before"), ui.B().Text(" in "), ui.Text("two after  ")),
			`<p>  two before<b> in </b>two after  </p>`,
		},
		"a text of spaces stays": {
			ui.Div().Body(ui.P().Body(ui.B().Text("a"), ui.Text(" "), ui.B().Text("b"))),
			`<div><p><b>a</b> <b>b</b></p></div>`,
		},
		"neighbouring texts touch": {
			ui.P().Body(ui.Text("a"), ui.Text("b"), ui.Text(" c")),
			`<p>ab c</p>`,
		},
		"empty texts leave nothing": {
			ui.P().Body(ui.Text(""), ui.B().Text(""), ui.Text(""), ui.Text("x"), ui.Text("")),
			`<p><b></b>x</p>`,
		},
		"one child that is an element, deep": {
			ui.Div().Body(ui.Div().Body(ui.Div().Body(ui.Br()))),
			`<div><div><div><br></div></div></div>`,
		},
		"text of several lines": {
			ui.Div().Body(ui.Pre().Text("a\n  b\n\nc"), ui.P().Body(ui.Text("x\ny"), ui.Br())),
			"<div><pre>a\n  b\n\nc</pre><p>x\ny<br></p></div>",
		},
		"escapes in text": {
			ui.P().Text(`a < b && "c" > 'd' é &amp;`),
			`<p>a &lt; b &amp;&amp; "c" &gt; 'd' é &amp;amp;</p>`,
		},
		"escapes in attributes": {
			ui.A().Href("?a=1&b=2").Title(`"quoted" \ <b> é 😀`).Attr("data-lines", "a\nb"),
			"<a data-lines=\"a\nb\" href=\"?a=1&amp;b=2\" title=\"&quot;quoted&quot; \\ &lt;b&gt; é 😀\"></a>",
		},
		"attributes by name": {
			ui.Div().ID("i").Class("c").Role("group").Attr("data-a", "1").Attr("lang", "en"),
			`<div class="c" data-a="1" id="i" lang="en" role="group"></div>`,
		},
		"booleans that go-app sets as properties": {
			ui.Input().Type("checkbox").Checked(false).Disabled(true).Required(false).Attr("readonly", "1").Attr("hidden", "until-found"),
			`<input disabled readonly type="checkbox">`,
		},
		"true is a value anywhere else": {
			ui.Button().Aria("pressed", true).Attr("aria-busy", "false").Attr("data-on", true).Draggable(true).Spellcheck(true).Attr("inert", true),
			`<button aria-busy="false" aria-pressed="true" data-on="true" draggable="true" inert="true" spellcheck="true"></button>`,
		},
		"selected options": {
			ui.Select().Body(ui.Option().Value("a").Selected(true).Text("A"), ui.Option().Value("true").Selected(false).Text("B")),
			`<select><option selected value="a">A</option><option value="true">B</option></select>`,
		},
		"a textarea's value is its content": {
			ui.Textarea().ReadOnly(true).Text("\na <b>\n"),
			"<textarea readonly>\n\na &lt;b&gt;\n</textarea>",
		},
		"drawings": {
			ui.Elem("svg").XMLNS("http://www.w3.org/2000/svg").Attr("viewBox", "0 0 8 8").Body(
				ui.Elem("linearGradient").XMLNS("http://www.w3.org/2000/svg"),
				ui.Elem("path").XMLNS("http://www.w3.org/2000/svg").Attr("d", "M0 0L8 8"),
			),
			`<svg viewBox="0 0 8 8"><linearGradient></linearGradient><path d="M0 0L8 8"></path></svg>`,
		},
		"conditions and ranges": {
			ui.Ul().Body(
				ui.If(true, func() ui.UI { return ui.Li().Text("yes") }),
				ui.Range([]int{1, 2}).Slice(func(i int) ui.UI { return ui.Li().Text(i) }),
			),
			`<ul><li>yes</li><li>0</li><li>1</li></ul>`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Normalize(ui.HTMLString(c.tree))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNormalizeRefuses(t *testing.T) {
	for name, c := range map[string]struct{ src, want string }{
		"nothing":           {"", `pre-rendered page, byte 0 (""): want the root element`},
		"two roots":         {"<p></p><p></p>", `pre-rendered page, byte 7 ("<p></p>"): want nothing after the root element`},
		"raw markup":        {"<p><b>x</b></p>", `pre-rendered page, byte 3 ("<b>x</b></p>"): want </p>: an element that HTML does not know as void needs an end tag (ui.Elem, not ui.ElemSelfClosing), and ui.Raw cannot be pre-rendered`},
		"no end tag":        {"<svg>\n  <path>\n</svg>", `pre-rendered page, byte 14 ("\n</svg>"): want </path>: an element that HTML does not know as void needs an end tag (ui.Elem, not ui.ElemSelfClosing), and ui.Raw cannot be pre-rendered`},
		"newline first":     {"<p>\nx</p>", `pre-rendered page, byte 3 ("\nx</p>"): text of <p> begins with a newline: go-app's text cannot be told from its indentation`},
		"style attribute":   {`<p style="color:red"></p>`, `pre-rendered page, byte 21 ("</p>"): <p>: attribute style: the page's Content-Security-Policy blocks it; use a class or a handler`},
		"handler attribute": {`<p onclick="x()"></p>`, `pre-rendered page, byte 17 ("</p>"): <p>: attribute onclick: the page's Content-Security-Policy blocks it; use a class or a handler`},
		"value not quoted":  {`<p id=x></p>`, `pre-rendered page, byte 5 ("=x></p>"): attribute id: want a Go-quoted value`},
		"NUL":               {"<p>\x00</p>", `pre-rendered page, byte 3 ("\x00</p>"): a NUL or a character that is not UTF-8 cannot be written in HTML`},
		"NUL, quoted":       {`<p id="\x00"></p>`, `pre-rendered page, byte 13 ("</p>"): <p>: attribute id: value "\x00": a NUL or a character that is not UTF-8 cannot be written in HTML`},
		"script":            {"<div>\n  <script>x</script>\n</div>", `pre-rendered page, byte 8 ("<script>x</script>\n</div>"): <script>: its content cannot be pre-rendered as WebAssembly builds it`},
		"block in p":        {"<p>\n  <div></div>\n</p>", `pre-rendered page, byte 6 ("<div></div>\n</p>"): <div> in <p>: an HTML parser ends the paragraph there`},
		"row in table":      {"<table>\n  <tr></tr>\n</table>", `pre-rendered page, byte 10 ("<tr></tr>\n</table>"): <tr> in <table>: an HTML parser adds a <tbody>; write it`},
		"link in link":      {"<a>\n  <a></a>\n</a>", `pre-rendered page, byte 6 ("<a></a>\n</a>"): <a> in <a>: an HTML parser ends the outer one`},
		"value of select":   {`<select value="a"></select>`, `pre-rendered page, byte 18 ("</select>"): <select>: attribute value has no effect; mark the option as selected`},
		"upper case":        {"<DIV></DIV>", `pre-rendered page, byte 0 ("<DIV></DIV>"): <DIV>: an HTML parser reads names in lower case`},
		"shallow child":     {"<div>\n<p></p>\n</div>", `pre-rendered page, byte 6 ("<p></p>\n</div>"): want a child indented by 2 spaces`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Normalize(c.src)
			if err == nil {
				t.Fatalf("got %q, want an error", got)
			}
			if diff := cmp.Diff(c.want, err.Error()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzNormalizeText asks that any text, in any place, is either refused or
// comes out whole.
func FuzzNormalizeText(f *testing.F) {
	for _, s := range []string{"", "x", " x ", "\n", "a\nb", "\n  ", "<&>\"'", "a\n    b", "\r", "\xff", "</p>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := Normalize(ui.HTMLString(ui.Div().Title(s).Body(ui.P().Text(s))))
		if err != nil {
			return
		}
		_, got, _ = strings.Cut(got, "<p>")
		if want := textEscapes.Replace(s) + "</p></div>"; got != want {
			t.Errorf("text %q came out as %q, want %q", s, got, want)
		}
	})
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"<p>", "<p>\n", "<p a=\"\\x\">", "<p>\n  <b>\n    x\n  </b>\n</p>", "<", "<p a", "<p></p>", "<p>\n\n</p>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		// Only that it ends, and does not panic.
		_, _ = Normalize(s)
	})
}
