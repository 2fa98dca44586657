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
		e.done.Go(e.work)
	}
	e.work()
	e.done.Wait()
	if p := e.panicked.Load(); p != nil {
		panic(*p)
	}
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
