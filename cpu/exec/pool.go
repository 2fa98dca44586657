package exec

import (
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// A Job is work on the range [0, n) that may be cut anywhere and done in any order.
type Job interface {
	// Do does the part [lo, hi). At most one call with the same worker, in [0, Threads()), is in
	// progress within one Run: it selects scratch memory. The caller of Run is worker 0. Do must
	// not end its goroutine (runtime.Goexit).
	Do(worker, lo, hi int)
}

// JobFunc is a function as a Job.
type JobFunc func(worker, lo, hi int)

// Do calls f.
func (f JobFunc) Do(worker, lo, hi int) { f(worker, lo, hi) }

// DefaultSpin is how long a worker without work looks for some before it parks. It bridges the gap
// between two steps of a program, and a burst of work costs no more than this much idling a thread.
const DefaultSpin = 100 * time.Microsecond

// attending is how long a worker looks for work at most while a program runs that has some for it: to wake one up takes
// as long as short steps do, so it stays awake through those of one thread. Where several programs run, they have uses
// for the processor.
const attending = time.Millisecond

// yielding is how long a worker looks for work before it does so only while nobody else wants its processor. Beside
// other programs the system may have put the thread there that it waits for: on two processors of which another program
// has one, both threads then ran by turns, and a product of 512x512 took 3.4 ms where it takes 2.4 on one thread. What
// is shorter are the gaps between steps, in which others are not let in.
const yielding = 60 * time.Microsecond

// Pool holds persistent goroutines that help with jobs. The goroutine that calls [Pool.Run] works
// too and never waits for a worker that has not begun, so a Run is never much slower than the work
// done alone. Workers spin for a while after work, then park.
//
// Any number of goroutines may call Run at once, and a Job may call Run itself: the workers that are
// free help whichever job has parts left.
type Pool struct{ *workers }

// workers is the pool without its handle: the goroutines hold it and leave the handle to be collected.
type workers struct {
	threads int
	spin    time.Duration
	yield   func() // lets other threads have the processor
	closed  atomic.Bool
	start   sync.Once // of the goroutines: at the first job that is for more than one
	done    sync.WaitGroup
	parking []parking // of workers 1.., indexed by worker
	_       [64]byte
	epoch   atomic.Uint64 // goes up when work is published; idle workers watch it
	_       [56]byte
	asleep  atomic.Int64 // workers that are parked or about to be
	running atomic.Int64 // programs that have work for several threads
	ends    atomic.Int64 // times that there were none left
	shared  sync.Map
	_       [56]byte
	slots   [maxJobs]slot
}

// Shared is what those who use the pool make once and share, as code that does not depend on a program, by comparable
// keys of their own. It lives as long as the pool.
func (p *Pool) Shared() *sync.Map { return &p.shared }

// maxJobs is the number of jobs that get help at the same time; a further Run works alone.
const maxJobs = 8

// parking is where one worker sleeps.
type parking struct {
	asleep atomic.Bool
	wake   chan struct{}
	_      [48]byte
}

// NewPool makes a pool in which threads goroutines work: the caller of Run and threads-1 workers, which start
// with the first job that they can help with. With threads < 1 it is [DefaultThreads]. Workers
// spin for [DefaultSpin].
func NewPool(threads int) *Pool { return NewPoolSpin(threads, DefaultSpin) }

// NewPoolSpin is NewPool with a time to spin; zero parks at once. Where there are fewer processors
// than threads, workers never spin: they would keep a processor from those that have work.
func NewPoolSpin(threads int, spin time.Duration) *Pool {
	if threads != 1 { // one may run always, and how many may is in files
		most := DefaultThreads()
		if threads < 1 {
			threads = most
		}
		if threads > most {
			spin = 0
		}
	}
	w := &workers{threads: threads, spin: spin, yield: yield, parking: make([]parking, threads)}
	for i := range w.slots {
		w.slots[i].wake = make(chan struct{}, 1)
		w.slots[i].parts = make([]part, threads)
	}
	for id := 1; id < threads; id++ {
		w.parking[id].wake = make(chan struct{}, 1)
	}
	p := &Pool{w}
	runtime.AddCleanup(p, (*workers).stop, w)
	return p
}

// Threads returns the number of threads that work on a job, the caller among them.
func (w *workers) Threads() int { return w.threads }

// begin starts the goroutines, unless they run or are not wanted any more.
func (w *workers) begin() {
	w.start.Do(func() {
		for id := 1; id < w.threads; id++ {
			w.done.Go(func() { w.loop(id) })
		}
	})
}

// Begin gets parked workers up, so that they spin when the first job of a program comes, and keeps them from parking
// soon until the program calls [Pool.End]. It does not wait.
func (w *workers) Begin() {
	w.running.Add(1)
	if w.spin > 0 && !w.closed.Load() {
		w.begin()
		w.rouse(w.threads, w.threads-1)
	}
}

// End is to be called when a program is done that has called [Pool.Begin]. Workers that are awake spin for the next
// one.
func (w *workers) End() {
	if w.running.Add(-1) == 0 {
		w.ends.Add(1)
		w.epoch.Add(1)
	}
}

// Close stops the workers and waits until they have ended. A Run in progress is completed, and a
// later one works, by its caller alone. Closing again does nothing.
func (w *workers) Close() {
	w.stop()
	w.done.Wait()
}

func (w *workers) stop() {
	if w.closed.Swap(true) {
		return
	}
	w.start.Do(func() {}) // no more
	w.epoch.Add(1)
	w.rouse(w.threads, w.threads-1)
}

// rouse wakes up to n parked workers of those below most.
func (w *workers) rouse(most, n int) {
	if w.asleep.Load() == 0 {
		return
	}
	for id := 1; id < most && n > 0; id++ {
		p := &w.parking[id]
		if p.asleep.Load() && p.asleep.CompareAndSwap(true, false) {
			p.wake <- struct{}{}
			n--
		}
	}
}

// loop is the life of worker id.
func (w *workers) loop(id int) {
	// A fault in machine code, at any address, is a panic and is carried to the caller of Run.
	debug.SetPanicOnFault(true)
	idle, ends := time.Now(), int64(0)
	for {
		seen := w.epoch.Load()
		if w.closed.Load() {
			return
		}
		if n := w.ends.Load(); w.help(id) || n != ends {
			idle, ends = time.Now(), n
		}
		if !w.spinPast(seen, idle) {
			w.park(id, seen)
			idle = time.Now()
		}
	}
}

// help works on what jobs there are and reports whether there were any.
func (w *workers) help(id int) bool {
	worked := false
	for i := range w.slots {
		if s := &w.slots[i]; s.taken.Load() == 1 && s.most.Load() > int64(id) && s.work(id) {
			worked = true
		}
	}
	return worked
}

// pauses between two looks at the epoch, and looks between two looks at the clock.
const (
	lookPauses = 2
	clockLooks = 64
	maxSpins   = 1 << 12 // looks at the clock, at most
)

// spinPast waits for an epoch other than seen. It reports false when the worker has been idle for the spin time.
func (w *workers) spinPast(seen uint64, idle time.Time) bool {
	if w.spin <= 0 {
		return false
	}
	for range maxSpins { // a clock may stand still: that of testing/synctest does
		for range clockLooks {
			if w.epoch.Load() != seen {
				return true
			}
			pause(lookPauses)
		}
		d := time.Since(idle)
		if d > w.spin && (d > attending || w.running.Load() != 1) {
			return false
		}
		if d > yielding {
			w.yield()
		}
	}
	return false
}

// park sleeps until woken, unless the epoch is no longer seen. The publisher first moves the epoch and
// then looks for sleepers; the worker first says that it sleeps and then looks at the epoch: one of
// the two sees the other.
func (w *workers) park(id int, seen uint64) {
	w.asleep.Add(1)
	defer w.asleep.Add(-1)
	p := &w.parking[id]
	p.asleep.Store(true)
	if w.epoch.Load() != seen && p.asleep.CompareAndSwap(true, false) {
		return
	}
	<-p.wake
}
