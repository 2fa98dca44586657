package plan

import (
	"slices"

	"github.com/goxla/xla/cpu/gemm"
	"github.com/goxla/xla/cpu/loop"
	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

// A batch of products of a few elements each is a call, and often packing, for every one. As loops of a kernel they
// follow one another without either.

const (
	// tinyProduct is the most multiplications of such a product; twice as many where B would be packed.
	tinyProduct = 1 << 10
	// smallProduct is the same where rows go side by side and columns fill a vector, and unevenProduct where they do
	// not, in vectors of narrowVector bytes, which have few registers: a product of its own does not fill these better.
	smallProduct  = 1 << 15
	unevenProduct = 20 * 20 * 20
	narrowVector  = 32
	// Where the elements of a column of B are neighbours, loops read far apart what they combine in lanes: they have a
	// depth of deepestFar at most, and at least fewestFar rows that need the same elements.
	deepestFar = 16
	fewestFar  = 4
	// vectorProduct is the most multiplications of a matrix and a vector of a batch, where lanes are numbers of the
	// result; along a depth of shortDepth bytes at most loops are faster in any case.
	vectorProduct = 1 << 12
	shortDepth    = 32
)

// isTiny reports whether dot i, of a depth, is a batch of such products. A vector has so many bytes.
func isTiny(i *hlo.Instruction, depth, vector int) bool {
	a, y := i.Attrs().(*op.DotAttrs), i.Operand(1).Shape()
	batch := 1
	for _, d := range a.RHSBatch {
		batch *= y.Dims[d]
	}
	rows, columns := rowsOf(i), y.Size()/max(1, batch*depth)
	work := rows * columns * depth
	switch {
	case batch < 2 || rows < 2 && columns < 2:
		return false
	case columns < 2:
		return isTinyVector(i.Operand(0), a.LHSContracting, work, depth, vector)
	case rows < 2:
		return isTinyVector(i.Operand(1), a.RHSContracting, work, depth, vector)
	}
	if slices.Contains(a.RHSContracting, y.Rank()-1) {
		return work <= 2*tinyProduct && depth <= deepestFar && rows >= fewestFar
	}
	if y.Type.ByteSize() < 4 {
		return work <= 2*tinyProduct
	}
	return work <= tinyProduct
}

// isSmall reports whether s is a batch of products of floats that are as fast as loops, and a call less each: the
// columns of B are neighbours, also where loops read them. A vector has so many bytes.
func isSmall(s *gemm.Spec, vector int) bool {
	if t := s.C; s.B.Batch.Size() < 2 || t != s.A.Type || t != s.B.Type || t != shape.F32 && t != shape.F64 {
		return false
	}
	columns := s.B.Free.Merged()
	if len(columns) == 0 || columns[len(columns)-1].Stride != 1 || s.A.Around != nil || s.B.Around != nil {
		return false
	}
	rows, together := s.A.Free.Size(), columns[len(columns)-1].Size
	work := rows * s.B.Free.Size() * s.A.Depth.Size()
	if loop.GoBeside(int64(rows)) && together*s.C.ByteSize() >= vector {
		return work <= smallProduct
	}
	return vector <= narrowVector && rows > 1 && work <= unevenProduct
}

// isTinyVector is isTiny of matrices, of which these dimensions are summed over, times vectors. A product of its own
// has a number of the result from a vector along the depth, and needs whole ones for that.
func isTinyVector(matrix *hlo.Instruction, contracting []int, work, depth, vector int) bool {
	s := matrix.Shape()
	if slices.Contains(contracting, s.Rank()-1) {
		bytes := depth * max(4, s.Type.ByteSize())
		return bytes < vector || bytes <= shortDepth
	}
	return work <= vectorProduct
}
