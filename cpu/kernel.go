package cpu

import (
	"sync"

	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/cpu/tile"
)

// kernel is a compiled nest.
type kernel struct {
	program *tile.Program
	// extent is that of the outermost parallel loop, grain the least part of it that is worth
	// a thread.
	extent, grain int
}

// chunkWork is the work, in vector instructions on an element, below which a part of a loop is
// not worth handing to another thread.
const chunkWork = 1 << 15

// grain is how many iterations of the outermost parallel loop make a part.
func grain(n *loop.Nest, extent int64) int {
	per := max(1, work(n.Root, 1)/max(extent, 1))
	return int(max(1, min(extent, chunkWork/per)))
}

// work estimates the instructions that a block executes, lane by lane.
func work(b loop.Block, times int64) int64 {
	sum := int64(0)
	for _, n := range b {
		if n.Loop == nil {
			sum += times
			continue
		}
		sum += work(n.Loop.CondBody, times) + work(n.Loop.Body, times*max(n.Loop.Extent, 1))
	}
	return sum
}

// launch is a kernel on buffers: a job for the pool.
type launch struct {
	kernel *kernel
	bufs   [][]byte
	mu     sync.Mutex
	err    error
}

// Do runs a part.
func (l *launch) Do(_, lo, hi int) {
	if err := l.kernel.program.Run(l.bufs, int64(lo), int64(hi)); err != nil {
		l.mu.Lock()
		l.err = err
		l.mu.Unlock()
	}
}

// run executes the kernel on all of its range.
func (k *kernel) run(pool *exec.Pool, l *launch) error {
	l.kernel, l.err = k, nil
	if k.extent <= k.grain {
		l.Do(0, 0, k.extent)
	} else {
		pool.Run(k.extent, k.grain, l)
	}
	return l.err
}
