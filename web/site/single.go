package site

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"
)

// singleName is the page that is one file, in the site and alone.
const singleName = "sixways.html"

// BuildSingle compiles the simulator and writes its page as one file into the
// folder Out, which it leaves as it is otherwise. It opens without a server.
func BuildSingle(ctx context.Context, o Options) (Result, error) {
	site, version, err := render(ctx, o.Root)
	if err != nil {
		return Result{}, err
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return Result{}, fmt.Errorf("output folder: %w", err)
	}
	if err := replaceFile(filepath.Join(o.Out, singleName), site[singleName]); err != nil {
		return Result{}, fmt.Errorf("single file: %w", err)
	}
	return Result{Version: version, Sizes: map[string]int{singleName: len(site[singleName])}}, nil
}

// replaceFile writes beside the file and then in its place, so that nobody
// meets half of it.
func replaceFile(name string, b []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(b)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// single makes the page with everything inside. Its policy names each script
// and the style by their hashes, and lets it ask nobody for anything.
func single(site files, body string) ([]byte, error) {
	style, view, runtime, boot := site["sixways.css"], site["view.js"], site["wasm_exec.js"], site["boot.js"]
	return fill("single.html", map[string]any{
		"Policy": fmt.Sprintf("default-src 'none'; script-src 'wasm-unsafe-eval' '%s' '%s' '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
			integrity(view), integrity(runtime), integrity(boot), integrity(style)),
		"Title":       title,
		"Description": description,
		"Light":       lightGround,
		"Dark":        darkGround,
		"Icon":        template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(site["icons/icon.svg"])),
		"Style":       template.CSS(style),
		"Body":        template.HTML(body),
		"Packed":      template.HTML(spell(site["app.wasm.gz"])),
		"PackedBytes": len(site["app.wasm.gz"]),
		"View":        template.JS(view),
		"Runtime":     template.JS(runtime),
		"Boot":        template.JS(boot),
	})
}

// unspellable are the characters that a script element cannot hold: a parser
// replaces the first two, and the third could end the element.
var unspellable = []byte{0, '\r', '<'}

// spell writes bytes as text for a page in UTF-8, seven bits a character: an
// eighth longer than the bytes, where base64 is a third longer. An unspellable
// character and the next seven bits are one character of two bytes. boot.js
// reads it.
func spell(b []byte) string {
	sevens := inSevens(b)
	var text strings.Builder
	text.Grow(len(sevens))
	for i := 0; i < len(sevens); i++ {
		n := bytes.IndexByte(unspellable, sevens[i])
		if n < 0 {
			text.WriteByte(sevens[i])
			continue
		}
		i++
		next := byte(0) // after the last; the reader knows the length
		if i < len(sevens) {
			next = sevens[i]
		}
		text.WriteRune(rune(n+2)<<7 | rune(next))
	}
	return text.String()
}

// inSevens cuts bytes into groups of seven bits, the last filled up with zeros.
func inSevens(b []byte) []byte {
	var sevens []byte
	held, bits := 0, 0
	for _, c := range b {
		held, bits = held<<8|int(c), bits+8
		for bits >= 7 {
			bits -= 7
			sevens = append(sevens, byte(held>>bits))
			held &= 1<<bits - 1
		}
	}
	if bits > 0 {
		sevens = append(sevens, byte(held<<(7-bits)))
	}
	return sevens
}
