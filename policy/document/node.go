// Package document reads JSON with comments and YAML into one tree that keeps
// the line and column of everything, for the readers of policy files.
//
// It bounds what a file may cost: [MaxBytes] of text, [MaxDepth] levels, and
// [MaxNodes] values once aliases are followed.
package document

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of a document.
const (
	// MaxBytes is the longest text that is read, in octets.
	MaxBytes = 4 << 20
	// MaxDepth is how deep lists and maps may nest.
	MaxDepth = 64
	// MaxNodes is how many values a document may have, each use of a YAML
	// alias counted anew.
	MaxNodes = 1 << 20
	// maxMarks bounds what the parsers build before values can be counted:
	// each value has a comma, a colon, a bracket or a line of its own.
	maxMarks = 1 << 19
)

// Kind is what a node holds.
type Kind uint8

// The kinds. Scalars keep their text; only JSON and the plain YAML scalars true,
// false and null are told from strings.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Map
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "a list", "a map"}

// String returns the kind as a sentence names it, such as "a list".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Position is a place in a text. Line and Column count from 1, columns in
// characters; both are 0 for no place.
type Position struct{ Line, Column int }

// Node is a value of a document.
type Node struct {
	Position
	Kind Kind
	// Text is a scalar's value, unescaped, and as written.
	Text string
	// Literal tells a YAML block scalar that keeps its line breaks.
	Literal bool
	// Plain tells a YAML scalar that stands without quotes.
	Plain bool
	// Items are the elements of a list.
	Items []*Node
	// Fields are the members of a map in the order of the text; merged ones stand
	// where the merge key does.
	Fields []Field
	// Merge is the place of a map's first YAML merge key.
	Merge Position
	// Next is the place of the next document in the text, for the root of one.
	Next Position

	size int // nodes below and this one, aliases followed
}

// Field is a member of a map.
type Field struct {
	// Position is that of the key.
	Position
	Key   string
	Value *Node
	// Merged tells a member that a YAML merge key has brought.
	Merged bool
}

// Get returns the value of a key, or nil where n is nil, no map, or without
// it. Of a key that is given twice the last value counts, as it does for every
// enforcer that takes such a file.
func (n *Node) Get(key string) *Node {
	if f := n.Field(key); f != nil {
		return f.Value
	}
	return nil
}

// Field is like Get and returns key and value, or nil.
func (n *Node) Field(key string) *Field {
	if n == nil {
		return nil
	}
	for i := len(n.Fields) - 1; i >= 0; i-- {
		if n.Fields[i].Key == key {
			return &n.Fields[i]
		}
	}
	return nil
}

// IsTrue reports whether n is the boolean true. A nil node is not.
func (n *Node) IsTrue() bool { return n != nil && n.Kind == Bool && strings.EqualFold(n.Text, "true") }

// IsFalse reports whether n is the boolean false. A nil node is not.
func (n *Node) IsFalse() bool {
	return n != nil && n.Kind == Bool && strings.EqualFold(n.Text, "false")
}

// Error is a text that cannot be read, and where.
type Error struct {
	// Name is the file's name as given.
	Name string
	Position
	Message string
}

// Error returns "name:line:column: message", without the place where there is
// none.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Name + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Message)
}

// Errorf makes an Error at a place.
func Errorf(name string, at Position, format string, args ...any) *Error {
	return &Error{Name: name, Position: at, Message: fmt.Sprintf(format, args...)}
}

// ByteOrderMark is U+FEFF, which some editors put before a text in UTF-8.
const ByteOrderMark = "\uFEFF"

// check refuses what no format here may be.
func check(name string, text []byte) error {
	if len(text) > MaxBytes {
		return Errorf(name, Position{}, "the file has %d octets; at most %d are read", len(text), MaxBytes)
	}
	if strings.TrimSpace(string(text)) == "" {
		return Errorf(name, Position{}, "the file is empty")
	}
	marks := 0
	for i := 0; i < len(text); {
		if strings.IndexByte(",:[{\n", text[i]) >= 0 {
			marks++
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && n <= 1 {
			return Errorf(name, Place(text, i), "octet 0x%02X is no UTF-8", text[i])
		}
		if r == 0 {
			return Errorf(name, Place(text, i), "a null character")
		}
		i += n
	}
	if marks > maxMarks {
		return Errorf(name, Position{}, "the file has %d commas, colons, brackets and lines; at most %d are read", marks, maxMarks)
	}
	return nil
}

// Place returns the position of an offset in octets.
func Place(text []byte, offset int) Position {
	l := NewLines(text)
	return l.Place(offset)
}

// Lines finds positions in a text, in one pass where the offsets rise.
type Lines struct {
	text   []byte
	offset int
	at     Position
}

// NewLines returns the Lines of a text, which must not change.
func NewLines(text []byte) *Lines { return &Lines{text: text, at: Position{1, 1}} }

// Place returns the position of an offset in octets.
func (l *Lines) Place(offset int) Position {
	if offset < l.offset {
		*l = *NewLines(l.text)
	}
	for ; l.offset < offset && l.offset < len(l.text); l.offset++ {
		switch c := l.text[l.offset]; {
		case c == '\n':
			l.at = Position{l.at.Line + 1, 1}
		case utf8.RuneStart(c):
			l.at.Column++
		}
	}
	return l.at
}
