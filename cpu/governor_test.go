package cpu

import (
	"math/rand/v2"
	"testing"
	"time"
)

// course is a governor on a clock of its own.
type course struct {
	*governor
	now  time.Duration
	lost time.Duration // by laps on other threads than the best
	laps map[int]int   // by threads
}

func courseOf(threads, jobs int) *course {
	g := newGovernor(threads, jobs)
	return &course{governor: &g, laps: map[int]int{}}
}

// drive runs laps that take so long on so many threads, until some time has passed.
func (c *course) drive(d time.Duration, takes func(threads int) time.Duration) {
	c.lost, c.laps = 0, map[int]int{}
	best := takes(1)
	for threads := c.threads; threads > 1; threads /= 2 {
		best = min(best, takes(threads))
	}
	for end := c.now + d; c.now < end; {
		threads, measured := c.next()
		took := takes(threads)
		if c.now += took; measured {
			c.lap(took)
		}
		c.lost += took - best
		c.laps[threads]++
	}
}

// near and far are times of a lap where threads pay, and where they do not.
func near(threads int) time.Duration { return 100 * time.Microsecond / time.Duration(threads) }
func far(threads int) time.Duration {
	if threads == 1 {
		return 100 * time.Microsecond
	}
	return 150 * time.Microsecond * time.Duration(threads)
}

// TestGovernor: it finds what is best, stays there, loses little by trials, and notices when that changes.
func TestGovernor(t *testing.T) {
	for _, threads := range []int{2, 3, 8, 16} {
		c := courseOf(threads, 2)
		for range 3 {
			c.drive(1200*time.Millisecond, near)
			if c.chosen != threads {
				t.Errorf("%d threads: expected all of them where that is best, got %d", threads, c.chosen)
			}
			c.drive(2*time.Second, near)
			if c.chosen != threads || c.lost > 2*time.Second/50 {
				t.Errorf("%d threads: expected to stay, got %d and %v lost of 2s", threads, c.chosen, c.lost)
			}
			c.drive(time.Second, far)
			if c.chosen != 1 {
				t.Errorf("%d threads: expected one where that is best, got %d", threads, c.chosen)
			}
			c.drive(2*time.Second, far)
			if c.chosen != 1 || c.lost > 2*time.Second/50 {
				t.Errorf("%d threads: expected to stay with one, got %d and %v lost of 2s", threads, c.chosen, c.lost)
			}
		}
	}
}

// TestGovernorSome: some of the threads are best.
func TestGovernorSome(t *testing.T) {
	some := func(threads int) time.Duration {
		return time.Duration(float64(time.Millisecond) * (1/float64(threads) + float64(threads)/16))
	}
	c := courseOf(16, 8)
	c.drive(time.Second, some)
	c.drive(4*time.Second, some)
	if c.chosen != 4 || c.lost > 4*time.Second/50 {
		t.Errorf("expected 4 threads, got %d: laps %v, %v lost of 4s", c.chosen, c.laps, c.lost)
	}
}

// TestGovernorNoise: laps that differ by chance, now and then by much, change little.
func TestGovernorNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	noisy := func(d time.Duration) time.Duration {
		if rng.IntN(100) == 0 {
			return 20 * d
		}
		return d * time.Duration(1000+rng.IntN(100)) / 1000
	}
	c := courseOf(2, 2)
	more := func(threads int) time.Duration { return noisy(time.Duration(90-20*threads) * time.Microsecond) }
	if c.drive(5*time.Second, more); c.laps[1] > c.laps[2]/10 {
		t.Errorf("expected two threads, got laps %v", c.laps)
	}
	less := func(threads int) time.Duration { return noisy(time.Duration(20+20*threads) * time.Microsecond) }
	if c.drive(5*time.Second, less); c.laps[2] > c.laps[1]/10 {
		t.Errorf("expected one thread, got laps %v", c.laps)
	}
}

// TestGovernorStalls: threads that are seldom waited for, but long, are not best, and are again when that is over.
func TestGovernorStalls(t *testing.T) {
	c := courseOf(2, 2)
	busy := func(threads int) time.Duration {
		if threads == 1 {
			return 110 * time.Microsecond
		}
		if c.now%(6*time.Millisecond) < 70*time.Microsecond {
			return 3 * time.Millisecond
		}
		return 70 * time.Microsecond
	}
	for range 3 {
		c.drive(300*time.Millisecond, busy)
		c.drive(4*time.Second, busy)
		if c.laps[2] > c.laps[1]/3 {
			t.Errorf("expected one thread where another one is off its processor for half of the time, got laps %v", c.laps)
		}
		c.drive(time.Second, near)
		c.drive(time.Second, near)
		if c.laps[1] > c.laps[2]/50 {
			t.Errorf("expected two threads where that is over, got laps %v", c.laps)
		}
	}
}

// TestGovernorLong: laps with long jobs are left alone, and a clock that stands still changes nothing.
func TestGovernorLong(t *testing.T) {
	c := courseOf(4, 2)
	c.drive(5*time.Second, func(threads int) time.Duration { return 20 * time.Millisecond / time.Duration(threads) })
	if len(c.laps) != 1 || c.laps[4] == 0 {
		t.Errorf("long jobs: expected all threads, got laps %v", c.laps)
	}
	g := newGovernor(2, 1)
	for range 1000 {
		if _, measured := g.next(); measured {
			g.lap(0)
		}
	}
	if g.chosen != 2 {
		t.Errorf("expected 2 threads on a clock that stands still, got %d", g.chosen)
	}
}
