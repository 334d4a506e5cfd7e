package app

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sixways/fixture"
	"sixways/policy"
)

func TestLineSpan(t *testing.T) {
	const text = "one\ntwo\n\nfour"
	for _, test := range []struct {
		line int
		want string
	}{{1, "one"}, {2, "two"}, {3, ""}, {4, "four"}, {5, ""}} {
		from, to := lineSpan(text, test.line)
		if got := text[from:to]; got != test.want {
			t.Errorf("line %d is %q, want %q", test.line, got, test.want)
		}
	}
}

func TestLineOf(t *testing.T) {
	long := strings.Repeat("ä", 61)
	for _, test := range []struct{ text, want string }{
		{"  \"a\",  \n", `"a",`},
		{strings.Repeat("ä", 60), strings.Repeat("ä", 60)},
		{long, strings.Repeat("ä", 60) + "…"},
	} {
		if got := lineOf(test.text, 1); got != test.want {
			t.Errorf("lineOf(%q) = %q, want %q", test.text, got, test.want)
		}
	}
}

// JavaScript counts a text in UTF-16, in which the characters beyond the basic
// plane are two.
func TestUTF16Length(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
	}{{"", 0}, {"abc", 3}, {"ä", 1}, {"１", 1}, {"🙂", 2}} {
		if got := utf16Length(test.text); got != test.want {
			t.Errorf("utf16Length(%q) = %d, want %d", test.text, got, test.want)
		}
	}
}

// packed packs as the browser does.
func packed(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return fixture.PackedVersion + base64.RawURLEncoding.EncodeToString(b.Bytes())
}

func TestUnpack(t *testing.T) {
	const text = "allowed-endpoints: >\n  api.partner.example:443\n"
	got, err := unpack(packed(t, []byte(text)))
	if err != nil || got != text {
		t.Errorf("unpack: %q, %v; want the text", got, err)
	}
}

// What is in an address is anybody's: it must not take the page down.
func TestUnpackRefuses(t *testing.T) {
	tests := []struct{ rule, packed, want string }{
		{"a text longer than the page reads", packed(t, make([]byte, most+1)), "it is longer than 4194304 octets"},
		{"a text cut off", packed(t, []byte(strings.Repeat("host ", 100)))[:8], "unexpected EOF"},
		{"no DEFLATE", "1.____", "flate: corrupt input before offset 1"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			_, err := unpack(test.packed)
			if err == nil || err.Error() != test.want {
				t.Errorf("error %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add("1.q1YqLQ")
	f.Add("1.____")
	f.Fuzz(func(t *testing.T, s string) {
		if text, err := unpack(s); err == nil && len(text) > most {
			t.Errorf("%d octets, over %d", len(text), most)
		}
	})
}

// A marked line stands between its neighbours, and a gap is told.
func TestRenderExcerpt(t *testing.T) {
	c := &checker{text: "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"}
	decided := func(line int) policy.Decision {
		return policy.Decision{Rule: policy.Rule{Origin: policy.Origin{Kind: policy.OriginFile, Line: line}}}
	}
	excerpt := c.renderExcerpt(policy.Run{Decisions: []policy.Decision{decided(1), decided(6), {}, decided(6)}})
	const want = `<div><h3 id="excerpt-heading">The lines that decide</h3><ol class="excerpt" aria-labelledby="excerpt-heading">` +
		`<li value="1"><mark><code>one</code></mark> <span class="layer">decides: Partner API</span></li>` +
		`<li value="2"><code>two</code></li>` +
		`<li value="5" class="gap"><code>five</code></li>` +
		`<li value="6"><mark><code>six</code></mark> <span class="layer">decides: Package index, cloud metadata</span></li>` +
		`<li value="7"><code>seven</code></li></ol></div>`
	if diff := cmp.Diff(want, excerpt.html()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := c.renderExcerpt(policy.Run{Decisions: []policy.Decision{{}}}).html(); got != "<div></div>" {
		t.Errorf("without a deciding line: %s", got)
	}
}
