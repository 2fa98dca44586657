package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// ArgReduction makes of an argmax or argmin along the last dimension two reductions that take elements in any order,
// as vectors do: that of the values, and that of the least index of those that are equal to it:
//
//	argmax(x, iota) = min(x == max(x) ? iota : 2147483647)
//
// Both are one kernel, which reads a row twice while it is in a cache.
func ArgReduction() Pass {
	return Pass{
		Name: "arg-reduction",
		Doc: "Makes two reductions, of the values and of the indices, of an argmax or argmin of numbered elements along " +
			"the last dimension.",
		About: []op.Code{op.Reduce},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, func(i *hlo.Instruction) (*hlo.Instruction, error) {
				if a := newArg(i); a != nil {
					return a.finish(a.build())
				}
				return nil, nil
			})
		},
	}
}

// leastArg is from how many elements on it is worth it.
const leastArg = 12

// arg makes the reductions of one argmax or argmin.
type arg struct {
	*maker
	i    *hlo.Instruction
	r    match.ArgReduction
	x    *hlo.Instruction // values
	dim  int
	kept []int // dimensions
}

// newArg returns nil if i is something else, if the order of its elements shows, or if it does not begin with
// what every element replaces.
func newArg(i *hlo.Instruction) *arg {
	if i.Code() != op.Reduce || len(i.Operands()) != 4 || !i.Operand(0).IsStatic() {
		return nil
	}
	a := &arg{maker: newMaker(i), i: i, x: i.Operand(0)}
	dims, x := i.Attrs().(*op.ReduceAttrs).Dimensions, a.x.Shape()
	if len(dims) != 1 || dims[0] != x.Rank()-1 || x.Dims[dims[0]] < leastArg {
		return nil
	}
	a.dim = dims[0]
	for d := range a.dim {
		a.kept = append(a.kept, d)
	}
	r, ok := match.ArgReducer(i.Called()[0])
	if !ok || r.Tie == match.SecondIndex || !r.NaNWins && x.Type.IsFloat() ||
		!isNumbered(i.Operand(1), a.dim) {
		return nil
	}
	a.r = r
	index, isIndex := i.Operand(3).Attrs().(*op.ConstantAttrs)
	if !isIdentity(i.Operand(2), kindOf(r)) || !isIndex || index.Value.IntAt(0) != 0 {
		return nil
	}
	return a
}

// kindOf is what r does with the values.
func kindOf(r match.ArgReduction) match.Kind {
	if r.Max {
		return match.Max
	}
	return match.Min
}

// isIdentity reports whether i is a constant that a reduction of a kind takes for nothing.
func isIdentity(i *hlo.Instruction, kind match.Kind) bool {
	a, ok := i.Attrs().(*op.ConstantAttrs)
	return ok && !a.Value.IsElided() && match.IsIdentity(kind, a.Value)
}

// isNumbered reports whether the elements of i grow along dimension d, from 0 or more: an iota, a part of one, or one
// that is cut into rows.
func isNumbered(i *hlo.Instruction, d int) bool {
	switch i.Code() {
	case op.Iota:
		s := i.Shape()
		return i.Attrs().(*op.IotaAttrs).Dimension == d && s.Type.IsInteger() && (s.Type.Bits() >= 32 || s.Dims[d] < 1<<7)
	case op.Slice:
		return isNumbered(i.Operand(0), d)
	case op.Reshape:
		from, to := i.Operand(0).Dims(), i.Dims()
		return len(from) == d && len(to) == d+1 && slices.Equal(from[:d-1], to[:d-1]) && isNumbered(i.Operand(0), d-1)
	}
	return false
}

// isFromZero reports whether i, which isNumbered, has rows that begin with 0.
func isFromZero(i *hlo.Instruction, d int) bool {
	if a, ok := i.Attrs().(*op.SliceAttrs); ok {
		return a.Slice[d].Start == 0 && isFromZero(i.Operand(0), d)
	}
	return i.Code() == op.Iota
}

func (a *arg) build() *hlo.Instruction {
	index := a.i.Operand(1)
	extreme, init := op.Minimum, a.i.Operand(2)
	if a.r.Max {
		extreme = op.Maximum
	}
	best := a.reduce(a.x, init, extreme)
	hit := a.compare(op.EQ, a.x, a.spread(best))
	if a.x.Type().IsFloat() {
		hit = a.add(op.Or, nil, hit, a.compare(op.NE, a.x, a.x))
	}
	least := a.indexOf(hit, op.Minimum)
	if !isFromZero(index, a.dim) { // where no element is above the first value, that keeps its index, 0
		kept := a.compare(op.EQ, best, a.broadcast(init, a.shapeOf(best)))
		zero := a.broadcast(a.i.Operand(3), a.shapeOf(least))
		least = a.add(op.Select, nil, kept, zero, least)
	}
	if a.x.Type().IsFloat() && a.usesValue() { // of 0 and -0, which are equal
		at := least
		if a.r.TieValue == match.SecondIndex {
			at = a.indexOf(hit, op.Maximum)
		}
		here := a.compare(op.EQ, index, a.spread(at))
		best = a.reduce(a.add(op.Select, nil, here, a.x, a.broadcast(init, a.x.Shape())), init, extreme)
	}
	return a.tuple(best, least)
}

// indexOf is the least or greatest index where hit is true.
func (a *arg) indexOf(hit *hlo.Instruction, extreme op.Code) *hlo.Instruction {
	index, identity := a.i.Operand(1), literal.MaxValue
	if extreme == op.Maximum {
		identity = literal.MinValue
	}
	v, err := identity(index.Type())
	if err != nil {
		a.err = err
		return nil
	}
	none := a.constant(v)
	return a.reduce(a.add(op.Select, nil, hit, index, a.broadcast(none, index.Shape())), none, extreme)
}

// usesValue reports whether anything but the index is asked for.
func (a *arg) usesValue() bool {
	if a.i.IsRoot() {
		return true
	}
	return slices.ContainsFunc(a.i.Users(), func(u *hlo.Instruction) bool {
		g, ok := u.Attrs().(*op.GetTupleElementAttrs)
		return !ok || g.Index == 0
	})
}

func (a *arg) compare(d op.Direction, x, y *hlo.Instruction) *hlo.Instruction {
	return a.add(op.Compare, &op.CompareAttrs{Direction: d}, x, y)
}

// spread repeats what is left of a row along it.
func (a *arg) spread(x *hlo.Instruction) *hlo.Instruction {
	return a.broadcast(x, a.x.Shape(), a.kept...)
}

// reduce adds the reduction of rows of x by code.
func (a *arg) reduce(x, init *hlo.Instruction, code op.Code) *hlo.Instruction {
	if a.err != nil {
		return nil
	}
	return a.shaped(op.Reduce, shape.Shape{}, &op.ReduceAttrs{Dimensions: []int{a.dim}}, []*hlo.Instruction{x, init},
		a.reducer(code, x.Type()))
}
