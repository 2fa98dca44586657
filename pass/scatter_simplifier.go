package pass

import (
	"context"
	"math"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// ScatterSimplifier makes dynamic updates of scatters of one window, in which the window is
// combined with what is there if it lies inside of the operand, and drops scatters of none.
func ScatterSimplifier() Pass {
	return Pass{
		Name: "scatter-simplifier",
		Doc: "A scatter of one window is a dynamic update by what the window and the elements there make, or by those " +
			"elements where the window is not inside; a scatter of nothing is its operand.",
		About: []op.Code{op.Scatter},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (bool, error) {
			return rewriteModule(m, simplifyScatter)
		},
	}
}

func simplifyScatter(i *hlo.Instruction) (*hlo.Instruction, error) {
	if i.Code() != op.Scatter || len(i.Operands()) != 3 {
		return nil, nil
	}
	operand, indices, updates := i.Operand(0), i.Operand(1), i.Operand(2)
	a := i.Attrs().(*op.ScatterAttrs)
	switch {
	case !operand.IsStatic() || !updates.IsStatic():
		return nil, nil
	case updates.Size() == 0:
		return operand, nil
	case !oneVector(indices.Shape(), a.IndexVectorDim):
		return nil, nil
	}
	kind, ok := match.ScatterCombiner(i.Called()[0])
	if !ok || i.Called()[0].Params()[0].Type() != operand.Type() ||
		updates.Type() != operand.Type() {
		return nil, nil
	}
	sizes := windowSizes(a, operand.Rank(), updates.Dims())
	for d, n := range sizes {
		if n > operand.Dims()[d] {
			return operand, nil // no place is inside
		}
	}
	b := newMaker(i)
	return b.finish(b.updateWindow(i, a, sizes, kind))
}

// updateWindow returns the scatter i of one window as a dynamic update.
func (b *maker) updateWindow(i *hlo.Instruction, a *op.ScatterAttrs, sizes []int, kind match.Kind) *hlo.Instruction {
	operand, t := i.Operand(0), i.Operand(1).Type()
	components := b.components(i.Operand(1), len(a.ScatterDimsToOperandDims))
	starts := b.starts(t, operand.Rank(), components, a.ScatterDimsToOperandDims)
	window := b.reshape(i.Operand(2), sizes...)
	there := b.dynamicSlice(operand, starts, sizes)
	switch kind {
	case match.First:
		window = there
	case match.Second:
	default:
		window = b.add(kind.Code(), nil, there, window)
	}
	var inside *hlo.Instruction
	for k, d := range a.ScatterDimsToOperandDims {
		for _, condition := range b.within(components[k], t, operand.Dims()[d]-sizes[d]) {
			if inside == nil {
				inside = condition
			} else {
				inside = b.add(op.And, nil, inside, condition)
			}
		}
	}
	if inside != nil {
		window = b.add(op.Select, nil, b.broadcast(inside, b.shapeOf(window)), window, there)
	}
	return b.shaped(op.DynamicUpdateSlice, operand.Shape().WithLayout(nil), nil,
		append([]*hlo.Instruction{operand, window}, starts...))
}

// windowSizes returns the sizes of a window in the dimensions of the operand.
func windowSizes(a *op.ScatterAttrs, rank int, updates []int) []int {
	sizes, k := make([]int, rank), 0
	for d := range sizes {
		sizes[d] = 1
		if !slices.Contains(a.InsertedWindowDims, d) && !slices.Contains(a.InputBatchingDims, d) {
			sizes[d] = updates[a.UpdateWindowDims[k]]
			k++
		}
	}
	return sizes
}

// within returns the conditions for 0 <= x <= limit, where x has the integer type t; those
// that always hold are left out.
func (b *maker) within(x *hlo.Instruction, t shape.ElementType, limit int) (list []*hlo.Instruction) {
	if t.IsSigned() {
		zero := b.constant(literal.Zero(t))
		list = append(list, b.add(op.Compare, &op.CompareAttrs{Direction: op.GE}, x, zero))
	}
	if _, high := integerRange(t); high > math.MaxInt64 || int64(limit) < int64(high) {
		bound := literal.New(shape.Make(t))
		bound.SetInt(0, int64(limit))
		list = append(list, b.add(op.Compare, &op.CompareAttrs{Direction: op.LE}, x, b.constant(bound)))
	}
	return list
}
