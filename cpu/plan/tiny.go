package plan

import (
	"slices"

	"github.com/goxla/xla/hlo"
	"github.com/goxla/xla/op"
)

// A batch of products of a few elements each is a call, and often packing, for every one. As loops of a kernel they
// follow one another without either.

const (
	// tinyProduct is the most multiplications of such a product; twice as many where B would be packed.
	tinyProduct = 1 << 10
	// Where the elements of a column of B are neighbours, loops read far apart what they combine in lanes: they have a
	// depth of deepestFar at most, and at least fewestFar rows that need the same elements.
	deepestFar = 16
	fewestFar  = 4
)

// isTiny reports whether dot i, of a depth, is a batch of such products.
func isTiny(i *hlo.Instruction, depth int) bool {
	a, y := i.Attrs().(*op.DotAttrs), i.Operand(1).Shape()
	batch := 1
	for _, d := range a.RHSBatch {
		batch *= y.Dims[d]
	}
	rows, columns := rowsOf(i), y.Size()/max(1, batch*depth)
	if batch < 2 || rows < 2 || columns < 2 {
		return false
	}
	work := rows * columns * depth
	if slices.Contains(a.RHSContracting, y.Rank()-1) {
		return work <= 2*tinyProduct && depth <= deepestFar && rows >= fewestFar
	}
	if y.Type.ByteSize() < 4 {
		return work <= 2*tinyProduct
	}
	return work <= tinyProduct
}
