package app

import (
	"math"
	"strconv"

	"sixways/policy"
)

// point is a place in the picture: along the way out, and across it.
type point struct{ along, across float64 }

// box is an upright rectangle in the same coordinates.
type box struct{ along, across, length, breadth float64 }

// plan is a layout of the picture. Everything is measured along the way out
// and across it, so that one drawing serves both forms: wide runs from left to
// right, tall from top to bottom.
type plan struct {
	name          string
	tall          bool
	width, height int

	// lanes are where the six ways lie, across.
	lanes [6]float64
	// Where things stand, along: the code's front, the edge of the sandbox,
	// the destinations.
	front, edge, world float64

	sandbox, code, room box
	filter, proxy       box
	resolver, outside   box
	// bypass is the lane, across, on which a query passes the resolver by.
	bypass float64
	// Labels that stand beside what they name.
	roomLabel, filterLabel, outsideLabel box
}

var wide = plan{
	name: "wide", width: 876, height: 420,
	lanes: [6]float64{54, 110, 166, 222, 290, 358},
	front: 120, edge: 212, world: 646,
	sandbox:  box{8, 10, 204, 402},
	code:     box{20, 42, 100, 276},
	room:     box{20, 334, 180, 68},
	filter:   box{240, 205, 28, 34},
	proxy:    box{324, 30, 164, 216},
	resolver: box{324, 266, 164, 48},
	outside:  box{512, 286, 96, 56},
	bypass:   332,

	roomLabel:    box{20, 368, 180, 24},
	filterLabel:  box{240, 246, 28, 24},
	outsideLabel: box{512, 288, 96, 36},
}

var tall = plan{
	name: "tall", tall: true, width: 296, height: 514,
	lanes: [6]float64{30, 74, 118, 162, 209, 264},
	front: 62, edge: 144, world: 410,
	sandbox:  box{6, 2, 138, 290},
	code:     box{28, 10, 34, 222},
	room:     box{72, 242, 62, 44},
	filter:   box{160, 130, 40, 64},
	proxy:    box{222, 8, 82, 172},
	resolver: box{222, 183, 48, 53},
	outside:  box{318, 180, 48, 71},
	bypass:   244,

	roomLabel:    box{6, 233, 36, 56},
	filterLabel:  box{160, 130, 40, 64},
	outsideLabel: box{318, 180, 48, 58},
}

// dotID is the id of the dot that moves over the drawing.
func (p *plan) dotID() string { return "dot-" + p.name }

// xy returns a point as the drawing's x and y.
func (p *plan) xy(at point) (x, y float64) {
	if p.tall {
		return at.across, at.along
	}
	return at.along, at.across
}

// rect returns a box as the drawing's x, y, width and height.
func (p *plan) rect(b box) (x, y, width, height float64) {
	if p.tall {
		return b.across, b.along, b.breadth, b.length
	}
	return b.along, b.across, b.length, b.breadth
}

// middle returns the middle of a box as the drawing's x and y.
func (p *plan) middle(b box) (x, y float64) {
	return p.xy(point{b.along + b.length/2, b.across + b.breadth/2})
}

// road is the whole way of attempt i to its destination, whether or not it gets
// there; forced tells that queries lead into the policy resolver.
func (p *plan) road(i int, a policy.Attempt, forced bool) []point {
	lane := p.lanes[i]
	end := point{p.world, lane}
	switch {
	case a.Destination.IsLoopback():
		turn := p.code.along + p.code.length/2
		return []point{{turn, p.code.across + p.code.breadth}, {turn, lane}, end}
	case a.Channel == policy.ChannelDNS && !forced:
		turn := p.resolver.along - 14
		back := p.outside.along + p.outside.length + 10
		return []point{{p.front, lane}, {turn, lane}, {turn, p.bypass}, {back, p.bypass}, {back, lane}, end}
	}
	return []point{{p.front, lane}, end}
}

// stop is how far along its road a decided attempt gets.
func (p *plan) stop(d policy.Decision) float64 {
	if d.Verdict == policy.Allowed {
		return p.world
	}
	switch d.Layer {
	case policy.LayerNamespace:
		return p.room.along + p.room.length*3/4
	case policy.LayerLinkLocal:
		return p.filter.along
	case policy.LayerPolicyResolver:
		return p.resolver.along
	case policy.LayerProxy:
		return p.proxy.along
	}
	return p.edge
}

// until cuts a road off where it has come so far along.
func until(road []point, along float64) []point {
	way := road[:1:1]
	for i := 1; i < len(road); i++ {
		from, to := road[i-1], road[i]
		if to.along > along {
			share := (along - from.along) / (to.along - from.along)
			return append(way, point{along, from.across + share*(to.across-from.across)})
		}
		way = append(way, to)
	}
	return way
}

// from cuts off the share, 0 to 1, of a way's length that lies behind.
func from(way []point, share float64) []point {
	rest := share * length(way)
	for i := 1; i < len(way); i++ {
		last, next := way[i-1], way[i]
		step := length(way[i-1 : i+1])
		if rest < step {
			s := rest / step
			here := point{last.along + s*(next.along-last.along), last.across + s*(next.across-last.across)}
			return append([]point{here}, way[i:]...)
		}
		rest -= step
	}
	return way[len(way)-1:]
}

func length(way []point) float64 {
	sum := 0.0
	for i := 1; i < len(way); i++ {
		sum += math.Hypot(way[i].along-way[i-1].along, way[i].across-way[i-1].across)
	}
	return sum
}

// path writes a way as an SVG path.
func (p *plan) path(way []point) string {
	var b []byte
	for i, pt := range way {
		x, y := p.xy(pt)
		command := byte('L')
		if i == 0 {
			command = 'M'
		}
		b = append(b, command)
		b = strconv.AppendFloat(b, x, 'f', -1, 64)
		b = append(b, ' ')
		b = strconv.AppendFloat(b, y, 'f', -1, 64)
	}
	return string(b)
}

// coordinate writes a coordinate.
func coordinate(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) }
