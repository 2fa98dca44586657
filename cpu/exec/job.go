package exec

import (
	"sync/atomic"
	"time"
)

// slot is where one job at a time is published. It outlives its jobs: a worker that comes late finds no chunks left,
// and has touched nothing else. The plain fields are written before there are chunks and read only by those who
// took one, of which Run waits for each. They and what each worker has left are on lines of their own: a line takes as
// long to come from another processor's cache as short work does.
type slot struct {
	taken            atomic.Int64 // 1: by a Run
	most             atomic.Int64 // who may help: workers below it
	n, grain, chunks int
	threads          int // that have a part
	job              Job
	_                [64]byte

	parts   []part // by worker
	failure atomic.Pointer[failure]
	wake    chan struct{}

	_       [64]byte
	pending atomic.Int64 // chunks that are not done
	waiting atomic.Bool  // Run sleeps until pending is zero
	_       [64]byte
}

// part is how many of a worker's chunks nobody has taken, the last ones; at most zero: nothing to take.
type part struct {
	left atomic.Int64
	_    [56]byte
}

// failure is the first panic of a job.
type failure struct{ value any }

// chunksPerThread: how many chunks a job of no given grain has for each thread. More chunks even out
// unequal threads, fewer cost less.
const chunksPerThread = 4

// Run does job on [0, n): the calling goroutine and the workers that are free take chunks of grain
// elements, the last one maybe shorter, until none is left. It returns when all are done. Grain < 1 makes about four
// chunks a thread. It allocates nothing.
//
// Each worker begins with chunks of a part of its own, in increasing order: the same in each job of as many
// chunks, so what it wrote in the last job is in its caches. Then it helps with the parts of others.
//
// If Do panics, no further chunks are begun, and Run panics with the same value after those in
// progress have ended.
func (w *workers) Run(n, grain int, job Job) { w.RunOn(w.threads, n, grain, job) }

// RunOn is Run on so many threads at most, which does not change the chunks. On one the caller does them in their
// order.
func (w *workers) RunOn(threads, n, grain int, job Job) {
	if n <= 0 {
		return
	}
	if grain < 1 {
		grain = (n-1)/(w.threads*chunksPerThread) + 1
	}
	chunks := (n-1)/grain + 1
	var s *slot
	threads = min(threads, w.threads)
	if chunks > 1 && threads > 1 && !w.closed.Load() {
		s = w.takeSlot()
	}
	if s == nil {
		for lo := 0; lo < n; {
			hi := lo + min(grain, n-lo)
			job.Do(0, lo, hi)
			lo = hi
		}
		return
	}
	s.job, s.n, s.grain, s.chunks, s.threads = job, n, grain, chunks, threads
	w.begin()
	release64(&s.most, int64(threads))
	release64(&s.pending, int64(chunks))
	for k := range s.parts[:threads] {
		release64(&s.parts[k].left, s.part(k+1)-s.part(k))
	}
	w.epoch.Add(1)
	w.rouse(threads, chunks-1)
	s.work(0)
	s.wait(w.spin)
	s.finish()
}

// takeSlot returns a free slot, or nil.
func (w *workers) takeSlot() *slot {
	for i := range w.slots {
		if s := &w.slots[i]; s.taken.Load() == 0 && s.taken.CompareAndSwap(0, 1) {
			return s
		}
	}
	return nil
}

// work takes chunks and does them until none is left, and reports whether there were any.
func (s *slot) work(worker int) bool {
	worked := false
	for s.workPart(worker) {
		worked = true
	}
	return worked
}

// workPart does what is left of a part. Whoever holds a chunk may read the job: it stays until that chunk is accounted
// for, at the end of the part: others need not wait until this thread has looked whether there are more.
func (s *slot) workPart(worker int) bool {
	chunk, from := s.take(worker)
	if chunk < 0 {
		return false
	}
	done := int64(0)
	defer func() { s.settle(done, recover()) }()
	job, n, grain := s.job, s.n, s.grain
	for ; chunk >= 0; chunk = s.takeOf(from) {
		done++ // before the call: a chunk that panics is over, too
		if lo := chunk * grain; s.failure.Load() == nil {
			job.Do(worker, lo, lo+min(grain, n-lo))
		}
	}
	return true
}

// part is the first chunk of the part of worker k.
func (s *slot) part(k int) int64 { return int64(k) * int64(s.chunks) / int64(s.threads) }

// take returns a chunk that nobody has, of the first part from worker k's on that has one, and whose part
// that is. The chunk is negative if there is none.
func (s *slot) take(k int) (chunk, of int) {
	for range s.parts {
		if chunk = s.takeOf(k); chunk >= 0 {
			return chunk, k
		}
		if k++; k == len(s.parts) {
			k = 0
		}
	}
	return -1, k
}

// takeOf is take from part k only.
func (s *slot) takeOf(k int) (chunk int) {
	if p := &s.parts[k]; p.left.Load() > 0 {
		if left := p.left.Add(-1); left >= 0 {
			return int(s.part(k+1) - 1 - left)
		}
	}
	return -1
}

// settle accounts for done chunks. If they ended in a panic, it also takes the chunks that are left
// and does not do them.
func (s *slot) settle(done int64, panicked any) {
	if panicked != nil {
		s.failure.CompareAndSwap(nil, &failure{panicked})
		for k := range s.parts {
			done += max(0, s.parts[k].left.Swap(0))
		}
	}
	if s.pending.Add(-done) == 0 {
		s.signal()
	}
}

// signal wakes the Run that waits, if it does. Between pending reaching zero and this call the slot
// may have passed on to another Run: that one then looks again and goes back to sleep.
func (s *slot) signal() {
	if s.waiting.Load() && s.waiting.CompareAndSwap(true, false) {
		s.wake <- struct{}{}
	}
}

// wait returns when all chunks are done: at first spinning, as the rest is usually short, then asleep.
func (s *slot) wait(spin time.Duration) {
	for range clockLooks {
		if s.pending.Load() == 0 {
			return
		}
		pause(lookPauses)
	}
	start := time.Now()
	for round := 0; round < maxSpins && time.Since(start) < spin; round++ {
		for range clockLooks {
			if s.pending.Load() == 0 {
				return
			}
			pause(lookPauses)
		}
	}
	for s.pending.Load() != 0 {
		s.waiting.Store(true)
		if s.pending.Load() != 0 || !s.waiting.CompareAndSwap(true, false) {
			<-s.wake
		}
	}
}

// finish gives the slot back and carries a panic on.
func (s *slot) finish() {
	f := s.failure.Load()
	if f != nil { // else others keep the line
		s.failure.Store(nil)
	}
	s.job = nil
	release64(&s.taken, 0)
	if f != nil {
		panic(f.value)
	}
}
