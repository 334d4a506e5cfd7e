package app

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ui "github.com/maxence-charriere/go-app/v10/pkg/app"
)

func TestNodeIsWrittenAsABrowserReadsIt(t *testing.T) {
	tests := []struct {
		rule string
		node node
		want string
	}{
		{"a text is escaped", tag("p").says(`a < b & "c"`), `<p>a &lt; b &amp; &quot;c&quot;</p>`},
		{"so is an attribute", tag("p").attr("title", `<"&">`), `<p title="&lt;&quot;&amp;&quot;>"></p>`},
		{"what is in a file stays text", tag("code").says("<script>alert(1)</script>"), `<code>&lt;script>alert(1)&lt;/script></code>`},
		{"texts side by side are one", tag("p").body(words("a"), words(" b")), `<p>a b</p>`},
		{"an empty text is none", tag("p").body(words(""), tag("b"), words("")), `<p><b></b></p>`},
		{"classes add up", tag("p").class("a").class("").class("b"), `<p class="a b"></p>`},
		{"no class is no attribute", tag("p").class(""), `<p></p>`},
		{"what does not hold is left out", tag("p").given(false, "hidden", "").given(true, "lang", "en"), `<p lang="en"></p>`},
		{"a void element has no end", tag("p").body(words("a."), tag("wbr"), words("b")), `<p>a.<wbr>b</p>`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.node.html()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A piece is told apart in the document by its id, and keeps its element.
func TestPiecesHaveTheirIDsAndTheirTags(t *testing.T) {
	page := NewPage()
	covered := NewPage()
	covered.round = newRound(true)
	for _, piece := range page.pieces {
		opening, other := piece.of(page).node(), piece.of(covered).node()
		if id, _ := valueOf(opening.attributes, "id"); id != piece.id {
			t.Errorf("piece %q draws an element with the id %q", piece.id, id)
		}
		if opening.tag != other.tag {
			t.Errorf("piece %q draws a <%s>, and a <%s> while answers are covered", piece.id, opening.tag, other.tag)
		}
	}
}

// Until the page is live no control works, so none may look as if it did.
func TestControlsOfPiecesBeginDisabled(t *testing.T) {
	var check func(piece string, n node)
	check = func(piece string, n node) {
		switch n.tag {
		case "button", "input", "select", "textarea":
			if _, off := valueOf(n.attributes, "disabled"); off == ui.IsClient {
				t.Errorf("piece %q: %s is disabled: %t", piece, n.html(), off)
			}
		}
		for _, c := range n.children {
			check(piece, c)
		}
	}
	page := NewPage()
	for _, piece := range page.pieces {
		check(piece.id, piece.of(page).node())
	}
}

// A patch goes down only where something differs, and says no more than that.
func TestDifference(t *testing.T) {
	was := tag("ul").class("a").body(
		tag("li").says("one"),
		tag("li").given(true, "hidden", "").body(tag("b").says("two")),
		tag("li").says("three"),
	)
	tests := []struct {
		rule string
		is   node
		want string
	}{
		{"nothing differs", was, ""},
		{"nor where it was drawn anew", tag("ul").class("a").body(tag("li").says("one"), tag("li").given(true, "hidden", "").body(tag("b").says("two")), tag("li").says("three")), ""},
		{"a text, deep down", tag("ul").class("a").body(was.children[0], tag("li").given(true, "hidden", "").body(tag("b").says("2")), was.children[2]),
			"d1|d0|d0|t2|u|u|u|"},
		{"two places beside each other", tag("ul").class("a").body(tag("li").says("1"), was.children[1], tag("li").says("3")),
			"d0|d0|t1|u|u|d2|d0|t3|u|u|"},
		{"an attribute changed, one gone", tag("ul").class("b").body(was.children[0], tag("li").body(tag("b").says("two")), was.children[2]),
			"sclass b|d1|rhidden|u|"},
		{"children at the end", tag("ul").class("a").body(was.children[0], was.children[1], was.children[2], tag("li").says("<4>")),
			"a<li>&lt;4></li>|"},
		{"children gone from the end", tag("ul").class("a").body(was.children[0]), "l|l|"},
		{"another kind of child", tag("ul").class("a").body(tag("p")), "i<p></p>|"},
		{"a NUL ends no step", tag("ul").class("a").body(tag("li").says("o\x00e"), was.children[1], was.children[2]), "d0|d0|to\ufffde|u|u|"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if diff := cmp.Diff(test.want, strings.ReplaceAll(difference(was, test.is), endOfStep, "|")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
