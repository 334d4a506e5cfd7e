package app

import (
	"compress/flate"
	"encoding/base64"
	"errors"
	"io"
	"strings"

	ui "github.com/maxence-charriere/go-app/v10/pkg/app"

	"sixways/fixture"
)

// The policy file is in no address unless the reader asks for one. Then it is
// in the fragment, which browsers send to nobody.

// OnMount implements ui.Mounter.
func (c *checker) OnMount(ctx ui.Context) {
	if c.File == (fixture.File{}) {
		ctx.PreventUpdate()
		return
	}
	c.follow()
}

// OnUpdate implements ui.Updater.
func (c *checker) OnUpdate(ui.Context) { c.follow() }

// follow takes the file over that the address carries, once.
func (c *checker) follow() {
	f := c.File
	if f.Packed == "" || f == c.linked {
		return
	}
	text, err := unpack(f.Packed)
	if err != nil {
		c.linked = f
		c.policy, c.problem = nil, "The file in the address cannot be unpacked: "+err.Error()+"."
		return
	}
	c.setFormat(f.Format)
	c.needed = fixture.PartnerAPI
	if f.Needed != "" {
		c.needed = f.Needed
	}
	ui.Window().GetElementByID("check-needed").Set("value", c.needed)
	c.load("", text)
	c.linked = f
}

// unpack undoes what pack does. It reads no more than the page would.
func unpack(packed string) (string, error) {
	data := strings.TrimPrefix(packed, fixture.PackedVersion)
	r := flate.NewReader(base64.NewDecoder(base64.RawURLEncoding, strings.NewReader(data)))
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > most:
		return "", errors.New("it is longer than " + itoa(most) + " octets")
	}
	return string(text), nil
}

// pack compresses a text with what the browser has for it.
func pack(text string, done func(packed string)) {
	blob := ui.Window().Get("Blob").New([]any{text})
	compress := ui.Window().Get("CompressionStream").New("deflate-raw")
	stream := blob.Call("stream").Call("pipeThrough", compress)
	ui.Window().Get("Response").New(stream).Call("arrayBuffer").Then(func(buffer ui.Value) {
		array := ui.Window().Get("Uint8Array").New(buffer)
		data := make([]byte, array.Length())
		ui.CopyBytesToGo(data, array)
		done(fixture.PackedVersion + base64.RawURLEncoding.EncodeToString(data))
	})
}

func (c *checker) renderLink() ui.UI {
	return el("div").Class("check-link").Body(
		el("button").Attr("type", "button").Attr("disabled", !ui.IsClient).OnClick(c.makeLink).Text("Make a link with this file"),
		el("p").Class("note").Role("status").Text(c.linkNote()),
		el("div").Hidden(c.link == "").Body(
			el("label").Attr("for", "check-address").Text("The link"),
			el("textarea").ID("check-address").Attr("readonly", true).Attr("rows", 3).Attr("spellcheck", "false").Text(c.link),
		),
	)
}

func (c *checker) linkNote() string {
	if c.link == "" {
		return "The file is in no address unless you ask for a link; then whoever has the link has the file."
	}
	note := "The link is " + itoa(len(c.link)) + " characters long and holds the whole file."
	if c.Page.file == c.linked {
		note += " It is in the address too."
	}
	return note
}

func (c *checker) makeLink(ctx ui.Context, _ ui.Event) {
	if c.problem = c.needless(); c.problem != "" {
		return
	}
	if c.text == "" || !ui.Window().Get("CompressionStream").Truthy() {
		c.problem = "There is no file to make a link of."
		if c.text != "" {
			c.problem = "This browser cannot compress, which a link needs."
		}
		return
	}
	pack(c.text, func(packed string) {
		ctx.Dispatch(func(ui.Context) { c.showLink(packed) })
	})
}

// showLink puts the packed file into the address and shows that.
func (c *checker) showLink(packed string) {
	f := fixture.File{Packed: packed, Format: c.key}
	if c.needed != fixture.PartnerAPI {
		f.Needed = c.needed
	}
	c.linked, c.Page.file = f, f
	c.Page.pushAddress()
	c.link = pageAddress() + "#" + c.Page.state().Fragment()
}

// forgetLink takes the file out of the address when the text is another one.
func (c *checker) forgetLink() {
	c.link, c.linked = "", fixture.File{}
	if c.Page.file != (fixture.File{}) {
		c.Page.file = fixture.File{}
		c.Page.replaceAddress()
	}
}
