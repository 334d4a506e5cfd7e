package document

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// JSON reads JSON that may hold comments and trailing commas. Strict is the
// place of the first of those, for enforcers that read neither; its line is 0
// in plain JSON.
func JSON(name string, text []byte) (root *Node, strict Position, err error) {
	if err := check(name, text); err != nil {
		return nil, Position{}, err
	}
	if bytes.HasPrefix(text, []byte(ByteOrderMark)) {
		return nil, Position{}, Errorf(name, Place(text, 0), "a byte order mark (U+FEFF), for which a reader may refuse JSON (RFC 8259, section 8.1); save the file as UTF-8 without one")
	}
	if at, ok := tooDeep(text); ok {
		return nil, Position{}, Errorf(name, Place(text, at), "nested more than %d deep", MaxDepth)
	}
	value, err := hujson.Parse(text)
	if err != nil {
		// The library wants a line's end behind a comment.
		if ended, again := hujson.Parse(append(slices.Clip(text), '\n')); again == nil {
			value, err = ended, nil
		}
	}
	if err != nil {
		return nil, Position{}, jsonError(name, text, err)
	}
	root = jsonReader{NewLines(text)}.node(value)
	if !value.IsStandard() {
		strict = Place(text, firstExtra(text))
	}
	return root, strict, nil
}

// jsonError takes the place out of the library's message, "hujson: line 1,
// column 2: …".
func jsonError(name string, text []byte, err error) error {
	inner := errors.Unwrap(err)
	if inner == nil {
		return Errorf(name, Position{}, "no JSON: %v", err)
	}
	place, _ := strings.CutPrefix(err.Error(), "hujson: line ")
	line, rest, _ := strings.Cut(place, ", column ")
	column, _, _ := strings.Cut(rest, ":")
	at := Position{atoi(line), atoi(column)}
	if at.Line == 0 || at.Column == 0 {
		return Errorf(name, Position{}, "no JSON: %v", err)
	}
	return Errorf(name, runeColumn(text, at), "no JSON: %s", Clip(inner.Error()))
}

// atoi returns 0 for what is no number, which is no line either.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// runeColumn turns a column in octets into one in characters.
func runeColumn(text []byte, at Position) Position {
	line := string(text)
	for range at.Line - 1 {
		_, line, _ = strings.Cut(line, "\n")
	}
	octets := min(max(at.Column-1, 0), len(line))
	return Position{at.Line, len([]rune(line[:octets])) + 1}
}

// tooDeep finds the first bracket below MaxDepth, which the recursive parser
// must not see.
func tooDeep(text []byte) (offset int, found bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i)
		case '/':
			i = skipComment(text, i)
		case '{', '[':
			depth++
			if depth > MaxDepth {
				return i, true
			}
		case '}', ']':
			depth--
		}
	}
	return 0, false
}

// skipString returns the offset of the quote that ends the string at i.
func skipString(text []byte, i int) int {
	for i++; i < len(text) && text[i] != '"'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return i
}

// skipComment returns the last offset of the comment at i, or i for none.
func skipComment(text []byte, i int) int {
	rest := text[i:]
	end := -1
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		end = bytes.IndexByte(rest, '\n')
	case bytes.HasPrefix(rest, []byte("/*")):
		if end = bytes.Index(rest[2:], []byte("*/")); end >= 0 {
			end += 3
		}
	default:
		return i
	}
	if end < 0 {
		return len(text)
	}
	return i + end
}

// jsonReader turns values into nodes, in the order of the text.
type jsonReader struct{ lines *Lines }

func (r jsonReader) node(v hujson.Value) *Node {
	n := &Node{Position: r.lines.Place(v.StartOffset)}
	switch value := v.Value.(type) {
	case *hujson.Object:
		n.Kind = Map
		for _, m := range value.Members {
			at := r.lines.Place(m.Name.StartOffset)
			n.Fields = append(n.Fields, Field{Position: at, Key: m.Name.Value.(hujson.Literal).String(), Value: r.node(m.Value)})
		}
	case *hujson.Array:
		n.Kind = List
		for _, e := range value.Elements {
			n.Items = append(n.Items, r.node(e))
		}
	case hujson.Literal:
		n.Kind, n.Text = literal(value)
	}
	return n
}

func literal(l hujson.Literal) (Kind, string) {
	switch l.Kind() {
	case 'n':
		return Null, ""
	case 't', 'f':
		return Bool, string(l)
	case '"':
		return String, l.String()
	}
	return Number, string(l)
}

// firstExtra returns the offset of the first comment or trailing comma.
func firstExtra(text []byte) int {
	first := len(text)
	for i := 0; i < len(text) && i < first; i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i)
		case '/':
			first = i
		case ',':
			if trailing(text[i+1:]) {
				first = i
			}
		}
	}
	return first
}

// trailing reports whether nothing but white space stands before a closing
// bracket.
func trailing(rest []byte) bool {
	for _, c := range rest {
		switch c {
		case ' ', '\t', '\n', '\r':
		case '}', ']':
			return true
		default:
			return false
		}
	}
	return false
}
