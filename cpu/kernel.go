package cpu

import (
	"slices"
	"sync"

	"github.com/goxla/xla/cpu/emit"
	"github.com/goxla/xla/cpu/exec"
	"github.com/goxla/xla/cpu/loop"
)

// executor runs a nest: machine code, or the portable executor.
type executor interface {
	// Run executes iterations [lo, hi) of the outermost parallel loop on the buffers, which are in the order of
	// the nest's.
	Run(bufs [][]byte, lo, hi int64) error
	// RunPart is Run of iterations [from, to) of the second loop of a nest that is Divided.
	RunPart(bufs [][]byte, lo, hi, from, to int64) error
	// perInstruction is about how long a vector instruction takes for an element, in picoseconds.
	perInstruction() int64
}

// kernel is a compiled nest.
type kernel struct {
	program executor
	// extent is that of the outermost loop, times the pieces of an iteration, grain the part of it that one call does.
	extent, grain int
	pieces        pieces
	// scratch is the buffer of which each worker has a part, -1 if there is none, and share the bytes of a part.
	scratch, share int
	// inOrder: the parts are done one after the other; lanes: iterations of the outermost loop run side by side.
	inOrder, lanes bool
	time           int64 // that it takes one thread, about, in picoseconds
}

// Times of calls, in picoseconds.
const (
	// leastShared is the time below which a kernel is not worth a second thread.
	leastShared = 10_000_000
	// shortest and longest are about how long a call may take: not so short that handing it out takes part of it, not
	// so long that the garbage collector waits for it.
	shortest, longest = 5_000_000, 100_000_000
	// callsPerThread evens out threads that do not go at the same speed.
	callsPerThread = 4
	// scalar is what an instruction for one element costs, in those for a vector a lane.
	scalar = 4
	// mostLines is the most lines that a vector instruction is taken to move.
	mostLines = 8
	// wholeVectors is what the iterations of a call are a multiple of, if they run side by side: code is made for such
	// ranges, and they fill vectors and cache lines.
	wholeVectors = loop.RangeUnit
)

func newKernel(n *loop.Nest, program executor, threads int) *kernel {
	k := &kernel{program: program, scratch: slices.IndexFunc(n.Buffers, func(b loop.Buffer) bool { return b.Scratch })}
	if k.scratch >= 0 {
		k.share = int(n.Buffers[k.scratch].Bytes)
	}
	k.extent, k.time = 1, work(n, n.Root, 1, -1)*program.perInstruction()
	if l := n.Outermost(); l != nil {
		k.extent, k.lanes, k.inOrder = int(l.Extent), l.Lanes, !l.Parallel
	}
	k.pieces = piecesFor(n, k.time, threads)
	k.extent *= k.pieces.count
	k.grain = k.extent
	if k.time > leastShared {
		k.cut(threads)
	}
	return k
}

// cut has the kernel done in parts, as many for each of so many threads, so that each gets the same part of the range
// of every kernel.
func (k *kernel) cut(threads int) {
	parts := int64(threads) * calls(k.time, int64(threads))
	if k.inOrder {
		parts = (k.time*scalar + longest - 1) / longest
	}
	grain := (int64(k.extent)-1)/parts + 1
	if k.lanes {
		grain = (grain + wholeVectors - 1) / wholeVectors * wholeVectors
	}
	k.grain = int(min(grain, int64(k.extent)))
}

// calls is how many calls each of so many threads makes for work that takes one thread so long.
func calls(time, threads int64) int64 {
	return max(min(time/(threads*shortest), callsPerThread), (time-1)/(threads*longest)+1)
}

// work estimates the instructions that a block in a lane loop, or in none, executes lane by lane.
func work(n *loop.Nest, b loop.Block, times int64, lanes int) int64 {
	sum := int64(0)
	for _, node := range b {
		l := node.Loop
		if l == nil {
			sum += times * lines(n, n.Inst(node.Value), lanes)
			continue
		}
		in := lanes
		if l.Lanes {
			in = l.Var
		}
		sum += work(n, l.CondBody, times, in) + work(n, l.Body, times*max(l.Extent, 1), in)
	}
	return sum
}

