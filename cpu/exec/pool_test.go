package exec

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// coverage counts how often each element is done and checks that no worker is two at once.
type coverage struct {
	seen []atomic.Int32
	busy []atomic.Bool
	bad  atomic.Int32
}

func newCoverage(n, threads int) *coverage {
	return &coverage{seen: make([]atomic.Int32, n), busy: make([]atomic.Bool, threads)}
}

func (c *coverage) Do(worker, lo, hi int) {
	if c.busy[worker].Swap(true) {
		c.bad.Add(1)
	}
	for i := lo; i < hi; i++ {
		c.seen[i].Add(1)
	}
	c.busy[worker].Store(false)
}

func (c *coverage) check(t *testing.T) {
	t.Helper()
	if n := c.bad.Load(); n != 0 {
		t.Errorf("%d calls met another one with the same worker", n)
	}
	for i := range c.seen {
		if n := c.seen[i].Load(); n != 1 {
			t.Fatalf("element %d: expected once, got %d times", i, n)
		}
	}
}

func TestPoolRun(t *testing.T) {
	for _, threads := range []int{1, 2, 5} {
		for _, spin := range []time.Duration{0, DefaultSpin} {
			p := NewPoolSpin(threads, spin)
			for _, n := range []int{0, 1, 2, 7, 100, 1000} {
				for _, grain := range []int{0, 1, 3, 100, math.MaxInt} {
					t.Run(fmt.Sprintf("threads=%d/spin=%v/n=%d/grain=%d", threads, spin, n, grain), func(t *testing.T) {
						c := newCoverage(n, threads)
						p.Run(n, grain, c)
						c.check(t)
					})
				}
			}
			p.Close()
		}
	}
}

// TestPoolChunks: chunks start at multiples of the grain, whoever does them.
func TestPoolChunks(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	var bad atomic.Int32
	p.Run(1000, 7, JobFunc(func(worker, lo, hi int) {
		if lo%7 != 0 || hi != min(lo+7, 1000) {
			bad.Add(1)
		}
	}))
	if bad.Load() != 0 {
		t.Errorf("%d chunks with wrong bounds", bad.Load())
	}
}

// TestPoolConcurrent: many goroutines, each with nested jobs, on few threads.
func TestPoolConcurrent(t *testing.T) {
	p := NewPool(3)
	defer p.Close()
	var wg sync.WaitGroup
	for range 2 * maxJobs {
		wg.Go(func() {
			for range 50 {
				outer := newCoverage(4, 3)
				p.Run(4, 1, JobFunc(func(worker, lo, hi int) {
					inner := newCoverage(20, 3)
					p.Run(20, 1, inner)
					inner.check(t)
					outer.Do(worker, lo, hi)
				}))
				outer.check(t)
			}
		})
	}
	wg.Wait()
}

// TestPoolHelps: two chunks that wait for each other end only if two threads work.
func TestPoolHelps(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	time.Sleep(2 * DefaultSpin) // parked
	for range 20 {
		var met sync.WaitGroup
		met.Add(2)
		p.Run(2, 1, JobFunc(func(worker, lo, hi int) { met.Done(); met.Wait() }))
	}
}

// TestPoolWaits: the caller has nothing left, a worker takes long; the caller sleeps and is woken.
func TestPoolWaits(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	var begun sync.WaitGroup
	begun.Add(2)
	ended := false
	p.Run(2, 1, JobFunc(func(worker, lo, hi int) {
		begun.Done()
		begun.Wait()
		if worker == 1 {
			time.Sleep(20 * time.Millisecond)
			ended = true
		}
	}))
	if !ended {
		t.Error("Run returned before the worker's chunk was done")
	}
}

func TestPoolPanic(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	want := errors.New("on purpose")
	for _, who := range []int{0, 1} {
		var begun sync.WaitGroup
		begun.Add(2)
		got := func() (r any) {
			defer func() { r = recover() }()
			p.Run(1000, 1, JobFunc(func(worker, lo, hi int) {
				if lo%500 == 0 { // where the parts of the two begin
					begun.Done()
					begun.Wait()
				}
				if worker == who {
					panic(want)
				}
			}))
			return nil
		}()
		if got != want {
			t.Errorf("worker %d: expected the panic %v, got %v", who, want, got)
		}
		c := newCoverage(100, 2)
		p.Run(100, 1, c)
		c.check(t)
	}
}

