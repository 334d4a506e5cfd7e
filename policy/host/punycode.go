package host

import (
	"errors"
	"slices"
	"strings"
)

// Parameters of RFC 3492 §5.
const (
	punyBase        = 36
	punyTMin        = 1
	punyTMax        = 26
	punySkew        = 38
	punyDamp        = 700
	punyInitialBias = 72
	punyInitialN    = 128
)

const punyDigits = "abcdefghijklmnopqrstuvwxyz0123456789"

// punyMax bounds a label, which the decoder rebuilds by insertion.
const punyMax = 1024

var errPunycode = errors.New("no Punycode")

func punyThreshold(k, bias int) int { return min(max(k-bias, punyTMin), punyTMax) }

func punyAdapt(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (punyBase-punyTMin)*punyTMax/2; k += punyBase {
		delta /= punyBase - punyTMin
	}
	return k + (punyBase-punyTMin+1)*delta/(delta+punySkew)
}

// encodePunycode encodes a label that is not all ASCII (RFC 3492 §6.3).
func encodePunycode(label string) string {
	runes := []rune(label)
	var out []byte
	for _, r := range runes {
		if r < punyInitialN {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(punyInitialN), 0, punyInitialBias
	for done := basic; done < len(runes); n++ {
		next := rune(0x10FFFF)
		for _, r := range runes {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r == n {
				out = appendPunyNumber(out, delta, bias)
				bias = punyAdapt(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
	}
	return string(out)
}

func appendPunyNumber(out []byte, n, bias int) []byte {
	for k := punyBase; ; k += punyBase {
		t := punyThreshold(k, bias)
		if n < t {
			return append(out, punyDigits[n])
		}
		out = append(out, punyDigits[t+(n-t)%(punyBase-t)])
		n = (n - t) / (punyBase - t)
	}
}

// decodePunycode decodes what stands behind xn-- (RFC 3492 §6.2). A label that
// holds nothing but ASCII has no reason to be encoded and is an error.
func decodePunycode(s string) (string, error) {
	if len(s) > punyMax {
		return "", errPunycode
	}
	var out []rune
	if i := strings.LastIndexByte(s, '-'); i >= 0 {
		out, s = []rune(s[:i]), s[i+1:]
	}
	if s == "" {
		return "", errPunycode
	}
	n, at, bias := punyInitialN, 0, punyInitialBias
	for first := true; s != ""; first = false {
		delta, rest, ok := punyNumber(s, bias)
		if !ok {
			return "", errPunycode
		}
		s = rest
		bias = punyAdapt(delta, len(out)+1, first)
		at += delta
		n += at / (len(out) + 1)
		at %= len(out) + 1
		if n > 0x10FFFF || n >= 0xD800 && n <= 0xDFFF {
			return "", errPunycode
		}
		out = slices.Insert(out, at, rune(n))
		at++
	}
	return string(out), nil
}

func punyNumber(s string, bias int) (n int, rest string, ok bool) {
	w := 1
	for k := punyBase; ; k += punyBase {
		if s == "" {
			return 0, "", false
		}
		digit := strings.IndexByte(punyDigits, s[0])
		s = s[1:]
		if digit < 0 || w > 1<<31/punyBase {
			return 0, "", false
		}
		n += digit * w
		t := punyThreshold(k, bias)
		if digit < t {
			return n, s, n < 1<<31
		}
		w *= punyBase - t
	}
}
