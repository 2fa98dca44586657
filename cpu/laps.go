package cpu

import (
	"time"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/plan"
)

// A lap is a run of a program, or an iteration of a loop in it. All short steps of a lap have as many threads as its
// governor chooses.

const (
	// leastTrips is how many iterations a loop has at least whose laps are iterations; the others are parts of the laps
	// around them.
	leastTrips = 16
	// shortKernel and shortProduct are the longest that a step takes whose threads are chosen, about: the former in
	// picoseconds as the times of kernels are estimated, the latter in nanoseconds. What the caches of others hold is
	// fetched in a fraction of that.
	shortKernel  = 1_200_000_000
	shortProduct = 300_000
)

// soloKey is the key of a pool of one thread in what is shared by a pool.
type soloKey struct{}

// soloOf returns a pool of one thread.
func soloOf(pool *exec.Pool) *exec.Pool {
	made, ok := pool.Shared().Load(soloKey{})
	if !ok {
		made, _ = pool.Shared().LoadOrStore(soloKey{}, exec.NewPool(1))
	}
	return made.(*exec.Pool)
}

// lowerAll makes the steps of the program.
func (p *Program) lowerAll() {
	p.lapped, p.solo, p.made = -1, soloOf(p.pool), time.Now()
	if p.pool.Threads() > 1 {
		p.laps, p.lapped = []int{0}, 0
	}
	p.steps = p.lower(p.plan.Body)
	p.lapped = p.endLap(-1)
}

// beginLap is to be called before the steps of a loop are made, and endLap behind that with what it returned. That
// returns the lap that an iteration is, or -1.
func (p *Program) beginLap(w *plan.While) (outer int) {
	outer = p.lapped
	if outer >= 0 && !w.Fused && (w.Trips < 0 || w.Trips >= leastTrips) {
		p.lapped = len(p.laps)
		p.laps = append(p.laps, 0)
	}
	return outer
}

func (p *Program) endLap(outer int) int {
	lap := p.lapped
	p.lapped = outer
	if lap == outer || p.laps[lap] == 0 {
		return -1
	}
	return lap
}

// count notes that a step is in the lap whose steps are made, if threads may share it.
func (p *Program) count(st plan.Step) {
	if p.lapped >= 0 && p.choosable(st) {
		p.laps[p.lapped]++
	}
}

// choosable reports whether threads share a step that is so short that it is asked how many.
func (p *Program) choosable(st plan.Step) bool {
	switch st := st.(type) {
	case *plan.Kernel:
		if b := p.bundled[st]; b != nil {
			return b.time <= shortKernel
		}
		k := p.kernels[st]
		return k.shared() && k.time <= shortKernel
	case *plan.Gemm:
		return !st.Product.Alone() && st.Product.Time() <= shortProduct
	case *plan.HostStep:
		return st.Native != nil
	}
	return false
}

// lap does the steps of a lap, whose number is negative where nothing is chosen.
func (r *run) lap(number int, steps sequence) error {
	if number < 0 {
		return steps.do(r)
	}
	g, outer := &r.governors[number], r.threads
	threads, measured := g.next()
	if !measured {
		g.ended = 0
	} else if g.ended == 0 {
		g.ended = time.Since(r.program.made)
	}
	r.threads = threads
	err := steps.do(r)
	r.threads = outer
	if err != nil {
		g.ended = 0 // it was no lap
	} else if measured {
		since := g.ended
		g.ended = time.Since(r.program.made)
		g.lap(g.ended - since)
	}
	return err
}

// first begins laps that come one right after the other: one begins when the last one has ended.
func (r *run) first(number int) {
	if number >= 0 {
		r.governors[number].ended = 0
	}
}

// most is how many threads a step has, which takes long or not.
func (r *run) most(long bool) int {
	if long {
		return r.program.pool.Threads()
	}
	return r.threads
}

// helped reports whether other threads may have to do in the run that begins.
func (r *run) helped() bool {
	if !r.program.parallel || r.program.unchosen {
		return r.program.parallel
	}
	for n := range r.governors {
		if g := &r.governors[n]; g.jobs > 0 && g.soon() > 1 {
			return true
		}
	}
	return false
}