// TestPoolParts: each worker begins with its own part of the chunks, in each job the same, and in increasing order.
func TestPoolParts(t *testing.T) {
	const threads, chunks = 3, 10
	p := NewPool(threads)
	defer p.Close()
	for range 20 {
		var begun sync.WaitGroup
		begun.Add(threads)
		var last [threads]int
		c := newCoverage(chunks, threads)
		p.Run(chunks, 1, JobFunc(func(worker, lo, hi int) {
			if last[worker] == 0 {
				if want := worker * chunks / threads; lo != want {
					t.Errorf("worker %d: expected to begin with chunk %d, got %d", worker, want, lo)
				}
				begun.Done()
				begun.Wait()
			}
			last[worker] = lo + 1
			c.Do(worker, lo, hi)
		}))
		c.check(t)
	}
}

// TestPoolRunOn: no more threads than wanted take part, and the others rest.
func TestPoolRunOn(t *testing.T) {
	const threads = 5
	p := NewPool(threads)
	defer p.Close()
	for _, most := range []int{1, 2, 3, threads, 2 * threads} {
		for _, n := range []int{1, 2, 7, 100} {
			c := newCoverage(n, threads)
			var beyond atomic.Int32
			p.RunOn(most, n, 1, JobFunc(func(worker, lo, hi int) {
				if worker >= most {
					beyond.Add(1)
				}
				c.Do(worker, lo, hi)
			}))
			c.check(t)
			if beyond.Load() != 0 {
				t.Errorf("%d chunks: %d of them by workers beyond %d", n, beyond.Load(), most)
			}
		}
	}
	for end := time.Now().Add(10 * time.Second); p.asleep.Load() < threads-2; {
		p.RunOn(2, 2, 1, busy{}) // moves the epoch, which all that are awake see
		if time.Now().After(end) {
			t.Fatalf("%d workers sleep while a job is for two threads, expected %d", p.asleep.Load(), threads-2)
		}
		time.Sleep(10 * time.Microsecond)
	}
}

func TestPoolClose(t *testing.T) {
	p := NewPool(4)
	p.Begin()
	defer p.End()
	c := newCoverage(1000, 4)
	p.Run(1000, 1, JobFunc(func(worker, lo, hi int) {
		if lo == 500 {
			go p.Close()
		}
		c.Do(worker, lo, hi)
	}))
	c.check(t)
	p.Close()
	p.Close()
	c = newCoverage(100, 4)
	p.Run(100, 1, c)
	c.check(t)
}

// TestPoolCollected: the workers of a pool that nobody holds end by themselves.
func TestPoolCollected(t *testing.T) {
	w := NewPool(3).workers
	for range 100 {
		runtime.GC()
		if w.closed.Load() {
			w.done.Wait()
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the workers outlive the pool")
}

func TestPoolAllocates(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	c := newCoverage(100, 2)
	if n := testing.AllocsPerRun(100, func() { p.Run(100, 10, c) }); n != 0 {
		t.Errorf("expected no allocation, got %v", n)
	}
}

// TestPoolAttends: while one program runs workers look for work longer than else, and longer than it takes to wake up.
func TestPoolAttends(t *testing.T) {
	w := NewPoolSpin(1, time.Nanosecond).workers
	look := func() time.Duration {
		start := time.Now()
		if w.spinPast(w.epoch.Load(), start) {
			t.Error("expected no work")
		}
		return time.Since(start)
	}
	w.Begin()
	if d := look(); d < attending/4 {
		t.Errorf("a program runs: expected to look for %v, got %v", attending, d)
	}
	least := func() time.Duration {
		least := time.Hour
		for range 100 {
			least = min(least, look())
		}
		return least
	}
	w.Begin()
	if d := least(); d > attending/4 {
		t.Errorf("two programs run: expected to look for 1ns, got %v", d)
	}
	w.End()
	seen := w.epoch.Load()
	w.End()
	if !w.spinPast(seen, time.Now()) {
		t.Error("expected workers to begin anew to look for work")
	}
	if d := least(); d > attending/4 {
		t.Errorf("no program runs: expected to look for 1ns, got %v", d)
	}
}

// TestPoolYields: who looks for work for longer than the gaps between steps lets others have the processor, and who
// looks for a shorter time does not.
func TestPoolYields(t *testing.T) {
	w := NewPoolSpin(1, time.Nanosecond).workers
	first := time.Hour
	for range 100 { // another program may hold this one up
		start, yields := time.Now(), 0
		w.yield = func() {
			if yields++; yields == 1 {
				first = min(first, time.Since(start))
			}
		}
		w.Begin()
		if w.spinPast(w.epoch.Load(), start) {
			t.Fatal("expected no work")
		}
		w.End()
	}
	if first < yielding || first > attending/2 {
		t.Errorf("expected the first yield after %v, got %v", yielding, first)
	}
}
