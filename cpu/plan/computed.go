package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A product of a vector and a matrix uses each element of the matrix once. One that is computed for it, such as weights
// of four bits with a scale for each group, is never in memory if the product is a sum in the kernel that computes
// them.

const (
	// leastComputed is how many elements the matrix has at least: one that is small stays near. leastShared is the same
	// where several vectors share it, each of which computes it anew: as long as they read no more bytes than it has.
	leastComputed, leastShared = 1 << 14, 1 << 18
	// fullLanes is how many neighbours are worth lanes for functions that take long.
	fullLanes = 16
	// longestRun is how many elements of the matrix may share one of what it is computed from, as a group does a scale.
	longestRun = 8
	// mostSteps is how many instructions compute the matrix at most.
	mostSteps = 48
)

// SumComputed rewrites the products of m of which that is true as sums of products of elements, and reports whether
// there were any.
func SumComputed(m *hlo.Module) (changed bool) {
	return m.ReplaceEach(func(i *hlo.Instruction) *hlo.Instruction {
		if !isPlainDot(i) {
			return nil
		}
		for _, k := range []int{1, 0} {
			if s := sidesOf(i, k); s.fits(i) || s.isApart(i) {
				return s.sum(i)
			}
		}
		return nil
	})
}

// computedSides are the operands of a dot: the matrix and the vector, or few of them. A transposed matrix is the one
// before, so that neighbours in memory are neighbours.
type computedSides struct {
	matrix, vector *hlo.Instruction
	// Dimensions of both: those that are summed over, those of the batch in the same order, and the others.
	depth, batch, free, vectorDepth, vectorBatch, vectorFree []int
	matrixFirst                                              bool
}

// sidesOf are the operands of dot i, of which number k is the matrix.
func sidesOf(i *hlo.Instruction, k int) computedSides {
	a := i.Attrs().(*op.DotAttrs)
	s := computedSides{matrix: i.Operand(k), vector: i.Operand(1 - k), depth: a.RHSContracting, batch: a.RHSBatch,
		vectorDepth: a.LHSContracting, vectorBatch: a.LHSBatch, matrixFirst: k == 0}
	if k == 0 {
		s.depth, s.batch, s.vectorDepth, s.vectorBatch = s.vectorDepth, s.vectorBatch, s.depth, s.batch
	}
	s.free, s.vectorFree = others(s.matrix, s.depth, s.batch), others(s.vector, s.vectorDepth, s.vectorBatch)
	for isTurned(s.matrix) {
		if s.matrix.Code() == op.Transpose {
			from := s.matrix.Attrs().(*op.TransposeAttrs).Dimensions
			s.depth, s.batch, s.free = placesIn(from, s.depth), placesIn(from, s.batch), placesIn(from, s.free)
		}
		s.matrix = s.matrix.Operand(0)
	}
	return s
}

// isTurned reports whether x, which only one instruction needs, is a transpose, or what it is of by the same
// dimensions.
func isTurned(x *hlo.Instruction) bool {
	if len(x.Users()) != 1 || len(x.ControlPredecessors()) > 0 {
		return false
	}
	return x.Code() == op.Transpose || x.Code() == op.Reshape && slices.Equal(x.Dims(), x.Operand(0).Dims())
}

// placesIn returns from[d] for each d of dims.
func placesIn(from, dims []int) []int {
	places := make([]int, len(dims))
	for n, d := range dims {
		places[n] = from[d]
	}
	return places
}

// others are the dimensions of x that are neither of these.
func others(x *hlo.Instruction, depth, batch []int) (dims []int) {
	for d := range x.Dims() {
		if !slices.Contains(depth, d) && !slices.Contains(batch, d) {
			dims = append(dims, d)
		}
	}
	return dims
}

// fits reports whether the matrix is computed for the product i of it and few vectors.
func (s computedSides) fits(i *hlo.Instruction) bool {
	m, rows := s.matrix.Shape(), rowsIn(s.vector, s.vectorFree)
	if t := i.Type(); !t.IsFloat() || m.Type != t || s.vector.Type() != t || m.Size() < leastComputed ||
		rows > 1 && m.Size() < leastShared || s.isRead(i) {
		return false
	}
	w := &computedWalk{size: m.Size()}
	if !w.fits(s.matrix) || !w.computes || w.bytes == 0 {
		return false
	}
	if w.dear {
		return rows == 1 && m.Dims[m.Rank()-1] >= fullLanes
	}
	return rows == 1 || rows*w.bytes <= m.Size()*m.Type.ByteSize()
}

// mostApart is how many vectors a matrix whose rows are summed in lanes has at most, without blocks; mostFarApart is
// the same of vectors whose elements are not neighbours.
const mostApart, mostFarApart = 4, 2

// isApart reports whether product i, which is not one of package gemm, is of few vectors and a matrix whose neighbours
// are summed: lanes of different sums would read these far apart. If nothing is summed each element has one factor,
// and neighbours of the matrix are those of the result.
func (s computedSides) isApart(i *hlo.Instruction) bool {
	m, last, rows := s.matrix.Shape(), s.matrix.Rank()-1, rowsIn(s.vector, s.vectorFree)
	switch {
	case !isUnblocked(i):
		return false
	case len(s.depth) == 0:
		return rows == 1 || !s.matrixFirst && slices.Contains(s.free, last)
	}
	most := mostApart
	if !slices.Contains(s.vectorDepth, s.vector.Rank()-1) {
		most = mostFarApart
	}
	return slices.Contains(s.depth, last) && m.Dims[last] >= leastRowDepth && rows <= most
}

