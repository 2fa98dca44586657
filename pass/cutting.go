package pass

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/pass/match"
	"github.com/goxla/xla/shape"
)

// cutting is how arrays are cut along a dimension: into parts of such sizes.
type cutting struct {
	dim   int
	sizes []int
}

// cuttingOf returns how c, a concatenation, joins its parts; nil if they are too many, or dynamic.
func cuttingOf(c *hlo.Instruction) *cutting {
	if n := len(c.Operands()); c.Code() != op.Concatenate || n < 2 || n > mostParts || !isWide(c) {
		return nil
	}
	cut := &cutting{dim: c.Attrs().(*op.ConcatenateAttrs).Dimensions[0]}
	for _, x := range c.Operands() {
		cut.sizes = append(cut.sizes, x.Dims()[cut.dim])
	}
	return cut
}

// isWide reports whether x is an array of so many elements that they are not kept in registers anyway.
func isWide(x *hlo.Instruction) bool {
	return x.IsArray() && x.IsStatic() && x.Size() >= leastCut
}

// cuttingOfUses returns how x, of the state of a loop, is cut into elements that stand side by side, if a slice takes
// such a part; nil if none does.
func cuttingOfUses(x *hlo.Instruction) *cutting {
	for _, u := range x.Users() {
		if u.Code() != op.Slice || !isWide(x) {
			continue
		}
		for d, r := range u.Attrs().(*op.SliceAttrs).Slice {
			n := x.Dims()[d]
			if r.Len() > 1 || n < 2 || n > mostReduced {
				continue
			}
			if c := (&cutting{dim: d, sizes: slices.Repeat([]int{1}, n)}); c.leastRow(x) < leastPartRow {
				return c
			}
		}
	}
	return nil
}

func (c *cutting) equal(d *cutting) bool { return c.dim == d.dim && slices.Equal(c.sizes, d.sizes) }

// transposed returns how t is cut, a transpose of what is cut in this way.
func (c *cutting) transposed(t *hlo.Instruction) *cutting {
	if c == nil {
		return nil
	}
	return &cutting{dim: slices.Index(t.Attrs().(*op.TransposeAttrs).Dimensions, c.dim), sizes: c.sizes}
}

// leastRow returns how many elements of the smallest part stand one after the other in x.
func (c *cutting) leastRow(x *hlo.Instruction) int {
	n := slices.Min(c.sizes)
	for _, size := range x.Dims()[c.dim+1:] {
		n *= size
	}
	return n
}

// partOf returns which part of its operand slice s takes, or of which it takes some of the other dimensions; ok is
// false if it takes none, or is no slice.
func (c *cutting) partOf(s *hlo.Instruction) (part int, ok bool) {
	if s.Code() != op.Slice {
		return 0, false
	}
	r, start := s.Attrs().(*op.SliceAttrs).Slice[c.dim], 0
	for k, size := range c.sizes {
		if r.Start == start && r.Len() == size && (r.Stride == 1 || size == 1) {
			return k, true
		}
		start += size
	}
	return 0, false
}

// readByParts reports whether a slice takes a part of x.
func (c *cutting) readByParts(x *hlo.Instruction) bool {
	return slices.ContainsFunc(x.Users(), func(u *hlo.Instruction) bool {
		_, ok := c.partOf(u)
		return ok
	})
}

// shapeOf returns the shape of part k of an array of shape s.
func (c *cutting) shapeOf(s shape.Shape, k int) shape.Shape {
	dims := slices.Clone(s.Dims)
	dims[c.dim] = c.sizes[k]
	return shape.Make(s.Type, dims...)
}

// flat is shapeOf without the dimension that is cut where that has one element only: a row of a stack is computed in
// the shape of what it is stacked from.
func (c *cutting) flat(s shape.Shape, k int) shape.Shape {
	part := c.shapeOf(s, k)
	if c.sizes[k] == 1 {
		part.Dims = slices.Delete(part.Dims, c.dim, c.dim+1)
	}
	return part
}

// ranges returns those of part k of an array of dims.
func (c *cutting) ranges(dims []int, k int) []op.SliceRange {
	list := make([]op.SliceRange, len(dims))
	for d, n := range dims {
		list[d] = op.SliceRange{Limit: n, Stride: 1}
	}
	for _, n := range c.sizes[:k] {
		list[c.dim].Start += n
	}
	list[c.dim].Limit = list[c.dim].Start + c.sizes[k]
	return list
}

// isJoinedBy reports whether r is a reduction of few parts, of an element each along what is cut, by one operation.
func (c *cutting) isJoinedBy(r *hlo.Instruction) bool {
	if r.Code() != op.Reduce || len(r.Operands()) != 2 || len(c.sizes) > mostReduced || slices.Max(c.sizes) != 1 ||
		!slices.Equal(r.Attrs().(*op.ReduceAttrs).Dimensions, []int{c.dim}) {
		return false
	}
	_, ok := match.Reducer(r.Called()[0])
	t := r.Type() // narrow ones are rounded once only where a reduction is one
	return ok && t.ByteSize() >= 4 && r.Operand(0).Type() == t && r.Operand(1).Type() == t
}

// partOf returns part k of x: what a concatenation joins, or a slice, flat. A scalar is for all parts.
func (b *maker) partOf(x *hlo.Instruction, cut *cutting, k int) *hlo.Instruction {
	if b.err != nil || x.Rank() == 0 {
		return x
	}
	flat := cut.flat(x.Shape(), k).Dims
	if c := cuttingOf(x); c != nil && c.equal(cut) {
		return b.reshape(x.Operand(k), flat...)
	}
	return b.reshape(b.add(op.Slice, &op.SliceAttrs{Slice: cut.ranges(x.Dims(), k)}, x), flat...)
}