// lines is about how many lines of memory a vector instruction moves for each that a vector takes, at least one: lanes
// that are apart in memory take as many as they are apart, up to one a lane.
func lines(n *loop.Nest, i *loop.Inst, lanes int) int64 {
	if i.Op != loop.Load && i.Op != loop.Store {
		return 1
	}
	for _, t := range n.Accesses[i.Access].Terms {
		if t.Var == lanes {
			return min(max(t.Stride, -t.Stride), mostLines)
		}
	}
	return 1
}

// shared reports whether it is done in parts that threads share.
func (k *kernel) shared() bool { return k.extent > k.grain && !k.inOrder }

// alone reports whether one thread does all of the kernel in any case.
func (k *kernel) alone() bool { return k.inOrder || k.extent <= 1 }

// launch is a kernel on buffers: a job for the pool.
type launch struct {
	kernel *kernel
	bufs   [][]byte
	own    [][][]byte      // by worker: bufs, with its part of the scratch memory
	done   <-chan struct{} // of the run's context
	mu     sync.Mutex
	err    error
	args   []ownArgs // by worker
}

// ownArgs is a worker's memory for the arguments of its calls, on lines that no other one writes to.
type ownArgs struct {
	*emit.Args
	_ [56]byte
}

// leastArgs is room for so many buffers that arguments fill two lines, which then are theirs alone.
const leastArgs = 12

// take returns memory for the arguments of a call with n buffers.
func (a *ownArgs) take(n int) *emit.Args {
	if a.Args == nil || a.Buffers() < n {
		a.Args = emit.NewArgs(max(n, leastArgs))
	}
	return a.Args
}

// all runs a kernel of one part, without scratch memory of workers, on this thread. Who is interrupted knows it before.
func (l *launch) all(k *kernel) error {
	return k.call(l.args, 0, l.bufs, 0, k.extent)
}

// call runs a part of the kernel as a worker, given the memory for arguments of all.
func (k *kernel) call(args []ownArgs, worker int, bufs [][]byte, lo, hi int) error {
	if k.pieces.count > 1 {
		return k.pieces.each(lo, hi, func(lo, hi, from, to int64) error {
			return k.part(args, worker, bufs, lo, hi, from, to)
		})
	}
	return k.part(args, worker, bufs, int64(lo), int64(hi), 0, int64(k.pieces.second))
}

// part calls a range of the outermost loop, and of the second one of a nest that is Divided.
func (k *kernel) part(args []ownArgs, worker int, bufs [][]byte, lo, hi, from, to int64) error {
	if m, ok := k.program.(*machineKernel); ok {
		return m.call(args[worker].take(len(bufs)), bufs, nil, lo, hi, from, to)
	}
	return k.program.RunPart(bufs, lo, hi, from, to)
}

// release drops the buffers.
func (l *launch) release() {
	l.done = nil
	clear(l.bufs)
	for _, a := range l.args {
		if a.Args != nil {
			a.Clear()
		}
	}
}

// Do runs a part, unless the run has been interrupted.
func (l *launch) Do(worker, lo, hi int) {
	if isDone(l.done) {
		return
	}
	bufs := l.bufs
	if k := l.kernel; k.scratch >= 0 {
		bufs = append(l.own[worker][:0], bufs...)
		bufs[k.scratch] = bufs[k.scratch][worker*k.share:][:k.share]
		l.own[worker] = bufs
	}
	if err := l.kernel.call(l.args, worker, bufs, lo, hi); err != nil {
		l.mu.Lock()
		l.err = err
		l.mu.Unlock()
	}
}

// run executes the kernel on all of its range, on so many threads at most.
func (k *kernel) run(pool *exec.Pool, threads int, l *launch) error {
	if k.extent <= k.grain && k.scratch < 0 {
		return l.all(k)
	}
	l.kernel, l.err = k, nil
	if k.scratch >= 0 && l.own == nil {
		l.own = make([][][]byte, pool.Threads())
	}
	switch {
	case k.extent <= k.grain:
		l.Do(0, 0, k.extent)
	case k.inOrder:
		for lo := 0; lo < k.extent && l.err == nil; lo += k.grain {
			l.Do(0, lo, min(lo+k.grain, k.extent))
		}
	default:
		pool.RunOn(threads, k.extent, k.grain, l)
	}
	return l.err
}

// isDone reports whether done is closed; nil never is.
func isDone(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
