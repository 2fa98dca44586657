package interp

import (
	"slices"

	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
)

// evalGather copies a slice of the operand for each index vector. Start indices are
// clamped so that the slice lies inside. Spec: OPS.md section 3, Gather.
func evalGather(c *call) (literal.Literal, error) {
	a, operand, indices := attrs[*op.GatherAttrs](c), c.args[0], c.args[1]
	dst := c.new()
	var batchDims []int // of the result
	for d := range c.shape.Dims {
		if !slices.Contains(a.OffsetDims, d) {
			batchDims = append(batchDims, d)
		}
	}
	to, from := all(dst), all(operand)
	slice := sliceWalk(to.strides, a.OffsetDims, a.SliceSizes, slices.Concat(a.CollapsedSliceDims, a.OperandBatchingDims))
	limits := make([]int, len(a.SliceSizes))
	for d, size := range a.SliceSizes {
		limits[d] = operand.Dims()[d] - size
	}
	v := newIndexVectors(indices, a.IndexVectorDim, a.StartIndexMap, a.OperandBatchingDims, a.StartIndicesBatchingDims)
	for position := range v.positions() {
		start := v.start(position, limits)
		offset := 0
		for i, d := range batchDims {
			offset += position[i] * to.strides[d]
		}
		move(walkOf{data: dst, offset: offset, strides: slice}, from.at(start), a.SliceSizes)
	}
	return dst, nil
}

// sliceWalk returns, for each dimension of a slice, the step in the array that
// holds the slices: dimensions in missing are not there, the others are windowDims in order.
func sliceWalk(strides, windowDims, sizes, missing []int) []int {
	steps, k := make([]int, len(sizes)), 0
	for d := range sizes {
		if slices.Contains(missing, d) {
			continue
		}
		steps[d] = strides[windowDims[k]]
		k++
	}
	return steps
}

// indexVectors are the start indices of gather and scatter: an index vector lies
// along dimension vectorDim of indices; element k is the start along dimension dims[k].
type indexVectors struct {
	indices                  literal.Literal
	vectorDim                int
	dims                     []int
	operandBatch, indexBatch []int
}

func newIndexVectors(indices literal.Literal, vectorDim int, dims, operandBatch, indexBatch []int) *indexVectors {
	return &indexVectors{indices, vectorDim, dims, operandBatch, indexBatch}
}

// positions yields the position of each index vector: the indices into the
// dimensions of the array but vectorDim. The slice is reused.
func (v *indexVectors) positions() func(yield func([]int) bool) {
	dims := slices.Clone(v.indices.Dims())
	if v.vectorDim < len(dims) {
		dims = slices.Delete(dims, v.vectorDim, v.vectorDim+1)
	}
	return func(yield func([]int) bool) {
		if slices.Contains(dims, 0) {
			return
		}
		position := make([]int, len(dims))
		for {
			if !yield(position) || !increment(position, dims) {
				return
			}
		}
	}
}

// increment steps an index through an array in row-major order; false at the end.
func increment(index, dims []int) bool {
	for d := len(index) - 1; d >= 0; d-- {
		if index[d]++; index[d] < dims[d] {
			return true
		}
		index[d] = 0
	}
	return false
}

// start returns the start index of the vector at position in all dimensions of the
// operand, each clamped to [0, limit].
func (v *indexVectors) start(position, limits []int) []int {
	start := make([]int, len(limits))
	for k, d := range v.dims {
		start[d] = clampIndex(v.indices, v.element(position, k), limits[d])
	}
	v.addBatch(start, position)
	return start
}

// element returns the place of element k of the vector at position.
func (v *indexVectors) element(position []int, k int) int {
	at, p := 0, 0
	for d, size := range v.indices.Dims() {
		i := k
		if d != v.vectorDim {
			i = position[p]
			p++
		}
		at = at*size + i
	}
	return at
}

// addBatch sets the start in the batching dimensions, where operand and indices go together.
func (v *indexVectors) addBatch(start, position []int) {
	for i, d := range v.operandBatch {
		b := v.indexBatch[i]
		if b > v.vectorDim {
			b--
		}
		start[d] = position[b]
	}
}
