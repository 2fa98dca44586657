package pass

import (
	"context"
	"math"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// WhileLoopRanges decides comparisons of integers in the bodies of loops that count: what a counter is at least and at
// most tells whether an index made of it is negative or behind the end.
func WhileLoopRanges() Pass {
	return Pass{
		Name: "while-loop-ranges",
		Doc: "In the body of a loop that counts, comparisons of integers that are the same for all values of its counters " +
			"become constants, as whether an index is negative.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return loopsIn(m, func(l *loop) (bool, error) { return l.decide(), nil })
		},
	}
}

// span is what integers are at least and at most.
type span struct{ low, high int64 }

// spans holds what is known of the integers in the body of a loop.
type spans struct {
	loop  *loop
	trips int64 // how often the body runs at most
	known map[*hlo.Instruction]*span
}

// farthest bounds what is looked at: sums and products of two such numbers are numbers, too.
const farthest = 1 << 31

// decide makes constants of the comparisons that are the same in all iterations.
func (l *loop) decide() bool {
	s := &spans{loop: l, known: map[*hlo.Instruction]*span{}}
	if s.trips = l.mostTrips(); s.trips <= 0 || s.trips > 2*farthest {
		return false
	}
	changed := false
	for _, i := range l.body.PostOrder() {
		if i.Code() != op.Compare {
			continue
		}
		if holds, ok := s.compare(i); ok {
			b := &maker{c: l.body}
			i.ReplaceAllUsesWith(b.broadcast(b.constant(literal.Scalar(holds)), i.Shape()))
			changed = true
		}
	}
	if changed {
		pruneDead(l.body)
	}
	return changed
}

// mostTrips is how often the body runs at most, 0 if that is not known: an element that begins with a constant, is
// less than a limit of the same type and grows by 1 has so many values.
func (l *loop) mostTrips() int64 {
	if c, ok := LoopCounter(l.while); ok {
		return c.Trips
	}
	test := l.cond.Root()
	if test.Code() != op.Compare || !test.Operand(0).IsScalar() {
		return 0
	}
	a, e := test.Attrs().(*op.CompareAttrs), test.Operand(0)
	t := e.Type()
	if a.Direction != op.LT || a.Type != op.ComparisonDefault && a.Type != op.DefaultComparison(t) ||
		e.Code() != op.GetTupleElement || e.Operand(0) != l.condParam || !t.IsInteger() {
		return 0
	}
	k := elementIndex(e)
	init, okInit := integerOf(l.initial(k))
	if step, ok := l.step(k); !okInit || !ok || step != 1 || l.invariant(k) {
		return 0
	}
	_, high := integerRange(t)
	if high > farthest || init < -farthest {
		return 0
	}
	return int64(high) - init
}

// of returns what is known of the elements of x, nil if nothing is.
func (s *spans) of(x *hlo.Instruction) *span {
	if !x.IsArray() || !x.Type().IsInteger() {
		return nil
	}
	if known, ok := s.known[x]; ok {
		return known
	}
	r := s.find(x)
	if r != nil {
		low, high := integerRange(x.Type())
		if r.low < max(low, -farthest) || r.high > int64(min(high, farthest)) {
			r = nil
		}
	}
	s.known[x] = r
	return r
}

func (s *spans) find(x *hlo.Instruction) *span {
	switch x.Code() {
	case op.GetTupleElement:
		return s.counter(x)
	case op.Constant:
		if v, ok := integerOf(x); ok {
			return &span{v, v}
		}
		return nil
	case op.Iota:
		return &span{0, int64(x.Dims()[x.Attrs().(*op.IotaAttrs).Dimension]) - 1}
	case op.Broadcast, op.Reshape, op.Transpose, op.Slice, op.Reverse, op.Copy:
		return s.of(x.Operand(0))
	case op.Convert:
		return s.converted(x)
	case op.Add, op.Subtract, op.Multiply, op.Maximum, op.Minimum:
		return s.combined(x)
	case op.Select:
		a, b := s.of(x.Operand(1)), s.of(x.Operand(2))
		if a == nil || b == nil {
			return nil
		}
		return &span{min(a.low, b.low), max(a.high, b.high)}
	}
	return nil
}

// counter is what an element of the state is at the beginning of an iteration.
func (s *spans) counter(x *hlo.Instruction) *span {
	if x.Operand(0) != s.loop.bodyParam || !x.IsScalar() {
		return nil
	}
	k := elementIndex(x)
	init, ok := integerOf(s.loop.initial(k))
	if !ok || init < -farthest || init > farthest {
		return nil
	}
	if s.loop.invariant(k) {
		return &span{init, init}
	}
	step, ok := s.loop.step(k)
	if !ok || step < -farthest || step > farthest {
		return nil
	}
	last := init + (s.trips-1)*step
	return &span{min(init, last), max(init, last)}
}

// converted is what a number is in another type: all that the narrower one has, if nothing else is known.
func (s *spans) converted(x *hlo.Instruction) *span {
	from := x.Operand(0).Type()
	if r := s.of(x.Operand(0)); r != nil || !from.IsInteger() {
		return r
	}
	low, high := integerRange(from)
	return &span{low, int64(min(high, math.MaxInt64))}
}

func (s *spans) combined(x *hlo.Instruction) *span {
	a, b := s.of(x.Operand(0)), s.of(x.Operand(1))
	if a == nil || b == nil {
		return nil
	}
	switch x.Code() {
	case op.Add:
		return &span{a.low + b.low, a.high + b.high}
	case op.Subtract:
		return &span{a.low - b.high, a.high - b.low}
	case op.Maximum:
		return &span{max(a.low, b.low), max(a.high, b.high)}
	case op.Minimum:
		return &span{min(a.low, b.low), min(a.high, b.high)}
	}
	r := span{math.MaxInt64, math.MinInt64}
	for _, p := range [...]int64{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high} {
		r.low, r.high = min(r.low, p), max(r.high, p)
	}
	return &r
}

// compare returns what comparison i gives if that is the same for all values of its operands.
func (s *spans) compare(i *hlo.Instruction) (holds, ok bool) {
	attrs, t := i.Attrs().(*op.CompareAttrs), i.Operand(0).Type()
	a, b := s.of(i.Operand(0)), s.of(i.Operand(1))
	if a == nil || b == nil || attrs.Type != op.ComparisonDefault && attrs.Type != op.DefaultComparison(t) ||
		i.Type() != shape.Pred {
		return false, false
	}
	switch apart := a.high < b.low || b.high < a.low; attrs.Direction {
	case op.EQ, op.NE:
		return attrs.Direction == op.NE, apart
	case op.LT:
		return a.high < b.low, a.high < b.low || a.low >= b.high
	case op.GE:
		return a.low >= b.high, a.high < b.low || a.low >= b.high
	case op.GT:
		return a.low > b.high, a.low > b.high || a.high <= b.low
	case op.LE:
		return a.high <= b.low, a.low > b.high || a.high <= b.low
	}
	return false, false
}
