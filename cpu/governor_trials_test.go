package cpu

import (
	"errors"
	"testing"
	"time"
)

// TestGovernorSlow: trials of laps that take long cost little, too.
func TestGovernorSlow(t *testing.T) {
	for _, lap := range []time.Duration{10 * time.Millisecond, 100 * time.Millisecond, time.Second} {
		c := courseOf(8, 1<<20)
		took := func(threads int) time.Duration {
			d := lap
			for ; threads < 8; threads *= 2 {
				d = d * 145 / 100
			}
			return d
		}
		c.drive(20*lap, took)
		all := 1000 * lap
		if c.drive(all, took); c.lost > all/20 {
			t.Errorf("laps of %v: %v of %v lost by trials", lap, c.lost, all)
		}
	}
}

// TestGovernorHandsOut: two threads may be no better than one where all are.
func TestGovernorHandsOut(t *testing.T) {
	busy := true
	c := courseOf(8, 100)
	takes := func(k int) time.Duration {
		if busy {
			return time.Duration(k) * 100 * time.Microsecond
		}
		return map[int]time.Duration{1: 100, 2: 97, 4: 60, 8: 35}[k] * time.Microsecond
	}
	c.drive(2*time.Second, takes)
	busy = false
	c.drive(10*time.Second, takes)
	if c.drive(20*time.Second, takes); c.chosen != 8 {
		t.Errorf("expected 8 threads, got %d: laps %v", c.chosen, c.laps)
	}
}

// TestGovernorBouts: laps of two lengths that come by turns, a hundred of each, are no reason to change threads.
func TestGovernorBouts(t *testing.T) {
	for _, gain := range []float64{0.6, 1.4, 1.8} {
		lost, laps := sim(8, 1000, 500*time.Millisecond, 10*time.Second, func(k, n int) time.Duration {
			d := float64(300 * time.Microsecond)
			for ; k < 8; k *= 2 {
				d *= gain
			}
			if n/100%2 == 1 {
				d *= 3
			}
			return time.Duration(d)
		})
		if lost > 0.08 {
			t.Errorf("gain %v: lost %.2f%%, %v", gain, 100*lost, laps)
		}
	}
}

// sim drives a governor and returns the share of time that is lost beside the best number of threads, and the laps by
// their threads.
func sim(threads, jobs int, warm, d time.Duration, takes func(threads, n int) time.Duration) (
	lost float64, laps map[int]int) {
	c := courseOf(threads, jobs)
	n := 0
	run := func(d time.Duration) {
		sums := map[int]time.Duration{}
		laps = map[int]int{}
		var took time.Duration
		for end := c.now + d; c.now < end; n++ {
			k, measured := c.next()
			t := takes(k, n)
			c.now += t
			if measured {
				c.lap(t)
			}
			took += t
			laps[k]++
			for q := threads; q >= 1; q /= 2 {
				sums[q] += takes(q, n)
			}
		}
		best := sums[1]
		for _, s := range sums {
			best = min(best, s)
		}
		lost = float64(took-best) / float64(best)
	}
	run(warm)
	run(d)
	return lost, laps
}

// failingStep is a step that is interrupted.
type failingStep struct{}

func (failingStep) do(*run) error { return errors.New("interrupted") }

// TestLapInterrupted: what was interrupted is no lap.
func TestLapInterrupted(t *testing.T) {
	r := &run{program: &Program{made: time.Now()}, governors: []governor{newGovernor(2, 1)}}
	g := &r.governors[0]
	g.left = 0
	for range 3 {
		if r.lap(0, sequence{failingStep{}}) == nil {
			t.Fatal("expected an error")
		}
	}
	if g.n > 0 {
		t.Errorf("%d laps that were interrupted are measured", g.n)
	}
}
