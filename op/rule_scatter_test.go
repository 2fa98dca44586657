package op

import "testing"

func TestScatterRule(t *testing.T) {
	// rows adds rows of updates to rows of an operand.
	rows := func(change func(*ScatterAttrs)) *ScatterAttrs {
		a := &ScatterAttrs{UpdateWindowDims: list(1), InsertedWindowDims: list(0), ScatterDimsToOperandDims: list(0),
			IndexVectorDim: 1}
		change(a)
		return a
	}
	// batched is the scatter with batching dimensions of facts/hlo.md.
	batched := func(change func(*ScatterAttrs)) *ScatterAttrs {
		a := &ScatterAttrs{UpdateWindowDims: list(2), InsertedWindowDims: list(1), ScatterDimsToOperandDims: list(1),
			InputBatchingDims: list(0), ScatterIndicesBatchingDims: list(0), IndexVectorDim: 2}
		change(a)
		return a
	}
	// window puts windows of a 5x5 operand.
	window := func(change func(*ScatterAttrs)) *ScatterAttrs {
		a := &ScatterAttrs{UpdateWindowDims: list(1, 2), ScatterDimsToOperandDims: list(0, 1), IndexVectorDim: 1}
		change(a)
		return a
	}
	points := &ScatterAttrs{InsertedWindowDims: list(0), ScatterDimsToOperandDims: list(0), IndexVectorDim: 1}
	same := func(*ScatterAttrs) {}
	const rowOperands, batchOperands = "f32[10,4], s32[5,1], f32[5,4]", "f32[3,10,4], s32[3,5,1], f32[3,5,4]"
	const windowOperands = "f32[5,5], s64[1,2], f32[1,2,2]"
	const two = "(f32[],f32[],f32[],f32[])->(f32[],f32[])"
	runRules(t, []ruleCase{
		{name: "rows", op: Scatter, operands: rowOperands, attrs: rows(same), calls: addF32, want: "f32[10,4]"},
		{name: "layout", op: Scatter, operands: "f32[10,4]{0,1}, s32[5,1], f32[5,4]", attrs: rows(same), calls: addF32,
			want: "f32[10,4]{0,1}"},
		{name: "batching", op: Scatter, operands: batchOperands, attrs: batched(same), calls: addF32, want: "f32[3,10,4]"},
		{name: "variadic", op: Scatter, operands: "f32[10], f32[10], s32[5,1], f32[5], f32[5]", attrs: points, calls: two,
			want: "(f32[10], f32[10])"},
		{name: "smaller_window", op: Scatter, operands: windowOperands, attrs: window(same), calls: addF32, want: "f32[5,5]"},
		{name: "unbounded", op: Scatter, operands: "f32[?,4], s32[?,1], f32[?,4]", attrs: rows(same), calls: addF32,
			want: "f32[?,4]"},
		{name: "scatter_i1", op: Scatter, operands: "(f32[10]), s32[5,1], f32[5]", attrs: points, calls: addF32,
			want: "!scatter_i1 operand 0"},
		{name: "scatter_i2", op: Scatter, operands: "f32[10], f32[5,1], f32[5]", attrs: points, calls: addF32,
			want: "!scatter_i2 operand 1"},
		{name: "scatter_c1", op: Scatter, operands: "f32[10], f32[9], s32[5,1], f32[5], f32[5]", attrs: points, calls: two,
			want: "!scatter_c1 operand 1"},
		{name: "scatter_c2", op: Scatter, operands: "f32[5,5], s64[1,2], f32[1,2]", calls: addF32, want: "!scatter_c2",
			attrs: window(func(a *ScatterAttrs) { a.UpdateWindowDims = list(1) })},
		{name: "scatter_c3", op: Scatter, operands: "f32[10], f32[10], s32[5,1], f32[5], f32[4]", attrs: points, calls: two,
			want: "!scatter_c3 operand 4"},
		{name: "scatter_c4_window", op: Scatter, operands: "f32[5,5], s64[1,2], f32[1,6,2]", attrs: window(same),
			calls: addF32, want: "!scatter_c4"},
		{name: "scatter_c4_batch", op: Scatter, operands: "f32[4], s64[2,1], f32[3]", attrs: points, calls: addF32,
			want: "!scatter_c4"},
		{name: "scatter_c4_rank", op: Scatter, operands: "f32[4], s64[2,1], f32[2,1]", attrs: points, calls: addF32,
			want: "!scatter_c4"},
		{name: "scatter_c5", op: Scatter, operands: "f32[10], s32[5,1]", attrs: points, calls: addF32, want: "!scatter_c5"},
		{name: "scatter_c5_none", op: Scatter, operands: "s32[5,1]", attrs: points, calls: addF32, want: "!scatter_c5"},
		{name: "scatter_c6", op: Scatter, operands: "f32[10], s32[5,1], s32[5]", attrs: points, calls: addF32,
			want: "!scatter_c6 operand 2"},
		{name: "scatter_c7_order", op: Scatter, operands: windowOperands, calls: addF32,
			attrs: window(func(a *ScatterAttrs) { a.UpdateWindowDims = list(2, 1) }),
			want:  "!scatter_c7 update_window_dims[1]"},
		{name: "scatter_c7_repeat", op: Scatter, operands: windowOperands, calls: addF32,
			attrs: window(func(a *ScatterAttrs) { a.UpdateWindowDims = list(1, 1) }),
			want:  "!scatter_c7 update_window_dims[1]"},
		{name: "scatter_c8", op: Scatter, operands: windowOperands, calls: addF32,
			attrs: window(func(a *ScatterAttrs) { a.UpdateWindowDims = list(1, 3) }),
			want:  "!scatter_c8 update_window_dims[1]"},
		{name: "scatter_c9", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.InputBatchingDims = list(1) }),
			want:  "!scatter_c9 input_batching_dims[0]"},
		{name: "scatter_c10", op: Scatter, operands: "f32[5,5], s64[1,2], f32[1]", calls: addF32,
			attrs: &ScatterAttrs{InsertedWindowDims: list(1, 0), ScatterDimsToOperandDims: list(0, 1), IndexVectorDim: 1},
			want:  "!scatter_c10 inserted_window_dims[1]"},
		{name: "scatter_c11", op: Scatter, operands: "f32[5,5], s64[1,2], f32[1,2]", calls: addF32,
			attrs: &ScatterAttrs{UpdateWindowDims: list(1), InsertedWindowDims: list(2), ScatterDimsToOperandDims: list(0, 1),
				IndexVectorDim: 1},
			want: "!scatter_c11 inserted_window_dims[0]"},
		{name: "scatter_c12", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.InputBatchingDims = list(2, 0) }),
			want:  "!scatter_c12 input_batching_dims[1]"},
		{name: "scatter_c13", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.InputBatchingDims = list(-1) }),
			want:  "!scatter_c13 input_batching_dims[0]"},
		{name: "scatter_c14", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.ScatterIndicesBatchingDims = list(1, 1) }),
			want:  "!scatter_c14 scatter_indices_batching_dims[1]"},
		{name: "scatter_c15", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.ScatterIndicesBatchingDims = list(3) }),
			want:  "!scatter_c15 scatter_indices_batching_dims[0]"},
		{name: "scatter_c16", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.ScatterIndicesBatchingDims = list(2) }),
			want:  "!scatter_c16 scatter_indices_batching_dims[0]"},
		{name: "scatter_c17", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.ScatterIndicesBatchingDims = nil }),
			want:  "!scatter_c17 scatter_indices_batching_dims"},
		{name: "scatter_c18", op: Scatter, operands: "f32[4,10,4], s32[3,5,1], f32[3,5,4]", attrs: batched(same),
			calls: addF32, want: "!scatter_c18 scatter_indices_batching_dims[0]"},
		{name: "scatter_c19", op: Scatter, operands: "f32[5,5], s64[1,2], f32[1]", calls: addF32,
			attrs: &ScatterAttrs{InsertedWindowDims: list(0, 1), ScatterDimsToOperandDims: list(0), IndexVectorDim: 1},
			want:  "!scatter_c19 scatter_dims_to_operand_dims"},
		{name: "scatter_c20", op: Scatter, operands: windowOperands, calls: addF32,
			attrs: window(func(a *ScatterAttrs) { a.ScatterDimsToOperandDims = list(0, 0) }),
			want:  "!scatter_c20 scatter_dims_to_operand_dims[1]"},
		{name: "scatter_c20_batching", op: Scatter, operands: batchOperands, calls: addF32,
			attrs: batched(func(a *ScatterAttrs) { a.ScatterDimsToOperandDims = list(0) }),
			want:  "!scatter_c20 scatter_dims_to_operand_dims[0]"},
		{name: "scatter_c21", op: Scatter, operands: windowOperands, calls: addF32,
			attrs: window(func(a *ScatterAttrs) { a.ScatterDimsToOperandDims = list(0, 2) }),
			want:  "!scatter_c21 scatter_dims_to_operand_dims[1]"},
		{name: "scatter_c22", op: Scatter, operands: windowOperands, calls: addF32,
			attrs: window(func(a *ScatterAttrs) { a.IndexVectorDim = 3 }), want: "!scatter_c22 index_vector_dim"},
		{name: "scatter_c23", op: Scatter, operands: rowOperands, attrs: rows(same), calls: "(f32[])->f32[]",
			want: "!scatter_c23"},
		{name: "scatter_c23_type", op: Scatter, operands: rowOperands, attrs: rows(same), calls: "(s32[],s32[])->s32[]",
			want: "!scatter_c23"},
		{name: "scatter_c23_none", op: Scatter, operands: rowOperands, attrs: rows(same), want: "!scatter_c23"},
	})
}
