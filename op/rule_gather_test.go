package op

import (
	"slices"
	"testing"

	"github.com/goxla/xla/shape"
)

func TestGatherRule(t *testing.T) {
	// with returns the numbers of the first worked example of OPS.md after change.
	with := func(change func(*GatherAttrs)) *GatherAttrs {
		a := &GatherAttrs{OffsetDims: list(2, 3), StartIndexMap: list(0, 1), IndexVectorDim: 2, SliceSizes: list(8, 6)}
		change(a)
		return a
	}
	// batched is the gather with batching dimensions of facts/hlo.md.
	batched := func(change func(*GatherAttrs)) *GatherAttrs {
		a := &GatherAttrs{OffsetDims: list(2), CollapsedSliceDims: list(1), StartIndexMap: list(1),
			OperandBatchingDims: list(0), StartIndicesBatchingDims: list(0), IndexVectorDim: 2, SliceSizes: list(1, 1, 4)}
		change(a)
		return a
	}
	same := func(*GatherAttrs) {}
	const operands, batchOperands = "s32[16,11], s64[4,5,2]", "f32[3,10,4], s32[3,5,1]"
	runRules(t, []ruleCase{
		{name: "4x5x8x6", op: Gather, operands: operands, attrs: with(same), want: "s32[4,5,8,6]"},
		{name: "4x5x11", op: Gather, operands: "s32[16,11], s64[4,5,1]", want: "s32[4,5,11]",
			attrs: &GatherAttrs{OffsetDims: list(2), CollapsedSliceDims: list(0), StartIndexMap: list(0), IndexVectorDim: 2,
				SliceSizes: list(1, 11)}},
		{name: "trailing_one", op: Gather, operands: "s32[16,11], s64[4,5]", want: "s32[4,5,11]",
			attrs: &GatherAttrs{OffsetDims: list(2), CollapsedSliceDims: list(0), StartIndexMap: list(0), IndexVectorDim: 2,
				SliceSizes: list(1, 11)}},
		{name: "index_vector_first", op: Gather, operands: "s32[16,11], s64[2,4,5]", want: "s32[8,4,5,6]",
			attrs: &GatherAttrs{OffsetDims: list(0, 3), StartIndexMap: list(0, 1), SliceSizes: list(8, 6)}},
		{name: "collapsed_zero", op: Gather, operands: "s32[0,11], s64[5,1]", want: "s32[5,11]",
			attrs: &GatherAttrs{OffsetDims: list(1), CollapsedSliceDims: list(0), StartIndexMap: list(0), IndexVectorDim: 1,
				SliceSizes: list(0, 11)}},
		{name: "batching", op: Gather, operands: batchOperands, attrs: batched(same), want: "f32[3,5,4]"},
		{name: "index_into_batching_of_one", op: Gather, operands: "s32[1,3,1], s32[1,5]", want: "s32[1,3,5]",
			attrs: &GatherAttrs{OffsetDims: list(1), CollapsedSliceDims: list(2), StartIndexMap: list(0), IndexVectorDim: 2,
				SliceSizes: list(1, 3, 1), OperandBatchingDims: list(0), StartIndicesBatchingDims: list(0)}},
		{name: "bounded", op: Gather, operands: "f32[10,<=4], s32[<=5,1]", want: "f32[<=5,<=4]",
			attrs: &GatherAttrs{OffsetDims: list(1), CollapsedSliceDims: list(0), StartIndexMap: list(0), IndexVectorDim: 1,
				SliceSizes: list(1, 4)}},
		{name: "part_of_bounded", op: Gather, operands: "f32[10,<=4], s32[?,1]", want: "f32[?,3]",
			attrs: &GatherAttrs{OffsetDims: list(1), CollapsedSliceDims: list(0), StartIndexMap: list(0), IndexVectorDim: 1,
				SliceSizes: list(1, 3)}},
		{name: "gather_i1", op: Gather, operands: "(f32[2]), s32[1]", attrs: with(same), want: "!gather_i1 operand 0"},
		{name: "gather_i2", op: Gather, operands: "s32[16,11], f32[4,5,2]", attrs: with(same), want: "!gather_i2 operand 1"},
		{name: "gather_c1", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.CollapsedSliceDims = list(0) }),
			want:  "!gather_c1"},
		{name: "gather_c2", op: Gather, operands: operands, attrs: with(func(a *GatherAttrs) { a.IndexVectorDim = 4 }),
			want: "!gather_c2 index_vector_dim"},
		{name: "gather_c2_negative", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.IndexVectorDim = -1 }), want: "!gather_c2 index_vector_dim"},
		{name: "gather_c3", op: Gather, operands: operands, attrs: with(func(a *GatherAttrs) { a.StartIndexMap = list(0) }),
			want: "!gather_c3 start_index_map"},
		{name: "gather_c4_order", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.OffsetDims = list(3, 2) }), want: "!gather_c4 offset_dims[1]"},
		{name: "gather_c4_repeat", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.OffsetDims = list(2, 2) }), want: "!gather_c4 offset_dims[1]"},
		{name: "gather_c5", op: Gather, operands: operands, attrs: with(func(a *GatherAttrs) { a.OffsetDims = list(2, 4) }),
			want: "!gather_c5 offset_dims[1]"},
		{name: "gather_c6", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.OperandBatchingDims = list(1) }),
			want:  "!gather_c6 operand_batching_dims[0]"},
		{name: "gather_c6_repeat", op: Gather, operands: "f32[3,10,4], s32[3,5,1]",
			want: "!gather_c6 collapsed_slice_dims[1]",
			attrs: batched(func(a *GatherAttrs) {
				a.CollapsedSliceDims, a.OperandBatchingDims, a.StartIndicesBatchingDims = list(1, 1), nil, nil
			})},
		{name: "gather_c7", op: Gather, operands: "f32[3,10,4], s32[3,5,1]", want: "!gather_c7 collapsed_slice_dims[1]",
			attrs: batched(func(a *GatherAttrs) {
				a.CollapsedSliceDims, a.OperandBatchingDims, a.StartIndicesBatchingDims = list(1, 0), nil, nil
			})},
		{name: "gather_c8", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.CollapsedSliceDims = list(3) }),
			want:  "!gather_c8 collapsed_slice_dims[0]"},
		{name: "gather_c9", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.SliceSizes = list(1, 2, 4) }), want: "!gather_c9 slice_sizes[1]"},
		{name: "gather_c10", op: Gather, operands: "f32[3,10,4,4], s32[3,5,1]", want: "!gather_c10 operand_batching_dims[1]",
			attrs: batched(func(a *GatherAttrs) { a.OperandBatchingDims = list(3, 0) })},
		{name: "gather_c11", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.OperandBatchingDims = list(3) }),
			want:  "!gather_c11 operand_batching_dims[0]"},
		{name: "gather_c12", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.SliceSizes = list(2, 1, 4) }), want: "!gather_c12 slice_sizes[0]"},
		{name: "gather_c13", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.StartIndicesBatchingDims = list(0, 0) }),
			want:  "!gather_c13 start_indices_batching_dims[1]"},
		{name: "gather_c14", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.StartIndicesBatchingDims = list(3) }),
			want:  "!gather_c14 start_indices_batching_dims[0]"},
		{name: "gather_c15", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.StartIndicesBatchingDims = list(2) }),
			want:  "!gather_c15 start_indices_batching_dims[0]"},
		{name: "gather_c16", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.StartIndicesBatchingDims = nil }),
			want:  "!gather_c16 start_indices_batching_dims"},
		{name: "gather_c17", op: Gather, operands: "f32[4,10,4], s32[3,5,1]", attrs: batched(same),
			want: "!gather_c17 start_indices_batching_dims[0]"},
		{name: "gather_c18", op: Gather, operands: batchOperands,
			attrs: batched(func(a *GatherAttrs) { a.StartIndexMap = list(0) }), want: "!gather_c18 start_index_map[0]"},
		{name: "gather_c18_repeat", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.StartIndexMap = list(1, 1) }), want: "!gather_c18 start_index_map[1]"},
		{name: "gather_c19", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.StartIndexMap = list(0, 2) }), want: "!gather_c19 start_index_map[1]"},
		{name: "gather_c20", op: Gather, operands: operands, attrs: with(func(a *GatherAttrs) { a.SliceSizes = list(8) }),
			want: "!gather_c20 slice_sizes"},
		{name: "gather_c21", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.SliceSizes = list(17, 6) }), want: "!gather_c21 slice_sizes[0]"},
		{name: "gather_c21_negative", op: Gather, operands: operands,
			attrs: with(func(a *GatherAttrs) { a.SliceSizes = list(8, -1) }), want: "!gather_c21 slice_sizes[1]"},
	})
}

// OPS.md: of a rank 6 operand with {0,2} collapsed, offset dimensions 0..3 are 1, 3, 4, 5.
func TestWindowDims(t *testing.T) {
	g := &GatherAttrs{CollapsedSliceDims: list(0, 2)}
	if got, want := g.WindowDims(6), list(1, 3, 4, 5); !slices.Equal(got, want) {
		t.Errorf("gather WindowDims(6) = %v, want %v", got, want)
	}
	s := &ScatterAttrs{InsertedWindowDims: list(1), InputBatchingDims: list(0)}
	if got, want := s.WindowDims(3), list(2); !slices.Equal(got, want) {
		t.Errorf("scatter WindowDims(3) = %v, want %v", got, want)
	}
}

func TestIndexVectorLen(t *testing.T) {
	indices := shape.Make(shape.S32, 4, 5)
	for d, want := range list(4, 5, 1) {
		if got := IndexVectorLen(indices, d); got != want {
			t.Errorf("IndexVectorLen(%v, %d) = %d, want %d", indices, d, got, want)
		}
	}
}
