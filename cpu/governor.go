package cpu

import (
	"math/bits"
	"time"
)

// Whether threads that share short steps pay depends on what nobody knows when a program is compiled: how far the
// processors are from each other at the moment, and what else they do. The parts that threads take are planned; how
// many threads take them changes no bit. So it is measured while a program runs. What is measured is a lap: a run of
// the program, or an iteration of a loop in it. In a lap all short steps have as many threads, as each finds arrays
// where the one before has left them; steps that take long have all threads in any case.

const (
	// longJob is how long jobs take on all threads at least whose laps have no choice: threads pay there, and one takes
	// so long that nobody wants to try that.
	longJob = 2 * time.Millisecond
	// firstLaps are not measured: memory is new.
	firstLaps = 4
	// samples is how many laps are measured: their median counts.
	samples = 5
	// settling is how long fewer threads run at most before laps are measured, until arrays are where they are wanted.
	// More threads have mostWaking to wake up and to be given processors by the system, which has to be asked for a while
	// where there is other work. Laps may take waking longer by that than before, and each time that it was in vain twice
	// as much longer, up to mostPatience. A lap that is faster ends both.
	settling     = 100 * time.Microsecond
	waking       = time.Millisecond
	mostPatience = 8 * waking
	mostWaking   = 100 * time.Millisecond
	// trialShare is what part of the time may be lost by trials, spentShare what part they may take, and leastRest and
	// mostRest the least and the most time between two, which is longer only where a trial loses more than longShare of
	// it. Laps take leastLap at least: a clock may stand still.
	trialShare = 100
	longShare  = 25
	spentShare = 4
	leastRest  = 20 * time.Millisecond
	mostRest   = 5 * time.Second
	leastLap   = 100 * time.Nanosecond
	// look is how many laps there are between two of which the time is looked at while nothing is tried, and slowLaps
	// after how many slow ones of these something is tried at once.
	look     = 32
	slowLaps = 3
	// dear is how long laps take at least whose times are all taken: clocks cost little then. mostStalled is how many
	// times as long as it typically does a lap is taken to last at most, and mostStall the same of all laps together.
	dear        = 10 * time.Microsecond
	mostStalled = 100
	mostStall   = 4.0
	// From leastStall on, and when it has gone on for longStalled, that counts: before, the system may find another
	// processor for a thread, which it does not if that sleeps.
	leastStall  = 1.2
	longStalled = 200 * time.Millisecond
	// forgets is what part of what is known of stalls is forgotten from one trial to the next, in which they may be over.
	forgets = 0.1
	// gain is how much faster than what is there something else must be, in percent.
	gain = 5
)

// phase is what a governor is at.
type phase uint8

const (
	resting phase = iota
	timing        // of what is chosen
	warming       // of what is tried
	trying
	checking // what is chosen, once more: laps may be others now
)

// governor chooses how many threads the steps of laps have. Each run state has its own, so one goroutine at a time
// uses it.
type governor struct {
	jobs     int  // of a lap
	threads  int  // of all
	chosen   int  // threads now
	tried    int  // threads that are tried
	begun    bool // threads had time to be given processors
	all      bool // of one thread, all are tried next, as two may be no better where all are
	down     bool // fewer threads are tried next, where there is a choice
	phase    phase
	ended    time.Duration // when the last lap did, if it was measured, or 0
	left     int           // laps until something is tried
	slow     int           // laps one after the other that were
	times    [samples]time.Duration
	n        int           // of them
	typical  time.Duration // lap of what is chosen
	patience time.Duration // how much more time threads have to wake up than they save
	other    time.Duration // lap of what was tried and seems faster
	spent    time.Duration // by what is tried
	laps     int           // that has spent it
	rested   time.Duration // by laps while nothing is tried
	count    int           // of them
	stalled  time.Duration // how long laps have been
	// stalls are by how much a lap took longer on average than it typically does, by the number of digits of threads:
	// where others want a processor, too, a thread may be off it while all others wait for its part.
	stalls [16]float64
}

func newGovernor(threads, jobs int) governor {
	g := governor{jobs: jobs, threads: threads, chosen: threads, down: true, left: firstLaps,
		patience: waking}
	for k := range g.stalls {
		g.stalls[k] = 1
	}
	return g
}

// stall is that of a number of threads.
func (g *governor) stall(threads int) *float64 {
	return &g.stalls[min(bits.Len(uint(threads)), len(g.stalls)-1)]
}

// next returns how many threads the next lap has, and whether it is to be measured.
func (g *governor) next() (threads int, measured bool) {
	switch g.phase {
	case resting:
		if g.left--; g.left >= 0 {
			return g.chosen, g.typical >= dear || g.looks()
		}
		g.phase, g.n = timing, 0
		return g.chosen, true
	}
	return g.soon(), true
}

// soon is how many threads the next lap has.
func (g *governor) soon() int {
	if g.phase == warming || g.phase == trying {
		return g.tried
	}
	return g.chosen
}

