package site

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Normalize rewrites HTML as go-app's HTMLString prints it so that an HTML
// parser reads the same tree that go-app's WebAssembly side builds, and so
// that one tree always gives the same bytes.
//
// go-app prints a newline and two spaces a level between nodes, which would
// show as spaces that go away when WebAssembly takes over; Go-quoted
// attributes in map order; checked="false", which is checked; and
// aria-pressed="true" as a bare name, which is not pressed. What cannot be
// told apart in that text, or cannot be the same on both sides, is an error
// that names the place.
func Normalize(src string) (string, error) {
	s := &scanner{src: src}
	if err := s.document(); err != nil {
		return "", fmt.Errorf("pre-rendered page, byte %d (%s): %w", s.pos, s.excerpt(), err)
	}
	return s.out.String(), nil
}

// scanner reads go-app's text and writes the normal form. open holds the
// names of the elements around the position, so that its length is the depth
// that go-app indents by.
type scanner struct {
	src  string
	pos  int
	out  strings.Builder
	open []string
}

type attribute struct{ name, value string }

// voids are the elements without an end tag, for go-app and HTML alike.
var voids = set("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")

// unparsed are the elements whose content an HTML parser does not read as
// go-app builds it: it takes entities for text, or puts the children elsewhere.
var unparsed = set("iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "template", "xmp")

// properties are the attributes that go-app's WebAssembly side sets as
// boolean properties; any other one is an attribute with its value.
var properties = set("async", "autofocus", "autoplay", "checked", "default", "defer", "disabled", "hidden", "ismap",
	"loop", "multiple", "muted", "open", "readonly", "required", "reversed", "selected")

// closesParagraph are the elements before which an HTML parser ends an open <p>.
var closesParagraph = set("address", "article", "aside", "blockquote", "details", "dialog", "div", "dl", "fieldset",
	"figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "main",
	"menu", "nav", "ol", "p", "pre", "search", "section", "table", "ul")

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

func (s *scanner) document() error {
	if i := strings.IndexFunc(s.src, func(r rune) bool { return r == 0 || r == utf8.RuneError }); i >= 0 {
		s.pos = i
		return fmt.Errorf("a NUL or a character that is not UTF-8 cannot be written in HTML")
	}
	if !strings.HasPrefix(s.rest(), "<") {
		return fmt.Errorf("want the root element")
	}
	if err := s.element(); err != nil {
		return err
	}
	if s.rest() != "" {
		return fmt.Errorf("want nothing after the root element")
	}
	return nil
}

func (s *scanner) rest() string { return s.src[s.pos:] }

func (s *scanner) excerpt() string {
	rest := []rune(s.src[s.pos:min(len(s.src), s.pos+4*40)])
	return strconv.Quote(string(rest[:min(len(rest), 40)]))
}

// element reads one element from its "<" on, with all that is in it.
func (s *scanner) element() error {
	name, err := s.startTag()
	if err != nil {
		return err
	}
	if voids[name] {
		return nil
	}
	s.open = append(s.open, name)
	if err := s.content(name); err != nil {
		return err
	}
	end := "</" + name + ">"
	if !strings.HasPrefix(s.rest(), end) {
		return wantEnd(name)
	}
	s.open = s.open[:len(s.open)-1]
	s.pos += len(end)
	s.out.WriteString(end)
	return nil
}

func wantEnd(name string) error {
	return fmt.Errorf("want </%s>: an element that HTML does not know as void needs an end tag (ui.Elem, not ui.ElemSelfClosing), and ui.Raw cannot be pre-rendered", name)
}

func (s *scanner) startTag() (string, error) {
	n := strings.IndexAny(s.rest()[1:], " >/<\n\t\"")
	if n <= 0 {
		return "", fmt.Errorf("want the name of an element")
	}
	name := s.rest()[1 : 1+n]
	if err := s.nests(name); err != nil {
		return "", err
	}
	s.pos += 1 + n
	attrs, err := s.attributes()
	if err != nil {
		return "", err
	}
	if err := s.writeStartTag(name, attrs); err != nil {
		return "", fmt.Errorf("<%s>: %w", name, err)
	}
	return name, nil
}

func (s *scanner) writeStartTag(name string, attrs []attribute) error {
	text := ""
	s.out.WriteString("<" + name)
	for _, a := range attrs {
		switch {
		case strings.ContainsAny(a.value, "\x00\uFFFD"):
			return fmt.Errorf("attribute %s: value %q: a NUL or a character that is not UTF-8 cannot be written in HTML", a.name, a.value)
		case a.name == "value" && name == "textarea":
			// A parser takes it from the content, less a first newline.
			text = "\n" + textEscapes.Replace(a.value)
		case a.name == "value" && name == "select":
			return fmt.Errorf("attribute value has no effect; mark the option as selected")
		case a.name == "style", strings.HasPrefix(strings.ToLower(a.name), "on"):
			return fmt.Errorf("attribute %s: the page's Content-Security-Policy blocks it; use a class or a handler", a.name)
		default:
			s.writeAttribute(a)
		}
	}
	s.out.WriteString(">" + text)
	return nil
}

// nests refuses what an HTML parser would put elsewhere than go-app does.
func (s *scanner) nests(name string) error {
	if name != strings.ToLower(name) && !slices.Contains(s.open, "svg") {
		return fmt.Errorf("<%s>: an HTML parser reads names in lower case", name)
	}
	if unparsed[name] {
		return fmt.Errorf("<%s>: its content cannot be pre-rendered as WebAssembly builds it", name)
	}
	if len(s.open) == 0 {
		return nil
	}
	parent := s.open[len(s.open)-1]
	switch {
	case closesParagraph[name] && slices.Contains(s.open, "p"):
		return fmt.Errorf("<%s> in <p>: an HTML parser ends the paragraph there", name)
	case name == "tr" && parent == "table":
		return fmt.Errorf("<tr> in <table>: an HTML parser adds a <tbody>; write it")
	case (name == "a" || name == "button" || name == "form") && slices.Contains(s.open, name):
		return fmt.Errorf("<%s> in <%s>: an HTML parser ends the outer one", name, name)
	}
	return nil
}

func (s *scanner) attributes() ([]attribute, error) {
	var attrs []attribute
	for {
		switch {
		case strings.HasPrefix(s.rest(), ">"):
			s.pos++
			slices.SortFunc(attrs, func(a, b attribute) int { return strings.Compare(a.name, b.name) })
			return attrs, nil
		case strings.HasPrefix(s.rest(), " "):
			s.pos++
			a, err := s.attribute()
			if err != nil {
				return nil, err
			}
			attrs = append(attrs, a)
		default:
			return nil, fmt.Errorf("want a space and an attribute, or >")
		}
	}
}

// attribute reads name or name="Go-quoted value". go-app drops empty values
// and prints a bare name for "true" alone.
func (s *scanner) attribute() (attribute, error) {
	n := strings.IndexAny(s.rest(), " =>\"'</\n\t")
	if n <= 0 {
		return attribute{}, fmt.Errorf("want the name of an attribute")
	}
	a := attribute{name: s.rest()[:n], value: "true"}
	s.pos += n
	if !strings.HasPrefix(s.rest(), "=") {
		return a, nil
	}
	quoted, err := strconv.QuotedPrefix(s.rest()[1:])
	if err != nil || quoted[0] != '"' {
		return attribute{}, fmt.Errorf("attribute %s: want a Go-quoted value", a.name)
	}
	if a.value, err = strconv.Unquote(quoted); err != nil {
		return attribute{}, fmt.Errorf("attribute %s: value %s: %w", a.name, quoted, err)
	}
	s.pos += 1 + len(quoted)
	return a, nil
}

// attributeEscapes is what a double-quoted value cannot hold as it is. A
// newline may stand there, but a carriage return would be read as one.
var attributeEscapes = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")

func (s *scanner) writeAttribute(a attribute) {
	if !properties[a.name] {
		s.out.WriteString(" " + a.name + `="` + attributeEscapes.Replace(a.value) + `"`)
		return
	}
	// As in go-app, what does not parse as a boolean is false.
	if on, err := strconv.ParseBool(a.value); err == nil && on {
		s.out.WriteString(" " + a.name)
	}
}

// content reads what stands between a start tag and its end tag.
func (s *scanner) content(name string) error {
	rest := s.rest()
	if !strings.HasPrefix(rest, "\n") {
		return s.onlyText(name)
	}
	end := strings.IndexByte(rest, '<')
	switch {
	case end < 0 || !strings.HasPrefix(rest[end:], "</"):
	case !strings.HasPrefix(rest[end:], "</"+name+">"):
		return wantEnd(name)
	case !s.severalTexts(rest[:end]):
		return fmt.Errorf("text of <%s> begins with a newline: go-app's text cannot be told from its indentation", name)
	}
	s.pos++
	return s.children()
}

// severalTexts reports whether text, from after a start tag to an end tag, is
// what go-app prints for more than one text: each on a line of its own, the
// end tag indented.
func (s *scanner) severalTexts(text string) bool {
	return strings.HasSuffix(text, "\n"+indent(len(s.open)-1)) && text != "\n"+indent(len(s.open)-1)
}

// onlyText reads a single text child, which go-app prints as it is.
func (s *scanner) onlyText(name string) error {
	end := strings.IndexByte(s.rest(), '<')
	if end < 0 {
		return wantEnd(name)
	}
	s.writeText(s.rest()[:end])
	s.pos += end
	return nil
}

// children reads one child a line, up to the end tag of the parent.
func (s *scanner) children() error {
	in, out := indent(len(s.open)), indent(len(s.open)-1)
	text := false
	for {
		rest := s.rest()
		switch {
		case strings.HasPrefix(rest, out+"</"):
			s.pos += len(out)
			return nil
		case strings.HasPrefix(rest, "\n"):
			// An empty text: go-app ends its line all the same.
			s.pos++
			continue
		case strings.HasPrefix(rest, in+"<"):
			s.pos += len(in)
			if err := s.element(); err != nil {
				return err
			}
			text = false
		case strings.HasPrefix(rest, in):
			s.pos += len(in)
			s.line()
			text = true
		case text:
			// Less indentation than a child's: the text itself went on.
			s.out.WriteByte('\n')
			s.line()
		default:
			return fmt.Errorf("want a child indented by %d spaces", len(in))
		}
		if !strings.HasPrefix(s.rest(), "\n") {
			return fmt.Errorf("want a newline after a child of <%s>", s.open[len(s.open)-1])
		}
		s.pos++
	}
}

// line reads one line of text, without its newline.
func (s *scanner) line() {
	end := strings.IndexAny(s.rest(), "\n<")
	if end < 0 {
		end = len(s.rest())
	}
	s.writeText(s.rest()[:end])
	s.pos += end
}

// writeText writes text that go-app escaped. Quotes need no escape in text.
func (s *scanner) writeText(text string) {
	text = html.UnescapeString(text)
	s.out.WriteString(textEscapes.Replace(text))
}

var textEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")

func indent(depth int) string { return strings.Repeat("  ", depth) }
