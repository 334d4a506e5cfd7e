package document_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/policy"
	"sixways/policy/document"
)

// outline writes a tree with its places, to compare it with.
func outline(n *document.Node) string {
	var b strings.Builder
	write(&b, n, "")
	return b.String()
}

func write(b *strings.Builder, n *document.Node, indent string) {
	fmt.Fprintf(b, "%d:%d %s %q\n", n.Line, n.Column, n.Kind, n.Text)
	for _, f := range n.Fields {
		fmt.Fprintf(b, "%s%d:%d %s: ", indent, f.Line, f.Column, f.Key)
		write(b, f.Value, indent+"  ")
	}
	for _, i := range n.Items {
		fmt.Fprintf(b, "%s- ", indent)
		write(b, i, indent+"  ")
	}
}

func TestJSONKeepsPlaces(t *testing.T) {
	text := "{\n  // ü\n  \"a\": [\"ü\", \"x\", null, true, 1.5],\n  \"b\": {\"c\": \"\\u0061\"}, // end\n}\n"
	root, strict, err := document.JSON("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := `1:1 a map ""
3:3 a: 3:8 a list ""
  - 3:9 a string "ü"
  - 3:14 a string "x"
  - 3:19 null ""
  - 3:25 a boolean "true"
  - 3:31 a number "1.5"
4:3 b: 4:8 a map ""
  4:9 c: 4:14 a string "a"
`
	if diff := cmp.Diff(want, outline(root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if want := (document.Position{Line: 2, Column: 3}); strict != want {
		t.Errorf("first comment at %v, want %v", strict, want)
	}
}

// The place of what plain JSON does not have; the line 0 for none.
func TestJSONStrict(t *testing.T) {
	tests := []struct {
		because, text string
		line, column  int
	}{
		{"plain", `{"a": "// no comment, no trailing ,]"}`, 0, 0},
		{"a line comment", "{\n}// c\n", 2, 2},
		{"a block comment", "/* , */ {}", 1, 1},
		{"a trailing comma in a list", `[1,2 , ]`, 1, 6},
		{"in a map", "{\"a\":1,\n}", 1, 7},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			_, strict, err := document.JSON("f", []byte(tt.text))
			if want := (document.Position{Line: tt.line, Column: tt.column}); err != nil || strict != want {
				t.Errorf("%v, %v; want %v", strict, err, want)
			}
		})
	}
}

func TestYAMLKeepsPlaces(t *testing.T) {
	text := "# c\na: [x, 'y', 1, yes, ~, true]\nb: &anchor\n  c: |\n    one\n    two\nd: *anchor\ne:\n  <<: *anchor\n  c: own\n"
	root, err := document.YAML("f", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := `2:1 a map ""
2:1 a: 2:4 a list ""
  - 2:5 a string "x"
  - 2:8 a string "y"
  - 2:13 a number "1"
  - 2:16 a string "yes"
  - 2:21 null ""
  - 2:24 a boolean "true"
3:1 b: 3:4 a map ""
  4:3 c: 4:6 a string "one\ntwo\n"
7:1 d: 3:4 a map ""
  4:3 c: 4:6 a string "one\ntwo\n"
8:1 e: 9:3 a map ""
  4:3 c: 4:6 a string "one\ntwo\n"
  10:3 c: 10:6 a string "own"
`
	if diff := cmp.Diff(want, outline(root)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := root.Get("e").Get("c").Text; got != "own" {
		t.Errorf("what a map says itself counts: got %q", got)
	}
}

func parseJSON(name string, text []byte) (*document.Node, error) {
	n, _, err := document.JSON(name, text)
	return n, err
}

func TestErrors(t *testing.T) {
	deep := document.MaxDepth + 1
	// Ten to the seventh values in a few lines.
	bomb := "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'h'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 10), ","))
	}
	tests := []struct {
		because string
		parse   func(string, []byte) (*document.Node, error)
		text    string
		want    string
	}{
		{"an empty file", parseJSON, " \n", "f: the file is empty"},
		{"in YAML too", document.YAML, "", "f: the file is empty"},
		{"a comment alone", document.YAML, "# nothing\n", "f: the file is empty"},
		{"too long", parseJSON, strings.Repeat(" ", document.MaxBytes+1), "f: the file has 4194305 octets; at most 4194304 are read"},
		{"too many values", parseJSON, "[" + strings.Repeat("1,", 1<<19) + "1]", "f: the file has 524289 commas, colons, brackets and lines; at most 524288 are read"},
		{"too many lines", document.YAML, strings.Repeat("- a\n", 1<<19+1), "f: the file has 524289 commas, colons, brackets and lines; at most 524288 are read"},
		{"no UTF-8", parseJSON, "{\n \"ü\xff\"}", "f:2:4: octet 0xFF is no UTF-8"},
		{"a null character", document.YAML, "a: b\x00", "f:1:5: a null character"},
		{"a byte order mark", parseJSON, "\ufeff{}", "f:1:1: a byte order mark (U+FEFF), for which a reader may refuse JSON (RFC 8259, section 8.1); save the file as UTF-8 without one"},
		{"a brace that is missing", parseJSON, `{"a": 1`, "f:1:8: no JSON: parsing object after value: unexpected EOF"},
		{"a quote that is missing, columns in characters", parseJSON, "{\n  \"ü\": x}", "f:2:8: no JSON: invalid literal: x"},
		{"lists too deep", parseJSON, strings.Repeat("[", deep) + strings.Repeat("]", deep), "f:1:65: nested more than 64 deep"},
		{"brackets in a string are not deep", parseJSON, `"` + strings.Repeat("[", deep), "f:1:67: no JSON: parsing string: unexpected EOF"},
		{"lists too deep in YAML", document.YAML, strings.Repeat("[", deep+1) + strings.Repeat("]", deep+1), "f:1:66: nested more than 64 deep"},
		{"so deep that the parser must not see it", document.YAML, strings.Repeat("[", 20000), "f:1:1001: nested more than 64 deep"},
		{"maps as deep", document.YAML, strings.Repeat("{a: ", 20000), "f:1:4001: nested more than 64 deep"},
		{"lists of lists on one line", document.YAML, "a:\n" + strings.Repeat("- ", 20000), "f:2:2001: nested more than 64 deep"},
		{"a tab indents", document.YAML, "a:\n\tb: c", "f:2:1: no YAML: found character that cannot start any token"},
		{"a bracket that closes nothing", document.YAML, "a: b\nc: ]\nd: e", "f:2:1: no YAML: did not find expected node content"},
		{"a list that does not end", document.YAML, "a: b\nc: [d\ne: f\n", "f:2:1: no YAML: did not find expected ',' or ']'"},
		{"on the first line", document.YAML, "@", "f:1:1: no YAML: found character that cannot start any token"},
		{"at the end", document.YAML, "a: [", "f:1:1: no YAML: did not find expected node content"},
		{"an unknown alias", document.YAML, "a: *b", "f:1:4: no YAML: unknown anchor 'b' referenced"},
		{"an alias inside its own value", document.YAML, "a: &a [*a]", "f:1:8: the alias *a stands inside its own value"},
		{"a bomb of aliases", document.YAML, bomb, "f:6:32: more than 1048576 values once aliases are followed"},
		{"a tag", document.YAML, "a: !!binary aGk=", "f:1:4: the tag !!binary; write the value without it"},
		{"a tag of a key", document.YAML, "!!binary YWN0aW9u: open", "f:1:1: the tag !!binary; write the value without it"},
		{"a merge of a scalar", document.YAML, "a: 1\n<<: 5", "f:2:1: the merge key << has neither a map nor a list of maps"},
		{"a merge of a list of scalars", document.YAML, "<<: [5]", "f:1:1: the merge key << has neither a map nor a list of maps"},
		{"a key that is a map", document.YAML, "{a: b}: c", "f:1:1: a key that is no scalar"},
	}
	for _, tt := range tests {
		t.Run(tt.because, func(t *testing.T) {
			_, err := tt.parse("f", []byte(tt.text))
			var placed *document.Error
			if !errors.As(err, &placed) || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// Unknown keys are named, with what is known; of a key given twice, the last
// counts.
func TestUnknownKeys(t *testing.T) {
	root, err := parseJSON("f", []byte("{\"known\": 1,\n \"knwon\": 2,\n \"known\": 3}"))
	if err != nil {
		t.Fatal(err)
	}
	want := []policy.Finding{
		{Severity: policy.SeverityWarning, Line: 2, Column: 2, Message: `The key "knwon" is not known in the map, and X passes over it in silence.`,
			Fix: `remove the key "knwon", or spell it as one of known`},
		{Severity: policy.SeverityWarning, Line: 3, Column: 2, Message: `The key "known" stands in the map a second time; the first is on line 1, and this one counts.`,
			Fix: `remove the key "known" on line 1`},
	}
	var found document.Findings
	found.UnknownKeys(root, "the map", "X", "known")
	if diff := cmp.Diff(want, found.All()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := root.Get("known").Text; got != "3" {
		t.Errorf("known = %s, want the last", got)
	}
}

// Fuzzing: no panic and no hang, and a tree whose places are in the text.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{`{"a": [1, "b"], /* c */}`, "a: &x [b]\nc: *x\n<<: {d: e}", "- |\n  a\n- >\n  b", "[[[", "{{", "\"\\ud800\"", "? a\n: b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		lines := strings.Count(s, "\n") + strings.Count(s, "\r") + strings.Count(s, "\u0085") + strings.Count(s, "\u2028") + strings.Count(s, "\u2029") + 1
		for _, parse := range []func(string, []byte) (*document.Node, error){parseJSON, document.YAML} {
			root, err := parse("f", []byte(s))
			if err == nil {
				checkPlaces(t, root, lines)
			} else if err.Error() == "" {
				t.Error("an error without a text")
			}
		}
	})
}

// checkPlaces lets a missing value stand behind the last line.
func checkPlaces(t *testing.T, n *document.Node, lines int) {
	if n.Line < 1 || n.Line > lines+1 || n.Column < 1 {
		t.Errorf("a value at %d:%d in %d lines", n.Line, n.Column, lines)
	}
	for _, i := range n.Items {
		checkPlaces(t, i, lines)
	}
	for _, f := range n.Fields {
		checkPlaces(t, f.Value, lines)
	}
}
