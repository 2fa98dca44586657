package builder_test

import (
	"github.com/goxla/xla/builder"
	"github.com/goxla/xla/literal"
	"github.com/goxla/xla/op"
	"github.com/goxla/xla/shape"
)

var programsData = []program{
	{"Const", func(p *prog) builder.Op {
		return p.Tuple(p.Const(2), p.Const([][]float32{{1, 2}, {3, 4}}), p.Const(true), p.Const(literal.Scalar(uint8(7))))
	}},
	{"Constant", func(p *prog) builder.Op { return p.Constant(literal.Of([]int32{1, 2, 3})) }},
	{"Zero", func(p *prog) builder.Op { return p.Tuple(p.Zero(shape.F32), p.Zero(shape.Pred)) }},
	{"One", func(p *prog) builder.Op { return p.Tuple(p.One(shape.BF16), p.One(shape.Pred)) }},
	{"MinValue", func(p *prog) builder.Op { return p.Tuple(p.MinValue(shape.F32), p.MinValue(shape.S8)) }},
	{"MaxValue", func(p *prog) builder.Op { return p.Tuple(p.MaxValue(shape.F32), p.MaxValue(shape.U8)) }},
	{"ScalarLike", func(p *prog) builder.Op {
		return builder.Mul(builder.ScalarLike(p.in("bf16[2,3]"), 2), p.in("bf16[2,3]"))
	}},
	{"FullLike", func(p *prog) builder.Op { return builder.FullLike(p.in("s32[2,3]"), -1) }},
	{"Iota", func(p *prog) builder.Op { return p.Iota(shapeOf("s32[4,8]"), 1) }},
	{"Parameter", func(p *prog) builder.Op { return p.Parameter(0, shapeOf("f32[2]"), "x") }},

	{"Broadcast", func(p *prog) builder.Op { return builder.Broadcast(p.in("s32[2,3]"), 4, 1) }},
	{"BroadcastInDim", func(p *prog) builder.Op {
		return builder.BroadcastInDim(p.in("s32[2,1]"), []int{2, 4, 3}, []int{0, 2})
	}},
	{"BroadcastInDim in another order", func(p *prog) builder.Op {
		return builder.BroadcastInDim(p.in("s32[3,2]"), []int{2, 3}, []int{1, 0})
	}},
	{"Reshape", func(p *prog) builder.Op { return builder.Reshape(p.in("f32[4,2,3]"), 8, 3) }},
	{"Reshape to a scalar", func(p *prog) builder.Op { return builder.Reshape(p.in("f32[1,1]")) }},
	{"ReshapeTo", func(p *prog) builder.Op { return builder.ReshapeTo(p.in("f32[4,2,3]"), shapeOf("f32[2,6,2]")) }},
	{"ReshapeInOrder", func(p *prog) builder.Op {
		return builder.ReshapeInOrder(p.in("f32[4,2,3]"), []int{1, 2, 0}, []int{24})
	}},
	{"ReshapeInOrder in order", func(p *prog) builder.Op {
		return builder.ReshapeInOrder(p.in("f32[4,2,3]"), []int{0, 1, 2}, []int{24})
	}},
	{"Collapse", func(p *prog) builder.Op { return builder.Collapse(p.in("f32[4,2,3]"), 1, 2) }},
	{"Collapse of one dimension", func(p *prog) builder.Op { return builder.Collapse(p.in("f32[4,2,3]"), 1) }},
	{"Transpose", func(p *prog) builder.Op { return builder.Transpose(p.in("f32[4,2,3]"), 1, 2, 0) }},
	{"Rev", func(p *prog) builder.Op { return builder.Rev(p.in("f32[4,2,3]"), 2, 0) }},
	{"Pad", func(p *prog) builder.Op {
		return builder.Pad(p.in("f32[2,3]"), p.in("f32[]"), []op.PadDim{{Low: 1, High: -1}, {Interior: 2}})
	}},
	{"PadInDim", func(p *prog) builder.Op { return builder.PadInDim(p.in("f32[2,3]"), p.in("f32[]"), 1, 2, 3) }},
	{"ConcatInDim", func(p *prog) builder.Op {
		return builder.ConcatInDim(p.ins("f32[2,3]", "f32[2,1]", "f32[2,0]"), 1)
	}},
	{"Concatenate", func(p *prog) builder.Op { return builder.Concatenate(p.ins("f32[2]"), 0) }},
}

