package app

import (
	"slices"
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Most of the page is drawn: written as HTML at once, and changed afterwards
// only where it differs. go-app sets every element and every attribute by a
// call of its own into JavaScript, and compares them by reflection; a thousand
// elements take half a second of a slow machine that way, and a few
// milliseconds this way. What has handlers or holds what the reader types stays
// go-app's; a drawn part's events are taken by the element around it.

// node is an element of a drawn part, or a text where it has no tag.
type node struct {
	tag, words string
	attributes []attribute
	children   []node
}

type attribute struct{ name, value string }

func tag(name string) node { return node{tag: name} }

func words(text string) node { return node{words: text} }

// attr sets an attribute. Several classes add up.
func (n node) attr(name, value string) node {
	n.attributes = append(n.attributes[:len(n.attributes):len(n.attributes)], attribute{name, value})
	return n
}

func (n node) id(value string) node         { return n.attr("id", value) }
func (n node) role(value string) node       { return n.attr("role", value) }
func (n node) aria(name, value string) node { return n.attr("aria-"+name, value) }
func (n node) data(name, value string) node { return n.attr("data-"+name, value) }
func (n node) says(words string) node       { return n.body(node{words: words}) }

// class adds to the classes, where there is one to add.
func (n node) class(names string) node {
	for i, a := range n.attributes {
		if a.name == "class" && names != "" {
			n.attributes = append([]attribute(nil), n.attributes...)
			n.attributes[i].value += " " + names
			return n
		}
	}
	return n.given(names != "", "class", names)
}

// given sets an attribute where a condition holds.
func (n node) given(holds bool, name, value string) node {
	if !holds {
		return n
	}
	return n.attr(name, value)
}

// body adds children. Texts side by side become one, and empty ones none: so
// does a browser read them.
func (n node) body(children ...node) node {
	for _, c := range children {
		last := len(n.children) - 1
		switch {
		case c.tag == "" && c.words == "":
		case c.tag == "" && last >= 0 && n.children[last].tag == "":
			n.children[last].words += c.words
		default:
			n.children = append(n.children, c)
		}
	}
	return n
}

// html writes the node as a browser reads it.
func (n *node) html() string { return string(n.appendHTML(nil)) }

func (n *node) appendHTML(b []byte) []byte {
	if n.tag == "" {
		return append(b, escaped.Replace(n.words)...)
	}
	b = append(append(b, '<'), n.tag...)
	for _, a := range n.attributes {
		b = append(append(append(b, ' '), a.name...), `="`...)
		b = append(append(b, escaped.Replace(a.value)...), '"')
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
func (n *node) void() bool { return n.tag == "wbr" || n.tag == "input" }

func appendHTML(b []byte, nodes []node) []byte {
	for i := range nodes {
		b = nodes[i].appendHTML(b)
	}
	return b
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;")

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
		return n.element()
	}
	return ui.Raw(n.html())
}

// element makes a node one of go-app's elements, to be pre-rendered with them.
func (n *node) element() ui.UI {
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
	for i := range n.children {
		children = append(children, n.children[i].element())
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
		patch(&spot{element: d.element()}, &d.shown, &n)
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

// spot is where a node stands in the document. It is looked up when something
// is to change there, and once.
type spot struct {
	parent  *spot
	index   int
	element ui.Value
}

func (p *spot) get() ui.Value {
	if p.element == nil {
		p.element = p.parent.get().Get("childNodes").Index(p.index)
	}
	return p.element
}

// patch turns what stands at a place into another node with the same tag.
func patch(at *spot, was, is *node) {
	if is.tag == "" {
		if was.words != is.words {
			at.get().Set("nodeValue", is.words)
		}
		return
	}
	patchAttributes(at, was.attributes, is.attributes)
	shared := min(len(was.children), len(is.children))
	for i := range shared {
		if was.children[i].tag != is.children[i].tag {
			at.get().Set("innerHTML", string(appendHTML(nil, is.children)))
			return
		}
	}
	for i := range shared {
		patch(&spot{parent: at, index: i}, &was.children[i], &is.children[i])
	}
	for range was.children[shared:] {
		at.get().Get("lastChild").Call("remove")
	}
	if more := is.children[shared:]; len(more) > 0 {
		at.get().Call("insertAdjacentHTML", "beforeend", string(appendHTML(nil, more)))
	}
}

func patchAttributes(at *spot, was, is []attribute) {
	for _, a := range is {
		if value, had := valueOf(was, a.name); !had || value != a.value {
			setAttribute(at.get(), a.name, a.value)
		}
	}
	for _, a := range was {
		if _, has := valueOf(is, a.name); !has {
			removeAttribute(at.get(), a.name)
		}
	}
}

// stateful are the attributes that say how a control begins; how it is now is a
// property, which the reader changes too.
var stateful = []string{"checked", "selected"}

func setAttribute(element ui.Value, name, value string) {
	if slices.Contains(stateful, name) {
		element.Set(name, true)
		return
	}
	element.Call("setAttribute", name, value)
}

func removeAttribute(element ui.Value, name string) {
	if slices.Contains(stateful, name) {
		element.Set(name, false)
		return
	}
	element.Call("removeAttribute", name)
}

func valueOf(attributes []attribute, name string) (value string, ok bool) {
	for _, a := range attributes {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}
