package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/fuse"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/shape"
)

// A kernel of loops in loops stops after so many iterations as well, and goes on where it stopped when it is called
// again: maybe in a loop inside of an iteration. So an iteration has places, numbered from 0 on: 2k is in front of the
// steps behind the k-th long loop, those of its beginning for 0, and 2k+1 in front of the next part of long loop k.

// longWork is about how much of a long loop is done before the kernel asks whether it is to stop.
const longWork = 1 << 12

// scalarLoop reports whether w works on scalars alone and is one kernel for that.
func scalarLoop(w *While) bool { return w.Fused && fuse.WhileFits(w.Inst) }

// isLong reports whether the kernel may stop in w: its length is not known, or that of a loop in it.
func isLong(w *While) bool {
	return w.Trips < 0 || slices.ContainsFunc(w.Body.Steps, func(st Step) bool {
		in, ok := st.(*While)
		return ok && isLong(in)
	})
}

// part is a part of an iteration: steps, and the long loop behind them, if there is one.
type part struct {
	steps []Step
	long  *While
}

// partsOf cuts an iteration of w at its long loops.
func partsOf(w *While) []part {
	parts := []part{{}}
	for _, st := range slices.Concat(w.Body.Steps, w.Back) {
		last := &parts[len(parts)-1]
		if in, ok := st.(*While); ok && isLong(in) {
			last.long = in
			parts = append(parts, part{})
			continue
		}
		last.steps = append(last.steps, st)
	}
	return parts
}

// counter gives the nest a number of its own that is 0 before the loop.
func (f *loopFuser) counter(w *While) loop.Access {
	n := f.plan.temp(shape.Make(shape.S64), w.Inst)
	f.zeros, f.writes[n] = append(f.zeros, n), true
	return loop.Access{Buffer: f.buffer(n), Mem: loop.MemI64}
}

// loop makes the loop: as many iterations as the limit says, as long as the condition holds, or up to the known
// number. It returns the buffer, of a pred, that says whether there are more.
func (f *loopFuser) loop(w *While) (again int) {
	again = f.plan.temp(shape.Make(shape.Pred), w.Inst)
	f.writes[again] = true
	l := &loopMaker{loopFuser: f, w: w, parts: partsOf(w), again: f.flag(again)}
	if w.Cond == nil {
		l.number = f.counter(w)
	}
	switch {
	case len(l.parts) > 1:
		l.at = f.counter(w)
		l.long()
	case w.Cond == nil:
		l.counted()
	default:
		l.whileTrue()
	}
	return again
}

func (f *loopFuser) flag(n int) loop.Access {
	return loop.Access{Buffer: f.buffer(n), Mem: loop.MemPred}
}

// loopMaker makes one loop of a nest.
type loopMaker struct {
	*loopFuser
	w     *While
	parts []part
	// again says whether there are more iterations; number is that of the next one, where it is known how many there
	// are; at is the place to go on at, if there are several.
	again, number, at loop.Access
}

// bit is 1 for true.
func (f *loopFuser) bit(v loop.Value) loop.Value {
	return f.b.Op(loop.Select, loop.I32, v, f.b.Int(loop.I32, 1), f.b.Int(loop.I32, 0))
}

func (f *loopFuser) isNot(v loop.Value, n int64) loop.Value {
	return f.b.Cmp(loop.NE, v, f.b.Int(loop.I32, n))
}

func (f *loopFuser) plus1(v loop.Value) loop.Value {
	k := f.b.Kind(v)
	return f.b.Op(loop.Add, k, v, f.b.Int(k, 1))
}

// goesOn runs the condition.
func (l *loopMaker) goesOn() loop.Value {
	l.steps(l.w.Cond.Steps)
	return l.bit(l.b.Load(l.flag(l.w.Cond.Result.Buffer), 0))
}

// whileTrue is the loop with a condition.
func (l *loopMaker) whileTrue() {
	b := l.b
	last := b.While([]loop.Value{l.goesOn(), b.Int(loop.I32, 0)}, func(v []loop.Value) loop.Value {
		return b.Op(loop.And, loop.Mask, l.isNot(v[0], 0), b.Cmp(loop.LT, v[1], b.Int(loop.I32, l.limit)))
	}, func(v []loop.Value) []loop.Value {
		l.body(l.w)
		return []loop.Value{l.goesOn(), l.plus1(v[1])}
	})
	b.Store(l.again, l.isNot(last[0], 0), 0)
}

// counted is the loop of a known number of iterations.
func (l *loopMaker) counted() {
	b := l.b
	first := b.Load(l.number, 0)
	trips := b.Int(loop.I64, l.w.Trips)
	end := b.Op(loop.Min, loop.I64, trips, b.Op(loop.Add, loop.I64, first, b.Int(loop.I64, l.limit)))
	b.While([]loop.Value{first}, func(v []loop.Value) loop.Value { return b.Cmp(loop.LT, v[0], end) },
		func(v []loop.Value) []loop.Value {
			l.body(l.w)
			return []loop.Value{l.plus1(v[0])}
		})
	b.Store(l.number, end, 0)
	b.Store(l.again, b.Cmp(loop.LT, end, trips), 0)
}

// What a loop with long ones inside carries: whether it goes on, the place, iterations and parts of long loops in this
// call, and the number of the iteration where it is known how many there are.
const (
	carryOn = iota
	carryAt
	carryDone
	carryNumber
)

