package app

// shape is one path of an icon, filled or drawn as a line.
type shape struct {
	path   string
	filled bool
}

// Drawn on a grid of 16; each says the same as the word beside it.
var icons = map[string]shape{
	"play":     {"M4 2.5v11l9.5-5.5z", true},
	"pause":    {"M4 2.5h3v11H4zm5 0h3v11H9z", true},
	"previous": {"M3 3h2v10H3zm10 0v10L5.5 8z", true},
	"next":     {"M11 3h2v10h-2zM3 3v10l7.5-5z", true},
	"restart":  {"M3.5 3v3.5H7M3.8 6.3A5 5 0 1 1 3 8.5", false},
	"keyboard": {"M1.8 4h12.4v8H1.8zM4 6.5h1m2 0h1m2 0h1m-7 3h7", false},
	"check":    {"M2.8 8.6l3.4 3.6 7-8", false},
	"cross":    {"M3.8 3.8l8.4 8.4M12.2 3.8l-8.4 8.4", false},
	"covered":  {"M2 8s2.3-4 6-4 6 4 6 4-2.3 4-6 4-6-4-6-4zM2.5 13.5l11-11", false},
	"right":    {"M3 8.5l3.3 3.5L13 4.5", false},
	"wrong":    {"M4 4l8 8m0-8l-8 8", false},
	"missing":  {"M3.5 8h9", false},
	"save":     {"M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11", false},
	"copy":     {"M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3", false},
	"share":    {"M11 5.2 5.2 8l5.8 2.8M12.5 2.5a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM3.5 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6zM12.5 9.9a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6z", false},
	"print":    {"M4.5 6V2.5h7V6M4.5 11h-2V6h11v5h-2M4.5 9.5h7v4h-7z", false},
	"allowed":  {"M9.5 2.5h4v4M13 3 7.5 8.5M7 3.5H2.8v9.7h9.7V9", false},
	"blocked":  {"M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0-11.6 0M4.6 8h6.8", false},
}

func icon(name string) node {
	s := icons[name]
	class := "line"
	if s.filled {
		class = "filled"
	}
	return tag("svg").class("icon "+class).attr("viewBox", "0 0 16 16").aria("hidden", "true").
		body(tag("path").attr("d", s.path))
}

// verdictIcon shows whether something gets out.
func verdictIcon(out bool) node {
	if out {
		return icon("allowed")
	}
	return icon("blocked")
}