// lap is told how long a lap took that was to be measured.
func (g *governor) lap(d time.Duration) {
	switch g.phase {
	case resting:
		g.glance(d)
	case timing:
		if g.note(d) {
			g.try()
		}
	case warming:
		g.spent, g.laps = g.spent+d, g.laps+1
		if d < g.typical*(100-gain)/100 || g.settled() {
			g.phase, g.n = trying, 0
		}
	case trying:
		g.spent, g.laps = g.spent+d, g.laps+1
		if g.note(d) || g.hopeless() {
			if g.other = g.median(); g.wins() {
				g.phase, g.n = checking, 0
			} else {
				g.decide()
			}
		}
	case checking:
		if g.note(d) {
			g.typical = min(g.typical, g.median())
			g.decide()
		}
	}
}

// settled reports whether what is tried is to be measured from now on.
func (g *governor) settled() bool {
	if g.tried > g.chosen {
		return g.lost() >= g.patience || g.spent >= mostWaking
	}
	return g.spent >= settling
}

// lost is how much longer laps took that something was tried in than they would have.
func (g *governor) lost() time.Duration { return g.spent - time.Duration(g.laps)*g.typical }

// glance looks at a lap while nothing is tried: what takes longer than it did may do so because of the threads.
func (g *governor) glance(d time.Duration) {
	g.rested, g.count = g.rested+min(d, g.typical*mostStalled), g.count+1
	if !g.looks() {
		return
	}
	if d <= g.typical*3/2 || g.typical == 0 {
		g.slow = 0
	} else if g.slow++; g.slow == slowLaps {
		g.left = 0
	}
}

// looks reports whether a lap is one of those that are looked at.
func (g *governor) looks() bool { return g.left%look == look-1 }

// learn notes how long a lap typically takes now, and how long laps took while nothing was tried. What has changed in
// the meantime for good is no stall.
func (g *governor) learn() {
	was := g.typical
	g.typical = g.median()
	if was >= dear && g.count > samples {
		took := float64(g.rested) / float64(g.count) / float64(max(was, g.typical))
		if g.stalled += g.rested; took < leastStall {
			g.stalled = 0
		}
		stall := g.stall(g.chosen)
		if known := *stall > 1; took >= leastStall && (known || g.stalled >= longStalled) {
			*stall = min(took, mostStall)
		} else {
			*stall = 1
		}
	}
}

// note keeps a time and reports whether there are enough.
func (g *governor) note(d time.Duration) bool {
	g.times[g.n] = d
	g.n++
	return g.n == samples
}

// median is that of the times.
func (g *governor) median() time.Duration {
	times := g.times
	for k := range g.n {
		for ; k > 0 && times[k] < times[k-1]; k-- {
			times[k], times[k-1] = times[k-1], times[k]
		}
	}
	return times[g.n/2]
}

// hopeless reports whether what is tried takes so long that nothing more need be known.
func (g *governor) hopeless() bool {
	return g.n >= 2 && min(g.times[0], g.times[1]) > g.typical*3/2
}

// try begins to try another number of threads: half of them, or twice as many, by turns.
func (g *governor) try() {
	g.learn()
	if g.chosen == g.threads && g.typical > longJob*time.Duration(g.jobs) {
		g.rest(10 * leastRest)
		return
	}
	if !g.begun {
		g.begun = true
		g.rest(2 * leastRest)
		return
	}
	if g.chosen == g.threads {
		g.down = true
	} else if g.chosen == 1 {
		g.down = false
	}
	if g.tried = min(2*g.chosen, g.threads); g.down {
		g.tried = g.chosen / 2
	} else if g.chosen == 1 && g.all {
		g.tried = g.threads
	}
	g.phase, g.spent, g.laps = warming, 0, 0
}

// wins reports whether what was tried is faster.
func (g *governor) wins() bool {
	return float64(g.other)**g.stall(g.tried)*100 < float64(g.typical)**g.stall(g.chosen)*(100-gain)
}

// decide ends a trial.
func (g *governor) decide() {
	other, lost, others := g.other, g.lost(), g.stall(g.tried)
	if g.wins() {
		g.chosen, g.typical, g.patience = g.tried, other, waking
		if g.chosen > 1 && g.chosen < g.threads {
			g.rest(0) // on in the same direction
			return
		}
		lost = 0
	} else {
		if g.all = g.chosen == 1 && !g.all; g.tried > g.chosen {
			g.patience = min(2*g.patience, mostPatience)
		}
		g.down = !g.down
		*others -= (*others - 1) * forgets
	}
	g.rest(max(min(max(lost*trialShare, g.spent*spentShare, leastRest), mostRest), lost*longShare))
}

// rest waits so long for the next trial.
func (g *governor) rest(d time.Duration) {
	g.rested, g.count = 0, 0
	g.phase, g.slow, g.left = resting, 0, int(d/max(g.typical, leastLap))
}