var programsIndexing = []program{
	{"Slice", func(p *prog) builder.Op { return builder.Slice(p.in("f32[4,3]"), []int{2, 1}, []int{4, 3}, nil) }},
	{"Slice with strides", func(p *prog) builder.Op {
		return builder.Slice(p.in("f32[4,3]"), []int{0, 1}, []int{4, 3}, []int{2, 2})
	}},
	{"SliceInDim", func(p *prog) builder.Op { return builder.SliceInDim(p.in("f32[4,3]"), 1, 4, 2, 0) }},
	{"DynamicSlice", func(p *prog) builder.Op {
		return builder.DynamicSlice(p.in("f32[4,3]"), p.ins("s32[]", "s32[]"), []int{2, 2})
	}},
	{"DynamicSliceVector", func(p *prog) builder.Op {
		return builder.DynamicSliceVector(p.in("f32[4,3]"), p.in("s32[2]"), []int{2, 2})
	}},
	{"DynamicUpdateSlice", func(p *prog) builder.Op {
		return builder.DynamicUpdateSlice(p.in("f32[4,3]"), p.in("f32[3,2]"), p.ins("s32[]", "s32[]"))
	}},
	{"DynamicUpdateSliceVector", func(p *prog) builder.Op {
		return builder.DynamicUpdateSliceVector(p.in("f32[4,3]"), p.in("f32[3,2]"), p.in("s64[2]"))
	}},
	{"Gather", func(p *prog) builder.Op {
		return builder.Gather(p.in("s32[16,11]"), p.in("s32[4,5,1]"), op.GatherAttrs{OffsetDims: []int{2},
			CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 2, SliceSizes: []int{1, 11}})
	}},
	{"Scatter", func(p *prog) builder.Op {
		return builder.Scatter(p.in("f32[5,5]"), p.in("s64[2,1]"), p.in("f32[2,5]"), builder.Add, op.ScatterAttrs{
			UpdateWindowDims: []int{1}, InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1})
	}},
	{"ScatterMany", func(p *prog) builder.Op {
		return p.Tuple(builder.ScatterMany(p.ins("f32[5]", "s32[5]"), p.in("s64[2,1]"), p.ins("f32[2]", "s32[2]"),
			func(acc, x []builder.Op) []builder.Op { return []builder.Op{builder.Add(acc[0], x[0]), x[1]} },
			op.ScatterAttrs{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1})...)
	}},
	{"GetDimensionSize", func(p *prog) builder.Op { return builder.GetDimensionSize(p.in("f32[2,<=5]"), 1) }},
	{"SetDimensionSize", func(p *prog) builder.Op {
		return builder.SetDimensionSize(p.in("f32[10]"), p.in("s32[]"), 0)
	}},
	{"DynamicReshape", func(p *prog) builder.Op {
		return builder.DynamicReshape(p.in("f32[6]"), p.ins("s32[]", "s32[]"), []int{2, 3}, []bool{true, false})
	}},
	{"Sort", func(p *prog) builder.Op { return builder.Sort(p.in("f32[2,3]"), builder.Gt, 0, true) }},
	{"SortAscending", func(p *prog) builder.Op { return builder.SortAscending(p.in("f32[2,3]")) }},
	{"SortMany", func(p *prog) builder.Op {
		return p.Tuple(builder.SortMany(p.ins("f32[3]", "s32[3]"),
			func(left, right []builder.Op) builder.Op { return builder.Lt(left[1], right[1]) }, -1, false)...)
	}},
	{"TopK", func(p *prog) builder.Op {
		values, indices := builder.TopK(p.in("f32[2,10]"), 3, true)
		return p.Tuple(values, indices)
	}},
}