// long is a loop with long ones inside.
func (l *loopMaker) long() {
	b := l.b
	at := b.Load(l.at, 0)
	first := []loop.Value{carryOn: 0, carryAt: b.Op(loop.Trunc, loop.I32, at), carryDone: b.Int(loop.I32, 0)}
	if l.w.Cond == nil {
		first = append(first, b.Load(l.number, 0))
		first[carryOn] = l.before(first[carryNumber])
	} else {
		first[carryOn] = l.resumed(first[carryAt])
	}
	last := b.While(first, func(v []loop.Value) loop.Value {
		return b.Op(loop.And, loop.Mask, l.isNot(v[carryOn], 0), l.mayGoOn(v))
	}, l.iteration)
	b.Store(l.at, b.Op(loop.SExt, loop.I64, last[carryAt]), 0)
	if l.w.Cond == nil {
		on := l.isNot(last[carryOn], 0)
		b.Store(l.number, b.Op(loop.Select, loop.I64, on, last[carryNumber], b.Int(loop.I64, 0)), 0)
	}
	b.Store(l.again, l.isNot(last[carryOn], 0), 0)
}

// before is 1 for the number of an iteration.
func (l *loopMaker) before(n loop.Value) loop.Value {
	return l.bit(l.b.Cmp(loop.LT, n, l.b.Int(loop.I64, l.w.Trips)))
}

// mayGoOn reports whether this call has not done enough.
func (l *loopMaker) mayGoOn(v []loop.Value) loop.Value {
	return l.b.Cmp(loop.LT, v[carryDone], l.b.Int(loop.I32, max(2, l.limit)))
}

// resumed says whether the loop goes on when the kernel is called: by the condition, but in an iteration.
func (l *loopMaker) resumed(at loop.Value) loop.Value {
	b := l.b
	const unknown = 2
	v := b.While([]loop.Value{b.Int(loop.I32, unknown)}, func(v []loop.Value) loop.Value {
		atStart := b.Cmp(loop.EQ, at, b.Int(loop.I32, 0))
		return b.Op(loop.And, loop.Mask, atStart, b.Cmp(loop.EQ, v[0], b.Int(loop.I32, unknown)))
	}, func([]loop.Value) []loop.Value { return []loop.Value{l.goesOn()} })
	return b.Op(loop.Min, loop.I32, v[0], b.Int(loop.I32, 1))
}

// iteration is one, from the place on where the loop is.
func (l *loopMaker) iteration(v []loop.Value) []loop.Value {
	v = slices.Clone(v)
	v[carryDone] = l.plus1(v[carryDone])
	for k, p := range l.parts {
		v = l.during(v, int64(2*k), nil, func(v []loop.Value) { l.part(v, p) })
		if p.long != nil {
			v = l.during(v, int64(2*k+1), l.mayGoOn, func(v []loop.Value) {
				again := l.longPart(p.long)
				v[carryAt] = l.b.Op(loop.Sub, loop.I32, l.b.Int(loop.I32, int64(2*k+2)), l.bit(again))
				v[carryDone] = l.plus1(v[carryDone])
			})
		}
	}
	end := l.b.Int(loop.I32, int64(2*len(l.parts)-1))
	over := l.b.Cmp(loop.EQ, v[carryAt], end)
	v[carryAt] = l.b.Op(loop.Select, loop.I32, over, l.b.Int(loop.I32, 0), v[carryAt])
	return v
}

// during runs body, which changes v, as long as the loop is at a place and, if that is not nil, more holds.
func (l *loopMaker) during(v []loop.Value, place int64, more func(v []loop.Value) loop.Value,
	body func(v []loop.Value)) []loop.Value {
	return l.b.While(v, func(v []loop.Value) loop.Value {
		here := l.b.Cmp(loop.EQ, v[carryAt], l.b.Int(loop.I32, place))
		if more == nil {
			return here
		}
		return l.b.Op(loop.And, loop.Mask, here, more(v))
	}, func(v []loop.Value) []loop.Value {
		next := slices.Clone(v)
		body(next)
		return next
	})
}

// part does the steps of p and goes to the place behind them. The last part ends the iteration.
func (l *loopMaker) part(v []loop.Value, p part) {
	l.steps(p.steps)
	v[carryAt] = l.plus1(v[carryAt])
	switch {
	case p.long != nil:
	case l.w.Cond != nil:
		v[carryOn] = l.goesOn()
	default:
		v[carryNumber] = l.plus1(v[carryNumber])
		v[carryOn] = l.before(v[carryNumber])
	}
}

// longPart does a part of a long loop and returns whether there is more of it.
func (l *loopMaker) longPart(w *While) loop.Value {
	if !scalarLoop(w) {
		return l.b.Load(l.flag(l.inner(w)), 0)
	}
	k := w.Body.Steps[0].(*Kernel)
	nest, err := fuse.BuildWhile(w.Inst, l.plan.machine, longWork)
	if err != nil || len(nest.Buffers) != len(k.Buffers) {
		nest = k.Nest // it stops more seldom
	}
	l.b.Splice(nest, l.buffersOf(k), false)
	return l.b.Load(l.flag(w.Body.Result.Buffer), 0)
}

// inner makes a long loop inside of another.
func (l *loopMaker) inner(w *While) (again int) {
	each, _ := l.plan.loopWork(slices.Concat(w.Body.Steps, w.Back))
	f := l.loopFuser
	limit := f.limit
	f.limit = max(1, longWork/(each+1))
	again = f.loop(w)
	f.limit = limit
	return again
}
