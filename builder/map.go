package builder

import (
	"fmt"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// Map returns f of the elements at each place of the operands, which have equal dimensions;
// the result has those and the type of what f returns, a scalar. dims are all dimensions in
// order; nil means that. Static operands are handed to every call behind the elements: a
// scalar by a broadcast, and with an array or tuple among them the map becomes a loop. It
// fails if dimensions differ, and if f does not fit the operands. Spec: OPS.md section 4.
func Map[F ElementFunc](operands []Op, f F, dims []int, static ...Op) Op {
	const code = op.Map
	b, ok := enter(code, append(operands[:len(operands):len(operands)], static...)...)
	if !ok || !b.wantSome(code, operands) || !b.wantArray(code, 0, operands[0]) {
		return b.invalid()
	}
	if dims == nil {
		dims = sequence(operands[0].Rank())
	}
	c, ok := b.callee(code, "map", f, append(scalarsOf(operands...), shapesOf(static)...)...)
	if !ok {
		return b.invalid()
	}
	all := operands[:len(operands):len(operands)]
	for _, x := range static {
		if !x.Shape().IsScalar() {
			return b.mapLoop(c, operands, static)
		}
		all = append(all, b.stretchScalar(x, operands[0]))
	}
	if b.s.err != nil {
		return b.invalid()
	}
	return b.add(code, all, &op.MapAttrs{Dimensions: dims}, shape.Shape{}, c)
}

// mapLoop is Map, of arrays with static operands of any shape, as a loop over the places.
func (b *Builder) mapLoop(c Computation, operands, static []Op) Op {
	s, result := operands[0].Shape(), c.Signature().Result
	n, err := s.Elements()
	if err != nil || !s.IsStatic() || !result.IsScalar() {
		b.fail(&op.Error{Op: op.Map, Err: fmt.Errorf(
			"expected operands of static shape and a computation that returns a scalar, got %v and %v", s, result)})
		return b.invalid()
	}
	for i, x := range operands {
		if !x.Shape().SameDims(s) {
			b.errorf(op.Map, fmt.Sprintf("operand %d", i), "map_c1",
				"expected the dimensions of operand 0, %v, got %v", s, x.Shape())
			return b.invalid()
		}
	}
	state := []Op{b.Const(int64(0)), Broadcast(b.Constant(literal.Zero(result.Type)), n)}
	for _, x := range operands {
		state = append(state, Reshape(x, n))
	}
	state = append(state, static...)
	state = WhileMany(
		func(st []Op) Op { return Lt(st[0], ScalarLike(st[0], n)) },
		func(st []Op) []Op { return mapStep(c, st, len(operands)) },
		state)
	return Reshape(state[1], s.Dims...)
}

// mapStep does one place of a map: the state is the place, the results so far, the n flat
// operands and the static ones.
func mapStep(c Computation, state []Op, n int) []Op {
	place := state[:1]
	args := make([]Op, 0, len(state)-2)
	for _, x := range state[2 : 2+n] {
		args = append(args, Reshape(DynamicSlice(x, place, []int{1})))
	}
	y := Call(c, append(args, state[2+n:]...)...)
	next := append([]Op{}, state...)
	next[0] = Add(state[0], ScalarLike(state[0], 1))
	next[1] = DynamicUpdateSlice(state[1], Reshape(y, 1), place)
	return next
}
