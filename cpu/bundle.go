package cpu

import (
	"sync"
	"unsafe"

	"github.com/goxla/xla/cpu/plan"
)

// Kernels that follow each other and need nothing of one another, as those that compute the inside of an array and its
// borders, are handed out together: a thread does its part of each, of about the same rows, and nobody waits in
// between.

// bundle is such kernels.
type bundle struct {
	steps   []*plan.Kernel
	kernels []*kernel
	parts   int   // in which several threads do them
	time    int64 // of all of them, as that of a kernel
}

// mostBundled is how many kernels a bundle has at most.
const mostBundled = 16

// bundleOf returns the kernels that the steps begin with and that need nothing of one another: nil if it is one only.
func (p *Program) bundleOf(steps []plan.Step) *bundle {
	b := &bundle{}
	for _, st := range steps[:min(len(steps), mostBundled)] {
		k, ok := st.(*plan.Kernel)
		if !ok || !p.bundles(b.steps, k) {
			break
		}
		b.steps, b.kernels = append(b.steps, k), append(b.kernels, p.kernels[k])
	}
	if len(b.steps) < 2 {
		return nil
	}
	return b
}

// bundles reports whether k may run at any time beside those of a list.
func (p *Program) bundles(list []*plan.Kernel, k *plan.Kernel) bool {
	made := p.kernels[k]
	if k.Rounds > 0 || made.scratch >= 0 || made.inOrder || made.alone() && made.time > handing {
		return false
	}
	for _, o := range list {
		if !p.independent(o, k) {
			return false
		}
	}
	return true
}

// independent reports whether two kernels surely write nothing that the other one touches.
func (p *Program) independent(k, o *plan.Kernel) bool {
	for n, b := range k.Buffers {
		for m, c := range o.Buffers {
			if !k.Nest.Buffers[n].Write && !o.Nest.Buffers[m].Write || !shared(p.plan, b, c) {
				continue
			}
			if b != c || !k.Nest.Apart(n, o.Nest, m) {
				return false
			}
		}
	}
	return true
}

// cut cuts all kernels into as many parts.
func (b *bundle) cut(threads int) {
	b.time = 0
	for _, k := range b.kernels {
		b.time += k.time
	}
	b.parts = threads * int(calls(b.time, int64(threads)))
}

// part returns the range of part i of k, which begins with whole vectors.
func (b *bundle) part(k *kernel, i int) (lo, hi int) {
	begin := func(i int) int {
		at := i * k.extent / b.parts
		if k.lanes && i < b.parts {
			at = (at + wholeVectors/2) / wholeVectors * wholeVectors
		}
		return min(at, k.extent)
	}
	return begin(i), begin(i + 1)
}

// bundleStep runs a bundle on several threads.
type bundleStep struct {
	*bundle
	number  int     // of the bundles of a program
	buffers [][]int // by kernel
}

// lowerBundle makes the step of a bundle.
func (p *Program) lowerBundle(b *bundle) step {
	s := &bundleStep{bundle: b, number: p.shares}
	for _, k := range b.steps {
		s.buffers = append(s.buffers, k.Buffers)
	}
	p.shares++
	return s
}

// within reports whether a step is done with one before it, in a bundle.
func (p *Program) within(st plan.Step) bool {
	k, ok := st.(*plan.Kernel)
	return ok && p.bundled[k] != nil && p.bundled[k].steps[0] != k
}

func (b *bundleStep) do(r *run) error {
	l := r.bundling(b)
	r.program.pool.RunOn(r.most(b.time > shortKernel), b.parts, 1, l)
	return l.err
}

// bundling is the job of a bundle. A run has one for each, and writes to it what has changed since the last time:
// other threads have the rest in their caches.
type bundling struct {
	*bundle
	bufs [][][]byte // by kernel
	args []ownArgs
	done <-chan struct{} // of the run's context
	mu   sync.Mutex
	err  error
}

// bundling returns the job of b on the buffers of the run.
func (r *run) bundling(b *bundleStep) *bundling {
	l := r.bundlings[b.number]
	if l == nil {
		l = &bundling{bundle: b.bundle, bufs: make([][][]byte, len(b.kernels)), args: r.launch.args}
		for n, list := range b.buffers {
			l.bufs[n] = make([][]byte, len(list))
		}
		r.bundlings[b.number] = l
	}
	if l.done != r.done {
		l.done = r.done
	}
	if l.err != nil {
		l.err = nil
	}
	for n, list := range b.buffers {
		for i, buffer := range list {
			was, is := &l.bufs[n][i], r.bufs[buffer]
			if unsafe.SliceData(*was) != unsafe.SliceData(is) || len(*was) != len(is) {
				*was = is
			}
		}
	}
	return l
}

// Do does parts [lo, hi) of all kernels, unless the run has been interrupted.
func (l *bundling) Do(worker, lo, hi int) {
	for i := lo; i < hi; i++ {
		for n, k := range l.kernels {
			from, to := l.part(k, i)
			if from == to || isDone(l.done) {
				continue
			}
			if err := k.call(l.args, worker, l.bufs[n], from, to); err != nil {
				l.mu.Lock()
				l.err = err
				l.mu.Unlock()
			}
		}
	}
}

// release drops the buffers.
func (l *bundling) release() {
	l.done = nil
	for _, bufs := range l.bufs {
		clear(bufs)
	}
}
