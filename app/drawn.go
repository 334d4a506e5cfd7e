package app

import (
	"strconv"
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Most of the page is drawn: written as HTML at once, and changed afterwards
// only where it differs. go-app sets every element and every attribute by a
// call of its own into JavaScript, and compares them by reflection; a thousand
// elements take half a second of a slow machine that way, and a few
// milliseconds this way. What holds what the reader types stays go-app's; a
// drawn part's events are taken by the element around it.

// node is an element of a drawn part, or a text where it has no tag. Its
// methods change it, and return it; what has been drawn must not change.
type node = *element

type element struct {
	tag, words string
	attributes []attribute
	children   []node
}

type attribute struct{ name, value string }

func tag(name string) node { return &element{tag: name} }

func words(text string) node { return &element{words: text} }

func (n *element) attr(name, value string) node {
	n.attributes = append(n.attributes, attribute{name, value})
	return n
}

func (n *element) id(value string) node         { return n.attr("id", value) }
func (n *element) role(value string) node       { return n.attr("role", value) }
func (n *element) aria(name, value string) node { return n.attr("aria-"+name, value) }
func (n *element) data(name, value string) node { return n.attr("data-"+name, value) }
func (n *element) says(text string) node        { return n.body(words(text)) }

// class adds to the classes, where there is one to add.
func (n *element) class(names string) node {
	for i, a := range n.attributes {
		if a.name == "class" && names != "" {
			n.attributes[i].value += " " + names
			return n
		}
	}
	return n.given(names != "", "class", names)
}

// given sets an attribute where a condition holds.
func (n *element) given(holds bool, name, value string) node {
	if !holds {
		return n
	}
	return n.attr(name, value)
}

// body adds children. Texts side by side become one, and empty ones none: so
// does a browser read them.
func (n *element) body(children ...node) node {
	for _, c := range children {
		last := len(n.children) - 1
		switch {
		case c.tag == "" && c.words == "":
		case c.tag == "" && last >= 0 && n.children[last].tag == "":
			n.children[last] = words(n.children[last].words + c.words)
		default:
			n.children = append(n.children, c)
		}
	}
	return n
}

// html writes the node as a browser reads it.
func (n *element) html() string { return string(n.appendHTML(nil)) }

func (n *element) appendHTML(b []byte) []byte {
	if n.tag == "" {
		return appendEscaped(b, n.words)
	}
	b = append(append(b, '<'), n.tag...)
	for _, a := range n.attributes {
		b = append(append(append(b, ' '), a.name...), `="`...)
		b = append(appendEscaped(b, a.value), '"')
	}
	b = append(b, '>')
	if n.void() {
		return b
	}
	b = appendHTML(b, n.children)
	return append(append(append(b, "</"...), n.tag...), '>')
}

// void reports whether the element is one of those in use that have no content
// and no end tag.
func (n *element) void() bool { return n.tag == "wbr" || n.tag == "input" }

func appendHTML(b []byte, nodes []node) []byte {
	for _, n := range nodes {
		b = n.appendHTML(b)
	}
	return b
}

// appendEscaped writes a text as HTML, which has no NUL. A strings.Replacer would
// weigh six kilobytes more on the way.
func appendEscaped(b []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; c {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '"':
			b = append(b, "&quot;"...)
		case 0:
			b = append(b, "\ufffd"...)
		default:
			b = append(b, c)
		}
	}
	return b
}

// control is a control of a drawn part: off until the page is live.
func control(name string) node { return tag(name).given(!ui.IsClient, "disabled", "") }

// button is a button of a drawn part, known by its id.
func button() node { return control("button").attr("type", "button") }

// pressed returns the id of the button that a click is about, or none.
func pressed(e ui.Event) string {
	if b := e.Get("target").Call("closest", "button"); b.Truthy() {
		return b.Get("id").String()
	}
	return ""
}

// draw makes a node an element of the tree that is made anew when it changes.
func draw(n node) ui.UI {
	if ui.IsServer {
		return n.goApp()
	}
	return ui.Raw(n.html())
}

// goApp makes a node one of go-app's elements, to be pre-rendered with them.
func (n *element) goApp() ui.UI {
	if n.tag == "" {
		return ui.Text(n.words)
	}
	if n.void() {
		e := voidEl(n.tag)
		for _, a := range n.attributes {
			e = e.Attr(a.name, a.goApp())
		}
		return e
	}
	e := el(n.tag)
	for _, a := range n.attributes {
		e = e.Attr(a.name, a.goApp())
	}
	var children []ui.UI
	for _, c := range n.children {
		children = append(children, c.goApp())
	}
	return e.Body(children...)
}

