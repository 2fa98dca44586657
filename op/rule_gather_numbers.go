package op

import (
	"fmt"
	"slices"

	"github.com/goxla/xla/shape"
)

// indexNumbers is what the dimension numbers of gather and scatter have in common:
// which dimensions of the operand the slices leave out, which the index vector
// names, and which are walked in step with the indices.
type indexNumbers struct {
	dropped, batching, indicesBatching, indexMap numberList
	indexVectorDim                               int
	op                                           string // of the labels
	batchSizes, stepCount, vectorLen             int    // numbers of the constraints on sizes, counts and length
}

// numberList is one list of dimensions, the attribute that holds it, and the
// numbers of the constraints: no repeats, ascending order, range.
type numberList struct {
	attr                  string
	dims                  []int
	unique, sorted, bound int
}

func (a *GatherAttrs) numbers() *indexNumbers {
	return &indexNumbers{
		dropped:         numberList{"collapsed_slice_dims", a.CollapsedSliceDims, 6, 7, 8},
		batching:        numberList{"operand_batching_dims", a.OperandBatchingDims, 6, 10, 11},
		indicesBatching: numberList{"start_indices_batching_dims", a.StartIndicesBatchingDims, 13, 0, 14},
		indexMap:        numberList{"start_index_map", a.StartIndexMap, 18, 0, 19},
		indexVectorDim:  a.IndexVectorDim,
		op:              "gather", stepCount: 16, batchSizes: 17, vectorLen: 3,
	}
}

func (a *ScatterAttrs) numbers() *indexNumbers {
	return &indexNumbers{
		dropped:         numberList{"inserted_window_dims", a.InsertedWindowDims, 9, 10, 11},
		batching:        numberList{"input_batching_dims", a.InputBatchingDims, 9, 12, 13},
		indicesBatching: numberList{"scatter_indices_batching_dims", a.ScatterIndicesBatchingDims, 14, 0, 15},
		indexMap:        numberList{"scatter_dims_to_operand_dims", a.ScatterDimsToOperandDims, 20, 0, 21},
		indexVectorDim:  a.IndexVectorDim,
		op:              "scatter", stepCount: 17, batchSizes: 18, vectorLen: 19,
	}
}

func (n *indexNumbers) label(c int) string { return fmt.Sprintf("%s_c%d", n.op, c) }

// windowDims returns the dimensions of an operand of the given rank that are
// neither left out nor batching.
func (n *indexNumbers) windowDims(rank int) []int {
	var dims []int
	for d := range rank {
		if !slices.Contains(n.dropped.dims, d) && !slices.Contains(n.batching.dims, d) {
			dims = append(dims, d)
		}
	}
	return dims
}

// check checks the numbers against the operand s and the indices.
func (n *indexNumbers) check(s, indices shape.Shape) error {
	if err := n.checkList(n.dropped, s.Rank(), nil); err != nil {
		return err
	}
	if err := n.checkList(n.batching, s.Rank(), n.dropped.dims); err != nil {
		return err
	}
	if err := n.checkList(n.indicesBatching, indices.Rank(), nil); err != nil {
		return err
	}
	if err := n.checkList(n.indexMap, s.Rank(), n.stepped(s)); err != nil {
		return err
	}
	if err := n.checkBatching(s, indices); err != nil {
		return err
	}
	want := IndexVectorLen(indices, n.indexVectorDim)
	if want == shape.Unbounded {
		return nil
	}
	return wantLen(n.indexMap.attr, len(n.indexMap.dims), want, n.label(n.vectorLen))
}

// stepped returns the batching dimensions of s that the index vector must not name.
// XLA lets gather name one of size 1, where there is but one place to be.
func (n *indexNumbers) stepped(s shape.Shape) []int {
	var dims []int
	for _, d := range n.batching.dims {
		if s.Dims[d] != 1 || n.op != "gather" {
			dims = append(dims, d)
		}
	}
	return dims
}

// checkList checks one list: ascending where it must be, in range, without repeats
// and apart from other dimensions.
func (n *indexNumbers) checkList(l numberList, rank int, apart []int) error {
	if l.sorted != 0 {
		if err := wantAscending(l.attr, l.dims, n.label(l.sorted)); err != nil {
			return err
		}
	}
	if err := wantDims(l.attr, l.dims, rank, n.label(l.bound), n.label(l.unique)); err != nil {
		return err
	}
	for i, d := range l.dims {
		if slices.Contains(apart, d) {
			return attrErr(at(l.attr, i), n.label(l.unique), "%d is in another list of dimensions already", d)
		}
	}
	return nil
}

// checkBatching checks that batching dimensions of operand and indices pair up.
func (n *indexNumbers) checkBatching(s, indices shape.Shape) error {
	b := n.indicesBatching
	if i := slices.Index(b.dims, n.indexVectorDim); i >= 0 {
		return attrErr(at(b.attr, i), n.label(n.stepCount-1), "%d is index_vector_dim", n.indexVectorDim)
	}
	if err := wantLen(b.attr, len(b.dims), len(n.batching.dims), n.label(n.stepCount)); err != nil {
		return err
	}
	for i, d := range n.batching.dims {
		x, y := s.Dims[d], indices.Dims[b.dims[i]]
		if x != y && x != shape.Unbounded && y != shape.Unbounded {
			return attrErr(at(b.attr, i), n.label(n.batchSizes),
				"expected size %d as of operand dimension %d, got %d", x, d, y)
		}
	}
	return nil
}
