package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// frames feeds a clock with frames at the given milliseconds.
func (c *clock) frames(times ...float64) *clock {
	for _, t := range times {
		c.tick(t)
	}
	return c
}

func playing(position, speed float64) *clock {
	c := &clock{position: position, speed: speed}
	c.play()
	return c
}

func TestClock(t *testing.T) {
	tests := []struct {
		rule string
		c    *clock
		want clock
	}{
		// Position comes from elapsed wall time.
		{"the first frame only starts the measure", playing(0, 1).frames(1000), clock{position: 0, speed: 1, playing: true, last: 1000, ticked: true}},
		{"a second of frames is a second", playing(0, 1).frames(1000, 1250, 1500, 1750, 2000), clock{position: 1, speed: 1, playing: true, last: 2000, ticked: true}},
		{"however the frames fall", playing(0, 1).frames(1000, 1015, 1500, 2000), clock{position: 1, speed: 1, playing: true, last: 2000, ticked: true}},
		{"four times as fast", playing(0, 4).frames(1000, 1500), clock{position: 2, speed: 4, playing: true, last: 1500, ticked: true}},
		{"half as fast", playing(0, 0.5).frames(1000, 1500), clock{position: 0.25, speed: 0.5, playing: true, last: 1500, ticked: true}},

		// A gap of over half a second does not jump the clock.
		{"half a second counts", playing(8, 1).frames(1000, 1500), clock{position: 8.5, speed: 1, playing: true, last: 1500, ticked: true}},
		{"more does not", playing(8, 1).frames(1000, 1500.5), clock{position: 8, speed: 1, playing: true, last: 1500.5, ticked: true, skips: 1}},
		{"and it goes on from there", playing(8, 1).frames(1000, 90000, 90250), clock{position: 8.25, speed: 1, playing: true, last: 90250, ticked: true, skips: 1}},
		{"a clock that goes backwards does not either", playing(8, 1).frames(1000, 500, 750), clock{position: 8.25, speed: 1, playing: true, last: 750, ticked: true}},
		{"a clock that comes to stand before its own beginning goes on too", playing(8, 1).frames(1000, -5000, -4750), clock{position: 8.25, speed: 1, playing: true, last: -4750, ticked: true}},

		// The run ends at sixty seconds, and play starts over from there.
		{"it stops at the end", playing(59.9, 1).frames(1000, 1250), clock{position: 60, speed: 1, playing: false, last: 1250, ticked: true}},
		{"play at the end starts over", playing(60, 1), clock{position: 0, speed: 1, playing: true}},
		{"play before the end goes on", playing(59, 1), clock{position: 59, speed: 1, playing: true}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if diff := cmp.Diff(test.want, *test.c, cmp.AllowUnexported(clock{})); diff != "" {
				t.Errorf("clock (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClockPausedIgnoresFrames(t *testing.T) {
	c := playing(8, 1).frames(1000)
	c.pause()
	c.frames(1250)
	if c.position != 8 {
		t.Errorf("position %v after a frame while paused, want 8", c.position)
	}
}

func TestClockSeek(t *testing.T) {
	for _, test := range []struct{ to, want float64 }{{24, 24}, {0, 0}, {60, 60}, {-1, 0}, {61, 60}} {
		c := playing(8, 1)
		c.seek(test.to)
		if c.position != test.want || c.playing {
			t.Errorf("seek(%v): position %v, playing %v; want %v, paused", test.to, c.position, c.playing, test.want)
		}
	}
}