// goApp returns the value that go-app prints as the attribute: it drops empty
// ones, and all of ours are of attributes that hold by being there.
func (a attribute) goApp() any {
	if a.value == "" {
		return true
	}
	return a.value
}

// drawn is a part of a component that is drawn, and keeps its elements, and so
// the keyboard's focus, when it changes.
type drawn struct {
	raw ui.UI
	// kept is the element in the document where that is not raw's own.
	kept  ui.Value
	shown node
}

// show brings the part up to a node; its root keeps its tag. What differs in
// the document is changed here, and go-app finds nothing to do.
func (d *drawn) show(n node) ui.UI {
	if d.raw != nil && d.raw.Mounted() {
		if patch := difference(d.shown, n); patch != "" {
			ui.Window().Call("sixwaysPatch", d.element(), patch)
		}
	} else {
		d.raw = draw(n)
	}
	d.shown = n
	return d.raw
}

func (d *drawn) element() ui.Value {
	if d.kept != nil {
		return d.kept
	}
	return d.raw.JSValue()
}

// The steps of a patch, as the boot script's sixwaysPatch takes them: each is a
// letter and what it needs, and ends with endOfStep. Paths lead down from the
// element where the last one left off.
const (
	stepDown   = 'd' // to a child, by its number
	stepUp     = 'u' // to the parent
	stepSet    = 's' // an attribute: its name, a space, its value
	stepRemove = 'r' // an attribute
	stepText   = 't' // what a text says
	stepInside = 'i' // all that is inside, as HTML
	stepAppend = 'a' // more at the end, as HTML
	stepLast   = 'l' // away with the last child
	endOfStep  = "\x00"
)

// difference returns the patch that turns what one node shows into another with
// the same tag, and is empty where they show the same.
func difference(was, is node) string {
	var p patch
	p.turn(was, is)
	return string(p.steps)
}

// patch collects steps. It goes down into elements only when there is something
// to do: down holds the way to the element in question, and walked is how much
// of it the steps have gone.
type patch struct {
	steps  []byte
	down   []int
	walked int
}

func (p *patch) step(letter byte, text ...string) {
	for ; p.walked < len(p.down); p.walked++ {
		p.steps = append(p.steps, stepDown)
		p.steps = strconv.AppendInt(p.steps, int64(p.down[p.walked]), 10)
		p.steps = append(p.steps, endOfStep...)
	}
	p.steps = append(p.steps, letter)
	for _, t := range text {
		p.steps = append(p.steps, strings.ReplaceAll(t, endOfStep, "\ufffd")...)
	}
	p.steps = append(p.steps, endOfStep...)
}

func (p *patch) turn(was, is node) {
	if was == is {
		return
	}
	if is.tag == "" {
		if was.words != is.words {
			p.step(stepText, is.words)
		}
		return
	}
	p.turnAttributes(was.attributes, is.attributes)
	shared := min(len(was.children), len(is.children))
	for i := range shared {
		if was.children[i].tag != is.children[i].tag {
			p.step(stepInside, string(appendHTML(nil, is.children)))
			return
		}
	}
	for i := range shared {
		p.down = append(p.down, i)
		p.turn(was.children[i], is.children[i])
		p.down = p.down[:len(p.down)-1]
		if p.walked > len(p.down) {
			p.walked--
			p.steps = append(append(p.steps, stepUp), endOfStep...)
		}
	}
	for range was.children[shared:] {
		p.step(stepLast)
	}
	if more := is.children[shared:]; len(more) > 0 {
		p.step(stepAppend, string(appendHTML(nil, more)))
	}
}

func (p *patch) turnAttributes(was, is []attribute) {
	for _, a := range is {
		if value, had := valueOf(was, a.name); !had || value != a.value {
			p.step(stepSet, a.name, " ", a.value)
		}
	}
	for _, a := range was {
		if _, has := valueOf(is, a.name); !has {
			p.step(stepRemove, a.name)
		}
	}
}

func valueOf(attributes []attribute, name string) (value string, ok bool) {
	for _, a := range attributes {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}
