package document

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"
)

// YAML reads the first document of a YAML text, as the enforcers read here do.
// Aliases and merge keys are followed.
func YAML(name string, text []byte) (*Node, error) {
	if err := check(name, text); err != nil {
		return nil, err
	}
	if at, ok := tooDeepForYAML(text); ok {
		return nil, Errorf(name, Place(text, at), "nested more than %d deep", MaxDepth)
	}
	var doc, next yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, Errorf(name, Position{}, "the file is empty")
		}
		return nil, yamlError(name, text, err)
	}
	r := yamlReader{name: name, done: map[*yaml.Node]*Node{}, open: map[*yaml.Node]bool{}}
	root, err := r.node(doc.Content[0], 0)
	if err != nil {
		return nil, err
	}
	switch err := decoder.Decode(&next); {
	case err == nil:
		root.Next = Position{max(next.Line, 1), max(next.Column, 1)}
	case !errors.Is(err, io.EOF):
		root.Next = yamlError(name, text, err).Position
	}
	return root, nil
}

// deepest is what the recursive parser may see. It is more than MaxDepth, for a
// text is searched here without its strings being known.
const deepest = 1000

// tooDeepForYAML finds where brackets, or the dashes and question marks at the
// begin of a line, nest more than deepest.
func tooDeepForYAML(text []byte) (offset int, found bool) {
	brackets, marks, begin := 0, 0, true
	for i, c := range text {
		switch c {
		case '[', '{':
			brackets++
		case ']', '}':
			brackets = max(brackets-1, 0)
		case '-', '?':
			if begin && bytes.HasPrefix(text[i+1:], []byte(" ")) {
				marks++
			}
		}
		switch {
		case c == '\n':
			marks, begin = 0, true
		case c != ' ' && c != '-' && c != '?':
			begin = false
		}
		if brackets > deepest || marks > deepest {
			return i, true
		}
	}
	return 0, false
}

// yamlError takes the line out of the library's message, "yaml: line 2: …",
// which has no column and none at all on the first line.
func yamlError(name string, text []byte, err error) *Error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	at := Position{1, 1}
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		line, rest, _ := strings.Cut(rest, ": ")
		at.Line, message = atoi(line), rest
	}
	if anchor, ok := strings.CutPrefix(message, "unknown anchor '"); ok {
		anchor, _, _ = strings.Cut(anchor, "'")
		at = Place(text, bytes.Index(text, []byte("*"+anchor)))
	}
	// The library counts lines from 0 in errors of its parser, from 1 in those
	// of its scanner.
	if strings.HasPrefix(message, "did not find expected ") {
		at.Line++
	}
	at.Line = min(at.Line, strings.Count(strings.TrimSuffix(string(text), "\n"), "\n")+1)
	return Errorf(name, at, "no YAML: %s", message)
}

type yamlReader struct {
	name  string
	nodes int
	done  map[*yaml.Node]*Node // anchored values, shared by their aliases
	open  map[*yaml.Node]bool  // values being read, to find a cycle
}

func (r *yamlReader) node(y *yaml.Node, depth int) (*Node, error) {
	at := Position{y.Line, y.Column}
	if depth > MaxDepth {
		return nil, Errorf(r.name, at, "nested more than %d deep", MaxDepth)
	}
	if err := r.checkTag(y); err != nil {
		return nil, err
	}
	if y.Kind == yaml.AliasNode {
		return r.alias(y)
	}
	if r.nodes++; r.nodes > MaxNodes {
		return nil, Errorf(r.name, at, "more than %d values", MaxNodes)
	}
	r.open[y] = true
	defer delete(r.open, y)
	n := &Node{Position: at, size: 1}
	var err error
	switch y.Kind {
	case yaml.MappingNode:
		err = r.fields(n, y, depth)
	case yaml.SequenceNode:
		err = r.items(n, y, depth)
	default:
		n.Kind, n.Text = yamlScalar(y)
		n.Literal = y.Style&yaml.LiteralStyle != 0
		n.Plain = y.Style&(yaml.LiteralStyle|yaml.FoldedStyle|yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0
	}
	if err != nil {
		return nil, err
	}
	if y.Anchor != "" {
		r.done[y] = n
	}
	return n, nil
}

// checkTag refuses what a tag makes of a value: each enforcer knows other tags,
// and !!binary writes a key in letters that nobody reads.
func (r *yamlReader) checkTag(y *yaml.Node) error {
	if y.Style&yaml.TaggedStyle == 0 || y.Tag == "!!str" || y.Tag == "!!map" || y.Tag == "!!seq" {
		return nil
	}
	return Errorf(r.name, Position{y.Line, y.Column}, "the tag %s; write the value without it", Clip(y.Tag))
}

// alias counts the value anew, so that a few lines of aliases to aliases
// cannot stand for more than MaxNodes values.
func (r *yamlReader) alias(y *yaml.Node) (*Node, error) {
	at := Position{y.Line, y.Column}
	if r.open[y.Alias] {
		return nil, Errorf(r.name, at, "the alias *%s stands inside its own value", y.Value)
	}
	n := r.done[y.Alias]
	if n == nil {
		return nil, Errorf(r.name, at, "the alias *%s has no value", y.Value)
	}
	if r.nodes += n.size; r.nodes > MaxNodes {
		return nil, Errorf(r.name, at, "more than %d values once aliases are followed", MaxNodes)
	}
	return n, nil
}

func (r *yamlReader) items(n *Node, y *yaml.Node, depth int) error {
	n.Kind = List
	for _, c := range y.Content {
		child, err := r.node(c, depth+1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, child)
		n.size += child.size
	}
	return nil
}

// fields keeps the order of the text: as Smokescreen's YAML has it, what a map
// merges counts more than what stands above, and less than what stands below.
func (r *yamlReader) fields(n *Node, y *yaml.Node, depth int) error {
	n.Kind = Map
	for i := 0; i+1 < len(y.Content); i += 2 {
		key := y.Content[i]
		if err := r.checkTag(key); err != nil {
			return err
		}
		value, err := r.node(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		n.size += value.size
		at := Position{key.Line, key.Column}
		switch {
		case key.Tag == "!!merge":
			merged, ok := mergeFields(value)
			if !ok {
				return Errorf(r.name, at, "the merge key << has neither a map nor a list of maps")
			}
			if n.Merge.Line == 0 {
				n.Merge = at
			}
			for _, f := range merged {
				f.Merged = true
				n.Fields = append(n.Fields, f)
			}
		case key.Kind != yaml.ScalarNode:
			return Errorf(r.name, at, "a key that is no scalar")
		default:
			n.Fields = append(n.Fields, Field{Position: at, Key: key.Value, Value: value})
		}
	}
	return nil
}

// mergeFields returns the members of a map, or of a list of maps of which the
// first counts most; other values cannot be merged.
func mergeFields(n *Node) (all []Field, ok bool) {
	if n.Kind == Map {
		return n.Fields, true
	}
	for i := len(n.Items) - 1; i >= 0; i-- {
		if n.Items[i].Kind != Map {
			return nil, false
		}
		all = append(all, n.Items[i].Fields...)
	}
	return all, n.Kind == List
}

func yamlScalar(y *yaml.Node) (Kind, string) {
	switch y.ShortTag() {
	case "!!null":
		return Null, ""
	case "!!bool":
		return Bool, y.Value
	case "!!int", "!!float":
		return Number, y.Value
	}
	return String, y.Value
}
