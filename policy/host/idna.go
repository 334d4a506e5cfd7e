package host

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// ToASCII maps a name to the ASCII form that IDNA compares (UTS #46, not
// transitional): full-width forms become ASCII, the ideographic full stops
// become dots, letters become lower case, other letters Punycode (RFC 3492).
//
// The Unicode tables of UTS #46 would weigh more than the rest of the engine.
// Letters whose mapping needs them are an error: what cannot be compared is not
// said to match.
func ToASCII(name string) (string, error) {
	mapped, err := mapRunes(name)
	if err != nil {
		return "", err
	}
	labels := strings.Split(mapped, ".")
	for i, label := range labels {
		if labels[i], err = labelToASCII(label); err != nil {
			return "", err
		}
	}
	return strings.Join(labels, "."), nil
}

func mapRunes(name string) (string, error) {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == '。' || r == '．' || r == '｡':
			r = '.'
		case r >= '！' && r <= '～': // U+FF01 to U+FF5E, ASCII at full width
			r -= 0xFEE0
		}
		if r >= 0x80 {
			if !mapsByCase(r) {
				return "", fmt.Errorf("character %q (U+%04X) needs Unicode tables that this page does not carry", r, r)
			}
			r = unicode.ToLower(r)
		} else if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String(), nil
}

// mapsByCase names the letters that UTS #46 maps to their lower case or keeps:
// Latin, Greek and Cyrillic without compatibility forms, kana, Han and Hangul
// syllables.
func mapsByCase(r rune) bool {
	switch r {
	case 0xD7, 0xF7, 0x130, 0x132, 0x133, 0x13F, 0x140, 0x149, 0x17F, 0x3A2:
		return false
	}
	return r >= 0xC0 && r <= 0x17F ||
		r >= 0x391 && r <= 0x3C9 ||
		r >= 0x400 && r <= 0x45F ||
		r >= 0x3041 && r <= 0x3096 ||
		r >= 0x30A1 && r <= 0x30FA ||
		r >= 0x4E00 && r <= 0x9FA5 ||
		r >= 0xAC00 && r <= 0xD7A3
}

const acePrefix = "xn--"

var errHyphens = errors.New("a label with a hyphen at its begin, at its end, or as third and fourth character")

// labelToASCII applies the hyphen rule of RFC 5891 §4.2.3.1 to what the label
// stands for.
func labelToASCII(label string) (string, error) {
	if encoded, ok := strings.CutPrefix(label, acePrefix); ok {
		return checkEncoded(label, encoded)
	}
	if err := checkHyphens(label); err != nil || isASCII(label) {
		return label, err
	}
	return acePrefix + encodePunycode(label), nil
}

// checkEncoded holds a label in Punycode to what it stands for: nothing at all
// for a bare prefix, else letters as a mapping would have left them.
func checkEncoded(label, encoded string) (string, error) {
	if encoded == "" {
		return "", nil
	}
	decoded, err := decodeLabel(encoded)
	if err == nil {
		err = checkHyphens(decoded)
	}
	if err != nil {
		return "", fmt.Errorf("label %.70q: %w", label, err)
	}
	return label, nil
}

// decodeLabel decodes what stands behind xn--, and refuses control characters
// and capitals, which no mapping leaves.
func decodeLabel(encoded string) (string, error) {
	decoded, err := decodePunycode(encoded)
	for _, r := range decoded {
		if r >= 0x80 && r < 0xA0 || unicode.ToLower(r) != r {
			err = errPunycode
		}
	}
	return decoded, err
}

// Decodes reports whether each label of an ASCII name in lower case that says it
// is Punycode is.
func Decodes(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if encoded, ok := strings.CutPrefix(label, acePrefix); ok {
			if _, err := decodeLabel(encoded); err != nil {
				return false
			}
		}
	}
	return true
}

func checkHyphens(label string) error {
	if strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") || len(label) >= 4 && label[2:4] == "--" {
		return errHyphens
	}
	return nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