// isUnblocked reports whether product i is one of numbers that package gemm does not multiply: it is loops of a kernel.
func isUnblocked(i *hlo.Instruction) bool {
	x, y, t := i.Operand(0).Type(), i.Operand(1).Type(), i.Type()
	return (t.IsComplex() || t.IsInteger()) && x == t && y == t && !gemm.Supports(x, y, t)
}

// rowsIn is how many rows x has, of the dimensions dims.
func rowsIn(x *hlo.Instruction, dims []int) int {
	rows := 1
	for _, d := range dims {
		rows *= x.Dims()[d]
	}
	return rows
}

// isRead reports whether the product can read what the matrix is converted from; see [ReadConverted].
func (s computedSides) isRead(i *hlo.Instruction) bool {
	c := conversionOf(s.matrix)
	return c != nil && gemm.Supports(s.vector.Type(), c.Operand(0).Type(), i.Type()) &&
		i.Type().ByteSize() >= 4 // narrower ones may be multiplied several at once
}

// computedWalk looks at how a matrix of a size is computed: whether it is, whether it takes long, and how many bytes of
// arrays as large are read.
type computedWalk struct {
	size, steps, bytes int
	computes, dear     bool
}

// fits reports whether x is computed element by element for one instruction, from what is in memory.
func (w *computedWalk) fits(x *hlo.Instruction) bool {
	switch x.Code() {
	case op.Parameter, op.GetTupleElement:
		if s := x.Shape(); s.IsArray() && s.Size() >= w.size/longestRun {
			w.bytes += s.Size() * s.Type.ByteSize()
		}
		return x.IsArray()
	case op.Constant, op.Iota:
		return true
	}
	if w.steps++; w.steps > mostSteps || len(x.ControlPredecessors()) > 0 {
		return false
	}
	switch x.Code() {
	case op.Broadcast:
		if x.Operand(0).Size() < w.size/longestRun { // computed before, if it is
			return true
		}
	case op.Reshape, op.Transpose, op.Slice, op.Concatenate:
	default:
		if !x.Code().Info().Has(op.Elementwise) {
			return false
		}
		w.computes, w.dear = true, w.dear || opCost[x.Code()] > dear
	}
	return len(x.Users()) == 1 && !x.IsRoot() && !slices.ContainsFunc(x.Operands(), func(o *hlo.Instruction) bool {
		return !w.fits(o)
	})
}

// sum returns the value of product i: products that have the dimensions of the matrix behind those of the vectors,
// summed.
func (s computedSides) sum(i *hlo.Instruction) *hlo.Instruction {
	rows, order := len(s.vectorFree), slices.Clone(s.vectorFree)
	var dims, vectorAt, matrixAt, along []int
	for n, d := range s.vectorFree {
		dims, vectorAt = append(dims, s.vector.Dims()[d]), append(vectorAt, n)
	}
	for d, size := range s.matrix.Dims() {
		at := rows + d
		dims, matrixAt = append(dims, size), append(matrixAt, at)
		if n := slices.Index(s.depth, d); n >= 0 {
			order, vectorAt, along = append(order, s.vectorDepth[n]), append(vectorAt, at), append(along, at)
		} else if n := slices.Index(s.batch, d); n >= 0 {
			order, vectorAt = append(order, s.vectorBatch[n]), append(vectorAt, at)
		}
	}
	t := i.Type()
	wide := t
	if t.IsFloat() && t != shape.F64 {
		wide = shape.F32
	}
	all := shape.Make(wide, dims...)
	x := spreadOver(transposed(converted(s.vector, wide), order), all, vectorAt)
	y := spreadOver(converted(s.matrix, wide), all, matrixAt)
	products := i.Computation().Add("", op.Multiply, all, []*hlo.Instruction{x, y}, nil)
	products.CopyAnnotations(i)
	sum := products
	if len(along) > 0 {
		sum = sumOver(products, along...)
	}
	sum = converted(transposed(sum, s.resultOrder()), t)
	sum.CopyAnnotations(i)
	return sum
}

// converted returns x with elements of type t.
func converted(x *hlo.Instruction, t shape.ElementType) *hlo.Instruction {
	if x.Type() == t {
		return x
	}
	return x.Computation().Add("", op.Convert, x.Shape().WithType(t), []*hlo.Instruction{x}, nil)
}

// resultOrder is where the dimensions of the dot's result are in the sums: those of the batch, of operand 0 and of
// operand 1.
func (s computedSides) resultOrder() []int {
	rows := make([]int, len(s.vectorFree))
	for n := range rows {
		rows[n] = n
	}
	places := func(dims []int) []int {
		at := make([]int, len(dims))
		for n, d := range dims {
			at[n] = len(rows) + d
			for _, k := range s.depth {
				if k < d {
					at[n]--
				}
			}
		}
		return at
	}
	if s.matrixFirst {
		return slices.Concat(places(s.batch), places(s.free), rows)
	}
	return slices.Concat(places(s.batch), rows, places(s.free))
}

// transposed returns x with dimension order[n] as dimension n.
func transposed(x *hlo.Instruction, order []int) *hlo.Instruction {
	if slices.IsSorted(order) {
		return x
	}
	dims := make([]int, len(order))
	for n, d := range order {
		dims[n] = x.Dims()[d]
	}
	return x.Computation().Add("", op.Transpose, shape.Make(x.Type(), dims...), []*hlo.Instruction{x},
		&op.TransposeAttrs{Dimensions: order})
}

// spreadOver returns x broadcast to s, where its dimensions are those at.
func spreadOver(x *hlo.Instruction, s shape.Shape, at []int) *hlo.Instruction {
	if x.Rank() == s.Rank() {
		return x
	}
	return x.Computation().Add("", op.Broadcast, s, []*hlo.Instruction{x}, &op.BroadcastAttrs{Dimensions: at})
}
