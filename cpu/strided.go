package cpu

import (
	"cmp"
	"slices"

	"github.com/goxla/xla/cpu/plan"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// This file makes a program for arguments and results that are not in row-major order, so that nothing is copied.
//
// A strided argument is a flat array of all from its first element to its last, and what the program knows as the
// parameter is a view of that: an outer dimension is cut into pieces as long as its stride, of which the first elements
// are the inner dimensions. Pads, reshapes, slices, transposes and broadcasts are index maps inside of kernels, and
// strides in products, and so loads go straight to the elements.
//
// A strided result is a copy, which is a member of the kernel that computes what it copies; its stores have the
// strides.

// Strides are the distances between neighbours, in elements, of the arrays of RunInto, by leaf of the arguments and of
// the result; nil, or what is beyond the end, is for an array in row-major order.
type Strides struct{ Args, Results [][]int }

func (s Strides) arg(k int) []int    { return strideOf(s.Args, k) }
func (s Strides) result(k int) []int { return strideOf(s.Results, k) }

func strideOf(list [][]int, k int) []int {
	if k < len(list) {
		return list[k]
	}
	return nil
}

// InPlace reports whether a program can be compiled that reads, or without repeats writes, an array of these sizes and
// strides where it is: if each dimension is a whole step of the next outer one, or repeats.
func InPlace(sizes, strides []int) bool {
	var buf [maxRank]int
	width := 1 // of a piece that the dimensions so far fit in
	order := byStride(buf[:0], sizes, strides)
	for k := len(order) - 1; k >= 0; k-- {
		d := order[k]
		if strides[d] < width {
			return false
		}
		width = strides[d] * sizes[d]
	}
	return !slices.Contains(sizes, 0)
}

// byStride appends the dimensions that have several elements at places of their own, the largest stride first.
func byStride(order, sizes, strides []int) []int {
	for d, n := range sizes {
		if n > 1 && strides[d] != 0 {
			order = append(order, d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(strides[b], strides[a]) })
	return order
}

// extent is the number of elements from the first of an array to the last.
func extent(sizes, strides []int) int {
	n := 1
	for d, size := range sizes {
		n += (size - 1) * strides[d]
	}
	return n
}

// applyStrides makes m, which is changed, a program for strided arrays, and returns those that it is to store with
// strides.
func applyStrides(m *hlo.Module, s Strides) map[*hlo.Instruction]plan.Strided {
	leaf := 0
	for _, p := range m.Entry().Params() {
		if strides := s.arg(leaf); strides != nil && p.IsArray() {
			viewParameter(p, strides)
		}
		leaf += leaves(p.Shape())
	}
	r := &results{comp: m.Entry(), strides: s, copies: map[*hlo.Instruction]plan.Strided{}}
	if slices.ContainsFunc(s.Results, func(strides []int) bool { return strides != nil }) {
		m.Entry().SetRoot(r.strided(m.Entry().Root()))
	}
	return r.copies
}

func leaves(s shape.Shape) int {
	if !s.IsTuple() {
		return 1
	}
	n := 0
	for _, e := range s.Elems {
		n += leaves(e)
	}
	return n
}

// viewParameter makes p flat and puts the view in its place.
func viewParameter(p *hlo.Instruction, strides []int) {
	s, users, isRoot := p.Shape(), slices.Clone(p.Users()), p.IsRoot()
	p.SetShape(shape.Make(s.Type, extent(s.Dims, strides)))
	v := view(p, s, strides)
	for _, u := range users {
		for k, o := range u.Operands() {
			if o == p {
				u.SetOperand(k, v)
			}
		}
	}
	if isRoot {
		p.Computation().SetRoot(v)
	}
}

// view returns the array of shape s with the given strides inside of flat.
func view(flat *hlo.Instruction, s shape.Shape, strides []int) *hlo.Instruction {
	add := func(code op.Code, dims []int, attrs op.Attrs, operands ...*hlo.Instruction) *hlo.Instruction {
		return flat.Computation().Add("", code, shape.Make(s.Type, dims...), operands, attrs)
	}
	x, n := flat, flat.Size() // the last dimension of x is yet to be cut
	var sizes []int
	order := byStride(nil, s.Dims, strides)
	for _, d := range order {
		size, stride := s.Dims[d], strides[d]
		last := len(sizes)
		switch want := size * stride; {
		case n < want: // the last piece of the outermost dimension is cut short
			zero := add(op.Constant, nil, &op.ConstantAttrs{Value: literal.New(shape.Make(s.Type))})
			x = add(op.Pad, []int{want}, &op.PadAttrs{Padding: op.Padding{{High: want - n}}}, x, zero)
		case n > want:
			x = add(op.Slice, append(slices.Clone(sizes), want), &op.SliceAttrs{Slice: first(sizes, want)}, x)
		}
		sizes, n = append(sizes, size), stride
		x = add(op.Reshape, append(slices.Clone(sizes[:last+1]), stride), &op.ReshapeAttrs{}, x)
	}
	if n > 1 && len(sizes) > 0 {
		x = add(op.Slice, append(slices.Clone(sizes), 1), &op.SliceAttrs{Slice: first(sizes, 1)}, x)
	}
	x = add(op.Reshape, sizes, &op.ReshapeAttrs{}, x)
	v := flat.Computation().Add("", op.Broadcast, s, []*hlo.Instruction{inOrder(x, order)},
		&op.BroadcastAttrs{Dimensions: sorted(order)})
	return v
}

// first are the slices of all of sizes, and of a last dimension up to limit.
func first(sizes []int, limit int) op.SliceRanges {
	var r op.SliceRanges
	for _, n := range append(slices.Clone(sizes), limit) {
		r = append(r, op.SliceRange{Limit: n, Stride: 1})
	}
	return r
}

func sorted(list []int) []int {
	out := append([]int{}, list...)
	slices.Sort(out)
	return out
}

// inOrder transposes x, whose dimensions are numbered by order, to the order of these numbers.
func inOrder(x *hlo.Instruction, order []int) *hlo.Instruction {
	if slices.IsSorted(order) {
		return x
	}
	a := &op.TransposeAttrs{}
	var dims []int
	for _, d := range sorted(order) {
		k := slices.Index(order, d)
		a.Dimensions, dims = append(a.Dimensions, k), append(dims, x.Dims()[k])
	}
	return x.Computation().Add("", op.Transpose, shape.Make(x.Type(), dims...), []*hlo.Instruction{x}, a)
}

// results puts copies in front of strided results.
type results struct {
	comp    *hlo.Computation
	strides Strides
	leaf    int
	copies  map[*hlo.Instruction]plan.Strided
}

// strided returns i, the result or a part of it, with copies of the arrays that are strided.
func (r *results) strided(i *hlo.Instruction) *hlo.Instruction {
	s := i.Shape()
	if !s.IsTuple() {
		k := r.leaf
		r.leaf++
		strides := r.strides.result(k)
		if strides == nil {
			return i
		}
		c := r.comp.Add("", op.Copy, s, []*hlo.Instruction{i}, nil)
		r.copies[c] = plan.Strided{Leaf: k, Strides: strides, Extent: extent(s.Dims, strides)}
		return c
	}
	elems := make([]*hlo.Instruction, len(s.Elems))
	for k, e := range s.Elems {
		elem := i
		if i.Code() == op.Tuple {
			elem = i.Operand(k)
		} else {
			elem = r.comp.Add("", op.GetTupleElement, e, []*hlo.Instruction{i}, &op.GetTupleElementAttrs{Index: k})
		}
		elems[k] = r.strided(elem)
	}
	return r.comp.Add("", op.Tuple, s, elems, nil)
}
