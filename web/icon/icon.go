// Package icon draws the simulator's mark: a box with six sides, five of them
// closed, and an arrow that leaves by the sixth. The drawing is data, from
// which both the SVG and the PNG files come.
package icon

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
)

// side is the width and height of the drawing's own coordinates.
const side = 64

// Style is the ground that the mark stands on.
type Style int

// Tile is a rounded tile on nothing; Bleed fills the whole square and keeps
// the mark inside the circle that a platform may cut from it.
const (
	Tile Style = iota
	Bleed
)

type point struct{ x, y float64 }

// stroke is a line through its points, with round ends and joins.
type stroke struct {
	points []point
	colour color.RGBA
	width  float64
}

var (
	ground = color.RGBA{0x14, 0x1d, 0x29, 0xff}
	// The free-standing mark has to be seen on a light and on a dark tab;
	// on its own ground the box can be lighter.
	box     = color.RGBA{0x5b, 0x7f, 0xa8, 0xff}
	tileBox = color.RGBA{0x9d, 0xb8, 0xd6, 0xff}
	way     = color.RGBA{0xf0, 0x5a, 0x28, 0xff}
)

// mark returns the strokes, with the box in a colour.
func mark(box color.RGBA) []stroke {
	return []stroke{
		{[]point{{55, 32}, {55, 45.5}, {31, 59}, {7, 45.5}, {7, 18.5}, {31, 5}}, box, 8},
		{[]point{{28, 35}, {55, 9}}, way, 8},
		{[]point{{40, 7}, {57, 7}, {57, 23}}, way, 8},
	}
}

// SVG returns the mark without a ground.
func SVG() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" fill="none" stroke-linecap="round" stroke-linejoin="round">`+"\n", side, side)
	for _, s := range mark(box) {
		fmt.Fprintf(&b, `  <path d="%s" stroke="#%02x%02x%02x" stroke-width="%g"/>`+"\n", path(s.points), s.colour.R, s.colour.G, s.colour.B, s.width)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func path(points []point) string {
	var b strings.Builder
	for i, p := range points {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&b, "%s%g %g", command, p.x, p.y)
	}
	return b.String()
}

// PNG returns the mark on a ground, size pixels wide and high.
func PNG(size int, style Style) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, Draw(size, style)); err != nil {
		return nil, fmt.Errorf("icon of %d pixels: %w", size, err)
	}
	return b.Bytes(), nil
}

// Draw returns the picture that PNG encodes.
func Draw(size int, style Style) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	// Of the drawing's side, how much the ground leaves to the mark.
	scale, radius := 0.66, 14.0
	if style == Bleed {
		scale, radius = 0.56, 0
	}
	strokes := mark(tileBox)
	pixel := side / float64(size)
	for y := range size {
		for x := range size {
			p := point{(float64(x) + 0.5) * pixel, (float64(y) + 0.5) * pixel}
			c := over(color.NRGBA{}, ground, coverage(tile(p, radius), pixel))
			q := point{(p.x-side/2)/scale + side/2, (p.y-side/2)/scale + side/2}
			for _, s := range strokes {
				c = over(c, s.colour, coverage(distance(q, s), pixel/scale))
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// tile is the signed distance of p from a rounded square as large as the drawing.
func tile(p point, radius float64) float64 {
	dx := math.Abs(p.x-side/2) - (side/2 - radius)
	dy := math.Abs(p.y-side/2) - (side/2 - radius)
	return math.Hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius
}

// distance is the signed distance of p from a stroke's edge.
func distance(p point, s stroke) float64 {
	d := math.Inf(1)
	for i := 1; i < len(s.points); i++ {
		d = min(d, toSegment(p, s.points[i-1], s.points[i]))
	}
	return d - s.width/2
}

func toSegment(p, a, b point) float64 {
	vx, vy := b.x-a.x, b.y-a.y
	t := ((p.x-a.x)*vx + (p.y-a.y)*vy) / (vx*vx + vy*vy)
	t = min(max(t, 0), 1)
	return math.Hypot(p.x-a.x-t*vx, p.y-a.y-t*vy)
}

// coverage is how much of a pixel lies inside an edge at a distance.
func coverage(distance, pixel float64) float64 {
	return min(max(0.5-distance/pixel, 0), 1)
}

// over puts a share of an opaque colour over c.
func over(c color.NRGBA, top color.RGBA, share float64) color.NRGBA {
	below := float64(c.A) / 255 * (1 - share)
	alpha := share + below
	if alpha == 0 {
		return c
	}
	mix := func(top, bottom uint8) uint8 {
		return uint8(math.Round((float64(top)*share + float64(bottom)*below) / alpha))
	}
	return color.NRGBA{mix(top.R, c.R), mix(top.G, c.G), mix(top.B, c.B), uint8(math.Round(alpha * 255))}
}
