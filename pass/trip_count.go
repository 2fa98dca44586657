package pass

import (
	"context"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Counter is what a while loop counts by.
type Counter struct {
	// Index is the element of the state that counts.
	Index int
	// Init and Step are its first value and what each iteration adds.
	Init, Step int64
	// Trips is how often the body runs.
	Trips int64
}

// TripCount returns how often the body of the while instruction w runs; ok is false if
// that cannot be told from the program.
func TripCount(w *hlo.Instruction) (n int64, ok bool) {
	c, ok := LoopCounter(w)
	return c.Trips, ok
}

// LoopCounter returns the element of the state of w that is compared with a fixed limit, starts
// from a constant and changes by a constant; ok is false if there is none.
func LoopCounter(w *hlo.Instruction) (c Counter, ok bool) {
	l, ok := loopOf(w, nil)
	if !ok {
		return c, false
	}
	test := l.cond.Root()
	if test.Code() != op.Compare {
		return c, false
	}
	a := test.Attrs().(*op.CompareAttrs)
	direction := a.Direction
	if a.Type != op.ComparisonDefault && a.Type != op.DefaultComparison(test.Operand(0).Type()) {
		return c, false
	}
	for side, o := range test.Operands() {
		if o.Code() != op.GetTupleElement || o.Operand(0) != l.condParam {
			continue
		}
		c.Index = elementIndex(o)
		limit, okLimit := l.fixedInCondition(test.Operand(1 - side))
		init, okInit := integerOf(l.initial(c.Index))
		step, okStep := l.step(c.Index)
		if !okLimit || !okInit || !okStep || l.invariant(c.Index) {
			continue
		}
		d := direction
		if side == 1 {
			d = turned[direction]
		}
		c.Init, c.Step = init, step
		if c.Trips, ok = trips(init, step, limit, d, o.Type()); ok {
			return c, true
		}
	}
	return c, false
}

// turned are the directions with the operands exchanged.
var turned = [...]op.Direction{op.EQ: op.EQ, op.NE: op.NE, op.GE: op.LE, op.GT: op.LT, op.LE: op.GE, op.LT: op.GT}

// fixedInCondition returns the value of x, an instruction of the condition: a constant, or an
// element of the state that is one at the start and stays it.
func (l *loop) fixedInCondition(x *hlo.Instruction) (int64, bool) {
	if x.Code() == op.GetTupleElement && x.Operand(0) == l.condParam && l.invariant(elementIndex(x)) {
		return integerOf(l.initial(elementIndex(x)))
	}
	return integerOf(x)
}

// step returns the constant that the body adds to element k of the state.
func (l *loop) step(k int) (int64, bool) {
	next := l.root.Operand(k)
	if next.Code() != op.Add && next.Code() != op.Subtract {
		return 0, false
	}
	isElement := func(x *hlo.Instruction) bool {
		return x.Code() == op.GetTupleElement && x.Operand(0) == l.bodyParam && elementIndex(x) == k
	}
	fixed := func(x *hlo.Instruction) (int64, bool) {
		if x.Code() == op.GetTupleElement && x.Operand(0) == l.bodyParam && l.invariant(elementIndex(x)) {
			x = l.initial(elementIndex(x))
		}
		return integerOf(x)
	}
	a, b := next.Operand(0), next.Operand(1)
	if isElement(a) {
		v, ok := fixed(b)
		if next.Code() == op.Subtract {
			v = -v
		}
		return v, ok && v != math.MinInt64
	}
	if isElement(b) && next.Code() == op.Add {
		return fixed(a)
	}
	return 0, false
}

// integerOf returns the value of x if it is a constant integer scalar, or such a one copied or
// given another integer type that holds it.
func integerOf(x *hlo.Instruction) (int64, bool) {
	for x != nil && (x.Code() == op.Copy || x.Code() == op.Reshape && x.Operand(0).IsScalar()) {
		x = x.Operand(0)
	}
	if x == nil || x.Code() != op.Constant || !x.IsScalar() || !x.Type().IsInteger() {
		return 0, false
	}
	v := x.Attrs().(*op.ConstantAttrs).Value
	n := v.IntAt(0)
	return n, n >= 0 || v.Type().IsSigned()
}

// trips returns how often i, which is init at first and grows by step, meets the condition
// "i direction limit" in a row. ok is false where i would wrap around on the way, or for ever.
func trips(init, step, limit int64, direction op.Direction, t shape.ElementType) (n int64, ok bool) {
	if !holds(init, limit, direction) {
		return 0, true
	}
	if step == 0 {
		return 0, false
	}
	up := step > 0
	distance, by := uint64(limit)-uint64(init), uint64(step)
	if limit < init {
		distance = -distance
	}
	if !up {
		by = -by
	}
	q, r := distance/by, distance%by
	switch direction {
	case op.EQ:
		q = 1
	case op.NE:
		if r != 0 || up != (limit > init) {
			return 0, false
		}
	case op.LT, op.GT:
		if up != (direction == op.LT) {
			return 0, false
		}
		if r != 0 {
			q++
		}
	default: // LE, GE
		if up != (direction == op.LE) {
			return 0, false
		}
		if q++; q == 0 { // all of 64 bits
			return 0, false
		}
	}
	low, high := integerRange(t)
	room := high - uint64(init) // how far i may go
	if !up {
		room = uint64(init) - uint64(low)
	}
	if above, way := bits.Mul64(q, by); q > math.MaxInt64 || above != 0 || way > room {
		return 0, false
	}
	return int64(q), true
}

func holds(i, limit int64, direction op.Direction) bool {
	return [...]bool{op.EQ: i == limit, op.NE: i != limit, op.GE: i >= limit, op.GT: i > limit, op.LE: i <= limit,
		op.LT: i < limit}[direction]
}

// integerRange returns the least and the largest value of the integer type t.
func integerRange(t shape.ElementType) (low int64, high uint64) {
	high = math.MaxUint64 >> (64 - t.Bits())
	if t.IsSigned() {
		high >>= 1
		low = -int64(high) - 1
	}
	return low, high
}

// WhileLoopTripCount writes how often loops run where that is known into their backend
// config, as XLA does: {"known_trip_count":{"n":"10"}}. TripCount tells the same.
func WhileLoopTripCount() Pass {
	return Pass{
		Name:  "while-loop-trip-count",
		Doc:   "Writes how often a loop runs, where that is known, into its backend config as known_trip_count.",
		About: []op.Code{op.While},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			changed := false
			for _, c := range m.Computations() {
				for _, i := range c.Instructions() {
					changed = i.Code() == op.While && noteTrips(i) || changed
				}
			}
			return changed, nil
		},
	}
}

// noteTrips adds the trip count of w to its backend config, unless there is one or another text.
func noteTrips(w *hlo.Instruction) bool {
	n, ok := TripCount(w)
	if !ok || w.BackendConfig != "" && !strings.HasPrefix(w.BackendConfig, "{") ||
		strings.Contains(w.BackendConfig, `"known_trip_count"`) {
		return false
	}
	rest := strings.TrimSpace(strings.TrimPrefix(w.BackendConfig, "{"))
	note := `{"known_trip_count":{"n":"` + strconv.FormatInt(n, 10) + `"}`
	switch rest {
	case "", "}":
		w.BackendConfig = note + "}"
	default:
		w.BackendConfig = note + "," + rest
	}
	return true
}
