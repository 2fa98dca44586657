package interp

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// minParallelWork is the number of multiply-adds from which it pays to start goroutines.
const minParallelWork = 1 << 17

// chunksPerCPU is how many pieces each CPU's share is cut into, so that a slow one
// does not hold the others up.
const chunksPerCPU = 4

// parallel calls f on ranges that together are [0, n), on several CPUs if n times
// cost, the multiply-adds of one item, is enough work. Every item is computed as it
// would be alone, so the result does not depend on the number of CPUs. A panic in f
// is passed on to the caller.
func parallel(n, cost int, f func(lo, hi int)) {
	cpus := runtime.GOMAXPROCS(0)
	if cpus == 1 || n < 2 || n*max(cost, 1) < minParallelWork {
		f(0, n)
		return
	}
	chunks := min(n, cpus*chunksPerCPU)
	var next atomic.Int64
	var failed atomic.Value
	var wg sync.WaitGroup
	for range cpus {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					failed.Store(&r)
				}
			}()
			for k := int(next.Add(1)) - 1; k < chunks; k = int(next.Add(1)) - 1 {
				f(n*k/chunks, n*(k+1)/chunks)
			}
		})
	}
	wg.Wait()
	if r := failed.Load(); r != nil {
		panic(*r.(*any))
	}
}
