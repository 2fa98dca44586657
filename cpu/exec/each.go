package exec

import (
	"sync"
	"sync/atomic"
)

// Each calls f(0) to f(n-1), on up to threads goroutines of which the caller is one, and returns when all calls have.
// It is for work on the way to a run, such as compilation; the parts of a run are jobs of a [Pool]. A panic of f
// becomes one of Each, behind the other calls that were begun.
func Each(threads, n int, f func(k int)) {
	e := &each{n: int64(n), f: f}
	for range min(threads, n) - 1 {
		e.done.Go(func() {
			Deepen()
			e.work()
		})
	}
	e.work()
	e.done.Wait()
	if p := e.panicked.Load(); p != nil {
		panic(*p)
	}
}

// leastHelp is how many microseconds of work each thread has at least where several work: about so long it takes until
// another one is there that has memory of its own, and in its caches what it is to run.
const leastHelp = 400

// Helped returns how many of so many threads [Each] should have for calls of which each takes about as many
// microseconds as work says: one, where others would have too little to do.
func Helped(threads int, work []int) int {
	sum, longest := 0, 0
	for _, w := range work {
		sum, longest = sum+w, max(longest, w)
	}
	if sum-longest < leastHelp {
		return 1
	}
	return max(min(threads, sum/leastHelp), 1)
}

type each struct {
	n        int64
	f        func(k int)
	next     atomic.Int64
	panicked atomic.Pointer[any]
	done     sync.WaitGroup
}

// work does calls until there are no more.
func (e *each) work() {
	defer func() {
		if p := recover(); p != nil {
			e.next.Store(e.n)
			e.panicked.CompareAndSwap(nil, &p)
		}
	}()
	for k := e.next.Add(1) - 1; k < e.n; k = e.next.Add(1) - 1 {
		e.f(int(k))
	}
}
