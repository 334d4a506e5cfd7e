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
	"unicode/utf8"
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
	page, err := fill("single.html", map[string]any{
		"Policy": fmt.Sprintf("default-src 'none'; script-src 'wasm-unsafe-eval' '%s' '%s' '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'",
			integrity(view), integrity(runtime), integrity(boot), integrity(style)),
		"Title":       title,
		"Description": description,
		"Light":       lightGround,
		"Dark":        darkGround,
		"Icon":        template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(site["icons/icon.svg"])),
		"Style":       template.CSS(style),
		"Body":        template.HTML(body),
		"Hash":        contentHash([]byte(body)),
		"Packed":      packedHere,
		"PackedBytes": len(site["app.wasm.gz"]),
		"View":        template.JS(view),
		"Runtime":     template.JS(runtime),
		"Boot":        template.JS(boot),
	})
	if err != nil {
		return nil, err
	}
	return bytes.Replace(page, []byte(packedHere), dense(site["app.wasm.gz"]), 1), nil
}

// packedHere is where the template puts the packed WebAssembly, which is no
// text that a template could escape.
const packedHere = "PACKED"

// absent are the ASCII characters that cannot stand in a script of HTML as
// they are: the parser replaces the first and the second, and the third may
// begin the end tag.
const absent = "\x00\r<"

// dense writes bytes as text for a script of HTML in UTF-8, seven bits to an
// octet; base64 would hold six. A character that is absent becomes, with the
// seven bits after it, one of two octets: U+0080 and up.
func dense(b []byte) []byte {
	sevens := sevens(b)
	text := make([]byte, 0, len(sevens))
	for i := 0; i < len(sevens); i++ {
		pair := bytes.IndexByte([]byte(absent), sevens[i])
		if pair < 0 {
			text = append(text, sevens[i])
			continue
		}
		next := byte(0)
		if i++; i < len(sevens) {
			next = sevens[i]
		}
		text = utf8.AppendRune(text, rune(0x80+pair<<7+int(next)))
	}
	return text
}

// sevens cuts bytes into groups of seven bits, the last filled up with zeros.
func sevens(b []byte) []byte {
	groups := make([]byte, 0, (len(b)*8+6)/7)
	held, bits := 0, 0
	for _, octet := range b {
		held, bits = held<<8|int(octet), bits+8
		for bits >= 7 {
			bits -= 7
			groups = append(groups, byte(held>>bits))
			held &= 1<<bits - 1
		}
	}
	if bits > 0 {
		groups = append(groups, byte(held<<(7-bits)))
	}
	return groups
}
