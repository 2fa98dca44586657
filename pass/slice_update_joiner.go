package pass

import (
	"context"
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// SliceUpdateJoiner makes one update of two: of an update of an array by a slice of it that was updated itself, the
// array is updated by what the slice was. What else needs the slice reads it there.
func SliceUpdateJoiner() Pass {
	return Pass{
		Name: "slice-update-joiner",
		Doc: "Joins an update of an array by an updated slice of it, at the place of that slice: the array is updated by " +
			"what the slice was updated by, and the updated slice is read from there. So it is with a scatter into a row.",
		About: []op.Code{op.DynamicUpdateSlice},
		Run: func(_ context.Context, m *hlo.Module, _ Options) (changed bool, err error) {
			for _, c := range m.PostOrder() {
				for _, i := range slices.Clone(c.PostOrder()) {
					for i != nil && i.Computation() != nil && joinsUpdate(i) {
						var next *hlo.Instruction
						if next, err = joinSliceUpdate(i); err != nil {
							return changed, errorAt(i, err)
						}
						i, changed = next, true
					}
				}
			}
			return changed, nil
		},
	}
}

// joinsUpdate reports whether i is an update by an updated slice of its array, and whether it can be where it is though
// others wait for it: nothing else reads the array before.
func joinsUpdate(i *hlo.Instruction) bool {
	slice := updatedSlice(i)
	if slice == nil || slice.Operand(0) != i.Operand(0) {
		return false
	}
	for x := i.Operand(1); x != slice; x = x.Operand(0) {
		if x.IsRoot() || len(x.Users()) > 1 {
			return len(slice.Operand(0).Users()) == 2
		}
	}
	return true
}

// updatedSlice returns the slice of an array like that of i, in the place where i writes, that i writes with updates
// which can be made behind i; nil if there is none.
func updatedSlice(i *hlo.Instruction) *hlo.Instruction {
	if i.Code() != op.DynamicUpdateSlice {
		return nil
	}
	u, updated := unshaped(i.Operand(1)), false
	for u.Code() == op.DynamicUpdateSlice || u.Code() == op.Scatter {
		if len(u.ControlPredecessors())+len(u.ControlSuccessors()) > 0 || updateIn(i, u) == nil && scatterIn(i, u) == nil {
			return nil
		}
		u, updated = unshaped(u.Operand(0)), true
	}
	if !updated || u.Code() != op.DynamicSlice && u.Code() != op.Slice || !writesBack(i, u) {
		return nil
	}
	return u
}

// writesBack reports whether s is a slice where i writes, of an array like that of i.
func writesBack(i, s *hlo.Instruction) bool {
	row := i.Operand(1).Dims()
	if !s.Operand(0).Shape().Equal(i.Shape()) || !slices.Equal(s.Dims(), row) {
		return false
	}
	for d, n := range row {
		size, start := i.Dims()[d], i.Operand(2+d)
		switch {
		case n == size:
		case s.Code() == op.DynamicSlice:
			if s.Operand(1+d) != start {
				return false
			}
		default:
			at, ok := integerOf(start)
			r := s.Attrs().(*op.SliceAttrs).Slice[d]
			if !ok || int64(r.Start) != min(max(at, 0), int64(size-n)) || r.Stride > 1 {
				return false
			}
		}
	}
	return true
}

// unshaped is what x is a reshape of.
func unshaped(x *hlo.Instruction) *hlo.Instruction {
	for x.Code() == op.Reshape {
		x = x.Operand(0)
	}
	return x
}

// joinSliceUpdate makes the last update of the slice that i writes behind i, and returns i without that update, if
// anything is left.
func joinSliceUpdate(i *hlo.Instruction) (first *hlo.Instruction, err error) {
	u, b := unshaped(i.Operand(1)), newMaker(i)
	row, array := i.Operand(1).Dims(), i.Operand(0)
	for d, n := range row { // u itself may tell where a whole dimension starts, and will be read behind i
		if start := i.Operand(2 + d); n == i.Dims()[d] && start.Code() != op.Constant {
			i.SetOperand(2+d, b.constant(literal.New(shape.Make(start.Type()))))
		}
	}
	mark := i.Computation().NumIDs()
	if c := unshaped(u.Operand(0)).Code(); c != op.DynamicSlice && c != op.Slice {
		operands := append([]*hlo.Instruction{array, b.reshape(u.Operand(0), row...)}, i.Operands()[2:]...)
		first = b.add(op.DynamicUpdateSlice, nil, operands...)
		array = first
	}
	var joined *hlo.Instruction
	if s := updateIn(i, u); s != nil {
		operands := []*hlo.Instruction{array, b.reshape(u.Operand(1), s.sizes...)}
		joined = b.add(op.DynamicUpdateSlice, nil, append(operands, b.indices(s.starts)...)...)
	} else {
		joined = b.scatterRow(i, u, array, scatterIn(i, u))
	}
	attrs := &op.DynamicSliceAttrs{SliceSizes: slices.Clone(row)}
	slice := b.add(op.DynamicSlice, attrs, append([]*hlo.Instruction{joined}, i.Operands()[2:]...)...)
	whole := b.reshape(slice, u.Dims()...)
	if b.err != nil {
		return nil, b.err
	}
	if err := replace(i, joined, mark); err != nil {
		return nil, err
	}
	if u.Computation() == nil { // only i needed it
		removeDead(whole)
		return first, nil
	}
	return first, replace(u, whole, mark)
}

// sliceUpdate tells of an update of a slice where it is in the array: by dimension how many elements, and from where.
type sliceUpdate struct {
	sizes  []int
	starts []*hlo.Instruction
}

// updateIn returns where u, an update of what i writes, is in the array that i updates; nil if that cannot be told
// without a sum of indices. The slice is the array's but for dimensions of one element.
func updateIn(i, u *hlo.Instruction) *sliceUpdate {
	if u.Code() != op.DynamicUpdateSlice {
		return nil
	}
	s := &sliceUpdate{starts: slices.Clone(i.Operands()[2:])}
	k, dims, part := 0, u.Dims(), u.Operand(1).Dims()
	for d, n := range i.Operand(1).Dims() {
		if n == 1 {
			s.sizes = append(s.sizes, 1)
			continue
		}
		for k < len(dims) && dims[k] == 1 {
			k++
		}
		if k == len(dims) || dims[k] != n || part[k] < n && n != i.Dims()[d] {
			return nil
		}
		if part[k] < n {
			s.starts[d] = u.Operand(2 + k)
		}
		s.sizes = append(s.sizes, part[k])
		k++
	}
	rest := slices.ContainsFunc(dims[k:], func(n int) bool { return n != 1 })
	if rest || slices.Contains(part, 0) || !sameRange(s.starts) {
		return nil
	}
	return s
}

// sameRange reports whether indices, of any types, can have one: see indices.
func sameRange(list []*hlo.Instruction) bool {
	natural := 0
	for _, x := range list {
		if x.Type() == shape.U64 {
			natural++
		}
	}
	return natural == 0 || natural == len(list)
}

// indices returns list with one type: that of 64 bits if there are several.
func (b *maker) indices(list []*hlo.Instruction) []*hlo.Instruction {
	if !slices.ContainsFunc(list, func(x *hlo.Instruction) bool { return x.Type() != list[0].Type() }) {
		return list
	}
	out := make([]*hlo.Instruction, len(list))
	for k, x := range list {
		out[k] = b.convert(x, shape.S64)
	}
	return out
}
