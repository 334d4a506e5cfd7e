package srt

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"sixways/policy/document"
	"sixways/policy/host"
)

// specialSchemes are those whose URLs must have a host (WHATWG URL).
var specialSchemes = []string{"http", "https", "ws", "wss", "ftp"}

// isURL tells what JavaScript's new URL takes without a base, as far as host and
// port go. "localhost:3128" is one, of a scheme localhost. It takes any host
// with a percent sign, and any URL of a file.
func isURL(n *document.Node) bool {
	s := strings.TrimFunc(n.Text, func(r rune) bool { return r <= ' ' })
	s = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, s)
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || !isScheme(scheme) {
		return false
	}
	special := slices.Contains(specialSchemes, strings.ToLower(scheme))
	switch {
	case special:
		rest = strings.TrimLeft(rest, `/\`)
	case !strings.HasPrefix(rest, "//") || strings.EqualFold(scheme, "file"):
		return true
	default:
		rest = rest[2:]
	}
	ends := "/?#"
	if special {
		ends += `\`
	}
	if i := strings.IndexAny(rest, ends); i >= 0 {
		rest = rest[:i]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	return isURLHost(rest, special)
}

func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !isAlphanumeric(c) && c != '+' && c != '-' && c != '.' || i == 0 && (c < 'A') {
			return false
		}
	}
	return s != ""
}

// isURLHost takes a host with an optional port, which may be empty.
func isURLHost(s string, special bool) bool {
	name, port := s, ""
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') {
		name, port = s[:i], s[i+1:]
	}
	if n, err := strconv.ParseUint(port, 10, 64); port != "" && (err != nil || n > 65535) {
		return false
	}
	if inner, ok := strings.CutPrefix(name, "["); ok {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		return err == nil && strings.HasSuffix(inner, "]") && addr.Is6() && addr.Zone() == ""
	}
	switch {
	case strings.ContainsAny(name, " \x00#/:<>?@[\\]^|"):
		return false
	case strings.Contains(name, "%"):
		return true
	}
	if !special {
		return name != "" || port == "" && !strings.Contains(s, ":")
	}
	addr, numeric := host.IPv4(name)
	return name != "" && (addr.IsValid() || !numeric) && host.Decodes(lower(name))
}

// captures tells a regular expression that has a group which captures, as
// JavaScript reads it without flags. Of what makes no regular expression it
// knows brackets that are not closed, a backslash at the end and a quantifier
// behind nothing.
func captures(n *document.Node) bool {
	s := n.Text
	groups, open := 0, 0
	atom := false // something that a quantifier may follow
	for s != "" {
		c := s[0]
		s = s[1:]
		switch c {
		case '\\':
			if s == "" {
				return false
			}
			s, atom = s[1:], true
		case '[':
			rest, closed := afterClass(s)
			if !closed {
				return false
			}
			s, atom = rest, true
		case '(':
			rest, capturing := afterOpening(s)
			if capturing {
				groups++
			}
			s, atom = rest, false
			open++
		case ')':
			if open--; open < 0 {
				return false
			}
			atom = true
		case '^', '$', '|':
			atom = false
		case '*', '+', '?':
			if !atom {
				return false
			}
			s, atom = strings.TrimPrefix(s, "?"), false
		default:
			atom = true
		}
	}
	return groups > 0 && open == 0
}

// afterClass returns what follows a class such as [a-z], whose bracket is read.
func afterClass(s string) (rest string, closed bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ']':
			return s[i+1:], true
		}
	}
	return "", false
}

// afterOpening returns what a group holds, whose bracket is read. A group
// captures, unless it is one of those below.
func afterOpening(s string) (rest string, capturing bool) {
	for _, other := range []string{"?:", "?=", "?!", "?<=", "?<!"} {
		if rest, ok := strings.CutPrefix(s, other); ok {
			return rest, false
		}
	}
	return strings.TrimPrefix(s, "?<"), true
}
