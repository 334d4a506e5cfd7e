package app

import "sixways/policy"

// clock is where the replay stands and how it moves. It is told the time of
// each animation frame and asks nobody for it.
type clock struct {
	// position is the inspection time in seconds, 0 to policy.Duration.
	position float64
	// speed is in inspection seconds a second.
	speed   float64
	playing bool
	// last is the time of the last frame in milliseconds, if there has been one
	// since play.
	last   float64
	ticked bool
	// skips counts the gaps that have not moved the clock.
	skips int
}

// longestGap is the longest time between two frames, in milliseconds, that
// moves the clock. A hidden tab gets no frames; its absence is not replayed.
const longestGap = 500

// play starts the clock, from the beginning where it stands at the end.
func (c *clock) play() {
	if c.position >= policy.Duration {
		c.position = 0
	}
	c.playing = true
	c.ticked = false
}

func (c *clock) pause() { c.playing = false }

// seek moves the clock to a second and pauses it.
func (c *clock) seek(second float64) {
	c.position = min(max(second, 0), policy.Duration)
	c.playing = false
}

// tick moves a playing clock on to a frame at the given time in milliseconds.
// At the end it stops.
func (c *clock) tick(now float64) {
	if !c.playing {
		return
	}
	switch gap := now - c.last; {
	case !c.ticked || gap <= 0:
	case gap > longestGap:
		c.skips++
	default:
		c.position = min(c.position+gap/1000*c.speed, policy.Duration)
	}
	c.last, c.ticked = now, true
	if c.position >= policy.Duration {
		c.playing = false
	}
}

// second returns the whole inspection second that the clock stands in.
func (c *clock) second() int { return int(c.position) }
