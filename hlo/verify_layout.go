package hlo

import (
	"slices"

	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// movesInPlace holds the operations, besides the element-wise ones, that go through
// operands and result in one order and so cannot change a layout.
var movesInPlace = opSet(op.AllGather, op.AllGatherDone, op.AllReduce, op.AllReduceDone, op.BatchNormGrad,
	op.BatchNormInference, op.BatchNormTraining, op.Cholesky, op.CollectivePermute, op.CollectivePermuteDone,
	op.Concatenate, op.DynamicSlice, op.DynamicUpdateSlice, op.Fft, op.Map, op.OptBarrier, op.Pad, op.ReduceScatter,
	op.ReduceWindow, op.Reverse, op.SelectAndScatter, op.SetDimensionSize, op.Slice, op.Sort, op.TriangularSolve)

// keepsLayout checks that an operation that cannot change layouts does not: operands
// of the result's rank have its order, and data moves between memories only where that is possible.
func (v *verifier) keepsLayout(i *Instruction) error {
	if !v.o.LayoutSensitive || !i.shape.IsArray() {
		return nil
	}
	if !movesInPlace[i.code] && !i.code.Info().Has(op.Elementwise) && i.code != op.Copy {
		return nil
	}
	for k, o := range i.operands {
		if !o.shape.IsArray() || o.shape.Rank() != i.shape.Rank() {
			continue
		}
		if err := i.memoryMove(o.shape); err != nil {
			return err
		}
		if i.code != op.Copy && !sameOrder(i, o.shape) {
			return i.errorf("", "", "expects operand %d to have the layout of the result %v, got %v",
				k, i.shape, o.shape)
		}
	}
	return nil
}

// sameOrder compares the layouts of i's result and operand, tiles and memory spaces aside. The
// packed width of elements may differ where their types do.
func sameOrder(i *Instruction, operand shape.Shape) bool {
	a, b := plainLayout(i.shape), plainLayout(operand)
	if i.shape.Type != operand.Type {
		a.ElementBits, b.ElementBits = 0, 0
	}
	return a.Equal(b)
}

// plainLayout returns a layout of one's own with the order and element width of s.
func plainLayout(s shape.Shape) *shape.Layout {
	if s.Layout == nil {
		return shape.MakeLayout(shape.DefaultMinorToMajor(s.Rank())...)
	}
	l := s.Layout.Clone()
	l.Tiles, l.MemorySpace, l.SplitConfigs = nil, 0, nil
	return l
}

// memoryMove checks that i may move data from the memory space of operand to that
// of the result: copies go anywhere, a dynamic-slice not from device to host, a
// dynamic-update-slice not from host to device, and nothing else out of fast memory.
func (i *Instruction) memoryMove(operand shape.Shape) error {
	from, to := memorySpace(operand), memorySpace(i.shape)
	if i.code == op.Copy || from == to {
		return nil
	}
	slices, updates := i.code == op.DynamicSlice, i.code == op.DynamicUpdateSlice
	switch {
	case !slices && !updates:
		return nil
	case from == fastMemorySpace,
		slices && from == 0 && to == hostMemorySpace,
		updates && from == hostMemorySpace && to == 0:
		return i.errorf("", "", "cannot move data from memory space %d to %d", from, to)
	}
	return nil
}

// oneLayout checks that the operands of an all-to-all have one layout, memory spaces
// aside: they stand for the parts of one array.
func (v *verifier) oneLayout(i *Instruction) error {
	for k, o := range i.operands {
		if first := i.operands[0].shape; !withMemorySpace(first, 0).Equal(withMemorySpace(o.shape, 0)) {
			return i.errorf("", "", "expects the shape of operand 0, %v, for operand %d, got %v", first, k, o.shape)
		}
	}
	return nil
}

func (v *verifier) sortedBroadcast(i *Instruction) error {
	if d := i.attrs.(*op.BroadcastAttrs).Dimensions; v.o.SortedBroadcasts && !slices.IsSorted(d) {
		return i.errorf("dimensions", "", "expects dimensions that ascend, got %v", d)
	}
	return nil
}

// bitcastReshape checks that the elements of a reshape keep their places in memory.
func (v *verifier) bitcastReshape(i *Instruction) error {
	if !v.o.BitcastReshapes || i.comp.IsFused() {
		return nil
	}
	if operand := i.operands[0].shape; !slices.Equal(runs(operand), runs(i.shape)) {
		return i.errorf("", "", "expects a reshape that moves no data, got %v from %v", i.shape, operand)
	}
	return nil
}

// run is a row-major run of dimensions: so many elements, so far apart.
type run struct{ size, stride int }

// runs returns how the elements of s, in logical order, lie in memory, in as few
// runs as there can be. Shapes with the same runs have element n at the same place.
func runs(s shape.Shape) []run {
	order := shape.DefaultMinorToMajor(s.Rank())
	if s.Layout != nil {
		order = s.Layout.MinorToMajor
	}
	strides := shape.Strides(s.Dims, order)
	var list []run
	for k, d := range s.Dims {
		if d == 1 {
			continue
		}
		if n := len(list); n > 0 && list[n-1].stride == d*strides[k] {
			list[n-1] = run{list[n-1].size * d, strides[k]}
		} else {
			list = append(list, run{d, strides[k]})
		}
	}
	return list
}

// constrainedLayouts checks that of the all-reduces of a module either all or none constrain layouts.
func (v *verifier) constrainedLayouts() error {
	var first *Instruction
	constrained := func(i *Instruction) bool { return i.attrs.(*op.AllReduceAttrs).ConstrainLayout }
	return v.each(func(i *Instruction) error {
		if i.code != op.AllReduce && i.code != op.AllReduceStart {
			return nil
		}
		if first == nil {
			first = i
		}
		if constrained(i) != constrained(first) {
			return i.errorf("constrain_layout", "", "expects the value of %%%s, got another", first.name)
		}
		return nil
	})
}

// customCallLayouts checks that operand_layout_constraints, where present, fit the operands.
func (v *verifier) customCallLayouts(i *Instruction) error {
	a := i.attrs.(*op.CustomCallAttrs)
	if a.OperandLayouts == nil || a.Target == "LayoutConstraint" {
		return nil
	}
	const attr = "operand_layout_constraints"
	if len(a.OperandLayouts.Shapes) != len(i.operands) {
		return i.errorf(attr, "", "expects %d shapes, got %d", len(i.operands), len(a.OperandLayouts.Shapes))
	}
	for k, s := range a.OperandLayouts.Shapes {
		if !s.EqualIgnoringLayout(i.operands[k].shape) {
			return i.errorf(attr, "", "expects %v for operand %d, got %v", i.operands[k].shape, k, s)
		}
	}
	return nil
}
