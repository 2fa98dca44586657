package lapack

import (
	"cmp"
	"context"
	"sync"

	"github.com/goxla/xla/cpu/exec"
)

// work is the problems of a batch.
type work[T field] struct {
	*call
	ctx      context.Context
	from, to []array
	operands []operand[T]
	results  []result
	solve    func(*problem[T])

	failed sync.Mutex
	err    error
}

// operand is the matrices of all problems, one behind the other.
type operand[T field] struct {
	all  []T
	lent bool // all is the memory of an operand, which a routine may not change
}

// solve computes all problems of a call, whose arrays p has, by f, and multiplies result 0 by a factor.
func solve[T field](ctx context.Context, c *call, p *problem[T], f func(*problem[T]), factor complex128) error {
	w := &p.batch
	w.call, w.ctx, w.solve = c, ctx, f
	if c.direct != nil && factor == 1 && c.direct(c, w.from, w.to, p.sideBySide) {
		return context.Cause(ctx)
	}
	for k := range w.from {
		var o operand[T]
		o.all, o.lent = elements(p, &w.from[k])
		w.operands = append(w.operands, o)
	}
	for k := range w.to {
		w.results = append(w.results, p.resultFor(&w.to[k]))
	}
	if err := w.all(p); err != nil {
		return err
	}
	if factor != 1 {
		scaleBy(w.results[0].z, factor)
		scaleBy(w.results[0].re, real(factor))
		scaleBy(w.results[0].single, float32(real(factor)))
	}
	for k := range w.to {
		store(&w.to[k], w.results[k])
	}
	return nil
}

// forget drops what belongs to a call.
func (w *work[T]) forget() {
	clear(w.from)
	clear(w.to)
	clear(w.operands)
	clear(w.results)
	w.from, w.to, w.operands, w.results = w.from[:0], w.to[:0], w.operands[:0], w.results[:0]
	w.call, w.ctx, w.solve, w.err = nil, nil, nil, nil
}

// smallProblem is how many numbers of problems are handed out at a time, at least.
const smallProblem = 512

// all solves all problems: side by side where they are many. A single one is only, whose memory may be the results'.
func (w *work[T]) all(only *problem[T]) error {
	if err := only.equip(w.on); err != nil {
		return err
	}
	if w.problems == 1 {
		only.each = only.sideBySide
		w.one(only, 0, true)
		copy(w.results, only.out)
		return cmp.Or(context.Cause(w.ctx), w.err)
	}
	// Small problems are handed out several at a time.
	n, chunk := w.problems, max(1, smallProblem/max(1, w.reads[0].rows*w.reads[0].cols))
	small := smallOf(w)
	only.sideBySide((n+chunk-1)/chunk, func(c int) {
		p := take[T](w.on)
		defer give(w.on, p)
		lo, hi := c*chunk, min(n, (c+1)*chunk)
		if small != nil && small(w, p, lo, hi) {
			return
		}
		p.steps, p.steps32, p.each = only.steps, only.steps32, only.inTurn
		for b := lo; b < hi; b++ {
			p.reset()
			w.one(p, b, false)
		}
	})
	return cmp.Or(context.Cause(w.ctx), w.err)
}

// equip gives p the steps of a machine.
func (p *problem[T]) equip(on *machine) (err error) {
	if isSingle[T]() {
		p.steps32, err = kernels[float32](on)
	} else {
		p.steps, err = kernels[float64](on)
	}
	return err
}

// together does f for 0 to n-1 on the threads of the machine.
func (w *work[T]) together(n int, f func(k int)) bool {
	if w.on.pool == nil || n <= 1 {
		return w.alone(n, f)
	}
	w.on.pool.Run(n, 1, exec.JobFunc(func(_, lo, hi int) {
		w.alone(hi-lo, func(k int) { f(lo + k) })
	}))
	return w.ctx.Err() == nil
}

// alone does it on one thread.
func (w *work[T]) alone(n int, f func(k int)) bool {
	for k := range n {
		if w.ctx.Err() != nil {
			return false
		}
		f(k)
	}
	return w.ctx.Err() == nil
}

// one solves problem b.
func (w *work[T]) one(p *problem[T], b int, alone bool) {
	p.attr, p.alone, p.info, p.err = w.attr, alone, 0, nil
	p.in, p.out = p.in[:0], p.out[:0]
	for k, o := range w.operands {
		x := &w.reads[k]
		n := x.rows * x.cols
		m := matrix[T]{x.rows, x.cols, o.all[b*n:][:n:n]}
		if o.lent && !w.careful {
			m = p.cloned(m)
		}
		p.in = append(p.in, m)
	}
	for k, r := range w.results {
		n := w.sets[k].cols
		p.out = append(p.out, r.part(b*n, n))
	}
	w.solve(p)
	if w.info >= 0 && p.out[w.info].len() > 0 {
		p.out[w.info].put(0, complex(float64(p.info), 0))
	}
	if p.err != nil {
		w.failed.Lock()
		w.err = cmp.Or(w.err, p.err)
		w.failed.Unlock()
	}
}
